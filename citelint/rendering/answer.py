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


def answer_html(markdown: str, cited: Sequence[Source], policy: Policy, allow: Allow) -> str:
    """*markdown*, in which citations stand as ``[^id]``, and the list of its sources.

    What citelint writes is told from HTML of the answer's own by a prefix that the answer cannot know. Where
    there is such HTML, a second sanitizer must agree.

    Raises :class:`~citelint.errors.PostconditionError` when the two sanitizers disagree (CL303).
    """
    from citelint.rendering.gate import clean, second_opinion
    from citelint.rendering.html import to_html
    from citelint.rendering.sources import html_mark, html_sources

    own = f"c{sha256(markdown.encode()).hexdigest()[:24]}-"
    shown = labels(cited)
    marks = {source.id: html_mark(source, shown[source.id], own=own) for source in cited}
    answer = to_html(markdown, marks.get)
    written = answer.text + html_sources(cited, policy, shown, own=own)
    html = clean(written, allow, own=own, bounded=not answer.holds_raw)
    differences = second_opinion(html, allow) if answer.holds_raw else []
    if differences:
        raise PostconditionError(
            f"the two sanitizers disagree (CL303): {differences[0]}",
            help="this is a fault of citelint; please report it with the answer that shows it",
        )
    return html
