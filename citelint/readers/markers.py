"""Citation markers in running text: ``[1]``, ``【4:0†source】``, ``<cite index="…">`` and others.

What a marker looks like is data (:mod:`citelint.readers.grammar`). One scan with one automaton finds
every literal, each literal is classified once and remembered, its surroundings decide whether it is
meant as a citation, and tags are paired at the end. Every step looks at each byte a bounded number of
times, whatever the text is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from citelint.model import Kind, Reference, Regions, Span
from citelint.patterns import pattern
from citelint.readers.grammar import AFTER, BEFORE, Pair, Shield, Token, grammars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citelint.readers.grammar import Book

MAX_LABELS = 200
"""A marker that names more sources than this names none: its labels are empty."""

_BEFORE_BYTES = 64
_AFTER_BYTES = 24
_LITERAL_BYTES = 200
_REMEMBERED_BYTES = 256
_RANGE_DIGITS = 9
_QUOTE_BYTES = 8192
_BLANK_LINE = pattern(rb"\n[ \t\r]*+\n")
_INNER_OPENING = re.compile(rb"[\[(<{\xe3\xef@:^%]")


def never(_label: str) -> bool:
    """Nothing vouches for any label."""
    return False


def find_markers(
    data: bytes, within: Span, opaque: Regions, *, known: Callable[[str], bool] = never
) -> list[Reference]:
    """The citation markers of *data*, sorted by where they start.

    *opaque* is what is no text: code and maths. *known* says whether the manifest or the answer's own
    list has a label; forms that are words or numbers in brackets as often as citations, such as ``[A]``
    or ``[2019]``, count only then.

    The references are of kind ``MARKER`` and do not overlap, except that a marker which keeps a phrase
    (``text``) may have further ones inside that phrase. A range that is too long gives no labels.
    """
    book = grammars()
    scan = _Scan(data, within, opaque, known, book)
    for literal in scan.literals():
        scan.read(literal)
    return _paired(data, scan.found, scan.tags) if scan.tags else scan.found


class Reading(NamedTuple):
    """What a literal means by itself, as one grammar reads it; ``text`` is relative to its start."""

    token: Token
    labels: tuple[str, ...]
    text: tuple[int, int] | None


class _Tag(NamedTuple):
    """One end of a pair or a shield, where it stands."""

    span: Span
    token: Token
    labels: tuple[str, ...]


class _Scan:
    """One pass over the text. Holds what a literal's verdict depends on: the one right before it."""

    def __init__(
        self, data: bytes, within: Span, opaque: Regions, known: Callable[[str], bool], book: Book
    ) -> None:
        # `$` in a grammar means the end of the stream, which a final newline does not change.
        self._text = data[: within.end].rstrip()
        self._data = data
        self._within = within
        self._opaque = opaque
        self._known = known
        self._pattern = book.scan
        self._restart = -1
        self._rejected_end = -1
        self._rejected_always = False
        self.found: list[Reference] = []
        self.tags: list[_Tag] = []

    def literals(self) -> Iterator[tuple[int, int]]:
        """The spans of literals, left to right; after a rejected one, also those that start inside it."""
        position = self._within.start
        while True:
            for match in self._pattern.finditer(self._text, position):
                span = match.span()
                yield span
                if self._restart >= 0:
                    position, self._restart = self._restart, -1
                    break
            else:
                return

    def read(self, span: tuple[int, int]) -> None:
        """Take the literal as a marker or as a tag, or leave it."""
        start, end = span
        literal = self._text[start:end]
        readings = _read(literal) if len(literal) <= _REMEMBERED_BYTES else _read.__wrapped__(literal)
        for reading in readings:
            if len(self._opaque) and self._is_hidden(start, end, reading):
                continue
            marker = reading.token.marker
            if marker is None:
                self.tags.append(_Tag(Span(start, end), reading.token, reading.labels))
                return
            if self._is_meant(start, end, reading):
                text = reading.text and Span(start + reading.text[0], start + reading.text[1])
                self.found.append(
                    Reference(
                        Kind.MARKER, Span(start, end), text=text, labels=reading.labels, syntax=marker.name
                    )
                )
                return
        inner = _INNER_OPENING.search(literal, 1)
        if inner:
            self._restart = start + inner.start()

    def _is_hidden(self, start: int, end: int, reading: Reading) -> bool:
        """Whether it stands in code or maths; a phrase that stays may hold some."""
        if not self._opaque.touches((start, end)):
            return False
        if reading.text is not None:
            text_start, text_end = start + reading.text[0], start + reading.text[1]
            return self._opaque.touches((start, text_start)) or self._opaque.touches((text_end, end))
        marker = reading.token.marker
        return not (marker is not None and marker.escaped and self._is_whole_region(start, end))

    def _is_whole_region(self, start: int, end: int) -> bool:
        """An escaped bracket is TeX maths to some: then the region is the literal, no more and no less."""
        opaque = self._opaque
        return start in opaque and (start - 1) not in opaque and (end - 1) in opaque and end not in opaque

    def _is_meant(self, start: int, end: int, reading: Reading) -> bool:
        """Whether the surroundings, or somebody who knows the label, make it a citation."""
        token = reading.token
        marker = token.marker
        surroundings = token.surroundings
        unlikely = always = False
        if surroundings is not None:
            # The second of A[1][2]; but nobody writes an index as a footnote.
            if self._rejected_end == start and not self._data.startswith(b"[^", start):
                unlikely, always = True, self._rejected_always
            else:
                contexts = surroundings.set.Match(self._place(start, end)) or []
                unlikely, always = bool(contexts), surroundings.always(contexts)
            if always or (unlikely and not self._is_known(reading)):
                self._rejected_end, self._rejected_always = end, always
                return False
        return marker is None or not marker.known or self._is_known(reading)

    def _is_known(self, reading: Reading) -> bool:
        return any(map(self._known, reading.labels))

    def _place(self, start: int, end: int) -> bytes:
        first = max(start - _BEFORE_BYTES, self._within.start)
        opening = b"\n" if first == self._within.start else b""
        data = self._data
        return b"".join(
            (
                opening,
                data[first:start],
                BEFORE,
                data[start : min(end, start + _LITERAL_BYTES)],
                AFTER,
                data[end : min(end + _AFTER_BYTES, self._within.end)],
            )
        )


@lru_cache(maxsize=4096)
def _read(literal: bytes) -> tuple[Reading, ...]:
    """What *literal* can mean, the certain forms first; empty when it means nothing after all."""
    book = grammars()
    readings = (_reading(book.tokens[index], literal) for index in sorted(book.classify.Match(literal) or ()))
    return tuple(reading for reading in readings if reading is not None)


def _reading(token: Token, literal: bytes) -> Reading | None:
    match = token.pattern.fullmatch(literal)
    if match is None:
        return None
    names = token.pattern.groupindex
    parts = [part for name in token.ref_groups if (part := match.group(name)) is not None]
    if not token.ref_groups:
        parts = [literal]
    labels = [label for part in parts for label in _labels(token, part)]
    if token.marker is not None and token.marker.ranges and not labels:
        return None
    if len(labels) > MAX_LABELS:
        labels = []
    if "url" in names and (address := match.group("url")):
        labels.append(_address(address.decode()))
    text = match.span(names["text"]) if "text" in names else None
    return Reading(token, tuple(labels), text)


def _labels(token: Token, part: bytes) -> list[str]:
    """The labels in *part*, one more than allowed when there are too many."""
    if token.find is None:
        return [part.decode().strip()] if token.ref_groups else []
    labels: list[str] = []
    marker = token.marker
    previous: tuple[bytes | None, ...] = ()
    for match in token.find.finditer(part):
        groups = match.groups()
        if marker is not None and marker.ranges:
            labels.extend(_range(groups))
        else:
            if marker is not None and marker.carry and previous:
                groups = tuple(new or old for new, old in zip(groups, previous, strict=True))
            previous = groups
            found = b"".join(filter(None, groups)) if groups else match.group() or b""
            labels.append((marker.label if marker else "{}").replace("{}", _in_ascii_digits(found.decode())))
        if len(labels) > MAX_LABELS:
            break
    return labels


def _in_ascii_digits(label: str) -> str:
    """A number in the digits of another script, or in raised ones, is the same number."""
    if label.isascii() or not label.isdigit():
        return label
    return "".join(str(unicodedata.digit(character)) for character in label)


def _range(groups: tuple[bytes | None, ...]) -> list[str]:
    """The numbers from the first to the second; none when it runs backwards, too many when it is too long."""
    first, last = groups
    if first is None:
        return []
    if last is None:
        return [first.decode()]
    if len(last) > _RANGE_DIGITS:
        return [""] * (MAX_LABELS + 1)
    start, end = int(first), int(last)
    if end - start >= MAX_LABELS:
        return [""] * (MAX_LABELS + 1)
    return [str(number) for number in range(start, end + 1)]


def _address(raw: str) -> str:
    """An address without what only tracks, as labels are compared; as it stands when it is no address."""
    from citelint.urls import url_key

    return url_key(raw) or raw


def _paired(data: bytes, found: list[Reference], tags: list[_Tag]) -> list[Reference]:
    """*found* with the tags' markers, without what stands in shields or inside what goes as a whole."""
    shields = Regions(
        (opening.span.start, closing.span.end)
        for opening, closing in _pairs([tag for tag in tags if isinstance(tag.token.pair, Shield)])
        if opening is not None and closing is not None
    )
    visible = [tag for tag in tags if isinstance(tag.token.pair, Pair) and not shields.touches(tag.span)]
    markers = [
        marker for opening, closing in _pairs(visible) for marker in _pair_markers(data, opening, closing)
    ]
    gone = shields.union(
        (marker.span.start + 1, marker.span.end) for marker in markers if marker.text is None
    )
    kept = [marker for marker in found + markers if marker.span.start not in gone]
    return sorted(kept, key=lambda marker: (marker.span.start, -marker.span.end))


def _pairs(tags: list[_Tag]) -> Iterator[tuple[_Tag | None, _Tag | None]]:
    """Opening and closing tags that belong together, well nested; those left alone have None as partner."""
    waiting: list[_Tag] = []
    count: dict[str, int] = {}
    for tag in tags:
        name = _name(tag)
        if tag.token.opens:
            waiting.append(tag)
            count[name] = count.get(name, 0) + 1
        elif not count.get(name):
            yield None, tag
        else:
            while _name(opening := waiting.pop()) != name:
                count[_name(opening)] -= 1
                yield opening, None
            count[name] -= 1
            yield opening, tag
    for opening in waiting:
        yield opening, None


def _name(tag: _Tag) -> str:
    return tag.token.pair.name if tag.token.pair is not None else ""


def _pair_markers(data: bytes, opening: _Tag | None, closing: _Tag | None) -> Iterator[Reference]:
    """The marker of a pair; of a tag that lost its partner, the tag alone.

    A pair whose opening tag names nothing is HTML, not a citation. Text that would go with its tags is
    held to one paragraph, so that a forgotten closing tag takes no more than the tags.
    """
    if opening is None:
        if closing is not None:
            yield Reference(Kind.MARKER, closing.span, syntax=_name(closing))
        return
    if not opening.labels:
        return
    pair = opening.token.pair
    keep = isinstance(pair, Pair) and pair.keep
    labels, name = opening.labels, _name(opening)
    if closing is None:
        yield Reference(Kind.MARKER, opening.span, labels=labels, syntax=name)
        return
    inside = Span(opening.span.end, closing.span.start)
    whole = Span(opening.span.start, closing.span.end)
    if keep:
        yield Reference(Kind.MARKER, whole, text=inside, labels=labels, syntax=name)
    elif inside.end - inside.start <= _QUOTE_BYTES and not _BLANK_LINE.search(data, *inside):
        yield Reference(Kind.MARKER, whole, labels=labels, syntax=name)
    else:
        yield Reference(Kind.MARKER, opening.span, labels=labels, syntax=name)
        yield Reference(Kind.MARKER, closing.span, syntax=name)
