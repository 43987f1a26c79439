"""The order of it all: read, resolve, check, rewrite, prove, render.

The only file that knows it. Every function here is pure: text and values in, values out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from citelint.change import Change, remove
from citelint.checks.citations import Citation, check_lists, check_markers, find_citations, find_own_tail
from citelint.checks.code import check_code
from citelint.checks.html import check_tags
from citelint.checks.links import check_links
from citelint.checks.metadata import check_front_matter
from citelint.checks.syntax import check_syntax
from citelint.checks.text import check_text
from citelint.document import Document
from citelint.errors import InputError, PostconditionError
from citelint.manifest import Manifest, Source
from citelint.model import Edit, Finding, Regions, Severity, Sink, Span, Status
from citelint.policy import Policy
from citelint.readback import prove
from citelint.readers.reading import Reading, read
from citelint.rendering.sources import labels, markdown_mark, markdown_sources
from citelint.resolve import Resolver, Verdict
from citelint.rewrite import apply, settle, with_tail
from citelint.rules import rule

Kind = Literal["markdown", "html"]
Form = Literal["fragment", "page", "md"]


class Report(msgspec.Struct, frozen=True):
    """What ``check`` says of an answer."""

    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    """The ids of the sources that are cited, in order of first use."""


class Result(msgspec.Struct, frozen=True):
    """What ``fix`` makes of an answer. A refused one has no text."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    changed: bool


class Rendered(msgspec.Struct, frozen=True):
    """What ``render`` makes of an answer. A refused one has no text."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]


class Decisions(NamedTuple):
    """Which of a change's edits are made, and which sinks may stay. Tests put others in place of the real ones."""

    edits: Callable[[Change], tuple[Edit, ...]]
    allows: Callable[[Sink], bool]


KEEP_EVERYTHING = Decisions(edits=lambda _change: (), allows=lambda _sink: True)
"""For tests that reading and writing alone move nothing. It lets everything out."""


class _Plan(msgspec.Struct, frozen=True):
    """What is to be done with one answer."""

    document: Document
    reading: Reading
    resolver: Resolver
    edits: list[Edit]
    allows: Callable[[Sink], bool]
    changes: tuple[Change, ...]
    cited: tuple[Source, ...]
    own_tail: Span | None
    """Where the sources stand already as they would be written."""
    tail: str
    """The sources to write at the end; empty when they stand there already."""
    list_was_last: bool


def check(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: Kind = "markdown",
    site_files: Container[str] = frozenset(),
) -> Report:
    """Say what is wrong with an answer. Nothing is written, but all that ``fix`` would prove is proven."""
    policy = policy or Policy()
    plan = _plan(text, manifest, policy, kind, site_files)
    _, _, changes = _written(plan, policy, policy.readers)
    findings, status = _verdict(plan, policy, changes)
    return Report(findings, status, _ids(plan.cited))


def fix(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: Kind = "markdown",
    site_files: Container[str] = frozenset(),
) -> Result:
    """The answer with what does not resolve gone and its sources written from the manifest.

    Raises :class:`~citelint.errors.InputError` for a text that cannot be read, and
    :class:`~citelint.errors.PostconditionError` when the result cannot be proven safe.
    """
    return fix_as_decided(None, text, manifest, policy or Policy(), kind, site_files)


def fix_as_decided(
    decisions: Decisions | None,
    text: str | bytes,
    manifest: Manifest,
    policy: Policy,
    kind: Kind = "markdown",
    site_files: Container[str] = frozenset(),
) -> Result:
    """:func:`fix`, with a test's *decisions* in place of the real ones if there are some."""
    plan = _plan(text, manifest, policy, kind, site_files, decisions)
    head, body, changes = _written(plan, policy, policy.readers)
    findings, status = _verdict(plan, policy, changes)
    data = _disposed(plan, policy, head, body, findings, status)
    return Result(data.decode(), findings, status, _ids(plan.cited), data != plan.document.data)


def render(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: Kind = "markdown",
    site_files: Container[str] = frozenset(),
    to: Form = "fragment",
    title: str = "",
) -> Rendered:
    """The answer as safe HTML with its sources, or, with ``to="md"``, what ``fix`` writes."""
    policy = policy or Policy()
    if to == "md":
        fixed = fix(text, manifest, policy=policy, kind=kind, site_files=site_files)
        return Rendered(fixed.text, fixed.findings, fixed.status, fixed.cited)
    plan = _plan(text, manifest, msgspec.structs.replace(policy, footnotes="gfm"), kind, site_files)
    # mistune reads the text when it renders, and the gate judges what it made of it.
    others = tuple(reader for reader in policy.readers if reader != "mistune")
    _, body, changes = _written(_without_tail(plan), policy, others)
    findings, status = _verdict(plan, policy, changes)
    body = _disposed(plan, policy, b"", body, findings, status)
    if not body and status is Status.REJECTED:
        return Rendered("", findings, status, _ids(plan.cited))
    shown = () if status is Status.REJECTED else plan.cited
    html = _html(body.decode(), plan, policy, shown)
    if to == "page":
        from citelint.rendering.page import page

        images = [url for source in plan.resolver.manifest.sources for url in _image_urls(source)]
        html = page(html, title=title or "Answer", image_sources=images, language=policy.language)
    return Rendered(html, findings, status, _ids(plan.cited))


def _without_tail(plan: _Plan) -> _Plan:
    """For HTML, whose sources are written by a template."""
    edits = settle([*plan.edits, remove(plan.own_tail)]) if plan.own_tail else plan.edits
    return msgspec.structs.replace(plan, edits=edits, tail="")


def _image_urls(source: Source) -> tuple[str, ...]:
    return (source.url,) if source.url and (source.media_type or "").startswith("image/") else ()


# Planning


def _plan(
    text: str | bytes,
    manifest: Manifest,
    policy: Policy,
    kind: Kind,
    site_files: Container[str],
    decisions: Decisions | None = None,
) -> _Plan:
    if kind != "markdown":
        raise InputError(f"answers of kind {kind!r} are not supported", help="convert the answer to Markdown")
    document = Document(text)
    resolver = Resolver(manifest, policy, site_files=site_files)
    reading = read(document, resolver, fuzzy_hosts="linkify" in policy.readers)
    resolver = resolver.with_bibliography(reading.bibliography)
    citations = find_citations(reading, resolver)
    cited, marked = _cited(reading, resolver, citations)
    listed = cited if policy.footnotes == "list" else marked
    marks = {
        source.id: markdown_mark(source, number, policy)
        for number, source in enumerate(listed if policy.footnotes == "list" else cited, 1)
    }
    tail = markdown_sources(listed, policy)
    own_tail = find_own_tail(reading, tail)
    changes = _changes(reading, resolver, policy, citations, marks, own_tail)
    decisions = decisions or Decisions(lambda change: change.edits, resolver.allows)
    return _Plan(
        document=document,
        reading=reading,
        resolver=resolver,
        edits=settle(edit for change in changes for edit in decisions.edits(change)),
        own_tail=own_tail,
        allows=decisions.allows,
        changes=changes,
        cited=cited,
        tail="" if own_tail else tail,
        list_was_last=own_tail is None and _list_is_last(reading),
    )


def _changes(
    reading: Reading,
    resolver: Resolver,
    policy: Policy,
    citations: tuple[Citation, ...],
    marks: dict[str, str],
    own_tail: Span | None,
) -> tuple[Change, ...]:
    changes: list[Change] = []
    changes += check_lists(reading, resolver, own_tail)
    changes += check_markers(reading, resolver, policy, citations, marks)
    changes += check_links(reading, resolver, policy)
    changes += check_tags(reading, resolver, policy)
    taken = Regions(edit.span for change in changes for edit in change.edits).union(reading.lists)
    changes += check_syntax(reading, taken)
    changes += check_code(reading, taken)
    changes += check_text(reading)
    changes += check_front_matter(reading.document, resolver, policy)
    return tuple(changes)


def _list_is_last(reading: Reading) -> bool:
    runs = reading.bibliography.runs
    return bool(runs) and not reading.document.data[runs[-1].span.end :].strip()


def _cited(
    reading: Reading, resolver: Resolver, citations: tuple[Citation, ...]
) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """The sources that are cited, in order of first use: all of them, and those cited by a marker."""
    places: list[tuple[int, Source]] = []
    for reference in (*reading.references, *reading.addresses):
        decision = (
            resolver.image(reference.target)
            if reference.kind == "image"
            else resolver.address(reference.target)
        )
        if decision.verdict is Verdict.CITES and decision.source is not None:
            places.append((reference.span.start, decision.source))
    for tag in reading.tags:
        target = dict(tag.attributes).get("href") if tag.name == "a" else None
        if target:
            decision = resolver.address(target)
            if decision.verdict is Verdict.CITES and decision.source is not None:
                places.append((tag.span.start, decision.source))
    marked = {source.id: source for citation in citations for source in citation.sources}
    places += [(citation.span.start, source) for citation in citations for source in citation.sources]
    places.sort(key=lambda place: place[0])
    return tuple({source.id: source for _, source in places}.values()), tuple(marked.values())


# Writing


def _written(
    plan: _Plan, policy: Policy, readers: tuple[str, ...]
) -> tuple[bytes, bytes, tuple[Change, ...]]:
    """Front matter and body of the new text, proven, with the changes that the proof made necessary."""
    document = plan.document
    base = document.body.start
    head_edits = [edit for edit in plan.edits if edit.span.end <= base]
    body_edits = [
        Edit(Span(span.start - base, span.end - base), replacement)
        for span, replacement in plan.edits[len(head_edits) :]
    ]
    head = apply(document.data[:base], head_edits)
    body = apply(document.data[base:], body_edits)
    last_edit = body_edits[-1].span.end + base if body_edits else 0
    removed_list = plan.list_was_last and last_edit >= len(document.data.rstrip())
    text = with_tail(body, plan.tail, document.newline, was_last=removed_list)
    proven = prove(text, readers, plan.allows)
    changes = [
        Change("CL304", _origin(span, body_edits, document), (), {"what": "written as plain text"})
        for span in proven.neutralised
    ]
    front_matter = head[document.bom.end :]
    if front_matter and prove(front_matter + proven.text, readers, plan.allows).neutralised:
        # Some renderers take front matter for text, and what follows it for something else.
        head = head[: document.bom.end]
        changes.append(Change("CL304", document.front_matter, (), {"what": "front matter, removed"}))
    return head, proven.text, (*plan.changes, *changes)


def _origin(span: Span, edits: list[Edit], document: Document) -> Span:
    """Where a place of the new text was in the document."""
    starts: list[int] = []
    shifts: list[int] = []
    shift = 0
    for edit in edits:
        starts.append(edit.span.start + shift)
        shift += len(edit.replacement) - (edit.span.end - edit.span.start)
        shifts.append(shift)

    def back(offset: int) -> int:
        index = bisect_right(starts, offset) - 1
        before = offset - shifts[index] if index >= 0 else offset
        return max(0, min(before + document.body.start, len(document.data)))

    start = back(span.start)
    return Span(start, max(start, back(span.end)))


# Judging the whole


def _verdict(plan: _Plan, policy: Policy, changes: tuple[Change, ...]) -> tuple[tuple[Finding, ...], Status]:
    status = Status.VERIFIED if plan.cited else Status.UNVERIFIED
    if policy.required and not plan.cited:
        start = plan.document.body.start
        changes = (*changes, Change("CL407", Span(start, start)))
        status = Status.REJECTED
    return _findings(plan.document, policy, changes), status


def _findings(document: Document, policy: Policy, changes: Iterable[Change]) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for change in sorted(changes, key=lambda change: (change.span, change.code)):
        known = rule(change.code)
        severity = policy.severity_of(change.code, known.severity)
        if severity == "off":
            continue
        line, column = document.position(change.span.start)
        end_line, end_column = document.position(change.span.end)
        findings.append(
            Finding(
                code=change.code,
                name=known.name,
                severity=Severity(severity),
                message=known.say(**change.values),
                span=change.span,
                line=line,
                column=column,
                end_line=end_line,
                end_column=end_column,
                help=known.help,
                address=change.address,
            )
        )
    return tuple(findings)


def _disposed(
    plan: _Plan, policy: Policy, head: bytes, body: bytes, findings: tuple[Finding, ...], status: Status
) -> bytes:
    """What is given out of an answer that does not hold: ``on-unverified``."""
    if status is not Status.REJECTED or policy.on_unverified == "strip":
        return head + body
    if policy.on_unverified == "refuse":
        return b""
    from citelint.rendering.templates import unverified_notice, unverified_text

    newline = plan.document.newline
    if policy.on_unverified == "replace":
        return (
            unverified_text(policy.language, len(findings)).strip().encode().replace(b"\n", newline) + newline
        )
    notice = unverified_notice(policy.language).strip().encode().replace(b"\n", newline)
    return head + body if body.startswith(notice) else head + notice + newline * 2 + body


def _ids(sources: tuple[Source, ...]) -> tuple[str, ...]:
    return tuple(source.id for source in sources)


# HTML


def _html(markdown: str, plan: _Plan, policy: Policy, cited: tuple[Source, ...]) -> str:
    from citelint.rendering.gate import OWN, clean, second_opinion
    from citelint.rendering.html import to_html
    from citelint.rendering.sources import html_mark, html_sources

    brought_html = bool(plan.reading.tags)
    # A prefix that the answer cannot know, where it could write elements that look like ours.
    own = f"c{sha256(plan.document.data).hexdigest()[:24]}-" if brought_html else OWN
    shown = labels(cited)
    by_id = {source.id: source for source in cited}

    def mark(source_id: str) -> str | None:
        source = by_id.get(source_id)
        return html_mark(source, shown[source_id], own=own) if source is not None else None

    def allow(tag: str, _attribute: str, value: str) -> str | None:
        decide = plan.resolver.image if tag == "img" else plan.resolver.address
        decision = decide(value)
        return None if decision.verdict is Verdict.REJECTED else decision.written

    html = clean(to_html(markdown, mark) + html_sources(cited, policy, shown, own=own), allow, own=own)
    if brought_html:
        differences = second_opinion(html, allow)
        if differences:
            raise PostconditionError(
                f"the two sanitizers disagree (CL303): {differences[0]}",
                help="this is a fault of citelint; please report it with the answer that shows it",
            )
    return html
