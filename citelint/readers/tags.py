"""Tags, comments and declarations in Markdown, as the most generous parser would see them.

Parsers disagree on what is HTML: one needs valid attributes, another only ``<`` and a letter, a JSX
compiler takes braces. So every ``<`` in prose that *could* begin markup is reported, with as much of
its inside as can be read; whether it may stay is decided by :mod:`citelint.checks.html`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from citelint.data import data_folder
from citelint.model import Regions, Span
from citelint.patterns import pattern

_OPENING = re.compile(rb"<(?=[A-Za-z/!?])")
_NAME = pattern(rb"</?([A-Za-z][^\s/>\"'=<`{}]{0,63})")
_ATTRIBUTE = pattern(
    rb"[\s/]++([^\s\"'<>/=`{}]++)(?:\s*+=\s*+(?:\"([^\"<>`]*+)\"|'([^'<>`]*+)'|([^\s\"'=<>`{}]++)))?+"
)
_END = pattern(rb"\s*+/?>")
_AUTOLINK = pattern(rb"<(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}:|[^\s<>@/]{1,64}@)[^\s<>]*+>")


class Elements(msgspec.Struct, frozen=True):
    """The names of HTML elements, by what may become of them in an answer; data in ``rules/html``."""

    plain: frozenset[str]
    """May stay as they are written, as long as they carry nothing that matters."""
    raw: frozenset[str]
    """Their content is not text of the answer: they go with all that is in them."""
    other: frozenset[str]
    """All the others that browsers know."""
    fetching: frozenset[str]
    """Attributes, on any element, that fetch or lead somewhere."""
    harmless: frozenset[str]
    """Attributes that a plain element may keep."""


@cache
def elements() -> Elements:
    """Read when the first tag is met."""
    import tomllib

    with (data_folder("rules") / "html" / "markdown.toml").open("rb") as file:
        names = tomllib.load(file)
    return Elements(*(frozenset(names[field]) for field in Elements.__struct_fields__))


def is_unknown(name: str) -> bool:
    """Whether no browser knows an element of that name, and none can define one."""
    known = elements()
    names = (known.plain, known.raw, known.other)
    return name.replace("_", "").isalnum() and not any(name in group for group in names)


class Attribute(NamedTuple):
    """An attribute with its value decoded; no value is ``""``."""

    name: str
    value: str


class Tag(msgspec.Struct, frozen=True):
    """Something that begins with ``<`` and that some parser may take for markup."""

    span: Span
    name: str
    """Lower case; ``!--`` for comments, ``!`` and ``?`` for declarations and instructions."""
    closing: bool
    attributes: tuple[Attribute, ...]
    well_formed: bool
    """Whether all parsers agree where it ends: quoted values without brackets or backticks."""

    @property
    def is_element(self) -> bool:
        """Whether a browser knows it, or may have a custom element of that name; else it is text."""
        return not is_unknown(self.name)


def find_tags(data: bytes, within: Span, opaque: Regions) -> Iterator[Tag]:
    """All possible tags outside *opaque*, in order, not overlapping. Linear time."""
    reader = _TagReader(data, within.end)
    position = within.start
    while match := _OPENING.search(data, position, within.end):
        start = match.start()
        position = start + 1
        if start in opaque or _AUTOLINK.match(data, start, within.end):
            continue
        tag = reader.read(start)
        if tag is not None:
            yield tag
            position = max(position, tag.span.end)


class _TagReader:
    """Reads one tag at a time and remembers which terminators never come, to stay linear."""

    def __init__(self, data: bytes, limit: int) -> None:
        self._data = data
        self._limit = limit
        self._absent: set[bytes] = set()

    def read(self, start: int) -> Tag | None:
        data, limit = self._data, self._limit
        following = data[start + 1 : start + 2]
        if following == b"!":
            return self._declaration(start)
        if following == b"?":
            return self._until(start, b"?>", "?", unclosed=2)
        name = _NAME.match(data, start, limit)
        if name is None:
            return Tag(Span(start, start + 2), "/", True, (), False) if following == b"/" else None
        attributes: list[Attribute] = []
        position = name.end()
        while found := _ATTRIBUTE.match(data, position, limit):
            key = found[1].decode(errors="replace").lower()
            value = next((group for group in found.groups()[1:] if group is not None), b"")
            attributes.append(Attribute(key, html.unescape(value.decode(errors="replace"))))
            position = found.end()
        end = _END.match(data, position, limit)
        return Tag(
            span=Span(start, end.end() if end else position),
            name=name[1].decode(errors="replace").lower(),
            closing=following == b"/",
            attributes=tuple(attributes),
            well_formed=end is not None,
        )

    def _declaration(self, start: int) -> Tag:
        """A comment ends where the most eager parser ends it: ``<!-->`` is a whole one."""
        if self._data.startswith(b"<!--", start):
            return self._until(start, b"-->", "!--", unclosed=4, skip=2)
        if self._data.startswith(b"<![CDATA[", start):
            return self._until(start, b"]]>", "!", unclosed=9)
        return self._until(start, b">", "!", unclosed=2)

    def _until(self, start: int, terminator: bytes, name: str, *, unclosed: int, skip: int = 0) -> Tag:
        end = -1
        if terminator not in self._absent:
            end = self._data.find(terminator, start + skip, self._limit)
            if end < 0:
                self._absent.add(terminator)
        closed = end >= 0
        stop = end + len(terminator) if closed else start + unclosed
        return Tag(Span(start, stop), name, False, (), closed)
