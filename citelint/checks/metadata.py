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
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.addresses import find_addresses
from citelint.resolve import Resolver, Verdict
from citelint.urls import is_known_suffix, looks_absolute, same_address

_ENTRY = pattern(rb"(?:^|(?<=[\r\n]))(?![\s#\-\]}])[^\r\n]{1,256}?[:=]")
_ENDS_VALUE = pattern(rb"[\s\"',\]}]|\Z")
_ESCAPED = pattern(rb"\\|!!|:\s+![A-Za-z<]")
"""Escapes and tags of YAML, TOML and JSON strings under which an address could hide."""
_ANCHOR = pattern(rb"[:\-]\s+[&*][A-Za-z0-9_]|<<:")
_VALUES = pattern(rb"(?:[:=]\s|-\s|[\[,])\s*+([^\s,\[\]{}#]++)(?=\s*+(?:[,\]}\r\n#]|\Z))")
"""Single words that stand as a value."""


def check_front_matter(document: Document, resolver: Resolver, policy: Policy) -> Iterator[Change]:
    """Nothing when the policy trusts front matter or there is none."""
    block = document.front_matter
    if policy.front_matter == "keep" or block.start == block.end:
        return
    for span in _entries(document.data, block):
        address = _unresolved(document.data, span, resolver)
        if address is None:
            continue
        if _ANCHOR.search(document.data, block.start, block.end) or _spans_lines(document.data, block):
            # Without this entry others would mean something else, so they all go.
            yield Change("CL302", block, (remove(block),), {"what": "front matter"}, address)
            return
        yield Change("CL302", span, (remove(span),), {"what": "a front matter entry"}, address)


def _spans_lines(data: bytes, block: Span) -> bool:
    """Whether a quoted value may go on over a line's end."""
    lines = data[block.start : block.end].splitlines()
    return any(line.replace(b'\\"', b"").count(b'"') % 2 for line in lines)


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


def _stands_for(target: str, resolver: Resolver) -> bool:
    """Whether this is an address of the manifest or the policy, exactly as it would be written."""
    decision = resolver.address(target)
    return decision.verdict is not Verdict.REJECTED and same_address(target, decision.written)


def _unresolved(data: bytes, span: Span, resolver: Resolver) -> str | None:
    entry = data[span.start : span.end]
    if _ESCAPED.search(entry):
        return entry.decode()[:80]
    for word in _VALUES.findall(entry):
        value: str = word.decode().strip("\"'")
        if looks_absolute(value) and not _stands_for(value, resolver):
            return value
    found = find_addresses(data, span, Regions(), known=resolver.known, known_suffix=is_known_suffix)
    for address in found:
        if not _stands_for(address.target, resolver) or not _ENDS_VALUE.match(data, address.span.end):
            return address.target
    return None
