"""The ways out that are known: what some renderer still finds in what `fix` writes, by kinds.

*Accepted* kinds are a property of the dialect that no text can avoid, or lead nowhere. The others are faults
to be mended: their smallest inputs are a test that is expected to fail (`tests/test_matrix_known.py`), and
once it passes the entry goes.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tests.renderers.matrix import Seen
from tests.renderers.sinks import Found

OK = "https://allowed.example/docs/guide"
"""What the smallest inputs may lead to; :data:`OK` with ``.png`` is a picture."""
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
    name = next((one.name for one in (*ACCEPTED, *TO_MEND) if one.is_it(seen, found)), None)
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
_OLD = _by("python-markdown", "markdown2", "showdown")
_DEFINITION_LISTS = _by(
    *("pyromark everything", "pyromark scripts", "python-markdown", "mistune everything"),
    *("markdown-it-py plugins", "myst", "markdown2"),
)
_INDENTED = re.compile(r"^[ >\t]*(?:(?:[-+*:]|\d{1,9}[.)])[ >]*){0,4}(?: {4}|\t)[^\n]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ >]*(?:[-+*] +|\d+[.)] +)?[ >]*(`{3,}|~{3,})", re.MULTILINE)
_SPACED = re.compile(r"\][ \t]*\n?[ \t]*[([]")
_DEFINED = re.compile(r"^[ >]*:[ \t]*\[[^\n]*\]:|\n:[ \t]", re.MULTILINE)
_NO_ITEM = re.compile(r"^[ >]*(?:[-+*] +)*(?:[-+*] *\n {4,}|\d{1,9}[.)](?: {5}|\t))", re.MULTILINE)
_NESTED_LABEL = re.compile(r"^ {0,3}\[[^\]\n]*\[[^\n]*\]:", re.MULTILINE)


def _indented(seen: Seen, found: Found) -> bool:
    """Whether the address stands in a line that CommonMark takes for code because it is indented."""
    lines = html.unescape(" ".join(_INDENTED.findall(seen.text))).lower()
    tail = found.url.removeprefix("mailto:").rpartition("//")[2][:16].lower().rstrip(":")
    return (_DEFINITION_LISTS(seen) or _OLD(seen)) and bool(tail) and tail in lines


ACCEPTED: tuple[Known, ...] = (
    Known(
        "no fenced code",
        lambda seen, _: (
            seen.renderer in ("python-markdown", "markdown2") and _FENCE.search(seen.text) is not None
        ),
        (f"```\n\n[x]({EVIL})\n\n```",),
        "a dialect without fenced code; the reader python-markdown is for it",
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
        "a relative wiki link",
        lambda seen, found: "[[[" in seen.text and re.fullmatch(r"/?\w+/?", found.url) is not None,
        ("[[[2]]]",),
        "a number in three pairs of brackets is a citation more often than the name of a page",
    ),
)

TO_MEND: tuple[Known, ...] = (
    Known(
        "code that is indented for CommonMark only",
        _indented,
        (
            f"T\n: d\n\n    ![x]({EVIL})",
            f":a: b\n\n      ![x]({EVIL})",
            f"!!! n\n\n    ![x]({EVIL})",
            f"??? n\n\n    ![x]({EVIL})",
            f'=== "n"\n\n    ![x]({EVIL})',
            f"- a\n\n      ![x]({EVIL})",
            f"-     ![x]({EVIL})",
            f"- a\n\n      {EVIL}",
            f">     ![x]({EVIL})",
            f"    ![x]({EVIL})\n---",
            f"<p>\n\n    <a href={EVIL}>x</a>",
        ),
        "definitions, fields, admonitions and old lists hold paragraphs where CommonMark has code",
    ),
    Known(
        "a bare address in a fence that is not closed alike",
        lambda seen, _: _OLD(seen) and _FENCE.search(seen.text) is not None,
        (
            f"```\n{EVIL}",
            f"```\n{EVIL}\n````",
            f"```\n![x]({EVIL})\n````",
            f"- > ```\n  > ![x]({EVIL})\n  > ```",
        ),
        "not closed, or by more marks, or within a container, it is no fence to older dialects",
    ),
    Known(
        "a fence that is indented or in a container",
        lambda seen, _: (_OLD(seen) or _DEFINITION_LISTS(seen)) and _FENCE.search(seen.text) is not None,
        (
            f" ```\n[x]({EVIL})\n\n ```",
            f"- ```\n  [x]({EVIL})\n\n  ```",
            f"> ```\n> [x]({EVIL})\n>\n> ```",
            f"a\n: b\n```\n\n[x]({EVIL})\n```",
        ),
        "to older dialects a fence begins its line; with a blank line in it, it is not even a code span",
    ),
    Known(
        "a fence that touches code before it",
        lambda seen, _: _OLD(seen) and _FENCE.search(seen.text) is not None,
        (f"    a\n```\n![x]({EVIL})", f"    a\n~~~\n![x]({EVIL})\n~~~"),
        "the two are one region of code, so the marks of the second are not looked at",
    ),
    Known(
        "a link definition in a definition list",
        lambda seen, _: _DEFINITION_LISTS(seen) and _DEFINED.search(seen.text) is not None,
        ("[y]\n: [y]: javascript:alert(1)", "![y]\n: [y]: p.png", "[link removed]\n: [link removed]: p"),
        "behind `: ` begins a block of its own, and in that a definition",
    ),
    Known(
        "a blank between text and address",
        lambda seen, found: (
            _SHOWDOWN(seen) and "//github.com/" not in found.url and _SPACED.search(seen.text) is not None
        ),
        ("[x] (p)", f"[x] (<{OK}>?)"),
        "Markdown once allowed it",
    ),
    Known(
        "a label with brackets in it",
        lambda seen, _: _OLD(seen) and _NESTED_LABEL.search(seen.text) is not None,
        ("[foo][ref[]\n\n[ref[]: /uri", "[foo][ref[bar]]\n\n[ref[bar]]: /uri"),
        "no label for CommonMark",
    ),
    Known(
        "more behind an address in a nested list",
        lambda seen, found: _SHOWDOWN(seen) and found.url.startswith("https://allowed.example/"),
        (f"- a\n  - [x]({OK})secret)",),
        "a kept destination without angle brackets, which is read to another end",
    ),
    Known(
        "an address behind a colon",
        lambda seen, found: _by("markdown-it-py plugins", "myst")(seen) and found.url.startswith("//"),
        ("://evil.example/q:", f":{OK}"),
        "the name of a field up to the second colon, and then the rest of an autolink",
    ),
    Known(
        "formulas that link",
        lambda seen, found: seen.renderer.endswith("mathjax") and "\\" in seen.text,
        (
            r"$\href{javascript:alert(1)}{x}$",
            r"$\href{p}{x}$",
            f"```math\n\\href{{{EVIL}}}{{x}}\n```",
            f"$`\\href{{{EVIL}}}{{x}}`$",
        ),
        "MathJax links without being asked whether it may",
    ),
    Known(
        "an attribute list on two lines",
        lambda seen, _: (
            _by("markdown-it-py plugins", "myst", "remark directive")(seen)
            and re.search(r"\{[^{}]*\n[^{}]*=", seen.text) is not None
        ),
        (":a[x]{\nhref=javascript:alert(1)}", ":img{\nsrc=p.png}", "[x]{\nhref=p}"),
        "the assignment stands on another line than the brace",
    ),
    Known(
        "code in a list item that cannot interrupt a paragraph",
        lambda seen, _: (
            _by("micromark", "remark", "react", "streamdown")(seen) and _NO_ITEM.search(seen.text) is not None
        ),
        (
            f"n\n- -\n        ![x]({EVIL})",
            f"    a\n-\n      ![x]({EVIL})",
            f"    a\n2)     ![x]({EVIL})",
            f"n\n- 2)     ![x]({EVIL})",
        ),
        "micromark takes what stands behind indented code, or first in a list, for behind a paragraph",
    ),
    Known(
        "more behind an address in a block of HTML",
        lambda seen, found: (_SHOWDOWN(seen) or _MATERIAL(seen)) and found.url.startswith(f"{OK}*"),
        (f"<x>\n{OK}*secret",),
        "a kept address without angle brackets, where others see no block of HTML",
    ),
    Known(
        "a port in other digits",
        lambda seen, found: re.search(r":(?:%D9%A\d)+", found.url) is not None,
        ("evil.om:٩/q",),
        "a linkifier that takes every digit of Unicode for one; browsers refuse the address",
    ),
    Known(
        "a code span over the edge of a block",
        lambda seen, _: seen.renderer == "streamdown" and re.search(r"`\n *>", seen.text) is not None,
        (f"`\n>`{EVIL}<i`",),
        "one half of an unfinished pair is closed by the renderer",
    ),
    Known(
        "a link whose text is a directive's",
        lambda seen, _: _by("remark directive")(seen) and re.search(r":\w+\[", seen.text) is not None,
        (f":x[y]({OK})secret",),
        "what is left behind the directive is a bare address with more behind it",
    ),
    Known(
        "a bare address in a code span beside other backticks",
        lambda seen, found: _MATERIAL(seen) and found.url.endswith("`"),
        (f"`` `{EVIL}`",),
        "backticks pair otherwise",
    ),
    Known(
        "a code span over the cells of a table",
        lambda seen, _: _by("markdown2 extras")(seen) and re.search(r"`[^`]*\n\|-", seen.text) is not None,
        (f"``|[x]({EVIL})|\n|-\no``",),
        "a table that is none for GFM ends it",
    ),
    Known(
        "an address with a blank in a formula",
        lambda seen, found: _OLD(seen) and "$" in seen.text and " " in found.url,
        ("$[x](javascript:alert b)$", "$![x](p q)$"),
        "no link for CommonMark, and formulas keep their brackets",
    ),
    Known(
        "a host of one word between slashes and a backtick",
        lambda seen, found: found.url.startswith("//") and found.url.endswith("%60"),
        ("//evil.`",),
        "a linkifier that takes the backtick for a part of the host",
    ),
    Known(
        "a directive named like a tag",
        lambda seen, _: (
            _by("remark directive")(seen) and re.search(r":(?:script|style)", seen.text) is not None
        ),
        (":script[alert(1)]", ":::script\nalert(1)\n:::", ':::style\n@import "p";\n:::'),
        "sites write directives as the elements of their names",
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
        "a picture from a host that the extension chose",
    ),
    Known(
        "a wiki link that begins with a digit",
        lambda seen, _: _by("pyromark", "python-markdown wiki")(seen) and "[[" in seen.text,
        ("[[1 a]]", "![[1/p.png]]", "[[1://evil.example/q]]"),
        "only a number alone is like a citation",
    ),
    Known(
        "an odd mail address",
        lambda seen, found: (
            _by("markdown-it ", "marko", "marked", "python-markdown")(seen) and "@" in found.url
        ),
        ("a@b+c.d", "中@.a", "<a@evil/q>"),
        "linkifiers that are less strict about hosts",
    ),
    Known(
        "the beginning of an address and no more",
        lambda seen, found: found.url.rstrip("/") in ("http://www", "http:", "https:"),
        ("www.", "http:// a"),
        "linkifiers that do not ask for a host",
    ),
    Known(
        "an attribute that is empty",
        lambda seen, found: seen.renderer == "markdown2 extras" and found.url.endswith("alt="),
        (f'<img src="{OK}.png" alt="">',),
        "its smart quotes take the two marks for a pair with others",
    ),
)
