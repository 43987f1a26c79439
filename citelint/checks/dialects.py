"""What a dialect makes a link or an element of, and CommonMark leaves as text: fields, directives, formulas.

Each is broken by one character reference, which shows the same; only in formulas, where references mean
nothing, a command is written as another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citelint.change import Change, replace
from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.reading import Reading
from citelint.readers.tags import elements

_FIELD = pattern(rb"(?:^|(?<=[\r\n]))[ \t>]{0,64}(:)(?=[^\s:][^\r\n]{0,400}//|//)")
"""``:name:`` begins a field; of ``:https://…`` or ``://…:`` it leaves an address without its scheme."""
_DIRECTIVE = pattern(rb"(:{1,16})([A-Za-z][A-Za-z0-9-]{0,31})(?=[\[{\s]|\Z)")
_LINKING = pattern(
    rb"\\(?=(?:href|url|includegraphics|html[A-Za-z]{0,16}|class|cssId|style|require)[ \t]{0,8}[{\[])"
)
_FORMULA_FENCES = frozenset({"math", "katex", "latex-math", "asciimath", "mathjax"})
_OLD_LINK = pattern(
    rb"\][ \t]{0,8}(?:\r\n|\n|[ \t])[ \t]{0,8}(\()(?=[^\s()]{0,400}[/:.#?%&][^\r\n]{0,400}\))"
)


def check_dialects(reading: Reading, taken: Regions) -> Iterator[Change]:
    """Syntax of dialects in prose and formulas; *taken* is what other checks already remove."""
    data, start = reading.document.data, reading.document.body.start
    if b"//" in data:
        yield from _escaped(reading, taken, _FIELD.finditer(data, start), "a field")
    directives = (found for found in _DIRECTIVE.finditer(data, start) if _is_element(found[2]))
    yield from _escaped(reading, taken, directives, "a directive named like an element")
    yield from _escaped(reading, taken, _OLD_LINK.finditer(data, start), "[…] (…)")
    if b"$" in data or b"\\" in data:
        yield from _formulas(reading, taken)


def _is_element(name: bytes) -> bool:
    lower = name.decode().lower()
    known = elements()
    return lower in known.raw or lower in known.other


def _escaped(
    reading: Reading, taken: Regions, matches: Iterator[re.Match[bytes]], what: str
) -> Iterator[Change]:
    data, outline = reading.document.data, reading.outline
    for found in matches:
        start, end = found.span(1)
        if any(start in region for region in (outline.code, outline.math, taken)):
            continue
        edit = replace(start, end, b"&#%d;" % data[start] * (end - start))
        yield Change("CL307", Span(start, end), (edit,), {"what": what})


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
