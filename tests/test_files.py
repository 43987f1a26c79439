"""Which files are answers, and reading and writing them whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from citelint.disk import write_atomically
from citelint.document import MAX_BYTES
from citelint.errors import InputError, ManifestError
from citelint.files import (
    Found,
    SiteFiles,
    find_answers,
    find_manifest,
    matches,
    read_answer,
)
from citelint.policy import Policy


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")


def listed(folder: str = ".") -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def find(*paths: str, answers: tuple[str, ...] = (), template: str = "", answers_only: bool = False) -> Found:
    policy = Policy(answers=answers, manifest=template)
    return find_answers(paths, policy, Path(), answers_only=answers_only)


def names(found: Found) -> list[str]:
    return [target.path.as_posix() for target in found.targets]


def errors(found: Found) -> dict[str, str]:
    return {missed.path: missed.error.message for missed in found.missed}


# Which files


def test_a_named_answer_has_its_manifest_beside_it(project: Path) -> None:
    put("a.md", "a.evidence.json", "b.html", "b.evidence.json", "c.markdown", "c.evidence.json")
    found = find("a.md", "b.html", "c.markdown")
    assert [(t.path.name, t.manifest.name, t.kind) for t in found.targets] == [
        ("a.md", "a.evidence.json", "markdown"),
        ("b.html", "b.evidence.json", "html"),
        ("c.markdown", "c.evidence.json", "markdown"),
    ]
    assert not found.missed


def test_a_named_answer_without_manifest_is_an_error_even_if_others_are_fine(project: Path) -> None:
    put("a.md", "b.md", "b.evidence.json")
    found = find("a.md", "b.md")
    assert names(found) == ["b.md"]
    (missed,) = found.missed
    assert isinstance(missed.error, ManifestError)
    assert (missed.path, missed.error.code) == ("a.md", "CL501")
    assert "a.evidence.json" in missed.error.message


def test_in_a_folder_files_without_manifest_are_counted(project: Path) -> None:
    put("d/README.md", "d/notes.txt", "d/e/a.md", "d/e/a.evidence.json", "d/page.htm")
    found = find("d")
    assert names(found) == ["d/e/a.md"]
    assert found.skipped == 2
    assert not found.missed


def test_a_deleted_manifest_of_an_answer_in_the_policy_is_noticed(project: Path) -> None:
    put("d/README.md", "d/answers/a.md")
    for only in (False, True):
        found = find("d", answers=("d/answers/*.md",), answers_only=only)
        assert [missed.path for missed in found.missed] == ["d/answers/a.md"]
        assert found.skipped == 1


def test_a_folder_without_any_answer_is_an_error(project: Path) -> None:
    put("d/README.md")
    assert errors(find("d")) == {"d": "no answer in this folder"}
    assert not find("d", answers_only=True).missed


def test_answers_only_passes_over_named_files_that_are_none(project: Path) -> None:
    put("README.md", "a.md", "a.evidence.json", "setup.cfg", "old.evidence.json")
    found = find("README.md", "a.md", "setup.cfg", "old.evidence.json", answers_only=True)
    assert names(found) == ["a.md"]
    assert found.skipped == 3
    assert not found.missed


def test_a_manifest_stands_for_its_answers(project: Path) -> None:
    put("a.md", "a.html", "a.evidence.json", "alone.evidence.json")
    assert names(find("a.evidence.json")) == ["a.md"]  # a page beside it was rendered from it
    assert list(errors(find("alone.evidence.json"))) == ["alone.evidence.json"]


def test_an_answer_named_in_several_ways_is_worked_on_once(project: Path) -> None:
    put("d/a.md", "d/a.evidence.json")
    Path("link.md").symlink_to("d/a.md")
    put("link.evidence.json")
    found = find("d/a.md", "d", "./d/../d/a.md", "d/a.evidence.json", "link.md")
    assert names(found) == ["d/a.md"]


def test_what_is_named_must_be_there_and_be_an_answer(project: Path) -> None:
    put("a.txt")
    found = find("none.md", "a.txt", "nul\0.md")
    assert errors(found) == {
        "none.md": "no such file or directory",
        "a.txt": "not a Markdown or HTML file",
        "nul\0.md": "not a valid path",
    }


def test_links_do_not_lead_out_of_a_folder(project: Path) -> None:
    put("outside/b.md", "outside/b.evidence.json", "d/a.md", "d/a.evidence.json", "d/link.evidence.json")
    Path("d/link.md").symlink_to("../outside/b.md")
    Path("d/folder").symlink_to("../outside")
    assert names(find("d")) == ["d/a.md"]


def test_dependencies_and_caches_are_not_walked(project: Path) -> None:
    put(".venv/x/a.md", ".venv/x/a.evidence.json", "node_modules/a.md", "node_modules/a.evidence.json")
    put(".drafts/a.md", ".drafts/a.evidence.json")
    assert names(find(".")) == [".drafts/a.md"]


def test_globs_start_at_the_root_wherever_one_stands(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("sub/a.md")
    monkeypatch.chdir("sub")
    policy = Policy(answers=("sub/*.md",))
    assert find_answers(["."], policy, project).missed
    assert find_answers(["."], Policy(answers=("*.md",)), project).skipped == 1


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("a.md", "*.md", True),
        ("d/a.md", "*.md", False),
        ("d/a.md", "**/*.md", True),
        ("a.md", "**/*.md", True),
        ("d/e/f/a.md", "d/**/*.md", True),
        ("d/a.md", "d/**/*.md", True),
        ("x/d/a.md", "d/**/*.md", False),
        ("d/e/a.md", "d/*/a.md", True),
        ("d/e/f/a.md", "d/*/a.md", False),
        ("d/e/a.md", "d/", True),
        ("d/e/a.md", "./d/**", True),
        ("d/a.md", "d/[ab].md", True),
        ("d/c.md", "d/[ab].md", False),
        ("a.md", "**", True),
    ],
)
def test_globs(path: str, glob: str, expected: bool) -> None:
    assert matches(path, glob) is expected


def test_a_glob_of_many_stars_takes_no_time(project: Path) -> None:
    assert not matches("/".join(["a"] * 300), "/".join(["**", "*"] * 150) + "/b")


def test_the_template_says_where_manifests_are(project: Path) -> None:
    put("d/a.md", "evidence/a.json", "d/b.md")
    found = find("d", template="evidence/{stem}.json")
    assert names(found) == ["d/a.md"]
    assert found.targets[0].manifest.resolve() == (project / "evidence/a.json").resolve()
    beside = find_manifest(Path("d/a.md"), Policy(manifest="{folder}/.{stem}.json"), project)
    assert beside == project / "d/.a.json"


@pytest.mark.parametrize("name", ["{folder}.md", "{stem}.md"])
def test_a_file_name_with_braces_is_only_a_name(project: Path, name: str) -> None:
    place = find_manifest(Path("d") / name, Policy(manifest="e/{stem}.json"), project)
    assert place == project / "e" / f"{name[:-3]}.json"


def test_a_file_name_does_not_lead_the_template_away(project: Path) -> None:
    with pytest.raises(InputError):
        find_manifest(Path("...md"), Policy(manifest="e/{stem}/m.json"), project)


# Files of the site


def test_links_to_existing_files_of_the_site(project: Path) -> None:
    put("site/index.md", "site/img/a b.png", "site/docs/a.md", "site/docs/b.md", "secret.md")
    Path("site/docs/out.md").symlink_to("../../secret.md")
    files = SiteFiles(Path("site"), Path("site/docs"))
    for there in (
        "b.md",
        "./b.md",
        "../index.md",
        "../img/a b.png",
        "../img/a%20b.png",
        "/index.md",
        "/docs/a.md",
    ):
        assert there in files, there
    for not_there in (
        "", ".", "..", "c.md", "../docs", "../../secret.md", "/../secret.md", "%2e%2e/%2e%2e/secret.md",
        "out.md", "//site/index.md", "..\\index.md", "..%2findex.md", "%5cb.md", "file:b.md",
        "b.md?x", "b.md#x", "b.md%00", "b\0.md", "b.md\n",
        "a" * 10_000, str(project / "secret.md"), 3, None,
    ):  # fmt: skip
        assert not_there not in files, not_there


# Reading


def test_reading_gives_the_bytes(project: Path) -> None:
    Path("a.md").write_bytes(b"\xef\xbb\xbfa\r\n\xff\0")
    assert read_answer(Path("a.md")) == b"\xef\xbb\xbfa\r\n\xff\0"


def test_a_huge_file_is_refused_before_it_is_read(project: Path) -> None:
    with Path("huge.md").open("wb") as file:
        file.truncate(200 * 1024**2)
    with pytest.raises(InputError, match="larger than 64 MiB"):
        read_answer(Path("huge.md"))
    with Path("most.md").open("wb") as file:
        file.truncate(MAX_BYTES)
    assert len(read_answer(Path("most.md"))) == MAX_BYTES


def make_folder() -> None:
    Path("a.md").mkdir()


def make_pipe() -> None:
    os.mkfifo("a.md")


def make_loop() -> None:
    Path("a.md").symlink_to("a.md")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (make_folder, "a folder"),
        (make_pipe, "not a regular file"),
        (make_loop, "symbolic links"),
        (lambda: None, "no such file"),
    ],
)
def test_what_is_no_file_is_refused(project: Path, make: Callable[[], None], told: str) -> None:
    make()
    with pytest.raises(InputError, match=told):
        read_answer(Path("a.md"))


# Writing


def test_writing_replaces_the_whole_file_and_keeps_its_mode(project: Path) -> None:
    path = Path("a.md")
    path.write_bytes(b"old and longer")
    path.chmod(0o640)
    write_atomically(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert listed() == ["a.md"]


def test_a_new_file_has_the_usual_mode(project: Path) -> None:
    write_atomically(Path("a.html"), b"x")
    Path("usual").touch()
    assert Path("a.html").stat().st_mode == Path("usual").stat().st_mode


def test_a_link_is_written_through(project: Path) -> None:
    put("d/a.md")
    Path("link.md").symlink_to("d/a.md")
    write_atomically(Path("link.md"), b"new")
    assert Path("link.md").is_symlink()
    assert Path("d/a.md").read_bytes() == b"new"
    assert listed("d") == ["a.md"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_when_writing_fails_the_old_file_is_left_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    put("a.md")

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(InputError, match="cannot write: no space left"):
        write_atomically(Path("a.md"), b"new")
    assert Path("a.md").read_bytes() == b"x\n"
    assert listed() == ["a.md"]


def test_an_interrupt_leaves_nothing_behind(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.md")

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(Path("a.md"), b"new")
    assert listed() == ["a.md"]


def test_a_read_only_file_is_not_replaced(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.md")
    Path("a.md").chmod(0o444)
    # For the superuser every file is writable; this asks the mode bits alone.
    monkeypatch.setattr(os, "access", lambda path, mode: bool(path.stat().st_mode & stat.S_IWUSR))
    with pytest.raises(InputError, match="read-only"):
        write_atomically(Path("a.md"), b"new")
    assert Path("a.md").read_bytes() == b"x\n"
    assert listed() == ["a.md"]


def test_a_folder_is_not_written_over(project: Path) -> None:
    Path("d").mkdir()
    with pytest.raises(InputError, match="not a regular file"):
        write_atomically(Path("d"), b"new")
    with pytest.raises(InputError, match="cannot write"):
        write_atomically(Path("none/a.md"), b"new")
    assert listed() == ["d"]


def test_a_page_beside_a_manifest_is_an_answer_unless_markdown_is(project: Path) -> None:
    put("out/a.md", "out/a.html", "out/a.evidence.json", "out/b.html", "out/b.evidence.json", "out/c.html")
    assert names(find("out")) == ["out/a.md", "out/b.html"]
    assert names(find("out/b.evidence.json")) == ["out/b.html"]
    assert names(find("out", template="evidence/{stem}.json")) == []
