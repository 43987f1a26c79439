"""Markdown that a renderer would need quadratic time for, found in linear time.

mistune reads most constructs in time linear in their size. As measured with version 3.4, it does not where
a heading has a long run of white space in it; where emphasis nests deeper than it is willing to nest, so
that each further closer looks through everything again; where a table without outer pipes breaks off,
which is then tried again from each line that could be its head; and, mildly, in single blocks of
megabytes. A block of that kind is shown as plain text instead. No person writes them, and the bounds are
far beyond what models write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyromark

from citelint.model import Span
from citelint.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_BLOCK = 1 << 20
"""Bytes without a blank line."""
MAX_BLANKS = 200
"""White space at one place of a line with a ``#`` in it."""
MAX_DELIMITER_ROWS = 8
"""Lines such as ``|---|---|`` in one block."""
MAX_DELIMITERS = 256
"""Characters ``*`` and ``_`` in one block up to which nesting does not matter."""
MAX_NESTING = 16
"""Inline elements in one another; mistune stops at 20."""
MAX_PIECES = 20_000
"""Pieces of text between the delimiters of one paragraph."""

_BLANK_LINES = pattern(rb"\n[ \t\r]*+\n|\r[ \t]*+\r")
_DELIMITER_ROW = pattern(rb"[\n\r][ \t]*+[|:-][|:\- \t]*+(?=[\n\r]|\Z)")
_MAYBE_BLANK = re.compile(rb"[\s\x1c-\x1f\xc2\xe1-\xe3\x80-\x8a\x9a\x9f\xa0\xa8\xa9\xaf]{200}")
"""What the bytes of 200 white space characters match, and little else does."""
_BLANK = pattern(r"\s{200}")
_LINE = pattern(rb"[^\n\r]++")
_INLINE = ("Emphasis", "Strong", "Strikethrough", "Link", "Image")
_OPTIONS = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
)


def too_hard(text: bytes) -> list[Span]:
    """The blocks (lines up to a blank one) that are to become plain text before anything renders *text*.

    Empty for nearly every document, and then it takes a few passes of the C library over the bytes.
    """
    tests = [test for test in (_is_long, _has_tables, _has_blank_heading, _is_dense) if test(text)]
    if not tests:
        return []
    return [span for span in _blocks(text) if _is_hard(text[span.start : span.end], tests)]


def _is_hard(block: bytes, tests: Sequence[Callable[[bytes], bool]]) -> bool:
    return any(test(block) and (test is not _is_dense or _is_deep(block)) for test in tests)


def _blocks(text: bytes) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for blank in _BLANK_LINES.finditer(text):
        spans.append(Span(start, blank.start() + 1))
        start = blank.end()
    spans.append(Span(start, len(text)))
    return [span for span in spans if span.start < span.end]


def _is_long(text: bytes) -> bool:
    return len(text) > MAX_BLOCK


def _has_tables(text: bytes) -> bool:
    if b"|" not in text:
        return False
    return sum(1 for row in _DELIMITER_ROW.findall(text) if b"|" in row and b"-" in row) > MAX_DELIMITER_ROWS


def _has_blank_heading(text: bytes) -> bool:
    if b"#" not in text or not _MAYBE_BLANK.search(text):
        return False
    return any(
        len(line) > MAX_BLANKS and b"#" in line and _BLANK.search(line.decode(errors="replace"))
        for line in _LINE.findall(text)
    )


def _is_dense(text: bytes) -> bool:
    return text.count(b"*") + text.count(b"_") > MAX_DELIMITERS


def _is_deep(block: bytes) -> bool:
    """Whether emphasis nests deep or goes on for very long; asked of a parser that is linear in both."""
    depth = pieces = 0
    for event in pyromark.events(block.decode(errors="replace"), options=_OPTIONS):
        if type(event) is not dict:
            continue
        start = event.get("Start")
        tag = start if start is not None else event.get("End")
        if tag is None:
            pieces += 1
            if pieces > MAX_PIECES:
                return True
        elif not _is_inline(tag):
            pieces = 0
        elif start is None:
            depth -= 1
        else:
            depth += 1
            if depth > MAX_NESTING:
                return True
    return False


def _is_inline(tag: object) -> bool:
    name = tag if isinstance(tag, str) else next(iter(tag), "") if isinstance(tag, dict) else ""
    return name in _INLINE
