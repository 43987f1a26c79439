"""How deep HTML nests and how wide a tag is, counted in linear time before a sanitizer parses it.

HTML parsers take time quadratic in nesting, in the attributes of one tag and in character references
that turn out to be none, and unclosed formatting elements are opened again in every later paragraph.
So inputs of that shape are refused, and references are completed, first. The count may be too high for
sloppy HTML, never too low: an end tag closes something only where every parser agrees that it does.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING

from citelint.errors import PostconditionError
from citelint.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_OPEN = 256
MAX_FORMATTING = 32
MAX_ATTRIBUTES = 256


class TooDeep(PostconditionError):  # noqa: N818 - it names what the HTML is
    """The HTML nests too deeply, or has a tag of too many attributes; its block must become text (CL301)."""


_SPACE = r"\t\n\f\r "
_TAG = pattern(
    rf"<(?:(!--)|[!?][^>]*+|/[^A-Za-z>][^>]*+|(/?)([A-Za-z][^{_SPACE}/>]*+)"
    rf"((?:[{_SPACE}/]++"
    rf"|[^{_SPACE}/>][^{_SPACE}/>=]*+(?:[{_SPACE}]*+=[{_SPACE}]*+"
    rf"(?:\"[^\"]*+\"|'[^']*+'|[^{_SPACE}>\"'][^{_SPACE}>]*+)?+)?+)*+))"
)
"""One tag or comment opening, its attributes as the HTML tokenizer delimits them. All runs are possessive."""
_ATTRIBUTE = pattern(
    rf"[^{_SPACE}/>][^{_SPACE}/>=]*+(?:[{_SPACE}]*+=[{_SPACE}]*+"
    rf"(?:\"[^\"]*+\"|'[^']*+'|[^{_SPACE}>\"'][^{_SPACE}>]*+)?+)?+"
)
_COMMENT_END = pattern(r"--!?>")
_RAW_TEXT = {
    name: pattern(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
}
_VOID = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_ALIEN = frozenset(["svg", "math", "select", "template", "frameset", "plaintext"])
"""Inside these, parsers follow other rules; end tags are no longer believed once one was seen."""
_PARAGRAPHS = frozenset({"p"})
_ITEMS = frozenset({"li"})
_TERMS = frozenset({"dd", "dt"})
_CELLS = frozenset({"td", "th"})
_ROWS = frozenset({"tr"})
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_CLOSED_BY_START = {
    "p": (_PARAGRAPHS,),
    "li": (_PARAGRAPHS, _ITEMS),
    "dd": (_PARAGRAPHS, _TERMS),
    "dt": (_PARAGRAPHS, _TERMS),
    "td": (_PARAGRAPHS, _CELLS),
    "th": (_PARAGRAPHS, _CELLS),
    "tr": (_PARAGRAPHS, _CELLS, _ROWS),
    "thead": (_PARAGRAPHS, _CELLS, _ROWS, _SECTIONS),
    "tbody": (_PARAGRAPHS, _CELLS, _ROWS, _SECTIONS),
    "tfoot": (_PARAGRAPHS, _CELLS, _ROWS, _SECTIONS),
}
"""What a start tag closes by itself: at most one of each kind, from the innermost outwards."""
_CLOSED_BY_BLOCK_END = _PARAGRAPHS | _ITEMS | _TERMS
_CLOSED_BY_TABLE_END = _CLOSED_BY_BLOCK_END | _CELLS | _ROWS | _SECTIONS
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
_TABLE_PARTS = frozenset({"table"}) | _CELLS | _ROWS | _SECTIONS
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
    for closes, name, attributes in _tags(html):
        if closes:
            tags.end(name)
            continue
        if len(attributes) > MAX_ATTRIBUTES or name in _MERGED:
            count = sum(1 for _ in _ATTRIBUTE.finditer(attributes))
            merged += count if name in _MERGED else 0
            if max(count, merged) > MAX_ATTRIBUTES:
                raise TooDeep(f"a tag of more than {MAX_ATTRIBUTES} attributes")
        tags.start(name)


def _tags(html: str) -> Iterator[tuple[bool, str, str]]:
    """The tags outside comments and raw text: whether it closes, its name, the text of its attributes."""
    alien = False
    match = _TAG.search(html)
    while match:
        comment, slash, name, attributes = match.groups()
        position: int | None = match.end()
        if comment:
            position = _end_of_comment(html, match.end())
        elif name:
            name = name.lower()
            alien = alien or (not slash and name in _ALIEN)
            yield bool(slash), name, attributes
            if name in _RAW_TEXT and not slash and not alien:
                position = _end_of_raw_text(html, match.end(), name)
                if name == "script" and html.find("<!--", match.end(), position) >= 0:
                    alien = True  # a script in a comment in a script: where it ends is another science
                    yield False, "frameset", ""
        if position is None:
            return
        match = _TAG.search(html, position)


def _end_of_comment(html: str, start: int) -> int | None:
    if html.startswith((">", "->"), start):
        return start
    end = _COMMENT_END.search(html, start)
    return end.end() if end else None


def _end_of_raw_text(html: str, start: int, name: str) -> int | None:
    end = _RAW_TEXT[name].search(html, start)
    return end.start() if end else None


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
        if name in _VOID:
            return
        names = self._names
        self._alien = self._alien or name in _ALIEN
        for kind in () if self._alien else _CLOSED_BY_START.get(name, ()):
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
