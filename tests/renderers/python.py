"""The Markdown renderers of the Python world, each as the least careful site has it: raw HTML passes.

A maker imports its renderer when it is first asked for, so that a package which is not installed takes none
of the others along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from tests.renderers.myst import myst_docutils, myst_html

Renderer = Callable[[str], str]
Maker = Callable[[], Renderer]


def _mistune(*plugins: str, directives: bool = False) -> Renderer:
    import mistune
    from mistune import directives as known

    chosen: list[Any] = list(plugins)
    if directives:
        chosen.append(
            known.RSTDirective([known.Admonition(), known.Figure(), known.Image(), known.TableOfContents()])
        )
        chosen.append(known.FencedDirective([known.Admonition(), known.Figure(), known.Image()]))
    convert = mistune.create_markdown(escape=False, plugins=chosen)
    return lambda text: str(convert(text))


def _mdit(preset: str, **options: bool) -> Renderer:
    from markdown_it import MarkdownIt

    return MarkdownIt(preset, options).render


def _mdit_plugins() -> Renderer:
    """Every plugin of mdit-py-plugins that goes with the others."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins import attrs, dollarmath, front_matter, gfm_autolink, subscript
    from mdit_py_plugins.admon import admon_plugin
    from mdit_py_plugins.amsmath import amsmath_plugin
    from mdit_py_plugins.anchors import anchors_plugin
    from mdit_py_plugins.colon_fence import colon_fence_plugin
    from mdit_py_plugins.container import container_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.field_list import fieldlist_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.superscript import superscript_plugin
    from mdit_py_plugins.tasklists import tasklists_plugin

    parser = MarkdownIt("gfm-like", {"linkify": True, "html": True, "typographer": True})
    parser.enable(["replacements", "smartquotes"])
    for plugin in (
        front_matter.front_matter_plugin,
        footnote_plugin,
        deflist_plugin,
        dollarmath.dollarmath_plugin,
        amsmath_plugin,
        admon_plugin,
        anchors_plugin,
        fieldlist_plugin,
        gfm_autolink.gfm_autolink_plugin,
        subscript.sub_plugin,
        superscript_plugin,
        tasklists_plugin,
        colon_fence_plugin,
        attrs.attrs_block_plugin,
    ):
        parser.use(plugin)
    parser.use(attrs.attrs_plugin, spans=True)
    parser.use(container_plugin, "note")
    return parser.render


def _cmark(*, footnotes: bool) -> Renderer:
    from cmarkgfm import cmark

    options = cmark.Options.CMARK_OPT_UNSAFE | (cmark.Options.CMARK_OPT_FOOTNOTES if footnotes else 0)
    extensions = ["table", "autolink", "strikethrough", "tasklist"]  # no tagfilter: it would hide tags
    return lambda text: str(cmark.markdown_to_html_with_extensions(text, options, extensions))


def _pyromark(*names: str) -> Renderer:
    import pyromark

    options = pyromark.Options(0)
    for name in names:
        options |= getattr(pyromark.Options, "ENABLE_" + name)
    return pyromark.Markdown(options=options).html


def _commonmark() -> Renderer:
    import commonmark

    return lambda text: str(commonmark.commonmark(text))


def _marko(*extensions: str) -> Renderer:
    import marko

    converter = marko.Markdown(extensions=extensions)
    return lambda text: str(converter.convert(text))


def _python_markdown(
    *extensions: str, configs: Mapping[str, dict[str, Any]] = MappingProxyType({})
) -> Renderer:
    import markdown

    convert = markdown.Markdown(extensions=list(extensions), extension_configs=dict(configs))
    return lambda text: str(convert.reset().convert(text))


def _material() -> Renderer:
    """Python-Markdown as sites made with MkDocs Material set it up, without a file that it could include."""
    import tempfile

    empty = tempfile.mkdtemp(prefix="citelint-snippets-")
    configs: dict[str, dict[str, Any]] = {
        "pymdownx.arithmatex": {"generic": True},
        "pymdownx.highlight": {"anchor_linenums": True, "line_spans": "__span"},
        "pymdownx.magiclink": {"repo_url_shorthand": True, "user": "someone", "repo": "something"},
        "pymdownx.snippets": {"base_path": [empty]},
        "pymdownx.tabbed": {"alternate_style": True},
        "pymdownx.tasklist": {"custom_checkbox": True},
    }
    return _python_markdown(*_MATERIAL, configs=configs)


def _markdown2(*extras: str) -> Renderer:
    import markdown2

    # Emphasis within words would tear the labels of footnotes apart, over which it then falls.
    converter = markdown2.Markdown(
        extras=dict.fromkeys(extras) | {"middle-word-em": False} if extras else None
    )
    return lambda text: str(converter.convert(text))


_GFM = ("GFM", "TABLES", "STRIKETHROUGH", "TASKLISTS", "FOOTNOTES")
_REST = ("DEFINITION_LIST", "HEADING_ATTRIBUTES", "MATH", "SMART_PUNCTUATION", "WIKILINKS")
_SCRIPTS = ("SUBSCRIPT", "SUPERSCRIPT", "YAML_STYLE_METADATA_BLOCKS", "PLUSES_DELIMITED_METADATA_BLOCKS")
_MISTUNE = ("table", "footnotes", "strikethrough", "url", "task_lists")
_MISTUNE_REST = ("abbr", "def_list", "insert", "mark", "math", "ruby", "spoiler", "subscript", "superscript")
_STANDARD = (
    "extra",
    "admonition",
    "codehilite",
    "legacy_attrs",
    "meta",
    "nl2br",
    "sane_lists",
    "smarty",
    "toc",
)
_MATERIAL = (
    *("abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "meta", "tables", "toc"),
    *("pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.details", "pymdownx.emoji"),
    *("pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.magiclink", "pymdownx.mark"),
    *("pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.superfences", "pymdownx.tabbed"),
    *("pymdownx.tasklist", "pymdownx.tilde"),
)
# Without "metadata", which swallows a paragraph, and "underline", which falls over footnotes with a "_".
_MARKDOWN2 = """
    admonitions alerts cuddled-lists fenced-code-blocks footnotes header-ids link-shortrefs
    markdown-file-links markdown-in-html mermaid numbering pyshell smarty-pants spoiler strike tables
    task_list tg-spoiler toc wavedrom wiki-tables xml
""".split()  # noqa: SIM905  twenty-two lines otherwise

AT_HAND: dict[str, Maker] = {
    "mistune": partial(_mistune, *_MISTUNE),
    "markdown-it-py commonmark": partial(_mdit, "commonmark"),
    "markdown-it-py linkify": partial(_mdit, "gfm-like", linkify=True, html=True),
    "cmark-gfm": partial(_cmark, footnotes=False),
    "cmark-gfm footnotes": partial(_cmark, footnotes=True),
    "pyromark": _pyromark,
    "pyromark gfm": partial(_pyromark, *_GFM),
    "pyromark everything": partial(_pyromark, *_GFM, *_REST),
    "python-markdown": _python_markdown,
    "python-markdown extra": partial(_python_markdown, "extra"),
}
"""Those fast and common enough for tests that show many small texts one by one."""

FURTHER: dict[str, Maker] = {
    "mistune plain": _mistune,
    "mistune everything": partial(_mistune, *_MISTUNE, *_MISTUNE_REST, directives=True),
    "markdown-it-py plugins": _mdit_plugins,
    "pyromark scripts": partial(_pyromark, *_GFM, *_REST, *_SCRIPTS),
    "commonmark.py": _commonmark,
    "marko": _marko,
    "marko gfm": partial(_marko, "gfm"),
    "marko everything": partial(_marko, "gfm", "footnote", "toc", "codehilite", "pangu"),
    "python-markdown standard": partial(_python_markdown, *_STANDARD),
    "python-markdown wiki": partial(_python_markdown, "extra", "wikilinks"),
    "python-markdown material": _material,
    "markdown2": _markdown2,
    "markdown2 extras": partial(_markdown2, *_MARKDOWN2),
    "myst": myst_html,
    "myst docutils": myst_docutils,
}
"""The others, for texts shown all at once."""
