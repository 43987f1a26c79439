"""The corpora beside the checkout, as the benchmarks read them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import citelint

CHECKOUT = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ.get("CITELINT_CORPORA") or CHECKOUT.parent / "shared" / "corpora")

if str(CHECKOUT) not in sys.path:
    sys.path.insert(0, str(CHECKOUT))  # the renderer matrix belongs to the tests, which are not installed


class Answer(NamedTuple):
    """A real answer with its manifest."""

    dataset: str
    id: str
    variant: str
    text: str
    sources: list[dict[str, Any]]
    """The manifest's sources as they stand in the file."""
    manifest: citelint.Manifest


def answers(every: int = 1) -> list[Answer]:
    """All answers, or one in *every*, by data set. Ends the program when there are none."""
    folder = FOLDER / "answers"
    if not folder.is_dir():
        raise SystemExit(f"no corpora at {FOLDER}; set CITELINT_CORPORA to their folder")
    return [
        _answer(path.stem, row)
        for path in sorted(folder.glob("*.jsonl"))
        for number, row in enumerate(rows(path))
        if number % every == 0
    ]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of a JSON Lines file; only LF ends a line."""
    return (json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip())


def _answer(dataset: str, row: dict[str, Any]) -> Answer:
    return Answer(
        dataset,
        row["id"],
        row["variant"],
        row["text"],
        row["manifest"]["sources"],
        citelint.Manifest.from_dict(row["manifest"]),
    )
