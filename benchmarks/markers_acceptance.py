"""What must hold on the corpus of citation markers, through the whole pipeline, per vendor.

    python benchmarks/markers_acceptance.py [--show N]

Three questions: with an empty manifest, is every marker gone and every word still there; do texts without
markers come back unchanged; and with a manifest that knows all labels, does every marker resolve? Ends with
3 when one of the wanted bounds is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, NamedTuple

from corpora import FOLDER, rows

import citelint

WANTED = {"gone, words intact": 0.98, "unchanged": 0.99, "resolved": 0.98}
EMPTY = citelint.Manifest.from_dict({"version": 1, "run": {"id": "markers"}, "sources": []})
POLICY = citelint.Policy(required=False, on_unverified="strip", allow_mail=True)
SITE_FILES = frozenset({"images/local.png"})

Row = dict[str, Any]

_KEEPS = (
    re.compile(r"!?\[(?!oai_citation|span_|\d+\]|\])([^\[\]]+)\]\(.*\)"),
    re.compile(r"<mention-page [^<>]*>(.*)</mention-page>"),
    re.compile(r":cit\[([^\[\]]*)\]\{.*\}"),
    re.compile('\ue200entity\ue202\\["[a-z]+","([^"]*)".*\ue201'),
    re.compile(r"@\w+ \[p\. \d+\]()"),
)
"""Literals with words that stay: link texts, alt texts, phrases between two halves of a marker."""
_ADDRESS = re.compile(r"https?://\S+")
_LIST = re.compile(r"\n+(?:### |\*\*)Sources\b.*", re.DOTALL)
"""A list of sources, which is a claim of the model's and goes as a whole."""
_NO_CITATION = re.compile(r"\[\^?\d+\]: .|</|\{/|＜/|\[[^\[\]]*\]\((?:javascript|data|sandbox):")
"""Definitions and the second halves of pairs; schemes that no manifest can hold."""


class Trial(NamedTuple):
    """One question, asked of one literal or text."""

    vendor: str
    holds: bool
    failure: str


def markers_gone() -> Iterator[Trial]:
    """With nothing recorded, every literal goes, and the text around it is as it was."""
    for row in _rows("positive", "mixed"):
        fixed = citelint.fix(row["text"], EMPTY, policy=POLICY).text
        holds = _words(fixed) == _words(_without_literals(row))
        for marker in row["markers"]:
            yield Trial(
                row["vendor"], holds, f"{row['id']} {marker['literal']!r}: {row['text']!r} -> {fixed!r}"
            )


def others_unchanged() -> Iterator[Trial]:
    """What only looks like a marker stays, to the byte."""
    for row in _rows("negative"):
        fixed = citelint.fix(row["text"], EMPTY, policy=POLICY, site_files=SITE_FILES).text
        yield Trial(row["vendor"], fixed == row["text"], f"{row['id']} {row['text']!r} -> {fixed!r}")


def markers_resolved() -> Iterator[Trial]:
    """With all labels recorded, every literal cites what it names."""
    for row in _rows("positive", "mixed"):
        sources = _sources(row)
        manifest = citelint.Manifest.from_dict({"version": 1, "run": {"id": "markers"}, "sources": sources})
        result = citelint.fix(row["text"], manifest, policy=POLICY)
        ids = {name: source["id"] for source in sources for name in source["x-names"]}
        for marker in row["markers"]:
            if not marker["refs"] or _NO_CITATION.match(marker["literal"]):
                continue
            if marker["literal"] not in _LIST.sub("", row["text"]):
                continue
            named = [ref for ref in marker["refs"] if ref in ids]
            holds = bool(named) and all(ids[ref] in result.cited for ref in named)
            yield Trial(
                row["vendor"], holds, f"{row['id']} {marker['literal']!r}: {row['text']!r} -> {result.text!r}"
            )


QUESTIONS: dict[str, Callable[[], Iterator[Trial]]] = {
    "gone, words intact": markers_gone,
    "unchanged": others_unchanged,
    "resolved": markers_resolved,
}


def _rows(*kinds: str) -> Iterator[Row]:
    return (row for row in rows(FOLDER / "markers" / "markers.jsonl") if row["kind"] in kinds)


def _without_literals(row: Row) -> str:
    """The text as it should be: each literal replaced by its words that stay, if it has any."""
    text = _LIST.sub("", row["text"])
    position = 0
    for marker in row["markers"]:
        literal = marker["literal"]
        # The look-alikes of mixed texts, in code and in formulas, stand before the marker.
        at = text.rfind(literal) if row["kind"] == "mixed" else text.find(literal, position)
        if at < 0:
            continue
        stays = _words_of(literal)
        text = text[:at] + stays + text[at + len(literal) :]
        position = at + len(stays)
    return text


def _words_of(literal: str) -> str:
    if _ADDRESS.fullmatch(literal):
        return POLICY.removed_link
    words = next((found[1] for pattern in _KEEPS if (found := pattern.fullmatch(literal))), "")
    return POLICY.removed_link if _ADDRESS.fullmatch(words) else words


def _words(text: str) -> str:
    """As a reader sees it: references decoded, white space as one space and none before a stop."""
    words = " ".join(re.sub(r"\(\s*\)|（\s*）", "", unescape(text)).split())
    return re.sub(r" (?=[.,;:!?)。，])", "", words)


def _sources(row: Row) -> list[dict[str, Any]]:
    """A source for each ref; an address and the label in the same literal name one source."""
    sources: list[dict[str, Any]] = []
    for marker in row["markers"]:
        is_image = marker["literal"].startswith("![")
        address = next((ref for ref in marker["refs"] if _ADDRESS.match(ref)), "")
        labels = [ref for ref in marker["refs"] if ref != address]
        for label in labels or [""]:
            known = next((one for one in sources if (label or address) in one["x-names"]), None)
            source = known or _source(len(sources) + 1, is_image=is_image)
            if known is None:
                sources.append(source)
            if label and label not in source["x-names"]:
                source["markers"].append(label)
                source["x-names"].append(label)
            if address and "url" not in source:
                source["url"] = address.replace(" ", "%20")
                source["x-names"].append(address)
    return sources


def _source(number: int, *, is_image: bool) -> dict[str, Any]:
    return {
        "id": f"src_{number:03}",
        "title": f"Record {number}",
        "tool": "http.get",
        "level": "opened",
        "fetched_at": "2026-11-30T10:00:00Z",
        "sha256": f"{number:064x}",
        "media_type": "image/png" if is_image else "text/html",
        "markers": [],
        "x-names": [],
    }


def main() -> int:
    """Ask, print per vendor and in total, and say by the exit status whether everything holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", type=int, default=40, help="failures to list of each kind (default 40)")
    show = parser.parse_args().show
    if not FOLDER.is_dir():
        raise SystemExit(f"no corpora at {FOLDER}; set CITELINT_CORPORA to their folder")
    answers = {question: list(ask()) for question, ask in QUESTIONS.items()}
    _print_table(answers)
    for question, trials in answers.items():
        failures = [trial for trial in trials if not trial.holds]
        if failures:
            print(f"\nnot {question} ({len(failures)}):")
            print("\n".join(f"  {trial.vendor}: {trial.failure}" for trial in failures[:show]))
    return 0 if all(_share(trials) >= WANTED[question] for question, trials in answers.items()) else 3


def _print_table(answers: dict[str, list[Trial]]) -> None:
    print(f"{'vendor':24}" + "".join(f"{question:>22}" for question in answers))
    vendors = dict.fromkeys(trial.vendor for trials in answers.values() for trial in trials)
    for vendor in vendors:
        cells = (_count([one for one in trials if one.vendor == vendor]) for trials in answers.values())
        print(f"{vendor:24}" + "".join(f"{cell:>22}" for cell in cells))
    print(f"{'all':24}" + "".join(f"{_count(trials):>22}" for trials in answers.values()))
    print(f"{'share':24}" + "".join(f"{_share(trials):>22.1%}" for trials in answers.values()))
    print(f"{'wanted':24}" + "".join(f"{'≥ ' + format(WANTED[question], '.0%'):>22}" for question in answers))


def _count(trials: list[Trial]) -> str:
    return f"{sum(trial.holds for trial in trials)} of {len(trials)}" if trials else "–"


def _share(trials: list[Trial]) -> float:
    return sum(trial.holds for trial in trials) / len(trials) if trials else 1.0


if __name__ == "__main__":
    sys.exit(main())
