"""From a plan to a proven text."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from citelint.change import Change
from citelint.document import Document
from citelint.model import Edit, Span
from citelint.planning import Plan
from citelint.readback import prove
from citelint.rewrite import apply, with_tail


class Written(NamedTuple):
    """The new text in its two parts, and all changes, those included that the proof made necessary."""

    head: bytes
    """The byte order mark and the front matter."""
    body: bytes
    changes: tuple[Change, ...]


def write(plan: Plan, readers: tuple[str, ...], *, for_html: bool = False) -> Written:
    """Make the plan's edits, add the sources, and have every reader look at the result.

    Raises :class:`~citelint.errors.PostconditionError` when it cannot be proven safe.
    """
    document = plan.document
    base = document.body.start
    head_edits = [edit for edit in plan.edits if edit.span.end <= base]
    body_edits = [
        Edit(Span(span.start - base, span.end - base), replacement)
        for span, replacement in plan.edits[len(head_edits) :]
    ]
    body = apply(document.data[base:], body_edits)
    last_edit = body_edits[-1].span.end + base if body_edits else 0
    removed_list = plan.list_was_last and last_edit >= len(document.data.rstrip())
    text = with_tail(body, plan.tail, document.newline, was_last=removed_list)
    proven = prove(text, readers, plan.allows, for_html=for_html)
    changes = [
        Change("CL304", _origin(span, body_edits, document), (), {"what": "written as plain text"})
        for span in proven.neutralised
    ]
    head = apply(document.data[:base], head_edits)
    front_matter = head[document.bom.end :]
    if front_matter and prove(front_matter + proven.text, readers, plan.allows).neutralised:
        # Some renderers take front matter for text, and what follows it for something else.
        head = head[: document.bom.end]
        changes.append(Change("CL304", document.front_matter, (), {"what": "front matter, removed"}))
    return Written(head, proven.text, (*plan.changes, *changes))


def _origin(span: Span, edits: list[Edit], document: Document) -> Span:
    """Where a place of the new body was in the document."""
    starts: list[int] = []
    shifts: list[int] = []
    shift = 0
    for edit in edits:
        starts.append(edit.span.start + shift)
        shift += len(edit.replacement) - (edit.span.end - edit.span.start)
        shifts.append(shift)

    def back(offset: int) -> int:
        index = bisect_right(starts, offset) - 1
        before = offset - shifts[index] if index >= 0 else offset
        return max(0, min(before + document.body.start, len(document.data)))

    start = back(span.start)
    return Span(start, max(start, back(span.end)))
