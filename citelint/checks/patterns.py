"""Rules of the user's own: patterns in files of theirs, matched in prose; they report and change nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citelint.change import Change
from citelint.model import Span
from citelint.readers.reading import Reading
from citelint.rules import Rule

MAX_SHOWN = 60


def check_patterns(reading: Reading, rules: Sequence[Rule]) -> Iterator[Change]:
    """Where a pattern of a user's rule matches, outside code. RE2 takes linear time, whatever they wrote."""
    if not rules:
        return
    import re2

    data, code = reading.document.data, reading.outline.code
    for rule in rules:
        for pattern in rule.patterns:
            for found in re2.compile(pattern).finditer(data, reading.document.body.start):
                span = Span(*found.span())
                if span.start < span.end and not code.touches(span):
                    words = data[span.start : span.end].decode(errors="replace")
                    yield Change(rule.code, span, (), {"what": words[:MAX_SHOWN]})
