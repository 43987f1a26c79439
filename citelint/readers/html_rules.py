"""What the elements and attributes of an HTML answer are to citelint: data, in ``rules/html``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from citelint.data import data_folder


class HtmlRules(NamedTuple):
    """``rules/html`` as the readers and checks of HTML answers use it."""

    tags: frozenset[str]
    """Elements that the gate writes."""
    drop_content: frozenset[str]
    """Elements that go with all that is in them."""
    attributes: Mapping[str, frozenset[str]]
    """What the gate writes, by element; ``*`` on all."""
    values: Mapping[str, re.Pattern[str]]
    fixed: Mapping[str, Mapping[str, str]]
    blocks: frozenset[str]
    inline: frozenset[str]
    silent_tags: frozenset[str]
    silent_attributes: frozenset[str]
    hidden: tuple[str, ...]
    fetching: frozenset[str]
    """Elements that fetch by themselves."""
    sinks: frozenset[str]
    """Attributes that fetch or lead somewhere, on any element."""
    takes_url: frozenset[str]
    """Those among them that fetch only what stands in ``url(…)``."""
    handlers: tuple[str, ...]
    marker_tags: frozenset[str]
    """Tags that are citations, or parts of them."""
    marker_prefixes: tuple[str, ...]


@cache
def html_rules() -> HtmlRules:
    """Read when the first HTML answer is met."""
    import tomllib

    folder = data_folder("rules") / "html"
    allow, answers, sinks = (
        tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in ("allow", "answers", "sinks")
    )
    return HtmlRules(
        tags=frozenset(allow["tags"]),
        drop_content=frozenset(allow["drop_content"]) | {"head"},
        attributes={tag: frozenset(names) for tag, names in allow["attributes"].items()},
        values={name: re.compile(pattern) for name, pattern in allow["values"].items()},
        fixed=allow["fixed"],
        blocks=frozenset(answers["blocks"]),
        inline=frozenset(answers["inline"]),
        silent_tags=frozenset(answers["silent_tags"]),
        silent_attributes=frozenset(answers["silent_attributes"]),
        hidden=tuple(answers["hidden"]),
        fetching=frozenset(answers["fetching"]),
        sinks=frozenset([*sinks["auto"], *sinks["click"], *sinks["takes_url"], "href", "xlink:href"]),
        takes_url=frozenset(sinks["takes_url"]),
        handlers=tuple(sinks["handlers"]),
        marker_tags=frozenset(answers["marker_tags"]),
        marker_prefixes=tuple(answers["marker_prefixes"]),
    )
