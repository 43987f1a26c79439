"""The marker reader: what vendors write is found, what only looks like it is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyromark
import pytest

from citelint.document import Document
from citelint.errors import RuleError
from citelint.model import Kind, Reference, Regions, Span
from citelint.readers.grammar import Marker, Pair, grammars, read_grammars
from citelint.readers.markers import MAX_LABELS, find_markers, never

ReadJsonl = Callable[[Path], list[dict[str, Any]]]
Known = Callable[[str], bool]

GRAMMARS: list[Marker | Pair] = [
    grammar
    for _, content in grammars().files
    for grammars_of_kind in (content.marker, content.pair)
    for grammar in grammars_of_kind
]

OTHER_READERS = {"m088", "m110", "m157", "m158", "m159", "m160", "m161", "m162"}
"""Cases of plain links, images and bare addresses."""
OTHER_LITERALS = ("[1]: https", "[^1]: ", "[12] Example", "[13] Example")
"""Definitions and entries of a list inside cases that have markers too."""
TOO_UNSURE = {"m053"}
"""Source chips without any bracket: not told from prose."""


def opaque_regions(data: bytes) -> Regions:
    """Code and maths."""
    options = pyromark.Options.ENABLE_MATH | pyromark.Options.ENABLE_TABLES
    spans = []
    for event, place in pyromark.events_with_range(data.decode(), options=options):
        if isinstance(event, dict):
            kind, value = next(iter(event.items()))
            block = kind == "Start" and isinstance(value, dict) and "CodeBlock" in value
            if block or kind in {"Code", "InlineMath", "DisplayMath"}:
                spans.append((place["start"], place["end"]))
    for opening, closing in ((b"\\(", b"\\)"), (b"\\[", b"\\]")):
        start = data.find(opening)
        while start >= 0 and (end := data.find(closing, start)) >= 0:
            spans.append((start, end + 2))
            start = data.find(opening, end)
    return Regions(spans)


def read(text: str, known: Known = never) -> list[tuple[str, list[str]]]:
    """The literals of a text with their labels."""
    document, references = find(text, known)
    return [(document.slice(reference.span), list(reference.labels)) for reference in references]


def find(text: str, known: Known = never) -> tuple[Document, list[Reference]]:
    document = Document(text)
    return document, find_markers(document.data, document.body, opaque_regions(document.data), known=known)


def literals(text: str, known: Known = never) -> list[str]:
    return [literal for literal, _ in read(text, known)]


def test_every_marker_of_the_corpus_is_found_with_its_refs(shared: Path, read_jsonl: ReadJsonl) -> None:
    wrong = []
    for case in read_jsonl(shared / "markers" / "markers.jsonl"):
        if case["id"] in OTHER_READERS | TOO_UNSURE:
            continue
        labels = {ref for marker in case["markers"] for ref in marker["refs"]}
        in_list = {
            marker["refs"][0] for marker in case["markers"] if marker["literal"].startswith(OTHER_LITERALS)
        }
        document, references = find(case["text"], (labels - in_list).__contains__)
        heads = [
            # A pair is one reference here and two literals in the corpus.
            (
                document.slice((reference.span.start, reference.text.start))
                if reference.syntax == "claude-cite" and reference.text
                else document.slice(reference.span),
                list(reference.labels),
            )
            for reference in references
        ]
        expected = [
            (marker["literal"], marker["refs"])
            for marker in case["markers"]
            if not marker["literal"].startswith((*OTHER_LITERALS, "</", "{/", "＜/"))
        ]
        if case["vendor"] == "notion":
            expected = [(marker["literal"], marker["refs"]) for marker in case["markers"]]
        if heads != expected:
            wrong.append((case["id"], heads, expected))
    assert wrong == []


def test_look_alikes_of_the_corpus_are_no_markers(shared: Path, read_jsonl: ReadJsonl) -> None:
    cases = [case for case in read_jsonl(shared / "markers" / "markers.jsonl") if case["kind"] == "negative"]
    assert len(cases) > 40
    assert [(case["id"], found) for case in cases if (found := read(case["text"]))] == []


def test_markers_of_real_answers_are_sorted_and_name_something(shared: Path, read_jsonl: ReadJsonl) -> None:
    for row in read_jsonl(shared / "answers" / "webweaver_examples.jsonl"):
        document, references = find(row["text"])
        quotes = [reference for reference in references if reference.syntax == "qwen-cite"]
        assert len(quotes) == document.data.count(b"<qwen:cite ")
        assert all(reference.labels and reference.text is None for reference in quotes)
        ends = [reference.span.end for reference in references]
        assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("name", "text"),
    [(grammar.name, text) for grammar in GRAMMARS for text in grammar.yes],
)
def test_a_grammar_reads_its_examples(name: str, text: str) -> None:
    assert name in {reference.syntax for reference in find(text)[1]}


@pytest.mark.parametrize(
    ("name", "text"),
    [(grammar.name, text) for grammar in GRAMMARS for text in grammar.no],
)
def test_a_grammar_leaves_its_counterexamples(name: str, text: str) -> None:
    assert name not in {reference.syntax for reference in find(text)[1]}


def test_every_grammar_has_examples_and_says_where_it_occurs() -> None:
    bare = [grammar.name for grammar in GRAMMARS if not grammar.note or not (grammar.yes or grammar.no)]
    assert bare == []


@pytest.mark.parametrize(
    ("literal", "labels"),
    [
        ("[1]", ["1"]),
        ("[1, 2]", ["1", "2"]),
        ("[1,3–5]", ["1", "3", "4", "5"]),
        ("【1-3，14、15】", ["1", "2", "3", "14", "15"]),
        ("[7-7]", ["7"]),
        ("[1-200]", [str(number) for number in range(1, 201)]),
        ("[1-201]", []),
        ("[1-999999999]", []),
        ("[1-" + "9" * 5000 + "]", []),
        ("[" + "1," * 5000 + "1]", []),
        ("[1-150, 1-150]", []),
    ],
)
def test_ranges_and_lists_are_expanded_up_to_a_bound(literal: str, labels: list[str]) -> None:
    assert len(labels) <= MAX_LABELS
    assert read(f"Prices rose {literal}.") == [(literal, labels)]


def test_a_range_that_runs_backwards_is_no_marker() -> None:
    assert read("They won [10-4].") == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("See [A].", "A"),
        ("As in [RFC2119].", "RFC2119"),
        ("It rose [src_alpha].", "src_alpha"),
        ("It rose (src_001).", "src_001"),
        ("It rose[^alpha].", "alpha"),
        ("It rose [2019].", "2019"),
        ("[1] says that it rose.", "1"),
        ("Take vitamin D[1] daily.", "1"),
        ("It is [0, 1] here.", "1"),
        ("According to Source 1, it rose.", "1"),
    ],
)
def test_a_doubtful_form_counts_when_its_label_is_known(text: str, label: str) -> None:
    assert read(text) == []
    assert [labels for _, labels in read(text, {label}.__contains__) if label in labels]


@pytest.mark.parametrize(
    "text",
    [
        "The vector a[1] and my_list[2].",
        "The entry a[1][2].",
        "Figure [1] shows it.",
        "Rust has vec![1].",
        "\\section[1]{Title}",
        'JSON: {"n": [1]}',
        "[1](https://example.org/a)",
        "[1]: https://example.org/a",
        "> [^1]: Report",
        "\\[1] is escaped",
        "10<sup>2</sup>",
    ],
)
def test_some_places_hold_no_marker_even_for_a_known_label(text: str) -> None:
    assert read(text, {"1", "2"}.__contains__) == []


@pytest.mark.parametrize(
    "text",
    [
        "It saves up to 30%[1][2].",
        "Waves ≥1 m/s[1][2].",
        "It works out of the box.[1][2]",
        "那是电池分子为代表[1][2]。",
        "In small print </small> [1][2]",
        "It rose [1][2]\nand fell.",
    ],
)
def test_numbers_right_after_a_unit_or_a_word_are_markers(text: str) -> None:
    assert literals(text) == ["[1]", "[2]"]


def test_code_and_maths_hold_no_markers() -> None:
    text = "`[1]` $x [2]$ \\(y [3]\\) and [4]\n\n```\n【4:0†source】\n```\n\n    [doc1]\n"
    assert literals(text) == ["[4]"]
    assert literals("<code>[1]</code> <pre>[doc1]</pre> [2] <code>[3]") == ["[2]", "[3]"]


def test_escaped_brackets_that_tex_would_take_for_maths() -> None:
    assert literals("\\[cite\\_start\\]It works \\[cite: 7\\].") == ["\\[cite\\_start\\]", "\\[cite: 7\\]"]
    assert literals("\\[ x = [cite: 7] \\]") == []


def test_a_phrase_between_tags_stays() -> None:
    document, (cite, inner) = find('Firms <cite index="1-2,1-3">said `x` so [4]</cite> then.')
    assert document.slice(cite.span) == '<cite index="1-2,1-3">said `x` so [4]</cite>'
    assert cite.text is not None
    assert document.slice(cite.text) == "said `x` so [4]"
    assert (cite.kind, cite.labels, cite.syntax) == (Kind.MARKER, ("1-2", "1-3"), "claude-cite")
    assert document.slice(inner.span) == "[4]"


def test_a_quotation_between_tags_goes_with_them() -> None:
    text = 'So <qwen:cite id="id_2">a [1] quote</qwen:cite>.'
    assert read(text) == [('<qwen:cite id="id_2">a [1] quote</qwen:cite>', ["id_2"])]


def test_a_tag_without_its_partner_takes_only_itself() -> None:
    assert literals('A <qwen:cite id="id_2">one\n\nB [1]') == ['<qwen:cite id="id_2">', "[1]"]
    assert literals('A <qwen:cite id="id_2">one\n\ntwo</qwen:cite>') == [
        '<qwen:cite id="id_2">',
        "</qwen:cite>",
    ]
    assert literals("A word</qwen:cite> more") == ["</qwen:cite>"]
    assert literals('A <cite index="1-2') == ['<cite index="1-2']
    assert literals("A <cite>Book</cite> stays") == []


def test_crossed_tags_do_not_give_crossed_spans() -> None:
    document, references = find('<cite index="1-1">a <co: 0>b</cite> c</co: 0>')
    spans = [document.slice(reference.span) for reference in references]
    assert spans == ['<cite index="1-1">a <co: 0>b</cite>', "<co: 0>", "</co: 0>"]


def test_an_unclosed_marker_ends_with_its_token() -> None:
    text = "Fell. \ue200cite\ue202turn0search0 and rose"
    assert read(text) == [("\ue200cite\ue202turn0search0", ["turn0search0"])]
    assert literals(':codex-file-citation{path="a.py" li\n') == [':codex-file-citation{path="a.py" li']


def test_the_address_of_a_marker_is_a_label_without_what_tracks() -> None:
    (found,) = read("Rose.[[1]](https://example.com/news?utm_source=chatgpt.com)")
    assert found[1] == ["1", "https://example.com/news"]


def test_only_the_given_part_is_read() -> None:
    data = b"refs: [1]\n\nIt rose [2]. It fell [3]."
    found = find_markers(data, Span(11, 23), Regions())
    assert [data[slice(*reference.span)] for reference in found] == [b"[2]"]


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "【4:0†",
        "<cite ",
        '<cite index="1-1">',
        "</cite>",
        "citeturn0search0",
        "turn0a",
        "\ue200cite\ue202",
        "a[1][2]",
        "[1-9",
    ],
)
def test_many_repetitions_are_read_to_the_end(unit: str) -> None:
    assert literals(unit * 20_000 + "\n\nIt rose【7】.")[-1] == "【7】"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[marker]\n", "bad.toml: not valid TOML"),
        ("[[marker]]\nname = 1\n", "bad.toml: marker[0].name: Expected `str`, got `int`"),
        (
            "[[marker]]\nname = 'a'\npatern = 'b'\n",
            "bad.toml: marker[0]: Object contains unknown field `patern`",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = '(a'\n",
            "bad.toml: marker[0].pattern: not a pattern of RE2",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = 'a'\nfind = '[b'\n",
            "bad.toml: marker[0].find: not a",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = '(?&b)'\n",
            "bad.toml: marker[0].pattern: no piece 'b'",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = 'a'\nnot_in = ['b']\n",
            "bad.toml: marker[0].not_in: no context 'b'",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = 'a'\nranges = true\nfind = 'a'\n",
            "bad.toml: marker[0].find: with `ranges` it needs two groups",
        ),
        (
            "[[marker]]\nname = 'a'\nnote = 'n'\npattern = 'a'\nlabel = 'x'\n",
            "bad.toml: marker[0].label: needs one {}",
        ),
        (
            "[[context]]\nname = 'a'\nwhy = 'w'\npattern = '⟦('\n",
            "bad.toml: context[0].pattern: not a pattern of RE2",
        ),
        (
            "[[marker]]\nname = 'good'\nnote = 'n'\npattern = 'a'\n",
            "'good' is already the name of bad.toml: marker[0]",
        ),
        (
            "[[shield]]\nname = 's'\nopen = 'a'\nclose = ')'\n",
            "bad.toml: shield[0].close: not a pattern of RE2",
        ),
    ],
)
def test_a_bad_grammar_file_is_named_with_its_key(tmp_path: Path, content: str, message: str) -> None:
    good = "[[marker]]\nname = 'good'\nnote = 'n'\npattern = 'a'\n"
    (tmp_path / "good.toml").write_text(good, "utf-8")
    (tmp_path / "bad.toml").write_text(content, "utf-8")
    with pytest.raises(RuleError) as caught:
        read_grammars(tmp_path)
    assert message in caught.value.message


def test_a_folder_without_grammars_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no marker grammars"):
        read_grammars(tmp_path)
