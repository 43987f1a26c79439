"""What is to be done with one answer: everything read, resolved and checked, nothing written yet."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Literal, NamedTuple

import msgspec

from citelint.change import Change, remove
from citelint.checks.citations import (
    Citation,
    check_lists,
    check_markers,
    find_citations,
    find_own_tail,
    is_own,
)
from citelint.checks.code import check_code
from citelint.checks.code_text import check_code_text
from citelint.checks.dialects import check_dialects
from citelint.checks.html import check_tags
from citelint.checks.links import Footnotes, check_links, full_target
from citelint.checks.metadata import check_front_matter
from citelint.checks.patterns import check_patterns
from citelint.checks.platforms import check_platforms
from citelint.checks.syntax import check_syntax
from citelint.checks.text import check_text
from citelint.document import Document
from citelint.errors import InputError
from citelint.manifest import Manifest, Source
from citelint.model import Edit, Kind, Regions, Sink, Span
from citelint.policy import Policy
from citelint.readers.reading import Reading, read
from citelint.rendering.sources import markdown_mark, markdown_sources
from citelint.resolve import Resolver, Verdict
from citelint.rewrite import settle
from citelint.rules import Rule

AnswerKind = Literal["markdown", "html"]


class Answer(NamedTuple):
    """An answer with all that it is judged by."""

    text: str | bytes
    manifest: Manifest
    policy: Policy
    kind: AnswerKind = "markdown"
    site_files: Container[str] = frozenset()
    rules: tuple[Rule, ...] = ()
    """The user's own."""


class Decisions(msgspec.Struct, frozen=True):
    """Which of a change's edits are made, and which sinks may stay; tests put others in their place."""

    edits: Callable[[Change], tuple[Edit, ...]]
    allows: Callable[[Sink], bool]


KEEP_EVERYTHING = Decisions(edits=lambda _change: (), allows=lambda _sink: True)
"""For tests that reading and writing alone move nothing. It lets everything out."""


class Plan(msgspec.Struct, frozen=True):
    """What is to be done with one answer."""

    document: Document
    reading: Reading
    resolver: Resolver
    changes: tuple[Change, ...]
    edits: list[Edit]
    allows: Callable[[Sink], bool]
    cited: tuple[Source, ...]
    """The sources that are cited, in order of first use."""
    own_tail: Span | None
    """Where the sources stand already as they would be written."""
    tail: str
    """The sources to write at the end; empty when they stand there already."""

    def without_own_tail(self) -> Plan:
        """For HTML, whose sources are written by a template."""
        if self.own_tail is None:
            return self
        return msgspec.structs.replace(self, edits=settle([*self.edits, remove(self.own_tail)]))

    @property
    def list_was_last(self) -> bool:
        """Whether a list of sources that goes stood at the end."""
        runs = self.reading.bibliography.runs
        return bool(runs) and self.own_tail is None and not self.document.data[runs[-1].span.end :].strip()


def plan(answer: Answer, decisions: Decisions | None = None, *, write_sources: bool = True) -> Plan:
    """Read, resolve and check an answer; *write_sources* if its sources are to stand at its end.

    Raises :class:`~citelint.errors.InputError` for one that cannot be read.
    """
    if answer.kind != "markdown":
        raise InputError(
            f"answers of kind {answer.kind!r} are not supported", help="convert the answer to Markdown"
        )
    if not isinstance(answer.manifest, Manifest) or not isinstance(answer.policy, Policy):
        raise InputError(
            "a manifest and a policy are needed", help="make them with Manifest.load(…) and Policy(…)"
        )
    policy = answer.policy
    document = Document(answer.text)
    resolver = Resolver(answer.manifest, policy, site_files=answer.site_files)
    reading = read(document, resolver, fuzzy_hosts=_links_any_host(policy))
    resolver = resolver.with_bibliography(reading.bibliography)
    citations = find_citations(reading, resolver)
    cited = _cited(reading, resolver, citations)
    all_listed = policy.footnotes == "list" or policy.cite_links == "cite"
    listed = cited if all_listed else _marked(citations)
    # Without need they are only made to see whether the answer has them already.
    has_own_list = any(is_own(run, resolver) for run in reading.bibliography.runs[-1:])
    tail = markdown_sources(listed, policy) if write_sources or has_own_list else ""
    own_tail = find_own_tail(reading, tail)
    marks = {source.id: markdown_mark(source, policy) for source in listed}
    footnotes = Footnotes()
    if policy.cite_links == "cite" and policy.footnotes in ("gfm", "list"):
        cited_at = {(citation.span.start, source.id) for citation in citations for source in citation.sources}
        footnotes = Footnotes(marks, cited_at)
    changes = [
        *check_lists(reading, resolver, own_tail),
        *check_markers(reading, resolver, policy, citations, marks),
        *_other_changes(reading, resolver, policy, footnotes),
        *check_patterns(reading, answer.rules),
    ]
    if not any(change.edits for change in changes) and own_tail is None:
        changes += _unlisted(listed, policy, document)
    decisions = decisions or Decisions(lambda change: change.edits, resolver.allows)
    return Plan(
        document=document,
        reading=reading,
        resolver=resolver,
        changes=tuple(changes),
        edits=settle(edit for change in changes for edit in decisions.edits(change)),
        allows=decisions.allows,
        cited=cited,
        own_tail=own_tail,
        tail=tail if write_sources and not own_tail else "",
    )


def _links_any_host(policy: Policy) -> bool:
    """Whether a plain host name is a link to somebody; chats unfold such links on top."""
    return "linkify" in policy.readers or "slack" in policy.renders_as


def _unlisted(cited: tuple[Source, ...], policy: Policy, document: Document) -> Iterator[Change]:
    """All else is in order, but the sources that are cited have yet to be written at the end."""
    if cited and policy.footnotes in ("gfm", "list"):
        end = len(document.data.rstrip())
        names = ", ".join(source.id for source in cited)
        yield Change("CL112", Span(end, end), (), {"what": "the list of sources", "source": names})


def _other_changes(
    reading: Reading, resolver: Resolver, policy: Policy, footnotes: Footnotes
) -> list[Change]:
    changes = [
        *check_links(reading, resolver, policy, footnotes),
        *check_tags(reading, resolver, policy),
    ]
    taken = (
        Regions(edit.span for change in changes for edit in change.edits)
        .union(marker.span for marker in reading.markers)
        .union(reading.lists)
    )
    changes += check_syntax(reading, taken)
    changes += check_dialects(reading, taken)
    changes += check_code(reading, taken)
    changes += check_code_text(reading, resolver, taken)
    changes += check_platforms(reading, policy.renders_as, taken)
    changes += check_text(reading)
    changes += check_front_matter(reading.document, resolver, policy)
    return changes


def _cited(reading: Reading, resolver: Resolver, citations: tuple[Citation, ...]) -> tuple[Source, ...]:
    """By marker or by link, in order of first use."""
    places = [(citation.span.start, source) for citation in citations for source in citation.sources]
    places += _linked(reading, resolver)
    places.sort(key=lambda place: place[0])
    return tuple({source.id: source for _, source in places}.values())


def _linked(reading: Reading, resolver: Resolver) -> Iterator[tuple[int, Source]]:
    targets = [
        (reference.span.start, full_target(reference), reference.kind is Kind.IMAGE)
        for reference in (*reading.references, *reading.addresses)
    ]
    targets += [
        (tag.span.start, dict(tag.attributes).get("href", ""), False)
        for tag in reading.tags
        if tag.name == "a"
    ]
    for start, target, image in targets:
        decision = (resolver.image if image else resolver.address)(target)
        if decision.verdict is Verdict.CITES and decision.source is not None:
            yield start, decision.source


def _marked(citations: tuple[Citation, ...]) -> tuple[Source, ...]:
    return tuple({source.id: source for citation in citations for source in citation.sources}.values())
