"""Which requests does a browser make for what other people's renderers make of ``fix``'s output?

None of these has a gate behind it, and the pages here have no policy: what `fix` wrote stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ada_url
import pytest

import citelint
from tests import test_attacks as attacks
from tests.browser.expected import addresses
from tests.browser.loopback import host_of
from tests.browser.sections import Shown, visit_all
from tests.browser.visit import Browser
from tests.renderers.known import kind_of
from tests.renderers.matrix import Crash, Found, Seen, look, outside

Rows = list[dict[str, Any]]
ReadRows = Callable[[Path], Rows]


class Made(NamedTuple):
    """What a renderer made of a text, and what the text may lead to."""

    seen: Seen
    allowed: tuple[str, ...]


@pytest.mark.parametrize(
    "name", ["exfiltration.jsonl", "reader-differences.jsonl", "hostile-manifests.jsonl"]
)
def test_renderers_of_what_fix_writes(
    browser: Browser, shared: Path, read_jsonl: ReadRows, name: str
) -> None:
    made: dict[str, list[Made]] = {}
    allowed_by_text = dict(_fixed(attacks.rows_of(read_jsonl, shared, name)))
    for seen in look(allowed_by_text):
        if not isinstance(seen.rendered, Crash):
            made.setdefault(seen.rendered, []).append(Made(seen, allowed_by_text[seen.text]))
    failures = [fault for shown in visit_all(browser, list(made)) for fault in _faults(shown, made)]
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])
    assert len(made) > 100


def _fixed(rows: Rows) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in rows:
        allowed = row.get("manifest_urls", attacks.ALLOWED)
        try:
            manifest = (
                citelint.Manifest.from_dict(row["manifest"])
                if "manifest" in row
                else attacks.manifest_of(allowed)
            )
        except citelint.ManifestError:
            continue  # refusing it is right too
        yield citelint.fix(row["input"], manifest, policy=attacks.policy_of()).text, tuple(allowed)


def _faults(shown: Shown, made: dict[str, list[Made]]) -> Iterator[str]:
    """Requests that no manifest allows, and pictures that one does and nobody asked for."""
    asked = addresses(shown.seen.asked)
    explained: set[str | None] = set()
    for piece in shown.pieces:
        for one in made[piece]:
            for found in one.seen.sinks:
                address = _address(found, shown.seen.at)
                if found.channel != "auto" or address in (None, shown.seen.at):
                    continue  # a click away, or a place in the page itself
                explained.add(address)
                known = not outside([found], one.allowed) or kind_of(one.seen, found)
                if address in asked and not known:
                    yield f"{one.seen.renderer} makes the browser ask for {address} in {one.seen.text!r}"
                if address not in asked and known:
                    yield f"{one.seen.renderer} does not show {address} in {one.seen.text!r}"
    if not shown.seen.kept:
        yield f"the page has led away, with {shown.pieces[0]!r} and others in it"
    hosts = {host_of(url) for url in shown.seen.asked}
    for url in asked - explained:
        yield f"the browser asked for {url}, which no parser finds in any of {len(shown.pieces)} pieces"
    yield from (f"the network heard of {one}" for one in shown.seen.heard if host_of(one) not in hosts)


def _address(found: Found, base: str) -> str | None:
    """Where a sink leads from the page that it is on."""
    try:
        return next(iter(addresses([ada_url.URL(found.url, base).href])))
    except ValueError:
        return None
