"""Markdown as CommonMark and GFM read it, with the byte range of everything that matters.

pyromark (pulldown-cmark) does the parsing. A document that has footnote syntax is read twice, with
footnotes on and off, because ``[^1]: https://…`` is a footnote to one renderer and the definition of
an image to another; both readings count, and only what *both* take for code is code.

What pulldown-cmark gives no event for is found here: the ``[]`` of a collapsed reference, and link
definitions, of which CommonMark honours the first and other parsers the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pyromark

from citelint.document import Document
from citelint.model import Kind, Reference, Regions, Span
from citelint.patterns import pattern

_PLAIN = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
)
_FOOTNOTES = _PLAIN | pyromark.Options.ENABLE_FOOTNOTES
_MATH = _FOOTNOTES | pyromark.Options.ENABLE_MATH

_CONTAINER_PREFIX = rb"[ \t>]*+(?:(?:(?:[-*+]|\d{1,9}[.)])[ \t>]|[:~])[ \t>]*+)*+"
_DEFINITION_START = pattern(
    rb"(?:^|(?<=[\r\n]))"
    + _CONTAINER_PREFIX
    + rb"(\[(?:(?:[^\[\]\\\r\n]|\\.)*+|[^\[\]\r\n]*+\[[^\[\]\r\n]*+(?:\](?=\]))?+)\]:)",
    re.DOTALL,
)
_TEX = ((b"\\(", b"\\)"), (b"\\[", b"\\]"))
_TEX_LENGTH = 1000


class Fence(msgspec.Struct, frozen=True):
    """A fenced code block."""

    span: Span
    info: str


class Definition(msgspec.Struct, frozen=True):
    """A link reference definition, ``[label]: url "title"``; ``target`` is empty for repeated ones."""

    span: Span
    label: str
    target: str


class Outline(msgspec.Struct, frozen=True):
    """What the CommonMark readings of a document have in common."""

    blocks: tuple[Span, ...]
    """The top-level blocks, in order."""
    code: Regions
    """Code spans and code blocks, in every reading."""
    fences: tuple[Fence, ...]
    indented: tuple[Span, ...]
    """Code blocks that nothing but their indentation makes code, from their first visible byte."""
    math: Regions
    """``$…$``, ``\\(…\\)`` and their display forms: no citation markers in there."""
    html: Regions
    """HTML blocks; tags inside paragraphs are found by :mod:`citelint.readers.tags`."""
    references: tuple[Reference, ...]
    """Links, images and autolinks, sorted by start; nested ones come after what holds them."""
    definitions: tuple[Definition, ...]
    stray_definitions: tuple[int, ...]
    """Where ``]:`` stands as if it ended a definition's label, in the middle of a paragraph."""


class _Reading:
    """One pass over pulldown-cmark's events."""

    def __init__(self, text: str, base: int, options: pyromark.Options) -> None:
        self.base = base
        self.blocks: list[Span] = []
        self.code: list[Span] = []
        self.fences: list[Fence] = []
        self.indented: list[Span] = []
        self.math: list[Span] = []
        self.html: list[Span] = []
        self.references: dict[tuple[int, int], Reference] = {}
        self._walk(text, options)

    def _walk(self, text: str, options: pyromark.Options) -> None:
        base = self.base
        depth = 0
        # Open links and images: [attributes, kind, start, end, content start, content end]
        open_links: list[list[Any]] = []
        # Text counts for nothing but where a link's begins and ends, so it may come in few pieces.
        for event, bounds in pyromark.events_with_range(text, options=options, merge_text=True):
            if type(event) is dict:
                if "End" in event:
                    depth -= 1
                    if open_links and event["End"] in ("Link", "Image"):
                        self._close(open_links.pop())
                    continue
                if depth and not open_links and "Text" in event:
                    continue
            elif depth and not open_links:
                continue
            start, end = bounds["start"] + base, bounds["end"] + base
            if depth == 0:
                self.blocks.append(Span(start, end))
            elif open_links:
                link = open_links[-1]
                if link[4] < 0:
                    link[4] = start
                link[5] = max(link[5], end)
            if type(event) is dict:
                depth += "Start" in event
                self._take(event, start, end, open_links)

    def _take(self, event: Any, start: int, end: int, open_links: list[list[Any]]) -> None:
        if "Start" in event:
            self._start(event["Start"], start, end, open_links)
        elif "Code" in event:
            self.code.append(Span(start, end))
        elif "InlineMath" in event or "DisplayMath" in event:
            self.math.append(Span(start, end))

    def _start(self, tag: Any, start: int, end: int, open_links: list[list[Any]]) -> None:
        if type(tag) is str:
            if tag == "HtmlBlock":
                self.html.append(Span(start, end))
            return
        name, attributes = next(iter(tag.items()))
        if name in ("Link", "Image"):
            open_links.append([attributes, name, start, end, -1, -1])
        elif name == "CodeBlock":
            self.code.append(Span(start, end))
            if attributes == "Indented":
                self.indented.append(Span(start, end))
            else:
                self.fences.append(Fence(Span(start, end), attributes["Fenced"]))

    def _close(self, link: list[Any]) -> None:
        attributes, tag, start, end, content_start, content_end = link
        form = attributes["link_type"]
        if form in ("Autolink", "Email"):
            kind = Kind.MAIL if form == "Email" else Kind.AUTOLINK
            text = Span(start + 1, end - 1)
        else:
            kind = Kind.LINK if tag == "Link" else Kind.IMAGE
            opening = start + (1 if tag == "Link" else 2)
            text = Span(opening, content_end) if content_start >= 0 else Span(opening, opening)
        self.references[(start, end)] = Reference(
            kind=kind,
            span=Span(start, end),
            target=attributes["dest_url"],
            text=text,
            labels=(attributes["id"],) if attributes["id"] else (),
            syntax=form.lower(),
        )


def read_markdown(document: Document) -> Outline:
    """Read the document's body. Linear in its size."""
    data, base = document.data, document.body.start
    text = data[base:].decode()
    reading = _Reading(text, base, _FOOTNOTES)
    code = Regions(reading.code)
    references = reading.references
    if "[^" in text:
        without = _Reading(text, base, _PLAIN)
        code = code.intersection(Regions(without.code))
        references = {**without.references, **references}
    math: list[Span] = []
    if "$" in text:
        math = _Reading(text, base, _MATH).math
    if "\\(" in text or "\\[" in text:
        math += _tex(data, base)
    definitions, stray = _definitions(data, base, text, code)
    return Outline(
        blocks=tuple(reading.blocks),
        code=code,
        fences=tuple(reading.fences),
        indented=tuple(span for span in reading.indented if span.start in code),
        math=Regions(math),
        html=Regions(reading.html),
        references=tuple(_with_brackets(data, references)),
        definitions=definitions,
        stray_definitions=stray,
    )


def _tex(data: bytes, base: int) -> Iterator[Span]:
    r"""``\(…\)`` and ``\[…\]`` within a paragraph; escaped brackets around a marker look the same."""
    for opening, closing in _TEX:
        start = data.find(opening, base)
        while start >= 0:
            end = data.find(closing, start + 2, start + _TEX_LENGTH)
            if end >= 0 and b"\n\n" not in data[start:end] and not data.startswith(b"cite", start + 2):
                yield Span(start, end + 2)
                start = data.find(opening, end + 2)
            else:
                start = data.find(opening, start + 2)


def _with_brackets(data: bytes, references: dict[tuple[int, int], Reference]) -> Iterator[Reference]:
    for key in sorted(references, key=lambda span: (span[0], -span[1])):
        reference = references[key]
        end = reference.span.end
        if reference.syntax.startswith("collapsed") and data[end : end + 2] == b"[]":
            yield msgspec.structs.replace(reference, span=Span(key[0], end + 2))
        else:
            yield reference


def _definitions(
    data: bytes, base: int, text: str, code: Regions
) -> tuple[tuple[Definition, ...], tuple[int, ...]]:
    """All link definitions, and the places that only look like one.

    The parser lists the first definition of each label. Any other line that starts like one is either
    a repetition, which no event covers, or text in a paragraph, which some parsers read all the same.
    """
    if "]:" not in text:
        return (), ()
    found: dict[int, Definition] = {}
    for options in (_FOOTNOTES, _PLAIN):
        for label, item in pyromark.reference_definitions(text, options=options).items():
            span = Span(item["span"]["start"] + base, item["span"]["end"] + base)
            found[span.start] = Definition(span, label, item["dest"])
    known = Regions(definition.span for definition in found.values())
    candidates = [
        match.start(1)
        for match in _DEFINITION_START.finditer(data, base)
        if match.start(1) not in code and match.start(1) not in known
    ]
    if not candidates:
        return tuple(found[start] for start in sorted(found)), ()
    prose = Regions(_inline_ranges(text, base))
    stray: list[int] = []
    for start in candidates:
        if start in prose:
            stray.append(data.index(b"]:", start))
        else:
            found[start] = Definition(Span(start, _definition_end(data, start)), "", "")
    return tuple(found[start] for start in sorted(found)), tuple(stray)


def _inline_ranges(text: str, base: int) -> Iterator[tuple[int, int]]:
    for event, bounds in pyromark.events_with_range(text, options=_PLAIN):
        if type(event) is not dict:
            continue
        tag = event.get("Start")
        starts_link = type(tag) is dict and ("Link" in tag or "Image" in tag)
        if starts_link or "Text" in event or "Html" in event or "InlineHtml" in event:
            yield bounds["start"] + base, bounds["end"] + base


def _definition_end(data: bytes, start: int) -> int:
    """The end of a repeated definition: what the parser says of it alone, else the end of its line."""
    lines = data[start : start + 4096].decode(errors="ignore")
    alone = pyromark.reference_definitions(lines, options=_PLAIN)
    for item in alone.values():
        if item["span"]["start"] == 0:
            return start + int(item["span"]["end"])
    line_end = re.compile(rb"[\r\n]|\Z").search(data, start)
    return line_end.start() if line_end else len(data)
