"""JSON as the standard has it, with faults told to a person: where, what was found, what is allowed.

Stricter than most readers in the places where readers differ and a manifest could mean two things:
no byte order mark, no key twice in one object, no unpaired surrogate, bounded nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from citelint.errors import ManifestError
from citelint.patterns import pattern

MAX_DEPTH = 64
"""Levels of objects and lists. Whoever walks or prints a value may then do so recursively."""
_SHOWN = 60


def shown(value: object) -> str:
    """An untrusted value for a message: one line, at most about 60 characters, nothing invisible.

    >>> shown("a\\x1b[31m")
    "'a\\\\x1b[31m'"
    """
    if isinstance(value, str):
        text = repr(value[: _SHOWN + 1])
        return text if len(text) <= _SHOWN + 2 else f"{_cut_escape(text[:_SHOWN])}…{text[0]}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a very large number"
    return msgspec.json.encode(value).decode()


def _cut_escape(text: str) -> str:
    """Without a last ``\\x1b`` that was cut in two."""
    return re.sub(r"\\[xuU]?[0-9a-f]{0,7}\Z", "", text)


def read_json(data: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    :raises ManifestError: the text is not JSON, or not of the strict kind; no other error is raised.
    """
    _check_encoding(data)
    try:
        value = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise _syntax_error(data, str(error)) from None
    except RecursionError:
        raise _too_deep() from None
    if _count_keys(value) < _count_colons(data):
        raise _duplicate_key(data)
    return value


def _check_encoding(data: bytes) -> None:
    if not data.strip(b" \t\r\n"):
        raise ManifestError("the file is empty", help='the least is {"version": 1, "run": …, "sources": []}')
    if data.startswith(b"\xef\xbb\xbf"):
        raise ManifestError(
            "the file begins with a byte order mark, which JSON does not allow",
            help='save it as "UTF-8", not "UTF-8 with BOM"',
        )
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise ManifestError(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start:,}",
            help="write the file in UTF-8 (from PowerShell: -Encoding utf8NoBOM)",
        ) from None


_OFFSET = pattern(r" ?\(byte (\d{1,12})\)\Z")


def _syntax_error(data: bytes, reason: str) -> ManifestError:
    where = ""
    if found := _OFFSET.search(reason):
        before = data[: int(found[1])]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        where = f" at line {line}, column {column}"
        reason = reason[: found.start()]
    # "number out of range" comes with a path in Python's terms, "$[...]", which helps nobody.
    reason = reason.removeprefix("JSON is malformed: ").partition(" - at `")[0]
    return ManifestError(
        f"not valid JSON{where}: {reason[:1].lower()}{reason[1:]}", help=_syntax_help(data, reason)
    )


def _syntax_help(data: bytes, reason: str) -> str:
    if b"\\ud" in data.lower():
        return "an unpaired surrogate (\\ud800 to \\udfff) is no character; write the text in UTF-8"
    if reason.endswith("out of range"):
        return "a number is too large; write it as text"
    if "trailing characters" in reason:
        return "one JSON object per file, without comments; JSON Lines is another format"
    return "check it with: python -m json.tool FILE"


def _too_deep() -> ManifestError:
    return ManifestError(
        f"nested more than {MAX_DEPTH} levels deep", help="write deeper arguments of a call as text"
    )


def _count_keys(root: object) -> int:
    """How many keys the value has, at all levels together.

    A reader keeps one of two equal keys of an object, so fewer keys than colons outside strings mean
    that one was there twice. Level by level, for the depth is the sender's.
    """
    keys = 0
    level = [root]
    for _ in range(MAX_DEPTH):
        inner: list[object] = []
        for value in level:
            if type(value) is dict:
                keys += len(value)
                inner.extend(value.values())
            elif type(value) is list:
                inner.extend(value)
        level = [value for value in inner if type(value) is dict or type(value) is list]
        if not level:
            return keys
    raise _too_deep()


def _count_colons(data: bytes) -> int:
    """How many colons stand outside strings; *data* is known to be JSON, where only strings escape."""
    unescaped = data.replace(rb"\\", b"").replace(rb"\"", b"")
    return b"".join(unescaped.split(b'"')[::2]).count(b":")


def _duplicate_key(data: bytes) -> ManifestError:
    """Reads again, slower, to say which key it is and where."""
    import json

    twice: list[tuple[dict[str, Any], str]] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            names = sorted(key for key, _ in pairs)
            twice.append((value, next(a for a, b in pairwise(names) if a == b)))
        return value

    # Numbers are of no interest here, and long ones are refused by int().
    root = json.loads(data, object_pairs_hook=keep, parse_int=str, parse_float=str)
    keys = {id(value): key for value, key in twice}
    for path, value in _objects(root, "$"):
        if id(value) in keys:
            return ManifestError(
                f"the key {shown(keys[id(value)])} is there twice in one object",
                path=path,
                help="readers differ in which of the two they take; leave one",
            )
    return ManifestError("a key is there twice in one object")


def _objects(value: object, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from _objects(item, json_path(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _objects(item, f"{path}[{index}]")


def json_path(parent: str, key: str) -> str:
    """The JSON path of a member; keys that are no plain names are quoted and shortened."""
    plain = key.isascii() and key.isidentifier() and len(key) <= _SHOWN
    return f"{parent}.{key}" if plain else f"{parent}[{shown(key)}]"
