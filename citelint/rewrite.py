"""Edits on the original bytes. What no edit covers is copied, so nothing else can move."""

from __future__ import annotations

import html
from collections.abc import Iterable

from citelint.defang import as_text
from citelint.model import Edit, Span


def settle(proposed: Iterable[Edit]) -> list[Edit]:
    """The edits of all changes, sorted, without overlaps: the outermost wins.

    Where two overlap only partly, both are removals of something that must not stay, and their union goes.
    What is inserted where another edit begins stands before it and is kept.
    """
    edits = sorted(
        proposed, key=lambda edit: (edit.span.start, edit.span.end > edit.span.start, -edit.span.end)
    )
    settled: list[Edit] = []
    for edit in edits:
        if not settled or edit.span.start >= settled[-1].span.end:
            if settled and edit.span == settled[-1].span:
                continue
            settled.append(edit)
        elif edit.span.end > settled[-1].span.end:
            last = settled[-1]
            settled[-1] = Edit(Span(last.span.start, edit.span.end), last.replacement)
    return settled


def apply(data: bytes, edits: list[Edit]) -> bytes:
    """*data* with the edits made; they must be sorted and must not overlap."""
    pieces: list[bytes] = []
    position = 0
    for span, replacement in edits:
        if span.start < position:
            raise ValueError(f"edits overlap at byte {span.start}")
        pieces += (data[position : span.start], replacement)
        position = span.end
    pieces.append(data[position:])
    return b"".join(pieces)


def with_tail(text: bytes, tail: str, newline: bytes, *, was_last: bool) -> bytes:
    """*text* with the rendered sources at its end, in the document's own newlines.

    ``was_last`` says that what stood at the end was removed, so that the blank lines before it go as well.
    A final newline is there afterwards exactly if it was there before.
    """
    final = newline if text.endswith((b"\n", b"\r")) else b""
    body = text.rstrip(b" \t\r\n") if tail or was_last else text
    if not tail:
        return body + final if was_last and body else text if not was_last else body
    if not body:
        return tail.encode().replace(b"\n", newline) + final
    return body + newline * 2 + tail.encode().replace(b"\n", newline) + final


def as_plain_text(block: bytes) -> bytes:
    """A block of Markdown as text: every line shows as it is written and means nothing to any parser.

    What is such text already stays as it is.
    """
    text = block.decode()
    lines = text.splitlines(keepends=True)
    return "".join(_plain_line(line) for line in lines).encode()


def _plain_line(line: str) -> str:
    content = line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    ending = line[len(content) :]
    inner = content.lstrip(" \t")
    indent = content[: len(content) - len(inner)][:3].replace("\t", " ")
    if inner and as_text(html.unescape(inner)) == inner:
        return indent + inner + ending
    return indent + as_text(inner) + ending
