"""The whole command on all real answers, beside markdownlint-cli2 on the same files.

    python benchmarks/command.py [--repeat N]

markdownlint-cli2 is taken from the path, or from $MARKDOWNLINT; `npm install markdownlint-cli2` brings it.
Whole processes, in turn; ratios are those of the medians. Ends with 3 below the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpora import FOLDER

BUDGET = 5.0
READERS = {
    "default readers": ["commonmark", "gfm", "mistune"],
    "two readers": ["commonmark", "gfm"],
}


def seconds(command: list[str], folder: Path) -> float:
    """How long that process takes; findings are no failure, anything else is."""
    start = time.perf_counter()
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    taken = time.perf_counter() - start
    if run.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {run.returncode}: {run.stderr.decode()[-2000:]}")
    return taken


def write_answers(folder: Path) -> int:
    """The answers and their manifests as files; how many."""
    count = 0
    for path in sorted((FOLDER / "answers").glob("*.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if not line:
                continue
            row = json.loads(line)
            count += 1
            (folder / f"answer{count:03}.md").write_text(row["text"], "utf-8")
            (folder / f"answer{count:03}.evidence.json").write_text(json.dumps(row["manifest"]), "utf-8")
    return count


def main() -> int:
    """Time the commands in turn and print the medians and their ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="times each command runs (default 5)")
    repeat = parser.parse_args().repeat
    linter = os.environ.get("MARKDOWNLINT") or shutil.which("markdownlint-cli2")
    if not linter:
        print("markdownlint-cli2 is not on the path: npm install markdownlint-cli2, and set MARKDOWNLINT")
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "answers").mkdir()
        print(f"{write_answers(folder / 'answers')} answers")
        commands = {"markdownlint-cli2": [linter, "answers/*.md"]}
        for title, readers in READERS.items():
            config = folder / f"{title.replace(' ', '-')}.toml"
            config.write_text(f"required = false\nreaders = {json.dumps(readers)}\n", "utf-8")
            commands[title] = [
                sys.executable,
                "-m",
                "citelint",
                "check",
                "-q",
                "--config",
                config.name,
                "answers",
            ]
        taken: dict[str, list[float]] = {title: [] for title in commands}
        for _ in range(repeat + 1):
            for title, command in commands.items():
                taken[title].append(seconds(command, folder))
    medians = {title: statistics.median(times[1:]) for title, times in taken.items()}
    for title, median in medians.items():
        ratio = medians["markdownlint-cli2"] / median
        missed = "" if title == "markdownlint-cli2" or ratio >= BUDGET else f"  ≥ {BUDGET} MISSED"
        print(f"{title:20} {median:7.2f} s  {ratio:5.2f} ×{missed}")
    return 0 if medians["markdownlint-cli2"] / medians["two readers"] >= BUDGET else 3


if __name__ == "__main__":
    sys.exit(main())
