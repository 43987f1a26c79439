"""Numbers that are links: what they mean without a list, and what goes along when they go."""

from __future__ import annotations

from typing import Literal

import pytest

import citelint

GOOD, BAD = "https://ok.example/a", "https://other.example/z"
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "r"},
        "sources": [
            {
                "id": "s1",
                "url": GOOD,
                "tool": "http.get",
                "fetched_at": "2026-11-30T10:00:03Z",
                "sha256": "a" * 64,
            }
        ],
    }
)
POLICY = citelint.Policy(required=False, on_unverified="strip")


def fixed(text: str, kind: Literal["markdown", "html"] = "markdown") -> str:
    result = citelint.fix(text, MANIFEST, policy=POLICY, kind=kind)
    again = citelint.fix(result.text, MANIFEST, policy=POLICY, kind=kind)
    assert again.text == result.text
    return result.text


@pytest.mark.parametrize("number", [f"[[1]({GOOD})]", f"[[1]]({GOOD})", f"[1]({GOOD})"])
@pytest.mark.parametrize("before", ["Intro.", "Intro, as in NUMBER."])
def test_a_sentence_that_begins_with_a_linked_number_is_no_list(number: str, before: str) -> None:
    text = f"{before.replace('NUMBER', f'[1]({GOOD})')}\n\n{number} w6q w7q.\n\nmore\n"
    assert fixed(text) == text


@pytest.mark.parametrize("target", [GOOD, BAD])
def test_nor_is_it_one_in_html(target: str) -> None:
    assert " w6q w7q.</p>" in fixed(f'<p>Intro.</p><p>[<a href="{target}">1</a>] w6q w7q.</p>', "html")


def test_what_a_marker_needs_is_a_list() -> None:
    done = fixed(f"Foo [1].\n\n[1]({GOOD}) Title of it\n\nmore\n")
    assert done.startswith("Foo [^s1].\n\nmore\n\n[^s1]: Source record ")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"x [[1]({BAD})] y\n", "x y\n"),
        (f"x [[1]({BAD}), [2]({BAD})] y\n", "x y\n"),
        (f"x ([1]({BAD}); [2]({BAD})).\n", "x.\n"),
        (f"x **[1]({BAD})** y\n", "x y\n"),
        (f"x [1]({BAD})[2]({BAD}), [1]({GOOD}) y\n", f"x, [1]({GOOD}) y\n"),
        # Brackets that may be those of a link, an image or a definition stay.
        (f"x ![[1]({BAD})] y\n", "x ![] y\n"),
        (f"x [[1]({BAD})]: y\n", "x []: y\n"),
    ],
)
def test_brackets_and_commas_go_with_the_numbers_in_them(text: str, left: str) -> None:
    assert fixed(text) == left


@pytest.mark.parametrize(
    ("inside", "left"),
    [
        (f'Intro [<a href="{BAD}">1</a>, <a href="{BAD}">2</a>] on.', "Intro on."),
        (f'Intro <b>(<a href="{BAD}">1</a></b>; <i><a href="{BAD}">2</a>)</i> on.', "Intro on."),
    ],
)
def test_in_html_as_well(inside: str, left: str) -> None:
    assert fixed(f"<p>{inside}</p>", "html") == f"<p>{left}</p>\n"


def test_one_of_two_names_is_enough() -> None:
    findings = citelint.check(f"x [[1]]({GOOD}).\n", MANIFEST, policy=POLICY).findings
    assert [finding.code for finding in findings] == ["CL112"]


@pytest.mark.parametrize("raised", ["(9)", "<i>9</i>", "9, <b>8</b>", " 9 "])
@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_raised_numbers_are_markers_in_whatever_dress(raised: str, kind: Literal["markdown", "html"]) -> None:
    assert fixed(f"rose<sup>{raised}</sup> again", kind).strip() == "rose again"


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_but_not_those_of_units(kind: Literal["markdown", "html"]) -> None:
    text = "5 m<sup>2</sup> and <sup>(see above)</sup> stay"
    assert fixed(text, kind).strip() == text


def test_a_marker_alone_in_its_paragraph_numbers_nothing() -> None:
    assert "9" not in fixed("a\n\n[9]\n\nb\n")
    assert fixed("a\n\n[9]\nTitle\n") == "a\n\n[9]\nTitle\n"


def test_digits_of_other_scripts_are_the_same_number() -> None:
    done = fixed(f"A [٢] b.\n\n## Sources\n\n1. {BAD}\n2. {GOOD}\n")
    assert done.startswith("A [^s1] b.\n\n[^s1]: Source record ")
