"""How a system that runs tools writes the evidence manifest of an answer.

    python examples/make_manifest.py [FOLDER]

Each tool call is recorded at the moment it returns: what came back goes into a snapshot named by its hash,
and one entry into the manifest. The model that writes the answer is never asked.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple


class Capture(NamedTuple):
    """What one tool call returned."""

    tool: str
    level: str
    fetched_at: str
    title: str
    text: str
    more: dict[str, Any]
    """The fields that only some sources have: address, plane, call, markers, …"""


INVENTORY_SQL = "select material, count(*) from service_lines where retired_on is null group by material"

CAPTURES = [
    Capture(
        "http.get",
        "opened",
        "2026-11-02T09:14:07Z",
        "Drinking water directive, Annex I, part B",
        "Part B: chemical parameters.\n"
        "Lead: 5 micrograms per litre. The value applies from 12 January 2036 at the consumer's tap.\n"
        "Until then the value is 10 micrograms per litre.\n",
        {
            "url": "https://directive.example/drinking-water/annex-1-part-b",
            "media_type": "text/html",
            "plane": "requirements",
        },
    ),
    Capture(
        "http.get",
        "opened",
        "2026-11-02T09:14:31Z",
        "Lead in drinking-water: background document",
        "There is no known safe level of lead exposure.\n"
        "The provisional guideline value of 10 micrograms per litre is kept because lower values\n"
        "are hard to reach where lead pipes are in place.\n",
        {
            "url": "https://health.example/guidelines/lead-in-drinking-water?edition=5",
            "urls": ["https://health.example/g/lead"],
            "media_type": "text/html",
            "quotes": ["There is no known safe level of lead exposure"],
        },
    ),
    Capture(
        "http.get",
        "opened",
        "2026-11-02T09:16:02Z",
        "Final report of the lead programme",
        "Port Ellery replaced 23,190 lead service lines in 33 months.\n"
        "The work was free for owners. An ordinance allowed crews to enter without the owner's signature.\n",
        {"url": "https://port-ellery.example/lead/final-report", "media_type": "application/pdf"},
    ),
    Capture(
        "http.get",
        "opened",
        "2026-11-02T09:17:45Z",
        "Partial replacement and lead at the tap",
        "After partial replacement, lead at the tap rose for weeks to months in 38 of 52 homes.\n",
        {
            "url": "https://journal.example/articles/partial-replacement",
            "media_type": "text/html",
            "markers": ["turn1view0"],
        },
    ),
    # A search result is on record, but nobody opened the page: it cannot support a citation.
    Capture(
        "search.read",
        "listed",
        "2026-11-02T09:13:20Z",
        "Council approves pipe loans",
        "Council approves pipe loans. Owners may borrow up to 6,000 from March.\n",
        {"url": "https://news.example/2026/03/pipe-loans", "capture": "excerpt"},
    ),
    # The city's own papers have no address that a reader could open, so none is recorded.
    Capture(
        "kb.read",
        "opened",
        "2026-11-02T09:20:11Z",
        "Framework contract 2026-17, schedule of prices",
        "Lot 1 and lot 2. Replacement of a service line, whole length, all works: 3,940 per line.\n",
        {"plane": "requirements", "private": True},
    ),
    Capture(
        "sql.query",
        "opened",
        "2026-11-02T09:21:58Z",
        "Service line inventory on 2 November 2026",
        "material,count\ncopper,38120\nlead,4182\nplastic,21977\nunknown,611\n",
        {
            "plane": "signals",
            "media_type": "text/csv",
            "private": True,
            "call": {"trace_id": "7c1f6f0d2b9e4c58a1d0c3a57e9b4410", "args": {"sql": INVENTORY_SQL}},
        },
    ),
]


def main(folder: Path) -> None:
    sources = [record(folder, number, capture) for number, capture in enumerate(CAPTURES, 1)]
    manifest = {
        "version": 1,
        "run": {"id": "run-2026-11-02-0017", "model": "research-agent", "started_at": "2026-11-02T09:12:54Z"},
        "sources": sources,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / "answer.evidence.json").write_text(text, encoding="utf-8", newline="\n")
    print(f"{folder / 'answer.evidence.json'}: {len(sources)} sources")


def record(folder: Path, number: int, capture: Capture) -> dict[str, Any]:
    """Store what came back and describe it, as one entry of the manifest."""
    digest = sha256(capture.text)
    snapshot = Path("snapshots") / digest[:2] / f"{digest}.txt"
    (folder / snapshot).parent.mkdir(parents=True, exist_ok=True)
    (folder / snapshot).write_text(capture.text, encoding="utf-8", newline="\n")

    source: dict[str, Any] = {
        "id": f"src_{number:03}",
        "title": capture.title,
        "tool": capture.tool,
        "level": capture.level,
        "fetched_at": capture.fetched_at,
        "sha256": digest,
        "snapshot": snapshot.as_posix(),
        **capture.more,
    }
    if "quotes" in source:
        source["quotes"] = [quote(capture.text, exact) for exact in source["quotes"]]
    if "call" in source:
        source["call"] = {**source["call"], "result_sha256": digest}
    return source


def quote(text: str, exact: str) -> dict[str, Any]:
    """Where a passage stands in the snapshot, counted in characters."""
    start = text.index(exact)
    return {"exact": exact, "start": start, "end": start + len(exact), "sha256": sha256(exact)}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
