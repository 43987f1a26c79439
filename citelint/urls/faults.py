"""What is wrong with an address as such, whoever vouches for it: CL201 to CL206.

Messages name what ``rules/`` lists, and a scheme, cut short; never other parts of the address: a log is
a way out too.
"""

from __future__ import annotations

import re

import msgspec
from ada_url import URL

from citelint.patterns import pattern
from citelint.urls.confusable import confusion_in
from citelint.urls.parse import Url, decode_escapes, parse_url
from citelint.urls.payload import payload_in
from citelint.urls.tables import Redirector, redirectors, tracking

_SHOWN_SCHEME = 24
_SCHEME = pattern(r"(?<![A-Za-z0-9])https?:[/\\\\]", re.IGNORECASE)
_HOST_LENGTH = 300
_DEEPEST_DOMAIN = 6
_ROUNDS = 4
"""How often a value is percent-decoded in search of an address: each redirector on the way decodes once."""


class UrlFault(msgspec.Struct, frozen=True):
    """A rule that an address breaks, and what about it does: the rule's own message goes before that."""

    code: str
    message: str


def url_faults(url: Url) -> tuple[UrlFault, ...]:
    """Every fault of *url*, by rule; empty for an ordinary address."""
    faults: list[UrlFault] = []
    if not url.is_web:
        faults.append(UrlFault("CL201", f"{url.scheme[:_SHOWN_SCHEME]}: is not http or https"))
    if url.userinfo:
        faults.append(UrlFault("CL202", "what stands before the @ is not the host"))
    if url.tracking:
        faults.append(UrlFault("CL203", _named(url.tracking)))
    if place := payload_in(url):
        faults.append(UrlFault("CL204", f"{place} is long, encoded or random"))
    if url.is_web:
        if carrier := _carrier_in(url):
            faults.append(UrlFault("CL205", carrier))
        if confusion := confusion_in(url.host):
            faults.append(UrlFault("CL206", f"a part of it {confusion}"))
    return tuple(faults)


def _named(names: tuple[str, ...]) -> str:
    """The parameters, those known by a prefix only as that: the rest of the name can be anything."""
    table = tracking()
    shown: dict[str, None] = {}
    for name in map(str.lower, names):
        if name in table.names or name in table.with_value:
            shown[name] = None
        else:
            shown.update(dict.fromkeys(f"{prefix}…" for prefix in table.prefixes if name.startswith(prefix)))
    return ", ".join(shown)


def _carrier_in(url: Url) -> str:
    """What makes *url* stand for another address, in words, or ""."""
    if host := _redirector_host(url):
        return f"{host} hands readers on from here"
    if url.query and any(_is_address(_value(part)) for part in url.query.split("&")):
        return "a value in the query is an address"
    if url.fragment and _is_address(url.fragment):
        return "the fragment is an address"
    if _address_in_path(url):
        return "the path holds an address"
    return ""


def _redirector_host(url: Url) -> str:
    known = redirectors().redirectors
    for host in _domains(url.host):
        for redirector in known.get(host, ()):
            if _leads_on(url, redirector):
                return host
    return ""


def _leads_on(url: Url, redirector: Redirector) -> bool:
    path = redirector.path
    below = url.path.startswith(path) and (
        path.endswith("/") or len(url.path) == len(path) or url.path[len(path)] == "/"
    )
    if not below:
        return False
    if not redirector.parameters:
        return len(url.path) > len(path) or bool(url.query)
    return any(
        value and name.lower() in redirector.parameters
        for name, _, value in (part.partition("=") for part in url.query.split("&"))
    )


def _value(part: str) -> str:
    name, equals, value = part.partition("=")
    return value if equals else name


def _is_address(text: str) -> bool:
    """Whether *text* from a query is an absolute http(s) address, percent-encoded however often."""
    for _ in range(_ROUNDS):
        if _parses_as_web(text):
            return True
        decoded = decode_escapes(text.replace("+", " "))
        if decoded == text:
            return False
        text = decoded
    return False


def _parses_as_web(text: str) -> bool:
    trimmed = text.lstrip()
    if trimmed[:1] in ("/", "\\"):
        url = parse_url(trimmed, "https://page.invalid/")
        return url is not None and url.host != "page.invalid" and "." in url.host
    if ":" not in trimmed:
        return False
    url = parse_url(trimmed)
    return url is not None and url.is_web


def _address_in_path(url: Url) -> bool:
    path = url.path
    if ":" not in path and "%" not in path:
        return False
    archived = redirectors().archives
    if any(path.startswith(prefix) for host in _domains(url.host) for prefix in archived.get(host, ())):
        return False
    for _ in range(_ROUNDS):
        # A slice, not the rest: otherwise a path of many schemes would take quadratic time.
        if any(URL.can_parse(path[at.start() : at.start() + _HOST_LENGTH]) for at in _SCHEME.finditer(path)):
            return True
        decoded = decode_escapes(path)
        if decoded == path:
            return False
        path = decoded
    return False


def _domains(host: str) -> list[str]:
    """*host* and the domains above it, nearest first; only as deep as the tables go."""
    labels = host.rsplit(".", _DEEPEST_DOMAIN)[-_DEEPEST_DOMAIN:]
    return [".".join(labels[at:]) for at in range(max(len(labels) - 1, 1))]
