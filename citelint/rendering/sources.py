"""The sources of an answer, written from the manifest: in Markdown for ``fix``, in HTML for ``render``.

Everything here comes from the manifest, and its text is untrusted: titles come from fetched pages,
arguments from a model.

The Markdown forms are functions and no templates. What makes them safe is in their exact bytes (the two
plain words behind a definition's colon keep it from being a *link* definition where footnotes are
unknown), so they are not an operator's to change; and loading Jinja2 takes longer than fixing an answer.
"""

from __future__ import annotations

import unicodedata
from html import escape
from typing import TYPE_CHECKING

from citelint.defang import as_text
from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.markers import find_markers
from citelint.rendering import OWN
from citelint.urls import as_destination, parse_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citelint.manifest import Source
    from citelint.policy import Policy

DEFAULT_PLANE = "web"
SHORT_HASH = 12
MAX_TITLE = 200
MAX_ARGUMENTS = 4000
_PLANE_LETTERS = {"web": "W", "requirements": "R", "code": "C", "signals": "S"}
_PLANE_HEADINGS = {
    "web": "Web",
    "requirements": "Requirements",
    "code": "Code",
    "signals": "Signals",
}


def labels(cited: Sequence[Source]) -> dict[str, str]:
    """What is shown for each source: its number, or ``W1``, ``R1``, … where they are of several planes."""
    if len({_plane(source) for source in cited}) < 2:
        return {source.id: str(number) for number, source in enumerate(cited, 1)}
    letters = _letters(cited)
    counted = dict.fromkeys(letters, 0)
    shown: dict[str, str] = {}
    for source in cited:
        plane = _plane(source)
        counted[plane] += 1
        shown[source.id] = f"{letters[plane]}{counted[plane]}"
    return shown


def _letters(cited: Sequence[Source]) -> dict[str, str]:
    """A letter for each plane in order of first use; a plane of the user's own takes what is still free."""
    planes = dict.fromkeys(_plane(source) for source in cited)
    taken = {letter for plane, letter in _PLANE_LETTERS.items() if plane in planes}
    letters: dict[str, str] = {}
    for plane in planes:
        letter = _PLANE_LETTERS.get(plane)
        if letter is None:
            own = [character for character in plane.upper() if "A" <= character <= "Z"]
            candidates = [*own[:1], *"XYZABCDEFGHIJKLMNOPQRSTUVW"]
            letter = next((one for one in candidates if one not in taken), f"X{len(letters)}-")
            taken.add(letter)
        letters[plane] = letter
    return letters


def markdown_mark(source: Source, policy: Policy) -> str:
    """What stands in the text where *source* is cited; the empty string for style ``none``."""
    match policy.footnotes:
        case "gfm":
            return f"[^{source.id}]"
        case "list":
            return f"[{source.id}]"
        case "inline":
            return f" ({_record(source, policy)})"
        case _:
            return ""


def markdown_sources(cited: Sequence[Source], policy: Policy) -> str:
    """The block at the end of the answer, without a last newline; empty for ``inline`` and ``none``."""
    if not cited:
        return ""
    match policy.footnotes:
        case "gfm":
            return _definitions(cited, policy)
        case "list":
            return _list(cited, policy)
        case _:
            return ""


def _definitions(cited: Sequence[Source], policy: Policy) -> str:
    """One footnote definition per source. Blank lines between them: else some renderers join them."""
    shown = labels(cited)
    several = len({_plane(source) for source in cited}) > 1
    return "\n\n".join(
        f"[^{source.id}]: Source record {f'{shown[source.id]} ' if several else ''}{_record(source, policy)}."
        for group in _by_plane(cited).values()
        for source in group
    )


def _list(cited: Sequence[Source], policy: Policy) -> str:
    """A heading and a paragraph per source, under a heading per plane where there are several."""
    groups = _by_plane(cited)
    parts = ["## Sources"]
    for plane, group in groups.items():
        if len(groups) > 1:
            parts.append(f"### {escape_markdown(_PLANE_HEADINGS.get(plane, plane))}")
        parts += [f"[{source.id}] Source record {_record(source, policy)}." for source in group]
    return "\n\n".join(parts)


def _by_plane(cited: Sequence[Source]) -> dict[str, list[Source]]:
    groups: dict[str, list[Source]] = {}
    for source in cited:
        groups.setdefault(_plane(source), []).append(source)
    return groups


def _plane(source: Source) -> str:
    return plain_line(source.plane) or DEFAULT_PLANE


def _record(source: Source, policy: Policy) -> str:
    """Title, link, time and hash of a capture, as every style writes them."""
    title = escape_markdown(_title(source, policy))
    address = _destination(source)
    named = f"[{title}](<{address}>)" if address else title
    kind = "" if source.capture == "full" else f" ({source.capture} only)"
    digest = f", sha256 {source.sha256[:SHORT_HASH]}" if policy.attach_snapshot_hash else ""
    return f"{named}, captured {source.fetched_at[:10]}{kind}{digest}"


_SIGIL = pattern(r"([@#!&%])(?=\w)")


def _title(source: Source, policy: Policy) -> str:
    """The title, held to a line; without one the host, else the id. Never words of the answer.

    On platforms that act upon mentions and the like (CL308), these fall apart.
    """
    title = plain_line(source.title) or source.host.removeprefix("www.") or source.id
    return _SIGIL.sub(r"\1 ", title) if policy.renders_as else title


def _destination(source: Source) -> str:
    """The manifest's own address for between ``<`` and ``>``; empty where none is to be shown."""
    if source.private or not source.url:
        return ""
    parsed = parse_url(source.url)
    return as_destination(parsed.raw).replace("&", "&amp;") if parsed else ""


def escape_markdown(text: str) -> str:
    """Untrusted *text* as one line of Markdown: plain text to every renderer, no citation to any reader."""
    return _cites_nothing(as_text(plain_line(text)))


_WITHIN = pattern(rb"&#?\w{1,8};|[^&]")
_FORMS = 8


def _cites_nothing(text: str) -> str:
    """*text* in which nothing reads as a citation, such as ``(source 1)``: it shows the same."""
    data = text.encode()
    for _ in range(_FORMS):
        markers = find_markers(data, Span(0, len(data)), Regions(), known=lambda _label: True)
        if not markers:
            break
        pieces: list[bytes] = []
        position = 0
        for marker in markers:
            at = _letter_in(data, marker.span)
            if at >= position:
                pieces += (data[position:at], b"&#%d;" % data[at])
                position = at + 1
        data = b"".join((*pieces, data[position:]))
    return data.decode()


def _letter_in(data: bytes, span: Span) -> int:
    """Where the first character stands that is no part of a character reference."""
    places = (
        found.start() for found in _WITHIN.finditer(data, *span) if found[0].isascii() and len(found[0]) == 1
    )
    return next(places, span.start)


def plain_line(text: str, limit: int = MAX_TITLE) -> str:
    """*text* on one line, without control, bidi and other invisible characters, at most *limit* long."""
    if not text.isascii() or not text.isprintable():
        text = "".join(map(_visible, text[: 20 * limit]))
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


_JOINERS = "\u200c\u200d"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
_SEPARATORS = {"Zs", "Zl", "Zp"}
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800"
"""Letters and symbols by their category, blank to the eye."""
_VARIATION = pattern("[\ufe00-\ufe0e\U000e0100-\U000e01ef]")


def _visible(character: str) -> str:
    """The character, a space for white space of any kind, nothing for what nobody sees.

    The two joiners stay: Persian, Indic scripts and emoji are spelt with them.
    """
    if character.isspace() or unicodedata.category(character) in _SEPARATORS:
        return " "
    if character in _JOINERS:
        return character
    if unicodedata.category(character) in _INVISIBLE or character in _BLANKS or _VARIATION.match(character):
        return ""
    return character


def html_mark(source: Source, label: str, *, own: str = OWN) -> str:
    """A citation in the text as HTML: the label, leading to the source's entry in the list."""
    return f'<sup class="{own}cite"><a href="#{own}{source.id}">[{escape(label)}]</a></sup>'


def html_sources(
    cited: Sequence[Source], policy: Policy, labels: Mapping[str, str], *, own: str = OWN
) -> str:
    """The list of sources as HTML, each with its full hash and the execution record, if there is one.

    It still has to pass the gate, which adds what links need and admits only the manifest's addresses.
    *own* is the prefix of ids and classes that the gate is told, see :func:`citelint.rendering.gate.clean`.
    """
    from citelint.rendering.templates import template

    if not cited:
        return ""
    groups = [
        {
            "heading": _PLANE_HEADINGS.get(plane, plane),
            "entries": [_entry(source, policy, labels.get(source.id, "")) for source in group],
        }
        for plane, group in _by_plane(cited).items()
    ]
    return template("sources.html.j2").render(groups=groups, own=own)


def _entry(source: Source, policy: Policy, label: str) -> dict[str, object]:
    parsed = None if source.private or not source.url else parse_url(source.url)
    return {
        "id": source.id,
        "label": label,
        "title": _title(source, policy),
        "url": parsed.raw if parsed else "",
        "fetched_at": source.fetched_at,
        "fetched_on": source.fetched_at[:10],
        "capture": source.capture,
        "sha256": source.sha256 if policy.attach_snapshot_hash else "",
        "tool": plain_line(source.tool),
        "repository": plain_line(source.repository),
        "call": _call(source),
    }


def _call(source: Source) -> dict[str, str] | None:
    """The execution record, for a person to read; ``None`` without one."""
    if source.call is None:
        return None
    return {
        "arguments": _pretty(source.call.args),
        "trace_id": plain_line(source.call.trace_id),
        "span_id": plain_line(source.call.span_id),
        "result_sha256": source.call.result_sha256,
    }


def _pretty(arguments: Mapping[str, object]) -> str:
    """The arguments as indented JSON of bounded length; line ends are kept, invisible characters are not."""
    import msgspec

    if not arguments:
        return ""
    text = msgspec.json.format(msgspec.json.encode(arguments), indent=2).decode()
    lines = text[: MAX_ARGUMENTS * 2].split("\n")
    shown = "\n".join("".join(map(_visible, line)) for line in lines)
    return shown if len(shown) <= MAX_ARGUMENTS else f"{shown[:MAX_ARGUMENTS]}…"
