"""One entry of a list of sources: its number, and the addresses it gives."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from citelint.model import Span
from citelint.patterns import pattern


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One source, as the answer lists it."""

    span: Span
    """From its number or bullet to its last visible byte."""
    number: str
    """What markers call it: ``12``, ``src_001``; empty for bullets and plain lines."""
    addresses: tuple[str, ...]
    """As they are written, without the Markdown around them, character references and escapes decoded.

    Where the end of one is doubtful, all the ends that readers see, longest first.
    """
    address_spans: tuple[Span, ...]
    """The bytes of each of :attr:`addresses`."""
    form: str
    """``bracket``, ``numbered``, ``bullet``, ``footnote``, ``definition``, ``table`` or ``line``."""
    named: str = ""
    """The id that citelint itself wrote into the entry, for sources without an address."""


_SCHEME_BEFORE = pattern(rb"(?:https?|ftp)\Z", re.IGNORECASE)
_ATTRIBUTE_BEFORE = pattern(rb"<a\s[^<>]{0,400}href[ \t]{0,8}=[ \t]{0,8}[\"']?\Z", re.IGNORECASE)
_BODY = pattern(rb"(?:[^\s<>\"`\]\x00-\x20\x7f]++|\](?!\())++")
# In "(https://…)" the bracket that was opened before the address ends it, wherever that is.
_WRAPPED_BODY = {
    b"("[0]: pattern(rb"(?:[^\s<>\"`()\x00-\x20\x7f]++|\([^\s<>\"`()]*+\))++"),
    b"["[0]: pattern(rb"(?:[^\s<>\"`\[\]\x00-\x20\x7f]++|\[[^\s<>\"`\[\]]*+\](?!\())++"),
    b"'"[0]: pattern(rb"[^\s<>\"`'\x00-\x20\x7f]++"),
    b"*"[0]: pattern(rb"[^\s<>\"`*\x00-\x20\x7f]++"),
}
_DESTINATION = pattern(rb"[^\s<>()\\]++|\\.")
_SCHEME = pattern(rb"(?:https?|ftp)://|www\.", re.IGNORECASE)
_CHARACTER_REFERENCE = pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPE = pattern(r"\\([!-/:-@\[-`{-~])")
# Closing and parting punctuation of Chinese and Japanese, curly quotes: never written raw in most addresses.
_FOREIGN_STOP = pattern(
    rb"\xe3\x80[\x81\x82\x88-\x91\x94-\x9b]|\xef\xbc[\x81\x88\x89\x8c\x9a\x9b\x9f]|\xe2\x80[\x98\x99\x9c\x9d\xa6]"
)
_TRAILING = b".,;:!?'*\"\\"
_MAX_LABEL = 500
"""Bytes in which the text of a link or the end of a tag is looked for; some entries quote an abstract."""
_OWN_RECORD = pattern(rb"[ \t]*+Source record ")


class _Found(NamedTuple):
    """The bytes of an address, as many readings as there are of its end, and where to look for the next."""

    end: int
    spans: tuple[Span, ...]


def read_entry(data: bytes, text: bytes, span: Span, content: int, *, number: str, form: str) -> Entry:
    """The entry in *span*; *text* is *data* in which code is made unreadable."""
    found = list(_addresses(text, content, span.end))
    addresses: dict[str, Span] = {}
    for one in found:
        for place in one.spans:
            for address in _decoded(data[place.start : place.end]):
                addresses.setdefault(address, place)
    return Entry(
        span=span,
        number=number,
        addresses=tuple(addresses),
        address_spans=tuple(addresses.values()),
        form=form,
        named=_named(data, content, number, form),
    )


def _named(data: bytes, content: int, number: str, form: str) -> str:
    own = form in ("footnote", "bracket") and _OWN_RECORD.match(data, content)
    return number if own else ""


def has_address(text: bytes, start: int, end: int) -> bool:
    """Whether there is an address in it, at a glance."""
    return text.find(b"://", start, end) >= 0 or text.find(b"www.", start, end) >= 0


def _addresses(text: bytes, start: int, end: int) -> Iterator[_Found]:
    slashes = text.find(b"://", start, end)
    if slashes < 0:
        at = text.find(b"www.", start, end)
        if at >= 0:
            yield _bare(text, at, start, end)
        return
    link = text.find(b"](", start, end)
    position = start
    while slashes >= 0:
        if 0 <= link < slashes:
            found = _linked(text, link, end)
        else:
            scheme = _SCHEME_BEFORE.search(text, max(position, slashes - 5), slashes)
            at = scheme.start() if scheme else slashes + 3
            found = _unlinked(text, at, start, end) if scheme else _Found(at, ())
        if found.spans:
            yield found
        position = found.end
        if slashes < position:
            slashes = text.find(b"://", position, end)
        if 0 <= link < position:
            link = text.find(b"](", position, end)


def _linked(text: bytes, close: int, end: int) -> _Found:
    """The destination of ``[text](destination "title")``, with balanced parentheses as in CommonMark."""
    at = close + 2
    while text[at : at + 1] in (b" ", b"\t") and at < end:
        at += 1
    if text[at : at + 1] == b"<":
        angle = text.find(b">", at, end)
        stop = angle if angle >= 0 else end
        place, after = Span(at + 1, stop), min(stop + 1, end)
    else:
        stop = _destination_end(text, at, end)
        place, after = Span(at, stop), stop
    if text[after : after + 1] == b")":
        after += 1
    return _Found(after, (place,) if _SCHEME.match(text, place.start, place.end) else ())


def _destination_end(text: bytes, at: int, end: int) -> int:
    depth = 0
    while at < end:
        plain = _DESTINATION.match(text, at, end)
        if plain:
            at = plain.end()
        elif text[at] == ord("("):
            depth, at = depth + 1, at + 1
        elif text[at] == ord(")") and depth:
            depth, at = depth - 1, at + 1
        else:
            break
    return at


def _unlinked(text: bytes, at: int, start: int, end: int) -> _Found:
    """``<https://…>``, ``<a href="https://…">`` or a bare address, whose scheme is at *at*."""
    before = text[at - 1] if at > start else 0
    if before == ord("<"):
        return _enclosed(text, at, end, b">")
    if before in b"\"'=" and before:
        tag = _ATTRIBUTE_BEFORE.search(text, max(start, at - 512), at)
        if tag:
            found = _enclosed(text, at, end, b">" if before == ord("=") else text[at - 1 : at])
            close = text.find(b">", found.end, min(end, found.end + _MAX_LABEL)) + 1
            after = text.find(b"</", close, min(end, close + _MAX_LABEL)) if close else -1
            return _Found(max(after, found.end), found.spans)
    return _bare(text, at, start, end)


def _enclosed(text: bytes, at: int, end: int, closer: bytes) -> _Found:
    body = _BODY.match(text, at, end)
    stop = body.end() if body else at
    close = text.find(closer, at, stop + 1)
    stop = close if close >= 0 else stop
    return _Found(min(stop + 1, end), (Span(at, stop),))


def _bare(text: bytes, at: int, start: int, end: int) -> _Found:
    wrapped = _WRAPPED_BODY.get(text[at - 1]) if at > start else None
    body = (wrapped or _BODY).match(text, at, end)
    stop = body.end() if body else at
    ends = [_trimmed(text, at, stop)]
    for closing, opening in ((b")", b"("), (b"]", b"[")):
        # GFM takes an unbalanced bracket at the end for punctuation, others for a part of the address.
        last = ends[-1]
        if text[last - 1 : last] == closing and text.count(closing, at, last) > text.count(opening, at, last):
            ends.append(_trimmed(text, at, last - 1))
    foreign = _FOREIGN_STOP.search(text, at, ends[-1])
    if foreign:
        ends.append(_trimmed(text, at, foreign.start()))
    return _Found(stop, tuple(Span(at, one) for one in dict.fromkeys(ends)))


def _trimmed(text: bytes, at: int, stop: int) -> int:
    while stop > at:
        if text[stop - 1] in _TRAILING:
            stop -= 1
        elif stop - 3 > at and _FOREIGN_STOP.fullmatch(text, stop - 3, stop):
            stop -= 3
        else:
            break
    return stop


def _decoded(raw: bytes) -> Iterator[str]:
    address = raw.decode(errors="replace")
    if "\\" in address:
        yield _ESCAPE.sub(r"\1", _CHARACTER_REFERENCE.sub(_unescape, address))
    yield _CHARACTER_REFERENCE.sub(_unescape, address) if "&" in address else address


def _unescape(found: re.Match[str]) -> str:
    return html.unescape(found[0])
