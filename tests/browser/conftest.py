"""The browser that the tests here share: starting one takes longer than most of them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.browser.devtools import chromium, find_chromium
from tests.browser.loopback import loopback
from tests.browser.visit import Browser


@pytest.fixture(scope="session")
def program() -> str:
    found = find_chromium()
    words = "there is no Chromium on this machine"
    if found is None and os.environ.get("CITELINT_EVERYTHING"):
        pytest.fail(words)
    if found is None:
        pytest.skip(words)
    return found


@pytest.fixture(scope="session")
def browser(program: str) -> Iterator[Browser]:
    """For pages that must not ask for anything that they should not."""
    with loopback() as network, chromium(program, network.port) as tools:
        yield Browser(tools, network)
    # A browser may ask again for a picture that it was allowed to have and did not get.
    late = {request for request in network.take() if not request.startswith("allowed.example:")}
    assert not late, "a request that came after everything"


@pytest.fixture
def another_browser(program: str) -> Iterator[Browser]:
    """For pages that do, so that nothing of it is heard late, when another test listens."""
    with loopback() as network, chromium(program, network.port) as tools:
        yield Browser(tools, network)
