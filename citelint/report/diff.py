"""A unified diff in linear time.

``difflib`` takes time that grows with the square of hostile texts. Answers are changed in places, never
reordered, so lines that both texts have exactly once are enough to hold on to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CONTEXT = 3
"""Equal lines shown around a change."""


class Change(NamedTuple):
    """Lines ``old_start:old_end`` became ``new_start:new_end``, counted from 0, half-open."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """What has to be replaced in *old* to get *new*, in order."""
    anchors = [(-1, -1), *_common_unique_lines(old, new), (len(old), len(new))]
    found: list[Change] = []
    for (old_anchor, new_anchor), (old_next, new_next) in pairwise(anchors):
        old_start, new_start = old_anchor + 1, new_anchor + 1
        old_end, new_end = old_next, new_next
        while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
            old_start, new_start = old_start + 1, new_start + 1
        while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
            old_end, new_end = old_end - 1, new_end - 1
        if old_start < old_end or new_start < new_end:
            found.append(Change(old_start, old_end, new_start, new_end))
    return found


def _common_unique_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal lines, each the only one of its kind on both sides, rising on both sides."""
    in_old, in_new = _unique(old), _unique(new)
    pairs = [(at, in_new[line]) for line, at in in_old.items() if line in in_new]
    # The longest rising subsequence of the second numbers, by patience sorting.
    tops: list[int] = []
    piles: list[int] = []
    previous: list[int] = []
    for index, (_, at) in enumerate(pairs):
        pile = bisect_left(tops, at)
        previous.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [at]
        piles[pile : pile + 1] = [index]
    rising: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        rising.append(pairs[index])
        index = previous[index]
    return rising[::-1]


def _unique(lines: Sequence[str]) -> dict[str, int]:
    """Lines that occur once → where, in order."""
    places: dict[str, int] = {}
    repeated: set[str] = set()
    for at, line in enumerate(lines):
        if line in places:
            repeated.add(line)
        places[line] = at
    return {line: at for line, at in places.items() if line not in repeated}


def unified_diff(
    old: bytes, new: bytes, name: str, *, show_line: Callable[[str], str], show_removed: Callable[[str], str]
) -> Iterator[str]:
    """The lines of a unified diff, with their ends; nothing when the texts are equal.

    *show_line* and *show_removed* say how a line (with its end) is written; pass ``str`` for a diff that
    ``patch`` can apply.
    """
    old_lines, new_lines = split_lines(old), split_lines(new)
    hunks = list(_hunks(changes(old_lines, new_lines)))
    if hunks:
        yield f"--- {name}\n"
        yield f"+++ {name}\n"
    for hunk in hunks:
        before = min(hunk[0].old_start, CONTEXT)
        after = min(len(old_lines) - hunk[-1].old_end, CONTEXT)
        old_start, old_end = hunk[0].old_start - before, hunk[-1].old_end + after
        new_start, new_end = hunk[0].new_start - before, hunk[-1].new_end + after
        yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"
        at = old_start
        for change in hunk:
            yield from _lines(" ", old_lines[at : change.old_start], show_line)
            yield from _lines("-", old_lines[change.old_start : change.old_end], show_removed)
            yield from _lines("+", new_lines[change.new_start : change.new_end], show_line)
            at = change.old_end
        yield from _lines(" ", old_lines[at:old_end], show_line)


def split_lines(data: bytes) -> list[str]:
    """The lines with their LF; as ``patch`` and ``git`` count them, nothing else ends a line."""
    lines = data.decode(errors="surrogateescape").split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _hunks(found: list[Change]) -> Iterator[list[Change]]:
    """Changes whose contexts touch go together."""
    hunk: list[Change] = []
    for change in found:
        if hunk and change.old_start - hunk[-1].old_end > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _range(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _lines(sign: str, lines: Sequence[str], show: Callable[[str], str]) -> Iterator[str]:
    for line in lines:
        shown = show(line)
        yield f"{sign}{shown}" if shown.endswith("\n") else f"{sign}{shown}\n\\ No newline at end of file\n"
