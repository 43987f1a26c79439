"""The walls of the house, read from the syntax trees.

Data goes one way (see CONTRIBUTING.md), so an import may point to the same floor or to one below, never up.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = CHECKOUT / "citelint"

FLOORS = (
    {"model", "errors", "data", "patterns", "change", "defang", "disk"},
    {"document", "policy", "policy_values", "manifest", "urls", "rules"},
    {"readers"},
    {"resolve", "checks", "rewrite", "html_edits", "evidence"},
    {"rendering"},
    {"readback", "citations", "planning", "html_planning", "findings"},
    {"quiet"},
    {"writing", "html_writing"},
    {"pipeline", "html_pipeline"},
    {"citelint"},  # the public names
    {"report", "health", "files"},
    {"cli", "integrations", "__main__"},
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MAX_LINES = 400

SANITIZERS = {"nh3", "bleach"}
NETWORK = {"aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib3"}
FILES_AND_CLOCKS = {
    "datetime",
    "io",
    "os",
    "pathlib",
    "random",
    "shutil",
    "sqlite3",
    "subprocess",
    "tempfile",
    "time",
}


class Import(NamedTuple):
    """One imported module, and where."""

    file: Path
    line: int
    module: str

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.file.relative_to(CHECKOUT)}:{self.line} imports {self.module}"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes(), str(file))


def room_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "citelint" if first == "__init__" else first


def imported_room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "citelint"


def imports_of(file: Path) -> Iterator[Import]:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(file, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            yield from (Import(file, node.lineno, name) for name in names_from(file, node))


def names_from(file: Path, node: ast.ImportFrom) -> list[str]:
    """The modules of ``from x import y``, where y is a module if there is such a file."""
    module = node.module or ""
    if node.level:
        base = file.relative_to(CHECKOUT).parts[: -node.level]
        module = ".".join([*base, module] if module else base)
    if module.partition(".")[0] != "citelint":
        return [module]
    folder = CHECKOUT.joinpath(*module.split("."))
    return [
        f"{module}.{alias.name}"
        if (folder / alias.name).is_dir() or (folder / f"{alias.name}.py").is_file()
        else module
        for alias in node.names
    ]


ALL = [found for file in modules() for found in imports_of(file)]


def test_every_module_has_its_place_in_the_picture() -> None:
    unknown = [str(file.relative_to(CHECKOUT)) for file in modules() if room_of(file) not in FLOOR_OF]
    assert not unknown, f"put it on a floor here and into the picture in CONTRIBUTING.md: {unknown}"


def test_imports_never_point_up() -> None:
    up = [
        str(one)
        for one in ALL
        if one.top == "citelint"
        and FLOOR_OF.get(imported_room(one.module), 0) > FLOOR_OF.get(room_of(one.file), 0)
    ]
    assert not up


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    edges: dict[str, set[str]] = {}
    for one in ALL:
        if one.top == "citelint":
            edges.setdefault(room_of(one.file), set()).add(imported_room(one.module))
    for room, imported in edges.items():
        imported.discard(room)

    def reaches(start: str, goal: str, seen: set[str]) -> bool:
        fresh = edges.get(start, set()) - seen
        seen |= fresh
        return goal in fresh or any(reaches(next_room, goal, seen) for next_room in fresh)

    assert not [room for room in edges if reaches(room, room, set())]


def test_reports_do_not_know_the_checks() -> None:
    assert not [
        str(one) for one in ALL if room_of(one.file) == "report" and one.module.startswith("citelint.checks")
    ]


def test_only_the_gate_imports_a_sanitizer() -> None:
    gate = PACKAGE / "rendering" / "gate.py"
    assert not [str(one) for one in ALL if one.top in SANITIZERS and one.file != gate]
    assert {one.top for one in ALL if one.file == gate} & SANITIZERS == SANITIZERS


def test_only_health_can_open_a_socket() -> None:
    assert not [
        str(one)
        for one in ALL
        if (one.top in NETWORK or one.module == "urllib.request") and room_of(one.file) != "health"
    ]


@pytest.mark.parametrize("room", ["model", "checks", "resolve", "rewrite"])
def test_what_judges_touches_no_file_and_no_clock(room: str) -> None:
    assert not [str(one) for one in ALL if room_of(one.file) == room and one.top in FILES_AND_CLOCKS]


def test_only_the_command_line_prints_and_exits() -> None:
    calls = [
        f"{file.relative_to(CHECKOUT)}:{node.lineno} calls {node.func.id}"
        for file in modules()
        if room_of(file) != "cli"
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"print", "exit", "input", "breakpoint", "eval", "exec"}
    ]
    assert not calls


def test_no_file_is_two_rooms() -> None:
    long = {
        str(file.relative_to(CHECKOUT)): lines
        for folder in ("citelint", "tests", "benchmarks", "examples")
        for file in (CHECKOUT / folder).rglob("*.py")
        if "node_modules" not in file.parts and (lines := file.read_bytes().count(b"\n")) > MAX_LINES
    }
    assert not long


def test_a_clean_check_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "citelint.toml").write_text('required = false\nreaders = ["commonmark", "gfm"]\n')
    (tmp_path / "a.md").write_text("Nothing is cited here.\n")
    (tmp_path / "a.evidence.json").write_text('{"version": 1, "run": {"id": "r"}, "sources": []}')
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(CHECKOUT)!r})\n"
        "from citelint.cli import main\n"
        "code = main(['check', 'a.md'])\n"
        "heavy = {'bleach', 'bs4', 'httpx', 'jinja2', 'mistune', 'sphinx'} & set(sys.modules)\n"
        "sys.exit(f'exit code {code}, loaded {sorted(heavy)}' if code or heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
