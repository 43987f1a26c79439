"""The order of it all: plan, write, judge, render.

The only file that knows it. Every function here is pure: text and values in, values out.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from citelint.change import Change
from citelint.errors import InputError, PolicyError
from citelint.findings import to_findings
from citelint.manifest import Manifest, Source
from citelint.model import Finding, Span, Status
from citelint.planning import Answer, AnswerKind, Plan
from citelint.policy import Policy
from citelint.resolve import Verdict
from citelint.rules import Rule
from citelint.writing import CarriedOut, carry_out

if TYPE_CHECKING:
    from citelint.html_pipeline import HtmlDone

Form = Literal["fragment", "page", "md"]


class Report(msgspec.Struct, frozen=True):
    """What ``check`` says of an answer."""

    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    """The ids of the sources that are cited, in order of first use."""
    refused: bool = False
    """Whether the answer is held back: ``fix`` and ``render`` give no text for it."""


class Result(msgspec.Struct, frozen=True):
    """What ``fix`` makes of an answer. A refused one has no text and counts as unchanged."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    changed: bool
    refused: bool = False


class Rendered(msgspec.Struct, frozen=True):
    """What ``render`` makes of an answer. A refused one has no text."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    refused: bool = False


def check(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
    select: str = "",
) -> Report:
    """Say what is wrong with an answer. Its text is proven as ``fix`` would prove it, and not given out.

    *site_files* are the paths that relative links may lead to, *rules* the user's own, which only report.
    *select* is for HTML pages of a site: a CSS selector of the elements in them that hold answers.
    """
    policy = Policy() if policy is None else policy
    answer = Answer(text, manifest, policy, kind, site_files, rules)
    if _is_html(kind, select):
        html = _html_answer(answer, select)
        return Report(html.findings, html.status, html.cited, html.refused)
    done = carry_out(answer, policy.readers, write_sources=False)
    findings, status = _judge(done, answer)
    return Report(findings, status, _ids(done.last.cited), _is_refused(status, policy))


def fix(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
    select: str = "",
) -> Result:
    """The answer with what does not resolve gone and its sources written from the manifest.

    A page of HTML comes back as a page of citelint's own; with *select* it stays the site's page, in which
    only what stands in the selected elements is written anew.

    Raises :class:`~citelint.errors.InputError` for a text that cannot be read, and
    :class:`~citelint.errors.PostconditionError` when the result cannot be proven safe.
    """
    answer = Answer(text, manifest, Policy() if policy is None else policy, kind, site_files, rules)
    if _is_html(kind, select):
        html = _html_answer(answer, select)
        changed = html.text.encode() != html.before and not html.refused
        return Result(html.text, html.findings, html.status, html.cited, changed, html.refused)
    done = carry_out(answer, answer.policy.readers)
    findings, status = _judge(done, answer)
    before, after = done.first.document.data, _disposed(done, answer.policy, status)
    refused = _is_refused(status, answer.policy)
    changed = after != before and not refused
    return Result(after.decode(), findings, status, _ids(done.last.cited), changed, refused)


def render(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
    select: str = "",
    to: Form = "fragment",
    title: str = "",
) -> Rendered:
    """The answer as safe HTML with its sources, or, with ``to="md"``, what ``fix`` writes.

    Raises what :func:`fix` raises.
    """
    policy = Policy() if policy is None else policy
    if to not in get_args(Form):
        raise InputError(f"to={to!r:.40} is not known", help=f"one of {', '.join(get_args(Form))}")
    if _is_html(kind, select):
        if to == "md":
            raise InputError(
                "an HTML answer cannot be rendered as Markdown", help="take to='fragment' or to='page'"
            )
        html = _html_answer(Answer(text, manifest, policy, kind, site_files, rules), select, to, title)
        return Rendered(html.text, html.findings, html.status, html.cited, html.refused)
    if to == "md":
        fixed = fix(text, manifest, policy=policy, kind=kind, site_files=site_files, rules=rules)
        return Rendered(fixed.text, fixed.findings, fixed.status, fixed.cited, fixed.refused)
    # HTML has one style of citation, whatever Markdown is to get.
    answer = Answer(text, manifest, msgspec.structs.replace(policy, footnotes="gfm"), kind, site_files, rules)
    # mistune reads the text when it renders, and the gate judges what it made of it.
    others = tuple(reader for reader in policy.readers if reader != "mistune")
    try:
        return _rendered(answer, policy, others, to, title)
    except PolicyError:
        raise
    except Exception:  # noqa: BLE001 - mistune fell over it, or it nests too deep: then mistune has a say before
        return _rendered(answer, policy, policy.readers, to, title)


def _rendered(answer: Answer, policy: Policy, readers: tuple[str, ...], to: Form, title: str) -> Rendered:
    done = carry_out(answer, readers, for_html=True)
    findings, status = _judge(done, answer)
    done = done._replace(written=done.written._replace(head=b""))
    body = _disposed(done, policy, status)
    html = _html(body.decode(), done.last, policy, status) if body else ""
    if html and to == "page":
        from citelint.rendering.page import answer_page

        html = answer_page(html, answer.manifest, policy, title)
    return Rendered(html, findings, status, _ids(done.last.cited), _is_refused(status, policy))


def _is_html(kind: AnswerKind, select: str) -> bool:
    if select and kind != "html":
        raise InputError("elements can be selected in HTML only", help="leave out --select for Markdown")
    return kind == "html"


# Judging the whole


def _judge(done: CarriedOut, answer: Answer) -> tuple[tuple[Finding, ...], Status]:
    document, policy, cited = done.first.document, answer.policy, done.last.cited
    status = Status.VERIFIED if cited else Status.UNVERIFIED
    changes = done.written.changes
    if policy.required and not cited:
        start = document.body.start
        changes = (*changes, Change("CL407", Span(start, start)))
        status = Status.REJECTED
    return to_findings(document, policy, changes, answer.rules), status


def _is_refused(status: Status, policy: Policy) -> bool:
    return status is Status.REJECTED and policy.on_unverified == "refuse"


def _disposed(done: CarriedOut, policy: Policy, status: Status) -> bytes:
    """What is given out: of an answer that does not hold, what ``on-unverified`` says."""
    written, newline = done.written, done.first.document.newline
    if status is not Status.REJECTED or policy.on_unverified == "strip":
        return written.text
    if policy.on_unverified == "refuse":
        return b""
    from citelint.rendering.templates import unverified_notice, unverified_text

    if policy.on_unverified == "replace":
        words = unverified_text(policy.language).strip()
        return words.encode().replace(b"\n", newline) + newline
    notice = unverified_notice(policy.language).strip().encode().replace(b"\n", newline)
    return (
        written.text
        if written.body.startswith(notice)
        else written.head + notice + newline * 2 + written.body
    )


def _ids(sources: tuple[Source, ...]) -> tuple[str, ...]:
    return tuple(source.id for source in sources)


# HTML


def _html(markdown: str, planned: Plan, policy: Policy, status: Status) -> str:
    from citelint.rendering.answer import answer_html

    resolver = planned.resolver

    def allow(tag: str, _attribute: str, value: str) -> str | None:
        decision = (resolver.image if tag == "img" else resolver.address)(value)
        return None if decision.verdict is Verdict.REJECTED else decision.written

    cited = () if status is Status.REJECTED else planned.cited
    return answer_html(markdown, cited, policy, allow)


def _html_answer(answer: Answer, select: str, to: str = "", title: str = "") -> HtmlDone:
    from citelint.html_pipeline import carry_out_html

    return carry_out_html(answer, select, to=to, title=title)
