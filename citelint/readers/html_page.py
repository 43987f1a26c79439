"""An HTML answer as it comes: a page or a part of one, and where in it the answer is."""

from __future__ import annotations

import html
from typing import NamedTuple

from citelint.model import Span
from citelint.readers.html_elements import Element, pair
from citelint.readers.html_tokens import Token, tokens

_SHELL = frozenset(["html", "head", "body"])
_HEAD = frozenset(["html", "head", "base", "link", "meta", "script", "style", "title"])
"""What can stand before the body without opening it."""
DOCTYPE = b"<!doctype"


class HtmlSource(NamedTuple):
    """The tokens of an HTML text, and what they say of it as a whole."""

    tokens: list[Token]
    is_page: bool
    content: Span
    """Where the answer is: of a page, what is behind its head."""
    title: str
    """The text of a page's ``<title>``."""


def read_source(data: bytes, start: int = 0) -> HtmlSource:
    """Cut *data* into tokens; *start* is behind the byte order mark."""
    found = list(tokens(data))
    is_page = any(token.name in _SHELL or is_doctype(data, token) for token in found)
    content = Span(start, len(data))
    if is_page:
        content = Span(max(start, _behind_head(data, start, found)), len(data))
    return HtmlSource(found, is_page, content, _title(data, found) if is_page else "")


def is_doctype(data: bytes, token: Token) -> bool:
    """Whether it is a document type declaration."""
    return token.sort == "comment" and data[token.start : token.start + len(DOCTYPE)].lower() == DOCTYPE


def _behind_head(data: bytes, begin: int, found: list[Token]) -> int:
    """Where the content begins: behind the body's tag or the head's, unless something is shown before."""
    start = 0
    position = begin
    for token in found:
        if data[position : token.start].strip():
            break
        if token.name == "head" and token.sort == "end":
            start = token.end
        elif token.name == "body" and token.sort == "start":
            return token.end
        elif token.sort == "start" and token.name not in _HEAD:
            break
        position = token.end
    return start


def _title(data: bytes, found: list[Token]) -> str:
    text = next((token for token in found if token.sort == "raw" and token.name == "title"), None)
    return html.unescape(data[text.start : text.end].decode()) if text else ""


def elements_of(source: HtmlSource, within: Span) -> tuple[list[Token], list[Element]]:
    """The tokens in *within*, and the elements that they build."""
    inside = [token for token in source.tokens if within.start <= token.start < within.end]
    return inside, pair(inside, within.end)
