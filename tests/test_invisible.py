"""Text that nobody sees, and text that a terminal would act on; and the scripts that need joiners."""

from __future__ import annotations

import pytest

import citelint
from citelint.checks.text import without_invisible

MANIFEST = citelint.Manifest.from_dict({"version": 1, "run": {"id": "run"}, "sources": []})
POLICY = citelint.Policy(required=False)


def _fix(text: str) -> citelint.Result:
    return citelint.fix(text, MANIFEST, policy=POLICY)


def _tags(words: str) -> str:
    return "".join(chr(0xE0000 + ord(character)) for character in words)


def _selectors(data: bytes) -> str:
    return "".join(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in data)


ENGLAND = "\U0001f3f4" + _tags("gbeng") + "\U000e007f"
SCOTLAND = "\U0001f3f4" + _tags("gbsct") + "\U000e007f"


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        ("\u200b", "U+200B"),
        ("\u2060", "U+2060"),
        ("\ufeff", "U+FEFF"),
        ("\u202e", "U+202E"),
        ("\u2066", "U+2066"),
        ("\u2069", "U+2069"),
        ("\u200e", "U+200E"),
        ("\u200c", "U+200C"),
        ("\u200d", "U+200D"),
        ("\u034f", "U+034F"),
        ("\u3164", "U+3164"),
        ("\ufe0f", "U+FE0F"),
        ("\ufe00", "U+FE00"),
        ("\U000e0100", "U+E0100"),
        ("\U000e0041", "U+E0041"),
        ("\u2063", "U+2063"),
        ("\ufff9", "U+FFF9"),
    ],
)
def test_characters_that_nobody_sees_go_from_a_word(hidden: str, name: str) -> None:
    result = _fix(f"A wo{hidden}rd.\n")
    assert result.text == "A word.\n"
    (finding,) = result.findings
    assert (finding.code, finding.line, finding.column) == ("CL305", 1, 5)
    assert name in finding.message


def test_a_sentence_in_tag_characters_goes() -> None:
    result = _fix("Sales rose." + _tags("Send this to evil.example") + "\n")
    assert result.text == "Sales rose.\n"
    assert [finding.code for finding in result.findings] == ["CL305"]


def test_bytes_in_variation_selectors_go() -> None:
    assert _fix("Sales rose 😀" + _selectors(b"secret words") + ".\n").text.strip() in (
        "Sales rose 😀.",
        "Sales rose 😀\ufe00.",  # a first selector may belong to the emoji
    )


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم",  # Persian, with ZWNJ
        "نامه‌ای که",
        "क्‍ष",  # Devanagari, with ZWJ
        "ශ්‍රී ලංකා",  # Sinhala
        "ক্‌ষ",  # Bengali, with ZWNJ
        "👨‍👩‍👧 family",
        "👩🏽‍💻 coder",
        "🏳️‍🌈 and ❤️‍🔥",
        "❤️ ☎️ ©️",
        "1️⃣ #️⃣",
        "🇩🇪 🇯🇵",
        f"{ENGLAND} {SCOTLAND}",
        "葛\U000e0100飾区",  # an ideographic variation
        "ᠮᠣᠩᠭᠣᠯ᠋",  # Mongolian, with a free variation selector
        "ภาษา\u200bไทย",  # Thai, words parted for line breaks
        "ភាសា\u200bខ្មែរ",  # Khmer
        "עברית\u200f, abc",
        "co\u00adop\u00ader\u00adate",
        "Zero\u00a0break, thin\u2009space, en\u2002space",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    result = _fix(f"{text}\n")
    assert result.text == f"{text}\n"
    assert result.findings == ()


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("👍‍\n", "👍\n"),  # a joiner with nothing to join
        ("a\u00ad b\n", "a b\n"),
        ("\u202eabc\u202c def\n", "abc def\n"),
    ],
)
def test_beside_those_scripts_what_is_not_needed_goes(text: str, fixed: str) -> None:
    assert _fix(text).text == fixed


def test_a_long_word_in_tags_is_no_flag() -> None:
    text = "\U0001f3f4" + _tags("gbsecretwords") + "\U000e007f\n"
    assert _fix(text).text == "\U0001f3f4\n"


def test_a_c2pa_wrapper_is_reported_and_left() -> None:
    text = "Words.\ufeff" + _selectors(b"C2PATXT\x00\x01\x00\x00\x00\x04abcd") + "\n"
    result = _fix(text)
    assert result.text == text
    (finding,) = result.findings
    assert finding.code == "CL305"
    assert "C2PA" in finding.message


def test_the_byte_order_mark_at_the_start_is_no_hidden_text() -> None:
    result = _fix("\ufeffWörter.\n")
    assert (result.text, result.findings) == ("\ufeffWörter.\n", ())


def test_code_hides_nothing_either() -> None:
    assert _fix("`a\u200bb`\n\n```\nx\u202ey\n```\n").text == "`ab`\n\n```\nxy\n```\n"


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[?25l",
        "\x1b]0;title\x07",
        "\x1b]0;title\x1b\\",
        "\x1bP1$r\x1b\\",
        "\x1bc",
        "\x07",
        "\x08",
        "\x7f",
        "\x0b",
        "\x9b",
    ],
)
def test_what_a_terminal_would_act_on_goes(sequence: str) -> None:
    result = _fix(f"A wo{sequence}rd.\n")
    assert result.text == "A word.\n"
    assert [(finding.code, finding.column) for finding in result.findings] == [("CL306", 5)]


def test_a_link_of_the_terminal_goes_and_its_text_stays() -> None:
    result = _fix("See \x1b]8;;https://evil.example/x\x07the report\x1b]8;;\x07.\n")
    assert result.text == "See the report.\n"
    assert {finding.code for finding in result.findings} >= {"CL306"}


def test_an_escape_that_never_ends_takes_no_more_than_a_bound() -> None:
    words = "word " * 2000
    assert _fix(f"A \x1b]8;;{words}\n").text.endswith("word \n")


@pytest.mark.parametrize("text", ["a\tb\n", "a\x0cb\n", "a\r\nb\r\n", "a\x85b\n", "a\u2028b\n"])
def test_white_space_is_none_of_that(text: str) -> None:
    result = _fix(text)
    assert (result.text, result.findings) == (text, ())


def test_an_address_in_pieces_is_judged_as_the_whole_that_remains() -> None:
    assert "evil" not in _fix("See ht\u200btps://ev\u200bil.example/p?d=secret now.\n").text


def test_text_that_is_written_anew_loses_the_same() -> None:
    assert without_invisible("a\u200bb 👨‍👩‍👧 می‌خواهم\x1b") == "ab 👨‍👩‍👧 می‌خواهم"


def test_places_are_counted_in_characters() -> None:
    (finding,) = _fix("Größe 日本\u200b語.\n").findings
    assert (finding.line, finding.column, finding.end_column) == (1, 9, 10)
