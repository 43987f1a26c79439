"""Bytes in, places out: newlines, marks, front matter, and what is refused."""

from __future__ import annotations

import pytest

from citelint.document import MAX_BYTES, Document
from citelint.errors import InputError


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("abc", 0, (1, 1)),
        ("abc", 3, (1, 4)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("é\nß…x", 8, (2, 3)),
        ("\ufeffabc", 3, (1, 1)),
        ("\ufeffabc", 5, (1, 3)),
        ("a\u2028b", 4, (1, 3)),
    ],
)
def test_a_place_is_counted_in_lines_and_characters(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Document(text).position(offset) == place


def test_places_on_one_line_may_be_asked_for_in_any_order() -> None:
    document = Document("x" + "é" * 50 + "\n" + "ü" * 50)
    ascending = [document.position(offset) for offset in range(1, 101, 2)]
    descending = [document.position(offset) for offset in range(99, 0, -2)]
    assert ascending == list(reversed(descending))
    assert document.position(102) == (2, 1)


def test_lines_are_without_their_ends() -> None:
    document = Document("\ufeffone\r\ntwo\rthree")
    assert [document.line(number) for number in (1, 2, 3)] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("text", "newline"),
    [("a\nb\n", b"\n"), ("a\r\nb\r\n", b"\r\n"), ("a\rb\r", b"\r"), ("a", b"\n"), ("a\r\nb\nc\n", b"\n")],
)
def test_the_newline_is_that_of_most_lines(text: str, newline: bytes) -> None:
    assert Document(text).newline == newline


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("---\ntitle: x\n---\nBody", 17),
        ("---\r\ntitle: x\r\n---\r\nBody", 20),
        ("---\ntitle: x\n...\nBody", 17),
        ("+++\ntitle = 'x'\n+++\nBody", 20),
        ("\ufeff---\ntitle: x\n---\n", 20),
        ("---\n# note\ntitle: x\n---\nBody", 24),
        ("---\n---\nBody", 8),
        ("---\n![x](https://evil.example/fb)\n---\n\nDone.", 0),
        ("---\njust words\n---\n", 0),
        ("---\ntitle: x\n", 0),
        ("text\n---\ntitle: x\n---\n", 0),
    ],
)
def test_front_matter_is_what_site_generators_agree_on(text: str, length: int) -> None:
    assert Document(text).front_matter.end == length


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"caf\xe9", "not UTF-8: byte 0xe9 at offset 3"),
        ("a\x00b", "NUL"),
        ("\ud800", "lone surrogate"),
        (b"x" * (MAX_BYTES + 1), "limit"),
    ],
    ids=["latin-1", "nul", "surrogate", "size"],
)
def test_what_cannot_be_read_is_refused_with_a_reason(source: str | bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        Document(source)
    assert caught.value.help
