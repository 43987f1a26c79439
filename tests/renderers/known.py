"""The ways out that are known: what some renderer still finds in what `fix` writes, by kinds.

Each is a property of a dialect or of how a site set it up, which no text avoids and still shows the same, or
leads nowhere. What `docs/threat-model.md` says of them must stay true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tests.renderers.matrix import Seen
from tests.renderers.sinks import Found, key

OK = "https://allowed.example/docs/guide"
"""What the smallest inputs may lead to; :data:`OK` with ``.png`` is a picture."""
OK_TWO = f"{OK}?x=1&y=2"
EVIL = "https://evil.example/q"


class Known(NamedTuple):
    """A kind of way out."""

    name: str
    is_it: Callable[[Seen, Found], bool]
    """Whether a sink that was found in a text is of this kind."""
    smallest: tuple[str, ...]
    """What an answer must hold for it."""
    reason: str


met: Counter[str] = Counter()
"""How many sinks outside their manifests were of each kind; :func:`kind_of` counts."""


def kind_of(seen: Seen, found: Found) -> str | None:
    """The name of the first known kind that a sink outside the manifest is of."""
    name = next((one.name for one in ACCEPTED if one.is_it(seen, found)), None)
    if name:
        met[name] += 1
    return name


def summary() -> list[str]:
    """How much the entries here hide, for people."""
    said = ", ".join(f"{name} {count}" for name, count in met.most_common())
    return [f"renderer matrix: known ways out (tests/renderers/known.py): {said}"] if said else []


def _by(*renderers: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.renderer.startswith(renderers)


_SHOWDOWN = _by("showdown")
_MATERIAL = _by("python-markdown material")
_FIELD_LISTS = _by("markdown-it-py plugins", "myst")
_PYROMARK = _by("pyromark everything", "pyromark scripts")
_NO_FENCES = ("python-markdown", "markdown2")
_FENCES_AT_THE_MARGIN = _by("python-markdown", "markdown2", "showdown")
_FENCE = re.compile(r"^\ufeff?[ >]*(?:[-+*] +|\d+[.)] +)?[ >]*(`{3,}|~{3,})", re.MULTILINE)
_FENCE_WITHIN = re.compile(
    r"^\ufeff?(?: +| *>[ >]*|[ >]*(?:(?:[-+*]|\d+[.)]) +)+[ >]*)(`{3,}|~{3,})", re.MULTILINE
)


ACCEPTED: tuple[Known, ...] = (
    Known(
        "no fenced code",
        lambda seen, _: seen.renderer in _NO_FENCES and _FENCE.search(seen.text) is not None,
        (
            f"```\n\n[x]({EVIL})\n\n```",
            f"<p>\n\n    <a href={EVIL}>x</a>",
            f"    ![x]({EVIL})\n---",
        ),
        "a dialect without fenced code; the reader python-markdown is for it",
    ),
    Known(
        "no fenced code within lists and quotations",
        lambda seen, _: _FENCES_AT_THE_MARGIN(seen) and _FENCE_WITHIN.search(seen.text) is not None,
        (f"- ```\n  [x]({EVIL})\n\n  ```", f"> ```\n> [x]({EVIL})\n>\n> ```", f"1. - ~~~\n     [x]({EVIL})"),
        "to older dialects a fence begins its line; the reader python-markdown is for them",
    ),
    Known(
        "no code in a block of HTML",
        lambda seen, _: (
            _FENCES_AT_THE_MARGIN(seen) and re.search(r"^ {0,3}<[a-z]", seen.text, re.MULTILINE) is not None
        ),
        (f"<div>\n\n`<img src={EVIL}>`",),
        "older dialects read no Markdown between the tags of a block; the reader python-markdown is for them",
    ),
    Known(
        "no footnotes",
        lambda seen, found: seen.renderer == "markdown2" and found.url.startswith("Source record "),
        ("[][1]",),
        "a dialect without footnotes takes the definition of one for that of a link, which leads nowhere",
    ),
    Known(
        "an unfinished link",
        lambda seen, found: found.url == "streamdown:incomplete-link",
        ("[x",),
        "while an answer is still coming in, a bracket is made a link that leads nowhere",
    ),
    Known(
        "the beginning of an address and no more",
        lambda seen, found: found.url.rstrip("/") in ("http://www", "http:", "https:"),
        ("www.", "http:// a"),
        "linkifiers that do not ask for a host; it carries nothing",
    ),
    Known(
        "a port in other digits",
        lambda seen, found: re.search(r":(?:%D9%A\d)+", found.url) is not None,
        ("evil.om:٩/q",),
        "a linkifier that takes every digit of Unicode for one; browsers refuse the address",
    ),
    Known(
        "a relative wiki link",
        lambda seen, found: (
            "[[" in seen.text and re.fullmatch(r"/?[\d,\[\]-]+/?", found.url.replace("%20", "")) is not None
        ),
        ("a[[2]]", "f[[1, 2]]", "[[[2]]]"),
        "numbers in pairs of brackets are a citation or a matrix more often than the name of a page",
    ),
    Known(
        "a relative wiki link in a formula",
        lambda seen, found: "$" in seen.text and "[[" in seen.text and key(found.url) is None,
        ("$$[[:]]\n:$",),
        "what is a formula to most is not escaped; absolute addresses are taken out of it",
    ),
    Known(
        "a word in parentheses behind brackets",
        lambda seen, found: _SHOWDOWN(seen) and re.fullmatch(r"[\w-]*", found.url) is not None,
        ("[x] (p)",),
        "Markdown once allowed a blank there; “[sic] (2021)” is text far more often, and the link local",
    ),
    Known(
        "shorthand for a place on the site's own forge",
        lambda seen, found: (
            (_SHOWDOWN(seen) or _MATERIAL(seen)) and found.url.startswith("https://github.com/")
        ),
        ("@a", "!12", "evil/repo#1", "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"),
        "mentions, numbers and commits become links to a host that the site chose",
    ),
    Known(
        "an emoji by name",
        lambda seen, found: _MATERIAL(seen) and "/emojione/" in found.url,
        (":smile:",),
        "a picture from a host that the site chose, one of a fixed set",
    ),
    Known(
        "an address without its scheme",
        lambda seen, found: (
            _FIELD_LISTS(seen)
            and found.url.startswith("//")
            and re.search(rf"^[ >]*:.*https?:{re.escape(found.url)}", seen.text, re.MULTILINE) is not None
        ),
        (f": [x]({OK})",),
        "what stands between two colons names a field, there up to that of the scheme; it leads to the same",
    ),
    Known(
        "an address with an ampersand by name",
        lambda seen, found: (
            (_FIELD_LISTS(seen) or _PYROMARK(seen)) and "&amp;" in found.url and f"<{found.url}>" in seen.text
        ),
        (f"[\n: ](<{OK_TWO}>)", f"|[[9]](<{OK_TWO}>)"),
        "an extension takes the link's text, and reads its target as an autolink; to the source's own host",
    ),
    Known(
        "an attribute that is empty",
        lambda seen, found: seen.renderer == "markdown2 extras" and found.url.endswith("alt="),
        (f'<img src="{OK}.png" alt="">',),
        "its smart quotes take the two marks for a pair with others; it leads to the source's own host",
    ),
)

MENDED: tuple[str, ...] = (
    f"T\n: d\n\n    ![x]({EVIL})",
    f":a b\n\n      ![x]({EVIL})",
    f"!!! n\n\n    ![x]({EVIL})",
    f"??? n\n\n    ![x]({EVIL})",
    f'=== "n"\n\n    ![x]({EVIL})',
    f"- a\n\n      ![x]({EVIL})",
    f"-     ![x]({EVIL})",
    f"- a\n\n      {EVIL}",
    f">     ![x]({EVIL})",
    f"```\n{EVIL}",
    f"```\n{EVIL}\n````",
    f"```\n![x]({EVIL})\n````",
    f" ```\n[x]({EVIL})\n\n ```",
    f"a\n: b\n```\n\n[x]({EVIL})\n```",
    f"    a\n```\n![x]({EVIL})",
    f"    a\n~~~\n![x]({EVIL})\n~~~",
    "[y]\n: [y]: javascript:alert(1)",
    "![y]\n: [y]: p.png",
    "[link removed]\n: [link removed]: p",
    f"[x] (<{OK}>?)",
    "[foo][ref[]\n\n[ref[]: /uri",
    "[foo][ref[bar]]\n\n[ref[bar]]: /uri",
    f"- a\n  - [x]({OK})secret)",
    "://evil.example/q:",
    f":{OK}",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\href{p}{x}$",
    f"```math\n\\href{{{EVIL}}}{{x}}\n```",
    f"$`\\href{{{EVIL}}}{{x}}`$",
    ":a[x]{\nhref=javascript:alert(1)}",
    ":img{\nsrc=p.png}",
    "[x]{\nhref=p}",
    f":x[y]({OK})secret",
    f"`` `{EVIL}`",
    f"``|[x]({EVIL})|\n|-\no``",
    "$[x](javascript:alert b)$",
    "$![x](p q)$",
    "//evil.`",
    ":script[alert(1)]",
    ":::script\nalert(1)\n:::",
    ':::style\n@import "p";\n:::',
    "[[1 a]]",
    "![[1/p.png]]",
    "[[1://evil.example/q]]",
    "a@b+c.d",
    "中@.a",
    "<a@evil/q>",
    f"$`$![x]({EVIL})`",
    f"$$a`$$ ![x]({EVIL})`",
    f"==`== ![x]({EVIL})`",
    f"^`^ ![x]({EVIL})`",
    f"~`~ ![x]({EVIL})`",
    f"$`$`{OK}`secret",
    "<]@->",
    f"</a>\u2028\n```\n\n[x]({EVIL})",
    f"<b>\u00a0\n```\n\n![x]({EVIL})\n```",
    "hello@mail+xyz.example",
    f"![[x]]({OK}.png)",
    f"[[x]]({OK})",
    f"![[]({OK})c]]",
    f"[[x]({OK}) c]]",
    f"\ufeff    {EVIL}",
    f"\ufeff```\n[x]({EVIL})\n```",
    f"n\n- -\n        ![x]({EVIL})",
    f"    a\n-\n      ![x]({EVIL})",
    f"    a\n2)     ![x]({EVIL})",
    f"n\n- 2)     ![x]({EVIL})",
    f"<x>\n{OK}*secret",
    f"`\n>`{EVIL}<i`",
    f"```c#\n\n[x]({EVIL})\n```",
    f"```asp.net\n\n[x]({EVIL})\n```",
    f"![[]({OK})\n]]",
    "[[ ]]",
    "[![[ ]]()]=",
)
"""What once led out, in some renderer, through `fix`: the smallest inputs of their kinds."""
