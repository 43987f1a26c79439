"""Which requests does a browser make for what ``render`` writes of Markdown? For the manifest's pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import citelint
from tests import test_attacks as attacks
from tests.browser.expected import addresses, faults, fetched
from tests.browser.sections import bare, visit_all
from tests.browser.visit import Browser

ReadRows = Callable[[Path], list[dict[str, Any]]]

FILES = ("exfiltration.jsonl", "reader-differences.jsonl", "hostile-manifests.jsonl")
LINK = "https://allowed.example/docs/guide"
PICTURE = f"{LINK}.png"


def _rendered(
    read_jsonl: ReadRows, shared: Path, name: str, to: str
) -> Iterator[tuple[dict[str, Any], list[str], str]]:
    for row in attacks.rows_of(read_jsonl, shared, name):
        allowed = row.get("manifest_urls", attacks.ALLOWED)
        try:
            manifest = (
                citelint.Manifest.from_dict(row["manifest"])
                if "manifest" in row
                else attacks.manifest_of(allowed)
            )
        except citelint.ManifestError:
            continue  # refusing it is right too
        yield row, allowed, citelint.render(row["input"], manifest, policy=attacks.policy_of(), to=to).text


@pytest.mark.parametrize("name", FILES)
def test_attacks_without_the_pages_policy(
    browser: Browser, shared: Path, read_jsonl: ReadRows, name: str
) -> None:
    fragments = list(_rendered(read_jsonl, shared, name, "fragment"))
    allowed = {url for _, urls, _ in fragments for url in urls}
    shown = list(visit_all(browser, [text for _, _, text in fragments]))
    assert len(shown) <= 2, "what the gate writes keeps to itself"
    assert [
        fault for each in shown for fault in faults(each.seen, allowed, fetched(bare("".join(each.pieces))))
    ] == []


@pytest.mark.parametrize("name", FILES)
def test_attacks_as_pages(browser: Browser, shared: Path, read_jsonl: ReadRows, name: str) -> None:
    """Some of them: a page of its own for each takes its time."""
    failures: list[str] = []
    for row, allowed, page in list(_rendered(read_jsonl, shared, name, "page"))[::8]:
        seen = browser.visit(page)
        failures += (
            f"{row['id']} {fault} from {row['input']!r}" for fault in faults(seen, allowed, fetched(page))
        )
    assert failures == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [("markdown", f"![A]({PICTURE}) [B]({LINK})"), ("html", f"<img src={PICTURE}><a href={LINK}>B</a>")],
)
def test_allowed_pictures_are_shown_and_links_followed_when_clicked(
    browser: Browser, kind: str, text: str
) -> None:
    page = citelint.render(
        text, attacks.manifest_of([LINK, PICTURE]), policy=attacks.policy_of(), kind=kind, to="page"
    ).text
    seen = browser.visit(page)
    assert addresses(seen.asked) == addresses([PICTURE])
    assert seen.heard == {"allowed.example:443"}
    assert seen.hovered > 1
    assert not seen.refused
    assert addresses(browser.visit(page, click=f"a[href='{LINK}']").asked) == addresses([PICTURE, LINK])
