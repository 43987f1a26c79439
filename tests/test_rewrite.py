"""Edits on bytes: what no edit covers cannot move, and the tail follows the document's own manners."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import citelint
from citelint.change import remove
from citelint.document import Document
from citelint.model import Edit, Span
from citelint.planning import KEEP_EVERYTHING, Answer, plan
from citelint.rewrite import apply, as_plain_text, settle, with_tail
from citelint.writing import write
from tests.command import source

MANIFEST = citelint.Manifest.from_dict(
    {"version": 1, "run": {"id": "run"}, "sources": [source(markers=["1"])]}
)
LENIENT = citelint.Policy(required=False)


def _edit(start: int, end: int, text: bytes = b"") -> Edit:
    return Edit(Span(start, end), text)


# Settling


def test_edits_are_put_in_order() -> None:
    late, early = _edit(8, 9, b"x"), _edit(0, 2)
    assert settle([late, early]) == [early, late]


def test_of_nested_edits_the_outermost_wins() -> None:
    outer = _edit(0, 10, b"x")
    assert settle([_edit(2, 4, b"y"), outer, _edit(5, 10), _edit(0, 3)]) == [outer]


def test_edits_that_overlap_in_part_remove_their_union() -> None:
    assert settle([_edit(0, 4), _edit(2, 6)]) == [_edit(0, 6)]


def test_edits_that_touch_are_both_made() -> None:
    both = [_edit(0, 2, b"x"), _edit(2, 4, b"y")]
    assert settle(both[::-1]) == both


def test_what_is_inserted_before_an_edit_is_kept() -> None:
    inserted, removed = _edit(2, 2, b"x"), _edit(2, 4)
    assert settle([removed, inserted]) == [inserted, removed]
    assert settle([_edit(1, 4), inserted]) == [_edit(1, 4)]


def test_the_same_edit_twice_is_made_once() -> None:
    assert settle([_edit(3, 3, b"x"), _edit(3, 3, b"x")]) == [_edit(3, 3, b"x")]


spans = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: Span(min(pair), max(pair)))


@given(st.lists(spans), st.binary(min_size=20, max_size=20))
@settings(max_examples=200, deadline=None)
def test_settled_edits_do_not_overlap_and_cover_what_was_to_go(removed: list[Span], data: bytes) -> None:
    settled = settle(remove(span) for span in removed)
    assert all(one.span.end <= two.span.start for one, two in pairwise(settled))
    gone = {offset for span in removed for offset in range(*span)}
    assert apply(data, settled) == bytes(byte for offset, byte in enumerate(data) if offset not in gone)


# Applying


def test_bytes_outside_the_edits_are_copied() -> None:
    data = "größer [1] 日本\r\n".encode()
    start = data.index(b"[1]")
    assert apply(data, [_edit(start, start + 3, b"[^a]")]).decode() == "größer [^a] 日本\r\n"
    assert apply(data, []) == data


def test_an_insertion_takes_nothing() -> None:
    assert apply(b"ab", [_edit(1, 1, b"-")]) == b"a-b"


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="byte 1"):
        apply(b"abc", [_edit(0, 2), _edit(1, 3)])


# The sources at the end


@pytest.mark.parametrize(
    ("text", "newline", "written"),
    [
        (b"A", b"\n", b"A\n\nT1\n\nT2"),
        (b"A\n", b"\n", b"A\n\nT1\n\nT2\n"),
        (b"A\n\n\n", b"\n", b"A\n\nT1\n\nT2\n"),
        (b"A  ", b"\n", b"A\n\nT1\n\nT2"),
        (b"A\r\n", b"\r\n", b"A\r\n\r\nT1\r\n\r\nT2\r\n"),
        (b"A\r", b"\r", b"A\r\rT1\r\rT2\r"),
        (b"", b"\n", b"T1\n\nT2"),
    ],
)
def test_the_tail_follows_after_one_blank_line_in_the_documents_newlines(
    text: bytes, newline: bytes, written: bytes
) -> None:
    assert with_tail(text, "T1\n\nT2", newline, was_last=False) == written


@pytest.mark.parametrize("text", [b"A", b"A\n", b"A\n\n\n", b"  ", b""])
def test_without_a_tail_nothing_moves(text: bytes) -> None:
    assert with_tail(text, "", b"\n", was_last=False) == text


@pytest.mark.parametrize(
    ("text", "left"), [(b"A\n\n\n", b"A\n"), (b"A\n\n", b"A\n"), (b"A\r\n\r\n", b"A\r\n")]
)
def test_where_the_list_was_last_its_blank_lines_go_too(text: bytes, left: bytes) -> None:
    newline = b"\r\n" if b"\r" in text else b"\n"
    assert with_tail(text, "", newline, was_last=True) == left


# A block as text


@pytest.mark.parametrize(
    ("block", "plain"),
    [
        (b"words, and more.\n", b"words, and more.\n"),
        (b"[x](https://evil.example/)\r\n", b"&#91;x&#93;(hxxps&#58;//evil&#91;.&#93;example/)\r\n"),
        (b"<b>\n\n*x*\n", b"&lt;b&gt;\n\n&#42;x&#42;\n"),
        (b"# Title\n", b"&#35; Title\n"),
        (b"- item", b"&#45; item"),
        (b"        deep\n", b"   deep\n"),
        (b"a\n\t\tb\n", b"a\n  b\n"),
    ],
)
def test_a_block_written_as_text_shows_the_same_and_means_nothing(block: bytes, plain: bytes) -> None:
    assert as_plain_text(block) == plain


# From the plan to the text


def _written(text: str, policy: citelint.Policy = LENIENT) -> tuple[bytes, bytes]:
    written = write(plan(Answer(text, MANIFEST, policy)), policy.readers)
    return written.head, written.body


def test_mark_and_front_matter_are_the_head() -> None:
    head, body = _written("\ufeff---\ntitle: A\n---\nSales rose.\n")
    assert head.decode() == "\ufeff---\ntitle: A\n---\n"
    assert body == b"Sales rose.\n"


def test_edits_in_both_parts_land_where_they_belong() -> None:
    head, body = _written(
        "---\nimage: https://evil.example/\ntitle: Ä\n---\nSales rose [9] [x](//evil.example).\n"
    )
    assert head.decode() == "---\ntitle: Ä\n---\n"
    assert body == b"Sales rose x.\n"


def test_what_the_proof_made_necessary_is_reported_where_it_stood() -> None:
    """Too deep for any reader: the block becomes text, whatever shifted before it."""
    text = f"Sales rose [9].\n\nMore [9].\n\n{'<div>' * 300}x\n"
    written = write(plan(Answer(text, MANIFEST, LENIENT)), LENIENT.readers)
    places = [change.span for change in written.changes if change.code == "CL304"]
    assert [text.encode()[slice(*place)].rstrip() for place in places] == [text.encode()[28:].rstrip()]


TEXTS = (
    '# A\n\nB [1] **c** <i>d</i> [e](https://evil.example/ "t") ![f](g).\n',
    "---\nimage: https://evil.example/\n---\n\n```mermaid\nx\n```\n\n<!-- c -->\n{{ d }}\n",
    "\ufeffA 【4:0†source】\r\n\r\n## Sources\r\n\r\n1. [x](https://evil.example/)\r\n",
    "a\u200bb \x1b[31m [x][y]\n\n[y]: //evil.example",
    "<script>x</script>\n\n<a href=//evil.example>\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_with_every_decision_forced_to_keep_all_bytes_come_back(text: str) -> None:
    empty = citelint.Manifest.from_dict({"version": 1, "run": {"id": "run"}, "sources": []})
    kept = write(plan(Answer(text, empty, LENIENT), KEEP_EVERYTHING), LENIENT.readers)
    assert (kept.head + kept.body).decode() == text


def test_the_document_itself_is_never_changed() -> None:
    document = Document("Sales rose [1].\n")
    before = document.data
    plan(Answer(document.data, MANIFEST, LENIENT))
    assert document.data == before
