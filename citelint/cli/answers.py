"""What `check`, `fix` and `render` have in common: options, and the way from arguments to answers."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

import msgspec

from citelint.cli.faults import internal
from citelint.errors import CitelintError, InputError, ManifestError
from citelint.files import (
    AnswerKind,
    Missed,
    SiteFiles,
    Target,
    find_answers,
    find_manifest,
    kind_of,
    no_manifest,
    read_answer,
    read_stream,
)
from citelint.manifest import Manifest
from citelint.model import Finding, Severity, Span, Status
from citelint.policy import Policy, find_config, find_root
from citelint.report.outcome import Outcome
from citelint.report.text import DEFAULT_WIDTH, Style, count, format_outcome
from citelint.rules import Rule, load_rules

if TYPE_CHECKING:
    from citelint.pipeline import Rendered, Report, Result

STDIN = "-"


class Setting(NamedTuple):
    """What holds for a whole run."""

    policy: Policy
    root: Path
    """The project root: globs, the manifest template, the site root and rule folders start there."""
    rules: tuple[Rule, ...] = ()
    """The rules of the project's own."""


class Answer(msgspec.Struct, frozen=True):
    """One answer with all that is needed to judge it."""

    shown: str
    """How reports call it."""
    path: Path | None
    """Its file; None when it came on standard input."""
    data: bytes
    kind: AnswerKind
    manifest: Manifest
    manifest_path: Path
    site_files: SiteFiles
    faults: tuple[Finding, ...]
    """Snapshots that are not what the manifest says; their sources do not count any more."""


def add_config_option(parser: argparse.ArgumentParser) -> None:
    """The option that names the settings."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="settings to use in place of those in the project root (pyproject.toml, citelint.toml)",
    )


def add_answer_options(parser: argparse.ArgumentParser, *, single: bool = False) -> None:
    """The options that say which answers, and with which manifest and settings."""
    if single:
        parser.add_argument("path", metavar="PATH", help="an answer (.md, .html), or - for standard input")
    else:
        parser.add_argument(
            "paths",
            metavar="PATH",
            nargs="+",
            help="answers, folders, manifests (their answers), or - for standard input",
        )
        parser.add_argument(
            "--answers-only",
            action="store_true",
            help="skip files that are neither in `answers` nor have a manifest",
        )
    parser.add_argument(
        "--manifest", metavar="FILE", help="the manifest, if it is not beside the answer (one answer only)"
    )
    parser.add_argument(
        "--select",
        metavar="CSS",
        default="",
        help="in HTML: the elements that hold answers; the rest of the page stays as it is",
    )
    parser.add_argument("--stdin-filename", metavar="NAME", help="the file that standard input stands for")
    add_config_option(parser)
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 in spite of findings (not of errors)"
    )
    parser.add_argument(
        "--show-addresses",
        action="store_true",
        help="show blocked addresses and source lines whole, in logs too",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print only findings and errors")


def read_setting(config: str | None) -> Setting:
    """The settings that are in force in the current folder."""
    root = find_root(Path())
    found = Path(config) if config else find_config(root)
    policy = Policy.load(found) if found else Policy()
    return Setting(policy, root, load_rules(root / folder for folder in policy.rules))


class Batch:
    """The answers that the arguments name, one at a time, each turned into an outcome.

    An answer that cannot be read or judged gives an outcome with its error, and the next one follows.
    """

    def __init__(self, args: argparse.Namespace, setting: Setting) -> None:
        self._args = args
        self._setting = setting
        paths: list[str] = [args.path] if hasattr(args, "path") else args.paths
        self._stdin = STDIN in paths
        files = list(dict.fromkeys(path for path in paths if path != STDIN))
        if self._stdin and files:
            raise InputError("- does not go together with other paths")
        if args.stdin_filename and not self._stdin:
            raise InputError("--stdin-filename is for standard input", help="add - as the path")
        manifest = Path(args.manifest) if args.manifest else None
        self._found = find_answers(
            files,
            setting.policy,
            setting.root,
            answers_only=getattr(args, "answers_only", False),
            manifest=manifest,
        )
        if manifest and len(self._found.targets) > 1:
            raise InputError(
                "--manifest goes with one answer",
                help="for several, set `manifest` in the config to a template",
            )
        self.skipped = self._found.skipped

    def outcomes(self, act: Callable[[Answer], Outcome]) -> Iterator[Outcome]:
        """What *act* makes of each answer."""
        for missed in self._found.missed:
            yield _failed(missed)
        for target in self._found.targets:
            yield self._attempt(str(target.path), partial(self._open, target), act)
        if self._stdin:
            yield self._attempt(self._args.stdin_filename or "<stdin>", self._open_stdin, act)

    def _attempt(
        self, shown: str, open_answer: Callable[[], Answer], act: Callable[[Answer], Outcome]
    ) -> Outcome:
        try:
            return act(open_answer())
        except BrokenPipeError:
            raise
        except CitelintError as error:
            return Outcome(path=shown, error=error)
        except Exception as error:  # noqa: BLE001 — one answer must not hide the findings of the others
            return Outcome(path=shown, error=internal(error))

    def _open(self, target: Target) -> Answer:
        data = read_answer(target.path)
        return self._answer(str(target.path), target.path, data, target)

    def _open_stdin(self) -> Answer:
        name = self._args.stdin_filename
        place = Path(name) if name else Path("answer.md")
        kind = kind_of(place)
        if kind is None:
            raise InputError(
                "not a Markdown or HTML file", help="--stdin-filename must end in .md or .html, for example"
            )
        if self._args.manifest:
            manifest = Path(self._args.manifest)
        elif name:
            manifest = find_manifest(place, self._setting.policy, self._setting.root)
        else:
            raise ManifestError(
                "no evidence manifest for standard input",
                code="CL501",
                help="name it with --manifest, or the answer with --stdin-filename",
            )
        if not manifest.is_file():
            raise no_manifest(manifest)
        if sys.stdin is None:
            raise InputError("standard input is closed", help="name a file, or pipe the answer in")
        data = read_stream(sys.stdin.buffer)
        return self._answer(name or "<stdin>", None, data, Target(place, manifest, kind))

    def _answer(self, shown: str, path: Path | None, data: bytes, target: Target) -> Answer:
        policy, root, _ = self._setting
        manifest, faults = load_manifest(target.manifest, policy)
        site_files = SiteFiles(root / policy.site_root, target.path.parent)
        return Answer(shown, path, data, target.kind, manifest, target.manifest, site_files, faults)


def load_manifest(path: Path, policy: Policy) -> tuple[Manifest, tuple[Finding, ...]]:
    """The manifest without the sources whose snapshots are not what it says, and findings about these."""
    try:
        manifest = Manifest.load(path)
    except ManifestError as error:
        place = f"{path}, {error.path}" if error.path else str(path)
        raise ManifestError(
            f"{place}: {error.message}", code=error.code, path=error.path, help=error.help
        ) from None
    if not any(source.snapshot for source in manifest.sources):
        return manifest, ()
    from citelint.evidence.snapshots import verify_snapshots

    # A snapshot that is gone proves nothing and breaks nothing: retention deletes texts, hashes stay.
    faults = [fault for fault in verify_snapshots(manifest, path.parent) if fault.kind != "missing"]
    trusted = manifest.without(fault.source_id for fault in faults)
    severity = policy.severity_of("CL503", "error")
    if severity == "off":
        return trusted, ()
    return trusted, tuple(_mismatch(fault.message, Severity(severity)) for fault in faults)


def _mismatch(message: str, severity: Severity) -> Finding:
    """The finding of a snapshot; it is not at any place of the answer, so it stands at its start."""
    return Finding(
        code="CL503",
        name="snapshot-mismatch",
        severity=severity,
        message=message,
        span=Span(0, 0),
        line=1,
        column=1,
        end_line=1,
        end_column=1,
        help="the snapshot was changed after its capture, or the manifest was; capture the source again",
    )


def _failed(missed: Missed) -> Outcome:
    return Outcome(path=missed.path, error=missed.error)


def is_refused(done: Report | Result | Rendered, policy: Policy) -> bool:
    """Whether the answer is held back, so that nothing is written; asked here once more, whatever it says."""
    return done.refused or (done.status == Status.REJECTED and policy.on_unverified == "refuse")


def exit_code(outcomes: list[Outcome], policy: Policy, *, exit_zero: bool) -> int:
    """The worst of the outcomes: 3 and 2 for errors, 1 for findings and changes, else 0."""
    least = Severity(policy.fail_on).rank
    worst = 0
    for outcome in outcomes:
        if outcome.error is not None:
            worst = max(worst, outcome.error.exit_code)
        elif not exit_zero and (
            outcome.changed
            or outcome.refused
            or any(found.severity.rank >= least for found in outcome.findings)
        ):
            worst = max(worst, 1)
    return worst


def style_for(stream: TextIO, *, concise: bool, show_addresses: bool) -> Style:
    """How findings look there. Only a terminal that no CI service records counts as a person looking."""
    terminal = stream.isatty()
    person = terminal and not os.environ.get("CI")
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(
        concise=concise,
        lines=person or show_addresses,
        addresses=show_addresses,
        colour=colour,
        width=_width(stream) if terminal else DEFAULT_WIDTH,
    )


def _width(terminal: TextIO) -> int:
    """Columns for a source line, beside the line's number; some terminals do not know their size."""
    columns = 0
    with contextlib.suppress(OSError, ValueError):
        columns = os.get_terminal_size(terminal.fileno()).columns
    return min(max(columns - 8, 40), 160) if columns else DEFAULT_WIDTH


def print_outcome(outcome: Outcome, style: Style, *, findings: TextIO) -> None:
    """Print findings there, and errors on standard error."""
    stream = sys.stderr if outcome.error is not None else findings
    for line in format_outcome(outcome, style):
        print(line, file=stream)


def say_skipped(skipped: int, *, quiet: bool) -> None:
    """Files that were passed over are counted, not hidden."""
    if skipped and not quiet:
        print(
            f"citelint: {count(skipped, 'file')} skipped: neither in `answers` nor with a manifest",
            file=sys.stderr,
        )
