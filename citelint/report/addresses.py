"""Blocked addresses as a log may show them.

A log is a way out as well: whoever reads it, or whatever turns addresses in it into links, would carry on
what the answer tried to send. So the registered end of the host, a length and a short hash stand for the
address; the place in the answer says where to look for the rest.
"""

from __future__ import annotations

import msgspec

from citelint.report.escape import show
from citelint.urls import parse_url

_LABELS_SHOWN = 2


class Reduced(msgspec.Struct, frozen=True):
    """What is left of an address."""

    host: str
    """The last two labels of its host, as a browser reads it; empty when it has none, or is a number."""
    length: int
    """In characters, as it was written."""
    sha256_8: str
    """The first 8 hex digits of the hash of its UTF-8 form: equal addresses have equal ones."""

    def __str__(self) -> str:
        host = f"…{show(self.host)}, " if self.host else ""
        return f"{host}{self.length} characters, sha256 {self.sha256_8}…"


def reduce_address(address: str) -> Reduced:
    """*address* without what it could carry away."""
    from hashlib import sha256

    digest = sha256(address.encode(errors="surrogatepass")).hexdigest()
    return Reduced(_end_of_host(address), len(address), digest[:8])


def _end_of_host(address: str) -> str:
    host = _host(address)
    labels = host.rstrip(".").split(".")
    # The last labels of an IP address say nothing about who owns it, and are data like any other.
    if host.startswith("[") or len(labels) < _LABELS_SHOWN or labels[-1].isdigit():
        return ""
    return ".".join(labels[-_LABELS_SHOWN:])


def _host(address: str) -> str:
    url = parse_url(address)
    if url is None or not url.host:
        # `www.host/x`, `//host/x`, `a@host` and `mailto:a@host` have a host only for those who link them.
        rest = url.path if url is not None and url.scheme in ("mailto", "xmpp") else address
        url = parse_url("https://" + rest.lstrip("/\\")) if url is None or rest is not address else None
    return url.host if url is not None else ""
