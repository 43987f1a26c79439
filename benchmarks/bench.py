"""All timings, one after the other: speed, start-up, growth.

    python benchmarks/bench.py [--smoke]

Ends with 3 when any of them misses a bound. ``--smoke`` takes few answers and small sizes: it shows that
the scripts run, its numbers mean little, and so it never fails for a missed bound.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

FULL: dict[str, list[str]] = {"speed.py": [], "startup.py": [], "growth.py": []}
SMOKE: dict[str, list[str]] = {
    "speed.py": ["--every", "40", "--repeat", "2"],
    "startup.py": ["--repeat", "5"],
    "growth.py": ["--most", "100000", "--timeout", "20", "--function", "fix"],
}

MISSED = 3
"""What the scripts end with when a bound is missed; Python's own failures are 1 and 2."""


def main() -> int:
    """Run the scripts and pass on what they say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--smoke", action="store_true", help="few answers and small sizes")
    smoke = parser.parse_args().smoke
    folder = Path(__file__).resolve().parent
    missed = 0
    for script, options in (SMOKE if smoke else FULL).items():
        print(f"\n== {script}", flush=True)
        status = subprocess.run([sys.executable, str(folder / script), *options], check=False).returncode
        if status not in (0, MISSED):
            return status
        missed = missed or status
    return 0 if smoke else missed


if __name__ == "__main__":
    sys.exit(main())
