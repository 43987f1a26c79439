"""What the CommonMark readings find, by the bytes they find it at."""

from __future__ import annotations

import pytest

from citelint.document import Document
from citelint.readers.markdown import Outline, read_markdown


def _read(text: str) -> Outline:
    return read_markdown(Document(text))


def _references(text: str) -> list[tuple[str, str, str, str]]:
    data = text.encode()
    return [
        (
            reference.kind,
            data[slice(*reference.span)].decode(),
            reference.target,
            data[slice(*reference.text)].decode() if reference.text else "",
        )
        for reference in _read(text).references
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](/u)", ("link", "[a](/u)", "/u", "a")),
        ("é [a](</u v> 't')", ("link", "[a](</u v> 't')", "/u v", "a")),
        ("![a](/u)", ("image", "![a](/u)", "/u", "a")),
        ("[](/u)", ("link", "[](/u)", "/u", "")),
        ("![](/u)", ("image", "![](/u)", "/u", "")),
        ("[a][r]\n\n[r]: /u", ("link", "[a][r]", "/u", "a")),
        ("[r][]\n\n[r]: /u", ("link", "[r][]", "/u", "r")),
        ("[r]\n\n[r]: /u", ("link", "[r]", "/u", "r")),
        ("![r][]\n\n[R]: /u", ("image", "![r][]", "/u", "r")),
        (
            "<https://e.example>",
            ("autolink", "<https://e.example>", "https://e.example", "https://e.example"),
        ),
        ("<a@e.example>", ("mail", "<a@e.example>", "a@e.example", "a@e.example")),
        (r"[\[1\]](/u)", ("link", r"[\[1\]](/u)", "/u", r"\[1\]")),
        (r"[a\]](/u)", ("link", r"[a\]](/u)", "/u", r"a\]")),
        ("[x](https&colon;//e.example)", ("link", "[x](https&colon;//e.example)", "https://e.example", "x")),
        ("[`c`](/u)", ("link", "[`c`](/u)", "/u", "`c`")),
    ],
)
def test_a_reference_is_found_with_its_bytes(text: str, found: tuple[str, str, str, str]) -> None:
    assert _references(text) == [found]


def test_nested_references_come_after_what_holds_them() -> None:
    assert [found[1] for found in _references("![o ![i](/x) t](/y)")] == ["![o ![i](/x) t](/y)", "![i](/x)"]


def test_a_label_with_a_caret_is_read_with_footnotes_on_and_off() -> None:
    found = _references("![x][^r]\n\n[^r]: https://e.example/\n")
    assert ("image", "![x][^r]", "https://e.example/", "x") in found


@pytest.mark.parametrize(
    "text",
    ["`[a](/u)`", "```\n[a](/u)\n```", "    [a](/u)", "- x\n\n  ~~~\n  [a](/u)\n  ~~~", "```\n[a](/u)"],
)
def test_code_holds_no_references(text: str) -> None:
    outline = _read(text)
    assert not outline.references
    assert text.index("[a]") in outline.code


def test_what_only_one_reading_takes_for_code_is_not_code() -> None:
    # An indented line is code, unless it continues a footnote.
    text = "x[^1]\n\n[^1]: note\n\n    https://e.example/\n"
    assert text.index("https") not in _read(text).code


@pytest.mark.parametrize(
    ("text", "definitions"),
    [
        ("[r]: /u", [("r", "/u")]),
        ("[r]: /u\n[r]: /v", [("r", "/u"), ("", "")]),
        ("> [r]: /u\n> [r]: /v", [("r", "/u"), ("", "")]),
        ("- [r]: /u\n- x", [("r", "/u")]),
        ("[r]:\n/u\n't'", [("r", "/u")]),
        ("```\n[r]: /u\n```", []),
    ],
)
def test_all_definitions_are_found_wherever_they_stand(text: str, definitions: list[tuple[str, str]]) -> None:
    found = _read(text).definitions
    assert [(definition.label, definition.target) for definition in found] == definitions
    assert all(text.encode()[definition.span.start :].startswith(b"[r]:") for definition in found)


def test_a_definition_inside_a_paragraph_is_only_a_stray() -> None:
    text = "words\n[r]: /u"
    outline = _read(text)
    assert not outline.definitions
    assert outline.stray_definitions == (text.index("]:"),)


@pytest.mark.parametrize("text", ["$x_{[1]}$", r"\(x_{[1]}\)", r"\[ x_{[1]} \]", "$$\nx_{[1]}\n$$"])
def test_maths_is_told_from_text(text: str) -> None:
    assert text.index("[1]") in _read(text).math


def test_prices_are_no_maths() -> None:
    assert not len(_read("from $5 million [1] to $6 million").math)
