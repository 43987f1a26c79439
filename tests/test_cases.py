"""Golden cases: an answer and its manifest, what ``fix`` writes and what it says, compared as bytes.

``cases/<code>/<name>/`` holds ``input.md``, ``evidence.json``, ``expected.md`` and ``findings.txt``, whose
lines read ``line:column code message``; HTML answers are ``input.html`` and ``expected.html``. Each case
shows its rule and as little else as possible. To write what is expected anew after a change on purpose, run
``python tests/test_cases.py`` and read the difference before committing it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

CASES = Path(__file__).resolve().parent / "cases"

if __name__ == "__main__":
    sys.path.insert(0, str(CASES.parent.parent))  # as pytest does

import citelint  # noqa: E402

POLICY = citelint.Policy(on_unverified="strip", severity={"CL407": "off"})
"""The default but for one thing: most cases are about something else than a missing citation."""
POLICIES = {
    "CL308": msgspec.structs.replace(POLICY, renders_as=("github",)),
    "CL407": citelint.Policy(),
}
"""Those of the rules that need another one."""

NOT_FOUND_IN_AN_ANSWER = {"CL303", "CL501", "CL502", "CL503"}
"""A disagreement of sanitizers fails closed; the others are about the manifest."""


def cases() -> list[Path]:
    return sorted(path.parent for path in CASES.glob("*/*/input.*"))


def expected_of(case: Path) -> Path:
    return next(case.glob("input.*")).with_stem("expected")


def fix(text: bytes, case: Path, policy: citelint.Policy) -> citelint.Result:
    manifest = citelint.Manifest.load(case / "evidence.json")
    kind = "html" if expected_of(case).suffix == ".html" else "markdown"
    return citelint.fix(text, manifest, policy=policy, kind=kind)


def run(case: Path) -> tuple[bytes, bytes]:
    """What ``expected.md`` and ``findings.txt`` of a case should hold."""
    policy = POLICIES.get(case.parent.name, POLICY)
    result = fix(next(case.glob("input.*")).read_bytes(), case, policy)
    lines = [f"{one.line}:{one.column} {one.code} {one.message}\n" for one in result.findings]
    return result.text.encode(), "".join(lines).encode()


def name(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


@pytest.mark.parametrize("case", cases(), ids=name)
def test_what_is_written_and_said_is_as_recorded(case: Path) -> None:
    text, findings = run(case)
    assert text.decode() == expected_of(case).read_bytes().decode()
    assert findings.decode() == (case / "findings.txt").read_bytes().decode()


@pytest.mark.parametrize("case", cases(), ids=name)
def test_a_case_finds_what_its_folder_says(case: Path) -> None:
    assert f" {case.parent.name} " in (case / "findings.txt").read_text("utf-8")


@pytest.mark.parametrize("case", cases(), ids=name)
def test_what_was_written_is_written_again(case: Path) -> None:
    expected = expected_of(case).read_bytes()
    assert fix(expected, case, POLICY).text.encode() == expected


def test_every_rule_that_an_answer_can_break_has_a_case(checkout: Path) -> None:
    rules = {path.stem for path in (checkout / "rules").glob("CL*.toml")}
    assert rules - NOT_FOUND_IN_AN_ANSWER == {path.name for path in CASES.iterdir() if path.is_dir()}


if __name__ == "__main__":
    for one in cases():
        written, said = run(one)
        expected_of(one).write_bytes(written)
        (one / "findings.txt").write_bytes(said)
        sys.stdout.write(f"{name(one)}\n")
