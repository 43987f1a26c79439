"""CL308: text that makes the platform act on which it is shown; what, is data in ``rules/platforms.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from citelint.change import Change, replace
from citelint.data import data_folder
from citelint.model import Regions, Span
from citelint.readers.reading import Reading

_BEFORE_ON_LINE = b" \t>"
_WINDOW = 64


class Trigger(NamedTuple):
    """A form of text that platforms act upon."""

    what: str
    pattern: re.Pattern[bytes]
    at_line_start: bool


@cache
def triggers(platforms: tuple[str, ...]) -> tuple[Trigger, ...]:
    """What these platforms act upon."""
    import tomllib

    with (data_folder("rules") / "platforms.toml").open("rb") as file:
        entries = tomllib.load(file)["trigger"]
    return tuple(
        Trigger(entry["what"], re.compile(_bounded(entry["pattern"])), entry.get("line", False))
        for entry in entries
        if set(platforms) & set(entry["platforms"])
    )


def _bounded(pattern: str) -> bytes:
    """Not in the middle of a word, of an address or of a longer path."""
    return rb"(?<![\w/@#&.`-])(?:" + pattern.encode() + rb")(?![\w`/-])"


def check_platforms(reading: Reading, platforms: tuple[str, ...], taken: Regions) -> Iterator[Change]:
    """What the named platforms would act upon; *taken* is what other checks already remove."""
    if not platforms:
        return
    data, body = reading.document.data, reading.document.body
    skip = taken.union(_structure(reading)).union(reading.outline.code).union(reading.outline.math)
    names = ", ".join(platforms)
    for trigger in triggers(platforms):
        for found in trigger.pattern.finditer(data, body.start):
            span = Span(*found.span())
            if skip.touches(span) or (trigger.at_line_start and not _opens_line(data, span.start)):
                continue
            edit = replace(*span, b"`" + found[0] + b"`")
            yield Change("CL308", span, (edit,), {"what": trigger.what, "why": names})


def _structure(reading: Reading) -> Iterator[Span]:
    """Where nothing is text: addresses, the tails of links, tags."""
    for reference in reading.outline.references:
        yield Span(reference.text.end, reference.span.end) if reference.text else reference.span
    yield from (address.span for address in reading.addresses)
    yield from (tag.span for tag in reading.tags)
    yield from (definition.span for definition in reading.outline.definitions)


def _opens_line(data: bytes, at: int) -> bool:
    before = data[max(0, at - _WINDOW) : at].rstrip(_BEFORE_ON_LINE)
    return not before or before.endswith((b"\n", b"\r"))
