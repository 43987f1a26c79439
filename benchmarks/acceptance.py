"""What must hold on the real answers: they all go through check, fix and render, and the table says so.

    python benchmarks/acceptance.py [--every N] [--jobs N] [--show N] [--json]

Per data set and variant: crashes, answers that a second run changes, answers with a live address outside
the manifest in any renderer of the matrix or in the rendered page, and how many of the sources that the
text cited are still cited. Ends with 3 when one of the wanted bounds is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

import msgspec
from cited import EVIDENCE_TOOLS, Citation, cited, kept
from corpora import Answer, answers

import citelint
from tests.renderers.matrix import Found, is_plain_host, outside, sinks, sinks_by_renderer

WANTED_SHARE = 0.99


class Outcome(msgspec.Struct):
    """What became of one answer."""

    dataset: str
    variant: str
    id: str
    crashes: list[str] = []
    unstable: bool = False
    leaks: list[str] = []
    plain_hosts: int = 0
    """Bare host names that a fuzzy linkifier links; citelint leaves them unless the policy names it."""
    wanted: list[Citation] = []
    missing: list[Citation] = []
    refused: str = ""
    """Why the default policy refuses it; empty when it does not."""


def examine(answer: Answer, *, footnotes: str = "gfm", linkify: bool = False) -> Outcome:
    """One answer through check, fix, fix again, and render, and what all renderers make of it.

    With *linkify* the policy names that reader, and plain host names are leaks.
    """
    outcome = Outcome(answer.dataset, answer.variant, answer.id)
    readers = ("commonmark", "gfm", "mistune", *(["linkify"] if linkify else []))
    strip = citelint.Policy(on_unverified="strip", footnotes=footnotes, readers=readers)  # type: ignore[arg-type]
    text, manifest = answer.text, answer.manifest
    allowed = [url for one in answer.sources for url in (one.get("url"), *one.get("urls", ())) if url]
    outcome.wanted = cited(text, answer.sources)
    with _crashes(outcome, "check"):
        citelint.check(text, manifest, policy=strip)
    with _crashes(outcome, "check with the default policy"):
        outcome.refused = _why_refused(answer, outcome.wanted)
    with _crashes(outcome, "fix"):
        fixed = citelint.fix(text, manifest, policy=strip).text
        _look_at(outcome, fixed, allowed, linkify=linkify)
        still = kept(fixed, answer.sources)
        outcome.missing = [citation for citation in outcome.wanted if citation.source not in still]
        with _crashes(outcome, "fix again"):
            outcome.unstable = citelint.fix(fixed, manifest, policy=strip).text != fixed
    with _crashes(outcome, "render"):
        html = citelint.render(text, manifest, policy=strip, to="fragment").text
        outcome.leaks += (f"render: {_shown(found)}" for found in outside(sinks(html), allowed))
    return outcome


@contextmanager
def _crashes(outcome: Outcome, step: str) -> Iterator[None]:
    """Whatever goes wrong in *step* is a row of the table, not the end of the run."""
    try:
        yield
    except Exception as error:  # noqa: BLE001
        outcome.crashes.append(f"{step}: {type(error).__name__}: {error}"[:300])


def _look_at(outcome: Outcome, fixed: str, allowed: list[str], *, linkify: bool) -> None:
    """Note every sink outside the manifest that a renderer makes of the fixed text."""
    for renderer, found in sinks_by_renderer(fixed):
        if not outside([found], allowed):
            continue
        if is_plain_host(found) and not linkify:
            outcome.plain_hosts += 1
        else:
            outcome.leaks.append(f"{renderer}: {_shown(found)}")


def _shown(found: Found) -> str:
    return f"{found.channel} {found.where} {found.url!r}"


def _why_refused(answer: Answer, wanted: list[Citation]) -> str:
    """Why `fix` with the default policy gives nothing out; empty when it does."""
    report = citelint.check(answer.text, answer.manifest)
    if report.status == "verified":
        return ""
    evidence = [
        one for one in answer.sources if one.get("level") == "opened" and one["tool"] in EVIDENCE_TOOLS
    ]
    if not answer.sources:
        return "the manifest is empty"
    if not evidence:
        return "no source of the manifest was opened"
    if not wanted:
        return "the text cites no source of the manifest"
    return f"{report.status}, though the text cites {len(wanted)}"


def main() -> int:
    """Examine, print, and say by the exit status whether everything holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, help="take one answer in N (default: all)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)"
    )
    parser.add_argument("--show", type=int, default=40, help="failures to list of each kind (default 40)")
    parser.add_argument("--footnotes", default="gfm", choices=["gfm", "list"], help="the style (default gfm)")
    parser.add_argument("--linkify", action="store_true", help="with the reader `linkify` in the policy")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        one = partial(examine, footnotes=arguments.footnotes, linkify=arguments.linkify)
        outcomes = list(pool.map(one, answers(arguments.every), chunksize=4))
    if arguments.json:
        print(msgspec.json.encode(outcomes).decode())
    else:
        _print_table(outcomes)
        _print_failures(outcomes, arguments.show)
        _print_refusals(outcomes)
    return 0 if _holds(outcomes) else 3


def _holds(outcomes: list[Outcome]) -> bool:
    good = not any(one.crashes or one.unstable or one.leaks for one in outcomes)
    return good and _share(outcomes) >= WANTED_SHARE


def _share(outcomes: list[Outcome]) -> float:
    wanted = sum(len(one.wanted) for one in outcomes)
    return 1 - sum(len(one.missing) for one in outcomes) / wanted if wanted else 1.0


def _print_table(outcomes: list[Outcome]) -> None:
    head = ("answers", "crash", "unstable", "leak", "hosts", "cited", "kept", "share", "refused")
    print(f"{'data set':32}{'variant':10}" + "".join(f"{word:>9}" for word in head))
    groups = sorted({(one.dataset, one.variant) for one in outcomes})
    for dataset, variant in groups:
        _print_row(
            dataset, variant, [one for one in outcomes if (one.dataset, one.variant) == (dataset, variant)]
        )
    _print_row("all", "", outcomes)
    print(f"\nwanted: 0 crashes, 0 unstable, 0 with a leak, share ≥ {WANTED_SHARE:.0%}.")
    print(
        "hosts: answers with plain host names, which a fuzzy linkifier makes links of; they stay unless the"
    )
    print("policy names the reader `linkify`.")


def _print_row(dataset: str, variant: str, group: list[Outcome]) -> None:
    wanted = sum(len(one.wanted) for one in group)
    missing = sum(len(one.missing) for one in group)
    numbers = [
        len(group),
        sum(bool(one.crashes) for one in group),
        sum(one.unstable for one in group),
        sum(bool(one.leaks) for one in group),
        sum(bool(one.plain_hosts) for one in group),
        wanted,
        wanted - missing,
    ]
    cells = "".join(f"{number:9}" for number in numbers)
    share = f"{_share(group):9.2%}" if wanted else f"{'–':>9}"
    print(f"{dataset:32}{variant:10}{cells}{share}{sum(bool(one.refused) for one in group):9}")


def _print_failures(outcomes: list[Outcome], most: int) -> None:
    lists: dict[str, list[str]] = {
        "crashes": [f"{one.id}: {crash}" for one in outcomes for crash in one.crashes],
        "changed by a second run": [one.id for one in outcomes if one.unstable],
        "leaks": [f"{one.id}: {leak}" for one in outcomes for leak in one.leaks],
        "cited before, not after": [
            f"{one.id} ({one.variant}): {lost.source} by {lost.form} {lost.what}"
            for one in outcomes
            for lost in one.missing
        ],
    }
    for title, failures in lists.items():
        if failures:
            print(f"\n{title} ({len(failures)}):")
            print("\n".join(f"  {failure}" for failure in failures[:most]))


def _print_refusals(outcomes: list[Outcome]) -> None:
    reasons: Counter[str] = Counter(one.refused for one in outcomes if one.refused)
    print(f"\nthe default policy refuses {sum(reasons.values())} of {len(outcomes)} answers:")
    for reason, count in reasons.most_common():
        print(f"  {count:4}  {reason}")


if __name__ == "__main__":
    sys.exit(main())
