"""What the marker reader finds in the corpora, and how its time grows.

``python benchmarks/markers.py`` prints, from ``../shared/corpora``: per vendor how many markers were found
with exactly their refs (and which not), the time for all real answers, and a growth table.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyromark

from citelint.document import Document
from citelint.model import Reference, Regions, Span
from citelint.readers.markers import find_markers, never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"
MEGABYTE = 1_000_000
CODE_OR_MATH = {"Code", "InlineMath", "DisplayMath"}
TEX = re.compile(rb"\\\([^\n]*?\\\)|\\\[[^\n]*?\\\]")
NOT_A_MARKER = re.compile(
    r"!?\[[^\[\]]*\]\((?!sandbox:|start_span|end_span|@context|grok)|https?:|\[[^\[\]]*\]:|\[\d+\] "
)
"""Literals of the corpus that other readers have: links, bare addresses, definitions, list entries."""

UNITS: dict[str, str] = {
    "brackets": "[",
    "cite tags": '<cite index="1-1">',
    "cite openers": "<cite ",
    "lenticular": "【",
    "unclosed lenticulars": "【4:0†a ",
    "list in one bracket": "1,",
    "turn refs": "citeturn0search0",
    "turn letters": "turn0a",
    "private use": "\ue200cite\ue202turn0search0",
    "open private use": "\ue200cite\ue202",
    "numbers": "[1][2] ",
    "numbers that differ": "",
    "rejected chain": "a[1][2][3]",
    "ranges": "[1-999999999]",
    "export links": "[oai_citation:1‡a](a(",
    "note openers": "^[http://a ",
    "grok openers": "<grok:render a>",
    "shields": "<code>[1]",
    "crossed pairs": '<cite index="1-1"><qwen:cite id="id_1"></cite>',
    "closing tags": "</cite></qwen:cite>",
    "letters": "[A] ",
    "sources": "<sources><source>1</source>",
    "at signs": "[@a;@b",
    "words": "plain words of an answer ",
}


def opaque_regions(data: bytes) -> Regions:
    """Code and maths as the Markdown reader sees them."""
    options = pyromark.Options.ENABLE_MATH | pyromark.Options.ENABLE_TABLES
    spans: list[tuple[int, int]] = []
    for event, place in pyromark.events_with_range(data.decode(), options=options):
        if isinstance(event, dict):
            kind, value = next(iter(event.items()))
            if kind in CODE_OR_MATH or (kind == "Start" and isinstance(value, dict) and "CodeBlock" in value):
                spans.append((place["start"], place["end"]))
    code = Regions(spans)
    return code.union(match.span() for match in TEX.finditer(data) if not code.touches(match.span()))


def read(text: str, known: Callable[[str], bool]) -> tuple[Document, list[Reference]]:
    """The markers of a text."""
    document = Document(text)
    return document, find_markers(document.data, document.body, opaque_regions(document.data), known=known)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of a JSON Lines file."""
    for line in path.read_text("utf-8").split("\n"):
        if line:
            yield json.loads(line)


def vendors() -> None:
    """Per vendor: literals found with their refs, with all labels known and with none."""
    for title, everything in (("all labels known", True), ("nothing known", False)):
        found: Counter[str] = Counter()
        total: Counter[str] = Counter()
        misses: dict[str, list[str]] = defaultdict(list)
        for case in rows(CORPORA / "markers" / "markers.jsonl"):
            vendor = case["vendor"]
            labels = {ref for marker in case["markers"] for ref in marker["refs"]} if everything else set()
            document, references = read(case["text"], labels.__contains__ if everything else never)
            got = [(document.slice(reference.span), list(reference.labels)) for reference in references]
            opened = [
                (document.data[reference.span.start : reference.text.start].decode(), list(reference.labels))
                for reference in references
                if reference.text is not None
            ]
            wanted = [
                (marker["literal"], marker["refs"])
                for marker in case["markers"]
                if not NOT_A_MARKER.match(marker["literal"]) and not re.match(r"[<{＜]/", marker["literal"])
            ]
            total[vendor] += len(wanted) or (case["kind"] == "negative")
            for want in wanted:
                if want in got or want in opened:
                    found[vendor] += 1
                else:
                    misses[vendor].append(f"{case['id']} missed {want}")
            if case["kind"] != "positive" and len(got) != len(wanted):
                misses[vendor].append(f"{case['id']} too many: {got}")
            elif case["kind"] == "negative":
                found[vendor] += 1
        print(f"\n{title}: {sum(found.values())} of {sum(total.values())}")
        for vendor in total:
            if total[vendor]:
                print(f"  {vendor:22} {found[vendor]:3} of {total[vendor]:3}", *misses[vendor], sep="  ")


def answers() -> None:
    """All real answers: time, and which grammars read how many."""
    documents = [
        Document(row["text"]) for path in sorted((CORPORA / "answers").glob("*.jsonl")) for row in rows(path)
    ]
    opaque = [opaque_regions(document.data) for document in documents]
    kinds: Counter[str] = Counter()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        found = [find_markers(d.data, d.body, regions) for d, regions in zip(documents, opaque, strict=True)]
        times.append(time.perf_counter() - start)
        kinds = Counter(reference.syntax for references in found for reference in references)
    size = sum(len(document.data) for document in documents) / MEGABYTE
    shown = ", ".join(f"{seconds:.3f} s" for seconds in times)
    print(f"\n{len(documents)} answers, {size:.1f} MB: {shown}\n  {dict(kinds.most_common())}")


def growth() -> None:
    """Seconds for 1, 3 and 10 MB of one construct."""
    sizes = (1, 3, 10)
    print(f"\n{'construct':24}" + "".join(f"{size:>8} MB" for size in sizes) + "     × for 10 ×")
    for name, unit in UNITS.items():
        times = []
        for size in sizes:
            data = hostile(unit, size * MEGABYTE)
            start = time.perf_counter()
            find_markers(data, Span(0, len(data)), Regions())
            times.append(time.perf_counter() - start)
        shown = "".join(f"{seconds:>9.3f} s" for seconds in times)
        print(f"{name:24}{shown}{times[-1] / times[0]:>12.1f}")


def hostile(unit: str, size: int) -> bytes:
    """*size* bytes or a little less of one construct."""
    if not unit:
        return " ".join(f"[{number % 997}, {number % 499}]" for number in range(size // 10)).encode()
    body = unit.encode() * (size // len(unit.encode()))
    return b"[" + body + b"1]" if unit == "1," else body


if __name__ == "__main__":
    if CORPORA.is_dir():
        vendors()
        answers()
    else:
        print(f"no corpora at {CORPORA}", file=sys.stderr)
    growth()
