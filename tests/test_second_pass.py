"""A second run changes nothing, and what it would have found the first run has reported.

Every input is the smallest of a kind that once came out of ``fix`` unfinished: an edit made something new of
what stood around it, or citelint did not recognise what it had written itself.
"""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from tests.command import source

A, B = "https://good.example/a", "https://good.example/b"


def _manifest(*sources: dict[str, Any]) -> citelint.Manifest:
    return citelint.Manifest.from_dict({"version": 1, "run": {"id": "run"}, "sources": list(sources)})


MANIFEST = _manifest(
    source(id="s1", url=A, title="Title", markers=["1", "E1"]),
    source(id="s2", url=B, title="Title", markers=["2"]),
)


def _fix(text: str, manifest: citelint.Manifest = MANIFEST, **settings: Any) -> citelint.Result:
    settings.setdefault("on_unverified", "strip")
    return citelint.fix(text, manifest, policy=citelint.Policy(required=False, **settings))


def _body(text: str) -> str:
    """Without the sources at the end."""
    return text.partition("\n\n[^")[0].partition("\n\n## Sources")[0].rstrip("\n")


@pytest.mark.parametrize(
    ("text", "body", "codes"),
    [
        ("It fell^[1]^[9].", "It fell[^s1].", {"CL112", "CL103"}),
        ("It fell^[1]^[2].", "It fell[^s1][^s2].", {"CL112"}),
        ("\\cite{1}[9][2] fell.", "[^s1][^s2] fell.", {"CL112", "CL103"}),
        ("x[2][E1]", "x[2][^s1]", {"CL112"}),
        (" <a>*[x]:", " &#42;[x]:", {"CL101", "CL307"}),
        (" [-8<-](x)", " &#45;8<-", {"CL101", "CL307"}),
        ("[1]^[ a", "[^s1]^&#91; a", {"CL112", "CL307"}),
        ("[1]{.x} a", "[^s1]&#123;.x} a", {"CL112", "CL307"}),
        ("{https://good.example/a", "&#123;<https://good.example/a>", {"CL112", "CL307"}),
        ("[^s1]", "[^s1]", {"CL112"}),
    ],
)
def test_what_an_edit_uncovers_is_dealt_with_and_reported(text: str, body: str, codes: set[str]) -> None:
    once = _fix(text)
    assert _body(once.text) == body
    assert {finding.code for finding in once.findings} == codes
    assert _fix(once.text).text == once.text
    policy = citelint.Policy(required=False)
    assert {finding.code for finding in citelint.check(text, MANIFEST, policy=policy).findings} == codes


@pytest.mark.parametrize("style", ["gfm", "list", "inline", "none"])
@pytest.mark.parametrize("links", ["keep", "cite"])
@pytest.mark.parametrize(
    "text",
    [
        "([1](s1)【1】",
        f"{A}(s1)",
        "[9] <ref>1</ref>",
        " ![[1] []:]()",
        "Reference\n- ```\n  rd[1]",
        f"http://good.example/[]({A})",
        "\ufeff[y]:[1](",
        f"参考\n <cite index=1-1> {A}",
        "[2]e://\n<b>\n;【2】",
        "*<a> ```$",
        f"<{A}> 【来源1】",
        f"see {A}",
        f"[see {A} here]({A})",
        f'<a href="{A}">{A}</a>',
        "> ```\n> if a[0](x):\n> text",
        "- x\n  ```js\n  a[0](b)\n\nend",
        "[1]\n~~~`\ncode",
        "a||\n-|-\n|||[2]",
        "Solve for x[^s1].",
        f"|[]({A}) [2]",
    ],
)
def test_a_second_run_changes_nothing(text: str, links: str, style: str) -> None:
    once = _fix(text, footnotes=style, cite_links=links)
    assert _fix(once.text, footnotes=style, cite_links=links).text == once.text
    assert bool(once.findings) or not once.changed


@pytest.mark.parametrize("style", ["gfm", "list", "inline", "none"])
@pytest.mark.parametrize(
    "url",
    [
        "https://good.example/b?x=1&y=2",
        "https://good.example/a_{x=1}",
        "https://good.example/a{:.x}",
        "https://good.example/?a={{x}}&b",
        "https://good.example/[x](y)",
        "https://good.example/a\u200bb?\u00ad&c",
    ],
)
def test_an_address_of_the_manifest_stays_whatever_it_holds(url: str, style: str) -> None:
    manifest = _manifest(source(id="s1", url=url, title="Title", markers=["1"]))
    bare = f"See {url} now." if url.isascii() else "[1]"  # in a text, what nobody sees is no part of it
    for text in (bare, f"See [x](<{url}>) now [1].", f"See <{url}>."):
        for links in ("keep", "cite"):
            once = _fix(text, manifest, footnotes=style, cite_links=links)
            assert _fix(once.text, manifest, footnotes=style, cite_links=links).text == once.text
            assert "removed" not in once.text
            assert once.cited == ("s1",)


@pytest.mark.parametrize("style", ["gfm", "list", "inline", "none"])
@pytest.mark.parametrize("url", [None, A])
@pytest.mark.parametrize("source_id", ["NOTE", "fn", "turn0search0"])
@pytest.mark.parametrize("title", ["", "</cite>", "(source 1)", "Results (source 1)", "turn0search0 [2]"])
def test_a_title_cites_nothing(title: str, source_id: str, url: str | None, style: str) -> None:
    manifest = _manifest(
        source(id=source_id, url=url, title=title) if url else source(id=source_id, title=title)
    )
    once = _fix(f"A [^{source_id}] b.", manifest, footnotes=style)
    assert _fix(once.text, manifest, footnotes=style).text == once.text
    assert once.text.count("Source record") == (style in ("gfm", "list"))
    assert once.cited == (source_id,)


def test_only_citelints_own_marks_lead_to_its_sources() -> None:
    html = citelint.render("B [⁹](#citelint-s1) [x](#part) [1].", MANIFEST).text
    assert html.count('href="#citelint-s1"') == 1
    assert html.count('href="#part"') == 1


def test_what_is_cited_counts_where_nothing_shows_it() -> None:
    """Also when the text is looked at again, here for its invisible character."""
    once = _fix("A\u200b [1] b.", footnotes="none")
    assert (once.text, once.cited, once.status) == ("A b.", ("s1",), "verified")


def test_a_citation_that_goes_with_a_definition_is_none() -> None:
    assert _fix("[9]:cit[]{ref=1}").text == ""
