"""The JSON under a manifest: only one reading is admitted, and no input does more than be refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citelint.errors import ManifestError
from citelint.manifest import Manifest

REST = b'"run": {"id": "r"}, "sources": []}'


def nested(levels: int) -> bytes:
    """A manifest whose deepest value is in that many objects, itself included."""
    return b'{"version": 1, "x-deep": ' + b'{"a":' * (levels - 1) + b"1" + b"}" * (levels - 1) + b", " + REST


BAD_TEXTS: list[tuple[bytes, str]] = [
    (b"", "empty"),
    (b" \n\t", "empty"),
    (b"\xef\xbb\xbf" + b'{"version": 1, ' + REST, "byte order mark"),
    (b"\xff\xfe{\x00}\x00", "byte 0xff at offset 0"),
    (b'{"version": 1, "x-a": "\xed\xa0\x80", ' + REST, "byte 0xed at offset 23"),
    (b'{"version": 1, "x-a": "\\ud800", ' + REST, "surrogate"),
    (b'{"version": 1,\n "x-a": \xc3\xa9, ' + REST, "at line 2, column 9"),
    (b'{"version": 1, "x-a": [1,], ' + REST, "trailing comma"),
    (b"{'version': 1}", "not valid JSON at line 1, column 2"),
    (b'{"version": 1', "not valid JSON"),
    (b'{"version": 1, "x-a": NaN, ' + REST, "not valid JSON"),
    (b'{"version": 1, "x-a": "a\nb", ' + REST, "not valid JSON"),
    (b'{"version": 1, "x-a": 1e999, ' + REST, "write it as text"),
    (b'{"version": 1, "x-a": ' + b"9" * 5000 + b", " + REST, "write it as text"),
    (b'{"version": 1, ' + REST + b"\n{}", "JSON Lines"),
    (b"[" * 1_000_000, "64 levels"),
    (b"[" * 1_000_000 + b"]" * 1_000_000, "64 levels"),
    (nested(65), "64 levels"),
]


@pytest.mark.parametrize(("data", "words"), BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_bad_json_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ManifestError) as caught:
        Manifest.from_json(data)
    assert words in f"{caught.value.message} ({caught.value.help})"
    assert caught.value.code == "CL502"


@pytest.mark.parametrize(
    ("data", "key", "path"),
    [
        (b'{"version": 2, "version": 1, ' + REST, "'version'", "$"),
        (b'{"version": 1, "x-a": [{"k": {}, "\\u006b": 1}], ' + REST, "'k'", "$['x-a'][0]"),
        (b'{"version": 1, "x": {"a": {"k": 1, "k": 2}}, "x": 3, ' + REST, "'x'", "$"),
    ],
)
def test_a_key_that_is_there_twice_is_refused_with_its_place(data: bytes, key: str, path: str) -> None:
    with pytest.raises(ManifestError, match="twice in one object") as caught:
        Manifest.from_json(data)
    assert (key in caught.value.message, caught.value.path) == (True, path)


def test_colons_and_quotes_inside_strings_are_no_keys() -> None:
    tricky = rb'{"version": 1, "x-a\":": "a: \"b\": \\", "x-b\\": ["\\\":", {":": ":"}], '
    assert Manifest.from_json(tricky + REST).sources == ()


def test_nesting_up_to_the_limit_is_read() -> None:
    assert Manifest.from_json(nested(64)).sources == ()


def test_text_is_read_like_bytes() -> None:
    text = '{"version": 1, "x-a": "é", ' + REST.decode()
    assert Manifest.from_json(text) == Manifest.from_json(text.encode())


def test_python_values_that_json_cannot_hold_are_refused() -> None:
    circle: list[object] = []
    circle.append(circle)
    for value in (circle, {"a": {1, 2} and object()}, {(1, 2): 3}, {"a": 10**5000}):
        with pytest.raises(ManifestError):
            Manifest.from_dict(value)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text('{}[]":,\\ud81eN.-\n', max_size=40).map(str.encode))
@example(b'"\\')
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ManifestError):
        Manifest.from_json(data)
