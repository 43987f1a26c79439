"""Everything the readers find in one Markdown answer, in one value."""

from __future__ import annotations

import re
from typing import Protocol

import msgspec

from citelint.document import Document
from citelint.model import Kind, Reference, Regions, Span
from citelint.patterns import pattern
from citelint.readers.addresses import find_addresses
from citelint.readers.bibliography import Bibliography, read_bibliography
from citelint.readers.markdown import Outline, read_markdown
from citelint.readers.markers import find_markers
from citelint.readers.runs import Used
from citelint.readers.tags import Tag, find_tags
from citelint.urls import is_known_suffix


class Known(Protocol):
    """What a reader may ask about the manifest when the text alone does not decide."""

    def known(self, target: str) -> bool:
        """Whether the manifest has this address."""
        ...

    @property
    def longest(self) -> int:
        """The bytes that an address of the manifest can take, as an answer may spell it."""
        ...

    def names_something(self, label: str) -> bool:
        """Whether the manifest has this id or label."""
        ...


class Reading(msgspec.Struct, frozen=True):
    """One answer, read. Nothing is decided yet."""

    document: Document
    outline: Outline
    tags: tuple[Tag, ...]
    markers: tuple[Reference, ...]
    bibliography: Bibliography
    addresses: tuple[Reference, ...]
    """Addresses in the text that no link, definition or tag holds."""
    lists: Regions
    """The runs of the bibliography: what is in there is a claim of the model's, as a whole."""
    references: tuple[Reference, ...]
    """Links, images and autolinks outside lists and markers."""


def read(document: Document, known: Known, *, fuzzy_hosts: bool = False) -> Reading:
    """Read an answer. Linear in its size."""
    outline = read_markdown(document)
    tags = tuple(find_tags(document.data, document.body, outline.code))
    return read_outlined(document, outline, tags, known, fuzzy_hosts=fuzzy_hosts)


def read_outlined(
    document: Document,
    outline: Outline,
    tags: tuple[Tag, ...],
    known: Known,
    *,
    own: tuple[Reference, ...] = (),
    fuzzy_hosts: bool = False,
) -> Reading:
    """Read what stands in a text whose links, code, tags and *own* markers are known already.

    Linear in its size.
    """
    data, body = document.data, document.body
    opaque = outline.code.union(outline.math).union(_code_elements(tags))
    used = _used_numbers(data, body, outline)
    bibliography = _lists(document, known, outline.code.union(outline.math), used)
    # The answer's own numbers make doubtful markers certain.
    markers = find_markers(
        data, body, opaque, known=lambda label: known.names_something(label) or _listed(bibliography, label)
    )
    if own:
        markers = sorted([*markers, *own], key=lambda marker: (marker.span.start, -marker.span.end))
    lists = Regions(run.span for run in bibliography.runs)
    markers = [marker for marker in markers if marker.span.start not in lists]
    in_marker = Regions(marker.span for marker in markers if marker.syntax)
    references = tuple(
        reference
        for reference in outline.references
        if reference.span.start not in lists and not _inside(reference, in_marker)
    )
    structure = _structure(outline, tags, references, in_marker)
    markers = _standing_free(markers, references, structure)
    skip = structure.union(outline.code).union(lists).union(_targets(markers))
    addresses = find_addresses(
        data,
        body,
        skip,
        known=known.known,
        known_suffix=is_known_suffix,
        stops=(edge for marker in markers for edge in marker.span),
        longest=known.longest,
        fuzzy_hosts=fuzzy_hosts,
    )
    return Reading(
        document=document,
        outline=outline,
        tags=tuple(tag for tag in tags if tag.span.start not in lists),
        markers=tuple(markers),
        bibliography=bibliography,
        addresses=tuple(addresses),
        lists=lists,
        references=references,
    )


_OWN_ENTRY = re.compile(rb"\[\^?([A-Za-z0-9_-]{1,64})\]:? Source record ")
_OWN_HEADING = pattern(rb"##{1,2} [^\r\n]{1,256}\Z")


def _lists(document: Document, known: Known, opaque: Regions, used: Used) -> Bibliography:
    """The answer's lists, and apart from them the one that citelint wrote at the end, if there is one."""
    data, body = document.data, document.body
    own = _own_block(document, known)
    theirs = read_bibliography(data, Span(body.start, own), opaque, used)
    if own == body.end:
        return theirs
    ours = read_bibliography(data, Span(own, body.end), opaque, used)
    numbers = {**ours.by_number, **theirs.by_number}
    return Bibliography((*theirs.runs, *ours.runs), numbers)


def _own_block(document: Document, known: Known) -> int:
    """Where the paragraphs at the end begin that read like our entries, with our headings over them."""
    data, gap = document.data, document.newline * 2
    start = len(data.rstrip())
    block = document.body.end
    while start > document.body.start:
        paragraph = data.rfind(gap, document.body.start, start)
        paragraph = paragraph + len(gap) if paragraph >= 0 else document.body.start
        entry = _OWN_ENTRY.match(data, paragraph, start)
        heading = block < document.body.end and _OWN_HEADING.match(data, paragraph, start)
        if not heading and not (entry and known.names_something(entry[1].decode())):
            break
        if entry or data.startswith(b"## Sources", paragraph):
            block = paragraph
        if heading and data.startswith(b"## Sources", paragraph):
            break
        start = paragraph - len(gap)
    return block


_NUMBERS_IN_BRACKETS = re.compile(
    rb"(?:\[\^?|\xe3\x80[\x90\x94\x96])"
    rb"((?:[0-9,; \-]|\xef\xbc\x8c|\xe3\x80\x81|\xe2\x80[\x93\x94]){1,60})(?=[\]^\xe3\xe2:])"
)
_LINKED = re.compile(rb"\]{1,2}\(")
_NUMBER = pattern(rb"[0-9]{1,4}")
_LINE_MARKS = b" \t>*+-#|["


def _used_numbers(data: bytes, body: Span, outline: Outline) -> Used:
    """The numbers that brackets in the text name, without those that open their line, as entries do."""
    alone = {label for reference in outline.references for label in reference.labels}
    linked: set[str] = set()
    for found in _NUMBERS_IN_BRACKETS.finditer(data, body.start):
        start = found.start()
        while start > body.start and data[start - 1] in _LINE_MARKS:
            start -= 1
        if start > body.start and data[start - 1] not in b"\r\n" and found.start() not in outline.code:
            numbers = linked if _LINKED.match(data, found.end()) else alone
            numbers.update(number.decode() for number in _NUMBER.findall(found[1]))
    return Used(frozenset(alone | linked), frozenset(linked - alone))


def _listed(bibliography: Bibliography, label: str) -> bool:
    return bool(bibliography.lookup(label))


def _inside(reference: Reference, regions: Regions) -> bool:
    return reference.span.start in regions and reference.span.end - 1 in regions


def _structure(
    outline: Outline, tags: tuple[Tag, ...], references: tuple[Reference, ...], marked: Regions
) -> Regions:
    """Where addresses and markers are part of a construct that is decided on as a whole.

    Tags that are markers or parts of them, in *marked*, are not among them.
    """
    spans: list[tuple[int, int]] = [definition.span for definition in outline.definitions]
    spans += [
        tag.span
        for tag in tags
        if tag.is_element
        and tag.well_formed
        and tag.span.start not in marked
        and not outline.code.touches(tag.span)
    ]
    for reference in references:
        if reference.kind in (Kind.AUTOLINK, Kind.MAIL) or reference.text is None:
            spans.append(reference.span)
        else:
            spans.append((reference.text.end, reference.span.end))
    return Regions(spans)


def _targets(markers: list[Reference]) -> list[tuple[int, int]]:
    """The parts of markers that do not stay."""
    spans: list[tuple[int, int]] = []
    for marker in markers:
        if marker.text is None:
            spans.append(marker.span)
        else:
            spans += [(marker.span.start, marker.text.start), (marker.text.end, marker.span.end)]
    return spans


def _standing_free(
    markers: list[Reference], references: tuple[Reference, ...], structure: Regions
) -> list[Reference]:
    """Markers that are no part of something else: of a tag, a definition, or a link's own brackets.

    So ``[1]`` in ``[text][1]`` and in ``[1](…)`` is none.
    """
    taken = structure.union(
        (reference.span.start, reference.text.start) for reference in references if reference.text is not None
    )
    return [marker for marker in markers if marker.text is not None or not taken.touches(marker.span)]


def _code_elements(tags: tuple[Tag, ...]) -> list[Span]:
    """What stands between ``<code>`` or ``<pre>`` and its end tag."""
    spans: list[Span] = []
    opened: dict[str, int] = {}
    for tag in tags:
        if tag.name not in ("code", "pre", "kbd", "samp"):
            continue
        if not tag.closing:
            opened.setdefault(tag.name, tag.span.end)
        elif tag.name in opened:
            spans.append(Span(opened.pop(tag.name), tag.span.start))
    return spans
