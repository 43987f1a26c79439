"""Addresses in running text, as any renderer's linkifier might find them.

GFM links ``https://…``, ``www.…`` and mail addresses in the source; remark does so after character
references and backslash escapes are decoded; fuzzy linkifiers take ``example.org/path`` and ``//host``
as well. So the search runs over a *shadow*: the text decoded, without its invisible characters, and
with a map back to the source.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter

from citelint.model import Kind, Reference, Regions, Span
from citelint.patterns import pattern

_HIDDEN = pattern(
    rb"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    rb"|\\[!-/:-@\[-`{-~]"
    rb"|\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf"
)
_WWW = re.compile(rb"[wW]{3}\.")
_HOST_WITH_MORE = re.compile(rb"\.([A-Za-z]{2,24})(?=[/?#]|:[0-9])")
_ANY_HOST = pattern(rb"\.([A-Za-z]{2,24})(?![A-Za-z0-9_\-]|\.[A-Za-z0-9])")
_SCHEME_TAIL = pattern(rb"[A-Za-z][A-Za-z0-9+.\-]{0,40}:\Z")
_BROKEN_SCHEMES = (b"hxxp:", b"hxxps:", b"fxp:", b"fxps:")
"""What :mod:`citelint.defang` writes; no renderer links these."""
_MAIL_SCHEME = pattern(rb"(?:mailto|xmpp|sip|sips|im):(?://)?+\Z", re.IGNORECASE)
_KNOWN_SCHEME = pattern(rb"(?:https?|ftp)\Z", re.IGNORECASE)
_LOCAL_TAIL = pattern(rb"(?:[A-Za-z0-9.!#$%&'\"*+/=?^_`{|}~\-]|[\xc2-\xf4][\x80-\xbf]{1,3}){1,64}\Z")
_HOST_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") | frozenset(
    range(128, 256)
)
_DOMAIN = pattern(rb"[A-Za-z0-9_\-]++(?:\.[A-Za-z0-9_\-]++)++")
_FOREIGN_DOMAIN = pattern(rb"(?:[A-Za-z0-9_.\-]|[\xc3-\xe2\xe4-\xee][\x80-\xbf]{1,2}){3,255}+")
_ODD_DOMAIN = pattern(rb"[^\s<>()\[\]\"'@,;:/.\x00-\x20]{0,64}+\.[A-Za-z0-9]++")
"""What only the least strict linkifiers take for one."""
_IN_BRACKETS = pattern(rb"[^\s<>@!]{1,256}+@[^\s<>@]{1,256}+(?=>)")
"""Between angle brackets Markdown once took anything with an ``@`` for an address."""
_DOMAINS = (_DOMAIN, _FOREIGN_DOMAIN, _ODD_DOMAIN)
_HOST_AFTER_SLASHES = pattern(
    rb"(?i:localhost)|(?:[A-Za-z0-9_\-]|[\xc2-\xf4][\x80-\xbf]{1,3}){1,63}+\.[^\s<>\"()\[\]/.,;:!?\x00-\x20]"
)
_LOCAL_DOMAIN = pattern(rb"[A-Za-z0-9_\-]++")
_LABEL = re.compile(rb"[A-Za-z]{2,24}")
_BODY = pattern(rb"[^\x00-\x20<>\"\x7f]{1,4096}+")
"""What follows a scheme or host. Longer addresses lose their beginning, and so their meaning: where many
begin inside one another, reading each to the end would take quadratic time."""
_BREAKS = pattern(
    rb"[`|{}]|\][\[(]|\xe2\x80[\x80-\x8a\x98\x99\x9c\x9d\xa6\xa8\xa9\xaf]|\xe3\x80[\x80-\x82\x88-\x91\x94-\x9b]"
    rb"|\xef\xbc[\x81\x88\x89\x8c\x8e\x9a\x9b\x9f\xbb\xbd]|\xef\xbd[\x9b\x9d\xa1-\xa4]|\xc2\xa0"
)
_TRAILING = b".,:;!?'*_~\\^"
_WINDOW = 256
"""How far back a scheme, a mail's local part or a host may reach from what gave it away, in bytes."""


class Shadow:
    """Text as a reader sees it after decoding, with the way back to the source."""

    __slots__ = ("_from", "_to", "base", "text")

    def __init__(self, data: bytes, within: Span) -> None:
        source = data[within.start : within.end]
        self.base = within.start
        self.text = source
        self._from: list[int] = []
        self._to: list[tuple[int, int]] = []
        if b"&" in source or b"\\" in source or (not source.isascii() and _may_hide(source)):
            self._decode(source)

    def _decode(self, source: bytes) -> None:
        pieces: list[bytes] = []
        position = length = 0
        for found in _HIDDEN.finditer(source):
            literal = found[0]
            if literal[:1] == b"&":
                plain = html.unescape(literal.decode()).encode(errors="replace")
                if plain == literal:
                    continue
            elif literal[:1] == b"\\":
                plain = literal[1:]
            else:
                plain = b""
            start, end = found.span()
            pieces += (source[position:start], plain)
            length += start - position
            self._from.append(length)
            self._to.append((start, end))
            length += len(plain)
            self._from.append(length)
            self._to.append((end, end))
            position = end
        if pieces:
            pieces.append(source[position:])
            self.text = b"".join(pieces)

    @property
    def is_plain(self) -> bool:
        """Whether nothing had to be decoded, so that both texts are the same."""
        return not self._from

    def source_span(self, start: int, end: int) -> Span:
        """The bytes of the document that show as ``text[start:end]``; decoded units are taken whole."""
        return Span(self._source(start, 0), self._source(end, 1))

    def offset(self, source: int) -> int:
        """Where a byte of the document is in :attr:`text`; for the inside of a decoded unit, its start."""
        source -= self.base
        index = bisect_right(self._to, (source, source)) - 1
        if index < 0:
            return source
        start, end = self._to[index]
        return self._from[index] + (source - start if start == end else 0)

    def _source(self, offset: int, side: int) -> int:
        if not self._from:
            return offset + self.base
        # An end belongs to what comes before it: `side` looks at the unit left of the offset.
        index = bisect_right(self._from, offset - side) - 1
        if index < 0:
            return offset + self.base
        start, end = self._to[index]
        if start == end:
            return start + (offset - self._from[index]) + self.base
        if offset == self._from[index] and side == 0:
            return start + self.base
        return (end if side else start) + self.base


def _may_hide(source: bytes) -> bool:
    """Whether an invisible character may be in there; each pattern has a literal start and is fast."""
    return any(pattern.search(source) for pattern in _INVISIBLE)


_INVISIBLE = tuple(
    pattern(source)
    for source in (
        rb"\xe2\x80[\x8b-\x8f\xaa-\xae]",
        rb"\xc2\xad",
        rb"\xe2\x81[\xa0-\xaf]",
        rb"\xef\xbb\xbf",
        rb"\xcd\x8f",
        rb"\xd8\x9c",
        rb"\xe1\xa0\x8e",
    )
)


def find_addresses(
    data: bytes,
    within: Span,
    skip: Regions,
    *,
    known: Callable[[str], bool],
    known_suffix: Callable[[str], bool],
    stops: Iterable[int] = (),
    longest: int = 4096,
    fuzzy_hosts: bool = False,
) -> Iterator[Reference]:
    """Bare addresses outside *skip*, in order, not overlapping. Linear time.

    *known* says whether a candidate is an address of the manifest: where an address ends is doubtful
    (``https://example.org/a)。``), and the longest end that is known wins. None reaches over one of *stops*,
    where something begins or ends that is no part of an address, and *known* is not asked about more than
    *longest* bytes. *fuzzy_hosts* takes host names
    without a path as well.
    """
    shadow = Shadow(data, within)
    text = shadow.text
    plain = shadow.is_plain
    ends = sorted(shadow.offset(stop) for stop in stops)
    edge = 0
    done = 0

    def as_host(target: str) -> bool:
        return known(f"https://{target}")

    for at, read in _triggers(text, known_suffix, fuzzy_hosts):
        if at < done or (plain and at + within.start in skip):
            continue
        while edge < len(ends) and ends[edge] <= at:
            done = max(done, ends[edge])
            edge += 1
        found = read(text, at, done)
        if found is None:
            continue
        kind, start, end = found
        if shadow.source_span(start, start + 1).start in skip:
            continue
        if edge < len(ends):
            end = min(end, ends[edge])
        if kind is not Kind.MAIL:
            end = _choose_end(text, start, end, known if kind is Kind.URL else as_host, longest)
        done = end
        yield Reference(
            kind=kind,
            span=shadow.source_span(start, end),
            target=text[start:end].decode(errors="replace"),
            syntax="bare",
        )


_Found = tuple[Kind, int, int] | None
_Read = Callable[[bytes, int, int], _Found]


def _triggers(text: bytes, known_suffix: Callable[[str], bool], fuzzy_hosts: bool) -> list[tuple[int, _Read]]:
    """Where something may be an address, and what to read there, in order."""
    hosts = _ANY_HOST if fuzzy_hosts else _HOST_WITH_MORE
    triggers: list[tuple[int, _Read]] = [(at, _with_slashes) for at in _all(text, b"//")]
    triggers += [(at, _mail) for at in _all(text, b"@")]
    triggers += [(found.start(), _www) for found in _WWW.finditer(text)]
    triggers += [(at.start(), _host) for at in hosts.finditer(text) if known_suffix(at[1].decode().lower())]
    triggers.sort(key=itemgetter(0))
    return triggers


def _all(text: bytes, token: bytes) -> Iterator[int]:
    at = text.find(token)
    while at >= 0:
        yield at
        at = text.find(token, at + 1)


def _www(text: bytes, at: int, floor: int) -> _Found:
    if at > floor and text[at - 1 : at].isalnum():
        return None
    body = _BODY.match(text, at)
    return (Kind.URL, at, body.end()) if body and body.end() > at + 4 else None


def _with_slashes(text: bytes, at: int, floor: int) -> _Found:
    window = max(floor, at - 42)
    scheme = _SCHEME_TAIL.search(text[window:at])
    if scheme:
        start = window + scheme.start()
        name = scheme[0].lower()
        if name in _BROKEN_SCHEMES:
            return None
        # Glued to the word before it: linkifiers look for the scheme, not for a word boundary.
        for ending in (b"https:", b"http:", b"ftp:"):
            if name.endswith(ending):
                start = at - len(ending)
                break
        body = _BODY.match(text, at + 2)
        return (Kind.URL, start, body.end()) if body else None
    if at > floor and (text[at - 1 : at].isalnum() or text[at - 1] in b"/:"):
        return None
    if not _HOST_AFTER_SLASHES.match(text, at + 2):
        return None
    body = _BODY.match(text, at + 2)
    return (Kind.URL, at, body.end()) if body else None


def _mail(text: bytes, at: int, floor: int) -> _Found:
    bracket = text.rfind(b"<", max(floor, at - _WINDOW), at)
    if bracket >= 0 and (whole := _IN_BRACKETS.match(text, bracket + 1)):
        return Kind.MAIL, bracket + 1, whole.end()
    local = _LOCAL_TAIL.search(text[max(floor, at - 64) : at])
    if local is None:
        return None
    start = max(floor, at - 64) + local.start()
    window = max(floor, at - _WINDOW)
    scheme = _MAIL_SCHEME.search(text[window:start])
    domain = _domain(text, at + 1)
    if scheme:
        start = window + scheme.start()
        domain = domain or _LOCAL_DOMAIN.match(text, at + 1)
    if domain is None or (not scheme and b"." not in domain[0]):
        return None
    end = domain.end()
    if text.startswith(b"://", end):
        # Another address is glued to it.
        scheme_after = _KNOWN_SCHEME.search(text[at + 1 : end])
        end = at + 1 + scheme_after.start() if scheme_after else end
    while end > at + 1 and text[end - 1] in b"-_.":
        end -= 1
    following = text[end : end + 1]
    if scheme and following and following in b"/?":
        body = _BODY.match(text, end)
        end = body.end() if body else end
    return Kind.MAIL, start, end


def _domain(text: bytes, at: int) -> re.Match[bytes] | None:
    """What stands behind an ``@``, by the strictest idea of a host that has a dot in it."""
    found = [match for domain in _DOMAINS if (match := domain.match(text, at))]
    return next((match for match in found if b"." in match[0]), found[0] if found else None)


def _host(text: bytes, at: int, floor: int) -> _Found:
    label = _LABEL.match(text, at + 1)
    if label is None:
        return None
    start = at
    while start > max(floor, at - _WINDOW) and text[start - 1] in _HOST_BYTES:
        start -= 1
    for mark in _BREAKS.finditer(text, start, at):
        start = mark.end()  # typographic marks are letters to UTF-8, and to no linkifier
    if start == at or (start > floor and text[start - 1] in b"@/:\\"):
        return None
    end = label.end()
    if text[end : end + 1] in (b"/", b"?", b"#", b":"):
        body = _BODY.match(text, end)
        end = body.end() if body else end
    return Kind.HOST, start, end


def _choose_end(text: bytes, start: int, end: int, known: Callable[[str], bool], longest: int) -> int:
    """Where the address ends: the longest end that names something known, else the sensible one."""
    full = _trimmed(text, start, end)
    cut = _BREAKS.search(text, start, full)
    sensible = _trimmed(text, start, cut.start()) if cut else full
    for candidate in dict.fromkeys((end, full, sensible, *_shorter(text, start, sensible))):
        if candidate - start <= longest and known(text[start:candidate].decode(errors="replace")):
            return candidate
    return sensible


def _shorter(text: bytes, start: int, end: int) -> Iterator[int]:
    """Ends before a bracket that other linkifiers stop at; few, so that this stays cheap."""
    for closer in (b")", b"]", b"'", b"*", b"**", b"](", b"("):
        position = text.find(closer, start + 8, end)
        if position >= 0:
            yield position


def _trimmed(text: bytes, start: int, end: int) -> int:
    """Without trailing punctuation and unbalanced closing brackets, as GFM and others cut them."""
    body = text[start:end]
    surplus = {
        b")"[0]: body.count(b")") - body.count(b"("),
        b"]"[0]: body.count(b"]") - body.count(b"["),
    }
    while end > start + 1:
        last = text[end - 1]
        if last in _TRAILING:
            end -= 1
        elif surplus.get(last, 0) > 0:
            surplus[last] -= 1
            end -= 1
        else:
            break
    return end
