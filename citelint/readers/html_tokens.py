"""HTML cut into tags, comments and text, as the tokenizer of the HTML standard delimits them.

Only where things begin and end: what the tags build together is a parser's business (the gate's). Linear
time, and no tag is ever missed; where tags would be text to a browser (inside ``<svg>`` other rules hold),
one too many is reported.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from citelint.patterns import pattern

Sort = Literal["start", "end", "comment", "raw"]

_SPACE = rb"\t\n\f\r "
_NAME = rb"[^" + _SPACE + rb"/>][^" + _SPACE + rb"/>=]*+"
_VALUE = (
    rb"(?:[" + _SPACE + rb"]*+=[" + _SPACE + rb"]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^" + _SPACE + rb">\"'][^" + _SPACE + rb">]*+)?+)?+"
)
_TAG = re.compile(
    rb"<(?:(!--)|([!?][^>]*+|/[^A-Za-z>][^>]*+)|(/?)([A-Za-z][^" + _SPACE + rb"/>]*+)"
    rb"((?:[" + _SPACE + rb"/]++|" + _NAME + _VALUE + rb")*+))"
)
"""One tag or comment opening, its attributes as the tokenizer delimits them. All runs are possessive."""
_ATTRIBUTE = pattern(
    rb"(" + _NAME + rb")(?:[" + _SPACE + rb"]*+=[" + _SPACE + rb"]*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|([^" + _SPACE + rb">\"'][^" + _SPACE + rb">]*+))?+)?+"
)
_COMMENT_END = pattern(rb"--!?>")
_RAW_TEXT = {
    name: pattern(rb"</" + name.encode() + rb"(?=[" + _SPACE + rb"/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
}
RAW_TEXT = frozenset(_RAW_TEXT)
"""Elements that hold text alone, whatever it looks like."""
ALIEN = frozenset(["svg", "math", "select", "template", "frameset", "plaintext"])
"""Inside these, parsers follow other rules; end tags are no longer believed once one was seen."""


class Token(NamedTuple):
    """A tag, a comment (or what becomes one), or the text inside ``<script>`` and its like."""

    sort: Sort
    start: int
    end: int
    """Behind the ``>``; the end of the text where there is none."""
    name: str = ""
    """Lower case; of raw text, that of its element."""
    attributes: bytes = b""
    """As they are written; see :func:`attributes`."""
    closed: bool = True
    """Whether it ends before the text does."""


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of *data*, in order; what lies between them is text."""
    alien = False
    match = _TAG.search(data)
    while match:
        comment, bogus, slash, name, written = match.groups()
        start, position = match.span()
        if comment:
            end = _end_of_comment(data, position)
            yield Token("comment", start, len(data) if end is None else end, closed=end is not None)
        else:
            closed = data[position : position + 1] == b">"
            end = position + closed
            if bogus is not None:
                yield Token("comment", start, end, closed=closed)
            else:
                sort: Sort = "end" if slash else "start"
                lower = name.decode(errors="replace").lower()
                yield Token(sort, start, end, lower, written, closed)
                alien = alien or (not slash and lower in ALIEN)
                if not slash and lower in _RAW_TEXT and not alien:
                    raw = _raw_text(data, end, lower)
                    yield raw
                    end = raw.end
                    if lower == "script" and data.find(b"<!--", raw.start, raw.end) >= 0:
                        alien = True  # a script in a comment in a script: where it ends is another science
                        yield Token("start", end, end, "frameset")
        if end is None or end >= len(data):
            return
        match = _TAG.search(data, end)


MARKUP_TO_SOME = frozenset(["iframe", "noembed", "noframes", "noscript"])
"""Raw text elements whose content is markup to some browsers, or to all when scripts are off."""
_UNREAD = pattern(rb"<(/?)(?=(?:iframe|noembed|noframes|noscript)[" + _SPACE + rb"/>])", re.IGNORECASE)


def tokens_within(data: bytes, raw: Token) -> Iterator[Token]:
    """The tokens in such an element, as those browsers see them; all at the place of *raw*."""
    for token in tokens(_UNREAD.sub(rb"<\1x-", data[raw.start : raw.end])):
        yield token._replace(start=raw.start, end=raw.end)


def _end_of_comment(data: bytes, start: int) -> int | None:
    for abrupt in (b">", b"->"):
        if data.startswith(abrupt, start):
            return start + len(abrupt)
    end = _COMMENT_END.search(data, start)
    return end.end() if end else None


def _raw_text(data: bytes, start: int, name: str) -> Token:
    end = _RAW_TEXT[name].search(data, start)
    return Token("raw", start, end.start() if end else len(data), name, closed=end is not None)


def attribute_count(written: bytes) -> int:
    """How many attributes a tag has."""
    return sum(1 for _ in _ATTRIBUTE.finditer(written))


class Attributes:
    """The attributes of a tag, decoded when they are asked for. Of two of one name the first counts."""

    def __init__(self, written: bytes) -> None:
        self._written = written

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def get(self, name: str) -> str:
        """The value, character references decoded; empty if there is none."""
        return self._values.get(name, "")

    @cached_property
    def _values(self) -> dict[str, str]:
        values: dict[str, str] = {}
        for found in _ATTRIBUTE.finditer(self._written):
            name = found[1].decode(errors="replace").lower()
            value = next((group for group in found.groups()[1:] if group is not None), b"")
            values.setdefault(name, html.unescape(value.decode(errors="replace")))
        return values
