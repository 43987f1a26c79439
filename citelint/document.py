"""A document as bytes: what surrounds the text, and where a byte is for a person.

Edits are made on the original bytes, so a byte order mark, the newline style and a missing final
newline survive without being remembered anywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from citelint.errors import InputError
from citelint.model import Span

BOM = b"\xef\xbb\xbf"
MAX_BYTES = 64 * 1024 * 1024
"""Larger answers are refused: one dense with citations takes up to ninety times its size in memory."""


class Document:
    """The bytes of an answer, read once.

    >>> Document("a\\r\\nb").position(3)
    (2, 1)
    """

    __slots__ = ("_ascii", "_cursor", "_line_starts", "body", "bom", "data", "front_matter", "newline")

    def __init__(self, source: str | bytes) -> None:
        self.data = _encode(source)
        self.bom = Span(0, len(BOM)) if self.data.startswith(BOM) else Span(0, 0)
        self.newline = _newline(self.data)
        self.front_matter = _front_matter(self.data, self.bom.end)
        self.body = Span(self.front_matter.end, len(self.data))
        self._ascii = self.data.isascii()
        self._line_starts: list[int] | None = None
        self._cursor = (0, 1)

    @property
    def text(self) -> str:
        """The whole document, decoded."""
        return self.data.decode()

    def slice(self, span: tuple[int, int]) -> str:
        """The characters of *span*, which must not cut one in two."""
        return self.data[span[0] : span[1]].decode()

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1; columns count characters, the mark not included.

        Only what lies between this question and the last one on the same line is counted, so that asking
        for ascending places stays linear on one long line.
        """
        starts = self._starts()
        line = bisect_right(starts, offset)
        start = max(starts[line - 1], self.bom.end) if line == 1 else starts[line - 1]
        offset = max(offset, start)
        if self._ascii:
            return line, offset - start + 1
        known, column = self._cursor if self._cursor[0] >= start and offset >= start else (start, 1)
        if bisect_right(starts, known) != line:
            known, column = start, 1
        if known <= offset:
            column += len(self.data[known:offset].decode(errors="replace"))
        else:
            column -= len(self.data[offset:known].decode(errors="replace"))
        self._cursor = (offset, column)
        return line, column

    def line_start(self, offset: int) -> int:
        """Where the line begins that holds a byte, the mark of byte order not taken for a part of it."""
        starts = self._starts()
        return max(starts[bisect_right(starts, offset) - 1], self.bom.end)

    def line(self, number: int) -> str:
        """A line's text without its end, by number from 1."""
        starts = self._starts()
        start = max(starts[number - 1], self.bom.end) if number == 1 else starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.data)
        return self.data[start:end].decode().rstrip("\r\n")

    def _starts(self) -> list[int]:
        if self._line_starts is None:
            starts = [0]
            data = self.data
            find = data.find
            position = find(b"\n")
            lone_returns = data.count(b"\r") != data.count(b"\r\n")
            if lone_returns:
                starts.extend(
                    i + 1
                    for i, byte in enumerate(data)
                    if byte == 10 or (byte == 13 and data[i + 1 : i + 2] != b"\n")
                )
            else:
                while position >= 0:
                    starts.append(position + 1)
                    position = find(b"\n", position + 1)
            self._line_starts = starts
        return self._line_starts


def _encode(source: str | bytes) -> bytes:
    if isinstance(source, str):
        try:
            data = source.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"the text holds a lone surrogate at character {error.start}",
                help="decode it from valid UTF-16 or UTF-8 first",
            ) from None
    elif not isinstance(source, (bytes, bytearray, memoryview)):
        raise InputError(f"an answer is text or bytes, not {type(source).__name__}", help="read it first")
    else:
        data = bytes(source)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
                help="convert the file to UTF-8",
            ) from None
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{len(data):,} bytes; the limit is {MAX_BYTES:,}", help="split the answer into parts"
        )
    nul = data.find(0)
    if nul >= 0:
        raise InputError(
            f"a NUL byte at offset {nul}; this is not a text file", help="remove it or check the encoding"
        )
    return data


def _newline(data: bytes) -> bytes:
    """The newline style, as most lines have it."""
    crlf = data.count(b"\r\n")
    if crlf and crlf * 2 >= data.count(b"\n"):
        return b"\r\n"
    if b"\r" in data and b"\n" not in data:
        return b"\r"
    return b"\n"


_LINE_END = re.compile(rb"\r\n|\n|\r")
_FENCES = {b"---": (b"---", b"..."), b"+++": (b"+++",)}


def _front_matter(data: bytes, start: int) -> Span:
    """The metadata block at the top, fences included; empty when there is none.

    Only what the site generators agree on: the very first line is a fence, a later line closes it, and
    the first line inside looks like a key (otherwise two thematic breaks would hide a paragraph).
    """
    none = Span(start, start)
    opening, position = _take_line(data, start)
    closings = _FENCES.get(opening.rstrip(b" \t"))
    if closings is None:
        return none
    first_content = b""
    while position < len(data):
        line, position = _take_line(data, position)
        stripped = line.rstrip(b" \t")
        if stripped in closings:
            return Span(start, position) if _is_key(first_content) or not first_content else none
        if not first_content and stripped and not stripped.startswith(b"#"):
            first_content = line
    return none


def _take_line(data: bytes, start: int) -> tuple[bytes, int]:
    end = _LINE_END.search(data, start)
    return (data[start : end.start()], end.end()) if end else (data[start:], len(data))


def _is_key(line: bytes) -> bool:
    name, separator, value = line.partition(b":") if b":" in line else line.partition(b"=")
    if value.startswith(b"//") and name.isalpha():
        return False  # an address
    return (
        bool(separator) and bool(name.strip()) and not line[:1].isspace() and not set(name) & set(b"[]()<>!`")
    )
