"""The HTML of an answer that came as HTML: what is left of it and its sources, through the gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from citelint.defang import break_tokens
from citelint.errors import PostconditionError
from citelint.patterns import pattern
from citelint.rendering.gate import clean, second_opinion
from citelint.rendering.sources import html_sources, labels

if TYPE_CHECKING:
    from citelint.manifest import Source
    from citelint.policy import Policy

Allow = Callable[[str, str, str], str | None]

_BLANKS = " \t\n\f\r"
_PRE_BLANKS = pattern(r"(<pre[^>]*+>)\n++")
"""Parsers drop the first line end in a ``<pre>``, and not all serialisers write it twice."""


def write_html(edited: str, cited: Sequence[Source], policy: Policy, allow: Allow, *, own: str) -> str:
    """*edited*, in which nothing is safe yet, as the gate writes it, with the list of its sources at the end.

    *own* is what the classes and ids of citelint's own begin with in there.

    Raises :class:`~citelint.rendering.gate.TooDeep`.
    """
    html = _PRE_BLANKS.sub(r"\1", clean(edited, allow, own=own)).strip(_BLANKS)
    if cited:
        # By itself, so that nothing that the answer has left open can reach into it.
        written = html_sources(cited, policy, labels(cited), own=own)
        html = f"{html}\n{clean(written, allow, own=own, bounded=True).strip(_BLANKS)}"
    return html + "\n" if html else ""


def as_text(source: str) -> str:
    """HTML that nests too deep to be read by anybody, shown as it is written."""
    return f"<pre>{escape(break_tokens(source.strip(_BLANKS)), quote=False)}</pre>\n"


def notice_html(markdown: str) -> str:
    """What citelint says about an answer, which is Markdown of its own templates."""
    from citelint.rendering.html import to_html

    return clean(to_html(markdown, lambda _: None).text, lambda *_: None, bounded=True).strip(_BLANKS) + "\n"


def must_agree(html: str, allow: Allow) -> None:
    """Ask an independent sanitizer.

    Raises :class:`~citelint.errors.PostconditionError` when it would remove anything still (CL303).
    """
    differences = second_opinion(html, allow)
    if differences:
        raise PostconditionError(
            f"the two sanitizers disagree (CL303): {differences[0]}",
            help="this is a fault of citelint; please report it with the answer that shows it",
        )
