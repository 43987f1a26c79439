"""Whether a heading stands over a list of sources; the words are data, in ``rules/headings.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from enum import IntEnum
from functools import cache, lru_cache

import msgspec

from citelint.data import data_folder

MAX_HEADING = 200
"""Longer lines are no heading of a bibliography; in bytes."""

_NUMBERING = re.compile(
    r"\s*+[(（【]?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[一二三四五六七八九十百]{1,4}|[ivxlc]{1,6}|[a-z])(?:[.):：、．）】]|(?<=\d)\s)\s*+"
)

_NO_LETTERS = re.compile(r"[\W\d_]++")
_UNSPACED = (("\u0e00", "\u0eff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"))
"""Thai and Lao, kana, Chinese characters."""


class Strength(IntEnum):
    """How surely a heading means a list of sources."""

    NONE = 0
    WEAK = 1
    """Also the name of ordinary sections (*Sources*)."""
    STRONG = 2
    """Nothing else is called that (*References*)."""


class _Vocabulary(msgspec.Struct, frozen=True):
    strength: dict[str, Strength]
    lengths: dict[str, tuple[int, ...]]
    """By the first two letters, how long phrases are; longest first."""


@lru_cache(maxsize=4096)
def bibliography_heading(line: bytes) -> Strength:
    """What a line means as a heading, with or without its Markdown, numbering and punctuation.

    >>> bibliography_heading("## 七、主要参考文献：".encode()).name
    'STRONG'
    >>> bibliography_heading(b"## Sources of Funding").name
    'NONE'
    """
    if len(line) > MAX_HEADING:
        return Strength.NONE
    words = _normalised(line.decode(errors="replace"))
    return _judge(words) if words else Strength.NONE


def _normalised(text: str) -> str:
    """Letters only, casefolded, words parted by one space; numbering in front is gone."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = text.casefold().strip(" \t#*_>-+•")
    numbering = _NUMBERING.match(text)
    if numbering:
        text = text[numbering.end() :]
    return _NO_LETTERS.sub(" ", text).strip()


def _judge(words: str) -> Strength:
    """Eat the longest known phrase again and again: anything unknown makes it an ordinary heading."""
    vocabulary = _vocabulary()
    position = 0
    best = Strength.NONE
    while position < len(words):
        for length in (*vocabulary.lengths.get(words[position : position + 2], ()), 1):
            end = position + length
            found = vocabulary.strength.get(words[position:end])
            if found is not None and _ends_word(words, end):
                break
        else:
            return Strength.NONE
        best = max(best, found)
        position = end + (words[end : end + 1] == " ")
    return best


def _ends_word(words: str, end: int) -> bool:
    """Chinese, Japanese and Thai words touch; others end at a space."""
    return end >= len(words) or words[end] == " " or not _spaced(words[end - 1]) or not _spaced(words[end])


def _spaced(letter: str) -> bool:
    return not any(first <= letter <= last for first, last in _UNSPACED)


@cache
def _vocabulary() -> _Vocabulary:
    strength: dict[str, Strength] = {}
    languages = tomllib.loads((data_folder("rules") / "headings.toml").read_text(encoding="utf-8"))
    for words in languages.values():
        for key, value in (("with", Strength.NONE), ("weak", Strength.WEAK), ("strong", Strength.STRONG)):
            for phrase in words[key].split(","):
                name = _normalised(phrase)
                strength[name] = max(value, strength.get(name, Strength.NONE))
    lengths: dict[str, set[int]] = {}
    for name in strength:
        lengths.setdefault(name[:2], set()).add(len(name))
    return _Vocabulary(strength, {start: tuple(sorted(some)[::-1]) for start, some in lengths.items()})
