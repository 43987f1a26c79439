"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import citelint
from citelint.patterns import Pattern, pattern


def waiting(value: object) -> Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from waiting(item)
    elif isinstance(value, dict):
        yield from waiting(list(value.values()))


def test_it_does_what_a_compiled_one_does() -> None:
    words, loud = pattern(rb"[a-z]++"), pattern("[a-z]++", re.IGNORECASE)
    assert words.findall(b"so it is") == [b"so", b"it", b"is"]
    assert loud.sub("-", "So it is") == "- - -"
    assert loud.pattern == "[a-z]++"
    with pytest.raises(AttributeError):
        words.serch(b"")  # type: ignore[attr-defined]


def test_it_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    words = pattern(rb"[a-z]++")
    assert words.search(b"so")
    monkeypatch.delattr(re, "compile")
    assert words.search(b"it")


def test_all_that_wait_are_patterns() -> None:
    """The first to use a pattern must not be the first to find out that it is none."""
    count = 0
    for module in pkgutil.walk_packages(citelint.__path__, "citelint."):
        if not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                for one in waiting(value):
                    assert callable(one.search)
                    count += 1
    assert count > 100
