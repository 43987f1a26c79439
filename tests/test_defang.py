"""Broken tokens and plain text: what no renderer links, in any dialect."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelint.defang import as_text, break_tokens
from citelint.rewrite import as_plain_text
from tests.renderers.matrix import outside, renderers, sinks

HOSTILE = [
    "https://evil.example/a?b=c#d",
    "HTTP://EVIL.EXAMPLE",
    "ftp://evil.example and git+https://evil.example",
    "www.evil.example/x",
    "WWW.evil.example",
    "//evil.example/x",
    "//localhost/x",
    "evil.com/path and evil.com",
    "a.b@evil.example",
    "mailto:a@evil.example xmpp:a@evil.example",
    "https://good.example/?u=https://evil.example",
    "A](https://evil.example) [b",
    "![x](https://evil.example/i.png)",
    "[x][y] [y]: https://evil.example",
    "<https://evil.example>",
    "<img src=https://evil.example/i>",
    "</li><script>alert(1)</script>",
    "&#104;ttps&#58;//evil&#46;example",
    "https&colon;//evil.example",
    r"\[x](https://evil.example) \\",
    "`` ` `` code `https://evil.example`",
    "**bold** _it_ ~~del~~ ==mark== ^sup^ $x$ | cell |",
    "[^src_001] [^1]: x",
    "{{ x }} {% y %} {: href=https://evil.example } [[https://evil.example]] ![[x]]",
    "1. item",
    "- item",
    "# heading",
    ": definition",
    "https:\\\\evil.example\\a",
    "(https://evil.example)",
    "https://user:pw@evil.example:8080/",
    "http://127.0.0.1/ http://[::1]/ https://xn--e1awd7f.example/",
    "https://evil。example www。evil。example",
    "a\u200bb",
    "<!-- x --> <?php ?>",
    "*[abbr]: https://evil.example",
    "//🦄.example/x www.🦄.example/x",
    "www.[x www. [x",
    "www.evil.example//",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "frame", ["{}", "before {} after", "[^a]: Source record {}, captured", "| a | {} |\n|---|---|", "> - {}"]
)
def test_text_is_no_sink_in_any_renderer(text: str, frame: str) -> None:
    markdown = frame.format(as_text(text)) + "\n"
    for name, render in renderers().items():
        assert outside(sinks(render(markdown)), []) == [], name


@pytest.mark.parametrize("text", [one for one in HOSTILE if "\\\\" not in one])
def test_text_shows_the_broken_tokens_and_nothing_else(text: str) -> None:
    shown = " ".join(break_tokens(text).split())
    for name, render in renderers().items():
        if name == "pyromark everything":
            continue  # with smart punctuation, which changes quotes and dashes
        visible = re.sub(r"<[^<>]*>", "", render(f"x {as_text(text)} x\n")).strip()
        assert " ".join(html.unescape(visible).split()) == f"x {shown} x", name


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("https://evil.example/a.b", "hxxps://evil[.]example/a[.]b"),
        ("Http://evil.example", "Hxxp://evil[.]example"),
        ("ftp://evil.example", "fxp://evil[.]example"),
        ("gopher://evil.example", "gopher:/[/]evil[.]example"),
        ("www.evil.example", "www[.]evil[.]example"),
        ("//evil.example", "/[/]evil[.]example"),
        ("///localhost", "/[/][/]localhost"),
        ("/\\evil.example", "/[\\]evil[.]example"),
        ("https:/evil.example", "hxxps:/evil[.]example"),
        ("//🦄.example/x", "/[/]🦄[.]example/x"),
        ("*www.evil.example", "*www[.]evil[.]example"),
        ("www.[x", "www[.][x"),
        ("www..example", "www[.][.]example"),
        ("www.evil.example//", "www[.]evil[.]example//"),
        ("a.b@evil.example/://", "a[.]b[@]evil[.]example/://"),
        ("a.b@evil.example", "a[.]b[@]evil[.]example"),
        ("evil.example:8080", "evil[.]example:8080"),
        ("https://ok.example/?u=//evil.example", "hxxps://ok[.]example/?u=/[/]evil[.]example"),
    ],
)
def test_an_address_is_broken(text: str, broken: str) -> None:
    assert break_tokens(text) == broken


_PIECES = st.sampled_from(
    [
        *("//", "/", "\\", "://", ":", "@", ".", "www.", "WWW.", "https", "http", "ftp", "fxp", "hxxps"),
        *("mailto:", "a", "evil.example", "localhost", "🦄", "0.5", "。", "8", "=", "_", "*", "?", "#", " "),
        *("[", "]", "(", ")", "[.]", "[:]", "&#46;", "&amp;", "\t"),
    ]
)


@given(st.lists(_PIECES, max_size=10).map("".join))
def test_a_second_pass_changes_nothing(text: str) -> None:
    assert break_tokens(break_tokens(text)) == break_tokens(text)
    plain = as_plain_text(text.encode())
    assert as_plain_text(plain) == plain


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Report 2.0: the end.",
        "EY.ai",
        "and/or, 1/2",
        "Smith et al. (2024)",
        "TCP/IP v1.2/v1.3",
        "3:30 pm",
        "C:\\x",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert break_tokens(text) == text


@pytest.mark.parametrize(
    "text", ["Annual report 2025", "Smith et al. (2024): “a study”, p. 3", "2025-01 – São Paulo, 来源"]
)
def test_ordinary_titles_stay_readable_in_the_source(text: str) -> None:
    assert as_text(text) == text


@pytest.mark.parametrize("unit", ["https://", "www.", "a.", "@", "//", "a@", "\\\\", ":", "[", "."])
def test_long_input_ends(unit: str) -> None:
    assert as_text(unit * 20_000)
