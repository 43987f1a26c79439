"""The command line: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pty
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from citelint import pipeline
from citelint.cli import COMMANDS, main
from citelint.errors import PostconditionError
from citelint.manifest import manifest_schema
from citelint.model import Status

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


# check


def test_a_clean_answer(run: Run) -> None:
    put("answer.md")
    assert run("check", "answer.md") == (0, "1 answer checked: no findings\n", "")


def test_a_link_that_the_manifest_does_not_have(run: Run) -> None:
    put("answer.md", LEAKY)
    ended = run("check", "answer.md")
    assert ended.code == 1
    assert ended.out.startswith("answer.md:5:14: error CL101 unresolved-link: ")
    assert "= address: …evil.example, 40 characters, sha256 " in ended.out
    assert "= help: " in ended.out
    assert ended.out.endswith("\n1 answer checked: 1 error\n")
    assert "c3ecret" not in ended.out + ended.err


@pytest.mark.parametrize("form", ["full", "concise", "json"])
@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        ("clean", (), 0),
        ("leaky", (), 1),
        ("leaky", ("--exit-zero",), 0),
        ("uncited", (), 1),
        ("uncited", ("--exit-zero",), 0),
        ("binary", (), 2),
        ("binary", ("--exit-zero",), 2),
        ("clean", ("--config", "none.toml"), 2),
        ("clean", ("--manifest", "none.json"), 2),
        ("clean", ("--readers", "blink"), 2),
        ("clean", ("--no-such-option",), 2),
        ("clean", ("none.md",), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_the_exit_code_is_the_same_in_every_format(
    run: Run, form: str, text: str, arguments: tuple[str, ...], code: int
) -> None:
    put("answer.md", TEXTS[text])
    ended = run("check", "--format", form, "answer.md", *arguments)
    assert ended.code == code
    assert "c3ecret" not in ended.out + ended.err


def test_json(run: Run) -> None:
    put("a.md", LEAKY)
    put("b.md", manifest=False)
    put("c.md")
    report = json.loads(run("check", "--format", "json", "a.md", "b.md", "c.md").out)
    assert [(found["code"], found["path"], found["line"]) for found in report["findings"]] == [
        ("CL101", "a.md", 5)
    ]
    assert {file["path"]: file["status"] for file in report["files"]} == {
        "a.md": "verified",
        "b.md": None,
        "c.md": "verified",
    }
    assert report["summary"]["files"] == 2
    assert report["summary"]["failed"] == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"a\0b", "NUL"),
        (None, "a folder"),
    ],
)
def test_an_answer_that_cannot_be_read(run: Run, content: bytes | None, told: str) -> None:
    put("d/answer.md", content or b"")
    if content is None:
        Path("d/answer.md").unlink()
        Path("d/answer.md").mkdir()
        Path("d/answer.md/x.md").touch()
    for command in ("check", "fix", "render"):
        ended = run(command, "d/answer.md")
        assert ended.code == 2
        assert told in ended.err or "no answer in this folder" in ended.err or "takes one answer" in ended.err
        assert "Traceback" not in ended.err


def test_a_huge_answer_is_refused(run: Run) -> None:
    with put("answer.md").open("r+b") as file:
        file.truncate(200 * 1024**2)
    for command in ("check", "fix", "render"):
        ended = run(command, "answer.md")
        assert ended.code == 2
        assert "answer.md: error: larger than 64 MiB" in ended.err
    assert Path("answer.md").stat().st_size == 200 * 1024**2


def test_a_manifest_that_is_missing_or_broken_is_never_clean(run: Run) -> None:
    put("a.md", manifest=False)
    put("b.md", CLEAN, source(url="ftp://example.org/"))
    put("c.md", CLEAN).with_name("c.evidence.json").write_text("{")
    ended = run("check", "a.md", "b.md", "c.md")
    assert ended.code == 2
    assert "a.md: error: CL501 missing-manifest: " in ended.err
    assert "b.md: error: CL502 manifest-invalid: b.evidence.json, $.sources[0].url: " in ended.err
    assert "c.md: error: CL502 manifest-invalid: c.evidence.json" in ended.err
    for command in ("fix", "render"):
        assert run(command, "a.md").code == 2
    assert Path("a.md").read_text() == CLEAN


def test_one_bad_file_does_not_hide_the_findings_of_another(run: Run) -> None:
    put("a.md", b"\xff")
    put("b.md", LEAKY)
    ended = run("check", "a.md", "b.md")
    assert ended.code == 2
    assert "b.md:5:14: error CL101" in ended.out
    assert ended.out.endswith("1 answer checked: 1 error; 1 path failed\n")


def test_files_that_are_no_answers_are_counted(run: Run) -> None:
    put("d/README.md", manifest=False)
    put("d/answer.md")
    ended = run("check", "d")
    assert (ended.code, ended.err) == (
        0,
        "citelint: 1 file skipped: neither in `answers` nor with a manifest\n",
    )
    assert run("check", "d/README.md").code == 2
    assert run("check", "--answers-only", "d/README.md").code == 0


def test_a_folder_without_answers_is_an_error(run: Run) -> None:
    put("d/README.md", manifest=False)
    assert run("check", "d").code == 2


def test_answers_of_the_policy_must_have_a_manifest(run: Run) -> None:
    Path("citelint.toml").write_text("answers = ['answers/**/*.md']\n")
    put("answers/x/a.md", manifest=False)
    put("b.md")
    for arguments in ((".",), ("--answers-only", "answers/x/a.md")):
        ended = run("check", *arguments)
        assert ended.code == 2
        assert "CL501" in ended.err


def test_a_manifest_given_as_a_path_means_its_answer(run: Run) -> None:
    put("answer.md", LEAKY)
    ended = run("check", "--answers-only", "answer.evidence.json", "answer.md")
    assert ended.code == 1
    assert ended.out.count("CL101") == 1


def test_standard_input(run: Run) -> None:
    put("d/answer.md")
    ended = run("check", "-", "--stdin-filename", "d/answer.md", stdin=LEAKY.encode())
    assert ended.code == 1
    assert ended.out.startswith("d/answer.md:5:14: error CL101")
    ended = run("check", "-", "--manifest", "d/answer.evidence.json", stdin=CLEAN.encode())
    assert (ended.code, ended.out) == (0, "1 answer checked: no findings\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("-",),
        ("-", "--stdin-filename", "none.md"),
        ("-", "--stdin-filename", "answer.txt"),
        ("-", "answer.md", "--manifest", "answer.evidence.json"),
        ("answer.md", "--stdin-filename", "answer.md"),
        ("answer.md", "other.md", "--manifest", "answer.evidence.json"),
    ],
)
def test_arguments_that_do_not_go_together(run: Run, arguments: tuple[str, ...]) -> None:
    put("answer.md")
    put("other.md")
    ended = run("check", *arguments, stdin=CLEAN.encode())
    assert ended.code == 2
    assert "error: " in ended.err


def test_a_snapshot_that_was_changed_is_found_and_its_source_does_not_count(run: Run) -> None:
    Path("snapshots").mkdir()
    Path("snapshots/1.txt").write_text("as captured")
    digest = hashlib.sha256(b"as captured").hexdigest()
    put("answer.md", CLEAN, source(sha256=digest, snapshot="snapshots/1.txt"))
    assert run("check", "answer.md").code == 0
    Path("snapshots/1.txt").write_text("as changed")
    ended = run("check", "answer.md")
    assert ended.code == 1
    assert ended.out.startswith("answer.md:1:1: error CL503 snapshot-mismatch: ")
    assert "CL101" in ended.out
    assert run("manifest", "verify", "answer.evidence.json").code == 1
    Path("snapshots/1.txt").unlink()
    assert run("check", "answer.md").code == 0
    assert run("manifest", "verify", "answer.evidence.json").code == 0


def test_links_to_files_of_the_site(run: Run) -> None:
    text = CLEAN + "\nSee [the data](../data/a%20b.csv) and [this](b.md).\n"
    put("site/answers/answer.md", text)
    put("site/answers/b.md", manifest=False)
    put("site/data/a b.csv", manifest=False)
    Path("citelint.toml").write_text("site-root = 'site'\n")
    assert run("check", "site/answers/answer.md").code == 0
    Path("citelint.toml").write_text("site-root = 'site/answers'\n")
    assert run("check", "site/answers/answer.md").out.count("CL101") == 1


def test_html_is_not_supported_yet(run: Run) -> None:
    put("answer.html", "<p>x</p>")
    ended = run("check", "answer.html")
    assert ended.code == 2
    assert "not supported" in ended.err


@pytest.mark.parametrize(
    "leak",
    [
        "[c3ecret.evil.example/x?y](https://a.evil.example/)",
        "[https://c3ecret.evil.example/](https://b.evil.example)",
        "[c3ecret@evil.example](mailto:c3ecret@evil.example)",
        "c3ecret.evil.example/x?d=1",
        "www.c3ecret.evil.example",
        "![c3ecret.evil.example/x](https://c3ecret.evil.example/i.png)",
        "【https://c3ecret.evil.example】",
        "x[^1]\n\n[^1]: https://c3ecret.evil.example/",
        "[c3ecret.evil.example/x]: https://c3ecret.evil.example/",
        "<img src=https://c3ecret.evil.example/>",
        "<a href='//c3ecret.evil.example/'>c3ecret.evil.example/x</a>",
    ],
)
def test_no_blocked_address_reaches_a_log(run: Run, leak: str) -> None:
    put("answer.md", f"{CLEAN}\nFurther: {leak}\n")
    for form in ("full", "concise", "json"):
        ended = run("check", "--format", form, "answer.md")
        assert ended.code == 1
        assert "c3ecret" not in ended.out + ended.err
    for arguments in (("fix", "--diff"), ("fix",)):
        ended = run(*arguments, "answer.md")
        assert ended.code == 1
        assert "c3ecret.evil" not in ended.out + ended.err


# Settings


def test_a_config_beside_an_answer_is_not_read(run: Run) -> None:
    put("d/answer.md", LEAKY.replace("?q=c3ecret", ""))
    Path("d/citelint.toml").write_text("allow = ['https://c3ecret.evil.example/']\n")
    assert run("check", "d/answer.md").code == 1
    assert run("check", "d/answer.md", "--config", "d/citelint.toml").code == 0


def test_a_wrong_setting_is_told_with_the_right_one(run: Run) -> None:
    put("answer.md")
    Path("pyproject.toml").write_text("[tool.citelint]\nretention-day = 3\n")
    ended = run("check", "answer.md")
    assert ended.code == 2
    assert "pyproject.toml: unknown setting 'retention-day'" in ended.err
    assert "did you mean 'retention-days'?" in ended.err


def test_severities_and_fail_on(run: Run) -> None:
    put("answer.md", LEAKY)
    Path("citelint.toml").write_text("severity = {CL101 = 'note'}\n")
    ended = run("check", "answer.md")
    assert (ended.code, "note CL101" in ended.out) == (0, True)
    Path("citelint.toml").write_text("fail-on = 'note'\nseverity = {CL101 = 'note'}\n")
    assert run("check", "answer.md").code == 1


def test_config_prints_what_is_in_force(run: Run) -> None:
    Path("citelint.toml").write_text("retention-days = 3\n")
    ended = run("config")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert "retention-days = 3" in lines
    assert "required = true  # default" in lines
    Path("other.toml").write_text(ended.out)
    Path("citelint.toml").unlink()
    again = run("config", "--config", "other.toml").out.splitlines()
    assert "retention-days = 3" in again


def test_a_file_name_does_not_become_an_option(run: Run) -> None:
    put("answer.md", LEAKY)
    Path("evil.md").write_text("allow = ['https://c3ecret.evil.example/']\n")
    put("--config=evil.md", manifest=False)
    ended = run("check", "--answers-only", "answer.md", "--config=evil.md")
    assert ended.code == 2
    assert "is an option and also a file" in ended.err
    assert run("check", "--answers-only", "--", "answer.md", "--config=evil.md").code == 1


# fix


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


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let the pipeline fail in a way that no known answer makes it fail."""

    def fail(*args: object, **kwargs: object) -> None:
        raise error

    for name in ("check", "fix", "render"):
        monkeypatch.setattr(pipeline, name, fail)


@pytest.mark.parametrize("command", ["check", "fix", "render"])
def test_an_unexpected_error_is_short_and_quotes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    path = put("answer.md", LEAKY)
    fail_with(monkeypatch, ValueError(LEAK))
    ended = run(command, "answer.md")
    assert ended.code == 3
    assert "answer.md: error: internal error: ValueError in citelint/cli/" in ended.err
    assert "CITELINT_DEBUG=1" in ended.err or command != "check"
    assert "Traceback" not in ended.err
    assert "c3ecret" not in ended.out + ended.err
    assert path.read_text() == LEAKY
    monkeypatch.setenv("CITELINT_DEBUG", "1")
    assert "Traceback" in run(command, "answer.md").err


def test_a_failed_postcondition_writes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("answer.md", LEAKY)
    put("bad.md", b"\xff")
    fail_with(monkeypatch, PostconditionError("could not be proven", help="report it"))
    ended = run("fix", "--exit-zero", "bad.md", "none.md", "answer.md")
    assert ended.code == 3
    assert "answer.md: error: could not be proven" in ended.err
    assert path.read_text() == LEAKY


def test_the_text_of_a_refused_answer_is_never_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("answer.md", LEAKY)
    rejected = pipeline.Result("half a text", (), Status.REJECTED, (), changed=True)
    monkeypatch.setattr(pipeline, "fix", lambda *args, **kwargs: rejected)
    assert run("fix", "answer.md").code == 1
    assert path.read_text() == LEAKY
    assert run("fix", "-", "--stdin-filename", "answer.md", stdin=b"x").out == ""
    assert run("fix", "--diff", "answer.md").out == ""


def test_an_interrupt_ends_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    put("answer.md")
    fail_with(monkeypatch, KeyboardInterrupt())
    assert run("check", "answer.md") == (130, "", "")


# The program


def program(checkout: Path, *argv: str, **options: Any) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR")}
    environment |= {"PYTHONPATH": str(checkout), "TERM": "xterm"} | options.pop("env", {})
    return subprocess.Popen([sys.executable, "-m", "citelint", *argv], env=environment, **options)


def in_terminal(checkout: Path, *argv: str, env: dict[str, str] | None = None) -> str:
    """What the program prints where a person is looking."""
    ours, theirs = pty.openpty()
    with program(checkout, *argv, env=env or {}, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # Linux ends a pseudo-terminal with an error
            pass
    os.close(ours)
    assert process.returncode == 1
    return shown.decode().replace("\r\n", "\n")


def test_a_person_sees_the_line_and_a_ci_log_does_not(project: Path, checkout: Path) -> None:
    put("answer.md", LEAKY)
    shown = in_terminal(checkout, "check", "answer.md")
    assert LEAK in shown
    assert "\x1b[1;31merror\x1b[0m" in shown
    assert "\x1b[1;31m^^^" in shown
    plain = in_terminal(checkout, "check", "answer.md", env={"NO_COLOR": "1"})
    assert LEAK in plain
    assert "\x1b" not in plain
    assert "c3ecret" not in in_terminal(checkout, "check", "answer.md", env={"CI": "true"})
    assert f"-Supply fell ([chart]({LEAK}))" in in_terminal(checkout, "fix", "--diff", "answer.md")


def test_a_terminal_is_not_given_control_characters(project: Path, checkout: Path) -> None:
    put("answer.md", LEAKY.replace("chart", "\x1b]0;x\x07ch\u202eart"))
    for arguments in (("check",), ("fix", "--diff", "--show-addresses"), ("check", "--format", "concise")):
        shown = in_terminal(checkout, *arguments, "answer.md", env={"NO_COLOR": "1"})
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_nobody_reads_to_the_end(project: Path, checkout: Path) -> None:
    put("answer.md", LEAKY + LEAK.join(" \n\n" * 3000))
    with program(checkout, "check", "answer.md", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_clean_check_imports_little(project: Path, checkout: Path) -> None:
    put("answer.md")
    code = (
        "import sys\n"
        "from citelint.cli import main\n"
        "code = main(['check', 'answer.md'])\n"
        "print(code, *sys.modules)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        check=True,
        text=True,
    )
    code, *modules = ended.stdout.splitlines()[-1].split()
    assert code == "0"
    heavy = {"httpx", "jinja2", "bleach", "bs4", "sphinx", "rapidfuzz", "difflib"}
    assert not heavy.intersection(modules)


def test_config_files_are_parsed_only_where_they_are(project: Path, checkout: Path) -> None:
    code = "import sys\nfrom citelint.policy import Policy\nPolicy.find()\nprint(*sys.modules)\n"
    env = os.environ | {"PYTHONPATH": str(checkout)}
    before = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True, text=True)
    assert "tomllib" not in before.stdout.split()


# Other commands


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(run: Run, command: str) -> None:
    ended = run(*filter(None, [command]), "--help")
    assert ended.code == 0
    assert ended.out.startswith(f"usage: citelint {command}".rstrip())


def test_no_command_is_a_usage_error(run: Run) -> None:
    assert run().code == 2
    assert run("none").code == 2
    assert run("check").code == 2


def test_version(run: Run) -> None:
    ended = run("--version")
    assert ended.code == 0
    assert ended.out.startswith("citelint 0.")


def test_rules_are_explained(run: Run) -> None:
    listed = run("rule", "--list")
    assert listed.code == 0
    assert any(line.startswith("CL101  unresolved-link") for line in listed.out.splitlines())
    by_code = run("rule", "CL101")
    assert by_code.code == 0
    assert by_code.out.startswith("CL101 unresolved-link (error)\n")
    assert by_code.out == run("rule", "cl101").out == run("rule", "unresolved-link").out
    ended = run("rule", "CL1001")
    assert ended.code == 2
    assert "did you mean" in ended.err
    assert run("rule").code == run("rule", "CL101", "--list").code == 2


def test_every_rule_can_be_shown(run: Run) -> None:
    for line in run("rule", "--list").out.splitlines():
        ended = run("rule", line.split()[0])
        assert ended.code == 0
        assert all(character.isprintable() or character == "\n" for character in ended.out)


def test_the_schema_is_printed(run: Run) -> None:
    ended = run("manifest", "schema")
    assert ended.code == 0
    assert json.loads(ended.out) == json.loads(json.dumps(manifest_schema()))


def test_a_manifest_is_verified(run: Run) -> None:
    put("answer.md")
    assert run("manifest", "verify", "answer.evidence.json").code == 0
    Path("bad.json").write_text('{"version": 1, "run": {"id": "r"}, "sources": [{}]}')
    ended = run("manifest", "verify", "bad.json")
    assert ended.code == 2
    assert "bad.json, $.sources[0]" in ended.err
    assert run("manifest", "verify", "none.json").code == 2
    assert run("manifest").code == 2
