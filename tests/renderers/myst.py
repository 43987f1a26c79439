"""MyST: as markdown-it has it, and through docutils, where directives and roles do what they say."""

from __future__ import annotations

import html
import io
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

_EXTENSIONS = (
    *("alert", "amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"),
    *("html_admonition", "html_image", "linkify", "replacements", "section_ref", "smartquotes"),
    *("strikethrough", "substitution", "tasklist"),
)


def myst_html() -> Callable[[str], str]:
    """MyST's own configuration of markdown-it, which shows directives as code."""
    from markdown_it.renderer import RendererHTML
    from myst_parser.config.main import MdParserConfig
    from myst_parser.parsers.mdit import create_md_parser

    parser = create_md_parser(MdParserConfig(enable_extensions=set(_EXTENSIONS)), RendererHTML)
    parser.options["html"] = True
    return lambda text: str(parser.render(text))


def myst_docutils() -> Callable[[str], str]:
    """MyST through docutils, on a site that lets directives read files and write raw HTML.

    Directives fetch while the page is made, which no HTML shows: what they ask for is written into it here,
    and nothing goes out.
    """
    from docutils.core import publish_parts
    from myst_parser.docutils_ import Parser

    settings: dict[str, Any] = {
        "_disable_config": True,
        "embed_stylesheet": False,
        "file_insertion_enabled": True,
        "halt_level": 6,
        "math_output": "MathML",
        "myst_enable_extensions": list(_EXTENSIONS),
        "raw_enabled": True,
        "report_level": 5,
        "stylesheet_path": "",
        "traceback": True,
    }

    def render(text: str) -> str:
        asked: list[str] = []
        with mock.patch("urllib.request.urlopen", partial(_refuse, asked)):
            parts = publish_parts(
                text,
                parser=Parser(),
                writer="html5",
                settings_overrides=settings | {"warning_stream": io.StringIO()},
            )
        written = "\n".join(line for line in parts["meta"].splitlines() if 'name="generator"' not in line)
        fetched = "".join(f'<img src="{html.escape(address)}">' for address in asked)
        return f"{written}\n{parts['html_body']}{fetched}"

    return render


def _refuse(asked: list[str], address: object, *_: object, **__: object) -> object:
    asked.append(str(address))
    raise OSError("no network here")
