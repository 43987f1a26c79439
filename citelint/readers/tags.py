"""Tags, comments and declarations in Markdown, as the most generous parser would see them.

Parsers disagree on what is HTML: one needs valid attributes, another only ``<`` and a letter, a JSX
compiler takes braces. So every ``<`` in prose that *could* begin markup is reported, with as much of
its inside as can be read; whether it may stay is decided by :mod:`citelint.checks.html`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from citelint.model import Regions, Span

_OPENING = re.compile(rb"<(?=[A-Za-z/!?])")
_NAME = re.compile(rb"</?([A-Za-z][^\s/>\"'=<`{}]{0,63})")
_ATTRIBUTE = re.compile(
    rb"[\s/]++([^\s\"'<>/=`{}]++)(?:\s*+=\s*+(?:\"([^\"<>`]*+)\"|'([^'<>`]*+)'|([^\s\"'=<>`{}]++)))?+"
)
_END = re.compile(rb"\s*+/?>")
_AUTOLINK = re.compile(rb"<(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}:|[^\s<>@/]{1,64}@)[^\s<>]*+>")


PLAIN_TAGS = frozenset(
    ["abbr", "b", "bdi", "big", "blockquote", "br", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var", "wbr"]
)
"""Tags that may stay as they are written, as long as they carry nothing that matters."""
RAW_CONTENT = frozenset(
    ["script", "style", "template", "iframe", "noembed", "noframes", "noscript", "textarea", "title", "xmp", "svg", "math"]
)
"""Elements whose content is not text of the answer: they go with all that is in them."""
OTHER_TAGS = frozenset(
    ["a", "acronym", "address", "applet", "area", "article", "aside", "audio", "base", "basefont", "bgsound", "body", "button", "canvas", "command", "data", "datalist", "dialog", "dir", "embed", "fieldset", "font", "footer", "form", "frame", "frameset", "head", "header", "hgroup", "html", "image", "img", "input", "keygen", "label", "legend", "link", "listing", "main", "map", "marquee", "menu", "menuitem", "meta", "meter", "nav", "nobr", "object", "optgroup", "option", "output", "param", "picture", "plaintext", "portal", "progress", "rb", "rtc", "search", "select", "slot", "source", "time", "track", "video"]
)


class Attribute(NamedTuple):
    """An attribute with its value decoded; no value is ``""``."""

    name: str
    value: str


class Tag(NamedTuple):
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
        """Whether a browser knows it, or swallows it as a custom element; else it was meant as text."""
        name = self.name
        return name in PLAIN_TAGS or name in RAW_CONTENT or name in OTHER_TAGS or ":" in name or "-" in name


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
