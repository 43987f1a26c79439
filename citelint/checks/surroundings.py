"""What goes along with a citation that goes: the space before it, and brackets that would be left empty."""

from __future__ import annotations

from collections.abc import Iterable

from citelint.model import Span

_BLANKS = (b" ", b"\t")
_PAIRS = (
    (b"(", b")"),
    ("（".encode(), "）".encode()),
    (b"**", b"**"),
    (b"__", b"__"),
    (b"*", b"*"),
    (b"_", b"_"),
)
_BRACKETS = (b"[", b"]")
_OPENS_LINK = (b"(", b"[", b":", b"]", b"{")
_NEAR = 64
"""Bytes between two citations of one group, at most."""


def space_before(data: bytes, span: Span) -> Span:
    """*span* with the blanks before it, unless they begin a line."""
    start = span.start
    following = data[span.end : span.end + 1]
    if following.isalnum() or following >= b"\x80" or following in (b"_", b"*", b"`", b"["):
        return span  # it parts what stands before from what follows
    while start and data[start - 1 : start] in _BLANKS:
        start -= 1
    if start == 0 or data[start - 1 : start] in (b"\n", b"\r"):
        return span
    return Span(start, span.end)


def with_surroundings(data: bytes, span: Span, *, brackets: bool = False) -> Span:
    """*span* with the space before it, and with the pair around it that would be left empty.

    Square *brackets* are such a pair around a number that was a link, unless they may be those of a link.
    """
    start, end = span
    while start and data[start - 1 : start] in _BLANKS:
        start -= 1
    while data[end : end + 1] in _BLANKS:
        end += 1
    for opening, closing in _PAIRS:
        if data.startswith(closing, end) and data.startswith(opening, max(0, start - len(opening)), start):
            return space_before(data, Span(start - len(opening), end + len(closing)))
    opening, closing = _BRACKETS
    free = (
        data[start - 2 : start - 1] not in (b"!", b"]", b"[", b"\\")
        and data[end + 1 : end + 2] not in _OPENS_LINK
    )
    if brackets and free and data[start - 1 : start] == opening and data[end : end + 1] == closing:
        return space_before(data, Span(start - 1, end + 1))
    return space_before(data, span)


def grouped(data: bytes, spans: Iterable[Span]) -> list[Span]:
    """The spans, in order, with those as one between which only blanks and a comma stand."""
    groups: list[Span] = []
    for span in spans:
        if groups and span.start - groups[-1].end <= _NEAR:
            between = data[groups[-1].end : span.start]
            if between.strip(b" \t") in (b"", b",", b";") and span.start >= groups[-1].end:
                groups[-1] = Span(groups[-1].start, span.end)
                continue
        groups.append(span)
    return groups
