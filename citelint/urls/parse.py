"""An address as a browser reads it, and the key by which two addresses are compared.

The WHATWG parser (ada) does the reading. Its serialisation is unambiguous by design, so the parts are
taken from that one string: the first ``#`` begins the fragment, the first ``?`` before it the query.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from ada_url import URL

from citelint.patterns import pattern
from citelint.urls.tables import tracking

_CACHED_LENGTH = 2048
"""Longer addresses are parsed anew each time: a cache of hostile megabytes would be a leak."""

# Two origins that exist nowhere. An address that stays on both stays on any page's origin; with one
# alone, "//page.invalid/" would seem to.
_PAGES = ("https://page.invalid/", "https://other.invalid/")

# What some renderers percent-encode and browsers do not: these marks, and a % that begins no escape.
_UNEVEN = re.compile(r"['|\[\]\\^`{}$]|%(?![0-9A-Fa-f]{2})")
_ESCAPES = pattern(r"(?:%[0-9A-Fa-f]{2})++")


class Url(msgspec.Struct, frozen=True, gc=False):
    """An absolute address, parsed. The parts are those of ``href``, without their delimiters."""

    raw: str
    """As it was written."""
    href: str
    """The WHATWG serialisation."""
    key: str
    """What is compared: ``href`` without text fragment and tracking parameters, and with those
    characters percent-encoded that only some renderers encode. Nothing is decoded."""
    scheme: str
    host: str
    """Lower case, in ASCII (``xn--``), IPv6 in brackets; empty where the scheme has no hosts."""
    port: str
    """Empty when it is the scheme's own."""
    path: str
    query: str
    fragment: str
    userinfo: bool
    """Whether a user or password stands before the host."""
    tracking: tuple[str, ...]
    """The names, as spelt, of the query parameters that ``key`` leaves out."""

    @property
    def is_web(self) -> bool:
        """Whether the scheme is http or https."""
        return self.scheme in ("https", "http")


def parse_url(raw: str, base: str | None = None) -> Url | None:
    r"""*raw* as a browser reads it, on a page at *base* if that is given; None if it is no absolute address.

    >>> parse_url(r"HTTPS:\\Example.ORG:443/a/../b").href
    'https://example.org/b'
    """
    if len(raw) > _CACHED_LENGTH:
        return _parse(raw, base)
    return _parse_cached(raw, base)


def url_key(raw: str) -> str | None:
    """The comparison key of *raw*; None if it is no absolute address."""
    url = parse_url(raw)
    return url.key if url else None


def looks_absolute(raw: str) -> bool:
    """Whether a browser on some https page may leave that page's origin by following *raw*.

    True for every scheme, for ``//host`` in each of its spellings, and for what cannot be parsed at
    all: False is a promise that the address stays on the site.
    """
    if len(raw) > _CACHED_LENGTH:
        return _looks_absolute(raw)
    return _looks_absolute_cached(raw)


def decode_escapes(text: str) -> str:
    """*text* with its percent-escapes decoded, once; what is not UTF-8 becomes U+FFFD."""
    if "%" not in text:
        return text
    return _ESCAPES.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode(errors="replace"), text)


def _parse(raw: str, base: str | None) -> Url | None:
    try:
        href = URL(raw, base).href
    except ValueError:  # not an address, or a lone surrogate
        return None
    before, hash_mark, fragment = href.partition("#")
    address, query_mark, query = before.partition("?")
    scheme, _, rest = address.partition(":")
    authority, path = _authority_and_path(rest)
    user, at, server = authority.rpartition("@")
    host, port = _host_and_port(server)
    kept, dropped = _without_tracking(query) if query else (query, ())

    origin_end = len(scheme) + 1 + len(rest) - len(path)
    tail = path
    if query_mark and (kept or not dropped):
        tail += "?" + kept
    if hash_mark:
        visible, directive, _ = fragment.partition(":~:")
        if visible or not directive:
            tail += "#" + visible
    origin = f"{scheme}://{evened(user)}@{server}" if at else href[:origin_end]
    return Url(
        raw=raw,
        href=href,
        key=origin + evened(tail),
        scheme=scheme,
        host=host,
        port=port,
        path=path,
        query=query,
        fragment=fragment,
        userinfo=bool(at),
        tracking=dropped,
    )


_parse_cached = lru_cache(maxsize=4096)(_parse)


def _authority_and_path(rest: str) -> tuple[str, str]:
    if not rest.startswith("//"):
        return "", rest
    slash = rest.find("/", 2)
    return (rest[2:], "") if slash < 0 else (rest[2:slash], rest[slash:])


def _host_and_port(server: str) -> tuple[str, str]:
    if ":" not in server or server.endswith("]"):
        return server, ""
    host, _, port = server.rpartition(":")
    return host, port


def _without_tracking(query: str) -> tuple[str, tuple[str, ...]]:
    covers = tracking().covers
    kept: list[str] = []
    dropped: list[str] = []
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if covers(name, value):
            dropped.append(name)
        else:
            kept.append(part)
    return ("&".join(kept), tuple(dropped)) if dropped else (query, ())


def evened(text: str) -> str:
    """*text*, a part of a ``href``, with what only some renderers percent-encode encoded."""
    return _UNEVEN.sub(lambda mark: f"%{ord(mark[0]):02X}", text)


def _looks_absolute(raw: str) -> bool:
    if URL.can_parse(raw):
        return True
    for page in _PAGES:
        try:
            origin = URL(raw, page).origin
        except ValueError:
            return True
        if not page.startswith(origin + "/"):
            return True
    return False


_looks_absolute_cached = lru_cache(maxsize=1024)(_looks_absolute)
