"""The visible text of an HTML answer, laid out as the readers of markers and of lists expect text.

They know lines: a heading begins with ``#``, an entry with ``- `` or its number, and says its address in the
open. So the text between the tags is written down like that, with the way back to the source.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from citelint.model import Kind, Reference, Span
from citelint.patterns import pattern
from citelint.readers.html_elements import Element, own_mark, own_sources
from citelint.readers.html_rules import html_rules
from citelint.readers.html_text import HtmlText, Link, Picture, Piece
from citelint.readers.html_tokens import Attributes, Token
from citelint.urls import looks_absolute

OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}".encode()
"""What an image is in the text, and a citation that citelint wrote: no reader makes anything of it."""

_SPACES = bytes.maketrans(b"\t\n\f\r\x0b", b"     ")
_CODE = frozenset(["code", "kbd", "pre", "samp"])
_LISTS = frozenset(["menu", "ol", "ul"])
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_REFERENCE = pattern(rb"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_TAGS = pattern(r"<[^<>]*+>")
_NUMBER = pattern(r"\s*+[0-9]{1,4}\s*+\Z")
_ANY_NUMBER = pattern(r"\s*+\[?+\s*+[0-9]{1,4}\s*+\]?+\s*+\Z")
_NUMBERS = pattern(r"\s*+[(（]?+\s*+[0-9]{1,4}(?:\s{0,4}[,;–-]\s{0,4}[0-9]{1,4}){0,40}\s*+[)）]?+\s*+\Z")
_LINK = pattern(rb"<a[\s>/]", re.IGNORECASE)
_SHORT = 512
"""Bytes of source in which the text of a link that is only a number is looked for."""
_PLAIN_ADDRESS = pattern(r"[^\s<>()\[\]\\`\x00-\x1f]++\Z")
_NOT_IN_BRACKETS = {ord(sign): f"%{ord(sign):02X}" for sign in " <>\\`"} | dict.fromkeys(range(32))
_START = pattern(r"-?[0-9]{1,9}\Z")


def lay_out(data: bytes, within: Span, tokens: Sequence[Token], elements: Sequence[Element]) -> HtmlText:
    """The visible text of *within*, whose tokens and elements are given. Linear but for sorting."""
    layout = _Layout(data)
    closings = _closings(elements)
    opened = {element.opening.start: element for element in elements}
    position = within.start
    for token in tokens:
        for element in _until(closings, token.start):
            position = layout.text(position, element.end)
            layout.close(element)
        position = layout.text(position, token.start)
        if token.start < position:
            continue  # inside of what is not read
        position = layout.take(token, opened.get(token.start) if token.sort == "start" else None)
    for element in _until(closings, within.end):
        position = layout.text(position, element.end)
        layout.close(element)
    layout.text(position, within.end)
    return layout.finish()


def _closings(elements: Sequence[Element]) -> list[Element]:
    """The elements that matter at their end, the last to end first; of those that end together the inner."""
    matter = html_rules().blocks | _CODE | {"a", "li", "td", "th", "tr"}
    found = [element for element in elements if element.name in matter]
    found.sort(key=lambda element: (-element.end, element.opening.start))
    return found


def _until(closings: list[Element], place: int) -> Iterator[Element]:
    while closings and closings[-1].end <= place:
        yield closings.pop()


class _Line:
    """How far the line has come that is being written."""

    EMPTY = 0
    PREFIXED = 1
    """Nothing stands in it but a bullet or a number."""
    BEGUN = 2


class _Layout:
    """Writes the text down, piece by piece."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._chunks = [b"\n"]  # so that nothing can be the first line, which metadata begins with
        self._length = 1
        self._line = _Line.EMPTY
        self._gap = True
        self._last = b"\n"
        self._lists: list[int | None] = []
        self._open_links: dict[int, tuple[int, str, bool]] = {}
        """Where each began, where it leads, and whether a bracket was written for it."""
        self._open_code: dict[int, int] = {}
        self._open_markers: dict[str, int] = {}
        self._read_from = 0
        """What is before that in the source is not read any more."""
        self.result = HtmlText(b"", [], [], [], [], [], [], [])

    # What the walk over the source calls

    def text(self, start: int, end: int) -> int:
        """The source from *start* to *end*, which holds no tags."""
        if start < end:
            start = max(start, self._read_from)
            for found in _REFERENCE.finditer(self._data, start, end):
                decoded = html.unescape(found[0].decode())
                if decoded != found[0].decode():
                    self._plain(start, found.start())
                    self._atomic(Span(*found.span()), decoded.encode(errors="replace"))
                    start = found.end()
            self._plain(start, end)
        return max(start, end)

    def take(self, token: Token, element: Element | None) -> int:
        """A token; returns where to read on."""
        if token.sort == "raw":
            if token.name in ("textarea", "xmp"):
                self.text(token.start, token.end)
            return token.end
        if element is None:
            if token.sort == "end" and self._is_open_marker(token.name):
                self._literal(token)
            return token.end
        if self._is_left_out(element):
            self._read_from = element.span.end
            return self._read_from
        self.result.elements.append(element)
        mark = own_mark(self._data, element)
        if mark:
            self._own_mark(element, mark)
            self._read_from = element.span.end
            return self._read_from
        self._open(element)
        return token.end

    def _is_left_out(self, element: Element) -> bool:
        if element.name in html_rules().drop_content:
            return True
        if own_sources(element):
            self.result.sources.append(element.span)
            return True
        return False

    def finish(self) -> HtmlText:
        """All of it."""
        self.result.text = b"".join(self._chunks)
        return self.result

    # Elements

    def _open(self, element: Element) -> None:
        name = element.name
        if _is_marker(self._data, element):
            self._open_markers[name] = self._open_markers.get(name, 0) + 1
            self._literal(element.opening)
        elif name == "img":
            self._picture(element.opening)
        elif name == "br":
            self._break(element.span)
        elif name == "a":
            self._open_link(element)
        elif name == "sup":
            self._part()
        elif name in ("td", "th"):
            if self._line is _Line.BEGUN:
                self._structure(b" | ")
        elif name in _CODE:
            if name == "pre":
                self._paragraph()
            self._open_code[element.opening.start] = self._length
        elif name == "li":
            self._item(element)
        elif name in html_rules().blocks:
            self._open_block(element)

    def _open_block(self, element: Element) -> None:
        name = element.name
        self._paragraph()
        if name in _LISTS:
            self._lists.append(_first_number(element) if name == "ol" else None)
        elif name in _HEADINGS:
            self._prefix(b"#" * int(name[1:]) + b" ")
        elif name == "tr":
            self._prefix(b"| ")
        elif name == "hr":
            self._atomic(element.span, b"---")
            self._paragraph()

    def close(self, element: Element) -> None:
        """The end of an element that was opened, or left out."""
        name = element.name
        if element.end < self._read_from:
            return
        if name == "a":
            self._close_link(element)
        elif name in _CODE:
            start = self._open_code.pop(element.opening.start, -1)
            if start >= 0:
                self.result.code.append(Span(start, self._length))
            if name == "pre":
                self._paragraph()
        elif name == "li":
            self._new_line()
        elif name == "tr":
            if self._line is _Line.BEGUN:
                self._structure(b" |")
            self._new_line()
        elif name in html_rules().blocks:
            if name in _LISTS and self._lists:
                self._lists.pop()
            self._paragraph()

    def _is_open_marker(self, name: str) -> bool:
        count = self._open_markers.get(name, 0)
        self._open_markers[name] = max(count - 1, 0)
        return count > 0

    def _literal(self, token: Token) -> None:
        """A tag as it is written: to the readers of markers, it is one or a part of one."""
        source = Span(token.start, token.end)
        self._atomic(source, self._data[source.start : source.end])

    def _item(self, element: Element) -> None:
        self._new_line()
        indent = b"  " * min(max(len(self._lists) - 1, 0), 8)
        number = self._lists[-1] if self._lists else None
        if number is None:
            self._prefix(indent + b"- ")
            return
        given = element.attributes.get("value").strip()
        number = int(given) if _START.match(given) else number
        self._lists[-1] = number + 1
        self._prefix(indent + (b"%d. " % number if number >= 0 else b"- "))

    def _own_mark(self, element: Element, name: str) -> None:
        start = self._length
        self._atomic(element.span, OBJECT)
        span = Span(start, self._length)
        self.result.marks.append(Reference(Kind.MARKER, span, labels=(name,), syntax="footnote"))

    def _picture(self, token: Token) -> None:
        self._part()
        start = self._length
        self._atomic(Span(token.start, token.end), OBJECT)
        target = Attributes(token.attributes).get("src")
        span = Span(start, self._length)
        self.result.pictures.append(
            Picture(token, target, Reference(Kind.IMAGE, span, target, syntax="element"))
        )

    def _open_link(self, element: Element) -> None:
        attributes = element.attributes
        if "href" not in attributes:
            return
        target = attributes.get("href")
        words = _short_text(self._data, element)
        if not looks_absolute(target) and _ANY_NUMBER.match(words):
            self._part()
        number = _NUMBER.match(words) and self._last != b"["
        bracketed = looks_absolute(target) or bool(number)
        self._open_links[element.opening.start] = (self._length, target, bracketed)
        if bracketed:
            self._structure(b"[")

    def _close_link(self, element: Element) -> None:
        start, target, bracketed = self._open_links.pop(element.opening.start, (-1, "", False))
        if start < 0:
            return
        shown = Span(start + bracketed, self._length)
        reference = None
        if looks_absolute(target):
            self._structure(b"](" + _destination(target) + b")")
            reference = Reference(Kind.LINK, Span(start, self._length), target, shown, syntax="element")
        elif bracketed:
            self._structure(b"]")
        elif not _ANY_NUMBER.match(_short_text(self._data, element)):
            reference = Reference(Kind.LINK, shown, target, shown, syntax="element")
        self.result.links.append(Link(element, target, reference, shown))

    # Lines

    def _part(self) -> None:
        """What follows is no part of the word before it: ``a<sup>[1]</sup>`` is not the array ``a[1]``."""
        if self._line is _Line.BEGUN and self._last not in (b" ", b"["):
            self._structure(b" ")

    def _new_line(self) -> None:
        if self._line is not _Line.EMPTY:
            self._emit(b"\n")
            self._line, self._gap = _Line.EMPTY, False

    def _paragraph(self) -> None:
        if self._line is _Line.PREFIXED:
            return  # the first paragraph of an item, a heading in a cell
        self._new_line()
        if not self._gap:
            self._emit(b"\n")
            self._gap = True

    def _break(self, source: Span) -> None:
        """The break is a piece: it goes with the line that goes."""
        self._piece(source, b"\n", plain=False)
        self._gap = self._line is _Line.EMPTY
        self._line = _Line.EMPTY

    def _prefix(self, prefix: bytes) -> None:
        self._emit(prefix)
        self._line = _Line.PREFIXED

    # Bytes

    def _plain(self, start: int, end: int) -> None:
        shown = self._data[start:end].translate(_SPACES)
        if self._line is not _Line.BEGUN:
            shown = shown.lstrip(b" ")
        if shown:
            self._piece(Span(end - len(shown), end), shown, plain=True)
            self._line = _Line.BEGUN

    def _atomic(self, source: Span, shown: bytes) -> None:
        shown = shown.translate(_SPACES)
        if shown and (self._line is _Line.BEGUN or not shown.isspace()):
            self._piece(source, shown, plain=False)
            self._line = _Line.BEGUN

    def _piece(self, source: Span, shown: bytes, *, plain: bool) -> None:
        self.result.pieces.append(Piece(self._length, self._length + len(shown), source, plain))
        self._emit(shown)

    def _structure(self, shown: bytes) -> None:
        self._emit(shown)
        self._line = _Line.BEGUN

    def _emit(self, shown: bytes) -> None:
        self._chunks.append(shown)
        self._length += len(shown)
        self._last = shown[-1:]


def _is_marker(data: bytes, element: Element) -> bool:
    """Whether its tags may be a citation of some vendor's."""
    name, rules = element.name, html_rules()
    if name == "sup":
        linked = _LINK.search(data, element.opening.end, min(element.end, element.opening.end + _SHORT))
        return not linked and _NUMBERS.match(_short_text(data, element)) is not None
    if name == "cite":
        return "index" in element.attributes
    return name in rules.marker_tags or name.startswith(rules.marker_prefixes)


def _first_number(element: Element) -> int:
    given = element.attributes.get("start").strip()
    return int(given) if _START.match(given) else 1


def _short_text(data: bytes, element: Element) -> str:
    """The text of an element, if it is short; else nothing."""
    inside = data[element.opening.end : element.end]
    return html.unescape(_TAGS.sub("", inside.decode(errors="replace"))) if len(inside) <= _SHORT else ""


def _destination(target: str) -> bytes:
    """An address for between the brackets of a laid out link, so that the readers of lists find it whole."""
    stripped = target.strip()
    if not _PLAIN_ADDRESS.match(stripped):
        stripped = f"<{stripped.translate(_NOT_IN_BRACKETS)}>"
    return stripped.encode(errors="replace")
