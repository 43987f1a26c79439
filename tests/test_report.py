"""What reports show of an answer, and what they keep to themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citelint.document import Document
from citelint.errors import InputError, ManifestError
from citelint.model import Finding, Severity, Span
from citelint.report.addresses import reduce_address
from citelint.report.escape import show
from citelint.report.json import format_json
from citelint.report.outcome import Outcome, tally
from citelint.report.text import Style, cut_excerpt, format_outcome, format_summary

BLOCKED = "https://c3JldA.evil.example/s3cr3t?q=c3JldA#s3cr3t"


def finding(data: bytes, part: bytes, **changes: Any) -> Finding:
    """A finding at the place of *part* in *data*."""
    start = data.index(part)
    document = Document(data)
    line, column = document.position(start)
    end_line, end_column = document.position(start + len(part))
    values: dict[str, Any] = {
        "code": "CL101",
        "name": "unresolved-link",
        "severity": Severity.ERROR,
        "message": "this link is not in the manifest",
        "span": Span(start, start + len(part)),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "help": "cite a source",
        "address": BLOCKED,
    }
    return Finding(**(values | changes))


def text(outcome: Outcome, **style: Any) -> str:
    return "\n".join(format_outcome(outcome, Style(**style)))


# Escaping


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ünï 中文 \u3000 ก้ 😀", "plain ünï 中文 \u3000 ก้ 😀"),
        ("\x1b]0;title\x07\x1b[2J", "\\x1b]0;title\\x07\\x1b[2J"),
        ("a\r\nb\tc", "a\\x0d\\x0ab\\x09c"),
        ("\x85\x9b31m", "\\x85\\x9b31m"),
        ("\u202egpj.exe\u2066", "\\u202egpj.exe\\u2066"),
        ("\u2028\u2029\u200b\ufeff", "\\u2028\\u2029\\u200b\\ufeff"),
        ("\U000e0041\U000e0100\ufe0f\u3164", "\\U000e0041\\U000e0100\\ufe0f\\u3164"),
        ("\udcff", "\\udcff"),
        ("::error file=x::y", "\\:\\:error file=x::y"),
        ("  ::warning::y", "\\:\\:warning::y"),
        ("a ##[error]b ##vso[task.x]", "a #\\#[error]b #\\#vso[task.x]"),
        ("## Heading [1] ### C#", "## Heading [1] ### C#"),
    ],
)
def test_untrusted_text_does_not_act(raw: str, shown: str) -> None:
    assert show(raw) == shown


# Addresses


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (BLOCKED, "evil.example"),
        ("https://evil.example", "evil.example"),
        ("HTTPS://A.B.C.EVIL.EXAMPLE:8080\\x", "evil.example"),
        ("//s3cr3t.evil.example/x", "evil.example"),
        ("www.s3cr3t.evil.example", "evil.example"),
        ("s3cr3t@mail.evil.example", "evil.example"),
        ("mailto:s3cr3t@mail.evil.example?subject=s3cr3t", "evil.example"),
        ("https://user:s3cr3t@a.evil.example/", "evil.example"),
        ("https://10.1.2.3/x", ""),
        ("https://[2001:db8::1]/", ""),
        ("https://localhost/x", ""),
        ("javascript:alert(1)", ""),
        ("data:text/html,s3cr3t", ""),
        ("", ""),
        ("https://\x00", ""),
    ],
)
def test_of_an_address_the_end_of_its_host_is_left(address: str, host: str) -> None:
    reduced = reduce_address(address)
    assert (reduced.host, reduced.length) == (host, len(address))
    assert len(reduced.sha256_8) == 8
    assert "s3cr3t" not in str(reduced)


def test_equal_addresses_can_be_told_from_others() -> None:
    assert reduce_address("https://a.example/1") == reduce_address("https://a.example/1")
    assert reduce_address("https://a.example/1") != reduce_address("https://a.example/2")
    assert len(reduce_address("\ud800").sha256_8) == 8


# Text

ANSWER = f"# Findings\n\nSee [the report]({BLOCKED}) for more.\n".encode()


def outcome(data: bytes = ANSWER, part: bytes = b"[the report]", **changes: Any) -> Outcome:
    return Outcome(path="answer.md", data=data, findings=(finding(data, part, **changes),), status="verified")


def test_in_a_terminal_the_line_is_shown_with_a_caret() -> None:
    assert text(outcome(), lines=True, width=80) == "\n".join(
        [
            "answer.md:3:5: error CL101 unresolved-link: this link is not in the manifest",
            "   |",
            f" 3 | See [the report]({BLOCKED}) for more.",
            "   |     ^^^^^^^^^^^^",
            "   = help: cite a source",
            "",
        ]
    )


def test_elsewhere_neither_the_line_nor_the_address_is_shown() -> None:
    digest = reduce_address(BLOCKED).sha256_8
    assert text(outcome()) == "\n".join(
        [
            "answer.md:3:5: error CL101 unresolved-link: this link is not in the manifest",
            f"   = address: …evil.example, {len(BLOCKED)} characters, sha256 {digest}…",
            "   = help: cite a source",
            "",
        ]
    )


def test_addresses_can_be_asked_for() -> None:
    assert f"= address: {BLOCKED}" in text(outcome(), addresses=True)
    assert BLOCKED in text(outcome(), addresses=True, concise=True)


def test_concise_is_one_line_a_finding() -> None:
    shown = text(outcome(), concise=True)
    assert "\n" not in shown
    assert shown.startswith("answer.md:3:5: error CL101 unresolved-link: ")
    assert "…evil.example" in shown
    assert "s3cr3t" not in shown


def test_colours_only_where_they_are_wanted() -> None:
    assert "\x1b" not in text(outcome(), lines=True)
    assert "\x1b[1;31merror\x1b[0m" in text(outcome(), lines=True, colour=True)


def test_every_part_of_a_finding_is_escaped() -> None:
    hostile = "\x1b[2J\u202e\n::error::x"
    shown = text(
        Outcome(
            path=f"::{hostile}.md",
            data=ANSWER.replace(b"more", hostile.encode()),
            findings=(finding(ANSWER, b"[the", message=hostile, help=hostile, address=hostile),),
        ),
        lines=True,
        addresses=True,
    )
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert show(hostile) in shown


def test_a_command_of_a_ci_service_is_broken_wherever_the_mark_begins() -> None:
    data = b"# ##[error]x ##vso[task.setvariable]y\n"
    for part in (b"##[error]", b"#[error]", b"[error]", b"x"):
        shown = text(outcome(data, part), lines=True)
        assert "##[" not in shown
        assert "##vso[" not in shown


@pytest.mark.parametrize(
    ("line", "part", "shown", "offset", "length"),
    [
        ("a [b] c", "[b]", "a [b] c", 2, 3),
        ("\ta [b]", "[b]", "    a [b]", 6, 3),
        ("中文 [b] 中", "[b]", "中文 [b] 中", 5, 3),
        ("[中文]", "[中文]", "[中文]", 0, 6),
        ("e\u0301 [b]", "[b]", "e\u0301 [b]", 2, 3),
        ("\x1b[b]", "[b]", "\\x1b[b]", 4, 3),
        ("a [b] c \t ", "[b]", "a [b] c", 2, 3),
        ("a" * 200 + "[b]" + "c" * 200, "[b]", "…" + "a" * 32 + "[b]" + "c" * 44 + "…", 33, 3),
        ("[b]" + "c" * 200, "[b]", "[b]" + "c" * 77 + "…", 0, 3),
        ("a" * 200 + "[b]", "[b]", "…" + "a" * 32 + "[b]", 33, 3),
    ],
)
def test_the_caret_stands_under_its_place(line: str, part: str, shown: str, offset: int, length: int) -> None:
    data = f"before\n{line}\nafter\n".encode()
    start = data.index(part.encode(), 7)
    excerpt = cut_excerpt(data, (start, start + len(part.encode())), 80)
    assert excerpt == (shown, offset, length)


@pytest.mark.parametrize(
    ("data", "span"),
    [
        (b"", (0, 0)),
        (b"a", (0, 0)),
        (b"a\n", (2, 2)),
        (b"a", (5, 9)),
        (b"\xef\xbb\xbfa", (0, 4)),
        ("é".encode() * 5000, (4001, 4003)),
        (b"a\nb\nc", (0, 5)),
        (b"\t" * 5000, (2500, 4000)),
        (b"a\rb", (2, 3)),
        (b"\r\n", (0, 2)),
    ],
)
def test_any_place_can_be_shown(data: bytes, span: tuple[int, int]) -> None:
    excerpt = cut_excerpt(data, span, 80)
    if excerpt is not None:
        assert "\n" not in excerpt.line
        assert excerpt.length >= 1
        assert excerpt.offset + excerpt.length <= 81
        assert len(excerpt.line) <= 82


def test_a_line_of_megabytes_with_many_findings_takes_no_time() -> None:
    data = b"[x](y) " * 1_000_000
    for start in range(0, len(data), 7 * 200):
        assert cut_excerpt(data, (start, start + 6), 100) is not None


def test_an_error_says_what_and_what_next() -> None:
    missing = ManifestError("no evidence manifest at a.evidence.json", code="CL501", help="write one")
    shown = text(Outcome(path="a.md", error=missing))
    assert shown == (
        "a.md: error: CL501 missing-manifest: no evidence manifest at a.evidence.json\n  = help: write one"
    )
    assert text(Outcome(path="a\n.md", error=InputError("a folder"))) == "a\\x0a.md: error: a folder"


@pytest.mark.parametrize(
    ("outcomes", "line"),
    [
        ([Outcome(path="a.md")], "1 answer checked: no findings"),
        (
            [
                Outcome(path="a.md"),
                Outcome(
                    path="b.md",
                    findings=(
                        finding(ANSWER, b"See"),
                        finding(ANSWER, b"for"),
                        finding(ANSWER, b"more", severity=Severity.WARNING),
                    ),
                    refused=True,
                ),
            ],
            "2 answers checked: 2 errors and 1 warning; 1 does not hold",
        ),
        ([Outcome(path="a.md", error=InputError("x"))], "0 answers checked; 1 path failed"),
        ([Outcome(path="a.md", changed=True)], "1 answer checked: no findings; 1 changed"),
    ],
)
def test_the_summary(outcomes: list[Outcome], line: str) -> None:
    assert format_summary(tally(outcomes), Style()) == line


# JSON


def test_the_json_report_has_documented_keys() -> None:
    report = json.loads(format_json([outcome()], skipped=2))
    assert report["version"] == 1
    assert report["files"] == [
        {
            "path": "answer.md",
            "status": "verified",
            "cited": [],
            "changed": False,
            "refused": False,
            "error": None,
        }
    ]
    assert report["findings"] == [
        {
            "code": "CL101",
            "name": "unresolved-link",
            "severity": "error",
            "message": "this link is not in the manifest",
            "path": "answer.md",
            "line": 3,
            "column": 5,
            "end_line": 3,
            "end_column": 17,
            "help": "cite a source",
            "address": {
                "host": "evil.example",
                "length": len(BLOCKED),
                "sha256_8": reduce_address(BLOCKED).sha256_8,
            },
        }
    ]
    assert report["summary"] == {
        "files": 1,
        "clean": 0,
        "errors": 1,
        "warnings": 0,
        "notes": 0,
        "failed": 0,
        "changed": 0,
        "refused": 0,
        "skipped": 2,
    }


def test_json_holds_no_address_unless_asked() -> None:
    assert "s3cr3t" not in format_json([outcome()])
    shown = json.loads(format_json([outcome()], show_addresses=True))
    assert shown["findings"][0]["address"]["full"] == BLOCKED


def test_json_is_plain_ascii_whatever_was_found() -> None:
    hostile = "\x1b\x7f\x85\u2028\u202e\udcff😀 ##[error] ##vso[x] ###"
    report = format_json([outcome(message=hostile, help=hostile)])
    assert all(" " <= character <= "~" or character == "\n" for character in report)
    assert "##" not in report
    assert json.loads(report)["findings"][0]["message"] == hostile


def test_an_error_in_json() -> None:
    missing = ManifestError("no manifest", code="CL501", help="write one")
    report = json.loads(
        format_json([Outcome(path="a.md", error=missing), Outcome(path="b.md", error=InputError("x"))])
    )
    assert [file["error"] for file in report["files"]] == [
        {"code": "CL501", "message": "no manifest", "help": "write one"},
        {"code": None, "message": "x", "help": ""},
    ]
    assert report["files"][0]["status"] is None
    assert report["summary"]["failed"] == 2


# Diffs


def test_reports_do_not_import_what_finds(checkout: Path) -> None:
    for path in (checkout / "citelint" / "report").glob("*.py"):
        assert "citelint.checks" not in path.read_text("utf-8"), path
