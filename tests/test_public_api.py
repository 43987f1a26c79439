"""The library as its users see it: few names, loaded when they are used, and pure functions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import citelint
from citelint.rendering.gate import list_sinks
from tests.command import source

REPORT = "https://example.org/report"
PRIVATE = {
    key: value
    for key, value in source(id="memo", title="Memo", tool="kb.read", private=True).items()
    if key != "url"
}
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "run"},
        "sources": [
            source(id="report", url=REPORT, title="The report"),
            source(id="tables", url="https://example.org/tables", title="A](https://evil.example) <b>"),
            source(id="hit", url="https://example.org/hit", tool="search.read", level="listed"),
            PRIVATE,
        ],
    }
)


# Names


def test_every_name_that_is_promised_is_there() -> None:
    assert all(getattr(citelint, name) is not None for name in citelint.__all__)
    assert set(citelint.__all__) >= {
        "Manifest",
        "Policy",
        "check",
        "fix",
        "render",
        "verify_citations",
        "render_sources",
    }


def test_a_name_that_is_not_there_says_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'fixx'"):
        _ = citelint.fixx  # type: ignore[attr-defined]


def test_all_errors_are_of_one_kind() -> None:
    errors = [getattr(citelint, name) for name in citelint.__all__ if name.endswith("Error")]
    assert len(errors) > 5
    assert all(issubclass(error, citelint.CitelintError) for error in errors)


def _loaded(statement: str, checkout: Path) -> set[str]:
    """The modules that a fresh interpreter has after *statement*, beyond those it starts with."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=checkout, capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()} - {"citelint", "__future__"}


HEAVY = {
    "ada_url",
    "bleach",
    "bs4",
    "cmarkgfm",
    "html5lib",
    "httpx",
    "jinja2",
    "markdown",
    "mistune",
    "msgspec",
    "nh3",
    "pyromark",
    "rapidfuzz",
    "re2",
    "socket",
    "tomllib",
}


def test_importing_it_loads_nothing_heavy(checkout: Path) -> None:
    assert not _loaded("import citelint; citelint.__version__", checkout) & HEAVY


def test_a_name_loads_what_it_needs_and_no_more(checkout: Path) -> None:
    loaded = _loaded("import citelint; citelint.Manifest; citelint.Policy", checkout)
    assert not loaded & {
        "bleach",
        "bs4",
        "cmarkgfm",
        "httpx",
        "jinja2",
        "mistune",
        "nh3",
        "pyromark",
        "socket",
    }


# Citations given as ids


def test_known_ids_are_given_back_as_sources_in_order_and_once() -> None:
    found = citelint.verify_citations(["tables", "report", "memo", "tables"], MANIFEST)
    assert [one.id for one in found] == ["tables", "report", "memo"]
    assert citelint.verify_citations([], MANIFEST) == ()


@pytest.mark.parametrize("unknown", ["src_009", "", "REPORT", " report", REPORT, "The report", "1"])
def test_an_unknown_id_raises(unknown: str) -> None:
    with pytest.raises(citelint.UnknownCitationError) as caught:
        citelint.verify_citations(["report", unknown], MANIFEST)
    assert caught.value.exit_code == 2
    assert caught.value.help


@pytest.mark.parametrize("given", [None, 1, ["report"], {"id": "report"}])
def test_what_is_no_id_at_all_raises_the_same(given: object) -> None:
    with pytest.raises(citelint.UnknownCitationError):
        citelint.verify_citations([given], MANIFEST)  # type: ignore[list-item]


def test_a_source_that_is_no_evidence_raises_unless_the_policy_admits_it() -> None:
    with pytest.raises(citelint.UnknownCitationError, match="no evidence"):
        citelint.verify_citations(["hit"], MANIFEST)
    policy = citelint.Policy(allow_search_results_as_evidence=True)
    assert [one.id for one in citelint.verify_citations(["hit"], MANIFEST, policy=policy)] == ["hit"]


def test_a_long_id_is_not_repeated_whole() -> None:
    with pytest.raises(citelint.UnknownCitationError) as caught:
        citelint.verify_citations(["x" * 10_000], MANIFEST)
    assert len(str(caught.value)) < 200


# Sources to show


def test_as_markdown_they_are_what_fix_writes() -> None:
    result = citelint.fix("Sales rose [report].\n", MANIFEST)
    assert citelint.render_sources(result.cited, MANIFEST) == result.text.partition("\n\n")[2].rstrip("\n")


def test_as_json_they_have_id_title_url_and_hash() -> None:
    records = json.loads(citelint.render_sources(["report", "memo"], MANIFEST, to="json"))
    assert records == [
        {"id": "report", "title": "The report", "url": REPORT, "sha256": "0" * 64},
        {"id": "memo", "title": "Memo", "sha256": "0" * 64},
    ]


def test_as_html_they_lead_to_the_manifest_only_and_show_the_whole_hash() -> None:
    html = citelint.render_sources(["report", "tables", "memo"], MANIFEST, to="html")
    assert {sink.address for sink in list_sinks(html)} == {REPORT, "https://example.org/tables"}
    assert f'data-sha256="{"0" * 64}"' in html
    assert "<b>" not in html
    assert 'rel="noopener noreferrer nofollow"' in html


@pytest.mark.parametrize("to", ["md", "html", "json"])
def test_an_unknown_id_has_no_form(to: str) -> None:
    with pytest.raises(citelint.UnknownCitationError):
        citelint.render_sources(["nothing"], MANIFEST, to=to)  # type: ignore[arg-type]


def test_no_sources_are_nothing_to_show() -> None:
    assert citelint.render_sources([], MANIFEST) == ""
    assert citelint.render_sources([], MANIFEST, to="html") == ""
    assert citelint.render_sources([], MANIFEST, to="json") == "[]"


# Results


def test_a_finding_says_what_where_and_what_to_do() -> None:
    (finding,) = citelint.fix("Sales rose [report].\n\nCosts [nine][^9] fell.\n", MANIFEST).findings[1:]
    assert (finding.code, finding.name, finding.severity) == ("CL107", "dangling-footnote", "warning")
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (3, 13, 3, 17)
    assert finding.message
    assert finding.help


def test_check_says_what_fix_would_find() -> None:
    text = "Sales rose [report]. [x](https://evil.example/) [9][^9]\n"
    report, result = citelint.check(text, MANIFEST), citelint.fix(text, MANIFEST)
    assert (report.findings, report.status, report.cited) == (result.findings, result.status, result.cited)


def test_the_same_call_gives_the_same_result() -> None:
    text = "Sales rose [report]. [x](https://evil.example/) <b onclick=x>y</b>\n"
    assert citelint.fix(text, MANIFEST) == citelint.fix(text, MANIFEST)
    assert citelint.render(text, MANIFEST) == citelint.render(text, MANIFEST)


def test_bytes_are_read_like_text() -> None:
    assert citelint.fix("Größe [report]\n".encode(), MANIFEST) == citelint.fix("Größe [report]\n", MANIFEST)


def test_rendered_as_markdown_it_is_what_fix_writes() -> None:
    text = "Sales rose [report].\n"
    assert citelint.render(text, MANIFEST, to="md").text == citelint.fix(text, MANIFEST).text


def test_rendered_as_a_fragment_it_has_its_citations_and_sources() -> None:
    rendered = citelint.render("Sales *rose* [report]. [x](https://evil.example/)\n", MANIFEST)
    assert (rendered.status, rendered.cited) == ("verified", ("report",))
    assert "<em>rose</em>" in rendered.text
    assert "[1]" in rendered.text
    assert "evil" not in rendered.text
    assert not rendered.text.lstrip().startswith("<!doctype")


def test_rendered_as_a_page_it_is_one() -> None:
    page = citelint.render("Sales rose [report].\n", MANIFEST, to="page", title="A & B").text
    assert page.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in page
    assert "Content-Security-Policy" in page
