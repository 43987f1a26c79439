"""The gate: nothing an answer wrote as an address is written, and nothing that fetches is overlooked."""

from __future__ import annotations

import pytest

from citelint.model import Sink
from citelint.rendering.gate import TooDeep, clean, list_sinks, second_opinion

URL = "https://example.org/report"
THIRD_PARTY = ("ammonia", "bleach", "dompurify_expect", "dompurify_test_suite", "html5lib_tree_construction",
               "httpleaks", "nh3", "owasp_xss_evasion")  # fmt: skip


def nothing(_tag: str, _attribute: str, _value: str) -> None:
    return None


def only_url(_tag: str, _attribute: str, value: str) -> str | None:
    return URL if value == URL else None


def sinks_outside(html: str) -> list[Sink]:
    return [sink for sink in list_sinks(html) if sink.address != URL]


# --- finding


@pytest.mark.parametrize(
    ("html", "sink"),
    [
        ('<a href="https://evil.example/a">x</a>', Sink("click", "https://evil.example/a", "a[href]")),
        ("<img src=https://evil.example/b>", Sink("auto", "https://evil.example/b", "img[src]")),
        ("<IMG SRC='//evil.example/c'>", Sink("auto", "//evil.example/c", "img[src]")),
        (
            '<p><a href="&#104;ttps://evil.example">x</a></p>',
            Sink("click", "https://evil.example", "a[href]"),
        ),
        ('<a href="&#104ttps://evil.example">x</a>', Sink("click", "https://evil.example", "a[href]")),
        (
            '<img srcset="https://evil.example/d 2x">',
            Sink("auto", "https://evil.example/d 2x", "img[srcset]"),
        ),
        ('<a ping="https://evil.example/e">x</a>', Sink("click", "https://evil.example/e", "a[ping]")),
        ('<td background="https://evil.example/f">', Sink("auto", "", "td[background]")),
        (
            '<p style="background:url(//evil.example)">',
            Sink("auto", "background:url(//evil.example)", "p[style]"),
        ),
        ("<p onclick=alert(1)>", Sink("auto", "alert(1)", "p[onclick]")),
        ("<p data-src=//evil.example>", Sink("auto", "", "p[data-src]")),
        ("<p :href=1>", Sink("auto", "", "p[:href]")),
        ("<p é=1>", Sink("auto", "", "p[é]")),
        ("<link rel=icon href=//evil.example>", Sink("auto", "//evil.example", "link[href]")),
        ("<form action=//evil.example>", Sink("click", "//evil.example", "form[action]")),
        ("<iframe srcdoc='<img>'></iframe>", Sink("auto", "<img>", "iframe[srcdoc]")),
        ("<template><img src=x></template>", Sink("auto", "", "tag <template>")),
        ("<svg><use xlink:href=//evil.example /></svg>", Sink("auto", "//evil.example", "use[href]")),
        ("<p>x<!-- -->", Sink("auto", "", "tag <!>")),
        ("<?import href=//evil.example?>", Sink("auto", "", "tag <!>")),
        ("<a\x0bhref=x>", Sink("auto", "", "tag <a\x0bhref=x>")),
    ],
)
def test_a_sink_is_found(html: str, sink: Sink) -> None:
    if sink.where == "td[background]":
        html, sink = f"<table><tr>{html}", Sink("auto", "https://evil.example/f", "td[background]")
    assert sink in list_sinks(html)


def test_a_refresh_is_found_with_its_content() -> None:
    html = '<meta http-equiv="refresh" content="0;url=//evil.example">'
    assert Sink("auto", "0;url=//evil.example", "meta[content]") in list_sinks(html)


@pytest.mark.parametrize(
    "scheme", ["javascript:x", "data:text/html,x", "unheard-of:x", "http://a b", "file:///x"]
)
def test_no_scheme_hides_an_address_from_the_finder(scheme: str) -> None:
    assert list_sinks(f'<a href="{scheme}">x</a>') == [Sink("click", scheme, "a[href]")]


@pytest.mark.parametrize(
    "html",
    [
        "<p>plain <strong>text</strong><br />\nand a rule</p>\n<hr />",
        '<table><tr><th style="text-align: right;">a</th><td align="left">b</td></tr></table>',
        '<ol start="3"><li class="task-list-item"><input type="checkbox" disabled checked> x</li></ol>',
        '<pre><code class="language-py">a &lt;img src=x&gt; &amp;amp;</code></pre>',
        '<sup class="footnote-ref" id="fnref-1">1</sup>',
    ],
)
def test_what_renderers_write_of_harmless_markdown_is_no_sink(html: str) -> None:
    assert list_sinks(html) == []


# --- cleaning


def test_the_callbacks_string_is_written_never_its_argument() -> None:
    html = clean('<a href="HTTPS://EXAMPLE.org/x">x</a>', lambda *_: URL)
    assert f'href="{URL}"' in html
    assert "EXAMPLE" not in html


def test_links_say_nothing_about_where_they_come_from() -> None:
    html = clean(f'<a href="{URL}" rel="opener" referrerpolicy="unsafe-url" target="_top">x</a>', only_url)
    assert 'rel="noopener noreferrer nofollow"' in html
    assert 'referrerpolicy="no-referrer"' in html
    assert "opener unsafe-url" not in html
    assert "target" not in html


def test_a_dropped_link_keeps_its_text_and_leads_nowhere() -> None:
    html = clean('<a href="https://evil.example">text</a>', nothing)
    assert ">text</a>" in html
    assert list_sinks(html) == []


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<script>alert(1)</script>a", "a"),
        ("a<style>p{}</style><template>b</template><noscript>c</noscript>", "a"),
        ("<form><input type=text>a<button>b</button></form>", "ab"),
        ("<p onclick=x style=color:red title=t>a</p>", "<p>a</p>"),
        ("a<!-- b -->c", "ac"),
        ('<code class="language-py mermaid x">a</code>', '<code class="language-py">a</code>'),
        ('<p id="x">a</p><p id="citelint-src_1">b</p>', '<p>a</p><p id="citelint-src_1">b</p>'),
        ('<td align="justify">a</td>', "a"),
        ('<ol start="7" type="x"><li value="-1">a</li></ol>', '<ol start="7"><li value="-1">a</li></ol>'),
        ("a&#1;b\x9bc\x1b[1m", "abc[1m"),
    ],
)
def test_only_the_allowlist_passes(html: str, kept: str) -> None:
    assert clean(html, nothing) == kept


def test_an_answer_cannot_wear_citelints_names_where_those_are_secret() -> None:
    html = (
        '<p class="citelint-source q7-cite" id="citelint-src_1">a</p>'
        '<p id="q7-src_2"><a href="#q7-src_2">b</a></p>'
    )
    out = clean(html, lambda _tag, _attribute, value: value, own="q7-")
    assert out.startswith('<p class="citelint-cite">a</p><p id="citelint-src_2"><a href="#citelint-src_2"')


@pytest.mark.parametrize(
    "html",
    ["<p><button><p>x", "<pre>\n\nx</pre>", "<ul><form><li>a<li></form><li>b", "<table><a href=x><tr>"],
)
def test_what_was_cleaned_is_clean(html: str) -> None:
    once = clean(html, nothing)
    assert clean(once, nothing) == once
    assert second_opinion(once, nothing) == []


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt()])
def test_a_failing_callback_fails_the_gate(error: BaseException) -> None:
    def allow(_tag: str, _attribute: str, _value: str) -> str:
        raise error

    with pytest.raises(type(error)):
        clean('<a href="https://evil.example">x</a>', allow)


def test_order_of_attributes_is_always_the_same() -> None:
    assert len({clean(f'<a href="{URL}">x</a>', only_url) for _ in range(50)}) == 1


# --- shapes that parsers need quadratic time for


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 300,
        "<li><dd>" * 300,
        '<div title="</div>">' * 300,
        "<div><!-- </div> -->" * 300,
        "<div><style></div></style>" * 300,
        "<div></b>" * 300,
        "<svg><td>" * 300,
        "<b a=1>x" * 100,
        "<p " + "a=1 " * 300 + ">",
        "<p " + "".join(f'a{number}=">" ' for number in range(300)) + ">",
        "<html a=1>" * 300,
    ],
)
def test_too_deep_or_too_wide_is_refused(html: str) -> None:
    with pytest.raises(TooDeep):
        clean(html, nothing)
    with pytest.raises(TooDeep):
        list_sinks(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>a</p></div>" * 2000,
        "<ul>" + "<li><p>a" * 2000 + "</ul>",
        "<table>" + "<tr><td>a<th>b" * 2000 + "</table>",
        "<dl>" + "<dt>a<dd>b" * 2000 + "</dl>",
        "<!-- <div> -->" * 2000,
        "<div>" * 200 + "</div>" * 200,
        f'<p title="{"x" * 5000}">a</p>' * 3,
    ],
)
def test_long_is_not_deep(html: str) -> None:
    assert list_sinks(clean(html, nothing)) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a & b &c; &amp; &lt;", "a &amp; b &amp;c; &amp; &lt;"),
        ("&copy &copy; &eacute;", "© © é"),
        ("&#65 &#x42; &#67z", "A B Cz"),
    ],
)
def test_references_mean_what_they_mean_to_a_browser(written: str, meant: str) -> None:
    assert clean(f"<p>{written}</p>", nothing) == f"<p>{meant}</p>"


def test_a_query_keeps_its_parameters() -> None:
    seen: list[str] = []

    def allow(_tag: str, _attribute: str, value: str) -> None:
        seen.append(value)

    clean('<a href="https://example.org/?a=1&copy=2&lt=3&amp;b">x</a>', allow)
    assert seen == ["https://example.org/?a=1&copy=2&lt=3&b"]


# --- the second opinion


def test_bleach_sees_what_a_gate_let_through() -> None:
    assert second_opinion('<p><a href="https://evil.example">x</a></p>', only_url) != []
    assert second_opinion(f'<p><a href="{URL}" rel="opener">x</a></p>', only_url) != []
    assert second_opinion(clean(f'<p><a href="{URL}">x</a></p>', only_url), only_url) == []
    assert second_opinion('<p onclick="x">a</p>', nothing) != []
    assert second_opinion("<p>a</p><script>b</script>", nothing) != []


@pytest.mark.parametrize("name", THIRD_PARTY)
def test_third_party_attacks(name: str, shared, read_jsonl) -> None:  # type: ignore[no-untyped-def]
    rows = read_jsonl(shared / "third-party" / f"{name}.jsonl")
    assert rows
    for row in rows:
        source = row.get("input") or row.get("payload") or ""
        html = clean(source, only_url)
        assert sinks_outside(html) == [], row["id"]
        assert clean(html, only_url) == html, row["id"]
        assert second_opinion(html, only_url) == [], row["id"]
        list_sinks(source)
