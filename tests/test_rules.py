"""The rule files: valid, explained, and true: every example is run."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import citelint
from citelint.errors import ManifestError, RuleError
from citelint.evidence.snapshots import verify_snapshots
from citelint.policy import from_table
from citelint.rules import Example, all_rules, load_rules, rule

HASH = "0" * 63
FETCHED = "2026-11-30T10:00:00Z"


def _source(number: int, url: str = "", tool: str = "http.get", **more: object) -> dict[str, object]:
    one = {"id": f"src_{number:03}", "tool": tool, "fetched_at": FETCHED, "sha256": HASH + str(number)}
    return one | ({"url": url} if url else {}) | {"markers": [str(number)]} | more


STANDARD = {
    "version": 1,
    "run": {"id": "run-1"},
    "sources": [
        _source(1, "https://example.org/report", urls=["https://example.org/r?id=7"], title="Annual report"),
        _source(2, "https://example.org/listed", tool="search.read", title="A search result"),
        _source(3, tool="kb.read", title="Refund policy", private=True),
        _source(4, tool="sql.query", plane="signals", call={"trace_id": "t-1", "args": {"sql": "select 1"}}),
        _source(5, "https://example.org/chart.png", media_type="image/png", title="Growth by year"),
        _source(6, "https://data.example.com/rates?year=2025", title="Rates"),
    ],
}
"""The manifest of every example that brings none of its own."""


def _codes(example: Example, folder: Path) -> set[str]:
    """The codes of everything that is found in an example."""
    policy = from_table(example.policy)
    sidecar = folder / "answer.evidence.json"
    for name, content in example.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8", newline="\n")
    if example.manifest:
        sidecar.write_text(example.manifest, "utf-8")
    try:
        if example.manifest is None:
            manifest = citelint.Manifest.from_dict(STANDARD)
        else:
            manifest = citelint.Manifest.load(sidecar)
    except ManifestError as error:
        return {error.code}
    if verify_snapshots(manifest, folder):
        return {"CL503"}
    report = citelint.check(example.input, manifest, policy=policy)
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize("code", [one.code for one in all_rules()])
def test_bad_examples_are_found_and_good_ones_are_not(code: str, tmp_path: Path) -> None:
    failures = []
    for number, example in enumerate(rule(code).examples.bad):
        (tmp_path / f"bad{number}").mkdir()
        missing = set(example.codes) - (found := _codes(example, tmp_path / f"bad{number}"))
        if missing:
            failures.append(f"bad {example.input!r}: {sorted(missing)} missing among {sorted(found)}")
    for number, example in enumerate(rule(code).examples.good):
        (tmp_path / f"good{number}").mkdir()
        if code in _codes(example, tmp_path / f"good{number}"):
            failures.append(f"good {example.input!r}: {code} found")
    assert not failures, "\n".join(failures)


def test_the_pages_are_those_that_the_script_writes(checkout: Path) -> None:
    script = checkout / "docs" / "generate_rules.py"
    spec = importlib.util.spec_from_file_location("generate_rules", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = {path.name: path.read_text("utf-8") for path in (checkout / "docs" / "rules").glob("*.md")}
    assert written == module.pages(), "run: python docs/generate_rules.py"


def test_codes_and_names_are_unique_and_sorted() -> None:
    codes = [one.code for one in all_rules()]
    names = [one.name for one in all_rules()]
    assert codes == sorted(set(codes))
    assert len(set(names)) == len(names)


def test_one_rule_reads_one_file() -> None:
    """``citelint check`` of a clean file must not pay for thirty rule files."""
    program = (
        "import sys, pathlib, citelint.rules as rules\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "assert 'tomllib' not in sys.modules\n"
        "rules.rule('CL101'); rules.rule('CL101')\n"
        "print([pathlib.Path(name).name for name in opened if name.endswith('.toml')])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['CL101.toml']"


@pytest.mark.parametrize("code", ["CL999", "", "../CL101", "cl101", "CL101\n"])
def test_an_unknown_code_says_where_to_look(code: str) -> None:
    with pytest.raises(RuleError) as caught:
        rule(code)
    assert "rule --list" in caught.value.help


def test_a_message_is_filled_once() -> None:
    """What an answer says can never ask for another placeholder."""
    one = rule("CL105")
    said = one.say(source="{why}{what}", why="it was {source}")
    assert "{why}{what}" in said
    assert "it was {source}" in said


VALID = """
code = "ORG001"
name = "no-superlatives"
severity = "note"
summary = "Words of advertising."
message = "advertising: {what}"
help = "say it plainly"
fix = "none"
why = "Nobody believes them."
[parameters]
patterns = ["(?i)world[- ]class"]
[[examples.bad]]
input = "A world-class product."
codes = ["ORG001"]
[[examples.good]]
input = "A product."
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """A rule file with parts of it replaced; returns its folder."""

    def write(old: str = "", new: str = "", name: str = "ORG001.toml") -> Path:
        assert old in VALID
        (tmp_path / name).write_text(VALID.replace(old, new) if old else VALID, "utf-8")
        return tmp_path

    return write


def test_a_users_folder(write: Callable[..., Path]) -> None:
    (one,) = load_rules([write()])
    assert (one.code, one.patterns) == ("ORG001", ("(?i)world[- ]class",))


@pytest.mark.parametrize(
    ("old", "new", "says", "allowed"),
    [
        ('severity = "note"', 'severity = "fatal"', "`severity`", "'error', 'warning', 'note'"),
        ('fix = "none"', 'fix = "gone"', "`fix`", "'removed'"),
        ('fix = "none"', 'fix = "removed"', "`fix`", "'none'"),
        ('help = "say it plainly"', 'hlp = "x"', "`hlp`", "help"),
        ('why = "Nobody believes them."', 'why = ""', "`why`", "paragraph"),
        ("{what}", "{secret}", "`message`", "{what}"),
        ('patterns = ["(?i)world[- ]class"]', 'patterns = ["(a"]', "`parameters.patterns`", "RE2"),
        ('patterns = ["(?i)world[- ]class"]', "limit = 3", "`parameters.patterns`", "RE2"),
        ('code = "ORG001"', 'code = "ORG002"', "`code`", "as the file is named"),
        ('codes = ["ORG001"]', "codes = []", "`examples.bad`", "codes"),
        ('input = "A product."', 'text = "A product."', "`examples.good`", "input"),
        ('name = "no-superlatives"', 'name = "No Superlatives"', "`name`", "lower-case"),
    ],
)
def test_a_wrong_rule_file_names_the_key_and_what_is_allowed(
    write: Callable[..., Path], old: str, new: str, says: str, allowed: str
) -> None:
    folder = write(old, new)
    with pytest.raises(RuleError) as caught:
        load_rules([folder])
    assert str(folder / "ORG001.toml") in caught.value.message
    assert says in caught.value.message
    assert allowed in caught.value.help


def test_broken_toml_names_line_and_column(write: Callable[..., Path]) -> None:
    folder = write('name = "no-superlatives"', "name = ")
    with pytest.raises(RuleError, match=r"ORG001\.toml:3:8: not TOML"):
        load_rules([folder])


def test_citelints_own_codes_cannot_be_replaced(write: Callable[..., Path]) -> None:
    folder = write("ORG001", "CL101", name="CL101.toml")
    with pytest.raises(RuleError, match="citelint's own"):
        load_rules([folder])


def test_a_code_in_two_folders_is_refused(write: Callable[..., Path]) -> None:
    folder = write()
    second = folder / "more"
    second.mkdir()
    (second / "ORG001.toml").write_text(VALID, "utf-8")
    with pytest.raises(RuleError, match="is also in"):
        load_rules([folder, second])


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no such folder"):
        load_rules([tmp_path / "nowhere"])
