"""The HTML of a whole answer: its text, its citations, its sources, through the gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from citelint.errors import PostconditionError
from citelint.rendering.sources import labels

if TYPE_CHECKING:
    from citelint.manifest import Source
    from citelint.policy import Policy

Allow = Callable[[str, str, str], str | None]


def answer_html(
    markdown: str, cited: Sequence[Source], policy: Policy, allow: Allow, *, brought_html: bool
) -> str:
    """*markdown*, in which citations stand as ``[^id]``, and the list of its sources.

    *brought_html* says that the answer had HTML of its own. Then a second sanitizer must agree, and what
    citelint writes is told from the rest by a prefix that the answer cannot know.

    Raises :class:`~citelint.errors.PostconditionError` when the two sanitizers disagree (CL303).
    """
    from citelint.rendering.gate import OWN, clean, second_opinion
    from citelint.rendering.html import to_html
    from citelint.rendering.sources import html_mark, html_sources

    own = f"c{sha256(markdown.encode()).hexdigest()[:24]}-" if brought_html else OWN
    shown = labels(cited)
    marks = {source.id: html_mark(source, shown[source.id], own=own) for source in cited}
    written = to_html(markdown, marks.get) + html_sources(cited, policy, shown, own=own)
    html = clean(written, allow, own=own)
    differences = second_opinion(html, allow) if brought_html else []
    if differences:
        raise PostconditionError(
            f"the two sanitizers disagree (CL303): {differences[0]}",
            help="this is a fault of citelint; please report it with the answer that shows it",
        )
    return html
