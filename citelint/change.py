"""One thing that a check found, with the edits that mend it.

A check says both at once, so that what is reported and what is written cannot drift apart.
"""

from __future__ import annotations

import msgspec

from citelint.model import Edit, Span


class Change(msgspec.Struct, frozen=True):
    """A broken rule at a place, and what to write there instead."""

    code: str
    span: Span
    edits: tuple[Edit, ...] = ()
    values: dict[str, str] = {}
    """What the rule's message is filled with: untrusted words, never addresses."""
    address: str = ""
    """The address it is about; reports shorten it."""


def remove(span: tuple[int, int]) -> Edit:
    """The edit that leaves nothing of *span*."""
    return Edit(Span(*span), b"")


def replace(start: int, end: int, text: str | bytes) -> Edit:
    """The edit that writes *text* over the bytes from *start* to *end*."""
    return Edit(Span(start, end), text.encode() if isinstance(text, str) else text)
