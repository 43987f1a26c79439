"""The page's content security policy, when nothing else stands between an attack and the browser.

In the gate's place is a double that lets everything through: what stands in the page is the attack itself, or
what any renderer makes of it. A policy judges what is fetched and nothing else: a page that leads away, or a
connection that is only prepared, is the gate's to prevent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from citelint.rendering.page import answer_page
from tests import test_attacks as attacks
from tests.browser.expected import addresses, fetched
from tests.browser.loopback import host_of
from tests.browser.sections import visit_all
from tests.browser.visit import Browser
from tests.renderers.matrix import Crash, look

Rows = list[dict[str, Any]]
ReadRows = Callable[[Path], Rows]

LINK = "https://allowed.example/docs/guide"
PICTURE = f"{LINK}.png"
SHOWN = f"<img src={PICTURE} alt=''>"
MANIFEST = attacks.manifest_of([LINK, PICTURE])

_PREPARES = re.compile(r"<iframe|preconnect", re.IGNORECASE)
"""What Chromium opens a connection for without asking the policy; then it sends nothing."""


def _page(ungated: str) -> str:
    """What the gate would have been asked to clean, in the page that ``render`` puts around it."""
    return answer_page(ungated, MANIFEST, attacks.policy_of(), "Title")


def _refused(browser: Browser, pieces: Sequence[str]) -> set[str]:
    """The addresses that the policy kept the browser from, after a look at what it did not."""
    refused: set[str] = set()
    asked: set[str] = set()
    heard: set[str] = set()
    preparing = [piece for piece in pieces if _PREPARES.search(piece)]
    others = [piece for piece in pieces if piece not in preparing]
    for shown in visit_all(browser, [SHOWN, *others], around=_page):
        refused |= shown.seen.refused
        asked |= addresses(shown.seen.asked)
        heard |= shown.seen.heard
    assert asked == addresses([PICTURE])
    assert {host_of(one) for one in heard} == {host_of(PICTURE)}
    for shown in visit_all(browser, preparing, around=_page):
        refused |= shown.seen.refused
        assert addresses(shown.seen.asked) <= addresses([PICTURE])
        assert not [one for one in shown.seen.heard if "://" in one]
    return refused


def test_attacks_in_markdown(another_browser: Browser, shared: Path, read_jsonl: ReadRows) -> None:
    rows = attacks.rows_of(read_jsonl, shared, "exfiltration.jsonl")
    texts = [row["input"] for row in rows if row["channel"] == "auto"]
    pieces = {seen.rendered for seen in look(texts) if not isinstance(seen.rendered, Crash)}
    refused = _refused(another_browser, sorted(filter(fetched, pieces)))
    assert len([url for url in refused if host_of(url) == "evil.example"]) > 25


def test_attacks_in_html(another_browser: Browser, shared: Path, read_jsonl: ReadRows) -> None:
    rows = read_jsonl(shared / "attacks" / "exfiltration.jsonl")
    refused = _refused(another_browser, [row["input"] for row in rows if row["kind"] == "html"])
    assert len([url for url in refused if host_of(url) == "evil.example"]) > 5


def test_everything_that_was_ever_known_to_fetch(
    another_browser: Browser, shared: Path, read_jsonl: ReadRows
) -> None:
    rows = read_jsonl(shared / "third-party" / "httpleaks.jsonl")
    refused = _refused(another_browser, [row["input"] for row in rows])
    assert len([url for url in refused if host_of(url) == "leaking.via"]) > 25
