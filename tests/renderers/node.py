"""The Markdown renderers of the Node world: one process for all of them, started when first asked for.

What is not installed is said, not passed over: without Node, or without `npm ci` in `node/`, all of them are
missing by name.
"""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import IO, NamedTuple

_FOLDER = Path(__file__).parent / "node"


class Crash(NamedTuple):
    """What a renderer said instead of HTML."""

    error: str


Rendered = str | Crash


class Kitchen:
    """The running process. It answers in the order in which it is asked."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lock = Lock()
        greeting = json.loads(self._out.readline() or '{"renderers": [], "missing": {}}')
        self.names: tuple[str, ...] = tuple(greeting["renderers"])
        self.missing: dict[str, str] = greeting["missing"]

    def render(self, renderer: str, texts: Sequence[str]) -> Iterator[Rendered]:
        """What *renderer* makes of each of the texts, in order. The whole answer must be read."""
        with self._lock:
            writer = Thread(target=self._ask, args=(renderer, texts), daemon=True)
            writer.start()
            for _ in texts:
                line = self._out.readline()
                if not line:
                    raise RuntimeError(f"the Node process ended while {renderer} was at work")
                answer = json.loads(line)
                yield answer["html"] if "html" in answer else Crash(answer["error"])
            writer.join()

    def _ask(self, renderer: str, texts: Sequence[str]) -> None:
        for text in texts:
            self._in.write(json.dumps({"renderer": renderer, "text": text}) + "\n")
        self._in.flush()

    @property
    def _in(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _out(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout


@cache
def kitchen() -> Kitchen | str:
    """The process, or why there is none."""
    program = shutil.which("node")
    if program is None:
        return "there is no Node"
    if not (_FOLDER / "node_modules").is_dir():
        return "their packages are not installed (make renderers)"
    process = subprocess.Popen(
        [program, "render.mjs"],
        cwd=_FOLDER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    atexit.register(process.kill)
    return Kitchen(process)
