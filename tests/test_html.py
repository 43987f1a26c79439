"""Markdown to HTML, and the Markdown that is too hard for it."""

from __future__ import annotations

import mistune
import pytest

from citelint.model import Span
from citelint.rendering.gate import clean, list_sinks
from citelint.rendering.html import to_html
from citelint.rendering.limits import too_hard


def mark(source_id: str) -> str | None:
    return "<sup>1</sup>" if source_id == "src_1" else None


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("a[^src_1].", "<p>a<sup>1</sup>.</p>\n"),
        ("*a[^src_1]*", "<p><em>a<sup>1</sup></em></p>\n"),
        ("# a[^src_1]", "<h1>a<sup>1</sup></h1>\n"),
        ("a[^src_2]", "<p>a[^src_2]</p>\n"),
        ("`[^src_1]`", "<p><code>[^src_1]</code></p>\n"),
        (r"\[^src_1]", "<p>[^src_1]</p>\n"),
        ("    [^src_1]", "<pre><code>[^src_1]</code></pre>\n"),
        ('[a](b "[^src_1]")', '<p><a href="b" title="[^src_1]">a</a></p>\n'),
        ("- [x] a\n- [ ] b", "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>\n"),
        ("~~a~~", "<p><del>a</del></p>\n"),
        ("<b>a</b>", "<p><b>a</b></p>\n"),
    ],
)
def test_what_is_made_of_markdown(markdown: str, html: str) -> None:
    assert to_html(markdown, mark).text == html


def test_each_call_has_its_own_citations() -> None:
    assert to_html("[^a]", lambda _: "<i>1</i>").text == "<p><i>1</i></p>\n"
    assert to_html("[^a]", lambda _: None).text == "<p>[^a]</p>\n"


def test_a_table_survives_the_gate_with_its_alignment() -> None:
    html = to_html("| a | b |\n|--:|---|\n| 1 | 2[^src_1] |\n", mark).text
    assert clean(html, lambda *_: None) == html
    assert '<td align="right">1</td>' in html
    assert list_sinks(html) == []


def test_everything_that_mistune_writes_of_plain_markdown_passes_the_gate() -> None:
    html = to_html(
        "# a\n\nb  \nc *d* **e** ~~f~~ `g` <br>\n\n> h\n\n"
        "3. i\n4. j\n   - k\n\n---\n\n```py\nl\n```\n\n- [ ] m\n",
        mark,
    ).text
    written = clean(html, lambda *_: None)
    assert written.replace("<br>", "<br />").replace("<hr>", "<hr />") == html.replace("<br>", "<br />")


HARD = {
    "white space in a heading": "# a" + " \t" * 3000 + "b",
    "no-break space in a heading": "# a" + "\u00a0" * 3000 + "b",
    "nested emphasis": "*a " * 1000 + "b* " * 1000,
    "nested strong": "__a " * 1000 + "b__ " * 1000,
    "nested in a list": "- " + "*a " * 1000 + "b* " * 1000,
    "a long run and its closers": "*" * 3000 + "a " + "b* " * 1000,
    "emphasis without an end": "a _b*" * 30_000,
    "tables that break off": "a|b\n-|-\n" * 1000 + "a|b|c",
    "delimiter rows": "-|-\n" * 1000 + "b |> " * 1000,
    "megabytes without a blank line": "a\n" * 600_000,
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_hard_blocks_are_found_alone(name: str, newline: str) -> None:
    block = HARD[name].replace("\n", newline).encode()
    gap = (newline * 2).encode()
    text = b"before" + gap + block + gap + b"after"
    (span,) = too_hard(text)
    assert span.start == len(b"before" + gap)
    assert text[span.start : span.end].strip() == block.strip()
    assert too_hard(block) == [Span(0, len(block))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 100_000,
        "*a* **b** __c__ ***d*** " * 2000,
        "中**强**文、" * 2000,
        "- **a:** b_c_d *e*\n" * 2000,
        "| **a** | _b_ |\n|---|---|\n" + "| **c** | _d_ |\n" * 2000,
        "| a | b |\n|---|---|\n| c | d |\n\n" * 500,
        "# a #\n\n" * 2000,
        "see #1 " + " " * 150 + "x",
        "[" * 50_000,
        "> " * 5000 + "a",
        "* " * 5000,
    ],
)
def test_what_people_write_is_not_hard(text: str) -> None:
    assert too_hard(text.encode()) == []


@pytest.mark.parametrize("name", [name for name in HARD if "nested" not in name and "megabytes" not in name])
def test_a_small_hard_block_still_renders(name: str) -> None:
    assert to_html(HARD[name][:500], mark).text


def test_no_answer_is_too_hard(shared, read_jsonl) -> None:  # type: ignore[no-untyped-def]
    files = sorted((shared / "answers").glob("*.jsonl"))
    assert files
    for file in files:
        for row in read_jsonl(file):
            assert too_hard(row["text"].encode()) == [], row["id"]


def test_spec_examples_are_what_mistune_makes_of_them(shared, read_jsonl) -> None:  # type: ignore[no-untyped-def]
    plain = mistune.create_markdown(escape=False, plugins=["strikethrough", "url"])
    for row in read_jsonl(shared / "third-party" / "commonmark_spec.jsonl"):
        if "|" in row["input"] or "[ ]" in row["input"]:
            continue
        assert to_html(row["input"], lambda _: None).text == plain(row["input"]), row["id"]
