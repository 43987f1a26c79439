"""Code that somebody may read as text, because parsers disagree on where it begins or ends.

The code itself keeps its bytes. What changes are the marks around it, and only where the code holds
something that would be a link, an image, a definition or a tag in prose: fences are written so that all
parsers see the same block, and backticks that pair with nothing are written as character references.
Old parsers take definitions out of code blocks as well, so nothing in prose may use such a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citelint.change import Change, replace
from citelint.model import Edit, Regions, Span
from citelint.patterns import pattern
from citelint.readers.markdown import Fence
from citelint.readers.reading import Reading

LIVE = pattern(rb"\]\(|\]:|\]\[|<[A-Za-z/!]|://|//[\w]|www\.|[\w]@[\w]|:\[", re.IGNORECASE)
"""What somebody could follow or fetch if it were text."""
LIVE_UNLINKED = pattern(rb"\]\(|\]:|\]\[|<[A-Za-z/!]")
"""… to parsers that link no bare addresses."""
_FENCE_LINE = pattern(rb"(?:^|(?<=[\r\n]))([ \t>\x0b\x0c]{0,64})(`{3,}|~{3,})([^\r\n]*)")
_BACKTICKS = pattern(rb"`++")
_DEFINED = pattern(rb"(?:^|(?<=[\r\n]))[ \t>]{0,64}\[([^\[\]\r\n]{1,200})\]:")


def check_code(reading: Reading, taken: Regions) -> Iterator[Change]:
    """The marks around code that would be dangerous as text; *taken* is what is removed already."""
    data, outline = reading.document.data, reading.outline
    live = [region for region in outline.code if LIVE.search(data, region.start, region.end)]
    if not live:
        return
    margin = {block.start for block in outline.blocks}
    for fence in outline.fences:
        if fence.span.start not in taken and LIVE.search(data, *fence.span):
            yield from _fence(data, fence, at_margin=fence.span.start in margin)
    yield from _lone_backticks(reading, live, taken)
    live = [region for region in live if LIVE_UNLINKED.search(data, region.start, region.end)]
    yield from _labels(reading, live, taken)
    yield from _own_labels(reading, live)


def _fence(data: bytes, fence: Fence, *, at_margin: bool) -> Iterator[Change]:
    lines = _fence_lines(data, fence.span)
    if not lines or lines[0].start(2) != fence.span.start:
        return
    opening, inside = lines[0], lines[1:]
    closing = inside.pop() if inside and _closes(opening, inside[-1], fence.span) else None
    longest = max((len(line[2]) for line in inside), default=2)
    runs = (
        len(run[0])
        for run in _BACKTICKS.finditer(data, opening.end(), closing.start() if closing else fence.span.end)
    )
    longest = max(longest, max(runs, default=2))
    marks = b"`" * max(3, longest + 1)
    equal = closing is not None and closing[2] == opening[2]
    touching = at_margin and _ends_a_definition(data, opening.start())
    agreed = opening[2][:1] == b"`" and len(opening[2]) > longest
    if equal and not touching and (agreed or not LIVE_UNLINKED.search(data, *fence.span)):
        return
    edits = [replace(opening.start(2), opening.end(2), b"\n" * touching + marks)]
    if closing is not None:
        edits.append(replace(closing.start(2), closing.end(2), marks))
    else:
        end = fence.span.end
        line = marks if at_margin else opening[1] + marks
        ended = data[end - 1 : end] in (b"\n", b"\r")
        edits.append(replace(end, end, line + b"\n" if ended else b"\n" + line))
    yield Change("CL304", Span(opening.start(2), opening.end(2)), tuple(edits), {"what": "a code fence"})


def _ends_a_definition(data: bytes, start: int) -> bool:
    """Whether the line before is the body of a definition, in which some would read on."""
    before = data[max(0, start - 1000) : start]
    line = before.rstrip(b"\r\n")
    blank = before[len(line) :].replace(b"\r\n", b"\n").count(b"\n") > 1
    return not blank and line.rpartition(b"\n")[2].lstrip().startswith(b":")


def _fence_lines(data: bytes, span: Span) -> list[re.Match[bytes]]:
    """The lines of a fenced block that look like fences, the opening one first, with its indentation."""
    start = max(data.rfind(b"\n", 0, span.start), data.rfind(b"\r", 0, span.start)) + 1
    return list(_FENCE_LINE.finditer(data, start, span.end))


def _closes(opening: re.Match[bytes], line: re.Match[bytes], block: Span) -> bool:
    """Whether *line* is the one that ends the block: the last, of the same marks and nothing else."""
    return (
        line.end() >= block.end - 2
        and line[2][:1] == opening[2][:1]
        and len(line[2]) >= len(opening[2])
        and not line[3].strip()
    )


def _lone_backticks(reading: Reading, live: list[Span], taken: Regions) -> Iterator[Change]:
    """Backticks outside code, where there are dangerous code spans: some parsers pair them over blocks."""
    data, outline = reading.document.data, reading.outline
    fences = Regions(fence.span for fence in outline.fences)
    if all(region.start in fences for region in live):
        return
    for run in _BACKTICKS.finditer(data, reading.document.body.start):
        if run.start() in outline.code or run.start() in taken:
            continue
        edit = Edit(Span(*run.span()), b"&#96;" * len(run[0]))
        yield Change("CL304", Span(*run.span()), (edit,), {"what": "a backtick that pairs with nothing"})


def open_fence(reading: Reading) -> bytes:
    """What closes the fence that is still open at the end, and would swallow what is written there."""
    fences, data = reading.outline.fences, reading.document.data
    if (
        not fences
        or fences[-1].span not in reading.outline.blocks[-1:]
        or data[fences[-1].span.end :].strip()
    ):
        return b""
    span = fences[-1].span
    lines = _fence_lines(data, span)
    if not lines or (len(lines) > 1 and _closes(lines[0], lines[-1], span)):
        return b""
    return lines[0][2]


def _own_labels(reading: Reading, live: list[Span]) -> Iterator[Change]:
    """Definitions in code of what citelint itself writes, which old parsers would believe."""
    data = reading.document.data
    for region in live:
        for found in _DEFINED.finditer(data, region.start, region.end):
            if found[1].startswith(b"^"):
                colon = found.end() - 1
                edit = replace(colon, colon + 1, " :")
                yield Change("CL304", Span(*found.span()), (edit,), {"what": "a definition in code"})


def _labels(reading: Reading, live: list[Span], taken: Regions) -> Iterator[Change]:
    """Uses, in prose, of labels that only code defines."""
    data, outline = reading.document.data, reading.outline
    labels = {
        b" ".join(found[1].split()).lower()
        for region in live
        for found in _DEFINED.finditer(data, region.start, region.end)
    }
    if not labels:
        return
    for found in re.finditer(rb"\[([^\[\]\r\n]{1,200})\]", data):
        start = found.start()
        if b" ".join(found[1].split()).lower() not in labels or start in outline.code or start in taken:
            continue
        yield Change(
            "CL304", Span(*found.span()), (replace(start, start + 1, "&#91;"),), {"what": "a label of code"}
        )
