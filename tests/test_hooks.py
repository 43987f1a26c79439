"""The hooks as a stranger's repository uses them: pre-commit builds the environment and runs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BAD = "Known [1], and [invented](https://invented.example/x).\n"
CLEAN = "Nothing is cited in this file, and it has no manifest: [a link](https://example.org/readme).\n"


def run(*command: str | Path, cwd: Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    if home:
        environment["PRE_COMMIT_HOME"] = str(home)
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def git(*arguments: str, cwd: Path) -> str:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
    done = run("git", *identity, *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def new_repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", "--initial-branch=main", cwd=folder)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--allow-empty", "--message=start", cwd=folder)
    return folder


@pytest.fixture(scope="session")
def index_is_there(tmp_path_factory: pytest.TempPathFactory) -> None:
    """pre-commit installs the hooks with pip, so an index must answer; ask it for the build backend alone."""
    folder = tmp_path_factory.mktemp("probe")
    probe = run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "0", "--timeout", "20"),
        *("download", "--quiet", "--no-deps", "--no-cache-dir", "--dest", folder, "hatchling"),
        cwd=folder,
    )
    if probe.returncode != 0:
        pytest.skip("pip reaches no package index from here, and pre-commit builds its environments with pip")


@pytest.fixture(scope="session")
def hooks(index_is_there: None, checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published of this checkout, as it lies here, as a repository of hooks."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in ("citelint", "rules", "templates"):
        shutil.copytree(checkout / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(checkout / name, folder / name)
    return new_repository(folder)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps its environments; shared by the tests, so that it builds one only once."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def site(tiny_manifest: dict[str, Any], tmp_path: Path) -> Path:
    """A repository with a plain README, an answer and its manifest."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "README.md").write_text(CLEAN)
    (folder / "answer.md").write_text(BAD)
    (folder / "answer.evidence.json").write_text(json.dumps(tiny_manifest))
    return new_repository(folder)


def pre_commit(*arguments: str | Path, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "pre_commit", *arguments, cwd=cwd, home=home)


def use_hooks(site: Path, hooks: Path) -> None:
    revision = git("rev-parse", "HEAD", cwd=hooks)
    (site / ".pre-commit-config.yaml").write_text(
        f"repos:\n"
        f"  - repo: {hooks.as_posix()}\n"
        f"    rev: {revision}\n"
        f"    hooks: [{{id: citelint}}, {{id: citelint-fix}}]\n"
    )
    git("add", "--all", cwd=site)


def test_try_repo_checks_and_fixes(site: Path, hooks: Path, home: Path) -> None:
    tried = pre_commit("try-repo", hooks, "--color=never", "--all-files", cwd=site, home=home)
    assert tried.returncode == 1, tried.stdout + tried.stderr
    check, fix = tried.stdout.split("citelint (fix)")
    assert "exit code: 1" in check
    assert "answer.md:1:16: error CL101" in check
    assert "README.md" not in check
    assert "files were modified by this hook" in fix
    fixed = (site / "answer.md").read_text()
    assert fixed.startswith("Known [^src_001], and invented.\n")
    assert (site / "README.md").read_text() == CLEAN


def test_a_fixed_answer_passes_both_hooks(site: Path, hooks: Path, home: Path) -> None:
    use_hooks(site, hooks)
    first = pre_commit("run", "--color=never", "--all-files", "citelint-fix", cwd=site, home=home)
    assert "files were modified by this hook" in first.stdout, first.stdout + first.stderr
    git("add", "--all", cwd=site)
    second = pre_commit("run", "--color=never", "--all-files", cwd=site, home=home)
    assert second.returncode == 0, second.stdout + second.stderr
    assert second.stdout.count("Passed") == 2


def test_a_changed_manifest_checks_its_answer_again(
    site: Path, hooks: Path, home: Path, tiny_manifest: dict[str, Any]
) -> None:
    use_hooks(site, hooks)
    pre_commit("run", "--color=never", "--all-files", "citelint-fix", cwd=site, home=home)
    git("add", "--all", cwd=site)
    git("commit", "--quiet", "--message=fixed", cwd=site)
    (site / "answer.evidence.json").write_text(json.dumps({**tiny_manifest, "sources": []}))
    git("add", "--all", cwd=site)
    done = pre_commit("run", "--color=never", "citelint", cwd=site, home=home)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "answer.md:1:" in done.stdout


def test_files_that_are_no_answers_pass(site: Path, hooks: Path, home: Path) -> None:
    use_hooks(site, hooks)
    done = pre_commit("run", "--color=never", "--files", "README.md", cwd=site, home=home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (site / "README.md").read_text() == CLEAN
