"""What is published works away from the checkout: built, installed and run somewhere else."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

ANSWER = "Lead is limited [1], see [more](https://invented.example/x).\n"


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def dist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, checkout, cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="session")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a fresh environment into which the wheel was installed.

    The dependencies are those of the running environment, put on the path by a ``.pth`` file. Python reads no
    ``.pth`` files in a folder that was added in this way, so an editable install of the checkout is hidden.
    """
    folder = tmp_path_factory.mktemp("environment")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    assert made.returncode == 0, made.stdout + made.stderr
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / "python"
    (wheel,) = dist.glob("*.whl")
    pip = run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
        *("install", "--no-deps", "--no-index", wheel),
        cwd=folder,
    )
    assert pip.returncode == 0, pip.stdout + pip.stderr
    libraries = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(libraries.stdout.strip()) / "dependencies.pth").write_text("\n".join(here) + "\n")
    return scripts


def test_the_sdist_holds_the_data(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"rules/CL101.toml", "pyproject.toml", "README.md", "LICENSE"} <= names
    assert any(name.startswith("templates/") for name in names)
    assert "tests/renderers/node/package-lock.json" in names
    assert not [name for name in names if "node_modules" in name]


def test_the_wheel_holds_every_data_file(dist: Path, checkout: Path) -> None:
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    data = {
        f"citelint/_data/{file.relative_to(checkout).as_posix()}"
        for folder in ("rules", "templates")
        for file in (checkout / folder).rglob("*")
        if file.is_file()
    }
    assert data
    assert data <= names
    assert "citelint/py.typed" in names
    assert {name.partition("/")[0] for name in names} == {"citelint", "citelint_evidence-0.1.0.dist-info"}


def test_it_is_the_wheel_that_runs(installed: Path, tmp_path: Path) -> None:
    program = (
        "import citelint.data as data; print(data.data_folder('rules')); print(data.data_folder('templates'))"
    )
    done = run(installed / "python", "-c", program, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        folder = Path(line)
        assert folder.is_relative_to(installed.parent)
        assert folder.parent.name == "_data"


def test_the_rules_are_listed(installed: Path, tmp_path: Path) -> None:
    done = run(installed / "citelint", "rule", "--list", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "CL101" in done.stdout
    assert "unresolved-link" in done.stdout


@pytest.fixture
def answer(tiny_manifest: dict[str, Any], tmp_path: Path) -> Path:
    """An answer with its manifest beside it, away from any checkout."""
    path = tmp_path / "answer.md"
    path.write_text(ANSWER)
    path.with_name("answer.evidence.json").write_text(json.dumps(tiny_manifest))
    return path


def test_an_answer_is_fixed(installed: Path, answer: Path, tmp_path: Path) -> None:
    done = run(installed / "citelint", "fix", answer, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    fixed = answer.read_text()
    assert fixed.startswith("Lead is limited [^src_001], see more.\n")
    assert "https://example.org/limits" in fixed
    assert "invented" not in fixed
    again = run(installed / "citelint", "check", answer, cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr


def test_a_page_is_rendered(installed: Path, answer: Path, tmp_path: Path) -> None:
    page = tmp_path / "answer.html"
    done = run(installed / "citelint", "render", "--to", "page", "-o", page, answer, cwd=tmp_path)
    assert page.is_file(), done.stdout + done.stderr
    html = page.read_text()
    assert "Content-Security-Policy" in html
    assert 'data-sha256="' + "0" * 64 in html
