"""Markdown to HTML with mistune, with the extensions that renderers have in common.

What comes out is not safe yet: raw HTML of the answer passes through, and the gate judges all of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

    import mistune
    from mistune import InlineParser, InlineState

    Mark = Callable[[str], str | None]

_PLUGINS = ("table", "strikethrough", "task_lists", "url")
_MARK = "citelint"
"""Where a parse keeps the caller's function in mistune's environment."""


def to_html(markdown: str, mark: Mark) -> str:
    """*markdown* as HTML.

    ``mark(id)`` gives the HTML of the citation ``[^id]``, or ``None``, and then it stays text.
    """
    renderer = _markdown()
    state = renderer.block.state_cls()
    state.env[_MARK] = mark
    html, _ = renderer.parse(markdown, state)
    return str(html)


@cache
def _markdown() -> mistune.Markdown:
    import mistune

    markdown = mistune.create_markdown(escape=False, plugins=list(_PLUGINS))
    if markdown.renderer is None:  # pragma: no cover - the default is HTML
        raise TypeError("mistune has no renderer")
    markdown.inline.register(
        "citation",
        r"\[\^(?P<citation_id>[A-Za-z0-9_-]{1,64})\]",
        _parse_citation,
        before="link",
        start_chars="[",
    )
    markdown.renderer.register("citation", _render_citation)
    markdown.renderer.register("table_cell", _render_table_cell)
    markdown.renderer.register("task_list_item", _render_task)
    return markdown


def _parse_citation(_inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    html = state.env[_MARK](match["citation_id"])
    if html is None:
        return None
    state.append_token({"type": "citation", "raw": html})
    return match.end()


def _render_citation(_renderer: object, html: str) -> str:
    return html


def _render_table_cell(_renderer: object, text: str, align: str | None = None, head: bool = False) -> str:
    """With ``align``, which the gate knows; mistune's own writes a ``style``, which is code to a browser."""
    tag = "th" if head else "td"
    return f'<{tag} align="{align}">{text}</{tag}>\n' if align else f"<{tag}>{text}</{tag}>\n"


def _render_task(_renderer: object, text: str, checked: bool = False) -> str:
    """A box as a character: a form's input element has no place in an answer."""
    return f"<li>{'☑' if checked else '☐'} {text}</li>\n"
