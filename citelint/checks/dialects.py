"""What a dialect makes a link or an element of, and CommonMark leaves as text: fields, directives, formulas.

Each is broken by one character reference, which shows the same; only in formulas, where references mean
nothing, a command is written as another one.
"""

from __future__ import annotations

from collections.abc import Iterator

from citelint.change import Change, replace
from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.reading import Reading
from citelint.readers.tags import elements

_FIELD = pattern(rb":(?<![^\s>]:)(?=(?:[^\s:][^\r\n]{0,400})?//)")
"""``:name:`` begins a field; of ``:https://…`` or ``://…:`` it leaves an address without its scheme."""
_DIRECTIVE = pattern(rb":([A-Za-z][A-Za-z0-9-]{0,31})(?=[\[{\s]|\Z)")
_LINKING = pattern(
    rb"\\(?=(?:href|url|includegraphics|html[A-Za-z]{0,16}|class|cssId|style|require)[ \t]{0,8}[{\[])"
)
_FORMULA_FENCES = frozenset({"math", "katex", "latex-math", "asciimath", "mathjax"})
_OLD_LINK = pattern(rb"\][ \t]{0,8}(?:\r\n|\n|[ \t])[ \t]{0,8}(\()([^\s`]{1,800}+)")
"""A blank between text and address was once allowed; a word in parentheses is text far more often."""
_ADDRESS_MARKS = frozenset(b"/:.#?%&")


def check_dialects(reading: Reading, taken: Regions) -> Iterator[Change]:
    """Syntax of dialects in prose and formulas; *taken* is what other checks already remove."""
    data, start = reading.document.data, reading.document.body.start
    fields = (found.start() for found in _FIELD.finditer(data, start) if _opens_line(data, found.start()))
    yield from _escaped(reading, taken, fields, "a field")
    directives = (found.start() for found in _DIRECTIVE.finditer(data, start) if _is_element(found[1]))
    yield from _escaped(reading, taken, directives, "a directive named like an element")
    old_links = (
        found.start(1)
        for found in _OLD_LINK.finditer(data, start)
        if not _ADDRESS_MARKS.isdisjoint(found[2].partition(b")")[0])
    )
    yield from _escaped(reading, taken, old_links, "[…] (…)")
    if b"$" in data or b"\\" in data:
        yield from _formulas(reading, taken)


def _is_element(name: bytes) -> bool:
    lower = name.decode().lower()
    known = elements()
    return lower in known.raw or lower in known.other


def _opens_line(data: bytes, at: int) -> bool:
    before = data[max(0, at - 64) : at].rstrip(b" \t>")
    return not before or before.endswith((b"\n", b"\r"))


def _escaped(reading: Reading, taken: Regions, places: Iterator[int], what: str) -> Iterator[Change]:
    """The characters at these places as references, colons with those that stand before them."""
    data, outline = reading.document.data, reading.outline
    for at in places:
        start = at
        while data[start] == ord(":") and data[start - 1 : start] == b":":
            start -= 1
        if any(start in region for region in (outline.code, outline.math, taken)):
            continue
        edit = replace(start, at + 1, b"&#%d;" % data[at] * (at + 1 - start))
        yield Change("CL307", Span(start, at + 1), (edit,), {"what": what})


def _formulas(reading: Reading, taken: Regions) -> Iterator[Change]:
    """Commands that link or load where somebody may see a formula; in code, if it is marked as one."""
    data, outline = reading.document.data, reading.outline
    formulas = Regions(
        [fence.span for fence in outline.fences if fence.info.strip().lower() in _FORMULA_FENCES]
        + [
            span
            for span in outline.code
            if data[span.start - 1 : span.start] == data[span.end : span.end + 1] == b"$"
        ]
    )
    for found in _LINKING.finditer(data, reading.document.body.start):
        start = found.start()
        if start in taken or (start in outline.code and start not in formulas):
            continue
        end = start + 1
        while data[end : end + 1].isalpha():
            end += 1
        yield Change(
            "CL307", Span(start, end), (replace(start, end, b"\\text"),), {"what": "a formula that links"}
        )
