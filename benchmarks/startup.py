"""Start-up: `citelint check` of a small clean file beside a bare Python that imports argparse and json.

    python benchmarks/startup.py [--repeat N] [--imports] [--json]

Whole processes, taken in turn; the ratio is that of the medians. Ends with 3 above the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGET = 3.0

ANSWER = """\
# Sales in 2025

Sales rose by a tenth, says [the annual report](https://example.org/report).

- north: 12 %
- south: 8 %
"""
MANIFEST = {
    "version": 1,
    "run": {"id": "run-1"},
    "sources": [
        {
            "id": "src_001",
            "url": "https://example.org/report",
            "tool": "http.get",
            "level": "opened",
            "fetched_at": "2026-11-30T10:00:00Z",
            "sha256": "0" * 64,
        }
    ],
}
BARE = [sys.executable, "-c", "import argparse, json"]
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Installed programs are compiled once; without this every run would compile citelint anew."""
CHECK = [sys.executable, "-m", "citelint", "check", "answer.md"]


def seconds(command: list[str], folder: Path) -> float:
    """How long that process takes, from start to end."""
    start = time.perf_counter()
    run = subprocess.run(command, cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    if run.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return taken


def slowest_imports(folder: Path, count: int = 20) -> list[str]:
    """What `check` imports, by own time, slowest first."""
    command = [CHECK[0], "-X", "importtime", *CHECK[1:]]
    lines = subprocess.run(
        command, cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False
    ).stderr.splitlines()
    rows = [
        line.removeprefix("import time:").split("|") for line in lines if line.startswith("import time:")
    ][1:]
    rows.sort(key=lambda row: -int(row[0]))
    return [f"{int(own) / 1000:8.1f} ms  {name.strip()}" for own, _, name in rows[:count]]


def main() -> int:
    """Measure, print, and say by the exit status whether the budget is met."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=21, help="processes of each (default 21)")
    parser.add_argument("--imports", action="store_true", help="also print what takes the time")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "answer.md").write_text(ANSWER, "utf-8")
        (folder / "answer.evidence.json").write_text(json.dumps(MANIFEST), "utf-8")
        seconds(BARE, folder)
        seconds(CHECK, folder)  # once before, so that everything is compiled and in the page cache
        pairs = [(seconds(BARE, folder), seconds(CHECK, folder)) for _ in range(arguments.repeat)]
        imports = slowest_imports(folder) if arguments.imports else []
    bare, check = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = check / bare
    if arguments.json:
        print(json.dumps({"bare": bare, "check": check, "ratio": ratio, "budget": BUDGET}))
    else:
        verdict = "met" if ratio <= BUDGET else "MISSED"
        print(f"bare Python      {bare * 1000:8.1f} ms")
        print(f"citelint check   {check * 1000:8.1f} ms")
        print(f"ratio            {ratio:8.2f}      ≤ {BUDGET} {verdict}")
        print("\n".join(imports))
    return 3 if ratio > BUDGET else 0


if __name__ == "__main__":
    sys.exit(main())
