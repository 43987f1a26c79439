"""How time grows with size, construct by construct, for fix, check and render.

    python benchmarks/growth.py [--least BYTES] [--most BYTES] [--timeout S]
        [--only NAME …] [--function NAME …] [--json]

Every construct runs in a process of its own with a time limit, so one that hangs is a row of the table
and not its end. The exponent is that between the two largest sizes: 1 is linear, 2 quadratic. (Both lie
above one mebibyte, where a single paragraph becomes plain text, which costs more, once.) Ends with 3 when
one is above the bound or did not end.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from constructs import CONSTRUCTS

FUNCTIONS = ("fix", "check", "render")
BOUND = 1.3
"""An exponent above it is not linear any more. Caches and the allocator alone account for 1.1."""
SIZES = (10_000, 100_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000)
MEMORY = 8 * 1024**3
NOISE = 0.05
"""Seconds under which a measurement says nothing about growth."""


class Row(NamedTuple):
    """One construct through one function."""

    construct: str
    function: str
    seconds: dict[int, float]
    fault: str

    @property
    def exponent(self) -> float | None:
        """Between the two largest sizes; None when these took too little time to tell."""
        if len(self.seconds) < 2:
            return None
        (small, before), (large, after) = list(self.seconds.items())[-2:]
        return math.log(after / before) / math.log(large / small) if after > NOISE else None

    @property
    def bad(self) -> bool:
        """Whether it failed, hung or grew too fast."""
        return bool(self.fault) or (self.exponent or 0) > BOUND


def work(construct: str, function: str, least: int, most: int) -> None:
    """In a process of its own: time all sizes, and print one line for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import citelint

    manifest = citelint.Manifest.from_dict(_manifest())
    policy = citelint.Policy(required=False, on_unverified="strip")
    run = getattr(citelint, function)
    run("Sales rose [1].\n", manifest, policy=policy)  # imports and templates are not the construct's fault
    for size in SIZES:
        if not least <= size <= most:
            continue
        text = CONSTRUCTS[construct](size)
        start = time.process_time()  # what else the machine does is no growth
        run(text, manifest, policy=policy)
        print(json.dumps([size, time.process_time() - start]), flush=True)


def _manifest() -> dict[str, Any]:
    sources = [
        {
            "id": f"src_{number:03}",
            "url": f"https://example.org/{number}",
            "title": "Report",
            "tool": "http.get",
            "level": "opened",
            "fetched_at": "2026-11-30T10:00:00Z",
            "sha256": f"{number:064x}",
            "markers": [str(number)],
        }
        for number in range(1, 100)
    ]
    return {"version": 1, "run": {"id": "growth"}, "sources": sources}


def measure(construct: str, function: str, least: int, most: int, timeout: float) -> Row:
    """One row, from a process that is ended when it takes too long."""
    sizes = ["--least", str(least), "--most", str(most)]
    command = [sys.executable, __file__, *sizes, "--work", construct, function]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, err = process.communicate(timeout=timeout)
            fault = ""
            if process.returncode:
                fault = (err.strip().splitlines() or [f"ended with {process.returncode}"])[-1][:120]
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            fault = f"not done after {timeout:g} s"
    seconds = dict(map(json.loads, out.splitlines()))
    return Row(construct, function, seconds, fault)


def main() -> int:
    """Measure, print, and say by the exit status whether everything is linear."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--least", type=int, default=0, help="the smallest size (default 10 kB)")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest size (default 10 MB)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for a construct (default 120)")
    parser.add_argument("--only", nargs="*", choices=CONSTRUCTS, metavar="NAME", help="these constructs")
    parser.add_argument("--function", nargs="*", choices=FUNCTIONS, help="these functions")
    parser.add_argument("--jobs", type=int, default=1, help="constructs at a time (default 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(*arguments.work, arguments.least, arguments.most)
        return 0
    cases = [
        (construct, function)
        for construct in arguments.only or CONSTRUCTS
        for function in arguments.function or FUNCTIONS
    ]
    found: list[Row] = []
    if not arguments.json:
        print(f"{'construct':24}{'':8}" + "".join(f"{size:>12,}" for size in SIZES) + f"{'exponent':>10}")
    bounds = (arguments.least, arguments.most, arguments.timeout)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(lambda case: measure(*case, *bounds), cases):
            found.append(row)
            if not arguments.json:
                _print(row)
    bad = [row for row in found if row.bad]
    if arguments.json:
        print(json.dumps([row._asdict() | {"exponent": row.exponent, "bad": row.bad} for row in found]))
    else:
        print(f"\n{len(found)} rows, {len(bad)} not linear (exponent above {BOUND}) or not done")
    return 3 if bad else 0


def _print(row: Row) -> None:
    cells = "".join(f"{row.seconds[size]:12.3f}" if size in row.seconds else f"{'–':>12}" for size in SIZES)
    exponent = "" if row.exponent is None else f"{row.exponent:.2f}"
    mark = f"   ← {row.fault or 'not linear'}" if row.bad else ""
    print(f"{row.construct:24}{row.function:8}{cells}{exponent:>10}{mark}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
