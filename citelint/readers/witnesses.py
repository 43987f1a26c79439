"""The Markdown parsers through whose eyes the output is read back.

Each is a function from Markdown to HTML, configured to show as much as that family of renderers ever
shows: raw HTML passes, bare addresses are linked, footnotes are on. What counts as an address that
somebody can follow is then read from the HTML by :func:`citelint.rendering.gate.list_sinks`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from citelint.errors import PolicyError

Witness = Callable[[str], str]


def witness(name: str) -> Witness:
    """The parser of that name in the policy's ``readers``; imported when first asked for."""
    return _WITNESSES[name]()


@cache
def _commonmark() -> Witness:
    import pyromark

    options = (
        pyromark.Options.ENABLE_TABLES
        | pyromark.Options.ENABLE_STRIKETHROUGH
        | pyromark.Options.ENABLE_TASKLISTS
    )
    with_footnotes = options | pyromark.Options.ENABLE_FOOTNOTES

    def read(text: str) -> str:
        plain = pyromark.html(text, options=options)
        return plain + pyromark.html(text, options=with_footnotes) if "[^" in text else plain

    return read


@cache
def _gfm() -> Witness:
    import cmarkgfm
    from cmarkgfm.cmark import Options

    plain = Options.CMARK_OPT_UNSAFE
    with_footnotes = plain | Options.CMARK_OPT_FOOTNOTES

    def read(text: str) -> str:
        html = str(cmarkgfm.github_flavored_markdown_to_html(text, options=with_footnotes))
        if "[^" in text:
            html += str(cmarkgfm.github_flavored_markdown_to_html(text, options=plain))
        return html

    return read


@cache
def _mistune() -> Witness:
    import mistune

    plugins = ["table", "footnotes", "strikethrough", "url", "task_lists"]
    markdown = mistune.create_markdown(escape=False, plugins=plugins)
    return lambda text: str(markdown(text))


@cache
def _python_markdown() -> Witness:
    markdown = _optional("markdown", "python-markdown")

    def read(text: str) -> str:
        return str(markdown.markdown(text)) + str(markdown.markdown(text, extensions=["extra"]))

    return read


@cache
def _linkify() -> Witness:
    _optional("linkify_it", "linkify")
    renderer = _optional("markdown_it", "linkify").MarkdownIt("gfm-like", {"html": True, "linkify": True})
    return lambda text: str(renderer.render(text))


def _optional(module: str, reader: str) -> Any:
    """A parser that comes with the extra named like its reader."""
    try:
        return import_module(module)
    except ImportError:
        raise PolicyError(
            f"the reader {reader!r} needs a package that is not installed",
            help=f'install "citelint-evidence[{reader}]", or take it out of `readers`',
        ) from None


_WITNESSES: dict[str, Callable[[], Witness]] = {
    "commonmark": _commonmark,
    "gfm": _gfm,
    "mistune": _mistune,
    "python-markdown": _python_markdown,
    "linkify": _linkify,
}
