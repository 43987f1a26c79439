"""What other tools would act on: templates, attribute lists, wiki links, directives, executable fences.

Also brackets that are no link to the CommonMark readers, but one to somebody: they are written so that
they are a link to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from citelint.change import Change, replace
from citelint.checks.code import LIVE
from citelint.data import data_folder
from citelint.defang import break_tokens
from citelint.model import Edit, Regions, Span
from citelint.patterns import pattern
from citelint.readers.markdown import Fence
from citelint.readers.reading import Reading

_BRACES = pattern(
    rb"\{(?=[{%#:.=</!?@])"  # {{ }}, {% %}, {# #}, {: …}, {.class}, {=html}, {</>}
    rb"|\{(?=[\w:+.-]{1,64}\}`)"  # a role: {image}`…`
    rb"|(?<=[:`~])\{(?=[\w:+.-]{1,64}\}(?:\s|\Z))"  # a directive: :::{image} …
)
_ASSIGNMENT = pattern(rb"[{}=]|(?:\r\n|\n|\r)[ \t>]*+[\r\n]")
_RISKY_NAME = pattern(
    rb"(?:\bon[a-z]{1,32}|href|src|srcset|srcdoc|style|action|poster|data|background|ping|cite)\s{0,8}\Z",
    re.IGNORECASE,
)
_HIDDEN_CARET = re.compile(rb"\[(?=&(?:#0{0,5}94|#[xX]0{0,4}5[eE]|Hat);|\\\^)")
"""A caret that is one only after decoding: cmark-gfm takes what it is not for a footnote, and misreads on."""
_WIKI = pattern(rb"!\[{2,}+|\[{2,}+(?![, \t\[-]{0,20}\d[\d, \t\[\]-]{0,80}?\]\])|\^\[(?![\]^\d])")
"""Numbers alone are citations, or a matrix."""
_WIKI_LENGTH = 1024
_LINE_COMMANDS = (b"-8<-", b"!include", b".. ", b"*[", b"import ", b"export ", b"import\t", b"export\t")
"""What makes a line a command to some tool, when nothing but a quote mark or blanks stands before it."""
_QUOTED = pattern(rb"[^\r\n]{0,400}[\"']")
_DIRECTIVE = pattern(rb"\.\. [\w-]{1,32}::")
_ABBREVIATION = pattern(rb"\*\[[^\]\r\n]{1,80}\]:")
_BEFORE_COMMAND = b" \t>;-"
_STRAY = re.compile(rb"\]\(")
_BRACES_AT_ONCE = 1024
_TEMPLATE = pattern(rb"\{\{|\{%|\{\{<")
_BLANK_LINE = pattern(rb"(?:\r\n|[\r\n])[ \t]*+(?:\r\n|[\r\n])")
_PLAIN_WORD = pattern(r"[A-Za-z0-9_+#.\-]{1,32}\Z")
_AGREED_WORD = pattern(r"[A-Za-z0-9_+\-]{1,32}\Z")
"""What all parsers take for the language of a fence."""
_ODD_SIGNS = {ord(sign): None for sign in "#."}


def check_syntax(reading: Reading, taken: Regions) -> Iterator[Change]:
    """Foreign syntax in prose and fences; *taken* is what other checks already remove."""
    yield from _braces(reading, taken)
    yield from _brackets(reading, taken)
    yield from _attributes(reading, taken)
    yield from _carets(reading, taken)
    yield from _commands(reading, taken)
    for fence in reading.outline.fences:
        yield from _fence(reading, fence)
    yield from _templates_in_code(reading)


def _braces(reading: Reading, taken: Regions) -> Iterator[Change]:
    data, outline = reading.document.data, reading.outline
    if b"{" not in data:
        return
    end = 0
    for found in _BRACES.finditer(data, reading.document.body.start):
        start = found.start()
        if start < end or start in outline.code or start in taken:
            continue
        if start in outline.math:
            if data[start + 1 : start + 2] in (b"{", b"%"):
                # The same to TeX, and no template.
                yield Change(
                    "CL307",
                    Span(start, start + 2),
                    (replace(start, start + 1, "{ "),),
                    _what("template braces"),
                )
            continue
        end = start + 1
        while data[end : end + 2] == b"{{" and end - start < _BRACES_AT_ONCE:
            end += 1
        edit = replace(start, end, "&#123;" * (end - start))
        yield Change("CL307", Span(start, end + 1), (edit,), _what("braces"))


def _attributes(reading: Reading, taken: Regions) -> Iterator[Change]:
    """Braces with an assignment in them: attribute lists, whatever stands before it in there.

    TeX has ``_{i=1}`` in every sum, so in maths only names that fetch or run something count.
    """
    data, outline = reading.document.data, reading.outline
    if b"{" not in data or b"=" not in data:
        return
    opened: list[int] = []
    for found in _ASSIGNMENT.finditer(data, reading.document.body.start):
        token, at = found[0], found.start()
        if token == b"{":
            opened.append(at)
            continue
        if token == b"=":
            for start in opened:
                maths = start in outline.math and not _RISKY_NAME.search(data, max(start, at - 48), at)
                if not maths and start not in outline.code and start not in taken:
                    edit = replace(start, start + 1, "&#123;")
                    yield Change("CL307", Span(start, start + 1), (edit,), _what("an attribute list"))
        opened.clear()


def _carets(reading: Reading, taken: Regions) -> Iterator[Change]:
    for found in _HIDDEN_CARET.finditer(reading.document.data, reading.document.body.start):
        start = found.start()
        if start not in reading.outline.code and start not in taken:
            yield Change(
                "CL304", Span(start, start + 1), (replace(start, start + 1, "&#91;"),), _what("[^…]")
            )


def _brackets(reading: Reading, taken: Regions) -> Iterator[Change]:
    data, outline = reading.document.data, reading.outline
    links = {
        reference.text.end
        for reference in outline.references
        if reference.text is not None and reference.syntax == "inline"
    }
    for found in _STRAY.finditer(data, reading.document.body.start):
        start = found.start()
        if start in links or start in outline.code or start in taken:
            continue
        if start in outline.math:
            # References mean nothing in a formula, and an empty group is nothing to TeX.
            edit = replace(start + 1, start + 1, "{}")
            yield Change("CL304", Span(start, start + 2), (edit,), _what("](…)"))
            continue
        yield Change(
            "CL304", Span(start, start + 2), (replace(start + 1, start + 2, "&#40;"),), _what("](…)")
        )
    for start in outline.stray_definitions:
        if start not in taken:
            yield Change(
                "CL304", Span(start, start + 2), (replace(start + 1, start + 2, "&#58;"),), _what("[…]: …")
            )
    yield from _wiki(reading, taken)


def _wiki(reading: Reading, taken: Regions) -> Iterator[Change]:
    data, outline = reading.document.data, reading.outline
    if b"[[" not in data and b"^[" not in data:
        return
    links = {reference.span.start for reference in outline.references}
    markers = {marker.span.start for marker in reading.markers}
    for found in _WIKI.finditer(data, reading.document.body.start):
        bracket = found.start() + found[0].index(b"[")
        if bracket in outline.code or bracket in taken or bracket in outline.math:
            continue
        within = found.start() in links  # the text of a link or an image begins with a bracket
        bracket += within
        # Brackets in which a link or a marker begins belong to that. Before a link one more is harmless.
        starts = (at for at in range(bracket, found.end()) if at in links or at in markers)
        end = next(starts, found.end())
        alone = within or found[0].startswith(b"^") or end in markers or _closes_twice(data, end)
        if end - bracket > 1 or (end > bracket and alone):
            edit = replace(bracket, end, "&#91;" * (end - bracket))
            yield Change("CL307", Span(found.start(), end), (edit,), _what("a wiki link or note"))


def _closes_twice(data: bytes, at: int) -> bool:
    """Whether two closing brackets follow, as they end a wiki link; one before a link is harmless without."""
    return b"]]" in _BLANK_LINE.split(data[at : at + _WIKI_LENGTH], 1)[0]


def _commands(reading: Reading, taken: Regions) -> Iterator[Change]:
    data, outline = reading.document.data, reading.outline
    for command in _LINE_COMMANDS:
        at = data.find(command, reading.document.body.start)
        while at >= 0:
            start = _opens_line(data, at)
            if (
                start is not None
                and start not in outline.code
                and start not in taken
                and _acts(data, at, command)
            ):
                reference = b"&#%d;" % data[start]
                edit = replace(start, start + 1, reference)
                yield Change("CL307", Span(start, at + len(command)), (edit,), _what("a command line"))
            at = data.find(command, at + len(command))


def _opens_line(data: bytes, at: int) -> int | None:
    """Where the command begins, if only blanks and marks of containers stand before it on its line."""
    start = at
    while start > 0 and data[start - 1] in _BEFORE_COMMAND and at - start < 32:
        start -= 1
    if start > 0 and data[start - 1] not in b"\r\n":
        return None
    while start < at and data[start] in b" \t>":
        start += 1
    return start


def _acts(data: bytes, at: int, command: bytes) -> bool:
    if command.strip() in (b"import", b"export"):
        return _QUOTED.match(data, at) is not None
    if command == b"*[":
        return _ABBREVIATION.match(data, at) is not None
    return command != b".. " or _DIRECTIVE.match(data, at) is not None


def _fence(reading: Reading, fence: Fence) -> Iterator[Change]:
    """An info string stays when it is one plain word that names no language somebody executes."""
    data = reading.document.data
    line_end = _line_end(data, fence.span.start)
    opening = data[fence.span.start : line_end]
    marks = opening[: len(opening) - len(opening.lstrip(b"`~"))]
    info = opening[len(marks) :].strip(b" \t").decode()
    word = info.split()[0] if info.split() else ""
    agreed = _AGREED_WORD if LIVE.search(data, *fence.span) else _PLAIN_WORD
    if not info or (agreed.match(info) and word.lower() not in executed_languages()):
        return
    if not marks:
        return
    plain = word if _PLAIN_WORD.match(word) else ""
    if not agreed.match(plain):
        plain = _fences()["agreed"].get(word.lower(), plain.translate(_ODD_SIGNS))
    if plain.lower() in executed_languages():
        plain = ""
    span = Span(fence.span.start + len(marks), line_end)
    yield Change(
        "CL307",
        Span(fence.span.start, line_end),
        (Edit(span, plain.encode()),),
        _what(f"a code fence “{word[:32]}”"),
    )


@cache
def executed_languages() -> frozenset[str]:
    """Languages of fences that some renderer executes, or fetches for."""
    return frozenset(str(word).lower() for word in _fences()["executed"])


@cache
def _fences() -> dict[str, Any]:
    import tomllib

    with (data_folder("rules") / "fences.toml").open("rb") as file:
        return tomllib.load(file)


def _templates_in_code(reading: Reading) -> Iterator[Change]:
    """Template engines run before Markdown is read, so addresses in their braces are broken in code too."""
    data = reading.document.data
    if b"{{" not in data and b"{%" not in data:
        return
    for region in reading.outline.code:
        for found in _TEMPLATE.finditer(data, region.start, region.end):
            end = data.find(b"}", found.end(), region.end)
            end = region.end if end < 0 else end
            inside = data[found.end() : end].decode()
            broken = break_tokens(inside)
            if broken != inside:
                yield Change(
                    "CL307",
                    Span(found.start(), end),
                    (replace(found.end(), end, broken),),
                    _what("a template in code"),
                )


def _line_end(data: bytes, start: int) -> int:
    ends = [
        position
        for position in (data.find(b"\n", start), data.find(b"\r", start, start + 4096))
        if position >= 0
    ]
    return min(ends, default=len(data))


def _what(words: str) -> dict[str, str]:
    return {"what": words}
