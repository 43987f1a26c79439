"""The order of it all for HTML: decode, find the answers, plan and write each, judge, put them back.

What :mod:`citelint.pipeline` is for Markdown, and called by it. Pure: text and values in, values out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citelint.change import Change
from citelint.checks.html_site import PageSinks, check_site
from citelint.checks.html_tags import check_html_tags
from citelint.defang import break_tokens
from citelint.document import Document
from citelint.errors import InputError, PostconditionError
from citelint.findings import to_findings
from citelint.html_writing import HtmlWritten, write_answer
from citelint.model import Edit, Finding, Regions, Span, Status
from citelint.planning import Answer
from citelint.policy import Policy
from citelint.readers.html_encoding import decode_html
from citelint.readers.html_page import HtmlSource, read_source
from citelint.rewrite import apply


class HtmlDone(NamedTuple):
    """What became of an HTML answer."""

    before: bytes
    """The bytes as they came."""
    text: str
    """What is given out; nothing of an answer that is refused."""
    findings: tuple[Finding, ...]
    status: Status
    cited: tuple[str, ...]
    refused: bool


class _Site(NamedTuple):
    """The text as it came, and where in it the answers are."""

    document: Document
    source: HtmlSource
    contents: Sequence[Span]
    selected: bool


def carry_out_html(answer: Answer, select: str = "", *, to: str = "", title: str = "") -> HtmlDone:
    """All of it. *to* is ``fragment`` or ``page``; without it a page stays a page and a part stays a part.

    Raises what :func:`citelint.pipeline.fix` raises.
    """
    site = _read(answer, select)
    policy = answer.policy
    title = title or break_tokens(site.source.title)
    written = [write_answer(site.document.data, site.source, content, answer) for content in site.contents]
    around = _around(site, answer, title)
    undeclared = site.selected and bool(around)
    changes = [*around, *(change for one in written for change in one.changes)]
    status = Status.VERIFIED if all(one.cited for one in written) else Status.UNVERIFIED
    for one in written:
        if policy.required and not one.cited:
            changes.append(Change("CL407", Span(one.content.start, one.content.start)))
            status = Status.REJECTED
    status = Status.REJECTED if undeclared else status
    refused = undeclared or (status is Status.REJECTED and policy.on_unverified == "refuse")
    cited = dict.fromkeys(source.id for one in written for source in one.cited)
    return HtmlDone(
        before=answer.text.encode() if isinstance(answer.text, str) else bytes(answer.text),
        text="" if refused else _put_together(site, written, answer, to, title),
        findings=to_findings(site.document, policy, changes, answer.rules),
        status=status,
        cited=tuple(cited),
        refused=refused,
    )


# Reading


def _read(answer: Answer, select: str) -> _Site:
    text = decode_html(answer.text)
    document = Document(text)
    source = read_source(document.data, document.bom.end)
    if not select:
        return _Site(document, source, [source.content], selected=False)
    if not isinstance(answer.text, str) and document.data != answer.text:
        raise InputError(
            "a page of which only parts are written anew must be in UTF-8", help="convert the file to UTF-8"
        )
    from citelint.readers.html_select import select_contents

    return _Site(document, source, select_contents(document.data, source, select), selected=True)


def _around(site: _Site, answer: Answer, title: str) -> list[Change]:
    """What is wrong with that which stands around the answers."""
    data, source = site.document.data, site.source
    if site.selected:
        return list(check_site(data, source.tokens, site.contents, answer.policy))
    # None of it stays; of what citelint wrote itself, that needs no word.
    before = data[site.document.bom.end : source.content.start]
    if not source.is_page or _page("", answer, title).encode().startswith(before):
        return []
    tokens = [token for token in source.tokens if token.start < source.content.start]
    return list(check_html_tags(data, tokens, Regions(), Regions()))


# Writing


def _put_together(site: _Site, written: Sequence[HtmlWritten], answer: Answer, to: str, title: str) -> str:
    parts = [_disposed(one, answer.policy) for one in written]
    if site.selected and to != "fragment":
        return _in_its_page(site, parts, written, answer)
    html = "".join(parts)
    return _page(html, answer, title) if to == "page" or (site.source.is_page and not to) else html


def _disposed(written: HtmlWritten, policy: Policy) -> str:
    """What is given out: of an answer that does not hold, what ``on-unverified`` says."""
    if written.cited or not policy.required or policy.on_unverified == "strip":
        return written.html
    from citelint.rendering.html_answer import notice_html
    from citelint.rendering.templates import unverified_notice, unverified_text

    if policy.on_unverified == "replace":
        return notice_html(unverified_text(policy.language))
    notice = notice_html(unverified_notice(policy.language))
    return written.html if written.html.startswith(notice.rstrip("\n")) else notice + written.html


def _page(html: str, answer: Answer, title: str) -> str:
    from citelint.rendering.page import answer_page

    return answer_page(html.strip(), answer.manifest, answer.policy, title)


def _in_its_page(site: _Site, parts: Sequence[str], written: Sequence[HtmlWritten], answer: Answer) -> str:
    """The site's page with these parts in the place of its answers, looked at as a browser sees it.

    Raises :class:`~citelint.errors.PostconditionError` when that is more than was declared.
    """
    data = site.document.data
    edits = [
        Edit(span, _with_margins(data, span, part)) for span, part in zip(site.contents, parts, strict=True)
    ]
    text = apply(data, edits).decode()
    from citelint.rendering.gate import list_attributes
    from citelint.rendering.nesting import check_nesting

    check_nesting(text)
    declared = PageSinks.of(answer.policy)
    for tag, attribute, value in list_attributes(text):
        if (tag, attribute) in (("a", "href"), ("img", "src")) and any(
            one.allow(tag, attribute, value) == value for one in written
        ):
            continue
        if not declared.declare(tag, attribute, value, "refresh" if tag == "meta" else ""):
            raise PostconditionError(
                f"the page as it was written has a <{tag:.40}> with {attribute:.40} that nobody declared",
                help="look for unclosed elements around the answer",
            )
    return text


def _with_margins(data: bytes, span: Span, part: str) -> bytes:
    """The part with the white space that stood around the old one."""
    old = data[span.start : span.end]
    margin = len(old) - len(old.lstrip())
    after = old[len(old.rstrip()) :] if old.strip() else b""
    return old[:margin] + part.strip().encode() + after
