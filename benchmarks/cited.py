"""What an answer cites outside its list of sources, worked out without citelint's readers.

Plain code for the answers of the corpus, where the forms are known; it is the second opinion that
`acceptance.py` holds the result against, so it must not share a line with what it checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import corpora  # noqa: F401  makes tests.renderers importable

from tests.renderers.matrix import key, renderers, sinks

EVIDENCE_TOOLS = ("http.get", "kb.read")
MAX_RANGE = 100


class Citation(NamedTuple):
    """A source that the text cites, and how."""

    source: str
    form: str
    """``link``, ``marker`` or ``label``."""
    what: str
    """The address or the number as the text has it."""


HEADINGS = frozenset(
    [
        "source",
        "sources",
        "reference",
        "references",
        "bibliography",
        "citations",
        "footnotes",
        "links",
        "works cited",
        "sources cited",
        "cited sources",
        "key sources",
        "sources used",
        "sources and references",
        "references and sources",
        "further reading",
        "reference list",
        "source list",
        "sources list",
        "来源",
        "参考",
        "参考文献",
        "参考资料",
        "参考来源",
        "资料来源",
        "引用",
        "引用来源",
        "引用文献",
        "主要参考文献",
        "主要引用文献",
        "数据来源",
        "参考链接",
        "信息来源",
        "主要来源",
        "来源列表",
        "出处",
    ]
)

_DECORATION = " \t#*_:：-—()（）[]【】."
_NUMBERED = re.compile(
    r"\s{0,8}(?:[-*+•]\s{1,3})?(?:\*\*)?(?:[\[【]\^?([0-9]{1,4})[\]】][.:：]?|\(([0-9]{1,4})\))"
)
_LISTED = re.compile(r"\s{0,8}(?:([0-9]{1,4})[.)、]|[-*+•])\s")
_ADDRESS = re.compile(r"https?://[^\s<>\"`|\]】）]+")
_MARKER = re.compile(r"[\[【]\^?([0-9]{1,4}(?:\s{0,2}[-–—,，、;]\s{0,2}\^?[0-9]{1,4}){0,40})[\]】](?![(:：])")
_BREAK = re.compile(r"<br ?/?>")
_QWEN = re.compile(r'<qwen:cite id="id_([0-9]{1,4})">')
_QWEN_WHOLE = re.compile(r"<qwen:cite [^>]{0,100}>[^<]*</qwen:cite>")
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")


def cited(text: str, sources: list[dict[str, Any]]) -> list[Citation]:
    """Every source that counts as evidence and that *text* cites outside its own list of sources."""
    prose, entries = split(text)
    good = [source for source in sources if _is_evidence(source)]
    by_address = {key(url): str(source["id"]) for source in good for url in _urls(source)}
    by_label = {label: str(source["id"]) for source in good for label in source.get("markers", ())}
    known = {label for source in sources for label in source.get("markers", ())}
    any_address = {key(url): str(source["id"]) for source in sources for url in _urls(source)}
    found: dict[str, Citation] = {}
    for url in links(prose):
        source = by_address.get(key(url))
        if source:
            found.setdefault(source, Citation(source, "link", url))
    for number in markers(prose):
        listed = {any_address.get(key(url), "") for url in entries.get(number, ())}
        label = by_label.get(number)
        if label and listed <= {label, ""}:
            found.setdefault(label, Citation(label, "label", number))
        elif number not in known and len(entries.get(number, ())) == 1:
            source = by_address.get(key(entries[number][0]))
            if source:
                found.setdefault(source, Citation(source, "marker", number))
    return list(found.values())


def _is_evidence(source: dict[str, Any]) -> bool:
    return source.get("level") == "opened" and source["tool"] in EVIDENCE_TOOLS


def _urls(source: dict[str, Any]) -> list[str]:
    return [url for url in (source.get("url"), *source.get("urls", ())) if url]


def split(text: str) -> tuple[str, dict[str, list[str]]]:
    """The text without its lists of sources, and number → the addresses of the entries under it."""
    prose: list[str] = []
    entries: dict[str, list[str]] = {}
    in_list = False
    level = 0
    for line in _BREAK.sub("\n", text).split("\n"):
        if _is_heading(line):
            depth = len(line) - len(line.lstrip("#"))
            if not (in_list and depth > level > 0):  # "Media coverage" below "Sources" is part of it
                in_list, level = _names_sources(line), depth
        number = _entry(line, in_list=in_list)
        if number is None:
            prose.append(line)
            continue
        addresses = [_trimmed(address) for address in _ADDRESS.findall(line)]
        if number and addresses:
            entries.setdefault(number, [])
            entries[number] += [one for one in addresses[:1] if one not in entries[number]]
    return "\n".join(prose), entries


def _trimmed(address: str) -> str:
    """Without the punctuation of the sentence around it."""
    address = address.rstrip(".,;:*_")
    return address.rstrip(")") if address.count(")") > address.count("(") else address


def _entry(line: str, *, in_list: bool) -> str | None:
    """The number of the entry that *line* is, "" for one without, None when it is none."""
    numbered = _NUMBERED.match(line)
    if numbered and (in_list or _ADDRESS.search(line) or len(line) > 300):
        rest = line[numbered.end() :].strip()
        return (numbered[1] or numbered[2]) if rest else None
    if not in_list:
        return None
    listed = _LISTED.match(line)
    if listed:
        return listed[1] or ""
    return "" if _ADDRESS.search(line) else None


def _is_heading(line: str) -> bool:
    stripped = line.strip()
    bare = stripped.strip(_DECORATION)
    bold = stripped.startswith("**") and stripped.rstrip(":： ").endswith("**")
    if not bare or len(bare) >= 100 or _ADDRESS.search(line):
        return False
    return stripped.startswith("#") or bold or _names_sources(line)


def _names_sources(line: str) -> bool:
    bare = line.strip().strip(_DECORATION).lower()
    bare = bare.lstrip("0123456789.、一二三四五六七八九十 ")
    return bare in HEADINGS


def links(prose: str) -> Iterator[str]:
    """Every address that is a link to one of two renderers, bare ones included."""
    for name in ("mistune", "cmark-gfm"):
        yield from (sink.url for sink in sinks(renderers()[name](prose)) if sink.channel == "click")


def markers(prose: str) -> Iterator[str]:
    """Every number in brackets outside code, lists and ranges spelt out, and of Qwen's `<qwen:cite>`."""
    text = _without_code(prose)
    yield from _QWEN.findall(text)
    # What stands inside is quoted from the source, with that source's own numbers.
    for part in _MARKER.findall(_QWEN_WHOLE.sub(" ", text)):
        numbers = re.findall(r"[0-9]{1,4}|[-–—]", part)
        for position, token in enumerate(numbers):
            if token.isdigit():
                yield str(int(token))
            elif 0 < position < len(numbers) - 1:
                first, last = int(numbers[position - 1]), int(numbers[position + 1])
                yield from map(str, range(first + 1, min(last, first + MAX_RANGE)))


def _without_code(prose: str) -> str:
    kept: list[str] = []
    fence = ""
    for line in prose.split("\n"):
        stripped = line.strip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
        elif stripped.startswith(("```", "~~~")):
            fence = stripped[:3]
        else:
            kept.append(_INLINE_CODE.sub("", line))
    return "\n".join(kept)


_REFERENCE = re.compile(r"\[\^([A-Za-z0-9_-]{1,64})\](?!:)")
_DEFINITION = re.compile(r"^\[\^[A-Za-z0-9_-]{1,64}\]:.*$", re.MULTILINE)
_LISTED_SOURCE = re.compile(r"^\[([A-Za-z0-9_-]{1,64})\] Source record ", re.MULTILINE)


def kept(fixed: str, sources: list[dict[str, Any]]) -> set[str]:
    """The ids of the sources that the fixed text cites: by a footnote, or by a link that mistune makes.

    A definition by itself cites nothing. The `list` style names every cited source in its list.
    """
    listed = set(_LISTED_SOURCE.findall(fixed))
    fixed = _DEFINITION.sub("", fixed)
    ids = {str(source["id"]) for source in sources}
    by_address = {key(url): str(source["id"]) for source in sources for url in _urls(source)}
    by_footnote = set(_REFERENCE.findall(fixed)) & ids
    by_link = {by_address.get(key(sink.url), "") for sink in sinks(renderers()["mistune"](fixed))}
    return listed | by_footnote | (by_link - {""})
