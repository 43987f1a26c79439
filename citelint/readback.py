"""The proof: what was written is read by every parser of the policy, and each sink must be allowed.

Parsers differ, so an address may come alive that no reference of the CommonMark reading held. The block
it is in is then found by halving, and written as plain text. If a sink is still there after that, the
caller gets a :class:`~citelint.errors.PostconditionError` and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import NamedTuple

import pyromark

from citelint.errors import PostconditionError
from citelint.model import Edit, Sink, Span
from citelint.readers.witnesses import witness
from citelint.rendering.limits import too_hard
from citelint.rewrite import apply, as_plain_text

Allows = Callable[[Sink], bool]
_ROUNDS = 4
_NATIVE = frozenset({"commonmark", "gfm"})
"""Readers that take linear time whatever they are given."""
_BLOCKS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)


class Proven(NamedTuple):
    """A text in which every reader finds allowed sinks only."""

    text: bytes
    neutralised: tuple[Span, ...]
    """The blocks of the text as it came that had to become plain text."""


def prove(text: bytes, readers: Sequence[str], allows: Allows, *, for_html: bool = False) -> Proven:
    """Read *text* back, and neutralise the blocks in which a reader finds what is not allowed.

    Blocks that would take a reader written in Python too long are neutralised before one sees them.
    *for_html* says that the text goes through mistune and the gate afterwards.

    Raises :class:`~citelint.errors.PostconditionError` when that is not enough.
    """
    hard = too_hard(text) if for_html or not _NATIVE.issuperset(readers) else []
    neutralised = [
        Edit(span, plain)
        for span in hard
        if (plain := as_plain_text(text[span.start : span.end])) != text[span.start : span.end]
    ]
    current = apply(text, neutralised)
    for _ in range(_ROUNDS):
        suspicious = [reader for reader in readers if _foreign_sinks(current, reader, allows)]
        if not suspicious:
            return Proven(current, tuple(edit.span for edit in neutralised))
        blocks = _blocks(text)
        culprits = {
            block for reader in suspicious for block in _culprits(text, neutralised, blocks, reader, allows)
        }
        neutralised = _with(text, neutralised, culprits)
        current = apply(text, neutralised)
    raise PostconditionError(
        "an address that nothing vouches for could not be removed",
        help="this is a fault of citelint; please report it with the answer that shows it",
    )


def _foreign_sinks(text: bytes, reader: str, allows: Allows) -> bool:
    """Whether that reader finds a sink that is not allowed, or HTML too deep for anybody to look at."""
    read = witness(reader)
    try:
        html = read(text.decode())
    except Exception:  # noqa: BLE001 - a parser that falls over a text cannot vouch for it
        return True
    try:
        plain = reader not in _WRITES_ATTRIBUTES and not _RAW_HTML.search(text)
        if plain and all(allows(sink) for sink in _written_sinks(html)):
            return False
        from citelint.rendering.gate import list_sinks  # the parser behind it loads slowly

        return any(not allows(sink) for sink in list_sinks(html))
    except PostconditionError:  # nested too deep
        return True


_WRITES_ATTRIBUTES = frozenset({"python-markdown"})
"""Readers whose Markdown can give a tag any attribute."""
_RAW_HTML = re.compile(rb"<(?!https?://[^\s<>\"'`]*+>)[A-Za-z/!?]")
_ADDRESSES = re.compile(r" (href|src)=\"([^\"]*+)\"")


def _written_sinks(html: str) -> Iterator[Sink]:
    """The addresses that a renderer wrote for a text in which nothing can be taken for raw HTML.

    All tags are its own then, with addresses in these two attributes only. Quotation marks in text may look
    like more of them, never like fewer, so "all are allowed" is certain and anything else a second look.
    """
    for attribute, address in set(_ADDRESSES.findall(html)):
        yield Sink("click" if attribute == "href" else "auto", unescape(address), attribute)


def _blocks(text: bytes) -> list[Span]:
    """The top-level blocks, each with what follows it up to the next."""
    starts = [0]
    depth = 0
    for event, bounds in pyromark.events_with_range(text.decode(), options=_BLOCKS):
        if type(event) is dict and "End" in event:
            depth -= 1
            continue
        if depth == 0 and bounds["start"] > starts[-1]:
            starts.append(bounds["start"])
        if type(event) is dict and "Start" in event:
            depth += 1
    return [Span(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _culprits(
    text: bytes, made: list[Edit], blocks: Sequence[Span], reader: str, allows: Allows
) -> list[Span]:
    """The blocks that show the sink on their own; all of a range whose halves do not show it."""

    def shows(part: Sequence[Span]) -> bool:
        return bool(part) and _foreign_sinks(_part(text, made, part), reader, allows)

    found: list[Span] = []
    pending = [blocks]
    while pending:
        part = pending.pop()
        if len(part) == 1:
            found.append(part[0])
            continue
        middle = len(part) // 2
        halves = [half for half in (part[:middle], part[middle:]) if shows(half)]
        if halves:
            pending += halves
        else:
            found += part
    return found


def _part(text: bytes, made: list[Edit], part: Sequence[Span]) -> bytes:
    start, end = part[0].start, part[-1].end
    inside = [
        Edit(Span(span.start - start, span.end - start), replacement)
        for span, replacement in made
        if start <= span.start and span.end <= end
    ]
    return apply(text[start:end], inside)


def _with(text: bytes, made: list[Edit], culprits: set[Span]) -> list[Edit]:
    """The edits that neutralise these blocks as well; a block that stays bad despite it goes."""
    already = {edit.span for edit in made if edit.replacement}
    edits = [
        Edit(span, b"" if span in already else as_plain_text(text[span.start : span.end]))
        for span in culprits
    ]
    kept = [
        edit
        for edit in made
        if not any(span.start <= edit.span.start and edit.span.end <= span.end for span in culprits)
    ]
    return sorted([*kept, *edits], key=lambda edit: edit.span.start)
