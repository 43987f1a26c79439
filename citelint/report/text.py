"""The report for people: designed to be read in a terminal, safe to be kept in a log.

::

    answer.md:12:8: error CL101 unresolved-link: this link is not in the manifest
       |
    12 | See the [annual report](https://evil.example/a) for
       |         ^^^^^^^^^^^^^^^
       = help: cite a source that the manifest holds

Everything that comes from an answer, a manifest or a file name is escaped. Source lines hold the blocked
addresses, so they are shown only where the caller says that a person is looking.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, east_asian_width

import msgspec

from citelint.model import Finding, Severity
from citelint.patterns import pattern
from citelint.report.addresses import reduce_address
from citelint.report.escape import COMMANDS, show, show_character
from citelint.report.outcome import Outcome, Tally

DEFAULT_WIDTH = 100
"""Columns of a source line where the terminal's size is not known."""

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}

_BEFORE = 32
"""Columns of the line that stay before a far-off place."""


class Style(msgspec.Struct, frozen=True):
    """How findings are shown."""

    concise: bool = False
    """One line a finding, and nothing else of it."""
    lines: bool = False
    """Show source lines. They hold what the answer tried to send: for a person's terminal only."""
    addresses: bool = False
    """Show blocked addresses whole."""
    colour: bool = False
    width: int = DEFAULT_WIDTH
    """Columns that a source line may take."""

    def paint(self, text: str, colour: str) -> str:
        """*text* in that colour, where there are colours."""
        return f"{colour}{text}{_RESET}" if self.colour and text else text


def format_outcome(outcome: Outcome, style: Style) -> Iterator[str]:
    """The lines about one answer, without line ends."""
    if outcome.error is not None:
        yield from _format_error(outcome, style)
        return
    for finding in outcome.findings:
        yield _headline(finding, outcome.path, style)
        if not style.concise:
            yield from _details(finding, outcome.data, style)
            yield ""


def _format_error(outcome: Outcome, style: Style) -> Iterator[str]:
    error = outcome.error
    if error is None:
        return
    name = f"{outcome.error_name}: " if outcome.error_name else ""
    yield (
        f"{style.paint(show(outcome.path), _BOLD)}: {style.paint('error', _COLOURS[Severity.ERROR])}: "
        f"{name}{show(error.message)}"
    )
    if error.help:
        yield f"  {style.paint('= help:', _BLUE)} {show(error.help)}"


def _headline(finding: Finding, path: str, style: Style) -> str:
    place = f"{show(path)}:{finding.line}:{finding.column}"
    severity = style.paint(str(finding.severity), _COLOURS[finding.severity])
    head = f"{style.paint(place, _BOLD)}: {severity} {finding.code} {finding.name}: {show(finding.message)}"
    if style.concise and finding.address:
        return f"{head} ({_address(finding.address, style)})"
    return head


def _address(address: str, style: Style) -> str:
    return show(address) if style.addresses else str(reduce_address(address))


def _details(finding: Finding, data: bytes, style: Style) -> Iterator[str]:
    number = str(finding.line) if style.lines else ""
    gutter = " " * max(len(number), 2)
    bar = style.paint("|", _BLUE)
    if style.lines and (excerpt := cut_excerpt(data, finding.span, style.width)):
        yield f"{gutter} {bar}"
        yield f"{style.paint(number.rjust(len(gutter)), _BLUE)} {bar} {excerpt.line}".rstrip()
        marks = style.paint("^" * excerpt.length, _COLOURS[finding.severity])
        yield f"{gutter} {bar} {' ' * excerpt.offset}{marks}"
    elif finding.address:
        yield f"{gutter} {style.paint('= address:', _BLUE)} {_address(finding.address, style)}"
    if finding.help:
        yield f"{gutter} {style.paint('= help:', _BLUE)} {show(finding.help)}"


class Excerpt(NamedTuple):
    """A line of the answer around a place, as shown; numbers are columns on the screen."""

    line: str
    offset: int
    length: int


def cut_excerpt(data: bytes, span: tuple[int, int], width: int) -> Excerpt | None:
    """The line where *span* begins, shortened around it; None when it is past the end.

    Only bytes near the place are looked at: an answer can be one line of many megabytes, full of findings.
    """
    if span[0] > len(data) or not data:
        return None
    before, cut_before = _line_before(data, span[0], 4 * width)
    after, cut_after = _line_after(data, span[0], 4 * width)
    left_text = before.decode(errors="ignore").removeprefix("\ufeff")
    marked = after[: max(span[1] - span[0], 0)].decode(errors="ignore")
    rest = after[len(marked.encode()) :].decode(errors="ignore")
    cut_before, cut_after = cut_before or len(left_text) > width, cut_after or len(rest) > width
    left_text = left_text[-width:]
    cells = _cells(left_text + marked + rest[:width])
    start, end = len(left_text), len(left_text) + len(marked)
    left, middle, right = cells[:start], cells[start:end], cells[end:]

    room = max(width - sum(cell.columns for cell in middle), _BEFORE)
    total = sum(cell.columns for cell in itertools.chain(left, right))
    if cut_before or total > room:
        left, dropped = _keep_end(left, _BEFORE)
        cut_before = cut_before or dropped
    offset = sum(cell.columns for cell in left) + cut_before
    line, cut_line = _keep_start([*left, *middle, *right], width - cut_before)
    length = min(sum(cell.columns for cell in middle), max(width - offset, 1))
    text = "".join(cell.text for cell in line)
    return Excerpt(
        f"{'…' if cut_before else ''}{text}{'…' if cut_line or cut_after else ''}".rstrip(),
        offset,
        max(length, 1),
    )


class _Cell(msgspec.Struct, frozen=True):
    text: str
    columns: int


def _cells(text: str) -> list[_Cell]:
    cells = list(map(_cell, text))
    for command in COMMANDS.finditer(text):
        cells[command.start() + 1] = _Cell("\\#", 2)
    return cells


@lru_cache(4096)
def _cell(character: str) -> _Cell:
    if character == "\t":
        return _Cell("    ", 4)
    text = show_character(character)
    if len(text) > 1:
        return _Cell(text, len(text))
    if category(character) in ("Mn", "Me"):
        return _Cell(text, 0)
    return _Cell(text, 2 if east_asian_width(character) in "WF" else 1)


_LINE_END = pattern(rb"[\r\n]")


def _line_before(data: bytes, offset: int, most: int) -> tuple[bytes, bool]:
    start = max(offset - most, 0)
    part = data[start:offset]
    end = max(part.rfind(b"\n"), part.rfind(b"\r"))
    return (part[end + 1 :], False) if end >= 0 else (part, start > 0)


def _line_after(data: bytes, offset: int, most: int) -> tuple[bytes, bool]:
    end = _LINE_END.search(data, offset, offset + most)
    return (
        (data[offset : end.start()], False)
        if end
        else (data[offset : offset + most], offset + most < len(data))
    )


def _keep_start(cells: list[_Cell], columns: int) -> tuple[list[_Cell], bool]:
    used = 0
    for index, cell in enumerate(cells):
        used += cell.columns
        if used > columns:
            return cells[:index], True
    return cells, False


def _keep_end(cells: list[_Cell], columns: int) -> tuple[list[_Cell], bool]:
    kept, dropped = _keep_start(cells[::-1], columns)
    return kept[::-1], dropped


def format_summary(numbers: Tally, style: Style, *, verb: str = "checked") -> str:
    """The closing line: ``2 answers checked: 3 errors and 1 warning; 1 does not hold``."""
    found = [
        style.paint(count(number, word), _COLOURS[severity])
        for number, word, severity in (
            (numbers.errors, "error", Severity.ERROR),
            (numbers.warnings, "warning", Severity.WARNING),
            (numbers.notes, "note", Severity.NOTE),
        )
        if number
    ]
    parts = [f"{count(numbers.files, 'answer')} {verb}"]
    if numbers.files:
        parts[0] += f": {_join(found) or 'no findings'}"
    if numbers.changed:
        parts.append(f"{numbers.changed} changed")
    if numbers.refused:
        parts.append(f"{numbers.refused} {'does' if numbers.refused == 1 else 'do'} not hold")
    if numbers.failed:
        parts.append(style.paint(f"{count(numbers.failed, 'path')} failed", _COLOURS[Severity.ERROR]))
    return "; ".join(parts)


def count(number: int, word: str) -> str:
    """``1 answer``, ``2 answers``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
