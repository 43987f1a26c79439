"""What every test may ask for."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import project, run

__all__ = ["project", "run"]

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of this checkout."""
    return CHECKOUT


@pytest.fixture
def tiny_manifest() -> dict[str, Any]:
    """A manifest with one source, which answers may cite as ``[1]``."""
    return {
        "version": 1,
        "run": {"id": "run-1"},
        "numbering": 1,
        "sources": [
            {
                "id": "src_001",
                "url": "https://example.org/limits",
                "title": "Limits",
                "tool": "http.get",
                "level": "opened",
                "fetched_at": "2026-11-02T09:14:07Z",
                "sha256": "0" * 64,
            }
        ],
    }


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora: ``$CITELINT_CORPORA``, or ``../shared/corpora`` beside the checkout.

    They are test data of their own and not part of this repository; without them the tests that read them
    skip, and say so.
    """
    folder = Path(os.environ.get("CITELINT_CORPORA") or CHECKOUT.parent / "shared" / "corpora")
    if not folder.is_dir():
        pytest.skip(f"the corpora are not beside this checkout ({folder.parent.name}/{folder.name})")
    return folder


@pytest.fixture(scope="session")
def read_jsonl() -> Callable[[Path], list[dict[str, Any]]]:
    """A reader of JSON Lines: the cases of a file, in order."""

    def read(path: Path) -> list[dict[str, Any]]:
        # The texts hold U+2028 and other separators, where str.splitlines would cut a case in two.
        return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]

    return read


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How much was shown to the renderer matrix, if it was used at all."""
    for name in ("tests.renderers.matrix", "tests.renderers.known"):
        for line in sys.modules[name].summary() if name in sys.modules else ():
            terminalreporter.write_line(line)
