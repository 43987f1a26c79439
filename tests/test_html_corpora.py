"""The corpora as HTML answers: other projects' inputs, attacks, and real answers turned into HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import citelint
from tests.html_kit import EMPTY, faults, fix, leaks

ReadRows = Callable[[Path], list[dict[str, Any]]]

THIRD_PARTY = (
    *("ammonia", "bleach", "commonmark_spec", "dompurify_expect", "dompurify_test_suite", "gfm_spec"),
    *("html5lib_tree_construction", "httpleaks", "linkify_it", "nh3", "owasp_xss_evasion"),
)


@pytest.mark.parametrize("name", THIRD_PARTY)
def test_inputs_of_other_test_suites(shared: Path, read_jsonl: ReadRows, name: str) -> None:
    failures: list[str] = []
    refused = 0
    rows = read_jsonl(shared / "third-party" / f"{name}.jsonl")
    for row in rows:
        text = row.get("payload") or row["input"]
        try:
            failures += (f"{row['id']} {fault}" for fault in faults(text, EMPTY, ()))
        except citelint.InputError:
            refused += 1  # a NUL byte
    assert refused < len(rows) / 10
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])


@pytest.mark.parametrize("name", ["exfiltration", "reader-differences"])
def test_attacks(shared: Path, read_jsonl: ReadRows, name: str) -> None:
    """Those on Markdown as well: to HTML they are one paragraph of text."""
    failures: list[str] = []
    for row in read_jsonl(shared / "attacks" / f"{name}.jsonl"):
        if "\0" not in row["input"]:
            failures += (f"{row['id']} {fault}" for fault in faults(row["input"], EMPTY, ()))
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])


def _answers(shared: Path, read_jsonl: ReadRows) -> Iterator[dict[str, Any]]:
    for file in sorted((shared / "answers").glob("*.jsonl")):
        yield from read_jsonl(file)[:12]


def test_answers_as_html_cite_what_they_cite_as_markdown(shared: Path, read_jsonl: ReadRows) -> None:
    """Some differ, where mistune reads a list or a link that the Markdown readers do not."""
    import mistune

    convert = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "url"])
    settings: dict[str, Any] = {"allow_search_results_as_evidence": True}
    policy = citelint.Policy(required=False, on_unverified="strip", **settings)
    answers = list(_answers(shared, read_jsonl))
    differing = 0
    for row in answers:
        manifest = citelint.Manifest.from_dict(row["manifest"])
        markdown = citelint.fix(row["text"], manifest, policy=policy)
        html = fix(str(convert(row["text"])), manifest, **settings)
        assert fix(html.text, manifest, **settings).text == html.text, row["id"]
        urls = [url for source in manifest.sources for url in manifest.urls_of(source)]
        assert not leaks(html.text, urls), row["id"]
        differing += set(markdown.cited) != set(html.cited)
    assert len(answers) > 50
    assert differing <= len(answers) / 20
