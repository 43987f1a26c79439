"""Fuzzing that runs on: `make fuzz`, or

    python -m tests.fuzz [--seed N] [--documents N] [--minutes M]

Prints the seed, how many documents were tried, and each kind of fault with its smallest input. Ends with 1
when there was one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

import citelint
from tests.fuzz.documents import Documents
from tests.fuzz.oracle import SETTINGS, faults

_TRIES = 400
_SHOWN = 3


def main() -> int:
    """Try documents until there have been enough."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: random"
    )
    parser.add_argument("--documents", type=int, default=200_000, help="how many (default 200,000)")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so many, whatever is left")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    source, choose = Documents(arguments.seed), random.Random(arguments.seed)  # noqa: S311
    end = time.monotonic() + arguments.minutes * 60 if arguments.minutes else float("inf")
    found: dict[str, list[str]] = {}
    tried = 0
    while tried < arguments.documents and time.monotonic() < end:
        kind: citelint.AnswerKind = "html" if choose.random() < 0.3 else "markdown"
        text = source.html() if kind == "html" else source.markdown()
        settings = SETTINGS[0] if choose.random() < 0.5 else choose.choice(SETTINGS)
        tried += 1
        for fault in faults(text, kind, settings):
            smallest = found.setdefault(f"{kind}: {fault.kind}", [])
            if len(smallest) < _SHOWN:
                least = shrink(text, fault.kind, kind, settings)
                smallest.append(f"{least!r} {settings} {_detail(least, fault.kind, kind, settings)[:300]}")
                print(f"{kind}: {fault.kind}\n    {smallest[-1]}", flush=True)
    print(f"{tried} documents, {len(found)} kinds of faults (seed {arguments.seed})")
    return 1 if found else 0


def shrink(text: str, fault: str, kind: citelint.AnswerKind, settings: dict[str, Any]) -> str:
    """The smallest text that taking pieces out leaves, with the same kind of fault."""
    tries = 0
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text) and tries < _TRIES:
            tries += 1
            shorter = text[:at] + text[at + size :]
            if any(one.kind == fault for one in faults(shorter, kind, settings)):
                text = shorter
            else:
                at += size
        size //= 2
    return text


def _detail(text: str, fault: str, kind: citelint.AnswerKind, settings: dict[str, Any]) -> str:
    return next((one.detail for one in faults(text, kind, settings) if one.kind == fault), "")


if __name__ == "__main__":
    sys.exit(main())
