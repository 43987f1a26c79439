"""The operator's settings: what is found, what is refused, and in which words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from citelint.cli.config import format_policy
from citelint.errors import PolicyError
from citelint.manifest import Manifest, Source
from citelint.policy import Policy, find_config, find_root, from_table, keys

DOCUMENTED_DEFAULTS = """
answers = []
required = true
evidence-sources = ["http.get", "kb.read"]
allow-search-results-as-evidence = false
on-unverified = "refuse"
attach-snapshot-hash = true
retention-days = 14
allow = []
footnotes = "gfm"
cite-links = "keep"
front-matter = "check"
removed-link = "[link removed]"
max-citations-per-block = 8
fail-on = "warning"
readers = ["commonmark", "gfm", "mistune"]
rules = []
numbers = "off"
inline-suppressions = false
"""


def test_the_documented_defaults_are_the_defaults() -> None:
    assert from_table(tomllib.loads(DOCUMENTED_DEFAULTS)) == Policy() == from_table({})


@pytest.mark.parametrize(
    ("table", "told", "helped"),
    [
        ({"on-unverifed": "strip"}, "unknown setting 'on-unverifed'", "did you mean 'on-unverified'?"),
        ({"on_unverified": "strip"}, "unknown setting 'on_unverified'", "did you mean 'on-unverified'?"),
        ({"qqqqq": 1}, "unknown setting 'qqqqq'", "'fail-on'"),
        (
            {"on-unverified": "ignore"},
            "on-unverified: not known: 'ignore'",
            "'refuse', 'replace', 'notice', 'strip'",
        ),
        ({"footnotes": 3}, "footnotes: ", "'gfm', 'list', 'inline', 'none'"),
        ({"required": "yes"}, "required: expected true or false, got a text", ""),
        ({"answers": "*.md"}, "answers: expected a list, got a text", ""),
        ({"answers": [1]}, "answers[0]: expected a text, got a whole number", ""),
        ({"answers": [""]}, "answers: ", ""),
        ({"answers": ["../x/*.md"]}, "must stay below the project root", "without .."),
        ({"answers": ["/x/*.md"]}, "must stay below the project root", ""),
        ({"retention-days": -1}, "retention-days: -1 is less than 0", ""),
        ({"retention-days": 1.5}, "retention-days: expected a whole number", ""),
        ({"max-citations-per-block": 0}, "max-citations-per-block: 0 is less than 1", ""),
        ({"allow": ["javascript:alert(1)"]}, "is not an http or https address", "https://docs.example.org"),
        ({"allow": ["docs.example.org"]}, "is not an http or https address", ""),
        ({"allow": ["https://user@example.org/"]}, "holds user info", ""),
        ({"allow": ["https://example.org/#top"]}, "holds a fragment", ""),
        ({"readers": ["commonmark", "blink"]}, "readers: 'blink' is not known", "'python-markdown'"),
        ({"readers": []}, "readers: at least one", ""),
        ({"severity": {"CL101": "off"}}, "CL101 cannot be turned off", "'note' lowers it"),
        ({"severity": {"CL305": "off"}}, "CL305 cannot be turned off", ""),
        (
            {"severity": {"CL106": "fatal"}},
            "CL106 = 'fatal' is not known",
            "'error', 'warning', 'note', 'off'",
        ),
        ({"severity": {"near-miss": "note"}}, "'near-miss' is not a rule's code", ""),
        ({"manifest": "evidence.json"}, "must hold {stem} or {folder}", "evidence/{stem}.json"),
        ({"manifest": "{stem}/{name}.json"}, "no other braces", ""),
        ({"removed-link": "[gone](https://evil.example)"}, "removed-link: ", "no address"),
        ({"removed-link": "a\nb"}, "removed-link: ", "one line"),
        ({"language": "de"}, "language: ", "'en', 'es', 'pt'"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(
    table: dict[str, object], told: str, helped: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        from_table(table, origin="citelint.toml")
    assert caught.value.message.startswith("citelint.toml: ")
    assert told in caught.value.message
    assert helped in caught.value.help


@pytest.mark.parametrize(
    "wrong",
    [
        {"on_unverified": "ignore"},
        {"readers": ("blink",)},
        {"answers": "*.md"},
        {"severity": {"CL101": "off"}},
    ],
)
def test_a_policy_made_in_python_is_checked_as_well(wrong: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        Policy(**wrong)  # type: ignore[arg-type]


def test_severities_can_be_moved_and_grounding_rules_turned_off() -> None:
    policy = from_table({"severity": {"CL404": "off", "CL101": "note", "CL112": "error", "ORG001": "off"}})
    assert policy.severity_of("CL404", "warning") == "off"
    assert policy.severity_of("CL112", "warning") == "error"
    assert policy.severity_of("CL103", "error") == "error"


def test_other_readers_are_checked_too() -> None:
    assert Policy(required=False).with_readers(["gfm"]) == Policy(required=False, readers=("gfm",))
    with pytest.raises(PolicyError):
        Policy().with_readers(["gmf"])


def source(tool: str, level: str | None) -> Source:
    entry = {"id": "s", "tool": tool, "fetched_at": "2026-11-30T10:00:00Z", "sha256": "0" * 64}
    if level:
        entry["level"] = level
    return Manifest.from_dict({"version": 1, "run": {"id": "r"}, "sources": [entry]}).sources[0]


@pytest.mark.parametrize(
    ("tool", "level", "by_default", "with_search_results"),
    [
        ("http.get", None, True, True),
        ("http.get", "opened", True, True),
        ("http.get", "listed", False, True),
        ("search.read", None, False, True),
        ("search.read", "listed", False, True),
        ("sql.query", "opened", False, False),
    ],
)
def test_what_counts_as_evidence(
    tool: str, level: str | None, by_default: bool, with_search_results: bool
) -> None:
    assert Policy().supports(source(tool, level)) is by_default
    policy = Policy(allow_search_results_as_evidence=True)
    assert policy.supports(source(tool, level)) is with_search_results


def test_a_tool_that_the_policy_names_counts() -> None:
    policy = Policy(evidence_sources=("sql.query",))
    assert policy.supports(source("sql.query", None))
    assert not policy.supports(source("http.get", "opened"))


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_settings_come_from_the_project_root_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path / "pyproject.toml", "[tool.citelint]\nretention-days = 3\n")
    write(tmp_path / "answers" / "citelint.toml", "required = false\nallow = ['https://evil.example/']\n")
    assert find_root(tmp_path / "answers") == tmp_path.resolve()
    assert Policy.find(tmp_path / "answers") == Policy(retention_days=3)


def test_without_a_repository_the_nearest_config_file_marks_the_root(tmp_path: Path) -> None:
    config = write(tmp_path / "citelint.toml", "numbers = 'strict'\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_root(inner) == tmp_path.resolve()
    assert find_config(find_root(inner)) == config.resolve()
    assert Policy.find(inner).numbers == "strict"


def test_a_pyproject_without_our_table_says_nothing(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    assert find_config(tmp_path) is None
    assert Policy.find(tmp_path) == Policy()
    assert Policy.load(tmp_path / "pyproject.toml") == Policy()


def test_settings_in_both_files_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.citelint]\n")
    write(tmp_path / "citelint.toml", "")
    with pytest.raises(PolicyError, match="both"):
        Policy.find(tmp_path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"required = yes", "not TOML"),
        (b"removed-link = '\xff'", "not UTF-8"),
        (b"a = " + b"[" * 5000, "not TOML"),
    ],
)
def test_a_broken_config_file_is_named(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "citelint.toml"
    path.write_bytes(content)
    with pytest.raises(PolicyError) as caught:
        Policy.load(path)
    assert told in caught.value.message
    assert str(path) in caught.value.message


@pytest.mark.parametrize("content", ["[tool]\ncitelint = 3\n", "tool = 3\n"])
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    path = write(tmp_path / "pyproject.toml", content)
    with pytest.raises(PolicyError, match="table"):
        Policy.load(path)
    with pytest.raises(PolicyError, match="table"):
        Policy.find(tmp_path)


def test_a_missing_config_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="No such file"):
        Policy.load(tmp_path / "none.toml")


def test_printed_settings_read_back_as_the_same() -> None:
    policy = Policy(
        answers=("a/*.md", 'quo"te ü 😀.md'),
        severity={"CL106": "error"},
        removed_link="(weg)",
        keep_comments=("more", 'a"b\x07\x7f\U000e0001'),
        required=False,
    )
    assert from_table(tomllib.loads(format_policy(policy, own=set(keys())))) == policy
    assert "retention-days = 14  # default" in format_policy(policy, own={"required"}).splitlines()
