"""One entry of a list of sources: its number, the addresses it gives, and its title."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import msgspec

from citelint.model import Span


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
    title: str
    """Plain text, as well as it can be told; may be empty."""
    address_spans: tuple[Span, ...]
    """The bytes of each of :attr:`addresses`."""
    form: str
    """``bracket``, ``numbered``, ``bullet``, ``footnote``, ``definition``, ``table`` or ``line``."""


_SCHEME_BEFORE = re.compile(rb"(?:https?|ftp)\Z", re.IGNORECASE)
_ATTRIBUTE_BEFORE = re.compile(rb"<a\s[^<>]{0,400}href[ \t]{0,8}=[ \t]{0,8}[\"']?\Z", re.IGNORECASE)
_BODY = re.compile(rb"(?:[^\s<>\"`\]\x00-\x20\x7f]++|\](?!\())++")
# In "(https://…)" the bracket that was opened before the address ends it, wherever that is.
_WRAPPED_BODY = {
    b"("[0]: re.compile(rb"(?:[^\s<>\"`()\x00-\x20\x7f]++|\([^\s<>\"`()]*+\))++"),
    b"["[0]: re.compile(rb"(?:[^\s<>\"`\[\]\x00-\x20\x7f]++|\[[^\s<>\"`\[\]]*+\](?!\())++"),
    b"'"[0]: re.compile(rb"[^\s<>\"`'\x00-\x20\x7f]++"),
    b"*"[0]: re.compile(rb"[^\s<>\"`*\x00-\x20\x7f]++"),
}
_DESTINATION = re.compile(rb"[^\s<>()\\]++|\\.")
_SCHEME = re.compile(rb"(?:https?|ftp)://|www\.", re.IGNORECASE)
_CHARACTER_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# Closing and parting punctuation of Chinese and Japanese, curly quotes: never written raw in most addresses.
_FOREIGN_STOP = re.compile(
    rb"\xe3\x80[\x81\x82\x88-\x91\x94-\x9b]|\xef\xbc[\x81\x88\x89\x8c\x9a\x9b\x9f]|\xe2\x80[\x98\x99\x9c\x9d\xa6]"
)
_TRAILING = b".,;:!?'*\"\\"
_TAG = re.compile(r"<[^<>]{0,400}+>")
_EMPHASIS = re.compile(r"\*++|`++|__++|~~")
_EDGES = " \t-–—:：|,，.。;；()（）[]<>*_~`\\"
_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"))
_DEFINED_TITLE = re.compile(rb"[ \t]++(?:\"([^\"\r\n]*+)\"|'([^'\r\n]*+)'|\(([^()\r\n]*+)\))\s*+\Z")
_MAX_TITLE = 500
"""Bytes that are looked at for a title; some entries quote a whole abstract."""


class _Found:
    """An address and the bytes that belong to it: ``[text](address)`` as a whole."""

    __slots__ = ("end", "spans", "start", "text")

    def __init__(self, start: int, end: int, spans: tuple[Span, ...], text: Span | None) -> None:
        self.start = start
        self.end = end
        self.spans = spans
        self.text = text


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
        title=_title(data, span, content, found, number=number, form=form),
        address_spans=tuple(addresses.values()),
        form=form,
    )


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
            found = _linked(text, link, position, end)
        else:
            scheme = _SCHEME_BEFORE.search(text, max(position, slashes - 5), slashes)
            at = scheme.start() if scheme else slashes + 3
            found = _unlinked(text, at, start, end) if scheme else _Found(at, at, (), None)
        if found.spans:
            yield found
        position = found.end
        if slashes < position:
            slashes = text.find(b"://", position, end)
        if 0 <= link < position:
            link = text.find(b"](", position, end)


def _linked(text: bytes, close: int, start: int, end: int) -> _Found:
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
    opening = _opening(text, start, close)
    label = Span(opening + 1, close) if opening >= 0 else None
    spans = (place,) if _SCHEME.match(text, place.start, place.end) else ()
    return _Found(max(opening, start), after, spans, label)


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


def _opening(text: bytes, start: int, close: int) -> int:
    """Where the text of a link begins, or -1; titles hold brackets of their own (``[[PDF] Report](…)``)."""
    nearest = text.rfind(b"[", start, close)
    if nearest < 0 or text.find(b"]", nearest, close) < 0:
        return nearest
    depth = 0
    for at in range(close - 1, max(start - 1, close - _MAX_TITLE), -1):
        if text[at] == ord("]"):
            depth += 1
        elif text[at] == ord("["):
            if not depth:
                return at
            depth -= 1
    return -1


def _unlinked(text: bytes, at: int, start: int, end: int) -> _Found:
    """``<https://…>``, ``<a href="https://…">`` or a bare address, whose scheme is at *at*."""
    before = text[at - 1] if at > start else 0
    if before == ord("<"):
        return _enclosed(text, at, end, b">")
    if before in b"\"'=" and before:
        tag = _ATTRIBUTE_BEFORE.search(text, max(start, at - 512), at)
        if tag:
            found = _enclosed(text, at, end, b">" if before == ord("=") else text[at - 1 : at])
            close = text.find(b">", found.end, min(end, found.end + _MAX_TITLE)) + 1
            after = text.find(b"</", close, min(end, close + _MAX_TITLE)) if close else -1
            label = Span(close, after) if after >= 0 else None
            return _Found(tag.start(), after if label else found.end, found.spans, label)
    return _bare(text, at, start, end)


def _enclosed(text: bytes, at: int, end: int, closer: bytes) -> _Found:
    body = _BODY.match(text, at, end)
    stop = body.end() if body else at
    close = text.find(closer, at, stop + 1)
    stop = close if close >= 0 else stop
    return _Found(at - 1, min(stop + 1, end), (Span(at, stop),), None)


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
    return _Found(at, stop, tuple(Span(at, one) for one in dict.fromkeys(ends)), None)


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


def _title(data: bytes, span: Span, content: int, found: list[_Found], *, number: str, form: str) -> str:
    if form == "definition" and found:
        quoted = _DEFINED_TITLE.match(data, found[0].spans[0].end, span.end)
        if quoted:
            return _plain(data[quoted.start(quoted.lastindex or 0) : quoted.end(quoted.lastindex or 0)])
    for one in found:
        if one.text:
            words = _plain(data[one.text.start : min(one.text.end, one.text.start + _MAX_TITLE)])
            if words and words != number and "://" not in words:
                return words
    parts: list[bytes] = []
    position = content
    stop = min(span.end, content + _MAX_TITLE)
    for one in found:
        if one.start >= stop:
            break
        parts.append(data[position : one.start])
        position = max(position, one.end)
    parts.append(data[position:stop] if position < stop else b"")
    return _plain(b" ".join(parts))


def _plain(source: bytes) -> str:
    words = source.decode(errors="ignore")
    if "<" in words:
        words = _TAG.sub(" ", words)
    if "*" in words or "_" in words or "`" in words or "~" in words:
        words = _EMPHASIS.sub("", words)
    if "&" in words:
        words = _CHARACTER_REFERENCE.sub(_unescape, words)
    if "\\" in words:
        words = _ESCAPE.sub(r"\1", words)
    words = " ".join(words.split())
    edges = _EDGES
    for opening, closing in _PAIRS:
        # "Report (PDF)" keeps what it closes itself.
        if words.endswith(closing) and words.count(opening) == words.count(closing):
            edges = edges.replace(closing, "")
    return words.lstrip(_EDGES).rstrip(edges) if edges is not _EDGES else words.strip(_EDGES)
