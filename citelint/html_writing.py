"""From an HTML answer to HTML that everybody reads alike.

Parsers differ on broken HTML, so what was read is not what a browser would make of it. What the gate has
written is read by all of them in one way; so that is read and written again until it stays the same.
"""

from __future__ import annotations

from typing import NamedTuple

from citelint.change import Change
from citelint.errors import PostconditionError
from citelint.html_planning import HtmlPlan, plan_html
from citelint.manifest import Source
from citelint.model import Edit, Span
from citelint.planning import Answer
from citelint.readers.html_page import HtmlSource, read_source
from citelint.rendering.html_answer import Allow, as_text, must_agree, write_html
from citelint.rendering.nesting import TooDeep, check_nesting
from citelint.resolve import Resolver, Verdict
from citelint.rewrite import apply

_ROUNDS = 6


class HtmlWritten(NamedTuple):
    """One answer, on which another run would change nothing, and how it came about."""

    html: str
    changes: tuple[Change, ...]
    cited: tuple[Source, ...]
    """The sources that are cited, in order of first use."""
    allow: Allow
    """What it may lead to."""
    content: Span
    """Where it was in the text as it came."""


def write_answer(data: bytes, source: HtmlSource, content: Span, answer: Answer) -> HtmlWritten:
    """Write the answer that stands in *content*, again until nothing changes any more.

    Raises :class:`~citelint.errors.PostconditionError` when it does not come to rest, or when a second
    sanitizer finds something to remove (CL303).
    """
    before = data[content.start : content.end].decode()
    try:
        check_nesting(before)
        plan, html = _round(data, source, content, answer)
    except TooDeep:
        return _too_deep(before, content)
    first = plan
    later: list[Change] = []
    rounds = 1
    while html != before:
        if rounds == _ROUNDS:
            raise PostconditionError(
                "each time it is written, it reads as something else",
                help="an answer like that is made to be taken apart; do not show it",
            )
        rounds += 1
        before = html
        written = html.encode()
        try:
            plan, html = _round(written, read_source(written), Span(0, len(written)), answer)
        except TooDeep:
            return _too_deep(before, content)
        later += plan.changes
    must_agree(html, allow_of(plan.resolver))
    changes = (*first.changes, *_rewritten_lists(data, first, html, content), *_unseen(first, later, content))
    return HtmlWritten(html, changes, plan.cited, allow_of(plan.resolver), content)


def allow_of(resolver: Resolver) -> Allow:
    """What the gate asks about addresses."""

    def allow(tag: str, _attribute: str, value: str) -> str | None:
        decision = (resolver.image if tag == "img" else resolver.address)(value)
        return None if decision.verdict is Verdict.REJECTED else decision.written

    return allow


def _round(data: bytes, source: HtmlSource, content: Span, answer: Answer) -> tuple[HtmlPlan, str]:
    plan = plan_html(data, source, content, answer)
    edits = [
        Edit(Span(span.start - content.start, span.end - content.start), replacement)
        for span, replacement in plan.edits
    ]
    edited = apply(data[content.start : content.end], edits).decode()
    return plan, write_html(edited, plan.cited, answer.policy, allow_of(plan.resolver), own=plan.own)


def _too_deep(text: str, content: Span) -> HtmlWritten:
    """The whole of it as text. Nothing in there is a link, a picture or a citation."""
    from citelint.rendering.gate import clean

    def allow(_tag: str, _attribute: str, _value: str) -> None:
        return None

    html = clean(as_text(text), allow)
    place = Span(content.start, content.start)
    change = Change("CL301", place, (), {"what": "elements that nest too deep, shown as text"})
    return HtmlWritten(html, (change,), (), allow, content)


def _rewritten_lists(data: bytes, first: HtmlPlan, html: str, content: Span) -> list[Change]:
    """Lists of sources that do not come back as they were, or are still to be written."""
    spans = [span for span in first.sources if data[span.start : span.end].decode() not in html]
    if first.cited and not first.sources and not first.changes:
        spans.append(Span(content.end, content.end))
    values = {"what": "the list of sources", "source": ", ".join(source.id for source in first.cited)}
    return [Change("CL112", span, (), values) for span in spans]


def _unseen(first: HtmlPlan, later: list[Change], content: Span) -> list[Change]:
    """What only came to light when the answer had been written once; nobody knows where it was."""
    known = {(change.code, change.address) for change in first.changes}
    place = Span(content.start, content.start)
    unseen = {
        (change.code, change.address): Change(change.code, place, (), change.values, change.address)
        for change in later
    }
    return [change for key, change in unseen.items() if key not in known]
