"""The proof: every reader looks at what was written, and what none may see is not there."""

from __future__ import annotations

import pytest

import citelint
from citelint import readback
from citelint.model import Sink, Span
from citelint.planning import Answer, Decisions, plan
from citelint.readback import prove
from citelint.writing import write
from tests.command import source

ALL = ("commonmark", "gfm", "mistune", "python-markdown", "linkify")
DEFAULT = citelint.Policy().readers
VOUCHED = "https://example.org/report"
LEAK = "https://evil.example/p"
MANIFEST = citelint.Manifest.from_dict(
    {"version": 1, "run": {"id": "run"}, "sources": [source(markers=["1"])]}
)


def _only_vouched(sink: Sink) -> bool:
    return not sink.where.startswith("tag ") and (sink.address in ("", VOUCHED) or sink.address[0] == "#")


def _nothing(sink: Sink) -> bool:
    return False


# What is allowed stays


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Words, *and* `code`.\n",
        f"[The report]({VOUCHED}) and <{VOUCHED}>\n",
        f"A[^1].\n\n[^1]: Source record [The report](<{VOUCHED}>).\n",
        "| a | b |\n|---|--:|\n| 1 | ~~2~~ |\n\n- [ ] c\n",
        "A <b>bold</b> word.<br>And H<sub>2</sub>O.\n",
        f"```\n{LEAK}\n```\n",
    ],
)
def test_a_text_in_which_all_is_allowed_comes_back(text: str) -> None:
    proven = prove(text.encode(), DEFAULT, _only_vouched)
    assert (proven.text.decode(), proven.neutralised) == (text, ())


# What is not becomes text


@pytest.mark.parametrize("reader", ALL)
@pytest.mark.parametrize(
    "construct", ["[x]({0})", "![x]({0})", "<{0}>", "<img src='{0}'>", "<a href={0}>x</a>"]
)
def test_each_reader_finds_what_all_of_them_see(reader: str, construct: str) -> None:
    block = construct.format(LEAK)
    proven = prove(f"One.\n\n{block}\n\nTwo.\n".encode(), (reader,), _only_vouched)
    text = proven.text.decode()
    assert text.startswith("One.\n\n")
    assert text.endswith("\n\nTwo.\n")
    assert LEAK not in text
    assert [span.start for span in proven.neutralised] == [6]


@pytest.mark.parametrize(
    ("reader", "blind", "text"),
    [
        ("gfm", "commonmark", f"See {LEAK} now."),
        ("mistune", "commonmark", f"See {LEAK} now."),
        ("linkify", "gfm", "See example.com now."),
        ("python-markdown", "commonmark", f"~~~\n[x]({LEAK})\n~~~"),
    ],
)
def test_a_reader_that_sees_more_than_another_is_asked_only_if_the_policy_names_it(
    reader: str, blind: str, text: str
) -> None:
    data = f"Before.\n\n{text}\n".encode()
    assert prove(data, (blind,), _only_vouched).text == data
    proven = prove(data, (blind, reader), _only_vouched)
    assert proven.text.startswith(b"Before.\n\n")
    assert proven.text != data
    assert prove(proven.text, (blind, reader), _only_vouched).text == proven.text


def test_a_definition_far_from_its_use_is_found_as_well() -> None:
    text = f"One [x].\n\nTwo.\n\n[x]: {LEAK}\n".encode()
    proven = prove(text, DEFAULT, _only_vouched)
    assert LEAK.encode() not in proven.text
    assert b"Two.\n" in proven.text


def test_several_blocks_are_found_and_their_neighbours_left() -> None:
    blocks = [f"[x]({LEAK}/{n})" if n % 5 == 2 else f"Words {n}." for n in range(20)]
    proven = prove("\n\n".join(blocks).encode(), DEFAULT, _only_vouched)
    kept = proven.text.decode().split("\n\n")
    assert [n for n, block in enumerate(kept) if block != blocks[n]] == [2, 7, 12, 17]
    assert len(proven.neutralised) == 4


# Nesting


@pytest.mark.parametrize(
    "deep",
    ["<div>" * 300, "<b>" * 5000, "> " * 3000 + "x", "- " * 3000 + "x", "[" * 20000, "*" * 20000 + "x"],
    ids=["div", "b", "quotes", "lists", "brackets", "stars"],
)
def test_nesting_past_all_use_ends_and_moves_no_other_block(deep: str) -> None:
    proven = prove(f"Before.\n\n{deep}\n\nAfter.\n".encode(), DEFAULT, _only_vouched, for_html=True)
    assert proven.text.startswith(b"Before.\n\n")
    assert proven.text.rstrip().endswith(b"After.")


def test_html_nested_too_deeply_becomes_text() -> None:
    proven = prove(b"<div>" * 300 + b"\n\nAfter.\n", DEFAULT, _only_vouched)
    assert b"<" not in proven.text
    assert proven.neutralised[0] == Span(0, 1502)


def test_html_nested_as_people_nest_it_stays() -> None:
    text = b"<div>" * 20 + b"x" + b"</div>" * 20 + b"\n"
    assert prove(text, DEFAULT, _only_vouched).text == text


# When nothing helps


@pytest.fixture
def suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that finds a picture in every text, whatever it is."""
    monkeypatch.setattr(readback, "witness", lambda _name: lambda _text: f'<img src="{LEAK}">')


@pytest.mark.usefixtures("suspicious")
def test_when_nothing_helps_nothing_is_written() -> None:
    with pytest.raises(citelint.PostconditionError) as caught:
        prove(b"One.\n\nTwo.\n", DEFAULT, _nothing)
    assert caught.value.exit_code == 3
    assert "report" in caught.value.help
    assert LEAK not in str(caught.value)


@pytest.mark.usefixtures("suspicious")
def test_nothing_comes_out_of_the_pipeline_either() -> None:
    policy = citelint.Policy(required=False)
    for act in (citelint.check, citelint.fix, citelint.render):
        with pytest.raises(citelint.PostconditionError):
            act("Sales rose [1].\n", MANIFEST, policy=policy)


def test_a_block_that_stays_bad_as_text_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader to whom no spelling of a word is harmless."""
    monkeypatch.setattr(
        readback, "witness", lambda _name: lambda text: f'<img src="{LEAK}">' if "magic" in text else text
    )
    proven = prove(b"One.\n\nSome magic word.\n\nTwo.\n", ("gfm",), _nothing)
    assert proven.text == b"One.\n\nTwo.\n"
    assert len(proven.neutralised) == 1


def test_where_nothing_may_be_seen_an_answer_is_words_alone() -> None:
    policy = citelint.Policy(required=False)
    answer = Answer(f"Sales rose [1]. [More]({VOUCHED})\n", MANIFEST, policy)
    written = write(plan(answer, Decisions(lambda change: change.edits, _nothing)), policy.readers)
    assert b"https://" not in written.body
    assert b"Sales rose" in written.body
    assert "CL304" in {change.code for change in written.changes}
