"""Addresses beside each other: below a prefix, nearly a known one, or named by a text that lies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from ada_url import idna_to_unicode

from citelint.patterns import pattern
from citelint.urls.parse import Url, decode_escapes, evened, parse_url
from citelint.urls.tables import suffixes

if TYPE_CHECKING:
    from collections.abc import Container

_ASIDE = " \t\r\n\"'`*_~<>()[]{}«»‹›„“”‚‘’「」『』（）【】《》.,;:!?…"
_NEVER_LAST = '<>"…'

_SCHEME = pattern(r"https?:|ftp:", re.IGNORECASE)


def is_known_suffix(label: str) -> bool:
    """Whether fuzzy linkifiers take *label* for the last one of a host name, in any case, or as ``xn--``."""
    label = label.lower()
    if label.startswith("xn--"):
        label = idna_to_unicode(label)
    return label in suffixes()


def same_address(one: str, other: str) -> bool:
    """Whether two spellings are one address, as renderers may have percent-encoded it; nothing is left out.

    Stricter than equal keys: a tracking parameter or a text fragment makes another address.
    """
    if one == other:
        return True
    left, right = parse_url(one), parse_url(other)
    if left is None or right is None:
        return evened(one) == evened(other)
    return evened(left.href) == evened(right.href)


def near_miss(url: Url, hosts: Container[str]) -> bool:
    """Whether *url*, which equals no known address, is at least on one of the known *hosts* (CL106).

    ``www.`` makes no difference: leaving it out is how an address is misremembered.
    """
    if not url.is_web or not url.host:
        return False
    return url.host in hosts or _without_www(url.host) in hosts or f"www.{url.host}" in hosts


def under_prefix(url: Url, prefix: str) -> bool:
    """Whether the operator's *prefix* covers *url*.

    Scheme, host and port are the same, and the path continues the prefix by whole segments that no
    server could read as a way out of it: no encoded slash, backslash, dot or percent sign, no empty
    segment, no control character. No user info; a query only if the prefix has one, and then that one.
    """
    allowed = parse_url(prefix)
    if allowed is None or not allowed.is_web:
        return False
    if (url.scheme, url.host, url.port) != (allowed.scheme, allowed.host, allowed.port):
        return False
    if url.userinfo or allowed.userinfo or evened(url.query) != evened(allowed.query):
        return False
    return _continues(evened(url.path), evened(allowed.path))


def _continues(path: str, start: str) -> bool:
    if path == start:
        return True
    folder = start if start.endswith("/") else start + "/"
    return path.startswith(folder) and _stays_below(path[len(folder) :])


def _stays_below(rest: str) -> bool:
    """Whether every server, however it decodes, keeps *rest* below where it begins."""
    decoded = decode_escapes(rest)
    escapes = len(rest) != len(decoded)
    if escapes and (decoded.count("/") != rest.count("/") or decoded.count(".") != rest.count(".")):
        return False
    if any(character in "\\%\ufffd" or not character.isprintable() for character in decoded):
        return False
    *folders, _ = segments = decoded.split("/")
    # "..;x" is ".." to servers that know path parameters.
    return all(folders) and not any(segment.partition(";")[0] in (".", "..") for segment in segments)


def lies_about(text: str, url: Url) -> bool:
    """Whether *text*, shown for *url*, reads as an address and names another one (CL207).

    A word with a scheme or ``www.`` reads as an address wherever it stands; a bare host name with a
    known suffix only when it is the whole text, as brand and file names look the same.
    """
    words = _as_read(text).split()
    return any(
        _names_another(word, url, alone=len(words) == 1) for word in words if "." in word or ":" in word
    )


def _as_read(text: str) -> str:
    """*text* in the form that host names are compared in: compatible characters one, invisible ones gone."""
    if text.isascii():
        return text
    text = normalize("NFKC", text).replace("。", ".")
    return "".join(character for character in text if category(character) != "Cf")


def _names_another(word: str, url: Url, *, alone: bool) -> bool:
    word = word.lstrip(_ASIDE)
    bare = word.rstrip(_ASIDE)
    scheme = _SCHEME.search(word)
    if scheme:
        # A last bracket may belong to the address, or to the sentence around it; a quotation mark does not.
        shown = {word.rstrip(_NEVER_LAST)[scheme.start() :], bare[scheme.start() :]}
        return all(_differs(address, url, cut_off=word.endswith(("…", "..."))) for address in shown)
    if bare[:4].lower() == "www." or (alone and _is_host_name(bare, url)):
        shown_url = parse_url(f"https://{bare}")
        return shown_url is None or not _same_server(shown_url, url)
    return False


def _differs(address: str, url: Url, *, cut_off: bool) -> bool:
    shown = parse_url(address)
    if shown is None:
        # It has a scheme and a person reads it as an address, but it is none; "https://" alone names nothing.
        return address.partition(":")[2].strip("/\\") != ""
    if shown.key == url.key:
        return False
    if shown.userinfo or not _same_server(shown, url):
        return True
    if shown.path in ("", "/") and not shown.query:
        return False
    here, there = _place(shown), _place(url)
    return not there.startswith(here.rstrip("….")) if cut_off else here != there


def _same_server(one: Url, other: Url) -> bool:
    return (_without_www(one.host), one.port) == (_without_www(other.host), other.port)


def _place(url: Url) -> str:
    """What comes after the host in the key, whatever the scheme; a last slash makes no difference."""
    _, _, rest = url.key.partition("://")
    return rest.partition("/")[2].rstrip("/")


def _is_host_name(word: str, url: Url) -> bool:
    """Whether *word* is a host name of a known suffix, perhaps with a path, and no file that *url* names."""
    if "@" in word or "." not in word:
        return False
    shown = parse_url(f"https://{word}")
    if shown is None or "." not in shown.host:
        return False
    if not is_known_suffix(shown.host.rpartition(".")[2]):
        return False
    return word != decode_escapes(url.path).rpartition("/")[2]


def _without_www(host: str) -> str:
    return host.removeprefix("www.")
