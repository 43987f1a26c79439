"""Citation markers and the answer's own lists: resolved, grouped, and written as citelint writes them.

Markers that stand next to each other are one group. A group keeps each source once, in order, because
order and repetition can carry information of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from citelint.change import Change, remove
from citelint.checks.links import kept_texts, write_mark
from citelint.checks.surroundings import with_surroundings
from citelint.manifest import Source
from citelint.model import Edit, Reference, Span
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.bibliography import Run
from citelint.readers.markers import MAX_LABELS
from citelint.readers.reading import Reading
from citelint.resolve import Resolver
from citelint.urls import url_key

_BLANKS = b" \t"
_BLANK_LINES = pattern(rb"(?:[ \t]*+(?:\r\n|\n|\r))++")
_OPENING = (b"(", b"[", b"{", b'"', b"'", b"*", b"_")
_RANGE = pattern(r"[0-9]\s*[-‐‑–—~～]\s*[0-9]")
MAX_SHOWN = 60


class Citation(msgspec.Struct, frozen=True):
    """A group of adjacent markers, with the sources it cites."""

    span: Span
    sources: tuple[Source, ...]
    markers: tuple[Reference, ...]


def find_citations(reading: Reading, resolver: Resolver) -> tuple[Citation, ...]:
    """The groups of markers, in order; those that name nothing have no sources."""
    texts = kept_texts(reading, resolver)
    citations: list[Citation] = []

    def goes(marker: Reference) -> bool:
        return marker.text is None and not resolver.labels(marker.labels).sources

    for group in _groups(reading.document.data, reading.markers, goes):
        sources: dict[str, Source] = {}
        if group[0].span.start not in texts:
            for marker in group:
                for source in resolver.labels(marker.labels).sources:
                    sources[source.id] = source
        span = Span(group[0].span.start, group[-1].span.end)
        citations.append(Citation(span, tuple(sources.values()), tuple(group)))
    return tuple(citations)


def _groups(
    data: bytes, markers: tuple[Reference, ...], goes: Callable[[Reference], bool]
) -> Iterator[list[Reference]]:
    """Markers with only blanks between them; where both go, a comma goes with them."""
    group: list[Reference] = []
    for marker in markers:
        between = data[group[-1].span.end : marker.span.start].strip(_BLANKS) if group else b""
        commas = between in (b",", b";") and goes(group[-1]) and goes(marker)
        if group and (group[-1].text is not None or (between and not commas)):
            yield group
            group = []
        group.append(marker)
        if marker.text is not None:
            yield group
            group = []
    if group:
        yield group


def check_markers(
    reading: Reading,
    resolver: Resolver,
    policy: Policy,
    citations: tuple[Citation, ...],
    marks: dict[str, str],
) -> Iterator[Change]:
    """What each group of markers becomes; *marks* says how a source is written in the text."""
    data = reading.document.data
    judged: set[str] = set()
    for citation in citations:
        for source in citation.sources:
            if source.id not in judged and source.url and not source.private:
                judged.add(source.id)
                for fault in resolver.faults(source.url):
                    yield Change(fault.code, citation.span, (), {"what": f"{source.id}: {fault.message}"})
        # Nobody reads footnotes in HTML blocks.
        in_html = citation.span.start in reading.outline.html and policy.footnotes != "none"
        written = "".join(f"[{source.id}]" if in_html else marks[source.id] for source in citation.sources)
        edits = _edits(data, citation, written)
        reported = list(_unresolved(reading, resolver, citation))
        if not reported and edits:
            names = ", ".join(source.id for source in citation.sources) or "nothing new"
            reported = [
                Change("CL112", citation.span, (), {"what": _shown(data, citation.span), "source": names})
            ]
        if reported:
            yield msgspec.structs.replace(reported[0], edits=tuple(edits))
            yield from reported[1:]
        named = len({label for marker in citation.markers for label in marker.labels})
        if named > policy.max_citations_per_block:
            yield Change(
                "CL110",
                citation.span,
                (),
                {
                    "count": str(named),
                    "limit": str(policy.max_citations_per_block),
                    "what": _shown(data, citation.span),
                },
            )


def _edits(data: bytes, citation: Citation, written: str) -> list[Edit]:
    markers = citation.markers
    text = markers[0].text
    before = data[citation.span.start - 1 : citation.span.start]
    if before in (b" ", b"\t"):
        written = written.removeprefix(" ")
    elif written and (before == b"!" or (_reads_as_index(before) and not written.startswith((" ", "[^")))):
        written = f" {written}"  # no image, and no index of what stands before
    if text is not None:
        return _paired_edits(data, markers[0], text, written)
    if written:
        literal = data[citation.span.start : citation.span.end]
        if literal == written.encode() and data[citation.span.end : citation.span.end + 1] not in (
            b":",
            b"(",
        ):
            return []
        # A backslash before it would make text of what is written.
        start = citation.span.start
        escaped = data[start - 1 : start] == b"\\" and data[start - 2 : start - 1] != b"\\"
        end = citation.span.end
        return [write_mark(data, Span(start - escaped, end), written)]
    return [remove(with_surroundings(data, citation.span))]


def _reads_as_index(before: bytes) -> bool:
    return before.isascii() and not before.isspace() and before not in (b"", *_OPENING)


def _paired_edits(data: bytes, marker: Reference, text: Span, written: str) -> list[Edit]:
    """A marker around a phrase: the phrase stays, what is cited follows it."""
    before, after = Span(marker.span.start, text.start), Span(text.end, marker.span.end)
    edits = [remove(before)] if before.start < before.end else []
    if written:
        edits.append(write_mark(data, after, written))
    elif after.start < after.end:
        edits.append(remove(after))
    return edits


def _unresolved(reading: Reading, resolver: Resolver, citation: Citation) -> Iterator[Change]:
    data = reading.document.data
    for marker in citation.markers:
        decision = resolver.labels(marker.labels)
        shown = _shown(data, marker.span)
        if decision.conflicts:
            yield Change("CL111", marker.span, (), {"what": ", ".join(decision.conflicts)[:MAX_SHOWN]})
        if decision.not_evidence:
            source = decision.not_evidence[0]
            why = f"{source.tool}, {source.level or 'listed'}"
            yield Change("CL105", marker.span, (), {"source": source.id, "why": why, "what": shown})
        if decision.missing and not (decision.sources and _alternatives(marker)):
            count = {
                "count": str(len(marker.labels)),
                "limit": str(len(marker.labels) - len(decision.missing)),
            }
            yield Change(_missing_code(marker, shown), marker.span, (), {"what": shown} | count)
        if not marker.labels and _RANGE.search(shown):
            yield Change(
                "CL110", marker.span, (), {"count": "too many", "limit": str(MAX_LABELS), "what": shown}
            )
        elif not marker.labels:
            yield Change("CL103", marker.span, (), {"what": shown})


def _alternatives(marker: Reference) -> bool:
    """``[[1]](https://…)`` names one thing twice: one of the names is enough."""
    return any("://" in label for label in marker.labels)


def _missing_code(marker: Reference, shown: str) -> str:
    if len(marker.labels) > 1 and _RANGE.search(shown):
        return "CL110"  # a range past the end
    return "CL107" if marker.syntax == "footnote" else "CL103"


def _shown(data: bytes, span: Span) -> str:
    literal = data[span.start : span.end].decode()
    if "//" in literal or "@" in literal or "www." in literal:
        literal = literal.partition("(")[0].partition("//")[0]
    return literal[:MAX_SHOWN]


def check_lists(reading: Reading, resolver: Resolver, own_tail: Span | None) -> Iterator[Change]:
    """The model's bibliographies go; the list that citelint wrote, and would write again, stays."""
    used = {label for marker in reading.markers for label in marker.labels}
    for run in reading.bibliography.runs:
        if own_tail is not None and own_tail.start <= run.entries[0].span.start:
            continue
        if is_own(run, resolver):
            start = run.entries[0].span.start if run.entries[0].form == "footnote" else run.span.start
            span = _with_blank_lines(reading.document.data, Span(start, run.span.end))
            referred = any(entry.number in used for entry in run.entries)
            what = {"what": "the rendered sources", "source": "the manifest"}
            yield Change("CL112" if referred else "CL107", span, (remove(span),), what)
            continue
        count = len(run.entries)
        span = _with_blank_lines(reading.document.data, run.span)
        yield Change(
            "CL108", span, (remove(span),), {"what": f"{count} {'entry' if count == 1 else 'entries'}"}
        )
        yield from _duplicates(run)
        for entry in run.entries:
            if entry.form == "footnote" and entry.number not in used:
                yield Change("CL107", entry.span, (), {"what": f"[^{entry.number}]"})


def find_own_tail(reading: Reading, tail: str) -> Span | None:
    """Where the sources already stand at the end exactly as they would be written."""
    document = reading.document
    literal = tail.encode().replace(b"\n", document.newline)
    content_end = len(document.data.rstrip())
    start = content_end - len(literal)
    if not tail or start < document.body.start or not document.data.startswith(literal, start):
        return None
    before = document.data[document.body.start : start]
    return Span(start, content_end) if not before or before.endswith((b"\n", b"\r")) else None


def _with_blank_lines(data: bytes, span: Span) -> Span:
    """Also the blank lines after it, where there are some before it: one gap is enough."""
    before = data[max(0, span.start - 4) : span.start]
    if before.strip() and not before.endswith((b"\n\n", b"\r\r")) and before != b"\r\n\r\n":
        return span
    found = _BLANK_LINES.match(data, span.end)
    return Span(span.start, found.end()) if found else span


def is_own(run: Run, resolver: Resolver) -> bool:
    """Whether every entry of a list names a source of the manifest by its id."""
    return bool(run.entries) and all(
        resolver.manifest.by_id(entry.named or (entry.number if entry.form == "footnote" else "")) is not None
        for entry in run.entries
    )


def _duplicates(run: Run) -> Iterator[Change]:
    """One address under several numbers, reported where it stands first."""
    numbers: dict[str, list[str]] = {}
    for entry in run.entries:
        for address in entry.addresses[:1]:
            numbers.setdefault(url_key(address) or address, []).append(entry.number)
    for entry in run.entries:
        for address in entry.addresses[:1]:
            same = numbers.pop(url_key(address) or address, [])
            if len(set(same)) > 1:
                yield Change("CL109", entry.span, (), {"what": ", ".join(same)[:MAX_SHOWN]})
