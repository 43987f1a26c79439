"""All renderers, all corpora: what `fix` writes leads nowhere but to the manifest, whoever reads it.

Other tests show their texts to the renderers at hand one by one; here texts are gathered, and each is shown
to every renderer once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import citelint
from tests import test_attacks as attacks
from tests import test_third_party as third_party
from tests.renderers.known import kind_of
from tests.renderers.matrix import is_plain_host, look, missing, names, outside

Rows = list[dict[str, Any]]
ReadRows = Callable[[Path], Rows]

MINIMUM = 38
"""How many renderers there are when all are installed."""


class Case(NamedTuple):
    """A text that `fix` has to make harmless."""

    id: str
    text: str
    allowed: tuple[str, ...]
    manifest: citelint.Manifest
    policy: citelint.Policy


def test_every_renderer_is_here() -> None:
    gone = missing()
    words = f"{len(names())} renderers are here; missing: " + ", ".join(
        f"{name} ({gone[name]})" for name in gone
    )
    if gone and not os.environ.get("CITELINT_EVERYTHING"):
        pytest.skip(words)
    assert not gone, words
    assert len(names()) >= MINIMUM


def test_the_lock_file_says_what_and_not_where_from(checkout: Path) -> None:
    lock = json.loads((checkout / "tests/renderers/node/package-lock.json").read_bytes())
    packages = [package for name, package in lock["packages"].items() if name]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert not [package for package in packages if "resolved" in package]


@pytest.mark.parametrize("name", attacks.FILES)
def test_attacks(shared: Path, read_jsonl: ReadRows, name: str) -> None:
    _prove(
        Case(row["id"], row["input"], tuple(allowed), attacks.manifest_of(allowed), attacks.policy_of())
        for row in attacks.rows_of(read_jsonl, shared, name)
        for allowed in [row.get("manifest_urls", attacks.ALLOWED)]
    )


def test_hostile_manifests(shared: Path, read_jsonl: ReadRows) -> None:
    _prove(
        Case(f"{row['id']} {style}", row["input"], tuple(row["manifest_urls"]), manifest, policy)
        for row in attacks.rows_of(read_jsonl, shared, "hostile-manifests.jsonl")
        if (manifest := _read(row["manifest"])) is not None
        for style in attacks.STYLES
        for policy in [attacks.policy_of(footnotes=style)]
    )


def test_constructs() -> None:
    manifest, policy = attacks.manifest_of(attacks.VOUCHED), attacks.policy_of()
    _prove(
        Case(construct, construct.format(address) + "\n", tuple(attacks.VOUCHED), manifest, policy)
        for construct in attacks.CONSTRUCTS
        for address in attacks.ADDRESSES
    )


def test_other_test_suites(shared: Path, read_jsonl: ReadRows) -> None:
    _prove(
        Case(row["id"], row.get("payload") or row["input"], (), third_party.EMPTY, third_party.POLICY)
        for name in third_party.FILES
        for row in read_jsonl(shared / "third-party" / f"{name}.jsonl")
    )


def _read(manifest: dict[str, Any]) -> citelint.Manifest | None:
    try:
        return citelint.Manifest.from_dict(manifest)
    except citelint.CitelintError:
        return None  # refusing it is right too


def _prove(cases: Iterable[Case]) -> None:
    by_text: dict[str, list[Case]] = {}
    for case in cases:
        try:
            fixed = citelint.fix(case.text, case.manifest, policy=case.policy).text
        except citelint.InputError:
            continue  # e.g. a NUL byte
        by_text.setdefault(fixed, []).append(case)
    failures = list(_ways_out(by_text))
    assert len(by_text) > 50
    assert not failures, "\n".join([f"{len(failures)} ways out, of which the first:", *failures[:20]])


def _ways_out(by_text: dict[str, list[Case]]) -> Iterator[str]:
    for seen in look(by_text):
        for found in seen.sinks:
            if is_plain_host(found):
                continue
            for case in by_text[seen.text]:
                if outside([found], case.allowed) and not kind_of(seen, found):
                    yield (
                        f"{case.id} {seen.renderer}: {found.channel} {found.where} {found.url!r} "
                        f"in {seen.text!r} from {case.text!r}"
                    )
