"""A fixed row of random documents; `make fuzz` goes on with others."""

from __future__ import annotations

import pytest

from tests.fuzz.documents import CANARY, VOUCHED, Documents
from tests.fuzz.oracle import SETTINGS, faults

SEED = 20261201
COUNT = 150


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_random_markdown(number: int) -> None:
    source = Documents(SEED + number)
    for _ in range(COUNT):
        text = source.markdown()
        assert not list(faults(text, "markdown", SETTINGS[number])), text


def test_random_html() -> None:
    source = Documents(SEED)
    for _ in range(COUNT):
        text = source.html()
        assert not list(faults(text, "html", {})), text


def test_the_documents_hold_what_they_are_for() -> None:
    source = Documents(SEED)
    texts = "".join(source.markdown() + source.html() for _ in range(COUNT))
    assert CANARY in texts
    assert all(url in texts for url in VOUCHED)
