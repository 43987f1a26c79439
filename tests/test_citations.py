"""Citation markers and the answer's own lists: grouped, resolved, written from the manifest, reported."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from tests.command import source

REPORT = "https://example.org/report"
TABLES = "https://example.org/tables"
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "run"},
        "sources": [
            source(id="report", url=REPORT, title="The report", markers=["1", "doc1"]),
            source(id="tables", url=TABLES, title="Tables", markers=["2"]),
            source(
                id="hit", url="https://example.org/hit", tool="search.read", level="listed", markers=["3"]
            ),
            source(id="query", url="https://example.org/q", tool="sql.query", level="opened", markers=["4"]),
        ],
    }
)


def _definition(source_id: str, title: str, url: str) -> str:
    return f"[^{source_id}]: Source record [{title}](<{url}>), captured 2026-11-30, sha256 000000000000."


DEFINITIONS = {
    "report": _definition("report", "The report", REPORT),
    "tables": _definition("tables", "Tables", TABLES),
}


def _fix(text: str, manifest: citelint.Manifest = MANIFEST, **settings: Any) -> citelint.Result:
    return citelint.fix(text, manifest, policy=citelint.Policy(required=False, **settings))


def _body(text: str, **settings: Any) -> str:
    """The fixed text without the sources at its end."""
    return _fix(text, **settings).text.partition("\n\n[^")[0].rstrip("\n")


def _codes(text: str, **settings: Any) -> list[str]:
    return [finding.code for finding in _fix(text, **settings).findings]


# Groups


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Sales rose [1].", "Sales rose [^report]."),
        ("Sales rose[1].", "Sales rose[^report]."),
        ("Sales rose.[1]", "Sales rose.[^report]"),
        ("Sales rose [1][2].", "Sales rose [^report][^tables]."),
        ("Sales rose [2][1].", "Sales rose [^tables][^report]."),
        ("Sales rose [1] [2].", "Sales rose [^report][^tables]."),
        ("Sales rose [1, 2].", "Sales rose [^report][^tables]."),
        ("Sales rose [1-2].", "Sales rose [^report][^tables]."),
        ("Sales rose【1†source】【2†source】.", "Sales rose[^report][^tables]."),
        ("Sales rose [1][1][1].", "Sales rose [^report]."),
        ("Sales rose [1][2][1].", "Sales rose [^report][^tables]."),
        ("Sales rose [1][doc1][^report].", "Sales rose [^report]."),
        ("Sales rose [1], costs fell [1].", "Sales rose [^report], costs fell [^report]."),
        ("Sales rose ([1]).", "Sales rose ([^report])."),
        ("Sales rose [1][9][2].", "Sales rose [^report][^tables]."),
        (
            "| Sales | [1] |\n|---|---|\n| rose | [2] |",
            "| Sales | [^report] |\n|---|---|\n| rose | [^tables] |",
        ),
    ],
)
def test_adjacent_markers_are_one_group_with_each_source_once(text: str, body: str) -> None:
    assert _body(f"{text}\n") == body


def test_the_sources_stand_at_the_end_once_in_order_of_first_use() -> None:
    result = _fix("Costs fell [2]. Sales rose [1]. So did wages [2].\n")
    assert result.cited == ("tables", "report")
    assert result.text == (
        "Costs fell [^tables]. Sales rose [^report]. So did wages [^tables].\n\n"
        f"{DEFINITIONS['tables']}\n\n{DEFINITIONS['report']}\n"
    )


def test_a_citation_that_only_has_to_be_written_is_a_warning() -> None:
    (finding,) = _fix("Sales rose [1].\n").findings
    assert (finding.code, finding.severity, finding.line, finding.column) == ("CL112", "warning", 1, 12)


def test_a_phrase_inside_a_marker_stays_before_its_citation() -> None:
    assert _body("It is :cit[old and new]{ref=doc1}.\n") == "It is old and new[^report]."
    assert _body("It is :cit[old and new]{ref=doc9}.\n") == "It is old and new."
    assert _body('It is \x3ccite index="9-1">old and new\x3c/cite>.\n') == "It is old and new."


@pytest.mark.parametrize("following", ["(", ":"])
@pytest.mark.parametrize("marked", ["[1]", REPORT, f"<{REPORT}>", f"[it]({REPORT})", ":cit[it]{ref=doc1}"])
def test_a_citation_is_no_part_of_what_follows_it(marked: str, following: str) -> None:
    once = _fix(marked + following, cite_links="cite").text
    assert f"[^report]&#{ord(following)};" in once
    assert _fix(once, cite_links="cite").text == once


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (f"<{REPORT}>[1]", f"<{REPORT}>[^report]"),
        (f"<{REPORT}> [^report].", f"<{REPORT}> [^report]."),
        (f"<{REPORT}>[2]", f"<{REPORT}>[^report][^tables]"),
        (f"<{REPORT}>[9]", f"<{REPORT}>[^report]"),
        (f"[it]({REPORT}) [2][1]", f"[it]({REPORT}) [^tables][^report]"),
        (f"[it]({REPORT})[^tables][^report]", f"[it]({REPORT})[^tables][^report]"),
    ],
)
def test_a_link_has_its_footnote_once(text: str, body: str) -> None:
    assert _body(text, cite_links="cite") == body
    once = _fix(text, cite_links="cite").text
    assert _fix(once, cite_links="cite").text == once


# What names nothing


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Sales rose [9].", "Sales rose."),
        ("Sales rose [9], and costs [9] too.", "Sales rose, and costs too."),
        ("Sales rose ([9]).", "Sales rose."),
        ("Sales rose ([9][8]).", "Sales rose."),
        ("销售额上升（[9]）。", "销售额上升。"),
        ("Sales rose (in May [9]).", "Sales rose (in May)."),
        ("Sales rose【9:2†source】.", "Sales rose."),
        ("Sales rose \ue200cite\ue202turn0search0\ue201.", "Sales rose."),
    ],
)
def test_it_goes_with_the_space_before_it_and_brackets_left_empty(text: str, body: str) -> None:
    assert _body(f"{text}\n") == body
    assert set(_codes(f"{text}\n")) == {"CL103"}


def test_a_footnote_without_definition_dangles() -> None:
    result = _fix("Sales rose[^7].\n")
    assert result.text == "Sales rose.\n"
    assert [finding.code for finding in result.findings] == ["CL107"]


def test_a_definition_without_reference_dangles() -> None:
    result = _fix("Sales rose.\n\n[^7]: Some note.\n")
    assert result.text == "Sales rose.\n"
    assert "CL107" in {finding.code for finding in result.findings}


@pytest.mark.parametrize("marker", ["[3]", "[4]", "[^hit]"])
def test_a_source_that_is_no_evidence_supports_nothing(marker: str) -> None:
    result = _fix(f"Sales rose {marker}.\n")
    assert (result.text, result.cited) == ("Sales rose.\n", ())
    assert [finding.code for finding in result.findings] == ["CL105"]


def test_the_operator_decides_what_is_evidence() -> None:
    assert _fix("Sales rose [3].\n", allow_search_results_as_evidence=True).cited == ("hit",)
    assert _fix("Sales rose [4].\n", evidence_sources=("http.get", "sql.query")).cited == ("query",)


# Padding


@pytest.mark.parametrize("marker", ["[1-999999999]", "[1–999999999]", "【1-999999999】"])
def test_a_range_past_all_bounds_is_a_finding_and_cites_nothing(marker: str) -> None:
    result = _fix(f"Sales rose {marker}.\n")
    assert (result.text, result.cited) == ("Sales rose.\n", ())
    assert [finding.code for finding in result.findings] == ["CL110"]


def test_a_run_past_the_policys_bound_is_reported_and_kept() -> None:
    result = _fix("Sales rose [1][2].\n", max_citations_per_block=1)
    assert result.cited == ("report", "tables")
    assert "CL110" in {finding.code for finding in result.findings}
    assert "CL110" not in _codes("Sales rose [1][2].\n", max_citations_per_block=2)


# The answer's own list


@pytest.mark.parametrize(
    "tail",
    [
        f"## Sources\n\n[7] The tables: {TABLES}\n[8] Else: https://evil.example/\n",
        f"### References\n\n7. [The tables]({TABLES})\n8. [Else](https://evil.example/)\n",
        f"**Fuentes:**\n\n[7]: {TABLES}\n[8]: https://evil.example/\n",
        f"[^7]: The tables, {TABLES}\n\n[^8]: Else, https://evil.example/\n",
        f'[7]: {TABLES} "The tables"\n[8]: https://evil.example/ "Else"\n',
        f"参考文献\n\n[7] 表：{TABLES}\n[8] 其他：https://evil.example/\n",
    ],
)
def test_a_list_of_the_model_goes_and_its_numbers_mean_what_is_recorded(tail: str) -> None:
    mark = "[^7]" if tail.startswith("[^") else "[7]"
    result = _fix(f"Costs fell {mark}.\n\n{tail}")
    assert result.text == f"Costs fell [^tables].\n\n{DEFINITIONS['tables']}\n"
    assert result.cited == ("tables",)
    assert "CL108" in {finding.code for finding in result.findings}


def test_prose_after_a_list_stays() -> None:
    result = _fix(
        f"Costs fell [7].\n\n## Sources\n\n[7] The tables: {TABLES}\n\n## Outlook\n\nMore to come.\n"
    )
    assert result.text.startswith("Costs fell [^tables].\n\n## Outlook\n\nMore to come.\n")


def test_one_address_under_several_numbers_is_reported_once() -> None:
    text = f"Costs fell [7].\n\n## Sources\n\n[7] A: {TABLES}\n[8] B: {TABLES}\n"
    assert _codes(text).count("CL109") == 1


def test_a_label_that_the_list_gives_to_another_source_counts_for_neither() -> None:
    result = _fix(f"Sales rose [1].\n\n## Sources\n\n[1] The tables: {TABLES}\n")
    assert (result.text, result.cited) == ("Sales rose.\n", ())
    assert "CL111" in {finding.code for finding in result.findings}


def test_labels_go_before_the_list_and_the_list_before_the_numbering() -> None:
    sources = [
        source(id="a", url=REPORT),
        source(id="b", url=TABLES),
        source(id="c", url="https://example.org/c", markers=["2"]),
    ]
    counted = citelint.Manifest.from_dict(
        {"version": 1, "run": {"id": "run"}, "numbering": 1, "sources": sources}
    )
    text = f"One [1]. Two [2]. Three [3].\n\n## Sources\n\n[3] The tables: {TABLES}\n"
    assert _fix(text, counted).text.startswith("One [^a]. Two [^c]. Three [^b].\n\n")


# What citelint wrote itself


def test_what_citelint_wrote_is_clean() -> None:
    text = f"Sales rose [^report].\n\n{DEFINITIONS['report']}\n"
    result = _fix(text)
    assert (result.text, result.findings, result.changed) == (text, (), False)


@pytest.mark.parametrize(
    "definition",
    [
        "[^report]: Somebody else's words.",
        DEFINITIONS["report"].replace("2026-11-30", "2026-12-01"),
        DEFINITIONS["report"].replace("The report]", "Another title]"),
        DEFINITIONS["report"].replace(REPORT, "https://evil.example/"),
        f"{DEFINITIONS['report']} And more words.",
    ],
)
def test_a_definition_that_differs_is_written_anew(definition: str) -> None:
    result = _fix(f"Sales rose [^report].\n\n{definition}\n")
    assert result.text == f"Sales rose [^report].\n\n{DEFINITIONS['report']}\n"
    assert [finding.code for finding in result.findings] == ["CL112"]


def test_sources_that_stand_before_the_end_move_there() -> None:
    result = _fix(f"Sales rose [^report].\n\n{DEFINITIONS['report']}\n\nMore to come.\n")
    assert result.text == f"Sales rose [^report].\n\nMore to come.\n\n{DEFINITIONS['report']}\n"


def test_a_source_that_is_not_cited_any_more_is_not_listed() -> None:
    text = f"Sales rose [^report].\n\n{DEFINITIONS['report']}\n\n{DEFINITIONS['tables']}\n"
    assert _fix(text).text == f"Sales rose [^report].\n\n{DEFINITIONS['report']}\n"


# Look-alikes


@pytest.mark.parametrize(
    "text",
    [
        "Call `a[1]` and print it.\n",
        "The matrix entry A[7][8] is zero.\n",
        "Between [0, 7] and [7, 8).\n",
        "$x \\in [1, 2]$ holds.\n",
        "Smith v Example [2019] UKSC 5.\n",
        "```\n[1]\n```\n",
        "- [ ] to do\n- [x] done\n",
    ],
)
def test_what_is_no_citation_stays(text: str) -> None:
    result = _fix(text)
    assert (result.text, result.findings) == (text, ())


@pytest.mark.parametrize("text", ["[Sales [1] rose](https://example.org/report)\n"])
def test_no_citation_is_written_inside_a_link_that_stays(text: str) -> None:
    assert "[^report]" not in _body(text)
