"""The form of an evidence manifest: its fields and what each may hold.

The constraints stand on the fields; validation, the published JSON Schema and the words of the error
messages are all made from them. How a manifest is read is in :mod:`citelint.manifest.reading`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from citelint.urls import parse_url

MAX_SOURCES = 100_000

# ``(?!\n)$`` because Python's ``$`` also matches before a last newline. The patterns are anchored and
# made of single classes, so they are linear; they mean the same in ECMAScript, for the schema.
_PLAIN = r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
_NAME = r"[A-Za-z0-9!#$&^_.+-]{1,127}"
_SEGMENT = r"(?!\.{1,2}(?:/|$))[^/\\:\x00-\x1f\x7f]{1,255}"

Id = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z0-9_-]{1,64}(?!\n)$", description="1 to 64 of the characters A-Z a-z 0-9 _ -"),
]
Label = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=rf"^{_PLAIN}{{1,200}}(?!\n)$",
        description="1 to 200 characters on one line, without control or bidi characters",
    ),
]
Address = Annotated[
    str,
    Meta(
        pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://[^\x00-\x20\x7f-\xa0\u2028-\u202e\u2066-\u2069<>\x22\\`]+(?!\n)$",
        description='an absolute http or https address; white space, < > " \\ and ` percent-encoded',
        extra_json_schema={"format": "iri"},
    ),
]
Time = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
        r"([Zz]|[+-][0-9]{2}:[0-9]{2})(?!\n)$",
        description="a date and time of RFC 3339 with its zone, as in 2026-11-30T10:00:03Z",
        extra_json_schema={"format": "date-time"},
    ),
]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$", description="64 lower-case hexadecimal digits")]
SnapshotPath = Annotated[
    str,
    Meta(
        max_length=1024,
        pattern=rf"^{_SEGMENT}(?:/{_SEGMENT})*(?!\n)$",
        description="a path below the manifest's folder, with / and without . or .. as a segment",
    ),
]
MediaType = Annotated[
    str,
    Meta(
        pattern=rf"^{_NAME}/{_NAME}( ?;{_PLAIN}{{0,200}})?(?!\n)$",
        description="a media type, as in text/html",
    ),
]
Offset = Annotated[int, Meta(ge=0, le=2**53 - 1, description="a whole number from 0")]


class Run(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The run that produced the answer."""

    id: Label
    model: str = ""
    started_at: Time = ""


class Call(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The execution record of a source."""

    trace_id: Label = ""
    span_id: Label = ""
    args: dict[str, Any] = {}
    result_sha256: Sha256 = ""


class Quote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of the capture that the system holds to be relevant, with their place in it."""

    exact: Annotated[str, Meta(min_length=1, description="the quoted words")]
    start: Offset | None = None
    end: Offset | None = None
    sha256: Sha256 = ""


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One recorded capture: the result of a tool call."""

    # In JSON a key without a value is left out; here its text is then the empty string.

    id: Id
    url: Address = ""
    urls: tuple[Address, ...] = ()
    title: str = ""
    tool: Label
    level: Literal["listed", "opened"] | None = None
    plane: Label = ""
    repository: Label = ""
    fetched_at: Time
    media_type: MediaType = ""
    capture: Literal["full", "excerpt", "record"] = "full"
    sha256: Sha256
    snapshot: SnapshotPath = ""
    call: Call | None = None
    markers: tuple[Label, ...] = ()
    quotes: tuple[Quote, ...] = ()
    private: bool = False

    def __hash__(self) -> int:
        return hash(self.id)  # the arguments of a call are a dict, so not hashable

    @property
    def host(self) -> str:
        """The host of the address as a browser writes it; empty without one, or when it is private."""
        parsed = parse_url(self.url) if self.url and not self.private else None
        return parsed.host if parsed else ""

    @property
    def fetched(self) -> datetime:
        """``fetched_at`` as a time with its zone."""
        return parse_time(self.fetched_at)


class ManifestFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an answer's tools returned, as JSON: the evidence manifest of citelint."""

    version: Annotated[Literal[1], Meta(description="1")]
    run: Run
    numbering: Annotated[Literal[0, 1], Meta(description="0 or 1")] | None = None
    sources: Annotated[
        tuple[Source, ...],
        Meta(max_length=MAX_SOURCES, description=f"a list of at most {MAX_SOURCES:,} sources"),
    ]


def parse_time(value: str) -> datetime:
    """A time of RFC 3339, with its zone. Leap seconds are not known to Python, and refused."""
    return datetime.fromisoformat(value.upper())


def manifest_schema() -> dict[str, Any]:
    """The format as JSON Schema 2020-12. Keys that begin with ``x-`` are open to everybody."""
    schema = msgspec.json.schema(ManifestFile)
    for definition in schema["$defs"].values():
        definition["patternProperties"] = {"^x-": {}}
        definition["properties"] = {key: _given(node) for key, node in definition["properties"].items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "citelint evidence manifest",
        **schema,
    }


def _given(node: dict[str, Any]) -> dict[str, Any]:
    """A value where there is one: None and what is empty stand, in Python, for a key that is left out."""
    if node.get("default") in (None, "", (), {}):
        node.pop("default", None)
    branches: list[dict[str, Any]] = node.get("anyOf", [node])
    return next(branch for branch in branches if branch.get("type") != "null")
