"""``fix`` and ``render`` on the command line: what they write, and what they leave."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from citelint import pipeline
from tests.command import CLEAN, LEAK, LEAKY, LEAKY_FIXED, Run, put


def test_fix_writes_in_place_and_a_second_time_changes_nothing(run: Run) -> None:
    path = put("answer.md", LEAKY)
    path.chmod(0o640)
    ended = run("fix", "answer.md")
    assert ended.code == 1
    assert "answer.md: rewritten\n" in ended.out
    assert "CL101" in ended.out
    assert path.read_text() == LEAKY_FIXED
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert run("fix", "answer.md") == (0, "1 answer read: no findings\n", "")
    assert path.read_text() == LEAKY_FIXED


def test_fix_keeps_what_surrounds_the_text(run: Run) -> None:
    path = put("answer.md", b"\xef\xbb\xbf" + LEAKY.replace("\n", "\r\n").rstrip().encode())
    assert run("fix", "answer.md").code == 1
    assert path.read_bytes() == b"\xef\xbb\xbf" + LEAKY_FIXED.replace("\n", "\r\n").rstrip().encode()


def test_fix_leaves_a_refused_answer_as_it_is_and_says_so(run: Run) -> None:
    text = f"Supply fell ([chart]({LEAK})).\n"
    path = put("answer.md", text)
    ended = run("fix", "answer.md")
    assert ended.code == 1
    assert "answer.md: refused: " in ended.out
    assert "the file stays as it was" in ended.out
    assert path.read_text() == text
    ended = run("fix", "-", "--stdin-filename", "answer.md", stdin=text.encode())
    assert (ended.code, ended.out) == (1, "")
    assert "refused" in ended.err


def test_fix_strips_where_the_policy_says_so(run: Run) -> None:
    Path("citelint.toml").write_text("on-unverified = 'strip'\n")
    path = put("answer.md", f"Supply fell ([chart]({LEAK})).\n")
    assert run("fix", "answer.md").code == 1
    assert path.read_text() == "Supply fell (chart).\n"


def test_fix_diff_writes_nothing_and_keeps_the_address_to_itself(run: Run) -> None:
    path = put("answer.md", LEAKY)
    ended = run("fix", "--diff", "answer.md")
    assert ended.code == 1
    assert "+Supply fell (chart).\n" in ended.out
    assert "c3ecret" not in ended.out + ended.err
    assert "CL101" in ended.err
    assert path.read_text() == LEAKY
    put("clean.md")
    assert run("fix", "--diff", "clean.md")[:2] == (0, "")


def test_fix_diff_with_addresses_can_be_applied(run: Run) -> None:
    put("answer.md", LEAKY)
    patch = run("fix", "--diff", "--show-addresses", "answer.md").out
    assert f"-Supply fell ([chart]({LEAK})).\n" in patch
    subprocess.run(["git", "apply", "-p0"], input=patch.encode(), check=True)
    assert Path("answer.md").read_text() == LEAKY_FIXED


def test_fix_from_standard_input_to_standard_output(run: Run) -> None:
    put("answer.md")
    ended = run("fix", "-", "--stdin-filename", "answer.md", stdin=LEAKY.encode())
    assert (ended.code, ended.out) == (1, LEAKY_FIXED)
    assert "CL101" in ended.err
    assert run("fix", "-q", "-", "--stdin-filename", "answer.md", stdin=CLEAN.encode()) == (0, CLEAN, "")
    assert Path("answer.md").read_text() == CLEAN


def test_fix_says_when_it_cannot_write(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("answer.md", LEAKY)
    put("other.md", LEAKY)
    path.chmod(0o444)
    # For the superuser every file is writable; this asks the mode bits alone.
    monkeypatch.setattr(os, "access", lambda path, mode: bool(Path(path).stat().st_mode & stat.S_IWUSR))
    ended = run("fix", "answer.md", "other.md")
    assert ended.code == 2
    assert "answer.md: error: cannot write: the file is read-only" in ended.err
    assert path.read_text() == LEAKY
    assert Path("other.md").read_text() == LEAKY_FIXED


# render


def test_render_writes_html(run: Run) -> None:
    put("answer.md", LEAKY)
    ended = run("render", "--to", "fragment", "answer.md")
    assert ended.code == 1
    assert 'href="https://example.org/report"' in ended.out
    assert "<h1>" in ended.out
    assert "c3ecret" not in ended.out + ended.err
    assert "CL101" in ended.err


def test_render_to_a_file(run: Run) -> None:
    put("answer.md")
    assert run("render", "answer.md", "-o", "page.html") == (0, "", "")
    page = Path("page.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    ended = run("render", "--to", "md", "answer.md")
    assert (ended.code, ended.out) == (0, CLEAN)


def test_render_does_not_overwrite_the_answer(run: Run) -> None:
    path = put("answer.md", LEAKY)
    Path("link.html").symlink_to("answer.md")
    for output in ("answer.md", "./link.html", "none/page.html"):
        assert run("render", "answer.md", "-o", output).code == 2
    assert path.read_text() == LEAKY


def test_render_writes_nothing_of_a_refused_answer(run: Run) -> None:
    put("answer.md", "No citation at all.\n")
    Path("page.html").write_text("old")
    ended = run("render", "answer.md", "-o", "page.html")
    assert ended.code == 1
    assert "refused" in ended.err
    assert Path("page.html").read_text() == "old"
    assert run("render", "answer.md").out == ""


# What must not happen


def test_render_does_not_overwrite_the_manifest(run: Run) -> None:
    put("a.md")
    before = Path("a.evidence.json").read_bytes()
    assert run("render", "-o", "a.evidence.json", "a.md").code == 2
    assert Path("a.evidence.json").read_bytes() == before


def test_a_rendered_page_beside_its_answer_is_no_answer(run: Run) -> None:
    put("a.md")
    assert run("render", "-o", "a.html", "a.md").code == 0
    assert run("check", ".").code == 0
    assert run("check", "a.evidence.json").code == 0
    assert run("check", "--answers-only", "a.html").code == 0


def test_an_edit_made_meanwhile_is_not_lost(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("a.md", LEAKY)
    real = pipeline.fix

    def slow(*args: Any, **options: Any) -> Any:
        result = real(*args, **options)
        path.write_text("edited meanwhile\n")
        return result

    monkeypatch.setattr(pipeline, "fix", slow)
    ended = run("fix", "a.md")
    assert (ended.code, path.read_text()) == (2, "edited meanwhile\n")
    assert "changed while it was read" in ended.out + ended.err
