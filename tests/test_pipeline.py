"""Whole answers through ``fix`` and ``render``: what the policy decides, and what survives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import citelint
from citelint.rules import load_rules
from tests.command import source

REPORT = "https://example.org/report"
TABLES = "https://example.org/tables"
LEAK = "https://evil.example/p?d=secret"
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "run"},
        "sources": [
            source(id="report", url=REPORT, title="The report", markers=["1"]),
            source(id="tables", url=TABLES, title="Tables", markers=["2"]),
            source(id="photo", url="https://example.org/photo.png", media_type="image/png"),
        ],
    }
)
CLEAN = f"# Sales\n\nThey rose, says [the report]({REPORT}).\n"
UNVERIFIED = f"# Sales\n\nThey rose ([chart]({LEAK})).\n"
RECORD = "[{0}](<{1}>), captured 2026-11-30, sha256 000000000000"
REPORT_RECORD, TABLES_RECORD = RECORD.format("The report", REPORT), RECORD.format("Tables", TABLES)
GFM = f"[^report]: Source record {REPORT_RECORD}.\n\n[^tables]: Source record {TABLES_RECORD}."
LIST = f"## Sources\n\n[report] Source record {REPORT_RECORD}.\n\n[tables] Source record {TABLES_RECORD}."


def _fix(text: str, site_files: frozenset[str] = frozenset(), **policy: Any) -> citelint.Result:
    policy.setdefault("required", False)
    return citelint.fix(text, MANIFEST, policy=citelint.Policy(**policy), site_files=site_files)


def _codes(result: citelint.Result) -> list[str]:
    return [finding.code for finding in result.findings]


# Answers that do not hold


def test_an_answer_in_which_nothing_was_verified_is_refused() -> None:
    result = citelint.fix(UNVERIFIED, MANIFEST)
    assert (result.text, result.status, result.cited) == ("", "rejected", ())
    assert "CL407" in _codes(result)
    assert citelint.render(UNVERIFIED, MANIFEST).text == ""
    assert citelint.render(UNVERIFIED, MANIFEST, to="page").text == ""


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "could not be verified"), ("es", "no se pudo verificar"), ("pt", "verificar")],
)
def test_it_is_replaced_by_words_in_the_language_of_the_policy(language: str, words: str) -> None:
    result = _fix(UNVERIFIED, required=True, on_unverified="replace", language=language)
    assert words in result.text
    assert "Sales" not in result.text
    assert result.status == "rejected"
    assert result.text.endswith("\n")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Not verified"), ("es", "Sin verificar"), ("pt", "Não verificado")]
)
def test_it_is_shown_under_a_notice(language: str, words: str) -> None:
    policy = {"required": True, "on_unverified": "notice", "language": language}
    result = _fix(UNVERIFIED, **policy)
    notice, _, rest = result.text.partition("\n\n")
    assert words in notice
    assert rest == "# Sales\n\nThey rose (chart).\n"
    assert _fix(result.text, **policy).text == result.text


def test_a_notice_stands_below_the_front_matter_in_the_documents_newlines() -> None:
    text = "---\r\ntitle: A\r\n---\r\n\r\nSales rose.\r\n"
    result = _fix(text, required=True, on_unverified="notice")
    assert result.text.startswith("---\r\ntitle: A\r\n---\r\n")
    assert "\n" not in result.text.replace("\r\n", "")
    assert result.text.index("Not verified") > result.text.index("title")


def test_it_is_stripped() -> None:
    result = _fix(UNVERIFIED, required=True, on_unverified="strip")
    assert (result.text, result.status) == ("# Sales\n\nThey rose (chart).\n", "rejected")


@pytest.mark.parametrize("on_unverified", ["refuse", "replace", "notice", "strip"])
def test_a_verified_answer_is_none_of_their_business(on_unverified: str) -> None:
    result = _fix(CLEAN, required=True, on_unverified=on_unverified)
    assert (result.text, result.status, result.cited) == (CLEAN, "verified", ("report",))


def test_where_no_citation_is_required_an_answer_without_is_unverified_and_shown() -> None:
    result = _fix("Sales rose.\n")
    assert (result.text, result.status, result.findings) == ("Sales rose.\n", "unverified", ())


# Styles


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("gfm", f"A [^report]. B [^tables].\n\n{GFM}\n"),
        ("list", f"A [report]. B [tables].\n\n{LIST}\n"),
        ("none", "A. B.\n"),
    ],
)
def test_citations_are_written_in_the_style_of_the_policy(style: str, text: str) -> None:
    result = _fix("A [report]. B [tables].\n", footnotes=style)
    assert result.text == text
    assert result.cited == ("report", "tables")


def test_inline_citations_stand_in_the_text() -> None:
    result = _fix("A[1]. B.\n", footnotes="inline")
    assert result.text == f"A ({REPORT_RECORD}). B.\n"
    assert _fix(result.text, footnotes="inline").text == result.text


def test_a_list_counts_in_order_of_use_and_has_linked_sources_too() -> None:
    result = _fix(f"A [2]. B, says [this]({REPORT}).\n", footnotes="list")
    assert result.text.startswith(
        f"A [tables]. B, says [this]({REPORT}).\n\n## Sources\n\n[tables] Source record "
    )
    assert "[report] Source record " in result.text


@pytest.mark.parametrize("style", ["gfm", "list"])
def test_the_hash_is_shown_unless_the_policy_says_no(style: str) -> None:
    assert "sha256" in _fix("A [1].\n", footnotes=style).text
    assert "sha256" not in _fix("A [1].\n", footnotes=style, attach_snapshot_hash=False).text


def test_links_get_a_footnote_where_the_policy_wants_it() -> None:
    result = _fix(f"A, says [this]({REPORT}). See {TABLES} too.\n", cite_links="cite")
    assert result.text.startswith(
        f"A, says [this]({REPORT})[^report]. See <{TABLES}>[^tables] too.\n\n[^report]: "
    )
    assert _fix(result.text, cite_links="cite").text == result.text
    assert _fix(f"A, says [this]({REPORT}).\n").text == f"A, says [this]({REPORT}).\n"


# What stands for a removed address


def test_a_removed_address_leaves_the_policys_words() -> None:
    assert _fix(f"See {LEAK} now.\n").text == "See [link removed] now.\n"
    assert _fix(f"See <{LEAK}> now.\n", removed_link="(gone)").text == "See (gone) now.\n"


@pytest.mark.parametrize("text", ["[{0}]", "[{0}](x)", "![{0}]", "{0}[1]", "[{0}]: x"])
def test_those_words_do_not_become_a_link(text: str) -> None:
    fixed = _fix(text.format(LEAK) + "\n").text
    assert "link removed](" not in fixed
    assert "link removed][" not in fixed
    assert "link removed]:" not in fixed


def test_a_link_keeps_its_text_and_an_image_its_alternative() -> None:
    text = f"A [link]({LEAK}) and ![an image]({LEAK}) and [both ![in]({LEAK}) one]({LEAK}).\n"
    assert _fix(text).text == "A link and an image and both in one.\n"


# What the operator allows


def test_addresses_under_an_allowed_prefix_stay_and_are_no_citations() -> None:
    text = "See [the guide](https://docs.example.org/guide/a).\n"
    result = _fix(text, allow=("https://docs.example.org/guide/",))
    assert (result.text, result.status, result.cited) == (text, "unverified", ())
    assert _fix(text).text == "See the guide.\n"


def test_mail_addresses_are_broken_unless_allowed() -> None:
    text = "Write to press@example.org now.\n"
    assert _fix(text, allow_mail=True).text == text
    assert "press@example.org" not in _fix(text).text
    assert _codes(_fix(text)) == ["CL104"]


def test_relative_links_and_images_lead_to_files_of_the_site() -> None:
    text = "[a](guide.md) [b](guide.md#x) ![c](plan.png) [d](#part)\n"
    assert _fix(text, frozenset({"guide.md", "plan.png"})).text == text
    assert _fix(text).text == "a b c [d](#part)\n"


def test_severities_are_the_policys() -> None:
    result = _fix("Sales rose [9].\n", severity={"CL103": "note"})
    assert [(finding.code, finding.severity) for finding in result.findings] == [("CL103", "note")]
    assert result.text == "Sales rose.\n"


def test_a_rule_that_is_off_is_not_heard() -> None:
    result = citelint.check("Sales rose.\n", MANIFEST, policy=citelint.Policy(severity={"CL407": "off"}))
    assert (result.findings, result.status) == ((), "rejected")


OWN_RULE = """
code = "ORG001"
name = "superlative"
severity = "warning"
summary = "A superlative."
message = "who says so: {what}"
help = "cite or drop it"
fix = "none"
why = "Superlatives need sources."
parameters = { patterns = ["(?i)\\\\bthe best\\\\b"] }
[[examples.bad]]
input = "The best.\\n"
codes = ["ORG001"]
[[examples.good]]
input = "Good.\\n"
"""


def test_rules_of_the_users_own_report_in_prose_and_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "ORG001.toml").write_text(OWN_RULE)
    text = "It is the best, `the best`.\n\nAnd The Best again.\n"
    policy = citelint.Policy(required=False)
    result = citelint.fix(text, MANIFEST, policy=policy, rules=load_rules([tmp_path]))
    assert result.text == text
    found = [(one.code, one.line, one.column, one.message) for one in result.findings]
    assert found == [("ORG001", 1, 7, "who says so: the best"), ("ORG001", 3, 5, "who says so: The Best")]


# What survives


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("\ufeffA [9].\n", "\ufeffA.\n"),
        ("A [9].\r\nB\r\n", "A.\r\nB\r\n"),
        ("A [9].\rB\r", "A.\nB\n"),  # parsers differ on a return alone
        ("A [9].", "A."),
        ("A [9].\n\n\n", "A.\n\n\n"),
        ("A [9].\r\nB\nC\r\n", "A.\r\nB\nC\r\n"),
        ("---\ntitle: A # [9]\n---\nA [9].\n", "---\ntitle: A # [9]\n---\nA.\n"),
        ("  A\t[9].  \nB\t\n", "  A.  \nB\t\n"),
        ("Größe 日本 👩🏽‍💻 [9].\n", "Größe 日本 👩🏽‍💻.\n"),
    ],
)
def test_bytes_outside_the_edits_survive(text: str, fixed: str) -> None:
    assert _fix(text).text == fixed


@pytest.mark.parametrize(
    ("text", "newline", "end"),
    [("A [1].\r\n", "\r\n", "\r\n"), ("A [1].", "\n", ""), ("A [1].\n", "\n", "\n")],
)
def test_sources_are_written_in_the_documents_own_manner(text: str, newline: str, end: str) -> None:
    written = f"A [^report].{newline * 2}[^report]: Source record {REPORT_RECORD}.{end}"
    assert _fix(text).text == written


@pytest.mark.parametrize("text", [CLEAN, "", "\n", "Words.", f"<{REPORT}>\n", "| a |\n|---|\n| b |\n"])
def test_a_clean_answer_comes_back(text: str) -> None:
    result = _fix(text)
    assert (result.text, result.changed, result.findings) == (text, False, ())


# Answers that cannot be read


@pytest.mark.parametrize("text", ["a\0b", b"\xff\xfe", b"caf\xe9", "lone \ud800"])
def test_what_is_no_text_is_refused_with_words_on_what_to_do(text: str | bytes) -> None:
    for act in (citelint.check, citelint.fix, citelint.render):
        with pytest.raises(citelint.InputError) as caught:
            act(text, MANIFEST)
        assert caught.value.exit_code == 2
        assert caught.value.help


def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(citelint.InputError):
        citelint.fix("x", MANIFEST, kind="telegram")  # type: ignore[arg-type]


# Whatever comes

FRAGMENTS = (
    "word ",
    "Größe ",
    "。",
    "\n",
    "\n\n",
    "\r\n",
    "[1]",
    "[2]",
    "[9]",
    "[^report]",
    "[^7]",
    "[^7]: x\n",
    " ([9])",
    "【1†source】",
    f"[x]({REPORT})",
    f"[x]({LEAK})",
    f"![i]({LEAK})",
    f"<{TABLES}>",
    f" {LEAK} ",
    f" {REPORT} ",
    f"[7]: {TABLES}\n",
    f"\n[7] T: {TABLES}\n",
    "\n## Sources\n\n",
    "- ",
    "> ",
    "# ",
    "1. ",
    "`",
    "```\n",
    "    ",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    f"<img src={LEAK}>",
    "{{ x }}",
    "[",
    "](",
    ")",
    "!",
    "|",
    "$",
    "\\",
    "_",
    "\u200b",
    "press@example.org ",
    "www.evil.example/x ",
    "---\n",
    "[[x]]",
    "&lt;",
    "&#91;",
    "~~",
    "cite",
)
answers = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)


@given(answers)
@settings(max_examples=200, deadline=None)
def test_what_is_rendered_leads_to_the_manifest_only(text: str) -> None:
    from citelint.rendering.gate import list_sinks

    html = citelint.render(text, MANIFEST, policy=citelint.Policy(required=False)).text
    known = {REPORT, TABLES, "https://example.org/photo.png", ""}
    assert all(sink.address in known or sink.address.startswith("#") for sink in list_sinks(html))
