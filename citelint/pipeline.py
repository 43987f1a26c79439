"""The order of it all: plan, write, judge, render.

The only file that knows it. Every function here is pure: text and values in, values out.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import msgspec

from citelint.change import Change
from citelint.document import Document
from citelint.findings import to_findings
from citelint.manifest import Manifest, Source
from citelint.model import Finding, Span, Status
from citelint.planning import Answer, AnswerKind, Decisions, Plan, plan
from citelint.policy import Policy
from citelint.resolve import Verdict
from citelint.rules import Rule
from citelint.writing import Written, write

Form = Literal["fragment", "page", "md"]


class Report(msgspec.Struct, frozen=True):
    """What ``check`` says of an answer."""

    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    """The ids of the sources that are cited, in order of first use."""


class Result(msgspec.Struct, frozen=True):
    """What ``fix`` makes of an answer. A refused one has no text."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    changed: bool


class Rendered(msgspec.Struct, frozen=True):
    """What ``render`` makes of an answer. A refused one has no text."""

    text: str
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]


def check(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
) -> Report:
    """Say what is wrong with an answer. Its text is proven as ``fix`` would prove it, and not given out.

    *site_files* are the paths that relative links may lead to, *rules* the user's own, which only report.
    """
    policy = policy or Policy()
    planned = plan(Answer(text, manifest, policy, kind, site_files, rules), write_sources=False)
    written = write(planned, policy.readers)
    findings, status = _judge(planned, written, policy, rules)
    return Report(findings, status, _ids(planned.cited))


def fix(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
) -> Result:
    """The answer with what does not resolve gone and its sources written from the manifest.

    Raises :class:`~citelint.errors.InputError` for a text that cannot be read, and
    :class:`~citelint.errors.PostconditionError` when the result cannot be proven safe.
    """
    return fix_as_decided(Answer(text, manifest, policy or Policy(), kind, site_files, rules))


def fix_as_decided(answer: Answer, decisions: Decisions | None = None) -> Result:
    """:func:`fix`, with a test's *decisions* in place of the real ones if there are some."""
    planned = plan(answer, decisions)
    written = write(planned, answer.policy.readers)
    findings, status = _judge(planned, written, answer.policy, answer.rules)
    data = _disposed(written, planned.document, answer.policy, len(findings), status)
    return Result(data.decode(), findings, status, _ids(planned.cited), data != planned.document.data)


def render(
    text: str | bytes,
    manifest: Manifest,
    *,
    policy: Policy | None = None,
    kind: AnswerKind = "markdown",
    site_files: Container[str] = frozenset(),
    rules: tuple[Rule, ...] = (),
    to: Form = "fragment",
    title: str = "",
) -> Rendered:
    """The answer as safe HTML with its sources, or, with ``to="md"``, what ``fix`` writes.

    Raises what :func:`fix` raises.
    """
    policy = policy or Policy()
    if to == "md":
        fixed = fix(text, manifest, policy=policy, kind=kind, site_files=site_files, rules=rules)
        return Rendered(fixed.text, fixed.findings, fixed.status, fixed.cited)
    # HTML has one style of citation, whatever Markdown is to get.
    answer = Answer(text, manifest, msgspec.structs.replace(policy, footnotes="gfm"), kind, site_files, rules)
    planned = plan(answer, write_sources=False).without_own_tail()
    # mistune reads the text when it renders, and the gate judges what it made of it.
    others = tuple(reader for reader in policy.readers if reader != "mistune")
    written = write(planned, others, for_html=True)
    findings, status = _judge(planned, written, policy, rules)
    body = _disposed(written._replace(head=b""), planned.document, policy, len(findings), status)
    html = _html(body.decode(), planned, policy, status) if body else ""
    if html and to == "page":
        html = _page(html, manifest, policy, title)
    return Rendered(html, findings, status, _ids(planned.cited))


# Judging the whole


def _judge(
    planned: Plan, written: Written, policy: Policy, rules: tuple[Rule, ...]
) -> tuple[tuple[Finding, ...], Status]:
    status = Status.VERIFIED if planned.cited else Status.UNVERIFIED
    changes = written.changes
    if policy.required and not planned.cited:
        start = planned.document.body.start
        changes = (*changes, Change("CL407", Span(start, start)))
        status = Status.REJECTED
    return to_findings(planned.document, policy, changes, rules), status


def _disposed(written: Written, document: Document, policy: Policy, count: int, status: Status) -> bytes:
    """What is given out: of an answer that does not hold, what ``on-unverified`` says."""
    whole = written.head + written.body
    if status is not Status.REJECTED or policy.on_unverified == "strip":
        return whole
    if policy.on_unverified == "refuse":
        return b""
    from citelint.rendering.templates import unverified_notice, unverified_text

    newline = document.newline
    if policy.on_unverified == "replace":
        words = unverified_text(policy.language, count).strip()
        return words.encode().replace(b"\n", newline) + newline
    notice = unverified_notice(policy.language).strip().encode().replace(b"\n", newline)
    return whole if written.body.startswith(notice) else written.head + notice + newline * 2 + written.body


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


def _page(html: str, manifest: Manifest, policy: Policy, title: str) -> str:
    from citelint.rendering.page import page

    images = [
        url
        for source in manifest.sources
        if source.media_type.startswith("image/")
        for url in manifest.urls_of(source)
    ]
    return page(html, title=title or "Answer", image_sources=images, language=policy.language)
