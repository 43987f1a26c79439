"""``citelint check``: report what the manifest does not vouch for. Changes nothing."""

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
from citelint.report.outcome import Outcome, tally
from citelint.report.text import format_summary


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``check``."""
    add_answer_options(parser)
    parser.add_argument("--format", choices=("full", "concise", "json"), default="full", help="default: full")
    parser.add_argument(
        "--readers", metavar="NAMES", help="Markdown readers in place of the policy's, with commas"
    )


def run(args: argparse.Namespace) -> int:
    """Check all answers and report."""
    setting = read_setting(args.config)
    if args.readers:
        setting = setting._replace(policy=setting.policy.with_readers(args.readers.split(",")))
    batch = Batch(args, setting)
    style = style_for(sys.stdout, concise=args.format == "concise", show_addresses=args.show_addresses)
    outcomes: list[Outcome] = []
    for outcome in batch.outcomes(partial(_check, setting=setting, args=args)):
        if args.format != "json":
            print_outcome(outcome, style, findings=sys.stdout)
        outcomes.append(outcome.without_text())
    if args.format == "json":
        from citelint.report.json import format_json

        print(format_json(outcomes, skipped=batch.skipped, show_addresses=args.show_addresses), end="")
    elif not args.quiet:
        print(format_summary(tally(outcomes, batch.skipped), style))
    say_skipped(batch.skipped, quiet=args.quiet)
    return exit_code(outcomes, setting.policy, exit_zero=args.exit_zero)


def _check(answer: Answer, setting: Setting, args: argparse.Namespace) -> Outcome:
    from citelint import pipeline

    report = pipeline.check(
        answer.data,
        answer.manifest,
        policy=setting.policy,
        kind=answer.kind,
        site_files=answer.site_files,
        rules=setting.rules,
        select=args.select,
    )
    return Outcome(
        path=answer.shown,
        data=answer.data,
        findings=(*answer.faults, *report.findings),
        status=str(report.status),
        cited=tuple(report.cited),
        refused=is_refused(report, setting.policy),
    )
