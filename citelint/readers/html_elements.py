"""Which tags of an HTML text belong together, for finding what an element holds.

An approximation that serves reading: what elements *are* in the result is decided by the gate's parser.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from citelint.model import Span
from citelint.patterns import pattern
from citelint.readers.html_tokens import Attributes, Token

VOID = frozenset(
    [
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input"),
        *("keygen", "link", "meta", "param", "source", "track", "wbr"),
    ]
)
"""Elements without content and end tag."""
PARAGRAPHS = frozenset({"p"})
ITEMS = frozenset({"li"})
TERMS = frozenset({"dd", "dt"})
CELLS = frozenset({"td", "th"})
ROWS = frozenset({"tr"})
SECTIONS = frozenset({"thead", "tbody", "tfoot"})
CLOSED_BY_START = {
    "p": (PARAGRAPHS,),
    "li": (PARAGRAPHS, ITEMS),
    "dd": (PARAGRAPHS, TERMS),
    "dt": (PARAGRAPHS, TERMS),
    "td": (PARAGRAPHS, CELLS),
    "th": (PARAGRAPHS, CELLS),
    "tr": (PARAGRAPHS, CELLS, ROWS),
    "thead": (PARAGRAPHS, CELLS, ROWS, SECTIONS),
    "tbody": (PARAGRAPHS, CELLS, ROWS, SECTIONS),
    "tfoot": (PARAGRAPHS, CELLS, ROWS, SECTIONS),
}
"""What a start tag closes by itself: at most one of each kind, from the innermost outwards."""


class Element(msgspec.Struct):
    """An element, from its start tag to where it ends."""

    opening: Token
    closing: Token | None = None
    """Its end tag, if it has one."""
    end: int = 0
    """Where its content ends."""

    @property
    def name(self) -> str:
        """Lower case."""
        return self.opening.name

    @property
    def attributes(self) -> Attributes:
        """Those of its start tag."""
        return Attributes(self.opening.attributes)

    @property
    def span(self) -> Span:
        """All of it, with its tags."""
        return Span(self.opening.start, self.closing.end if self.closing else self.end)


def pair(tokens: Iterable[Token], length: int) -> list[Element]:
    """The elements of a text that is *length* bytes long, in the order of their start tags. Linear time."""
    elements: list[Element] = []
    opened: list[Element] = []
    count: dict[str, int] = {}

    def close(end: int) -> Element:
        element = opened.pop()
        element.end = end
        count[element.name] -= 1
        return element

    for token in tokens:
        name = token.name
        if token.sort == "start":
            for kind in CLOSED_BY_START.get(name, ()):
                if opened and opened[-1].name in kind:
                    close(token.start)
            element = Element(token, end=token.end)
            elements.append(element)
            if name not in VOID:
                opened.append(element)
                count[name] = count.get(name, 0) + 1
        elif token.sort == "end" and count.get(name):
            while opened[-1].name != name:
                close(token.start)
            close(token.start).closing = token
    while opened:
        close(length)
    return elements


OWN = b"citelint-"
"""What the classes and ids of what citelint writes begin with."""
_OWN_LINK = pattern(rb'<a href="#citelint-([A-Za-z0-9_-]{1,64})"[^<>]*+>[^<>]*+</a>\Z')


def own_mark(data: bytes, element: Element) -> str:
    """The id of the source that an element cites, if it is a citation as citelint writes it; else empty.

    Whoever forges one has cited that source, no more: what is written is the manifest's.
    """
    if element.name != "sup" or element.closing is None or not _is_own(element, "citelint-cite"):
        return ""
    link = _OWN_LINK.match(data, element.opening.end, element.end)
    return link[1].decode() if link else ""


def own_sources(element: Element) -> bool:
    """Whether an element is, or pretends to be, the list of sources that citelint writes.

    One that nobody closed would take the rest of the answer along; citelint closes its own.
    """
    return element.name == "section" and element.closing is not None and _is_own(element, "citelint-sources")


def _is_own(element: Element, name: str) -> bool:
    written = element.opening.attributes
    return OWN in written and name in element.attributes.get("class").split()
