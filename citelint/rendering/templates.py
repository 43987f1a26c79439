"""The one Jinja2 environment: sandboxed, escaping in HTML, reading only citelint's own templates."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from citelint.data import data_folder

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def template(name: str) -> Template:
    """A template of the ``templates`` folder, e.g. ``page.html.j2``."""
    return _environment().get_template(name)


def unverified_text(language: str) -> str:
    """What is shown in place of an answer that did not hold, as Markdown; none of the answer's words."""
    return _in_language("unverified", language).render()


def unverified_notice(language: str) -> str:
    """What is put above an answer whose sources could not be confirmed, as Markdown."""
    return _in_language("notice", language).render()


def _in_language(name: str, language: str) -> Template:
    """The template in that language (``pt-BR`` is ``pt``), in English where there is none."""
    from jinja2 import TemplateNotFound

    tag = language.replace("_", "-").partition("-")[0].lower()
    try:
        return template(f"{name}.{tag}.md.j2")
    except TemplateNotFound:
        return template(f"{name}.en.md.j2")


@cache
def _environment() -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(data_folder("templates")),
        autoescape=_escapes,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _escapes(name: str | None) -> bool:
    """Everything is escaped, except where the template's name says that it writes Markdown."""
    return name is None or not name.endswith(".md.j2")
