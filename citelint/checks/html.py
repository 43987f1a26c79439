"""Raw HTML in Markdown: a few plain tags stay, links and images are judged, the rest goes.

In doubt ``<`` is written as ``&lt;``, which every renderer shows and none reads as a tag again.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from citelint.change import Change, remove, replace
from citelint.checks.links import alone
from citelint.checks.text import without_invisible
from citelint.defang import as_text
from citelint.model import Edit, Regions, Span
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.reading import Reading
from citelint.readers.tags import Tag, elements
from citelint.resolve import Resolver, Verdict

_HIDDEN_TEXT = ("title", "hidden", "aria-", "data-", "placeholder")
"""How attributes begin whose text people do not see, but the next reader of the source does."""
_ODD_BLANKS = pattern(
    rb"(?:\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xc2[\x85\xa0]"
    rb"|[ \t\x0b\x0c\x1c-\x1f])++(?=[\r\n])"
)
_INERT = frozenset({"id", "class"})
"""What an element that no browser knows may carry; such tags are shown by nobody and do nothing."""


def check_tags(reading: Reading, resolver: Resolver, policy: Policy) -> Iterator[Change]:
    """Every tag, comment and declaration outside code that is not a citation marker."""
    return _Tags(reading, resolver, policy).changes()


class _Tags:
    def __init__(self, reading: Reading, resolver: Resolver, policy: Policy) -> None:
        self._reading = reading
        self._data = reading.document.data
        self._resolver = resolver
        self._policy = policy
        self._markers = Regions(marker.span for marker in reading.markers)
        self._dropped_links = 0
        self._gone_until = 0

    def changes(self) -> Iterator[Change]:
        tags = self._reading.tags
        for index, tag in enumerate(tags):
            yield from self._odd_blanks(tag)
            if tag.span.start < self._gone_until or tag.span.start in self._markers:
                continue
            yield from self._tag(tag, index)

    def _odd_blanks(self, tag: Tag) -> Iterator[Change]:
        """Blanks to some parsers only: a tag with nothing but blanks behind it begins a block of HTML."""
        found = _ODD_BLANKS.match(self._data, tag.span.end)
        if found and found[0].strip(b" \t"):
            yield Change("CL304", Span(*found.span()), (remove(found.span()),), {"what": "odd white space"})

    def _tag(self, tag: Tag, index: int) -> Iterator[Change]:
        if tag.name == "!--":
            yield from self._comment(tag)
        elif tag.name in elements().raw:
            yield from self._with_content(tag, index)
        elif not tag.well_formed or self._spans_code(tag) or tag.name in ("!", "?", "/"):
            yield self._escaped(tag)
        elif tag.name == "a":
            yield from self._link(tag, index)
        elif tag.name == "img" and not tag.closing:
            yield from self._image(tag)
        elif tag.name in elements().plain:
            yield from self._plain(tag)
        elif tag.is_element:
            yield Change(self._code(tag), tag.span, (remove(tag.span),), _shown(tag), _address_in(tag))
        elif any(name not in _INERT or not value.isalnum() for name, value in tag.attributes):
            yield self._escaped(tag)

    def _comment(self, tag: Tag) -> Iterator[Change]:
        inside = self._data[tag.span.start + 4 : tag.span.end - 3].decode(errors="replace").strip()
        if tag.well_formed and inside in self._policy.keep_comments:
            return
        if not tag.well_formed or self._spans_code(tag) or self._leaves_its_block(tag.span):
            yield self._escaped(tag)
            return
        self._gone_until = tag.span.end
        yield Change("CL309", tag.span, (remove(tag.span),), {"what": "a comment"})

    def _leaves_its_block(self, span: Span) -> bool:
        """A comment with a blank line in it is one only where HTML blocks are read as such."""
        inside = self._data[span.start : span.end].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return b"\n\n" in inside and span.start not in self._reading.outline.html

    def _spans_code(self, tag: Tag) -> bool:
        return self._reading.outline.code.touches(tag.span)

    def _with_content(self, tag: Tag, index: int) -> Iterator[Change]:
        end = tag.span.end
        for later in self._reading.tags[index + 1 : index + 257]:
            if later.name == tag.name and later.closing:
                end = later.span.end
                break
        else:
            yield self._escaped(tag)
            return
        span = Span(tag.span.start, end)
        if self._reading.outline.code.touches(span) or self._leaves_its_block(span) or tag.closing:
            yield self._escaped(tag)
            return
        self._gone_until = end
        yield Change(self._code(tag), span, (remove(span),), _shown(tag), _address_in(tag))

    def _link(self, tag: Tag, index: int) -> Iterator[Change]:
        if tag.closing:
            if self._dropped_links:
                self._dropped_links -= 1
                yield Change("CL301", tag.span, (remove(tag.span),), {"what": "</a>"})
            return
        target = dict(tag.attributes).get("href", "")
        decision = self._resolver.address(target)
        if decision.verdict is Verdict.REJECTED or not decision.written:
            self._dropped_links += 1
            code = decision.code if decision.code in ("CL105", "CL106") else "CL101"
            source = decision.source.id if decision.source else ""
            values = {"what": "an HTML link", "source": source, "why": "listed, not opened"}
            yield Change(code, tag.span, (remove(tag.span),), values, target)
            return
        whole = self._address_as_text(tag, index)
        if whole is not None:
            self._gone_until = whole.end
            values = {"what": "an HTML link", "source": decision.source.id if decision.source else "policy"}
            yield Change("CL112", whole, (Edit(whole, alone(decision.written)),), values)
            return
        written = f'<a href="{html.escape(decision.written)}">'.encode()
        if self._data[tag.span.start : tag.span.end] != written:
            values = {"what": "an HTML link", "source": decision.source.id if decision.source else "policy"}
            yield Change("CL112", tag.span, (Edit(tag.span, written),), values)

    def _address_as_text(self, tag: Tag, index: int) -> Span | None:
        """The whole link, where its text is an address: linkifiers would find another link in there."""
        following = self._reading.tags[index + 1 : index + 2]
        if not following or following[0].name != "a" or not following[0].closing:
            return None
        text = html.unescape(self._data[tag.span.end : following[0].span.start].decode()).strip()
        if "//" not in text or any(character.isspace() for character in text):
            return None
        return (
            None
            if tag.span.start in self._reading.outline.html
            else Span(tag.span.start, following[0].span.end)
        )

    def _image(self, tag: Tag) -> Iterator[Change]:
        attributes = dict(tag.attributes)
        target = attributes.get("src", "")
        decision = self._resolver.image(target)
        alt = attributes.get("alt", "")
        if decision.verdict is Verdict.REJECTED:
            words = as_text(without_invisible(" ".join(alt.split()))).encode()
            yield Change("CL102", tag.span, (Edit(tag.span, words),), {"what": "an HTML image"}, target)
            return
        written = f'<img src="{html.escape(decision.written)}" alt="{as_text(alt)}">'.encode()
        if self._data[tag.span.start : tag.span.end] != written:
            values = {"what": "an HTML image", "source": decision.source.id if decision.source else "policy"}
            yield Change("CL112", tag.span, (Edit(tag.span, written),), values)

    def _plain(self, tag: Tag) -> Iterator[Change]:
        kept = [
            (name, value)
            for name, value in tag.attributes
            if name in elements().harmless and (value.isalnum() or not value)
        ]
        if len(kept) == len(tag.attributes):
            return
        attributes = "".join(f' {name}="{value}"' if value else f" {name}" for name, value in kept)
        written = f"<{tag.name}{attributes}>".encode()
        yield Change(self._code(tag), tag.span, (Edit(tag.span, written),), _shown(tag), _address_in(tag))

    def _escaped(self, tag: Tag) -> Change:
        start = tag.span.start
        return Change(self._code(tag), tag.span, (replace(start, start + 1, "&lt;"),), _shown(tag))

    def _code(self, tag: Tag) -> str:
        names = [name for name, _ in tag.attributes]
        if any(name in elements().fetching or name.startswith("on") for name in names):
            return "CL302"
        return "CL309" if any(name.startswith(_HIDDEN_TEXT) for name in names) else "CL301"


def _shown(tag: Tag) -> dict[str, str]:
    return {"what": f"<{'/' if tag.closing else ''}{tag.name}>"}


def _address_in(tag: Tag) -> str:
    return next(
        (value for name, value in tag.attributes if name in elements().fetching and "//" in value), ""
    )
