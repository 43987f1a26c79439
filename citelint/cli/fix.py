"""``citelint fix``: rewrite answers so that only what the manifest vouches for is left."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from citelint.cli.answers import (
    Answer,
    Batch,
    Setting,
    add_answer_options,
    exit_code,
    is_refused,
    print_outcome,
    read_setting,
    say_skipped,
    style_for,
)
from citelint.disk import write_atomically
from citelint.errors import InputError
from citelint.report.escape import show
from citelint.report.outcome import Outcome, tally
from citelint.report.text import format_summary


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``fix``."""
    add_answer_options(parser)
    parser.add_argument("--diff", action="store_true", help="print what would change and write nothing")


def run(args: argparse.Namespace) -> int:
    """Rewrite all answers; from standard input to standard output."""
    setting = read_setting(args.config)
    batch = Batch(args, setting)
    # Where standard output carries an answer or a diff, findings go to standard error.
    stream = sys.stderr if args.diff or "-" in args.paths else sys.stdout
    style = style_for(stream, concise=True, show_addresses=args.show_addresses)
    outcomes: list[Outcome] = []
    for outcome in batch.outcomes(partial(_fix, setting=setting, args=args)):
        print_outcome(outcome, style, findings=stream)
        if outcome.refused:
            print(f"{show(outcome.path)}: refused: the answer does not hold, {_left(args)}", file=stream)
        elif outcome.changed and not args.quiet:
            print(f"{show(outcome.path)}: {'would be rewritten' if args.diff else 'rewritten'}", file=stream)
        outcomes.append(outcome.without_text())
    if not args.quiet:
        print(format_summary(tally(outcomes, batch.skipped), style, verb="read"), file=stream)
    say_skipped(batch.skipped, quiet=args.quiet)
    return exit_code(outcomes, setting.policy, exit_zero=args.exit_zero)


def _left(args: argparse.Namespace) -> str:
    return "nothing is written" if args.diff or "-" in args.paths else "the file stays as it was"


def _fix(answer: Answer, setting: Setting, args: argparse.Namespace) -> Outcome:
    from citelint import pipeline

    result = pipeline.fix(
        answer.data,
        answer.manifest,
        policy=setting.policy,
        kind=answer.kind,
        site_files=answer.site_files,
        rules=setting.rules,
        select=args.select,
    )
    refused = is_refused(result, setting.policy)
    text = answer.data if refused else result.text.encode()
    if args.diff:
        _print_diff(answer.data, text, answer.shown, whole=args.show_addresses)
    elif answer.path is None:
        if not refused:
            sys.stdout.buffer.write(text)
    elif text != answer.data:
        if answer.path.read_bytes() != answer.data:
            raise InputError("the file was changed while it was read", help="run citelint fix again")
        write_atomically(answer.path, text)
    return Outcome(
        path=answer.shown,
        data=answer.data,
        findings=(*answer.faults, *result.findings),
        status=str(result.status),
        cited=tuple(result.cited),
        changed=text != answer.data,
        refused=refused,
    )


def _print_diff(old: bytes, new: bytes, name: str, *, whole: bool) -> None:
    """The diff; what is taken out holds the blocked addresses, so a log gets its place and size alone.

    ``--show-addresses`` gives the bytes as they are, for `patch`, except on a terminal, where nothing from
    an answer is written unescaped.
    """
    from citelint.report.diff import unified_diff

    raw = whole and not sys.stdout.isatty()
    show_line = str if raw else _escaped
    seen = whole or style_for(sys.stdout, concise=True, show_addresses=False).lines
    show_removed = show_line if seen else _withheld
    for line in unified_diff(old, new, show(name), show_line=show_line, show_removed=show_removed):
        sys.stdout.buffer.write(line.encode(errors="surrogateescape"))
    sys.stdout.buffer.flush()


def _escaped(line: str) -> str:
    body = line.rstrip("\r\n")
    return "\t".join(map(show, body.split("\t"))) + ("\n" if line.endswith("\n") else "")


def _withheld(line: str) -> str:
    body = line.rstrip("\r\n")
    return (f"[{len(body)} characters; --show-addresses shows them]" if body else "") + line[
        len(line.rstrip("\n")) :
    ]
