"""The example and the README are true: what they show is what the program does."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import citelint
from citelint.evidence.snapshots import verify_snapshots
from citelint.manifest import Manifest
from citelint.policy import Policy
from citelint.rendering.gate import list_sinks
from citelint.urls import url_key

WRONG_IN_THE_EXAMPLE = {
    "CL101",  # a link that the model made up
    "CL102",  # a picture that would carry words of the conversation away
    "CL103",  # [14] and 【4:0†source】 mean nothing; turn0search7 leaked
    "CL104",  # a bare address that was never opened
    "CL105",  # a search result cited as if somebody had read it
    "CL106",  # part C of an annex of which part B was opened
    "CL107",  # [^7] has no definition
    "CL108",  # the model's own list of references
    "CL203",  # utm_source=chatgpt.com
    "CL204",  # a payload in a query
    "CL207",  # link text that reads as another address
    "CL305",  # a zero-width space, and a sentence in tag characters
    "CL307",  # a mermaid diagram that navigates
}


@pytest.fixture(scope="module")
def examples(checkout: Path) -> Path:
    return checkout / "examples"


@pytest.fixture(scope="module")
def answer(examples: Path) -> str:
    return read(examples / "answer.md")


@pytest.fixture(scope="module")
def manifest(examples: Path) -> Manifest:
    return Manifest.load(examples / "answer.evidence.json")


@pytest.fixture(scope="module")
def policy(checkout: Path) -> Policy:
    return Policy.load(checkout / "pyproject.toml")


@pytest.fixture(scope="module")
def readme(checkout: Path) -> str:
    return read(checkout / "README.md")


def read(path: Path) -> str:
    return path.read_bytes().decode()


def fences(markdown: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", markdown, re.DOTALL | re.MULTILINE)


def test_something_of_each_kind_is_wrong(answer: str, manifest: Manifest, policy: Policy) -> None:
    found = {finding.code for finding in citelint.check(answer, manifest, policy=policy).findings}
    assert found >= WRONG_IN_THE_EXAMPLE


def test_fix_gives_the_fixed_example(examples: Path, answer: str, manifest: Manifest, policy: Policy) -> None:
    result = citelint.fix(answer, manifest, policy=policy)
    assert result.text == read(examples / "answer.fixed.md")
    assert result.status == "verified"
    assert set(result.cited) == {source.id for source in manifest.sources} - {"src_005"}


def test_the_fixed_example_is_clean_and_stays_as_it_is(
    examples: Path, manifest: Manifest, policy: Policy
) -> None:
    fixed = read(examples / "answer.fixed.md")
    assert not citelint.check(fixed, manifest, policy=policy).findings
    assert not citelint.fix(fixed, manifest, policy=policy).changed


def test_the_page_leads_only_to_addresses_of_the_manifest(
    answer: str, manifest: Manifest, policy: Policy
) -> None:
    page = citelint.render(answer, manifest, policy=policy, to="fragment").text
    sinks = [sink for sink in list_sinks(page) if not sink.address.startswith("#")]
    assert sinks
    for sink in sinks:
        key = url_key(sink.address)
        assert key is not None
        assert manifest.by_url(key) is not None, sink


def test_the_page_is_the_same_before_and_after_the_fix(
    examples: Path, answer: str, manifest: Manifest, policy: Policy
) -> None:
    before = citelint.render(answer, manifest, policy=policy, to="fragment")
    after = citelint.render(read(examples / "answer.fixed.md"), manifest, policy=policy, to="fragment")
    assert after.text == before.text


def test_the_snapshots_have_the_hashes_of_the_manifest(examples: Path, manifest: Manifest) -> None:
    assert not verify_snapshots(manifest, examples)


def test_the_manifest_is_what_its_program_writes(examples: Path, tmp_path: Path) -> None:
    runpy.run_path(str(examples / "make_manifest.py"))["main"](tmp_path)
    written = {
        file.relative_to(tmp_path): file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()
    }
    assert written == {
        file.relative_to(examples): file.read_bytes()
        for file in (examples / "answer.evidence.json", *examples.glob("snapshots/*/*"))
    }


def test_the_readme_shows_what_fix_does(readme: str) -> None:
    before, after = fences(readme, "markdown")[:2]
    manifest = Manifest.from_json(fences(readme, "json")[0].encode())
    result = citelint.fix(before, manifest)
    assert result.text == after
    assert result.status == "verified"


def test_the_readme_names_every_setting_with_its_default(readme: str) -> None:
    import tomllib

    rows = dict(re.findall(r"^\| `([a-z-]+)` \| `([^`]*)` \|", readme, re.MULTILINE))
    table = {name: tomllib.loads(f"value = {default}")["value"] for name, default in rows.items()}
    assert set(table) == {name.replace("_", "-") for name in Policy.__struct_fields__}
    default = Policy()
    for name, value in table.items():
        stands = getattr(default, name.replace("-", "_"))
        assert (list(stands) if isinstance(stands, tuple) else stands) == value, name


def test_the_readme_s_library_example_runs(readme: str, checkout: Path) -> None:
    (program,) = fences(readme, "python")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("verified ('src_001', ")


def test_the_demo_leaves_the_example_alone(checkout: Path, tmp_path: Path) -> None:
    for name in ("examples", "pyproject.toml"):
        source, copy = checkout / name, tmp_path / name
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    before = {file: file.read_bytes() for file in (tmp_path / "examples").rglob("*") if file.is_file()}
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "citelint"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{checkout}" exec "{sys.executable}" -m citelint "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        ["sh", "examples/demo.sh", "build/demo"],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("build/demo/answer.html")
    assert read(tmp_path / "build/demo/answer.md") == read(checkout / "examples/answer.fixed.md")
    assert (tmp_path / "build/demo/answer.html").is_file()
    assert before == {file: file.read_bytes() for file in before}
