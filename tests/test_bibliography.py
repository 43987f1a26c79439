"""Lists of sources as models write them: what is one, what each number means, and what goes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyromark
import pytest

from citelint.model import Regions, Span
from citelint.readers.bibliography import Bibliography, read_bibliography
from citelint.readers.entries import Entry
from citelint.readers.headings import Strength, bibliography_heading
from citelint.readers.runs import Used

A, B, C = "https://example.org/a", "https://example.org/b?x=1", "https://example.com/c"


def code_of(text: str) -> Regions:
    spans: list[tuple[int, int]] = []
    for event, place in pyromark.events_with_range(text, options=pyromark.Options.ENABLE_FOOTNOTES):
        is_block = (
            isinstance(event, dict) and isinstance(event.get("Start"), dict) and "CodeBlock" in event["Start"]
        )
        if is_block or (isinstance(event, dict) and "Code" in event):
            spans.append((place["start"], place["end"]))
    return Regions(spans)


def read(text: str, used: Iterable[str] = ()) -> Bibliography:
    data = text.encode()
    return read_bibliography(data, Span(0, len(data)), code_of(text), Used(frozenset(used)))


def entries(text: str, used: Iterable[str] = ()) -> list[Entry]:
    return [entry for run in read(text, used).runs for entry in run.entries]


def kept(text: str, used: Iterable[str] = ()) -> str:
    """The text without its lists."""
    data = text.encode()
    for run in reversed(read(text, used).runs):
        data = data[: run.span.start] + data[run.span.end :]
    return data.decode()


# Every form that answers use, under a heading: number and addresses


@pytest.mark.parametrize(
    ("line", "number", "form", "addresses"),
    [
        (f"[1] A study: {A}  ", "1", "bracket", (A,)),
        (f"[12] {A} - A study of b - Press", "12", "bracket", (A,)),
        (f"[1]. {A}", "1", "bracket", (A,)),
        (f"[3] A study. Press, 2024. {A}.", "3", "bracket", (A,)),
        (f"[2] [A study]({A})  ", "2", "bracket", (A,)),
        (f"[2] [[PDF] A study]({A})", "2", "bracket", (A,)),
        (f"[1]({A}) A study", "1", "bracket", (A,)),
        (f"[[4]]({A}) A study", "4", "bracket", (A,)),
        (f"\\[5\\] A study: {A}", "5", "bracket", (A,)),
        (f"**[6]** A study, {A}", "6", "bracket", (A,)),
        (f"【7】A study：{A}", "7", "bracket", (A,)),
        (f"[src_001] A study: {A}", "src_001", "bracket", (A,)),
        (f"- [3] A study ({A})", "3", "bracket", (A,)),
        (f"> [8] A study: {A}", "8", "bracket", (A,)),
        (f"1. [3] A study: {A}", "3", "bracket", (A,)),
        (
            "[9] Interview with the mayor (unpublished)",
            "9",
            "bracket",
            (),
        ),
        (f"1. [A study]({A})", "1", "numbered", (A,)),
        (f"2) A study: {A}", "2", "numbered", (A,)),
        (f"(3) A study. {A}", "3", "numbered", (A,)),
        (f"4、研究报告，{A}。", "4", "numbered", (A,)),
        (f"<sup>5</sup> A study <{A}>", "5", "numbered", (A,)),
        (f"- **Press**: A study : {A}", "", "bullet", (A,)),
        (f"* [A study]({A}) - by the *press*", "", "bullet", (A,)),
        (f"• A study {A}", "", "bullet", (A,)),
        (f'[1]: {A} "A study"', "1", "definition", (A,)),
        (f"[2]: <{A}>", "2", "definition", (A,)),
        (f"[^3]: A study, {A}.", "3", "footnote", (A,)),
        (f"| [4] | A study | {A} |", "4", "table", (A,)),
        (f"{A}", "", "line", (A,)),
        (f"[A study]({A})", "", "line", (A,)),
        (f"Doe, J. (2024). A study. {A}", "", "line", (A,)),
        (f'<a href="{A}">A study</a>', "", "line", (A,)),
    ],
)
def test_every_form_is_read(line: str, number: str, form: str, addresses: tuple[str, ...]) -> None:
    (entry,) = entries(f"Text.\n\n## References\n\n{line}\n")
    assert (entry.number, entry.form, entry.addresses) == (number, form, addresses)
    assert kept(f"Text.\n\n## References\n\n{line}\n") == "Text.\n\n"


@pytest.mark.parametrize(
    ("written", "addresses"),
    [
        (f"({A})", (A,)),
        (f"{A}).", (f"{A})", A)),
        (f"[{A}]", (A,)),
        (f"[{A}]({A})", (A,)),
        (f"**{A}**", (A,)),
        ("https://example.org/w/A_(b)", ("https://example.org/w/A_(b)",)),
        ("(https://example.org/w/A_(b))", ("https://example.org/w/A_(b)",)),
        ("[t](https://example.org/w/A_(b) 'c')", ("https://example.org/w/A_(b)",)),
        ("[t](<https://example.org/a b>)", ("https://example.org/a b",)),
        ("https://example.org/?a=1&amp;b=2", ("https://example.org/?a=1&b=2",)),
        ("https://example.org/?a=1&copy=2", ("https://example.org/?a=1&copy=2",)),
        (f"{A}。其他", (f"{A}。其他", A)),
        (f"{A}, {C};", (A, C)),
        ("<a href='https://example.org/a?b=1&amp;c=2'>x</a>", ("https://example.org/a?b=1&c=2",)),
    ],
)
def test_addresses_come_out_of_their_wrapping(written: str, addresses: tuple[str, ...]) -> None:
    text = f"## References\n[1] A study {written}\n"
    (entry,) = entries(text)
    assert entry.addresses == addresses
    places = [text.encode()[span.start : span.end].decode() for span in entry.address_spans]
    assert [place.replace("&amp;", "&") for place in places] == list(addresses)


# Headings


@pytest.mark.parametrize(
    "heading",
    [
        "## Sources",
        "**Sources:**",
        "Sources:",
        "References",
        "### Works cited ###",
        "7. Key sources and references",
        "Sources\n-------",
        "Bibliography\n===",
        "参考文献：",
        "7. 参考来源",
        "### 主要引用文献",
        "六、参考资料",
        "## （二）参考文献与数据来源",
        "Fuentes",
        "## Referências bibliográficas",
        "**Quellen**",
        "## Список литературы",
        "# 📚 References",
    ],
)
def test_headings_of_many_kinds_go_with_their_list(heading: str) -> None:
    text = f"Text.\n\n{heading}\n\n- [A study]({A})\n- [Another]({B})\n"
    assert kept(text) == "Text.\n\n"


@pytest.mark.parametrize(
    "heading",
    ["Sources of Funding", "Open-source tools", "Further reading", "数据来源的质量评价", "Resources"],
)
def test_other_sections_are_content(heading: str) -> None:
    text = f"## {heading}\n\n1. A grant of the state, see [its page]({A})\n2. [Donations]({B})\n"
    assert bibliography_heading(heading.encode()) is Strength.NONE
    assert kept(text) == text


def test_sources_that_are_no_citations_need_addresses() -> None:
    assert not entries("**Sources:**\n\n- Oranges\n- Kale\n")
    assert len(entries("**References:**\n\n- Doe 2024\n- Roe 2025\n")) == 2


# What is no list of sources


@pytest.mark.parametrize(
    "text",
    [
        "[1] First step\n[2] Second step\n[3] Third step\n",
        f"1. Visit [the museum]({A}) in the morning.\n2. Walk to [the park]({B}) later.\n",
        f"For more information:\n\n* **A:** {A}\n* **B:** {B}\n",
        f"## Tools\n\n- [One]({A})\n- [Two]({B})\n",
        f"See these:\n\n[1] {A}\n[2] {B}\n",
        f"- [ ] read {A}\n- [x] read {B}\n",
        f"[docs]: {A}\n[more]: {B}\n",
        f"```\n## References\n[1] A: {A}\n[^2]: B\n```\n",
        "    [1]: https://example.org/a\n",
        f"| City | Page |\n|---|---|\n| Rome | {A} |\n",
        f"Source: [{A}]({A})\n",
    ],
)
def test_content_stays(text: str) -> None:
    assert not read(text).runs


def test_a_list_of_advice_is_none_even_if_its_numbers_are_used() -> None:
    text = f"As said [1][2].\n\n1. Visit [the museum]({A}) in the morning.\n2. Walk to the park.\n"
    assert not read(text, {"1", "2"}).runs


def test_numbers_that_a_better_list_defines_are_not_looked_for_elsewhere() -> None:
    text = f"Tools [1]:\n\n1. [One]({A})\n2. [Two]({B})\n\n## Sources\n\n[1] A study: {C}\n"
    assert [entry.addresses for entry in read(text, {"1"}).lookup("1")] == [(C,)]


def test_a_line_that_begins_with_a_marker_is_prose() -> None:
    text = f"Text [1].\n\n[1] also says that.\n\n[1] A study: {A}\n[2] A letter\n\n[2] is cited here.\n"
    assert kept(text, {"1", "2"}) == "Text [1].\n\n[1] also says that.\n\n\n[2] is cited here.\n"


# Lists without a heading


@pytest.mark.parametrize(
    "text",
    [
        f"[1] A study: {A}\n[2] {B}\n",
        f"[1] [A study]({A}) | [2] [Another]({B})\n",
        f"1. [A study]({A})\n2. Another: {B}\n",
        f"(1) A study - {A}\n(2) Another ({B})\n",
        f"| No | Source |\n|---|---|\n| 1 | {A} |\n| 2 | {B} |\n",
        f"Text, more:<br><br>[1] A study {A} <br> [2] {B}<br/>\n",
    ],
)
def test_numbers_that_the_text_uses_make_a_list(text: str) -> None:
    whole = "Text [1, 2].\n\n" + text
    found = read(whole, {"1", "2"})
    assert (found.lookup("1")[0].addresses, found.lookup("2")[0].addresses) == ((A,), (B,))
    assert kept(whole, {"1", "2"}) == "Text [1, 2].\n\n" + ("Text, more:\n" if "<br>" in text else "")


def test_footnotes_and_numbered_definitions_are_entries_wherever_they_stand() -> None:
    text = (
        f"One[^1].\n\n[^1]: A study,\n    page 3.\n\n    See {A}\n\n"
        f"Two [2][2].\n\n[2]: {B}\n[x]: {C}\n\n"
        "Three[^src].\n\n[^src]: A letter.\n"
    )
    found = read(text)
    assert found.lookup("1")[0].addresses == (A,)
    assert found.lookup("2")[0].addresses == (B,)
    assert found.lookup("src")[0].addresses == ()
    assert "page 3" not in kept(text)
    assert [line for line in kept(text).splitlines() if line] == ["One[^1].", "Two [2][2].", "Three[^src]."]


def test_text_glued_to_a_footnote_stays() -> None:
    assert kept(f"A[^1].\n\n[^1]: {A}\nThis goes on.\n") == "A[^1].\n\nThis goes on.\n"


# Runs


def test_prose_between_and_after_stays_and_so_does_its_heading() -> None:
    text = (
        f"## Sources\n\n[1] A: {A}\n\nThese are newer:\n\n[2] B: {B}\n\nAll read in May.\n\n## End\n\nBye.\n"
    )
    assert kept(text) == "## Sources\n\n\nThese are newer:\n\n\nAll read in May.\n\n## End\n\nBye.\n"


def test_parts_of_a_list_go_with_their_own_headings() -> None:
    text = (
        f"Text.\n\n---\n\n## Sources\n\n### Books\n\n1. [A]({A})\n2. A letter\n\n### Pages\n\n1. [B]({B})\n\n"
        f"**Films**\n\n- [C]({C})\n\n---\n\nNote.\n"
    )
    found = read(text)
    assert [entry.addresses for entry in found.lookup("1")] == [(A,), (B,)]
    assert kept(text).split() == ["Text.", "---", "Note."]


def test_a_heading_over_a_heading_goes_too() -> None:
    assert kept(f"Text.\n\n## 九、参考文献\n\n### Sources\n\n[1] A: {A}\n") == "Text.\n\n"
    text = f"## Pages of the teams\n\n### Sources\n\n[1] A: {A}\n"
    assert kept(text) == "## Pages of the teams\n\n"


def test_what_follows_on_the_lines_below_belongs_to_the_entry() -> None:
    text = (
        f"References:\n[1] A long title that\nis wrapped: {A}\n"
        f"[2] Another\n{B}\n   - retrieved in May\n[3] Third\n\n{C}\n\nBye.\n"
    )
    found = read(text)
    assert [found.lookup(number)[0].addresses for number in "123"] == [(A,), (B,), (C,)]
    assert kept(text) == "\nBye.\n"


def test_a_list_goes_on_behind_the_abstract_of_an_entry() -> None:
    text = "References:\n[1] A study\n\nPurpose of it.\n\n[2] Another study\n"
    assert kept(text) == "\nPurpose of it.\n\n"


def test_several_entries_on_one_line() -> None:
    text = f"Text.\n\n**Sources:** [1] A study: {A}; [2] Another: {B}\n"
    assert [(entry.number, entry.addresses) for entry in entries(text)] == [("1", (A,)), ("2", (B,))]
    assert kept(text) == "Text.\n\n"


def test_one_number_can_be_given_twice() -> None:
    found = read(f"## Sources\n[1] A: {A}\n[1] B: {B}\n")
    assert [entry.addresses for entry in found.lookup("1")] == [(A,), (B,)]
    assert not found.lookup("2")
    assert not found.lookup("")


def test_other_line_ends_and_what_stands_around_keep_their_bytes() -> None:
    for newline in ("\r\n", "\r"):
        text = f"Text.\n\n## Sources\n\n[1] Ä: {A}\n[2] {B}\n\nBye.\n".replace("\n", newline)
        assert kept(text) == "Text.\n\n## Sources\n\n\nBye.\n".replace("\n", newline)
        assert [entry.number for entry in entries(text)] == ["1", "2"]


def test_only_what_is_within_is_read() -> None:
    data = f"[^1]: {A}\n\nText.\n\n[^2]: {B}\n".encode()
    found = read_bibliography(data, Span(data.index(b"Text"), len(data)), Regions(), Used(frozenset()))
    assert [entry.number for run in found.runs for entry in run.entries] == ["2"]


def test_addresses_in_code_are_not_read() -> None:
    assert entries(f"## References\n\n[1] A study `{A}`\n")[0].addresses == ()


# What citelint itself has written


def test_our_own_footnotes_are_read_back() -> None:
    own = (
        f"[^src_001]: Source record [A study](<{B}>), captured 2026-11-30T10:00:03Z, sha256 3f3f3f3f3f3f.\n\n"
        "[^src_002]: Source record A letter, captured 2026-11-30T10:00:04Z, sha256 4f4f4f4f4f4f."
    )
    found = read(f"Text[^src_001] and[^src_002].\n\n{own}\n")
    (first,), (second,) = found.lookup("src_001"), found.lookup("src_002")
    assert (first.form, first.addresses, first.named) == ("footnote", (B,), "src_001")
    assert (second.addresses, second.named, len(found.runs)) == ((), "src_002", 1)


def test_our_own_list_is_read_back() -> None:
    text = f"Text.\n\n## Sources\n\n[src_001] Source record [A study](<{A}>), captured 2026-11-30T10:00:03Z\n"
    (entry,) = read(text).lookup("src_001")
    assert (entry.addresses, entry.named, entry.form) == ((A,), "src_001", "bracket")
    assert kept(text) == "Text.\n\n"


# Real answers


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("deep_research_bench_claude37", 1.0),
        ("mind2web2_examples", 1.0),
        ("odr_deerflow_examples", 1.0),
        ("open_deep_research", 1.0),
        ("scholarqabench_gpt4o", 1.0),
        ("webweaver_examples", 1.0),
    ],
)
def test_real_reports_have_their_lists_found(
    shared: Path, read_jsonl: Callable[[Path], list[dict[str, Any]]], name: str, share: float
) -> None:
    answers = read_jsonl(shared / "answers" / f"{name}.jsonl")
    found = [read(answer["text"]) for answer in answers]
    assert sum(bool(one.runs) for one in found) >= share * len(answers)
    for answer, one in zip(answers, found, strict=True):
        data = answer["text"].encode()
        for run in one.runs:
            for entry in run.entries:
                assert run.span.start <= entry.span.start <= entry.span.end <= run.span.end
                assert all(data[span.start : span.end].decode() for span in entry.address_spans)
