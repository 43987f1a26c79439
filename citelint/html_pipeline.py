"""The order of it all for HTML answers: decode, find the answer, plan and write it, judge, put it back.

What :mod:`citelint.pipeline` is for Markdown, and called by it. Pure: text and values in, values out.
"""

from __future__ import annotations

from typing import NamedTuple

from citelint.change import Change
from citelint.checks.html_tags import check_html_tags
from citelint.document import Document
from citelint.findings import judge
from citelint.html_writing import HtmlWritten, carry_out_html
from citelint.model import Finding, Regions, Status
from citelint.planning import Answer
from citelint.policy import Policy
from citelint.readers.html_encoding import decode_html
from citelint.readers.html_page import HtmlSource, read_source


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


def carry_out(answer: Answer, *, to: str = "", title: str = "") -> HtmlDone:
    """All of it. *to* is ``fragment`` or ``page``; without it a page stays a page and a part stays a part.

    Raises what :func:`citelint.pipeline.fix` raises.
    """
    document = Document(decode_html(answer.text))
    source = read_source(document.data, document.bom.end)
    written = carry_out_html(document.data, source, source.content, answer)
    title = title or source.title
    changes = (*_shell_changes(document, source, _page("", answer, title)), *written.changes)
    start, policy = written.content.start, answer.policy
    findings, status = judge(
        document, policy, changes, start=start, cited=written.cited, own_rules=answer.rules
    )
    html = _disposed(written.html, policy, status)
    refused = status is Status.REJECTED and policy.on_unverified == "refuse"
    if (to == "page" or (source.is_page and to != "fragment")) and not refused:
        html = _page(html, answer, title)
    return HtmlDone(_bytes_of(answer.text), html, findings, status, _ids(written), refused)


def _bytes_of(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _ids(written: HtmlWritten) -> tuple[str, ...]:
    return tuple(source.id for source in written.cited)


def _disposed(html: str, policy: Policy, status: Status) -> str:
    """What is given out: of an answer that does not hold, what ``on-unverified`` says."""
    if status is not Status.REJECTED or policy.on_unverified == "strip":
        return html
    if policy.on_unverified == "refuse":
        return ""
    from citelint.rendering.html_answer import notice_html
    from citelint.rendering.templates import unverified_notice, unverified_text

    if policy.on_unverified == "replace":
        return notice_html(unverified_text(policy.language))
    notice = notice_html(unverified_notice(policy.language))
    return html if html.startswith(notice.rstrip("\n")) else notice + html


def _page(html: str, answer: Answer, title: str) -> str:
    from citelint.rendering.page import answer_page

    return answer_page(html.strip(), answer.manifest, answer.policy, title)


def _shell_changes(document: Document, source: HtmlSource, own: str) -> list[Change]:
    """What stands before the content of a page, unless citelint wrote it: none of it stays."""
    if not source.is_page:
        return []
    before = document.data[: source.content.start]
    if own.encode().startswith(before):
        return []
    tokens = [token for token in source.tokens if token.start < source.content.start]
    return list(check_html_tags(document.data, tokens, Regions(), Regions()))
