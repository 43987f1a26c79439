"""``check`` on the command line: what it prints, and how it ends."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.command import CLEAN, LEAKY, TEXTS, Run, put, source

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
