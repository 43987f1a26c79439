"""Text that a person does not see, or that a terminal would act on.

Joiners stay where scripts and emoji need them: ZWNJ in Persian, ZWJ in Indic scripts and in emoji,
zero-width spaces between words of Thai or Khmer, marks beside right-to-left letters, tags in flags,
variation selectors after the characters that have variants.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from citelint.change import Change, remove, replace
from citelint.model import Span
from citelint.patterns import pattern
from citelint.readers.reading import Reading

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_SUSPECTS = pattern(f"[{_INVISIBLE}]+")
_ANY = pattern(f"[\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f{_INVISIBLE}]")
_CONTROLS = pattern(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]?"  # CSI
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS, SOS, PM, APC
    r"|\x1b.?|[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]|[\x80-\x84\x86-\x9f]"
)
_ZWNJ, _ZWJ, _ZWSP = "\u200c", "\u200d", "\u200b"
_SHY = "\u00ad"
_C2PA = b"C2PATXT\x00"
_FLAG = "\U0001f3f4"
_CANCEL = "\U000e007f"


def check_text(reading: Reading) -> Iterator[Change]:
    """Invisible characters (CL305) and control sequences (CL306), everywhere, in code and metadata too."""
    document = reading.document
    data = document.data
    yield from _lone_returns(data, document.body.start)
    if data.isascii():
        if _has_controls(data):
            yield from _controls(data.decode(), 0)
        return
    text = data.decode()
    if not _ANY.search(text, 1 if document.bom.end else 0):
        return
    offsets = _Offsets(text)
    start = 1 if document.bom.end else 0
    for found in _SUSPECTS.finditer(text, start):
        yield from _invisible(text, found.start(), found[0], offsets)
    for found in _CONTROLS.finditer(text, start):
        yield _control(offsets(found.start()), offsets(found.end()))


_LONE_RETURN = pattern(rb"\r(?!\n)")


def _lone_returns(data: bytes, start: int) -> Iterator[Change]:
    """A carriage return alone ends a line for most parsers and not in all places for others."""
    if data.count(b"\r", start) == data.count(b"\r\n", start):
        return
    edits = tuple(replace(*found.span(), "\n") for found in _LONE_RETURN.finditer(data, start))
    if edits:
        yield Change("CL304", edits[0].span, edits, {"what": f"{len(edits)} × carriage return alone"})


def without_invisible(text: str) -> str:
    """*text* as this check would leave it, for text that is written anew."""
    kept = [
        character
        for index, character in enumerate(text)
        if not _ANY.match(character)
        or _needed(character, text[index - 1 : index], text[index + 1 : index + 2])
    ]
    return "".join(kept)


def _has_controls(data: bytes) -> bool:
    return len(data.translate(None, _CONTROL_BYTES)) != len(data)


_CONTROL_BYTES = bytes(byte for byte in (*range(1, 9), 11, *range(14, 32), 127))


def _controls(text: str, base: int) -> Iterator[Change]:
    for found in _CONTROLS.finditer(text):
        yield _control(base + found.start(), base + found.end())


def _control(start: int, end: int) -> Change:
    return Change("CL306", Span(start, end), (remove((start, end)),), {"what": f"{end - start} bytes"})


def _invisible(text: str, start: int, run: str, offsets: _Offsets) -> Iterator[Change]:
    before, after = text[start - 1 : start], text[start + len(run) : start + len(run) + 1]
    end = start + len(run)
    span = Span(offsets(start), offsets(end))
    if _is_c2pa(run):
        yield Change("CL305", span, (), {"what": "a C2PA manifest, left in place"})
        return
    if _is_flag(before, run):
        return
    gone = [
        index
        for index, character in enumerate(run)
        if not _needed(character, run[index - 1] if index else before, run[index + 1 : index + 2] or after)
    ]
    if not gone:
        return
    edits = tuple(remove((offsets(start + index), offsets(start + index + 1))) for index in gone)
    names = sorted({f"U+{ord(run[index]):04X}" for index in gone})
    yield Change("CL305", span, edits, {"what": f"{len(gone)} × {', '.join(names[:3])}"})


def _needed(character: str, before: str, after: str) -> bool:
    """Whether writing or emoji rules give this character a place between those two."""
    if character == _SHY:
        return before.isalpha() and after.isalpha()
    if character in (_ZWNJ, _ZWJ):
        # At a word's end ZWNJ is Persian, and ZWJ makes the chillus of Malayalam.
        return _joins(before) and (_joins(after) or character == _ZWNJ or "\u0900" <= before <= "\u0dff")
    if character == _ZWSP:
        return _breaks_words(before) and _breaks_words(after)
    if character in "\u200e\u200f\u061c":
        return _right_to_left(before) or _right_to_left(after)
    if "\ufe00" <= character <= "\ufe0f":
        return _has_variant(before, character)
    if "\U000e0100" <= character <= "\U000e01ef":
        return _is_ideograph(before)
    if character in "\u180b\u180c\u180d\u180e\u180f":
        return "\u1800" <= before <= "\u18af"
    return character in "\u17b4\u17b5" and "\u1780" <= before <= "\u17ff"


def _has_variant(before: str, selector: str) -> bool:
    """Text or emoji style after symbols and digits; other shapes of some maths signs and ideographs."""
    if not before:
        return False
    if selector in "\ufe0e\ufe0f":
        return before in "#*" or unicodedata.category(before) in ("So", "Sm", "Sk", "Nd", "Po")
    return _is_ideograph(before) or (selector == "\ufe00" and unicodedata.category(before) == "Sm")


def _joins(character: str) -> bool:
    if not character:
        return False
    if character in "\ufe0f\u20e3" or unicodedata.category(character) in ("So", "Sk", "Mn", "Mc"):
        return True
    return character.isalpha() and ord(character) >= 0x590 and not _is_ideograph(character)


def _breaks_words(character: str) -> bool:
    return (
        "\u0e00" <= character <= "\u0eff"
        or "\u1000" <= character <= "\u109f"
        or "\u1780" <= character <= "\u17ff"
    )


def _right_to_left(character: str) -> bool:
    return bool(character) and unicodedata.bidirectional(character) in ("R", "AL", "AN")


def _is_ideograph(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(("CJK UNIFIED", "CJK COMPAT"))


def _is_flag(before: str, run: str) -> bool:
    """England, Scotland, Wales: a black flag, tag letters, the cancel tag."""
    letters = "".join(chr(ord(character) - 0xE0000) for character in run[:-1] if ord(character) >= 0xE0020)
    return before == _FLAG and run.endswith(_CANCEL) and letters in ("gbeng", "gbsct", "gbwls")


def _is_c2pa(run: str) -> bool:
    """The text wrapper of C2PA 2.1: U+FEFF, then bytes as variation selectors, which begin with a magic."""
    if not run.startswith("\ufeff") or len(run) < 1 + len(_C2PA):
        return False
    return bytes(_selector_byte(character) for character in run[1 : 1 + len(_C2PA)]) == _C2PA


def _selector_byte(character: str) -> int:
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    return code - 0xE0100 + 16 if 0xE0100 <= code <= 0xE01EF else 255


class _Offsets:
    """Character offsets to byte offsets, for ascending questions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._character = self._byte = 0

    def __call__(self, character: int) -> int:
        if character < self._character:
            self._byte -= len(self._text[character : self._character].encode())
        else:
            self._byte += len(self._text[self._character : character].encode())
        self._character = character
        return self._byte
