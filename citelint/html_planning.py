"""What is to be done with one HTML answer: read, resolved and checked, nothing written yet.

Decisions are made on the visible text (:mod:`citelint.readers.html_text`); here they become edits of the
source. Whatever is not decided on, the gate decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from citelint.change import Change, remove, replace
from citelint.checks.citations import Citation, check_lists, check_markers, find_citations
from citelint.checks.html_links import check_html_links
from citelint.checks.html_tags import check_html_tags
from citelint.checks.patterns import check_patterns
from citelint.checks.text import check_text
from citelint.document import Document
from citelint.html_edits import Translation, hollow
from citelint.manifest import Source
from citelint.model import Edit, Kind, Regions, Span
from citelint.patterns import pattern
from citelint.planning import Answer
from citelint.readers.html_elements import Element
from citelint.readers.html_layout import OBJECT, lay_out
from citelint.readers.html_page import HtmlSource, elements_of
from citelint.readers.html_rules import html_rules
from citelint.readers.html_text import HtmlText, Link
from citelint.readers.html_tokens import Token
from citelint.readers.markdown import Outline
from citelint.readers.reading import Reading, read_outlined
from citelint.readers.tags import elements as html_elements
from citelint.rendering.sources import html_mark, labels
from citelint.resolve import Resolver, Verdict
from citelint.rewrite import settle

_FORMULA = pattern(rb"\\\((?:[^\\\n]++|\\[^()\n])*+\\\)|\\\[(?:[^\\\n]++|\\[^\[\]\n])*+\\\]|\$\$[^$\n]++\$\$")
"""What scripts on the page show as mathematics: no citation markers in there."""


class HtmlPlan(msgspec.Struct, frozen=True):
    """What is to be done with one HTML answer."""

    resolver: Resolver
    changes: tuple[Change, ...]
    edits: list[Edit]
    """On the source, sorted."""
    cited: tuple[Source, ...]
    """The sources that are cited, in order of first use."""
    own: str
    """What ids and classes of citelint's own begin with in the edits; the answer cannot know it."""
    sources: tuple[Span, ...]
    """Where lists of sources stand that citelint wrote before, or that look like it."""


def plan_html(data: bytes, source: HtmlSource, content: Span, answer: Answer) -> HtmlPlan:
    """Read, resolve and check the answer that stands in *content*."""
    tokens, elements = elements_of(source, content)
    text = lay_out(data, content, tokens, elements)
    resolver = Resolver(answer.manifest, answer.policy, site_files=answer.site_files)
    reading = _read(text, resolver, fuzzy_hosts="linkify" in answer.policy.readers)
    resolver = resolver.with_bibliography(reading.bibliography)
    own = f"c{sha256(data[content.start : content.end]).hexdigest()[:24]}-"
    decided = _decide(reading, text, resolver, answer, own)
    known = Regions([*text.sources, *filter(None, (text.place(mark.span) for mark in text.marks))])
    return HtmlPlan(
        resolver=resolver,
        changes=(*decided.changes, *check_html_tags(data, tokens, known, _dropped(elements))),
        edits=settle([*decided.edits, *map(remove, text.sources), *_unknown(tokens, _dropped(elements))]),
        cited=decided.cited,
        own=own,
        sources=tuple(text.sources),
    )


class _Decided(NamedTuple):
    """What is said and done about the text, in the coordinates of the source."""

    changes: list[Change]
    edits: list[Edit]
    cited: tuple[Source, ...]


def _decide(reading: Reading, text: HtmlText, resolver: Resolver, answer: Answer, own: str) -> _Decided:
    policy = msgspec.structs.replace(answer.policy, footnotes="gfm")  # HTML has one style
    citations = find_citations(reading, resolver)
    cited = _cited(reading, resolver, citations)
    shown = labels(cited)
    marks = {source.id: html_mark(source, shown[source.id], own=own) for source in cited}
    plain = {name: f"[^{name}]" for name in marks}
    judged = check_html_links(reading, resolver, policy, text)
    changes = [
        *check_lists(reading, resolver, None),
        *_unless_written(text, check_markers(reading, resolver, policy, citations, plain), citations),
        *judged.in_text,
        *check_text(reading),
        *check_patterns(reading, answer.rules),
    ]
    edits = settle([*(edit for change in changes for edit in change.edits), *judged.text_edits])
    anew = list(_written_anew(text, citations, edits))
    translation = Translation(text, marks)
    for edit in settle([*edits, *(edit for change in anew for edit in change.edits)]):
        translation.translate(edit)
    source_edits = [
        *translation.edits,
        *(edit for change in judged.in_source for edit in change.edits),
        *judged.source_edits,
        *hollow(text, translation),
    ]
    if policy.cite_links == "cite":
        source_edits += _missing_marks(reading, citations, judged.cited, marks)
    moved = (_moved(change, text) for change in (*changes, *anew))
    return _Decided([*filter(None, moved), *judged.in_source], source_edits, cited)


def _read(text: HtmlText, resolver: Resolver, *, fuzzy_hosts: bool) -> Reading:
    references = [link.reference for link in text.links if link.reference is not None]
    references += [picture.reference for picture in text.pictures]
    references.sort(key=lambda reference: (reference.span.start, -reference.span.end))
    outline = Outline(
        blocks=(),
        code=Regions(text.code),
        fences=(),
        indented=(),
        # Marks are known already: no reader is to make more of them, whatever they stand beside.
        math=Regions(
            [*(found.span() for found in _FORMULA.finditer(text.text)), *(mark.span for mark in text.marks)]
        ),
        html=Regions(),
        references=tuple(references),
        definitions=(),
        stray_definitions=(),
    )
    return read_outlined(
        Document(text.text), outline, (), resolver, own=tuple(text.marks), fuzzy_hosts=fuzzy_hosts
    )


def _cited(reading: Reading, resolver: Resolver, citations: Sequence[Citation]) -> tuple[Source, ...]:
    """By marker, link, image or address, in order of first use."""
    places = [(citation.span.start, source) for citation in citations for source in citation.sources]
    for reference in (*reading.references, *reading.addresses):
        judge = resolver.image if reference.kind is Kind.IMAGE else resolver.address
        target = f"https://{reference.target}" if reference.kind is Kind.HOST else reference.target
        decision = judge(target)
        if decision.verdict is Verdict.CITES and decision.source is not None:
            places.append((reference.span.start, decision.source))
    places.sort(key=lambda place: place[0])
    return tuple({source.id: source for _, source in places}.values())


def _unless_written(
    text: HtmlText, changes: Iterable[Change], citations: Iterable[Citation]
) -> Iterator[Change]:
    """Without a word on marks that stand there already."""
    ours = {mark.span for mark in text.marks}
    written = {
        citation.span
        for citation in citations
        if all(marker.span in ours for marker in citation.markers)
        and [marker.labels[0] for marker in citation.markers] == [source.id for source in citation.sources]
    }
    return (change for change in changes if change.code != "CL112" or change.span not in written)


def _written_anew(text: HtmlText, citations: Iterable[Citation], edits: Sequence[Edit]) -> Iterator[Change]:
    """Citations that read as they should and are no marks yet, or marks, whose label may be another now."""
    edited = Regions(edit.span for edit in edits)
    ours = {mark.span for mark in text.marks}
    for citation in citations:
        if not citation.sources or edited.touches(citation.span):
            continue
        written = "".join(f"[^{source.id}]" for source in citation.sources)
        names = ", ".join(source.id for source in citation.sources)
        known = all(marker.span in ours for marker in citation.markers)
        edit = replace(*citation.span, written)
        values = {"what": written[:60], "source": names}
        yield Change("" if known else "CL112", citation.span, (edit,), values)


def _missing_marks(
    reading: Reading,
    citations: Iterable[Citation],
    cited: Iterable[tuple[Link, Source]],
    marks: dict[str, str],
) -> Iterator[Edit]:
    """What ``cite-links = "cite"`` writes behind a link that nothing cites yet."""
    there = {(citation.span.start, source.id) for citation in citations for source in citation.sources}
    data = reading.document.data
    for link, source in cited:
        behind = link.shown.end if link.reference is None else link.reference.span.end
        while data[behind : behind + 1] == b" ":
            behind += 1
        if (behind, source.id) not in there:
            end = link.element.span.end
            yield replace(end, end, marks[source.id])


def _moved(change: Change, text: HtmlText) -> Change | None:
    """The same finding at its place in the source; nothing if it is about nothing that shows."""
    if not change.code:
        return None
    place = text.place(change.span)
    values = {name: value.replace(OBJECT.decode(), "[…]") for name, value in change.values.items()}
    return Change(change.code, place, (), values, change.address) if place else None


def _unknown(tokens: Iterable[Token], dropped: Regions) -> Iterator[Edit]:
    """Tags of no HTML element; with one that SVG knows, such as ``<text>``, the gate would drop words."""
    for token in tokens:
        if token.sort in ("start", "end") and token.start not in dropped and not _is_html(token.name):
            yield remove((token.start, token.end))


def _is_html(name: str) -> bool:
    known = html_elements()
    return any(name in group for group in (known.plain, known.raw, known.other)) or name in html_rules().tags


def _dropped(elements: Iterable[Element]) -> Regions:
    drop = html_rules().drop_content - {"head"}  # in there, everything is worth a word
    return Regions(Span(element.opening.end, element.end) for element in elements if element.name in drop)
