"""Markdown to HTML with mistune, with the extensions that renderers have in common.

What comes out is not safe yet: raw HTML of the answer passes through, and the gate judges all of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from citelint.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

    import mistune
    from mistune import BlockParser, BlockState, InlineParser, InlineState

    Mark = Callable[[str], str | None]

_PLUGINS = ("table", "strikethrough", "task_lists", "url")
_MARK = "citelint"
"""Where a parse keeps the caller's function in mistune's environment."""
_RAW = "citelint-raw"
_MARK_IN_HTML = pattern(r"\[\^?([A-Za-z0-9_-]{1,64})\]")
_BREAK = pattern(r"<br ?/?>\s*\Z")


class Html(NamedTuple):
    """What mistune made of a text."""

    text: str
    holds_raw: bool
    """Whether HTML of the answer's own is in there, beyond line breaks. Without, it is mistune's alone,
    which nests in bounds (``max_nested_level``) and has no tag that needs a second look."""


def to_html(markdown: str, mark: Mark) -> Html:
    """*markdown* as HTML.

    ``mark(id)`` gives the HTML of the citation ``[^id]``, or ``None``, and then it stays text.
    """
    renderer = _markdown()
    state = renderer.block.state_cls()
    state.env[_MARK] = mark
    html, _ = renderer.parse(markdown, state)
    return Html(str(html), _RAW in state.env)


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
    markdown.inline.register("inline_html", None, _parse_inline_html)
    markdown.block.register("raw_html", None, _parse_raw_html)
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


def _parse_inline_html(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    end = inline.parse_inline_html(match, state)
    if end is not None and not _BREAK.match(state.src[match.start() : end]):
        state.env[_RAW] = True
    return end


def _parse_raw_html(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    end = block.parse_raw_html(match, state)
    if end is not None:
        state.env[_RAW] = True
        token, mark = state.tokens[-1], state.env[_MARK]
        if "raw" in token:
            # No Markdown is read in there, but the citations are ours.
            token["raw"] = _MARK_IN_HTML.sub(lambda found: mark(found[1]) or found[0], token["raw"])
    return end


def _render_citation(_renderer: object, html: str) -> str:
    return html


def _render_table_cell(_renderer: object, text: str, align: str | None = None, head: bool = False) -> str:
    """With ``align``, which the gate knows; mistune's own writes a ``style``, which is code to a browser."""
    tag = "th" if head else "td"
    return f'<{tag} align="{align}">{text}</{tag}>\n' if align else f"<{tag}>{text}</{tag}>\n"


def _render_task(_renderer: object, text: str, checked: bool = False) -> str:
    """A box as a character: a form's input element has no place in an answer."""
    return f"<li>{'☑' if checked else '☐'} {text}</li>\n"
