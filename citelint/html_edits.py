"""Edits of an HTML answer's visible text, as edits of its source."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from itertools import accumulate

from citelint.change import remove, replace
from citelint.model import Edit, Regions, Span
from citelint.patterns import pattern
from citelint.readers.html_elements import Element
from citelint.readers.html_rules import html_rules
from citelint.readers.html_text import HtmlText

_MARK = pattern(r"\[\^([A-Za-z0-9_-]{1,64})\]")
_CELLS = frozenset(["td", "th"])


class Translation:
    """Edits of the text as edits of the source, and what they leave of each piece."""

    def __init__(self, text: HtmlText, marks: Mapping[str, str]) -> None:
        self._text = text
        self._marks = marks
        self.edits: list[Edit] = []
        self.removed: dict[int, int] = {}
        """How many bytes other than blanks each piece has lost."""
        self.gained: dict[int, tuple[int, int]] = {}
        """How many marks, and how many other things, are written at each piece."""

    def translate(self, edit: Edit) -> None:
        """One edit of the text; they come in order."""
        written, marks, words = self._written(edit.replacement)
        found = list(self._text.pieces_in(edit.span))
        if not found:
            if written:
                at = self._text.offset(edit.span.start)
                self.edits.append(replace(at, at, written))
            return
        first = found[0][0]
        for index, (number, source) in enumerate(found):
            self.edits.append(Edit(source, written if index == 0 else b""))
            self.removed[number] = self.removed.get(number, 0) + self._weight(number, source)
        if written:
            had = self.gained.get(first, (0, 0))
            self.gained[first] = (had[0] + marks, had[1] + words)

    def _weight(self, number: int, source: Span) -> int:
        piece = self._text.pieces[number]
        if not piece.plain:
            return _weight_of(self._text.text[piece.start : piece.end])
        base = piece.start - piece.source.start
        return _weight_of(self._text.text[source.start + base : source.end + base])

    def _written(self, replacement: bytes) -> tuple[bytes, int, int]:
        """The HTML of what a check writes, which is Markdown with character references, and what is in it."""
        if not replacement:
            return b"", 0, 0
        text = replacement.decode()
        parts: list[str] = []
        marks = words = position = 0
        for found in _MARK.finditer(text):
            mark = self._marks.get(found[1])
            if not mark:
                continue
            plain = text[position : found.start()]
            words += not (not plain or plain.isspace())
            parts += (html.escape(html.unescape(plain), quote=False), mark)
            marks += 1
            position = found.end()
        plain = text[position:]
        words += not (not plain or plain.isspace())
        parts.append(html.escape(html.unescape(plain), quote=False))
        return "".join(parts).encode(errors="replace"), marks, words


def _weight_of(shown: bytes) -> int:
    """How much of it is seen."""
    return len(shown.translate(None, b" \t\n\f\r"))


def hollow(text: HtmlText, translation: Translation) -> Iterator[Edit]:
    """The tags of elements from which everything that showed has gone.

    Inline ones go as well when nothing but a citation stands in them now; cells only with their whole row.
    """
    if not translation.removed:
        return
    count = len(text.pieces)
    had = [_weight_of(text.text[piece.start : piece.end]) for piece in text.pieces]
    left = [
        max(had[number] - translation.removed.get(number, 0), 0) + translation.gained.get(number, (0, 0))[1]
        for number in range(count)
    ]
    marks = [translation.gained.get(number, (0, 0))[0] for number in range(count)]
    before, after, cited = ([0, *accumulate(values)] for values in (had, left, marks))
    inline = html_rules().inline
    gone_rows = Regions()
    rows: list[Span] = []
    cells: list[Element] = []
    for element in text.elements:
        first, last = text.pieces_within(Span(element.opening.end, element.end))
        if before[last] == before[first] or after[last] != after[first]:
            continue
        if cited[last] != cited[first] and element.name not in inline:
            continue
        if element.name in _CELLS:
            cells.append(element)
            continue
        if element.name == "tr":
            rows.append(element.span)
        yield from _tags(element)
    gone_rows = Regions(rows)
    for cell in cells:
        if cell.opening.start in gone_rows:
            yield from _tags(cell)


def _tags(element: Element) -> Iterator[Edit]:
    yield remove((element.opening.start, element.opening.end))
    if element.closing is not None:
        yield remove((element.closing.start, element.closing.end))
