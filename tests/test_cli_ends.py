"""How commands end when something goes wrong, and what a terminal and a log are shown."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from citelint import pipeline
from citelint.errors import PostconditionError
from citelint.model import Status
from tests.command import LEAK, LEAKY, Run, put


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
