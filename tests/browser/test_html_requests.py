"""Which requests does a browser make for what ``render`` and ``fix`` write of HTML answers?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import citelint
from tests import html_kit
from tests import test_attacks as attacks
from tests.browser.expected import faults, fetched
from tests.browser.sections import bare, visit_all
from tests.browser.visit import Browser
from tests.test_html_corpora import THIRD_PARTY

Rows = list[dict[str, Any]]
ReadRows = Callable[[Path], Rows]


def _attacks(read_jsonl: ReadRows, shared: Path) -> Rows:
    rows = [row for row in read_jsonl(shared / "attacks" / "exfiltration.jsonl") if row["kind"] != "markdown"]
    assert len(rows) >= 18
    return rows


def test_attacks_as_pages_and_as_parts(browser: Browser, shared: Path, read_jsonl: ReadRows) -> None:
    failures: list[str] = []
    parts: list[str] = []
    rows = _attacks(read_jsonl, shared)
    for row in rows:
        allowed, text = row["manifest_urls"], row["input"]
        manifest, policy = attacks.manifest_of(allowed), attacks.policy_of()
        page = citelint.render(text, manifest, policy=policy, kind="html", to="page").text
        parts.append(citelint.fix(text, manifest, policy=policy, kind="html").text)
        seen = browser.visit(page)
        failures += (f"{row['id']} {fault} from {text!r}" for fault in faults(seen, allowed, fetched(page)))
    (shown,) = visit_all(browser, parts)
    allowed = [url for row in rows for url in row["manifest_urls"]]
    failures += faults(shown.seen, allowed, fetched(bare("".join(parts))))
    assert failures == []


def test_other_test_suites(browser: Browser, shared: Path, read_jsonl: ReadRows) -> None:
    """All of them without the policy that pages come with, so that nothing but what was written decides."""
    texts = [
        row.get("payload") or row["input"]
        for name in THIRD_PARTY
        for row in read_jsonl(shared / "third-party" / f"{name}.jsonl")
    ]
    failures, count = _faults_in(browser, list(_parts(texts)))
    assert failures == []
    assert count > 1000


@pytest.mark.parametrize(
    "name", ["httpleaks", "owasp_xss_evasion", "dompurify_expect", "html5lib_tree_construction"]
)
def test_other_test_suites_as_pages(browser: Browser, shared: Path, read_jsonl: ReadRows, name: str) -> None:
    """Some of each: a page of its own for each takes its time."""
    rows = read_jsonl(shared / "third-party" / f"{name}.jsonl")
    failures: list[str] = []
    for row in rows[:: max(1, len(rows) // 10)]:
        text = row.get("payload") or row["input"]
        if "\0" in text:
            continue  # refused
        page = citelint.render(text, html_kit.EMPTY, policy=html_kit.LENIENT, kind="html", to="page").text
        failures += (f"{row['id']} {fault} from {text!r}" for fault in faults(browser.visit(page), ()))
    assert failures == []


def _parts(texts: Sequence[str]) -> Iterator[str]:
    """What ``fix`` writes; of a page, what is in its ``<main>``."""
    for text in texts:
        try:
            fixed = html_kit.fix(text, html_kit.EMPTY).text
        except citelint.InputError:
            continue  # a NUL byte
        yield (
            fixed.partition("<main>\n")[2].rpartition("\n</main>")[0]
            if fixed.startswith("<!doctype")
            else fixed
        )


def _faults_in(browser: Browser, parts: Sequence[str]) -> tuple[list[str], int]:
    failures: list[str] = []
    count = pages = 0
    for shown in visit_all(browser, parts):
        pages += 1
        count += len(shown.pieces)
        for fault in faults(shown.seen, ()):
            # To whom it is due is only looked for when there is anything.
            guilty = [piece for piece in shown.pieces if faults(browser.visit(bare(piece)), ())]
            failures.append(f"{fault} from one of {guilty!r}")
    assert pages < 20, "what the gate writes keeps to itself"
    return failures, count
