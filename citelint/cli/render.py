"""``citelint render``: write an answer as safe HTML, or as Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from citelint.cli.answers import (
    Answer,
    Batch,
    Setting,
    add_answer_options,
    exit_code,
    is_refused,
    print_outcome,
    read_setting,
    style_for,
)
from citelint.disk import write_atomically
from citelint.errors import InputError
from citelint.report.escape import show
from citelint.report.outcome import Outcome


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``render``."""
    add_answer_options(parser, single=True)
    parser.add_argument(
        "--to",
        choices=("fragment", "page", "md"),
        default="page",
        help="HTML for inside a page, a whole page (default), or Markdown",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write; standard output if not given")


def run(args: argparse.Namespace) -> int:
    """Render one answer; what was found goes to standard error."""
    setting = read_setting(args.config)
    if args.path != "-" and Path(args.path).is_dir():
        raise InputError(f"{args.path}: a folder; render takes one answer")
    batch = Batch(args, setting)
    style = style_for(sys.stderr, concise=True, show_addresses=args.show_addresses)
    outcomes: list[Outcome] = []
    for outcome in batch.outcomes(partial(_render, setting=setting, args=args)):
        if not args.quiet or outcome.error is not None:
            print_outcome(outcome, style, findings=sys.stderr)
        if outcome.refused:
            print(
                f"{show(outcome.path)}: refused: the answer does not hold, nothing is written",
                file=sys.stderr,
            )
        outcomes.append(outcome)
    return exit_code(outcomes, setting.policy, exit_zero=args.exit_zero)


def _render(answer: Answer, setting: Setting, args: argparse.Namespace) -> Outcome:
    output = Path(args.output) if args.output else None
    inputs = {"the answer": answer.path, "its manifest": answer.manifest_path}
    for name, path in inputs.items():
        if output is not None and path is not None and os.path.realpath(output) == os.path.realpath(path):
            raise InputError(
                f"the output would replace {name}", help="take another name for -o, or citelint fix"
            )
    from citelint import pipeline

    rendered = pipeline.render(
        answer.data,
        answer.manifest,
        policy=setting.policy,
        kind=answer.kind,
        site_files=answer.site_files,
        rules=setting.rules,
        select=args.select,
        to=args.to,
    )
    refused = is_refused(rendered, setting.policy)
    if not refused:
        _write(rendered.text.encode(), output)
    return Outcome(
        path=answer.shown,
        data=answer.data,
        findings=(*answer.faults, *rendered.findings),
        status=str(rendered.status),
        cited=tuple(rendered.cited),
        refused=refused,
    )


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(data)
        return
    try:
        write_atomically(output, data)
    except InputError as error:
        raise InputError(f"{output}: {error.message}", help=error.help) from None
