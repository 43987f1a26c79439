"""Front matter: an entry that holds an address which does not resolve goes, the others keep their bytes.

Site generators turn entries such as ``image``, ``canonical``, ``redirect_to`` or ``head`` into tags that
fetch. The block is not parsed as YAML: dialects differ, and an entry is no more than a line at the
margin with the lines that belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citelint.change import Change, remove
from citelint.document import Document
from citelint.model import Regions, Span
from citelint.policy import Policy
from citelint.readers.addresses import find_addresses
from citelint.resolve import Resolver, Verdict
from citelint.urls import is_known_suffix, same_address

_ENTRY = re.compile(rb"(?:^|(?<=[\r\n]))(?![\s#\-\]}])[^\r\n]{1,256}?[:=]")
_ENDS_VALUE = re.compile(rb"[\s\"',\]}]|\Z")
_ESCAPED = re.compile(rb"\\[xuU0-9]")
"""Escapes of YAML, TOML and JSON strings under which an address could hide."""


def check_front_matter(document: Document, resolver: Resolver, policy: Policy) -> Iterator[Change]:
    """Nothing when the policy trusts front matter or there is none."""
    block = document.front_matter
    if policy.front_matter == "keep" or block.start == block.end:
        return
    for span in _entries(document.data, block):
        address = _unresolved(document.data, span, resolver)
        if address is not None:
            yield Change("CL302", span, (remove(span),), {"what": "a front matter entry"}, address)


def _entries(data: bytes, block: Span) -> Iterator[Span]:
    """The entries inside the fences, each with the lines that belong to it."""
    first_line = _line_end(data, block.start)
    last_line = _last_line(data, block)
    starts = [found.start() for found in _ENTRY.finditer(data, first_line, last_line)]
    if not starts or starts[0] > first_line:
        starts.insert(0, first_line)
    for start, end in zip(starts, [*starts[1:], last_line], strict=True):
        if start < end:
            yield Span(start, end)


def _line_end(data: bytes, start: int) -> int:
    found = re.compile(rb"\r\n|\n|\r").search(data, start)
    return found.end() if found else len(data)


def _last_line(data: bytes, block: Span) -> int:
    body = data[block.start : block.end].rstrip(b"\r\n \t")
    return block.start + max(body.rfind(b"\n"), body.rfind(b"\r")) + 1


def _unresolved(data: bytes, span: Span, resolver: Resolver) -> str | None:
    entry = data[span.start : span.end]
    if _ESCAPED.search(entry):
        return entry.decode()[:80]
    found = find_addresses(data, span, Regions(), known=resolver.known, known_suffix=is_known_suffix)
    for address in found:
        decision = resolver.address(address.target)
        exact = decision.verdict is Verdict.CITES and same_address(address.target, decision.written)
        if not exact or not _ENDS_VALUE.match(data, address.span.end):
            return address.target
    return None
