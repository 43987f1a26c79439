"""Front matter: entries that hold an address nothing vouches for go, the others keep their bytes."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from tests.command import source

REPORT = "https://example.org/report"
MANIFEST = citelint.Manifest.from_dict({"version": 1, "run": {"id": "run"}, "sources": [source()]})
LEAK = "https://evil.example/p?d=secret"


def _fix(text: str, **settings: Any) -> citelint.Result:
    return citelint.fix(text, MANIFEST, policy=citelint.Policy(required=False, **settings))


@pytest.mark.parametrize(
    ("block", "left"),
    [
        (f"---\ntitle: A\nimage: {LEAK}\ntags: [a, b]\n---\n", "---\ntitle: A\ntags: [a, b]\n---\n"),
        (f'+++\ntitle = "A"\nimage = "{LEAK}"\n+++\n', '+++\ntitle = "A"\n+++\n'),
        (f"---\nimage: '{LEAK}'\n---\n", "---\n---\n"),
        ("---\nimage: //evil.example/x\nlayout: post\n---\n", "---\nlayout: post\n---\n"),
        ("---\nredirect_to: www.evil.example/x\nlayout: post\n---\n", "---\nlayout: post\n---\n"),
        ("---\nredirect_to: evil.example/x\nlayout: post\n---\n", "---\nlayout: post\n---\n"),
        ('---\nimage: "https:\\x2f\\x2fevil.example"\nlayout: post\n---\n', "---\nlayout: post\n---\n"),
        ('---\nimage: "\\u0068ttps://evil.example/"\nlayout: post\n---\n', "---\nlayout: post\n---\n"),
        (f"---\n- {LEAK}\nlayout: post\n---\n", "---\nlayout: post\n---\n"),
    ],
)
def test_an_entry_with_an_unknown_address_goes_as_a_whole(block: str, left: str) -> None:
    result = _fix(f"{block}\nText.\n")
    assert result.text == f"{left}\nText.\n"
    assert [finding.code for finding in result.findings] == ["CL302"]


@pytest.mark.parametrize(
    "entry",
    [
        f"head:\n  - tag: link\n    href: {LEAK}\n",
        f"text: |\n  line\n\n  {LEAK}\n",
        f"text: >-\n  line\n  {LEAK}\n",
        f"images:\n- {LEAK}\n",
        f"images: [\n  {LEAK}\n]\n",
        f"image:\n  {LEAK}\n",
    ],
)
def test_the_lines_that_belong_to_an_entry_go_with_it(entry: str) -> None:
    result = _fix(f"---\ntitle: A\n{entry}layout: post\n---\n\nText.\n")
    assert "evil" not in result.text
    assert result.text.startswith("---\ntitle: A\n")
    assert result.text.endswith("layout: post\n---\n\nText.\n")


@pytest.mark.parametrize(
    "block",
    [
        "---\ntitle: A\ntags: [a, b]\ndate: 2026-11-30\n---\n",
        f"---\ncanonical: {REPORT}\n---\n",
        f'---\ncanonical: "{REPORT}"\n---\n',
        f"---\nlinks: [{REPORT}]\n---\n",
        "---\n# a comment\ntitle: A # another\n---\n",
        "---\nrefs: [1, 2]\nversion: 1.2.3\ntime: 10:30\n---\n",
        '+++\ntitle = "A"\n[params]\n  deep = true\n+++\n',
        "---\ntitle: A\n...\n",
        "---\n---\n",
    ],
)
def test_other_entries_keep_their_bytes(block: str) -> None:
    result = _fix(f"{block}\nText.\n")
    assert result.text == f"{block}\nText.\n"
    assert result.findings == ()


@pytest.mark.parametrize(
    "address",
    [
        f"{REPORT}?d=secret",
        f"{REPORT}#secret",
        f"{REPORT}#:~:text=secret",
        f"{REPORT}?utm_source=secret",
        f"{REPORT}/secret",
        f"{REPORT}@evil.example",
        f"{REPORT}，{LEAK}",
    ],
)
def test_what_is_added_to_a_known_address_does_not_get_out(address: str) -> None:
    assert "canonical" not in _fix(f"---\ntitle: A\ncanonical: {address}\n---\n\nText.\n").text


def test_carriage_returns_survive() -> None:
    result = _fix(f"---\r\ntitle: A\r\nimage: {LEAK}\r\n---\r\n\r\nText.\r\n")
    assert result.text == "---\r\ntitle: A\r\n---\r\n\r\nText.\r\n"


def test_the_mark_before_it_survives() -> None:
    result = _fix(f"\ufeff---\ntitle: Ä\nimage: {LEAK}\n---\nText.\n")
    assert result.text == "\ufeff---\ntitle: Ä\n---\nText.\n"


def test_the_finding_says_where_and_keeps_the_address_out_of_its_words() -> None:
    (finding,) = _fix(f"---\ntitle: A\nimage: {LEAK}\n---\nText.\n").findings
    assert (finding.line, finding.column) == (3, 1)
    assert finding.address == LEAK
    assert "evil" not in finding.message


def test_two_thematic_breaks_are_no_front_matter() -> None:
    result = _fix(f"---\n\nSee [this]({LEAK}) here.\n\n---\n")
    assert result.text == "---\n\nSee this here.\n\n---\n"


def test_citations_are_not_looked_for_in_front_matter() -> None:
    text = "---\nrefs: [1]\n---\n\nText.\n"
    assert _fix(text).text == text


def test_invisible_text_goes_from_front_matter_too() -> None:
    assert _fix("---\ntitle: A\u200bB\n---\nText.\n").text == "---\ntitle: AB\n---\nText.\n"


def test_a_policy_that_trusts_it_lets_local_entries_through() -> None:
    text = "---\ntitle: A\nimage: images/plan.png\n---\n\nText.\n"
    result = _fix(text, front_matter="keep")
    assert (result.text, result.findings) == (text, ())
