"""From a plan to a proven text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from citelint.change import Change
from citelint.checks.code import open_fence
from citelint.document import MAX_BYTES, Document
from citelint.errors import PostconditionError
from citelint.model import Edit, Span
from citelint.planning import Answer, Plan, plan
from citelint.quiet import is_quiet
from citelint.readback import prove
from citelint.rewrite import apply, with_tail


class Composed(NamedTuple):
    """A plan's edits made, its sources added; nobody has looked at it yet."""

    plan: Plan
    head: bytes
    """The byte order mark and the front matter."""
    body: bytes
    body_edits: list[Edit]
    """The edits of the body, from its start."""

    @property
    def text(self) -> bytes:
        """The whole new text."""
        return self.head + self.body


class Written(NamedTuple):
    """The new text in its two parts, and all changes, those included that the proof made necessary."""

    head: bytes
    body: bytes
    changes: tuple[Change, ...]

    @property
    def text(self) -> bytes:
        """The whole new text."""
        return self.head + self.body


class CarriedOut(NamedTuple):
    """A text on which another run would change nothing, and how it came about."""

    first: Plan
    """The plan of the answer as it came: its places are those that findings name."""
    last: Plan
    """The plan of the text as it is now: what it cites."""
    written: Written
    """The text as it is now, with the changes of the first round."""


def carry_out(
    answer: Answer, readers: tuple[str, ...], *, write_sources: bool = True, for_html: bool = False
) -> CarriedOut:
    """Plan and compose, again where an edit may have made something out of what stood around it; then prove.

    ``turn0search0//evil.example`` without the marker is another text than it was. Answers of honest models
    hardly ever need a second round. What the proof makes plain text is looked at once more as well.

    Raises what :func:`citelint.planning.plan` and :func:`~citelint.readback.prove` raise.
    """

    def composed(text: str | bytes) -> Composed:
        made = plan(answer._replace(text=text), write_sources=not for_html and write_sources)
        result = compose(made.without_own_tail() if for_html else made)
        if len(result.text) > MAX_BYTES:
            raise PostconditionError(
                f"what is safe to show takes {len(result.text):,} bytes; the limit is {MAX_BYTES:,}",
                help="split the answer into parts",
            )
        return result

    rounds = [composed(answer.text)]
    neutralised: list[Change] = []
    while True:
        while len(rounds) < _ROUNDS and not is_quiet(rounds[-1].plan):
            rounds.append(composed(rounds[-1].text))
            if rounds[-1].text == rounds[-2].text:
                break
        written = _proven(rounds, readers, for_html=for_html)
        neutralised += written.changes
        if not written.changes or len(rounds) >= _ROUNDS:
            break  # at rest, or refused below
        rounds.append(composed(written.text))
    if written.changes or (len(rounds) >= _ROUNDS and rounds[-1].text != rounds[-2].text):
        raise PostconditionError(
            "each time something is taken out, something else appears",
            help="an answer like that is made to be taken apart; do not show it",
        )
    first, last = rounds[0].plan, rounds[-1].plan
    if answer.policy.footnotes == "none":
        last = first  # what it cites cannot be seen any more
    changes = (*first.changes, *_uncovered(rounds), *neutralised)
    return CarriedOut(first, last, written._replace(changes=changes))


def _uncovered(rounds: list[Composed]) -> Iterator[Change]:
    """What only came to light when something else was gone, and is gone as well."""
    for index, composed in enumerate(rounds[1:], 1):
        planned = composed.plan
        base = planned.document.body.start
        for change in planned.changes:
            if change.edits and change.code != "CL112":
                start, end = max(0, change.span.start - base), max(0, change.span.end - base)
                span = _origin(Span(start, end), rounds[:index])
                yield msgspec.structs.replace(change, span=span, edits=())


_ROUNDS = 8


def compose(plan: Plan) -> Composed:
    """Make the plan's edits and add the sources."""
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
    closing = open_fence(plan.reading) if plan.tail else b""
    if closing:
        body = body.rstrip(b"\r\n") + document.newline + closing + document.newline
    text = with_tail(body, plan.tail, document.newline, was_last=removed_list)
    return Composed(plan, apply(document.data[:base], head_edits), text, body_edits)


def write(plan: Plan, readers: tuple[str, ...]) -> Written:
    """One round: a plan carried out and proven.

    Raises :class:`~citelint.errors.PostconditionError` when it cannot be proven safe.
    """
    written = _proven([compose(plan)], readers, for_html=False)
    return written._replace(changes=(*plan.changes, *written.changes))


def _proven(rounds: list[Composed], readers: tuple[str, ...], *, for_html: bool) -> Written:
    """The last round, in which every reader finds allowed sinks only, and what had to change for that."""
    plan, head, body, _ = rounds[-1]
    proven = prove(body, readers, plan.allows, for_html=for_html)
    changes = [
        Change("CL304", _origin(span, rounds), (), {"what": "written as plain text"})
        for span in proven.neutralised
    ]
    trusted = plan.resolver.policy.front_matter == "keep" and not plan.document.bom.end
    if head and not trusted and prove(head + proven.text, readers, plan.allows).neutralised:
        # Some renderers take a byte order mark or front matter for text, and what follows for something else.
        head = b""
        before = Span(0, rounds[0].plan.document.body.start)
        changes.append(Change("CL304", before, (), {"what": "what stands before the text, removed"}))
    return Written(head, proven.text, tuple(changes))


def _origin(span: Span, rounds: list[Composed]) -> Span:
    """Where a place of the last body was in the document as it came."""
    start, end = span
    for composed in reversed(rounds):
        start, end = _back(start, composed), _back(end, composed)
    document: Document = rounds[0].plan.document
    start = min(start + document.body.start, len(document.data))
    return Span(start, max(start, min(end + document.body.start, len(document.data))))


def _back(offset: int, composed: Composed) -> int:
    """An offset of the body before these edits, for one after them."""
    starts: list[int] = []
    shifts: list[int] = []
    shift = 0
    for edit in composed.body_edits:
        starts.append(edit.span.start + shift)
        shift += len(edit.replacement) - (edit.span.end - edit.span.start)
        shifts.append(shift)
    index = bisect_right(starts, offset) - 1
    return max(0, offset - shifts[index]) if index >= 0 else offset
