"""Small inputs for which the whole line once failed, each for its kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import citelint
from citelint.resolve import Resolver
from tests.command import source
from tests.renderers.matrix import is_plain_host, outside, sinks_by_renderer
from tests.test_pipeline import MANIFEST, REPORT, TABLES, answers

LEAK = "https://evil.example/p"


def fix(text: str, **policy: Any) -> citelint.Result:
    policy.setdefault("required", False)
    return citelint.fix(text, MANIFEST, policy=citelint.Policy(**policy))


def leaks(text: str) -> list[str]:
    return [
        f"{n} {f.url}"
        for n, f in sinks_by_renderer(text)
        if outside([f], [REPORT, TABLES, "https://example.org/photo.png"]) and not is_plain_host(f)
    ]


# 1 data loss / citations into code
@pytest.mark.parametrize(
    "text",
    [
        "A [1].\n\n```\ncode\n",
        "A [1].\n\n```python\nx = 1",
        "A [1].\n\n<!-- x",
        "A [1].\n\n<div>\nx\n",
        "A [1].\n\n    code\n",
        "A [1].\n\n~~~\ncode",
        "- A [1].\n  ```\n  code",
    ],
)
def test_sources_are_not_written_into_an_open_block(text: str) -> None:
    once = fix(text).text
    assert fix(once).text == once
    html = citelint.render(once, MANIFEST).text
    assert "[^report]:" not in html


@pytest.mark.parametrize(
    "text",
    [
        "[2][7]: https://example.org/tables\n",
        "【1†source】[7]: https://example.org/tables\n",
        "\n## Sources\n\n- word [2]",
        "[^report]\n## Sources\n\n1. ",
        "[1]\n## Sources\n\n- - ",
    ],
)
def test_a_second_run_does_not_swallow_the_answer(text: str) -> None:
    once = fix(text).text
    assert fix(once).text == once


@given(answers)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_a_second_run_changes_nothing(text: str) -> None:
    once = fix(text).text
    assert fix(once).text == once


@pytest.mark.parametrize(
    "text",
    [
        "[【1†source】",
        "<a href=x>```\n[1]",
        " https://example.org/report [^7])",
        "【1†source】<a href=x>【1†source】",
        "a\ufe0f\u200d👩\n",
        '<a href="\r\n">',
        "<a href=' '>x</a>",
        "[^7]```\n<b>",
    ],
)
def test_a_second_run_changes_nothing_here(text: str) -> None:
    once = fix(text).text
    assert fix(once).text == once


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_a_replaced_answer_is_replaced_once(language: str) -> None:
    p = {"required": True, "on_unverified": "replace", "language": language}
    once = fix(f"No [x]({LEAK}).\n", **p).text
    assert fix(once, **p).text == once


# 2 leaks
@pytest.mark.parametrize(
    "text", [f"> ~~~\n> [x]({LEAK})\n> ~~~\n", "[[7]: https://example.org/tables\n[[x]]"]
)
def test_no_renderer_of_the_matrix_sees_a_way_out(text: str) -> None:
    assert leaks(fix(text).text) == []


@pytest.mark.parametrize(
    "value",
    [
        "https:/evil.example/x",
        "https:evil.example/x",
        "https:\\\\evil.example/x",
        "/\\evil.example",
        "\\\\evil.example/x",
        "javascript:alert(1)",
        "data:text/html,x",
    ],
)
def test_front_matter_holds_nothing_that_a_browser_would_follow(value: str) -> None:
    assert fix(f"---\nredirect_to: {value}\nlayout: p\n---\nB\n").text == "---\nlayout: p\n---\nB\n"


def test_flags_are_the_three_that_exist() -> None:
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "pin123")
    assert fix(f"\U0001f3f4{hidden}\U000e007f\n").text == "\U0001f3f4\n"


@pytest.mark.parametrize("text", ["1\ufe012\ufe023\ufe03\n", "!\ufe05\n"])
def test_variation_selectors_that_no_character_has_go(text: str) -> None:
    assert not any("\ufe00" <= c <= "\ufe0d" for c in fix(text).text)


# 3 words lost or changed
@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("[words **bold**](https://evil.example/)\n", "words **bold**\n"),
        ("[*a*](https://evil.example/)\n", "*a*\n"),
        ("[a ~~c~~](https://evil.example/) z\n", "a ~~c~~ z\n"),
        ("![alt *x*](https://evil.example/i)\n", "alt *x*\n"),
        (
            '[words **bold**](https://example.org/report "t")\n',
            "[words **bold**](<https://example.org/report>)\n",
        ),
    ],
)
def test_a_link_keeps_its_whole_text(text: str, fixed: str) -> None:
    assert fix(text).text == fixed


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("# [cite_start]Title\n", "# Title\n"),
        ("1. [cite_start]One\n", "1. One\n"),
        ("- [cite_start]One\n", "- One\n"),
        ("> [cite_start]One\n", "> One\n"),
        ("It works \\[cite\\_start\\]and goes on.\n", "It works and goes on.\n"),
        ("# [9]Title\n", "# Title\n"),
    ],
)
def test_the_space_before_a_marker_stays_where_a_word_follows(text: str, fixed: str) -> None:
    assert fix(text).text == fixed


@pytest.mark.parametrize("text", [f"*[The report]({REPORT})*\n", f"*[The report]({REPORT}) says so.*\n"])
def test_emphasis_around_a_link_is_no_command(text: str) -> None:
    assert fix(text).text == text


def test_emphasis_around_a_citation_is_no_command() -> None:
    assert fix("*[1]*\n").text.startswith("*[^report]*\n\n")


@pytest.mark.parametrize(
    "text", ["x^[1]^2 is odd notation", "y^.q^[1]^.a := 3", '<ref id="fig1"/> in DocBook']
)
def test_corpus_negatives(text: str) -> None:
    assert fix(text).text == text


@pytest.mark.parametrize("text", ["മലയാളം ന്\u200d\n", "می\u200c\u200bخواهم\n"])
def test_joiners_that_scripts_need(text: str) -> None:
    assert fix(text).text == text.replace("\u200b", "")


@pytest.mark.parametrize("text", ["**[9]**\n", "A ([9], [9]).\n", "A ( [9] ).\n"])
def test_what_is_left_of_markers_is_no_litter(text: str) -> None:
    assert fix(text).text.strip() in ("", "A.")


# 4 status, policy
def test_a_citation_that_became_text_is_not_verified() -> None:
    result = citelint.fix("<b>" * 300 + " A [1].\n", MANIFEST, policy=citelint.Policy(required=False))
    assert ("[^report]" in result.text.partition("\n\n")[0]) == ("report" in result.cited)


def test_a_host_that_is_written_as_a_link_counts_as_one() -> None:
    assert fix("See example.org/report now.\n").cited == ("report",)


@pytest.mark.parametrize("comment", ["<!-- more -->", "<!--more-->"])
def test_comments_that_the_policy_names_stay(comment: str) -> None:
    text = f"A.\n\n{comment}\n\nB.\n"
    assert fix(text, keep_comments=("more",)).text == text


def test_trusted_front_matter_is_untouched() -> None:
    text = f"---\nimage: {LEAK}\n---\nB\n"
    assert fix(text, front_matter="keep").text == text


def test_front_matter_may_hold_what_the_policy_allows() -> None:
    text = "---\nimage: https://docs.example.org/a\n---\nB\n"
    assert fix(text, allow=("https://docs.example.org/",)).text == text


def test_allowed_mail_is_no_finding() -> None:
    assert fix("[m](mailto:press@example.org)\n", allow_mail=True).findings == ()


def test_an_unused_definition_of_ours_dangles() -> None:
    assert "CL107" in {f.code for f in fix("A.\n\n[^report]: Words.\n").findings}


def test_hidden_attributes_are_hidden_text() -> None:
    assert {f.code for f in fix('<p title="secret words">x</p>\n').findings} == {"CL309"}


def test_opened_capture_goes_before_listed() -> None:
    m = citelint.Manifest.from_dict(
        {
            "version": 1,
            "run": {"id": "r"},
            "sources": [
                source(id="hit", url=REPORT, tool="search.read", level="listed"),
                source(id="page", url=REPORT, level="opened"),
            ],
        }
    )
    assert Resolver(m, citelint.Policy()).address(REPORT).source.id == "page"
    assert citelint.fix(f"A [x]({REPORT}).\n", m).cited == ("page",)


def test_a_label_of_the_hit_in_a_search_then_open_run() -> None:
    m = citelint.Manifest.from_dict(
        {
            "version": 1,
            "run": {"id": "r"},
            "sources": [
                source(id="hit", url=REPORT, tool="search.read", level="listed"),
                source(id="page", url=REPORT, level="opened"),
            ],
        }
    )
    assert citelint.fix(f"A [7].\n\n## Sources\n\n[7] T: {REPORT}\n", m).cited == ("page",)


def test_inline_style_has_one_space() -> None:
    assert "  (" not in fix("A [1].\n", footnotes="inline").text


def test_a_lone_backtick_beside_live_code_at_the_blocks_start() -> None:
    assert fix(f"`[x]({LEAK})` and ` alone.\n").text == f"`[x]({LEAK})` and &#96; alone.\n"


@pytest.mark.parametrize(
    "text", ["<div>\n[1]\n</div>\n", "<table><tr><td>5 days [1]</td></tr></table>\n", "A word![1]\n"]
)
def test_a_citation_in_an_html_block_is_rendered_as_one(text: str) -> None:
    html = citelint.render(text, MANIFEST).text
    assert "[^report]" not in html


@pytest.mark.parametrize("text", ["[2][^7]: x\n"])
def test_check_agrees_with_fix(text: str) -> None:
    p = citelint.Policy(
        required=False, readers=("commonmark", "gfm", "mistune", "python-markdown", "linkify")
    )
    report, result = citelint.check(text, MANIFEST, policy=p), citelint.fix(text, MANIFEST, policy=p)
    assert (report.findings, report.status, report.cited) == (result.findings, result.status, result.cited)


@pytest.mark.parametrize("text", ["=[^report]", "x_[^report]_", "\n## Sources\n\nexample.org/report "])
def test_the_list_style_is_read_again(text: str) -> None:
    once = fix(text, footnotes="list").text
    assert fix(once, footnotes="list").text == once


def test_what_never_comes_to_rest_is_not_given_out() -> None:
    nested = "t" * 12 + "turn0search0" + "urn0search0" * 12
    with pytest.raises(citelint.PostconditionError, match="something else appears"):
        fix(f"A [1].\n\n{{{nested}{{ config.SECRET_KEY }}}}\n")


def test_nested_markers_within_reason_go_whole() -> None:
    nested = "t" * 3 + "turn0search0" + "urn0search0" * 3
    result = fix(f"A [1].\n\n{{{nested}{{ config.SECRET_KEY }}}}\n")
    assert "{{" not in result.text
    assert fix(result.text).text == result.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"allow_mail": "no"},
        {"allow_search_results_as_evidence": "false"},
        {"retention_days": "x"},
        {"retention_days": True},
        {"removed_link": None},
        {"severity": None},
    ],
)
def test_a_wrong_type_is_no_setting(wrong: dict[str, Any]) -> None:
    with pytest.raises(citelint.PolicyError, match=next(iter(wrong)).replace("_", "-")):
        citelint.Policy(**wrong)


def test_what_is_wrong_with_an_address_of_the_manifest_is_said_of_markers_too() -> None:
    manifest = citelint.Manifest.from_dict(
        {
            "version": 1,
            "run": {"id": "r"},
            "sources": [source(url="https://user:secret@example.org/report", markers=["1"])],
        }
    )
    assert "CL202" in {finding.code for finding in citelint.check("A [1].\n", manifest).findings}


def test_a_refused_answer_counts_as_unchanged() -> None:
    result = citelint.fix("Nothing cited, [x](https://evil.example/).\n", MANIFEST)
    assert (result.text, result.changed, result.status) == ("", False, "rejected")


def test_a_range_past_the_end_is_padding() -> None:
    assert "CL110" in {finding.code for finding in fix("A [7-12].\n").findings}


@pytest.mark.parametrize(("text", "words"), [(3, "not int"), (None, "not NoneType")])
def test_only_text_is_an_answer(text: Any, words: str) -> None:
    with pytest.raises(citelint.InputError, match=words):
        citelint.check(text, MANIFEST)


def test_only_a_manifest_vouches() -> None:
    with pytest.raises(citelint.InputError, match="manifest"):
        citelint.fix("a", {})  # type: ignore[arg-type]


def test_a_form_that_is_not_known_is_refused() -> None:
    with pytest.raises(citelint.InputError, match="pdf"):
        citelint.render("a", MANIFEST, to="pdf")  # type: ignore[arg-type]


def test_a_block_too_long_for_a_parser_becomes_text_once() -> None:
    once = fix("Ask a1@evil.example & co. now. " * 36_000).text
    assert len(once) > 1 << 20
    assert fix(once).text == once
    assert "&amp;amp;" not in once
