"""A document as the lines that a list of sources is made of.

Most lists that models write are no Markdown lists: ``[1] Title: https://…`` ends with two spaces or with
``<br>``, so a parser sees one paragraph. What counts is the line, or the part of one between two ``<br>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

import msgspec

from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.headings import Strength, bibliography_heading


class Shape(IntEnum):
    """What a line is, by its look alone."""

    TEXT = 0
    HEADING = 1
    RULE = 2
    TABLE = 3
    ITEM = 4
    """It opens with a number, a label in brackets or a bullet."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line that is not blank, or a part of one; ``end`` is behind its newline or ``<br>``."""

    start: int
    end: int
    shape: Shape
    gap: bool
    """A blank line stands before it."""
    indent: int
    """Columns of white space in front, after any ``>``; the level of a heading."""
    form: str
    """Of an item: ``bracket``, ``numbered``, ``bullet``, ``footnote`` or ``definition``; ``line`` for text
    that opens with an address."""
    number: str
    mark: int
    """Where the number, bullet or text begins."""
    content: int
    """Where that which is numbered begins."""


_PREFIX = pattern(rb"[ \t]*+(?:>[ \t>]*+)?+")
_HEADING = re.compile(rb"(#{1,6})(?=[ \t\r\n]|\Z)")
_RULE = re.compile(rb"(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)[\r\n]*+\Z")
_UNDERLINE = pattern(rb"(?:=++|-++)[ \t]*+[\r\n]*+\Z")
_BULLET = re.compile(rb"(?:[-*+]|\xe2\x80\xa2|\xc2\xb7)[ \t]++")
_FOOTNOTE = pattern(rb"\[\^([^\[\]\s]{1,64})\]:[ \t]*+")
_LABEL = pattern(
    rb"(?:\\?\[{1,2}\^?|\xe3\x80\x90|\xef\xbc\xbb)([A-Za-z0-9_.:\-]{1,64})(?:\\?\]{1,2}|\xe3\x80\x91|\xef\xbc\xbd)"
)
_ORDINAL = pattern(
    rb"(?:([0-9]{1,6})(?:\\?[.)](?![0-9A-Za-z])|\xe3\x80\x81|\xef\xbc\x8e|\xef\xbc\x89|(?=</sup>))"
    rb"|(?:\(|\xef\xbc\x88)([0-9]{1,6})(?:\)|\xef\xbc\x89))"
)
_AFTER_NUMBER = pattern(rb"(?:\*\*|__|</sup>)?+(?:[.:)]|\xef\xbc\x9a|\xe3\x80\x81)?+(?:\*\*|__)?+[ \t]*+")
_TARGET = pattern(
    rb"(?:<[^<>\s]++>|[^\s<>]++)[ \t]*+(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+'|\([^()\r\n]*+\))?+[ \t\r\n]*+\Z"
)
_ADDRESS_FIRST = pattern(rb"(?:\*\*)?+(?:<?+(?:https?|ftp)://|www\.|<a\s|!?\[)", re.IGNORECASE)
_BREAK = pattern(rb"<br[ \t]{0,8}/?>[ \t]*+(?:\r\n|\n|\r)?+", re.IGNORECASE)
_OWN_ENTRY = b" Source record "
_NOT_NEWLINES = bytes(10 if i == 10 else 13 if i == 13 else 1 for i in range(256))
_ITEM_FIRST = frozenset(b"[(\\-*+0123456789<_\xe2\xc2\xe3\xef")
_NUMBER_FIRST = frozenset(b"[(\\0123456789<\xe3\xef")
_NO_LABEL = frozenset(b"[-|0123456789")
_ADDRESS_LETTERS = frozenset(b"[<hHwWfF*!")


def without(data: bytes, opaque: Regions) -> bytes:
    """The same length with the opaque bytes, but not their newlines, made unreadable."""
    if not len(opaque):
        return data
    parts: list[bytes] = []
    position = 0
    for start, end in opaque:
        parts += (data[position:start], data[start:end].translate(_NOT_NEWLINES))
        position = end
    parts.append(data[position:])
    return b"".join(parts)


def read_lines(text: bytes, within: Span) -> list[Line]:
    """All lines of *within* that are not blank, in order."""
    lines: list[Line] = []
    gap = True
    body = text[within.start : within.end]
    breaks = b"<br" in body or b"<BR" in body
    end = within.start
    for raw in body.splitlines(keepends=True):
        start, end = end, end + len(raw)
        if raw.isspace():
            gap = True
            continue
        # "Sources: [1] https://…": only lines that open like text can hold a heading and its list.
        whole = (raw[0] in _NO_LABEL or b"://" not in raw) and not (breaks and b"<" in raw)
        for first, last in ((start, end),) if whole else _parts(text, start, end, raw):
            mark = _visible(text, first, last)
            if mark < 0:
                gap = True
            elif not gap and text[mark] in b"=-" and _underlines(text, mark, last, lines[-1]):
                level = 1 if text[mark] in b"=" else 2
                above = lines[-1]
                heading = {"end": last, "shape": Shape.HEADING, "indent": level, "form": ""}
                lines[-1] = msgspec.structs.replace(above, **heading)
            else:
                lines.append(_line(text, first, last, mark, gap))
                gap = False
    return lines


def _visible(text: bytes, start: int, end: int) -> int:
    """Where something stands in a line, behind white space and ``>``; -1 if nothing does."""
    if text[start] not in b" \t\r\n><":
        return start
    prefix = _PREFIX.match(text, start, end)
    mark = prefix.end() if prefix else start
    return -1 if mark >= end or text[mark] in b"\r\n" or _BREAK.fullmatch(text, mark, end) else mark


def _underlines(text: bytes, mark: int, end: int, above: Line) -> bool:
    return above.shape is Shape.TEXT and bool(_UNDERLINE.match(text, mark, end))


def _parts(text: bytes, start: int, end: int, raw: bytes) -> Iterator[tuple[int, int]]:
    """The parts of a line between ``<br>``, and behind a heading on the same line (``Sources: [1] …``)."""
    first = start
    if b"<" in raw and raw.lstrip()[:1] != b"|":
        for found in _BREAK.finditer(text, start, end):
            yield from _after_label(text, first, found.end())
            first = found.end()
    if first < end:
        yield from _after_label(text, first, end)


def _after_label(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    head = text[start : min(end, start + 90)]
    colon = min((at for at in (head.find(b":"), head.find(b"\xef\xbc\x9a")) if at > 0), default=0)
    if colon and b"[" not in head[:colon]:
        rest = start + colon + (1 if head[colon] == ord(":") else 3)
        while text[rest : rest + 1] in (b" ", b"*", b"_", b"\t"):
            rest += 1
        label = _LABEL.match(text, rest, end)
        listed = label and label[1].isdigit() and text.find(b"://", rest, end) > 0
        if listed and bibliography_heading(head[:colon]) is not Strength.NONE:
            yield start, rest
            start = rest
    yield start, end


def _line(text: bytes, start: int, end: int, mark: int, gap: bool) -> Line:
    indent = mark - start
    if indent and (b"\t" in text[start:mark] or b">" in text[start:mark]):
        _, quote, space = text[start:mark].rpartition(b">")
        indent = len(space.expandtabs(4)) - (1 if quote and space else 0)
    first = text[mark]
    if first in b"#":
        heading = _HEADING.match(text, mark, end)
        if heading:
            return Line(start, end, Shape.HEADING, gap, len(heading[1]), "", "", mark, heading.end())
    elif first in b"|":
        return Line(start, end, Shape.TABLE, gap, indent, "table", "", mark, mark)
    elif first in b"-*_" and _RULE.match(text, mark, end):
        return Line(start, end, Shape.RULE, gap, indent, "", "", mark, mark)
    if first in _ITEM_FIRST:
        item = _item(text, mark, end)
        if item:
            form, number, content = item
            return Line(start, end, Shape.ITEM, gap, indent, form, number, mark, content)
    form = "line" if first in _ADDRESS_LETTERS and _opens_with_address(text, mark, end) else ""
    return Line(start, end, Shape.TEXT, gap, indent, form, "", mark, mark)


def _opens_with_address(text: bytes, mark: int, end: int) -> bool:
    found = _ADDRESS_FIRST.match(text, mark, end)
    if not found:
        return False
    return text[found.end() - 1] != ord("[") or text.find(b"](", mark, end) > 0


def _item(text: bytes, mark: int, end: int) -> tuple[str, str, int] | None:
    """Form, number, and where the content begins."""
    bullet = _BULLET.match(text, mark, end) if text[mark] in b"-*+\xe2\xc2" else None
    at = bullet.end() if bullet else mark
    if text[at : at + 2] == b"[^":
        footnote = _FOOTNOTE.match(text, at, end)
        if footnote:
            return "footnote", footnote[1].decode(errors="replace").rstrip("^"), footnote.end()
        if text.find(b"://", at, end) < 0:
            return None  # a footnote's mark that opens a sentence
    if text[at : at + 2] in (b"**", b"__"):
        at += 2
    elif text[at : at + 5] == b"<sup>":
        at += 5
    if at < end and text[at] in _NUMBER_FIRST:
        found = _labelled(text, at, end) or _ordinal(text, at, end)
        if found:
            return found
    return ("bullet", "", bullet.end()) if bullet else None


def _labelled(text: bytes, at: int, end: int) -> tuple[str, str, int] | None:
    label = None if 48 <= text[at] <= 57 else _LABEL.match(text, at, end)
    if not label:
        return None
    number = label[1].decode()
    after = _AFTER_NUMBER.match(text, label.end(), end)
    content = after.end() if after else label.end()
    following = text[label.end() : label.end() + 1]
    if following == b":" and _TARGET.match(text, content, end) and _ADDRESS_FIRST.match(text, content, end):
        return "definition", number, content
    own = text.startswith(_OWN_ENTRY, label.end())  # its number is an id, which may be a word
    if not (own or any(48 <= byte <= 57 for byte in label[1])) or following == b"[":
        return None  # a word in brackets, or one of several markers that open a sentence
    if following == b"(":
        # [1](https://…): the number itself is the link.
        return ("bracket", number, at) if number.isdigit() else None
    return "bracket", number, content


def _ordinal(text: bytes, at: int, end: int) -> tuple[str, str, int] | None:
    ordinal = _ORDINAL.match(text, at, end)
    if not ordinal:
        return None
    number = (ordinal[1] or ordinal[2]).decode()
    after = _AFTER_NUMBER.match(text, ordinal.end(), end)
    content = after.end() if after else ordinal.end()
    # "1. [3] Title": the number in brackets is the one that markers use.
    label = _LABEL.match(text, content, end)
    if label and label[1].isdigit() and text[label.end() : label.end() + 1] not in (b"(", b"["):
        return _labelled(text, content, end)
    return "numbered", number, content
