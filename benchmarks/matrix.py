"""The real answers through `fix`, then through every renderer: what each still links, and whether it may.

    python benchmarks/matrix.py [--every N]

Ends with 1 when a renderer shows an address that the manifest does not vouch for and that is of no known kind
(`tests/renderers/known.py`). All answers take some minutes, so this is no part of the tests.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import corpora

import citelint
from tests.renderers.known import kind_of
from tests.renderers.known import summary as known_summary
from tests.renderers.matrix import Seen, is_plain_host, look, missing, names, outside, summary, tally

POLICY = citelint.Policy(required=False, on_unverified="strip")
AT_ONCE = 40
"""Answers whose HTML is held at the same time."""


def main() -> int:
    """Every answer, a table with a line for each renderer, and the faults."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one answer in N")
    answers = corpora.answers(parser.parse_args().every)
    allowed_by_text = {
        citelint.fix(answer.text, answer.manifest, policy=POLICY).text: _urls(answer) for answer in answers
    }
    texts = list(allowed_by_text)
    linked: Counter[str] = Counter()
    faults: list[str] = []
    for start in range(0, len(texts), AT_ONCE):
        for seen in look(texts[start : start + AT_ONCE]):
            linked[seen.renderer] += len(seen.sinks)
            faults += _faults(seen, allowed_by_text[seen.text])
    _print(linked, faults)
    return 1 if faults else 0


def _urls(answer: corpora.Answer) -> list[str]:
    return [source["url"] for source in answer.sources if source.get("url")]


def _faults(seen: Seen, allowed: list[str]) -> list[str]:
    return [
        f"{seen.renderer}: {found.channel} {found.where} {found.url!r}"
        for found in outside(seen.sinks, allowed)
        if not is_plain_host(found) and not kind_of(seen, found)
    ]


def _print(linked: Counter[str], faults: list[str]) -> None:
    wrong = Counter(fault.partition(":")[0] for fault in faults)
    print(f"{'renderer':28} {'answers':>8} {'sinks':>8} {'outside':>8} {'failed':>8}")
    for name in names():
        print(f"{name:28} {tally[name]:8} {linked[name]:8} {wrong[name]:8} {tally[f'{name} (crashed)']:8}")
    for name, why in missing().items():
        print(f"{name:28} not here: {why}")
    print(*summary(), *known_summary(), *faults[:40], sep="\n")


if __name__ == "__main__":
    sys.exit(main())
