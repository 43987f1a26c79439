"""The inputs of other projects' test suites: no crash, no way out, and a second run changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import citelint
from tests.renderers.matrix import is_plain_host, outside, sinks, sinks_by_renderer

ReadRows = Callable[[Path], list[dict[str, Any]]]

FILES = (
    "ammonia",
    "bleach",
    "commonmark_spec",
    "dompurify_expect",
    "dompurify_test_suite",
    "gfm_spec",
    "html5lib_tree_construction",
    "httpleaks",
    "linkify_it",
    "nh3",
    "owasp_xss_evasion",
)

EMPTY = citelint.Manifest.from_dict({"version": 1, "run": {"id": "empty"}, "sources": []})
POLICY = citelint.Policy(required=False, on_unverified="strip")


@pytest.mark.parametrize("name", FILES)
def test_no_input_of_other_test_suites_gets_through(shared: Path, read_jsonl: ReadRows, name: str) -> None:
    failures: list[str] = []
    rows = read_jsonl(shared / "third-party" / f"{name}.jsonl")
    assert len(rows) > 30
    refused = 0
    for row in rows:
        text = row.get("payload") or row["input"]
        try:
            citelint.check(text, EMPTY, policy=POLICY)
        except citelint.InputError:
            refused += 1  # e.g. a NUL byte
            continue
        failures += (f"{row['id']} {fault} from {text!r}" for fault in _faults(text))
    assert refused < len(rows) / 10
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])


def _faults(text: str) -> list[str]:
    """What is wrong with what comes out for *text*."""
    faults = []
    try:
        fixed = citelint.fix(text, EMPTY, policy=POLICY).text
        again = citelint.fix(fixed, EMPTY, policy=POLICY).text
    except citelint.CitelintError as error:
        return [f"fix: {type(error).__name__}: {error}"]
    if again != fixed:
        faults.append(f"not stable: {fixed!r} -> {again!r}")
    for renderer, found in sinks_by_renderer(fixed):
        if outside([found], ()) and not is_plain_host(found):
            faults.append(f"fix, {renderer}: {found.channel} {found.where} {found.url!r} in {fixed!r}")
    try:
        html = citelint.render(text, EMPTY, policy=POLICY, to="fragment").text
    except citelint.CitelintError as error:
        return [*faults, f"render: {type(error).__name__}: {error}"]
    faults += (f"render: {one.channel} {one.where} {one.url!r}" for one in outside(sinks(html), ()))
    return faults


@pytest.mark.parametrize("name", ["commonmark_spec", "gfm_spec"])
def test_the_specifications_come_back_byte_for_byte_when_all_is_kept(
    shared: Path, read_jsonl: ReadRows, name: str
) -> None:
    """Whatever is read and however it is cut: where no decision changes anything, nothing changes."""
    from citelint.planning import KEEP_EVERYTHING, Answer, plan
    from citelint.writing import write

    failures = []
    for row in read_jsonl(shared / "third-party" / f"{name}.jsonl"):
        if "\0" in row["input"]:
            continue
        text = write(plan(Answer(row["input"], EMPTY, POLICY), KEEP_EVERYTHING), POLICY.readers).text.decode()
        if text != row["input"]:
            failures.append(f"{row['id']} {row['input']!r} -> {text!r}")
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])
