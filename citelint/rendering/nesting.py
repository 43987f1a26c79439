"""How deep HTML nests and how wide a tag is, counted in linear time before a sanitizer parses it.

HTML parsers take time quadratic in nesting, in the attributes of one tag and in character references
that turn out to be none, and unclosed formatting elements are opened again in every later paragraph.
So inputs of that shape are refused, and references are completed, first. The count may be too high for
sloppy HTML, never too low: an end tag closes something only where every parser agrees that it does.
"""

from __future__ import annotations

import re
from html.entities import html5

from citelint.errors import PostconditionError
from citelint.patterns import pattern
from citelint.readers.html_elements import (
    CELLS,
    CLOSED_BY_START,
    ITEMS,
    PARAGRAPHS,
    ROWS,
    SECTIONS,
    TERMS,
    VOID,
)
from citelint.readers.html_tokens import ALIEN, attribute_count, tokens

MAX_OPEN = 256
MAX_FORMATTING = 32
MAX_ATTRIBUTES = 256


class TooDeep(PostconditionError):  # noqa: N818 - it names what the HTML is
    """The HTML nests too deeply, or has a tag of too many attributes; its block must become text (CL301)."""


_CLOSED_BY_BLOCK_END = PARAGRAPHS | ITEMS | TERMS
_CLOSED_BY_TABLE_END = _CLOSED_BY_BLOCK_END | CELLS | ROWS | SECTIONS
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "main",
        "menu",
        "nav",
        "ol",
        "pre",
        "search",
        "section",
        "summary",
        "ul",
    ]
)
_TABLE_PARTS = frozenset({"table"}) | CELLS | ROWS | SECTIONS
_FORMATTING = frozenset(
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]
)


_MERGED = frozenset({"html", "body"})
"""The attributes of all such tags land on one element."""


def check_nesting(html: str) -> None:
    """Do nothing if *html* is of a shape that sanitizers handle in linear time.

    :raises TooDeep: it is not.
    """
    if _is_plainly_shallow(html):
        return
    tags = _OpenTags()
    merged = 0
    for token in tokens(html.encode(errors="surrogatepass")):
        if token.sort == "end":
            tags.end(token.name)
        if token.sort != "start":
            continue
        if len(token.attributes) > MAX_ATTRIBUTES or token.name in _MERGED:
            count = attribute_count(token.attributes)
            merged += count if token.name in _MERGED else 0
            if max(count, merged) > MAX_ATTRIBUTES:
                raise TooDeep(f"a tag of more than {MAX_ATTRIBUTES} attributes")
        tags.start(token.name)


_LONG_TAG = pattern(r"<[^<>]{512}")
_END_IN_VALUE = pattern(r"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)>")
"""A value with a ``>``, after which the tag goes on."""
_LEAF = pattern(r'<(?:([a-z][a-z0-9]*+)(?: [a-z-]++="[^"<>]*+")*+>[^<]*+</\1>|[bh]r ?/?>)')
"""An element without elements in it, as serialisers write it."""
_ROUNDS = 6


def _is_plainly_shallow(html: str) -> bool:
    """Whether taking away the leaves a few times leaves next to nothing: true of nearly all documents.

    An element that is closed right after its text is open no longer, wherever it stands (where only one
    of its two tags is real, nothing is opened either), so the depth is at most what remains plus the rounds.
    """
    if _LONG_TAG.search(html) or _END_IN_VALUE.search(html):
        return False
    for _ in range(_ROUNDS):
        if html.count("<") <= MAX_FORMATTING:
            return True
        html = _LEAF.sub("", html)
    return html.count("<") <= MAX_FORMATTING


class _OpenTags:
    """The elements that may still be open: at least those that a parser holds open."""

    __slots__ = ("_alien", "_formatting", "_names")

    def __init__(self) -> None:
        self._names: list[str] = []
        self._formatting = 0
        self._alien = False

    def start(self, name: str) -> None:
        if name in VOID:
            return
        names = self._names
        self._alien = self._alien or name in ALIEN
        for kind in () if self._alien else CLOSED_BY_START.get(name, ()):
            if names and names[-1] in kind:
                names.pop()
        names.append(name)
        if name in _FORMATTING:
            self._formatting += 1
        if len(names) > MAX_OPEN or self._formatting > MAX_FORMATTING:
            raise TooDeep(f"HTML nested more than {MAX_OPEN} elements deep")

    def end(self, name: str) -> None:
        names = self._names
        if self._alien:
            return
        if names and names[-1] == name:
            names.pop()
            if name in _FORMATTING:
                self._formatting -= 1
        elif name in _BLOCKS:
            self._close(name, through=_CLOSED_BY_BLOCK_END)
        elif name in _TABLE_PARTS:
            self._close(name, through=_CLOSED_BY_TABLE_END)

    def _close(self, name: str, through: frozenset[str]) -> None:
        names = self._names
        last = len(names) - 1
        while last >= 0 and names[last] in through and names[last] != name:
            last -= 1
        if last >= 0 and names[last] == name:
            del names[last:]


_REFERENCE = pattern(r"&(?!amp;|lt;|gt;|quot;)(#?[A-Za-z0-9]{0,64}+)(;?)")


def complete_references(html: str) -> str:
    """The same HTML with every ``&`` that begins no character reference as ``&amp;``, the others closed.

    A run of failed references costs a tokenizer quadratic time. One whose value depends on where it
    stands (``&copy=``) is written as the text that an attribute would have.
    """
    return _REFERENCE.sub(_complete, html) if "&" in html else html


def _complete(match: re.Match[str]) -> str:
    name, semicolon = match[1], match[2]
    if name[:1] == "#":
        number = _NUMBER.match(name)
        if not number:
            return f"&amp;{name}{semicolon}"
        rest = name[number.end() :]
        return f"&{number[0]};{rest}{semicolon if rest else ''}"
    if semicolon and f"{name};" in html5:
        return match[0]
    following = match.string[match.end() : match.end() + 1]
    if not semicolon and name in html5 and following != "=":
        return f"&{name};"
    return f"&amp;{name}{semicolon}"


_NUMBER = pattern(r"#(?:[xX][0-9A-Fa-f]++|[0-9]++)")
