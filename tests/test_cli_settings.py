"""Settings on the command line, and the commands that explain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citelint.cli import COMMANDS
from citelint.manifest import manifest_schema
from tests.command import LEAKY, Run, put


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
