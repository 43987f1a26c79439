"""The lists of sources that a model wrote: where they are, and what each number stands for.

A list is a *run of entries*, not "from this heading to the end": prose between and after entries stays, an
entry without an address belongs to its run. A run counts when a heading of ``rules/headings.toml`` stands
over it, when it is made of footnotes or numbered link definitions, or when the text uses its numbers. A list
of links worth a visit is none of these: it is part of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.entries import Entry
from citelint.readers.lines import read_lines, without
from citelint.readers.runs import Used, find_runs
from citelint.readers.sections import take_headings


class Run(msgspec.Struct, frozen=True):
    """Entries that follow each other."""

    span: Span
    """What goes when the run goes: whole lines, or parts between ``<br>``, with the heading and a thematic
    break before it where nothing else stays under that heading."""
    entries: tuple[Entry, ...]


class Bibliography(msgspec.Struct, frozen=True):
    """All the lists of sources of an answer, in order."""

    runs: tuple[Run, ...]
    by_number: dict[str, tuple[Entry, ...]]
    """The entries of each number; models give one number to two sources, so there may be several."""

    def lookup(self, number: str) -> tuple[Entry, ...]:
        """The entries that a marker with this number or label can mean, in order; none if it is unknown."""
        return self.by_number.get(number, ())


_BREAK_BEFORE = pattern(rb"<br[ \t]{0,8}/?>\Z", re.IGNORECASE)


def read_bibliography(data: bytes, within: Span, opaque: Regions, used: Used) -> Bibliography:
    """Find the runs of entries in *within*; linear time.

    *opaque* is code and mathematics: nothing is read there. *used* says which numbers the text uses.
    """
    text = without(data, opaque)
    lines = read_lines(text, within)
    drafts = find_runs(data, text, lines, used)
    take_headings(text, lines, drafts)
    runs: list[Run] = []
    for draft in drafts:
        free = Span(runs[-1].span.end if runs else within.start, within.end)
        whole = Span(lines[draft.first].start, lines[draft.last - 1].end)
        runs.append(Run(_removed(data, free, whole), tuple(draft.entries)))
    return Bibliography(tuple(runs), _indexed(runs))


def _indexed(runs: Iterable[Run]) -> dict[str, tuple[Entry, ...]]:
    entries: dict[str, list[Entry]] = {}
    for run in runs:
        for entry in run.entries:
            if entry.number:
                entries.setdefault(entry.number, []).append(entry)
    return {number: tuple(same) for number, same in entries.items()}


def _removed(data: bytes, free: Span, whole: Span) -> Span:
    """The lines *whole*, and the ``<br>`` that part them from prose on their first line."""
    start, end = whole
    opens_line = start == free.start or data[start - 1] in b"\r\n"
    closes_line = end == free.end or data[end - 1] in b"\r\n"
    if opens_line or not closes_line:
        return whole
    # The newline stays with the prose.
    while data[end - 1] in b"\r\n":
        end -= 1
    while start > free.start:
        if data[start - 1] in b" \t":
            start -= 1
        elif found := _BREAK_BEFORE.search(data, max(free.start, start - 12), start):
            start = found.start()
        else:
            break
    return Span(start, end)
