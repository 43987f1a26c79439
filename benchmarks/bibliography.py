"""What the bibliography reader finds in the real answers, how long it takes, and how that grows.

    python benchmarks/bibliography.py [--growth]

The corpora are read from ``../shared/corpora/answers`` or ``$CITELINT_CORPORA/answers``.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from citelint.document import Document
from citelint.model import Regions, Span
from citelint.readers.bibliography import Bibliography, read_bibliography
from citelint.readers.markdown import read_markdown
from citelint.readers.runs import Used

CORPORA = Path(
    os.environ.get("CITELINT_CORPORA") or Path(__file__).resolve().parents[2] / "shared" / "corpora"
)
MARKER = re.compile(r"(?<!^)[\[【]\^?(\d{1,4}(?:\s?[,，、]\s?\d{1,4}){0,20})\^?[\]】]")
LINE_MARKS = " \t>-*+#|"
UNCOVERED = 3
"""Lines with addresses at the end of an answer that may be outside every list before it is named."""

GROWTH: dict[str, Callable[[int], str]] = {
    "[1] x": lambda size: "[1] x\n" * (size // 6),
    "[1] x, under a heading": lambda size: "## References\n" + "[1] x\n" * (size // 6),
    "[1] Title: https://…": lambda size: "[1] Title: https://a.test/x\n" * (size // 28),
    "one line": lambda size: "[1] https://a.test/x " * (size // 21),
    "one line with <br>": lambda size: "Sources: " + "[1] https://a.test/x<br>" * (size // 24),
    "footnotes": lambda size: "".join(f"[^{n}]: A https://a.test\n\n" for n in range(size // 27)),
    "definitions": lambda size: "".join(f"[{n}]: https://a.test/\n" for n in range(size // 23)),
    "table": lambda size: "## Sources\n" + "| [1] | https://a.test |\n" * (size // 25),
    "unclosed links": lambda size: "[1] https://a" + "](https://" * (size // 10),
    "headings": lambda size: "## Sources\n" * (size // 11),
    "prose": lambda size: "The quick brown fox jumps.\n" * (size // 27),
}


def numbers_used(text: str) -> frozenset[str]:
    """The numbers of markers that do not open their line."""
    used: set[str] = set()
    for line in text.split("\n"):
        for marker in MARKER.finditer(line.lstrip(LINE_MARKS)):
            if marker.start():
                used.update(re.findall(r"\d+", marker[1]))
    return frozenset(used)


def answers(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Data set, id, text."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_bytes().split(b"\n"):
            if line.strip():
                row = json.loads(line)
                yield file.stem, row["id"], row["text"]


def uncovered_at_end(data: bytes, found: Bibliography) -> int:
    """Lines with an address in the last block of such lines that no run covers."""
    lists = Regions(run.span for run in found.runs)
    count, end = 0, len(data)
    for line in reversed(data.splitlines(keepends=True)):
        end -= len(line)
        if b"://" in line:
            count += end not in lists
        elif line.strip() and count:
            break
    return count


def report_corpus() -> None:
    rows = list(answers(CORPORA / "answers"))
    prepared = []
    for name, key, text in rows:
        outline = read_markdown(Document(text))
        prepared.append((name, key, text.encode(), outline.code.union(outline.math), numbers_used(text)))
    started = time.process_time()
    results = [
        read_bibliography(data, Span(0, len(data)), opaque, Used(used))
        for _, _, data, opaque, used in prepared
    ]
    took = time.process_time() - started
    size = sum(len(data) for _, _, data, _, _ in prepared)
    print(f"{len(rows)} answers, {size / 1e6:.1f} MB: {took * 1000:.0f} ms\n")
    head = ("answers", "with URL", "a list", "runs", "entries")
    print(f"{'data set':32}" + "".join(f"{word:>9}" for word in head) + "  numbers used → defined")
    for name in dict.fromkeys(name for name, *_ in prepared):
        own = [(case, found) for case, found in zip(prepared, results, strict=True) if case[0] == name]
        used = sum(len(case[4]) for case, _ in own)
        defined = sum(bool(found.lookup(number)) for case, found in own for number in case[4])
        print(
            f"{name:32}{len(own):9}{sum(b'://' in case[2] for case, _ in own):9}"
            f"{sum(bool(found.runs) for _, found in own):9}{sum(len(found.runs) for _, found in own):9}"
            f"{sum(len(run.entries) for _, found in own for run in found.runs):9}{used:16} → {defined}"
        )
    print(f"\nmore than {UNCOVERED} lines with an address at the end, outside every list:")
    for (_, key, data, _, _), found in zip(prepared, results, strict=True):
        count = uncovered_at_end(data, found)
        if count > UNCOVERED:
            print(f"  {key}: {count}")


def report_growth() -> None:
    print(f"\n{'ms':28}" + "".join(f"{size:>10}" for size in ("10 kB", "100 kB", "1 MB", "10 MB")))
    for name, make in GROWTH.items():
        row = ""
        for size in (10_000, 100_000, 1_000_000, 10_000_000):
            data = make(size).encode()
            started = time.process_time()
            read_bibliography(data, Span(0, len(data)), Regions(), Used(frozenset({"1"})))
            row += f"{(time.process_time() - started) * 1000:10.1f}"
        print(f"{name:28}{row}", flush=True)


if __name__ == "__main__":
    if (CORPORA / "answers").is_dir():
        report_corpus()
    else:
        print("the corpora are not beside this checkout")
    if "--growth" in sys.argv:
        report_growth()
