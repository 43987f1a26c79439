"""Pages and parts of pages, their encodings, and answers in the pages of a site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import citelint
from tests.command import Run
from tests.html_kit import MANIFEST, REPORT, fix, leaks

PAGE = (
    '<!DOCTYPE html>\n<html lang="de">\n<head><meta charset="utf-8"><title>Zölle &amp; mehr</title>'
    '<link rel=stylesheet href="https://evil.example/s.css"></head>\n'
    '<body onload="x()">\n<p>Sales rose [1].</p>\n</body>\n</html>\n'
)


def test_a_page_stays_a_page_and_a_part_a_part() -> None:
    page = fix(PAGE)
    assert page.text.startswith('<!doctype html>\n<html lang="en">')
    assert "<title>Zölle &amp; mehr</title>" in page.text
    assert "Content-Security-Policy" in page.text
    assert page.text.count("<body>") == page.text.count("<main>") == 1
    assert [(one.line, one.code) for one in page.findings] == [(3, "CL302"), (4, "CL302"), (5, "CL112")]
    assert not fix("<p>Sales rose [1].</p>").text.startswith("<!doctype")


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        "<html><body>[1]",
        "<!doctype html>[1]",
        "<head><title>x</title></head>[1]",
        "[1]<body>",
        "<html>\n<p>[1]</p></body>after</html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1.dtd"><p>[1]',
    ],
)
def test_a_page_of_our_own_stays_as_it_is(text: str) -> None:
    once = fix(text)
    again = fix(once.text)
    assert again.text == once.text
    assert not again.findings
    assert not again.changed
    assert once.cited == ("src_1",)
    assert not leaks(once.text)


def test_pages_and_parts_as_asked() -> None:
    for text in (PAGE, "<p>Sales rose [1].</p>"):
        part = citelint.render(text, MANIFEST, kind="html", to="fragment").text
        page = citelint.render(text, MANIFEST, kind="html", to="page").text
        assert part.startswith("<p>Sales")
        assert page.startswith("<!doctype html>")
        assert part.strip() in page


def test_the_title_is_text() -> None:
    page = fix("<html><head><title>See https://evil.example/x &lt;/title&gt;\u202e</title></head>[1]").text
    assert "<title>See hxxps://evil[.]example/x &lt;/title&gt;</title>" in page


def test_what_stands_outside_of_the_body_is_shown_by_browsers_and_read() -> None:
    assert "before" in fix("<html><head></head>before<body>x</body>after</html>").text
    assert "after" in fix("<html><head></head>before<body>x</body>after</html>").text


# Encodings

WORDS = "<p>Zölle in Łódź [1]</p>"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (WORDS.encode(), "Zölle in Łódź"),
        (b"\xef\xbb\xbf" + WORDS.encode(), "Zölle in Łódź"),
        (WORDS.encode("utf-16"), "Zölle in Łódź"),
        (b"\xfe\xff" + WORDS.encode("utf-16-be"), "Zölle in Łódź"),
        ('<meta charset="ISO-8859-2">' + WORDS, "Zölle in Łódź"),
        ("<!-- x --><META CHARSET = l2>" + WORDS, "Zölle in Łódź"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">' + WORDS, "Zölle in Łódź"),
        (b'<meta charset="utf-16">' + WORDS.encode(), "Zölle in Łódź"),
        ("<meta charset=windows-1252><p>Zölle “so” [1]</p>".encode("cp1252"), "Zölle “so”"),
        ("<meta charset=gbk><p>关税 [1]</p>".encode("gbk"), "关税"),
        ("<meta charset=shift_jis><p>関税 [1]</p>".encode("shift-jis"), "関税"),
        (b'<!-- <meta charset="latin1"> -->' + WORDS.encode(), "Zölle in Łódź"),
        (b"<p>" + b" " * 1024 + b"<meta charset=latin1>" + WORDS.encode(), "Zölle in Łódź"),
    ],
)
def test_bytes_are_decoded_as_browsers_decode_them(data: bytes | str, words: str) -> None:
    text = fix(data.encode("iso-8859-2") if isinstance(data, str) else data).text
    assert words in text
    assert fix(text.encode()).text == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<p>Z\xf6lle</p>", "not UTF-8: byte 0xf6 at offset 4"),
        (b"<meta charset=shift_jis><p>\x81<", "not shift_jis: byte 0x81 at offset 27"),
        (b"<meta charset=utf-7><p>+ADw-img src=x+AD4-", "'utf-7' is none that browsers read"),
        (b"<meta charset=iso-2022-kr><p>", "'iso-2022-kr' is none that browsers read"),
        (b"<meta charset=klingon><p>", "'klingon' is none that browsers read"),
        (b"\xff\xfe<\x00\x00\xd8", "not utf-16le"),
        (b"<p>\x00", "NUL"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(citelint.InputError, match=message):
        fix(data)


# Answers in the pages of a site

SITE = """<!doctype html>\r
<html><head><meta charset="utf-8"><link rel=stylesheet href="/assets/a.css"><title>Ü</title></head>
<body CLASS=x><nav><a href="/">Home</a> <a href="guide/">Guide</a></nav>
<main  class='answer'>
<p>Sales rose [1], says <a href="https://evil.example/x">it</a>.</p>
</main>
<footer><a href="https://theme.example/by">by</a> &copy </footer></body></html>
"""
THEME: dict[str, Any] = {"page_sinks": ("/", "https://theme.example/")}


def _site(text: str | bytes, select: str = "main.answer", **settings: Any) -> citelint.Result:
    policy = citelint.Policy(**{**THEME, **settings})
    return citelint.fix(text, MANIFEST, policy=policy, kind="html", select=select)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_only_what_is_selected_is_written_anew(mark: str) -> None:
    text = mark + SITE
    result = _site(text.encode())
    before, _, rest = text.partition("<p>Sales")
    after = rest[rest.index("\n</main>") :]
    assert result.text.startswith(before + "<p>Sales rose <sup")
    assert result.text.endswith("</section>" + after)
    assert "evil.example" not in result.text
    assert [(one.line, one.column, one.code) for one in result.findings] == [
        (5, 15, "CL112"),
        (5, 25, "CL101"),
    ]
    again = _site(result.text)
    assert again.text == result.text
    assert not again.findings
    assert not again.changed


def test_several_answers_and_nested_ones() -> None:
    text = "<div class=a><p>x [1]</p></div><p>y [7]</p><div class=a><div class=a>z [2]</div>so [9]</div>"
    result = _site(text, ".a")
    assert result.cited == ("src_1", "src_2")
    assert "<p>y [7]</p>" in result.text
    assert "[9]" not in result.text
    assert result.text.count('class="citelint-sources"') == 2
    assert _site(result.text, ".a").text == result.text


@pytest.mark.parametrize(
    "inside",
    [
        "</main><img src=https://evil.example/p>",
        '</main><a href="https://evil.example/">x</a>',
        "</main><p onclick=x>",
        "</main><script>x</script>",
        "</main><style>p{}</style>",
        "</main><p style='color:red'>",
        "</main><form action=https://evil.example/>",
        "</main><svg><style><img src=https://evil.example/>",
        "</main><noscript><img src=//evil.example/></noscript>",
        "</main><noscript><style>@import '//evil.example'</style></noscript>",
        "</main><noscript><noscript><img src=//evil.example/></noscript>",
        "</main><noembed><p onclick=x></noembed>",
        "</main><p onclick=''>",
        "</main><iframe srcdoc=x>",
        "</main><p data-src='//evil.example/p'>",
        "</main><!--[if IE]><img src=//evil.example><![endif]-->",
        "</main><meta http-equiv=refresh content='0;url=https://evil.example'>",
        "</main><img srcset='/a.png 1x, https://evil.example/p 2x'>",
        "</main><a href='/x?d=4711'>x</a>",
        "</main><a href='javascript:x'>x</a>",
        "</main><svg><rect fill='url(//evil.example)'/></svg>",
        "<svg><title><style></title><main></svg></main><img src=https://evil.example/>",
        "</body></html><img src=https://evil.example/>",
        "</div></main></div><base href=https://evil.example/>",
    ],
)
def test_an_answer_that_leaves_its_container_is_refused(inside: str) -> None:
    result = _site(SITE.replace("<p>Sales", f"{inside}<p>Sales"))
    if "evil" in result.text or "onclick" in result.text:
        assert not result.text
    outside = [one for one in result.findings if "page-sinks" in one.message]
    if inside.startswith("</main>") or outside:
        assert outside
        assert result.refused
        assert result.text == ""
        assert not result.changed
    else:
        assert not leaks(result.text, [REPORT, "https://theme.example/by"]) or "evil" not in result.text


@pytest.mark.parametrize("on_unverified", ["replace", "notice", "strip"])
def test_an_undeclared_page_is_refused_whatever_the_policy_says(on_unverified: str) -> None:
    result = _site(SITE, page_sinks=(), on_unverified=on_unverified)
    assert result.refused
    assert {one.line for one in result.findings if one.code == "CL302"} == {2, 3, 7}


def test_inline_code_of_a_theme_is_declared_as_such() -> None:
    text = SITE.replace("</head>", "<script>x()</script><style>a{}</style></head>").replace(
        "<nav", "<nav onclick=x"
    )
    assert _site(text).refused
    assert not _site(text, page_sinks=(*THEME["page_sinks"], "inline")).refused


@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("article", "found nothing"),
        ("main[", "--select"),
        ("::x", "--select"),
        ("link", "no content"),
        ("title", "no content"),
        ("html", "no content"),
    ],
)
def test_a_selection_that_says_nothing(select: str, message: str) -> None:
    with pytest.raises(citelint.InputError, match=message):
        _site(SITE, select)


def test_what_cannot_be_selected_in() -> None:
    with pytest.raises(citelint.InputError, match="HTML only"):
        citelint.fix("x", MANIFEST, select="main")
    with pytest.raises(citelint.InputError, match="UTF-8"):
        _site(b"<meta charset=latin1><main>Z\xf6lle [1]</main>", "main")


def test_rendered_parts_of_a_site() -> None:
    part = citelint.render(SITE, MANIFEST, policy=citelint.Policy(**THEME), kind="html", select="main").text
    assert part.startswith("<p>Sales")


@pytest.mark.parametrize(
    "prefix", ["javascript:x", "assets/", "//evil.example/", "/a#b", "https://u@x.example/"]
)
def test_page_sinks_are_checked_like_allow(prefix: str) -> None:
    with pytest.raises(citelint.PolicyError, match="page-sinks"):
        citelint.Policy(page_sinks=(prefix,))


# The command line


def _put(name: str, text: str) -> None:
    sources = [
        {
            "id": source.id,
            "url": source.url,
            "title": source.title,
            "tool": source.tool,
            "level": "opened",
            "fetched_at": source.fetched_at,
            "sha256": source.sha256,
            "markers": list(source.markers),
        }
        for source in MANIFEST.sources
    ]
    manifest = {"version": 1, "run": {"id": "r"}, "sources": sources}
    Path(name).write_bytes(text.encode())
    Path(name).with_suffix(".evidence.json").write_text(json.dumps(manifest))


def test_check_fix_and_render_take_html(run: Run) -> None:
    _put("answer.html", "<p>Sales rose [1].</p>\n<img src='//evil.example/p'>\n")
    checked = run("check", "answer.html")
    assert checked.code == 1
    assert "answer.html:2:1: error CL102" in checked.out
    assert run("fix", "answer.html").code == 1
    assert "citelint-sources" in Path("answer.html").read_text()
    assert run("fix", "answer.html").code == 0
    assert run("check", "answer.html").code == 0
    assert run("render", "answer.html", "-o", "page.html").code == 0
    assert Path("page.html").read_text().startswith("<!doctype html>")
    assert run("render", "answer.html", "--to", "md").code == 2


def test_select_on_the_command_line(run: Run) -> None:
    _put("page.html", SITE)
    Path("citelint.toml").write_text('page-sinks = ["/"]\n')
    ended = run("fix", "page.html", "--select", "main")
    assert ended.code == 1
    assert "refused" in ended.out
    assert Path("page.html").read_bytes() == SITE.encode()
    Path("citelint.toml").write_text('page-sinks = ["/", "https://theme.example/"]\n')
    assert run("fix", "page.html", "--select", "main").code == 1
    assert run("check", "page.html", "--select", "main").code == 0
    assert run("check", "page.html", "--select", "article").code == 2
    rendered = run("render", "page.html", "--select", "main")
    assert rendered.code == 0
    assert rendered.out.startswith("<!doctype html>")


_CDATA = "</main><svg><![CDATA[>]]<!-- ]]></svg>"
"""To a browser the comment is text of the drawing, and ends nowhere."""


@pytest.mark.parametrize(
    ("answer", "declared"),
    [
        ("</main><svg></svg><script>alert(1)</script>", ()),
        ("</main><math></math><style>@import '//evil.example/x'</style>", ()),
        (_CDATA + "<body onload=alert(1)> -->", ()),
        (_CDATA + "<template shadowrootmode=open><img src=//evil.example/x></template> -->", ()),
        ("</main><meta http-equiv=refresh content='0 evil'>", ()),
        ("</main><meta http-equiv=refresh content='0 /evil;/assets/'>", ("/assets/",)),
        ("</main><svg><image><set attributeName=href to='http:evil.example/x'/></image></svg>", ()),
        ("</main><base href='https://cdn.example/npm/lib@1/'>", ("/", "https://cdn.example/npm/lib@1/")),
        ("</main><a href='https:evil.example'>x</a>", ("/",)),
        ("</main><img srcset='/a.png 1x,http:evil.example 2x'>", ("/",)),
        ("</main><img data-src='http:evil.example'>", ("/",)),
        ("</main><svg><rect fill='image(\"x\") url(https:evil.example)'/></svg>", ("/",)),
    ],
)
def test_what_an_answer_puts_outside_is_seen_as_a_browser_sees_it(
    answer: str, declared: tuple[str, ...]
) -> None:
    page = f"<!doctype html><html><head><title>t</title></head><body><main>{answer}</main></body></html>"
    policy = citelint.Policy(required=False, on_unverified="strip", page_sinks=declared)
    result = citelint.fix(page, MANIFEST, policy=policy, kind="html", select="main")
    assert result.refused
    assert "CL302" in {finding.code for finding in result.findings}
