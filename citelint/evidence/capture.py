"""One capture: what a tool call brought back, and the manifest's entry for it.

A capture is written down by the code that ran the tool, or taken from a provider's response; never by the
model. What its hash covers depends on how much there is to hash, and the entry says which (``capture``):
the whole text, the excerpts that a provider gave, or the provider's own record of the call.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from citelint.errors import ManifestError
from citelint.manifest.format import Address
from citelint.manifest.strict_json import shown
from citelint.urls import parse_url


class Full(msgspec.Struct, frozen=True):
    """The whole text that was read; its hash is that of its UTF-8."""

    text: str


class Excerpts(msgspec.Struct, frozen=True):
    """The passages that a provider gave of a text; the hash covers them, joined by LF."""

    passages: tuple[str, ...]


class Record(msgspec.Struct, frozen=True):
    """The provider's own entry, where it gave no text: hashed in the canonical form of RFC 8785."""

    entry: Any


Content = Full | Excerpts | Record


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool call brought back. The fields are those of a source in the manifest (SPEC 3)."""

    tool: str
    """The class of tool: ``http.get``, ``search.read``, ``kb.read``, ``sql.query``, …"""
    fetched_at: str
    """RFC 3339, with its zone."""
    content: Content
    address: str = ""
    """Where it came from. What a browser cannot follow by http or https is kept as ``x-address``."""
    addresses: tuple[str, ...] = ()
    """Others of the same capture: as requested, redirects, canonical. Only http and https are kept."""
    title: str = ""
    level: Literal["listed", "opened"] | None = None
    plane: str = ""
    repository: str = ""
    media_type: str = ""
    own_tool: str = ""
    """The vendor's own name of the tool (``x-tool``)."""
    call: dict[str, Any] = {}
    """The execution record: ``trace_id``, ``span_id``, ``args``, ``result_sha256``."""
    markers: tuple[str, ...] = ()
    quotes: tuple[dict[str, Any], ...] = ()
    private: bool = False

    def entry(self, source_id: str, *, snapshot: str = "") -> dict[str, Any]:
        """The manifest's entry under *source_id*, in the order of SPEC 3; what is empty is left out.

        :raises ManifestError: the content has no UTF-8 or no canonical form, so no hash.
        """
        followed = is_web_address(self.address)
        entry = {
            "id": source_id,
            "url": self.address if followed else "",
            "urls": [
                one for one in dict.fromkeys(self.addresses) if one != self.address and is_web_address(one)
            ],
            "title": self.title,
            "tool": self.tool,
            "level": self.level,
            "plane": self.plane,
            "repository": self.repository,
            "fetched_at": self.fetched_at,
            "media_type": self.media_type,
            "capture": kind_of(self.content),
            "sha256": sha256_of(hashed_bytes(self.content)),
            "snapshot": snapshot,
            "call": self.call,
            "markers": list(self.markers),
            "quotes": list(self.quotes),
            "private": self.private,
            "x-tool": self.own_tool,
            "x-address": "" if followed else self.address,
        }
        return {key: value for key, value in entry.items() if value not in ("", None, [], {}, False)}


def kind_of(content: Content) -> Literal["full", "excerpt", "record"]:
    """What the hash of a content covers, in the manifest's words."""
    if isinstance(content, Full):
        return "full"
    return "excerpt" if isinstance(content, Excerpts) else "record"


def text_of(content: Content) -> str | None:
    """The text that a snapshot of it holds; None for a record, which has none."""
    if isinstance(content, Full):
        return content.text
    return "\n".join(content.passages) if isinstance(content, Excerpts) else None


def hashed_bytes(content: Content) -> bytes:
    """The bytes that the hash covers: those of the snapshot, or a record's canonical JSON.

    :raises ManifestError: there are none, because of a lone surrogate or a number beyond IEEE 754.
    """
    if isinstance(content, Record):
        return canonical_json(content.entry)
    text = text_of(content) or ""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        lone = f"U+{ord(text[error.start]):04X}"
        raise ManifestError(
            f"the captured text holds {lone} at character {error.start:,}, which no UTF-8 can hold",
            help="decode the text as it was sent; a surrogate alone is half a character",
        ) from None


def canonical_json(value: object) -> bytes:
    """The canonical JSON of RFC 8785.

    :raises ManifestError: there is none.
    """
    import rfc8785

    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # what JSON cannot hold, it refuses itself
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise ManifestError(f"a record has no canonical JSON (RFC 8785): {shown(str(error))}") from None


def sha256_of(data: bytes) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def is_web_address(value: str) -> bool:
    """Whether the manifest admits it as ``url``: http or https, and an address to a browser."""
    try:
        msgspec.convert(value, Address)
    except msgspec.ValidationError:
        return False
    return parse_url(value) is not None
