"""Code that some renderers read as text: by their rules it is none, or only a part of it is.

A block is code by its indentation to one parser and the rest of a quotation, a table's last line or the
body of a definition to another; a code span that goes over a line's end is cut in two where a dialect ends
the block there; a fence that is indented is none to Python-Markdown. Where such code holds something that
would be live as text, it is written so that all agree: with a fence at the margin, on one line, or, deep in
lists and quotations, as plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from citelint.change import Change, replace
from citelint.checks.code import LIVE, LIVE_UNLINKED
from citelint.defang import as_text
from citelint.document import Document
from citelint.model import Edit, Regions, Sink, Span
from citelint.patterns import pattern
from citelint.readers.markdown import Fence
from citelint.readers.reading import Reading
from citelint.resolve import Resolver

_BACKTICKS = pattern(rb"`++")
_LINE_END = pattern(rb"[ \t]*+(?:\r\n|\n|\r)[ \t>]*+")
_LINES = pattern(rb"[^\r\n]*+(?:\r\n|\n|\r|\Z)")
_DOLLARS = pattern(rb"(?:^|(?<=[\r\n]))[ \t>]{0,64}(\$\$)")
_RIVALS = pattern(rb"[$=^~]")
_COLUMNS = 4


def check_code_text(reading: Reading, resolver: Resolver, taken: Regions) -> Iterator[Change]:
    """Code that is live as text and not code to everybody; *taken* is what is removed already."""
    data, outline = reading.document.data, reading.outline
    if not len(outline.code):
        return

    def is_live(span: Span) -> bool:
        return LIVE.search(data, *span) is not None and not _only_leads_where_it_may(data, span, resolver)

    yield from _behind_the_mark(reading, is_live)
    blocks = {block.start for block in outline.blocks}
    for span in outline.indented:
        if span.start not in taken and is_live(span):
            edit = _fenced(reading, span) if span.start in blocks else _plain(data, span)
            yield _change(span, (edit,), "code that is only indented")
    fences = {fence.span.start: fence for fence in outline.fences}
    indented = {span.start for span in outline.indented}
    for region in outline.code:
        if region.start in taken or region.start in indented or not is_live(region):
            continue
        fence = fences.get(region.start)
        edits = _over_lines(data, region) if fence is None else ()
        if fence is not None and fence.span.start in blocks:
            edits = tuple(_at_margin(reading.document, fence))
        if edits:
            yield _change(region, edits, "code over several lines" if fence is None else "a fence indented")
    yield from _dollars(reading, taken)
    yield from _rivals(reading, [region for region in outline.code if is_live(region)], taken)


def _behind_the_mark(reading: Reading, is_live: Callable[[Span], bool]) -> Iterator[Change]:
    """A block on the line of a byte order mark, which some take for text: then nothing begins there."""
    document, outline = reading.document, reading.outline
    start = document.bom.end
    if not start or document.body.start != start or not outline.blocks:
        return
    block = outline.blocks[0]
    if document.line_start(block.start) == start and block.start in outline.code and is_live(block):
        edit = replace(start, start, document.newline)
        yield _change(Span(start, start), (edit,), "code behind a byte order mark")


def _only_leads_where_it_may(data: bytes, span: Span, resolver: Resolver) -> bool:
    """Whether the only things that are live in there are addresses, each a word of its own that resolves."""
    if LIVE_UNLINKED.search(data, *span):
        return False
    words = [word for word in data[span.start : span.end].split() if LIVE.search(word)]
    return all(resolver.allows(Sink("click", word.decode(), "a[href]")) for word in words)


def _change(span: Span, edits: tuple[Edit, ...], what: str) -> Change:
    return Change("CL304", span, edits, {"what": what})


def _fenced(reading: Reading, span: Span) -> Edit:
    """The block between fences, which nobody takes for a line of what stands before."""
    data, newline = reading.document.data, reading.document.newline
    start = reading.document.line_start(span.start)
    block = data[start : span.end]
    marks = b"`" * max(3, 1 + max((len(run[0]) for run in _BACKTICKS.finditer(block)), default=0))
    lines = b"".join(_dedented(line[0]) for line in _LINES.finditer(block))
    ended = lines.endswith((b"\n", b"\r"))
    return replace(
        start, span.end, marks + newline + lines + (b"" if ended else newline) + marks + newline * ended
    )


def _dedented(line: bytes) -> bytes:
    column = index = 0
    while column < _COLUMNS and line[index : index + 1] in (b" ", b"\t"):
        column += 1 if line[index] == 32 else _COLUMNS - column % _COLUMNS
        index += 1
    return line[index:]


def _plain(data: bytes, span: Span) -> Edit:
    """The block as text of what it stands in."""
    start = span.start
    while start and data[start - 1] in b" \t":
        start -= 1
    opens_line = not start or data[start - 1] in b"\r\n"
    pieces: list[str] = []
    for found in _LINES.finditer(data, span.start, span.end):
        line = found[0].decode()
        words = line.rstrip("\r\n")
        inner = words.lstrip(" \t>") if pieces else words
        quoted = words[: len(words) - len(inner)].rstrip(" \t") if pieces else ""
        indent = f"{quoted} " if quoted else "  " if pieces or opens_line else " "
        pieces.append((indent + as_text(inner) if inner else quoted) + line[len(words) :])
    return replace(start, span.end, "".join(pieces))


def _over_lines(data: bytes, span: Span) -> tuple[Edit, ...]:
    """A code span on one line; to a browser the line's end in it was a space already."""
    return tuple(replace(*found.span(), b" ") for found in _LINE_END.finditer(data, *span))


def _at_margin(document: Document, fence: Fence) -> Iterator[Edit]:
    """The block without the indentation of its fence."""
    data, start = document.data, document.line_start(fence.span.start)
    width = fence.span.start - start
    if not width or data[start : fence.span.start].strip(b" "):
        return
    for found in _LINES.finditer(data, start, fence.span.end):
        line = found[0][:width]
        indent = len(line) - len(line.lstrip(b" "))
        if indent:
            yield replace(found.start(), found.start() + indent, b"")


def _dollars(reading: Reading, taken: Regions) -> Iterator[Change]:
    """``$$`` on a line of its own that opens no formula to us, and to others one that hides a fence."""
    data, outline = reading.document.data, reading.outline
    if b"$$" not in data:
        return
    strays = [
        found.start(1)
        for found in _DOLLARS.finditer(data, reading.document.body.start)
        if not any(found.start(1) in region for region in (outline.math, outline.code, taken))
    ]
    for start, following in pairwise([*strays, len(data)]):
        if outline.code.touches((start, following)):
            edit = replace(start, start + 2, b"&#36;&#36;")
            yield _change(Span(start, start + 2), (edit,), "$$ without its end")


def _rivals(reading: Reading, live: list[Span], taken: Regions) -> Iterator[Change]:
    """Marks that, to some dialect, pair with one inside a code span and so take its backtick along."""
    data, outline = reading.document.data, reading.outline
    fences = Regions(fence.span for fence in outline.fences)
    spans = [span for span in live if span.start not in fences and _RIVALS.search(data, *span)]
    if not spans:
        return
    formulas = Regions(span for span in outline.math if not outline.code.touches(span))
    marks = {data[found.start()] for span in spans for found in _RIVALS.finditer(data, *span)}
    for found in _RIVALS.finditer(data, reading.document.body.start):
        start = found.start()
        if data[start] not in marks or any(start in one for one in (outline.code, formulas, taken)):
            continue
        edit = replace(start, start + 1, b"&#%d;" % data[start])
        yield _change(Span(start, start + 1), (edit,), "a mark that pairs with one in code")
