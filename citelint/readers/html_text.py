"""The visible text of an HTML answer and where each of its bytes comes from.

Nothing is written from this form; what a reader finds in it is decided on, and edits are made on the source.
:mod:`citelint.readers.html_layout` makes it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from citelint.model import Reference, Span
from citelint.readers.html_elements import Element
from citelint.readers.html_tokens import Token


class Piece(NamedTuple):
    """A run of the visible text and the bytes of the source that show as it."""

    start: int
    end: int
    source: Span
    plain: bool
    """Whether they are the same, byte for byte; else the piece is taken whole."""


class Link(NamedTuple):
    """A link with its place in the text; of one that is laid out as a marker, the reference is ``None``."""

    element: Element
    target: str
    reference: Reference | None
    shown: Span
    """Its text."""


class Picture(NamedTuple):
    """An image with its place in the text."""

    token: Token
    target: str
    reference: Reference


class HtmlText(msgspec.Struct):
    """The visible text, and where it comes from."""

    text: bytes
    pieces: list[Piece]
    code: list[Span]
    """What stands in code, and in no line of its own."""
    links: list[Link]
    pictures: list[Picture]
    marks: list[Reference]
    """The citations that citelint wrote before; each is a piece of its own."""
    elements: list[Element]
    """Those whose content is laid out."""
    sources: list[Span]
    """The lists of sources that citelint wrote before, in the source."""

    def pieces_in(self, span: tuple[int, int]) -> Iterator[tuple[int, Span]]:
        """The pieces that show something of *span*, by their number, with the bytes that do."""
        start, end = span
        index = bisect_right(self.pieces, start, key=_start_of) - 1
        for number in range(max(index, 0), len(self.pieces)):
            piece = self.pieces[number]
            if piece.start >= end:
                return
            if piece.end <= start:
                continue
            if not piece.plain:
                yield number, piece.source
                continue
            base = piece.source.start - piece.start
            yield number, Span(base + max(start, piece.start), base + min(end, piece.end))

    def offset(self, at: int) -> int:
        """The place in the source of a place between two bytes of the text."""
        index = bisect_right(self.pieces, at, key=_start_of) - 1
        if index < 0:
            return self.pieces[0].source.start if self.pieces else 0
        piece = self.pieces[index]
        return piece.source.start + at - piece.start if piece.plain and at < piece.end else piece.source.end

    def place(self, span: tuple[int, int]) -> Span | None:
        """The one range of the source that reaches over all of *span*; ``None`` where nothing shows."""
        first = last = None
        for _, found in self.pieces_in(span):
            first, last = first or found, found
        return Span(first.start, last.end) if first and last else None

    def pieces_within(self, source: Span) -> Span:
        """The numbers, from the first to behind the last, of the pieces that come from there."""
        return Span(
            bisect_left(self.pieces, source.start, key=_source_of),
            bisect_left(self.pieces, source.end, key=_source_of),
        )


def _start_of(piece: Piece) -> int:
    return piece.start


def _source_of(piece: Piece) -> int:
    return piece.source.start
