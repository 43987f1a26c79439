"""The command line, run in the test's own process: projects, answers, and how a command ended."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from citelint.cli import main

CLEAN = "# Findings\n\nDemand doubled, says [the report](https://example.org/report).\n"
LEAK = "https://c3ecret.evil.example/p?q=c3ecret"
LEAKY = CLEAN + f"\nSupply fell ([chart]({LEAK})).\n"
LEAKY_FIXED = CLEAN + "\nSupply fell (chart).\n"
TEXTS: dict[str, str | bytes] = {
    "clean": CLEAN,
    "leaky": LEAKY,
    "uncited": "No citation at all.\n",
    "binary": b"\xff",
}


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, as the current folder, seen from no terminal."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("CI", "NO_COLOR", "CITELINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def run(project: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process."""

    def run_(*argv: str, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(argv)
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsysbinary.readouterr()
        return Ended(code, out.decode(), err.decode())

    return run_


def source(**changes: Any) -> dict[str, Any]:
    entry = {
        "id": "src_001",
        "url": "https://example.org/report",
        "title": "Annual report",
        "tool": "http.get",
        "fetched_at": "2026-11-30T10:00:03Z",
        "sha256": "0" * 64,
    }
    return entry | changes


def put(name: str, text: str | bytes = CLEAN, *sources: dict[str, Any], manifest: bool = True) -> Path:
    """An answer and, beside it, its manifest."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if manifest:
        content = {"version": 1, "run": {"id": "run"}, "sources": sources or [source()]}
        path.with_name(f"{path.stem}.evidence.json").write_text(json.dumps(content))
    return path
