"""Edits that cannot have made anything new out of what stands around them.

An edit may uncover syntax: ``turn0search0//evil.example`` without its marker is an address. Planning a text
again finds that, and costs as much as planning it once. So a few shapes are known here after which nobody
needs to look again; honest answers hardly hold any others. Whatever is not known is not quiet.
"""

from __future__ import annotations

from itertools import pairwise

from citelint.model import Edit, Kind, Regions
from citelint.patterns import pattern
from citelint.planning import Plan

_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_FOREIGN = frozenset(range(128, 256))
_BLANKS = frozenset(b" \t\r\n")
_BEFORE = _LETTERS | _FOREIGN | frozenset(b".,;!?)\"'*%+-")
_AFTER = _BLANKS | _FOREIGN | frozenset(b".,;!?)\"'*")
_OPENERS = tuple(character.encode() for character in "【〔〖［")
_CLOSERS = tuple(character.encode() for character in "】〕〗］")
_LINE_MARKS = b" \t>*+-#|0123456789.)"
_NEAR = 256


def is_quiet(planned: Plan) -> bool:
    """Whether *planned*, once carried out, gives a text that holds nothing which its plan did not know."""
    if not planned.edits:
        return not any(address.kind is Kind.HOST for address in planned.reading.addresses)
    reading, policy = planned.reading, planned.resolver.policy
    if policy.footnotes in ("list", "inline") or len(reading.outline.html):
        return False  # marks of these styles, and in HTML, do not look like citations in every place
    if any(change.edits and change.code.startswith(("CL3", "CL104")) for change in planned.changes):
        return False
    if any(entry.form == "footnote" for run in reading.bibliography.runs for entry in run.entries):
        return False  # what stood in a footnote may stand in the text now
    if any(address.kind is Kind.HOST for address in reading.addresses):
        return False  # with a scheme, it may be an entry of a list
    data, outline = planned.document.data, reading.outline
    if len(outline.code) > len(outline.fences) and b"\n    " in data:
        return False  # indented lines are code or text, by what stands before them
    start = planned.document.body.start
    return (
        not _loses_citation(planned)
        and not any(_touch(data, one, two) for one, two in pairwise(planned.edits))
        and all(_leaves_quiet(data, start, edit) for edit in planned.edits)
    )


def _loses_citation(planned: Plan) -> bool:
    """Whether a citation went along with what stood around it, perhaps the last one of its source."""
    if planned.resolver.policy.footnotes == "none":
        return False
    removed = Regions(edit.span for edit in planned.edits if not edit.replacement)
    gone = (marker.labels for marker in planned.reading.markers if marker.span.start in removed)
    return any(planned.resolver.labels(labels).sources for labels in gone)


def _touch(data: bytes, one: Edit, two: Edit) -> bool:
    between = data[one.span.end : two.span.start] if two.span.start - one.span.end < _NEAR else b"-"
    return not between.strip(b" \t") and not _ends_line(data, one)


def _ends_line(data: bytes, edit: Edit) -> bool:
    return not edit.replacement and data[edit.span.end - 1] in b"\r\n"


def _leaves_quiet(data: bytes, body: int, edit: Edit) -> bool:
    (start, end), written = edit
    if _is_line_end(data, end) and (start <= body or data[start - 1] in b"\r\n"):
        return not written and _lines_go_quietly(data, body, start, end)
    if not _opens_nothing(data, start, written) or not _follows_quietly(data, end):
        return False
    if written.startswith((b"[^", b"](<", b"<")):
        return written.endswith((b"]", b")", b">"))
    if written:
        return False
    if data[start:end] == b"[":
        return data[end] in _LETTERS or (data[end] in _FOREIGN and not data.startswith(_OPENERS, end))
    return _joins_quietly(data, start, end)


def _is_line_end(data: bytes, end: int) -> bool:
    return end >= len(data) or data[end - 1] in b"\r\n"


_HOLDS_MORE = pattern(rb"```|~~~|\$\$|<[!?]")
"""What a line may hold that reaches beyond it."""
_SPANS = pattern(rb"[`$]")
"""… as far as the next blank line."""


def _lines_go_quietly(data: bytes, body: int, start: int, end: int) -> bool:
    """Whole lines: what follows them is not continued by what stood before, and begins as it did."""
    unclosed = data.count(b"<", start, end) != data.count(b">", start, end)
    if unclosed or _HOLDS_MORE.search(data, start, end):
        return False
    after_gap = start <= body or data[max(body, start - 4) : start].endswith((b"\n\n", b"\r\n\r\n"))
    if end >= len(data) or data[end] in b"\r\n":
        return after_gap or not _SPANS.search(data, start, end)
    if not after_gap or data.startswith(_OPENERS, end) or _SPANS.search(data, start, end):
        return False
    return data[end] in _LETTERS or data[end] in _FOREIGN or (start > body and data[end] in b"#-*>|")


def _opens_nothing(data: bytes, start: int, written: bytes) -> bool:
    """What stands before is text, on the same line, and no part of a construct that goes on."""
    before = data[start - 1] if start else 10
    near = max(0, start - _NEAR)
    line = data[max(near, data.rfind(b"\n", near, start), data.rfind(b"\r", near, start)) : start]
    if not line.strip(_LINE_MARKS + b"\r\n"):
        return False
    if before in b" \t":
        opens = line.rstrip(b" \t").endswith(b":") and _names(line)
        return not opens and (bool(written) or data[start : start + 1] in (b"[", b"<"))
    if before == ord(":"):
        return not _names(line)
    if data[max(0, start - 3) : start] in _CLOSERS:
        return False
    return before in _BEFORE or (before == ord("(") and data[start - 2 : start - 1] != b"]")


def _names(line: bytes) -> bool:
    """Whether it may be the label of a definition, or the number of an entry, that stands before a colon."""
    return b"[" in line or any(opener in line for opener in _OPENERS)


def _follows_quietly(data: bytes, end: int) -> bool:
    return end >= len(data) or (
        (data[end] in _AFTER or data[end] in _LETTERS) and not data.startswith(_OPENERS, end)
    )


def _joins_quietly(data: bytes, start: int, end: int) -> bool:
    """Nothing is left of the edit: the two sides make no word together that could be an address."""
    after = data[end] if end < len(data) else 10
    if after in _BLANKS:
        return True
    if after in _LETTERS or (after == ord(".") and data[end + 1 : end + 2].isalnum()):
        return False
    word = data[max(0, start - _NEAR) : start].rpartition(b" ")[2]
    return not any(sign in word for sign in (b"//", b"@", b"www.", b"WWW."))
