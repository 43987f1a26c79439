"""The words every room of citelint shares.

All places in a document are *byte* offsets into its UTF-8 form (half-open, as in slices), because
that is what the CommonMark parser reports and what edits are made on. They become lines and columns,
counted in characters from 1, only when a person is told about them (see :mod:`citelint.document`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

import msgspec


class Span(NamedTuple):
    """A half-open range of bytes of the document."""

    start: int
    end: int


class Severity(StrEnum):
    """How much a finding matters; ``fail-on`` of the policy says from where ``check`` fails."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for a note, 1 for a warning, 2 for an error."""
        return _RANK[self]


_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class Status(StrEnum):
    """What became of an answer as a whole."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    REJECTED = "rejected"


class Kind(StrEnum):
    """What a reference is in the source text."""

    LINK = "link"  # [text](url), [text][label], [label]
    IMAGE = "image"  # ![alt](url) and its reference forms
    AUTOLINK = "autolink"  # <https://…>, <a@b.c>
    URL = "url"  # a bare address with a scheme, or www.
    HOST = "host"  # example.org/path, without a scheme
    MAIL = "mail"  # a@b.c, mailto:, xmpp:
    MARKER = "marker"  # [1], 【4:0†source】, [^src_001], …
    DEFINITION = "definition"  # [label]: url


class Reference(msgspec.Struct, frozen=True, gc=False):
    """Anything in the answer that points somewhere.

    ``text`` is what stays when the reference goes: the text of a link, the alt text of an image, the
    phrase inside a paired marker. Its bytes may hold further references, which are listed on their own.
    """

    kind: Kind
    span: Span
    target: str = ""
    """The address as a reader decodes it (entities, escapes); empty for markers."""
    text: Span | None = None
    labels: tuple[str, ...] = ()
    """For markers, what they name, in order: ids, labels, numbers as text. Ranges are expanded."""
    syntax: str = ""
    """The grammar or the link form it was read by, e.g. ``perplexity`` or ``collapsed``."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong, where, and what can be done."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    help: str = ""
    address: str = ""
    """The blocked address this is about, if any. A log is a way out too: reports shorten it."""


class Edit(NamedTuple):
    """Bytes to put where others stood."""

    span: Span
    replacement: bytes


class Sink(NamedTuple):
    """A place in rendered output that fetches (``auto``) or that a person can follow (``click``)."""

    channel: str
    address: str
    where: str
    """Tag and attribute, e.g. ``a[href]``."""


class Regions:
    """A set of bytes, as sorted spans that do not touch; answers "is this inside?" in log time."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        starts: list[int] = []
        ends: list[int] = []
        for start, end in sorted(spans):
            if start >= end:
                continue
            if ends and start <= ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                starts.append(start)
                ends.append(end)
        self._starts = starts
        self._ends = ends

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self._starts, self._ends)

    def __len__(self) -> int:
        return len(self._starts)

    def __contains__(self, offset: int) -> bool:
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]

    def touches(self, span: tuple[int, int]) -> bool:
        """Whether any byte of *span* is inside."""
        index = bisect_right(self._starts, span[0]) - 1
        if index >= 0 and span[0] < self._ends[index]:
            return True
        index += 1
        return index < len(self._starts) and self._starts[index] < span[1]

    def union(self, other: Iterable[tuple[int, int]]) -> Regions:
        """These bytes and those."""
        spans = list(other)
        return Regions([*zip(self._starts, self._ends, strict=True), *spans]) if spans else self

    def intersection(self, other: Regions) -> Regions:
        """The bytes inside both."""
        out: list[Span] = []
        i = j = 0
        while i < len(self._starts) and j < len(other._starts):
            start = max(self._starts[i], other._starts[j])
            end = min(self._ends[i], other._ends[j])
            if start < end:
                out.append(Span(start, end))
            if self._ends[i] < other._ends[j]:
                i += 1
            else:
                j += 1
        return Regions(out)
