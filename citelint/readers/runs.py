"""Lines that follow each other as entries of one list of sources."""

from __future__ import annotations

import re

import msgspec

from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.entries import Entry, has_address, read_entry
from citelint.readers.headings import Strength, bibliography_heading
from citelint.readers.lines import Line, Shape

_LABEL_LENGTH = 120
"""Longer lines are prose, not the name of the list below them; in bytes."""
_NAMED = ("bracket", "footnote", "definition")
"""Forms that are written for citing: they count without an address."""
_MORE = pattern(rb"(?<=[ \t|;,\r\n])\[([0-9]{1,6})\](?![(\[])")
_DELIMITER_ROW = pattern(rb"[|:\- \t\r\n]*+\Z")
_ROW_NUMBER = pattern(rb"\|[ \t]*+(?:\*\*)?+\[?\^?([0-9]{1,6})(?:\.|\))?+\]?(?:\*\*)?+[ \t]*+\|")
_LINK = pattern(
    rb"(?:\*\*)?+\[[^\]\r\n]{1,400}\]\(<?[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)?+>?\)(?:\*\*)?+[ \t]*+"
)
_SEPARATORS = ("-", "–", "—", ":", "：", ",", "，", "。", ".", "(", "（", "<", "[", "|")
_CLOSERS = " \t\r\n.,;)]>*_`|\"'）。，；"
_TAIL = 2048
_MAX_STEP = 10
_MAX_ABSTRACT = 12
"""Lines of text between two entries of one list."""
_SHORT = 40


class Used(msgspec.Struct, frozen=True):
    """The numbers and labels that the text uses.

    A marker that opens its line (behind a bullet at most) names itself and must not be among them, or every
    list would be used.
    """

    named: frozenset[str]
    linked: frozenset[str] = frozenset()
    """Those of them that are links wherever they stand: ``[1](https://…)`` needs no list."""


class Draft:
    """A run in the making: lines ``first`` to ``last`` (exclusive) and what they say."""

    __slots__ = ("entries", "first", "headed", "last")

    def __init__(self, first: int, last: int, entries: list[Entry], *, headed: bool) -> None:
        self.first = first
        self.last = last
        self.entries = entries
        self.headed = headed
        """Its heading goes with it."""


class _Group:
    """The lines of one entry; indexes, ``last`` exclusive."""

    __slots__ = ("addressed", "first", "last")

    def __init__(self, first: int, last: int, *, addressed: bool) -> None:
        self.first = first
        self.last = last
        self.addressed = addressed


def find_runs(data: bytes, text: bytes, lines: list[Line], used: Used) -> list[Draft]:
    """All runs, in order, without their real headings (see :mod:`citelint.readers.sections`).

    *text* is *data* in which code is made unreadable.
    """
    return _Reader(data, text, lines, used).read()


class _Reader:
    def __init__(self, data: bytes, text: bytes, lines: list[Line], used: Used) -> None:
        self.data = data
        self.text = text
        self.lines = lines
        self.used = used
        self.drafts: list[Draft] = []
        self.doubtful: list[int] = []
        """Numbered items and tables without a heading: they count if nothing else defines the numbers."""

    def read(self) -> list[Draft]:
        level, strength = 0, Strength.NONE  # the heading of a bibliography that we are under
        done = 0  # runs before that heading
        index = 0
        while index < len(self.lines):
            line = self.lines[index]
            if line.shape is Shape.TEXT and not line.form and not strength:
                index += 1
            elif line.shape is Shape.HEADING:
                if not strength or line.indent <= level:
                    level, strength = line.indent, self._heading(line)
                    done = len(self.drafts)
                index += 1
            elif line.shape is Shape.RULE:
                if len(self.drafts) > done:
                    strength = Strength.NONE
                index += 1
            elif self._opens(line, strength):
                index = self._take(index, strength)
            else:
                index += 1
        self._settle()
        return self.drafts

    # what a line can be

    def _heading(self, line: Line) -> Strength:
        words = self.text[line.mark : min(line.end, line.mark + 400)].splitlines()
        return bibliography_heading(words[0]) if words else Strength.NONE

    def _opens(self, line: Line, strength: Strength) -> bool:
        if line.shape is not Shape.TEXT or line.form:
            return True
        return bool(strength) and self._ends_with_address(line)

    def _ends_with_address(self, line: Line) -> bool:
        if not has_address(self.text, line.start, line.end):
            return False
        tail = self.text[max(line.mark, line.end - _TAIL) : line.end].decode(errors="ignore").rstrip(_CLOSERS)
        words = tail.split()
        return bool(words) and "://" in words[-1]

    def _label(self, index: int) -> Strength:
        """What the line above says, if it is but the name of a list: ``**Sources:**``, ``参考文献：``."""
        if index <= 0 or (self.drafts and self.drafts[-1].last == index):
            return Strength.NONE
        line, below = self.lines[index - 1], self.lines[index]
        if line.shape is Shape.ITEM:
            # "7. Sources" may stand over a list as a heading; amid "6. Outlook", "8. Notes" it is an item.
            if line.form == below.form or line.form not in ("bullet", "numbered"):
                return Strength.NONE
        elif line.shape is not Shape.TEXT:
            return Strength.NONE
        if line.end - line.start > _LABEL_LENGTH:
            return Strength.NONE
        return self._heading(line)

    def _sublabel(self, index: int) -> bool:
        """A line in bold over a part of a list, as in *Sources*: **Books**, **Reports**."""
        if index <= 0 or (self.drafts and self.drafts[-1].last >= index):
            return False
        line = self.lines[index - 1]
        words = self.text[line.mark : line.end].strip()
        bold = words[:2] == b"**" and words[-2:] == b"**"
        return line.shape is Shape.TEXT and bold and len(words) < _LABEL_LENGTH

    # runs

    def _take(self, index: int, scope: Strength) -> int:
        """Read the run that may open here; the index behind it."""
        label = Strength.NONE if scope else self._label(index)
        strength = scope or label
        form = self.lines[index].form
        if not strength and form not in _NAMED:
            if form in ("numbered", "table"):
                self.doubtful.append(index)
            return index + 1
        groups, last = self._groups(index, scope, label)
        if strength:
            if self._is_list(groups, form, strength):
                first = index - 1 if label or self._label(index) or self._sublabel(index) else index
                self._keep(groups, first, headed=bool(first < index))
        elif form in ("footnote", "definition"):
            if form == "footnote" or any(self._named(group) for group in groups):
                self._keep(groups, index)
        elif self._resumes(index):
            self._keep(groups, index, headed=True)
        else:
            self._take_bracketed(groups)
        return last

    def _resumes(self, index: int) -> bool:
        """The list above goes on behind a paragraph, as where entries quote whole abstracts."""
        if not self.drafts or not self.drafts[-1].headed or index - self.drafts[-1].last > _MAX_ABSTRACT:
            return False
        if any(line.shape is not Shape.TEXT for line in self.lines[self.drafts[-1].last : index]):
            return False
        last, number = self.drafts[-1].entries[-1].number, self.lines[index].number
        return last.isdigit() and number.isdigit() and 0 < int(number) - int(last) <= _MAX_STEP

    def _groups(self, index: int, scope: Strength, label: Strength) -> tuple[list[_Group], int]:
        opening = self.lines[index]
        groups: list[_Group] = []
        while index < len(self.lines):
            line = self.lines[index]
            if groups:
                free = bool(scope) or (bool(label) and not line.gap and line.form != "")
                if line.shape in (Shape.HEADING, Shape.RULE) or not self._opens(line, scope):
                    break
                if not free and line.form != opening.form:
                    break
            group = self._group(index)
            groups.append(group)
            index = group.last
        return groups, index

    def _is_list(self, groups: list[_Group], form: str, strength: Strength) -> bool:
        if strength is Strength.STRONG or form in _NAMED:
            return True
        heads = 2 if form == "table" and len(groups) > 2 else 0
        return 2 * sum(group.addressed for group in groups) >= len(groups) - heads

    def _named(self, group: _Group) -> bool:
        number = self.lines[group.first].number
        return number.isdigit() or number in self.used.named

    def _take_bracketed(self, groups: list[_Group]) -> None:
        """``[1] Title: https://…`` without a heading: only what the text uses, and no ``[1] First step``."""
        if not any(self._is_used(self.lines[group.first]) for group in groups):
            return
        while groups and not groups[-1].addressed and self.lines[groups[-1].first].gap:
            groups.pop()
        while groups and not groups[0].addressed and (len(groups) == 1 or self.lines[groups[1].first].gap):
            groups.pop(0)
        if any(self._reads_as_source(group, strict=False) for group in groups):
            self._keep(groups, groups[0].first)

    def _is_used(self, line: Line) -> bool:
        """Whether a marker needs this entry. Where both are links, the entry may be a sentence that cites."""
        if line.number in self.used.linked and self.text[line.content : line.content + 1] == b"[":
            return False
        return line.number in self.used.named

    def _settle(self) -> None:
        """Numbered lists without a heading are lists of sources if the text has no better ones to use."""
        defined = {entry.number for draft in self.drafts for entry in draft.entries}
        taken = Regions((draft.first, draft.last) for draft in self.drafts)
        done = 0
        for index in self.doubtful:
            number = self._number(index)
            if index < done or number in defined or number not in self.used.named:
                continue
            groups, done = self._groups(index, Strength.NONE, Strength.NONE)
            count = sum(self._number(group.first) in self.used.named for group in groups)
            if 2 * count >= len(groups) and not taken.touches((index, done)) and self._fits(groups):
                self._keep(groups, self._table_head(index))
        self.drafts.sort(key=lambda draft: draft.first)

    def _table_head(self, index: int) -> int:
        """The first row of the table around a line, if it is in one."""
        while index and self.lines[index].shape is self.lines[index - 1].shape is Shape.TABLE:
            index -= 1
        return index

    def _fits(self, groups: list[_Group]) -> bool:
        if self.lines[groups[0].first].shape is Shape.TABLE:
            return 2 * sum(group.addressed for group in groups) >= len(groups)
        return all(self._reads_as_source(group, strict=True) for group in groups)

    def _number(self, index: int) -> str:
        line = self.lines[index]
        if line.shape is not Shape.TABLE:
            return line.number
        row = _ROW_NUMBER.match(self.text, line.mark, line.end)
        return row[1].decode() if row else ""

    def _reads_as_source(self, group: _Group, *, strict: bool) -> bool:
        """A title and an address, and not a sentence with a link in it."""
        line, last = self.lines[group.first], self.lines[group.last - 1]
        content = self.text[line.content : last.end]
        link = _LINK.match(content)
        if link:
            rest = content[link.end() : link.end() + _TAIL].decode(errors="ignore").strip()
            return not strict or len(rest) < _SHORT or rest.startswith(_SEPARATORS)
        if re.match(rb"<?(?:https?|ftp)://|www\.", content, re.IGNORECASE):
            return True
        words = content[-_TAIL:].decode(errors="ignore").rstrip(_CLOSERS).split()
        if not words or "://" not in words[-1]:
            return False
        before = words[-1].partition("http")[0] or (words[-2] if len(words) > 1 else "")
        return not strict or before.endswith(_SEPARATORS)

    # entries

    def _group(self, index: int) -> _Group:
        """The lines of the entry that opens at *index*."""
        opening = self.lines[index]
        addressed = has_address(self.text, opening.content, opening.end)
        index += 1
        first = index - 1
        while index < len(self.lines):
            stop = self._continuation(opening, index, addressed=addressed)
            if stop == index:
                break
            addressed = addressed or has_address(self.text, self.lines[index].start, self.lines[stop - 1].end)
            index = stop
        return _Group(first, index, addressed=addressed)

    def _continuation(self, opening: Line, index: int, *, addressed: bool) -> int:
        """Up to where the lines from *index* on go on with an entry; *index* if they do not."""
        line = self.lines[index]
        if line.shape in (Shape.HEADING, Shape.RULE, Shape.TABLE) or opening.shape is Shape.TABLE:
            return index
        deeper = line.indent >= opening.indent + 2
        if line.shape is Shape.ITEM:
            if line.form in _NAMED or (line.number and not opening.number):
                return index
            return index + (deeper and (not line.gap or opening.form not in ("bracket", "definition")))
        if line.gap:
            if deeper and opening.form in ("numbered", "bullet", "footnote"):
                return index + 1
            return index + (not addressed and self._only_address(line))
        if deeper:
            return index + 1
        return self._glued(opening, index, addressed=addressed)

    def _only_address(self, line: Line) -> bool:
        words = self.text[line.mark : min(line.end, line.mark + _TAIL)].split()
        return len(words) <= 2 and has_address(self.text, line.mark, line.end)

    def _glued(self, opening: Line, index: int, *, addressed: bool) -> int:
        """Text in the same paragraph: a wrapped title, an address on a line of its own, a note."""
        if opening.shape is not Shape.ITEM:
            return index
        stop = index
        address = index
        while stop < len(self.lines):
            line = self.lines[stop]
            if line.shape is not Shape.TEXT or line.gap:
                break
            stop += 1
            if has_address(self.text, line.start, line.end):
                address = stop
        if stop < len(self.lines):
            below = self.lines[stop]
            if below.shape is Shape.ITEM and not below.gap and below.form == opening.form:
                return stop
        return index if addressed else address

    def _keep(self, groups: list[_Group], first: int, *, headed: bool = False) -> None:
        entries: list[Entry] = []
        for group in groups:
            line = self.lines[group.first]
            if line.shape is Shape.TABLE:
                self._read_row(line, entries)
            else:
                self._read_group(group, line, entries)
        if entries:
            self.drafts.append(Draft(first, groups[-1].last, entries, headed=headed))

    def _read_group(self, group: _Group, line: Line, entries: list[Entry]) -> None:
        end = self._visible_end(line.content, self.lines[group.last - 1].end)
        form = line.form or "line"
        starts = [(line.mark, line.content, line.number)]
        if form == "bracket":
            starts += self._more(line.content, end)
        for place, (mark, content, number) in enumerate(starts):
            stop = self._visible_end(content, starts[place + 1][0]) if place + 1 < len(starts) else end
            span = Span(mark, max(stop, content))
            entries.append(read_entry(self.data, self.text, span, content, number=number, form=form))

    def _more(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """Further entries on the same line: ``[1] Title https://… | [2] Title https://…``."""
        if self.text.find(b"[", start, end) < 0:
            return []
        found = _MORE.finditer(self.text, start, end)
        labels = [(label.start(), label.end(), label[1].decode()) for label in found]
        more: list[tuple[int, int, str]] = []
        begin = start
        for place, (mark, content, number) in enumerate(labels):
            stop = labels[place + 1][0] if place + 1 < len(labels) else end
            if has_address(self.text, begin, mark) and has_address(self.text, content, stop):
                more.append((mark, content, number))
                begin = content
        return more

    def _visible_end(self, start: int, end: int) -> int:
        while end > start and self.text[end - 1] in b" \t\r\n|;":
            end -= 1
        return end

    def _read_row(self, line: Line, entries: list[Entry]) -> None:
        row = self.text[line.mark : line.end]
        number = _ROW_NUMBER.match(row)
        if _DELIMITER_ROW.match(row) or not (number or has_address(row, 0, len(row))):
            return
        content = line.mark + (number.end() - 1 if number else 0)
        span = Span(line.mark, self._visible_end(line.mark, line.end))
        name = number[1].decode() if number else ""
        entries.append(read_entry(self.data, self.text, span, content, number=name, form="table"))
