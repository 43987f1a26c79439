"""citelint beside public tools: one process, one run, the real answers.

    python benchmarks/speed.py [--repeat N] [--every N] [--json]

All contenders take each answer in turn, so that what else the machine does hits them alike; the ratios
are medians over the repetitions. Ends with 3 when a budget of docs/performance.md is missed.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from corpora import Answer, answers

import citelint

Contender = Callable[[Answer], object]


class Budget(NamedTuple):
    """``over`` divided by ``under`` must be at most, or at least, the bound."""

    name: str
    over: str
    under: str
    bound: float
    at_most: bool

    def met(self, ratio: float) -> bool:
        """Whether the ratio keeps within the bound."""
        return ratio <= self.bound if self.at_most else ratio >= self.bound


BUDGETS = (
    Budget("render : mistune alone", "render", "mistune alone", 1.4, at_most=True),
    Budget("fix : mistune alone", "fix", "mistune alone", 1.6, at_most=True),
    Budget("usual pipeline : render", "mistune, bs4, bleach", "render", 2.0, at_most=False),
    Budget("mistune alone : check", "mistune alone", "check, two readers", 3.0, at_most=False),
)


def contenders() -> dict[str, Contender]:
    """Name → what one of them does with an answer."""
    strip = citelint.Policy(on_unverified="strip")
    two_readers = citelint.Policy(on_unverified="strip", readers=("commonmark", "gfm"))
    convert = _mistune()
    return {
        "mistune alone": lambda answer: convert(answer.text),
        "mistune, bs4, bleach": _usual_pipeline(convert),
        "fix": lambda answer: citelint.fix(answer.text, answer.manifest, policy=strip),
        "render": lambda answer: citelint.render(answer.text, answer.manifest, policy=strip, to="fragment"),
        "check, two readers": lambda answer: citelint.check(answer.text, answer.manifest, policy=two_readers),
    }


def _mistune() -> Callable[[str], str]:
    import mistune

    convert = mistune.create_markdown(
        escape=False, plugins=["table", "footnotes", "strikethrough", "url", "task_lists"]
    )
    return lambda text: str(convert(text))


def _usual_pipeline(convert: Callable[[str], str]) -> Contender:
    """What a careful service does today: render, look at every link, sanitize."""
    import bleach
    from bs4 import BeautifulSoup

    tags = {*bleach.sanitizer.ALLOWED_TAGS, "p", "br", "hr", "pre", "img", "del", "section", "sup", "input"}
    tags |= {"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}
    cleaner = bleach.Cleaner(tags=tags, attributes={"a": ["href", "title"], "img": ["src", "alt"]})

    def run(answer: Answer) -> str:
        allowed = {url for source in answer.sources if (url := source.get("url"))}
        soup = BeautifulSoup(convert(answer.text), "html.parser")
        for tag, attribute in (("a", "href"), ("img", "src")):
            for element in soup.find_all(tag):
                if element.get(attribute) not in allowed:
                    element.unwrap() if tag == "a" else element.decompose()
        return cleaner.clean(str(soup))

    return run


def measure(every: int, repeat: int) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Seconds per contender and repetition, and how many answers each could not do."""
    corpus = answers(every)
    field = contenders()
    for answer in corpus[:10]:  # warm-up: lazy imports, compiled patterns, templates
        for run in field.values():
            _attempt(run, answer)
    seconds: dict[str, list[float]] = {name: [] for name in field}
    failed = dict.fromkeys(field, 0)
    names = list(field)
    for repetition in range(repeat):
        gc.collect()
        total = dict.fromkeys(field, 0.0)
        order = names[repetition % len(names) :] + names[: repetition % len(names)]
        for answer in corpus:
            for name in order:
                start = time.perf_counter()
                done = _attempt(field[name], answer)
                total[name] += time.perf_counter() - start
                failed[name] += not done and repetition == 0
        for name, value in total.items():
            seconds[name].append(value)
    return seconds, failed


def _attempt(run: Contender, answer: Answer) -> bool:
    try:
        run(answer)
    except citelint.CitelintError:
        return False
    return True


def ratios(seconds: dict[str, list[float]]) -> dict[str, float]:
    """Budget → the median ratio over the repetitions."""
    return {
        budget.name: statistics.median(
            over / under for over, under in zip(seconds[budget.over], seconds[budget.under], strict=True)
        )
        for budget in BUDGETS
    }


def main() -> int:
    """Measure, print, and say by the exit status whether all budgets are met."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="repetitions (default 5)")
    parser.add_argument("--every", type=int, default=1, help="take one answer in N (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    seconds, failed = measure(arguments.every, arguments.repeat)
    found = ratios(seconds)
    missed = [budget.name for budget in BUDGETS if not budget.met(found[budget.name])]
    if arguments.json:
        print(json.dumps({"seconds": seconds, "ratios": found, "failed": failed, "missed": missed}, indent=2))
    else:
        _print_tables(seconds, found, failed)
    return 3 if missed else 0


def _print_tables(seconds: dict[str, list[float]], found: dict[str, float], failed: dict[str, int]) -> None:
    print(f"{'':24}{'median s':>10}{'least':>10}{'most':>10}{'not done':>10}")
    for name, values in seconds.items():
        row = (statistics.median(values), min(values), max(values))
        print(f"{name:24}" + "".join(f"{value:10.3f}" for value in row) + f"{failed[name]:10}")
    print()
    for budget in BUDGETS:
        sign = "≤" if budget.at_most else "≥"
        verdict = "met" if budget.met(found[budget.name]) else "MISSED"
        print(f"{budget.name:24}{found[budget.name]:10.2f}   {sign} {budget.bound:<4} {verdict}")


if __name__ == "__main__":
    sys.exit(main())
