"""Which headings go with the list of sources below them: those under which nothing else stays."""

from __future__ import annotations

from citelint.readers.headings import Strength, bibliography_heading
from citelint.readers.lines import Line, Shape
from citelint.readers.runs import Draft


class _Section:
    """A heading whose end has not been reached."""

    __slots__ = ("draft", "heading", "kept", "level", "sources")

    def __init__(self, heading: int, level: int, *, sources: bool) -> None:
        self.heading = heading
        self.level = level
        self.sources = sources
        """It is, or is below, a heading of a bibliography."""
        self.kept = False
        """Something stays in it."""
        self.draft: Draft | None = None
        """The first run in it."""


def take_headings(text: bytes, lines: list[Line], drafts: list[Draft]) -> None:
    """Let each run begin with its headings, and the thematic break before them, where nothing else stays.

    A thematic break behind a run ends its section: a closing remark below it does not keep the heading.
    """
    if not drafts:
        return
    open_sections: list[_Section] = []
    upcoming = iter(drafts)
    draft = next(upcoming, None)
    index = 0
    while index < len(lines):
        line = lines[index]
        if draft is not None and index == draft.first:
            if open_sections and open_sections[-1].draft is None:
                open_sections[-1].draft = draft
            index, draft = draft.last, next(upcoming, None)
            continue
        if line.shape is Shape.HEADING:
            _close(open_sections, line.indent)
            name = text[line.mark : line.end].splitlines()[0]
            sources = bibliography_heading(name) is not Strength.NONE
            below = bool(open_sections) and open_sections[-1].sources
            open_sections.append(_Section(index, line.indent, sources=sources or below))
        elif line.shape is not Shape.RULE:
            if open_sections:
                open_sections[-1].kept = True
        elif open_sections and open_sections[-1].draft:
            while open_sections and open_sections[-1].sources:
                _close(open_sections, open_sections[-1].level)
        index += 1
    _close(open_sections, 0)
    for one in drafts:
        _take_rule(lines, one)


def _close(open_sections: list[_Section], level: int) -> None:
    """End the sections of this level and below."""
    while open_sections and open_sections[-1].level >= level:
        section = open_sections.pop()
        above = open_sections[-1] if open_sections else None
        if section.sources and section.draft and not section.kept:
            section.draft.first = section.heading
            section.draft.headed = True
            if above:
                above.draft = above.draft or section.draft
        elif above:
            above.kept = True


def _take_rule(lines: list[Line], draft: Draft) -> None:
    """At the end of the answer a break before a list without heading would part it from nothing."""
    above = lines[draft.first - 1].shape if draft.first else Shape.TEXT
    if above is Shape.RULE and (draft.headed or draft.last == len(lines)):
        draft.first -= 1
