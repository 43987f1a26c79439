"""Links, images, autolinks, definitions and bare addresses: what they mean, and what is written."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from citelint.change import Change, remove, replace
from citelint.checks.surroundings import grouped, with_surroundings
from citelint.checks.text import without_invisible
from citelint.defang import as_text
from citelint.model import Edit, Kind, Reference, Regions, Span
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.reading import Reading
from citelint.resolve import AddressDecision, Resolver, Verdict, kind_code
from citelint.urls import as_destination, lies_about, parse_url

_SAFE_DESTINATION = re.compile(
    rb"(?:[A-Za-z0-9:/._~?#=%+,;@!$&*\-]|\([A-Za-z0-9:/._~?#=%+,;@!$&*\-]*+\))++\Z"
)
_SAFE_BARE = pattern(rb"[A-Za-z0-9:/._~?#=%+,;@!$&\-]*[A-Za-z0-9/=]\Z")
_HOST_AS_TEXT = {ord(character): f"&#{ord(character)};" for character in ".[]{}`|*"}
_HOLDS_MORE = pattern(r"//|@|www\.", re.IGNORECASE)
"""Of what stands in the path of a host name: an address of its own, to some linkifier."""
_ONLY_NUMBER = pattern(rb"[\[\](){} ^]*[0-9]{1,4}[\[\](){} ^]*\Z")
_HAS_ADDRESS = pattern(r"//|@|www\.|[\w-]\.[A-Za-z]{2}")


class Footnotes(NamedTuple):
    """What is written after a link to a source (``cite-links = "cite"``)."""

    marks: Mapping[str, str] = {}
    """The mark of each source, by its id; none where links are left alone."""
    cited: Container[tuple[int, str]] = ()
    """Where a group of markers begins, and the id of a source that it cites."""


def check_links(
    reading: Reading, resolver: Resolver, policy: Policy, footnotes: Footnotes
) -> Iterator[Change]:
    """Everything that points somewhere, except citation markers and tags."""
    links = _Links(reading, resolver, policy, footnotes)
    for reference in reading.references:
        yield from links.reference(reference)
    for address in reading.addresses:
        yield from links.bare(address)
    yield from links.definitions()


class _Links:
    def __init__(self, reading: Reading, resolver: Resolver, policy: Policy, footnotes: Footnotes) -> None:
        self._footnotes = footnotes
        self._reading = reading
        self._data = reading.document.data
        self._resolver = resolver
        self._policy = policy
        self._kept_texts = kept_texts(reading, resolver)
        self._dropped: set[int] = set()
        """Where the brackets stood that go with their links."""
        self._numbers: dict[int, Span] | None = None
        """The groups of links that are numbers and go, by where they begin; made when first needed."""

    # Links, images, autolinks

    def reference(self, reference: Reference) -> Iterator[Change]:
        if reference.kind is Kind.MAIL:
            yield from self._mail(reference)
            return
        image = reference.kind is Kind.IMAGE
        decision = (self._resolver.image if image else self._resolver.address)(reference.target)
        if decision.verdict is Verdict.REJECTED:
            yield from self._rejected(reference, decision)
        elif reference.kind is Kind.AUTOLINK:
            yield from self._kept_autolink(reference, decision)
        else:
            yield from self._kept(reference, decision)
        yield from self._footnote(reference, decision)
        yield from self._faults(reference.span, decision, reference.target)

    def _rejected(self, reference: Reference, decision: AddressDecision) -> Iterator[Change]:
        text = reference.text or reference.span
        edits: tuple[Edit, ...]
        if reference.kind is Kind.AUTOLINK:
            edits = (self._removed_link(reference.span),)
        elif self._is_number(reference):
            edits = self._removed_numbers(reference)
        else:
            edits = (remove((reference.span.start, text.start)), remove((text.end, reference.span.end)))
            self._dropped |= {text.start - 1, text.end}
        yield Change(
            decision.code if decision.code and decision.code != "CL201" else kind_code(reference.kind),
            reference.span,
            edits,
            self._values(reference, decision),
            reference.target,
        )
        if self._lies(reference, reference.target):
            yield Change("CL207", reference.span, (), self._values(reference, decision))

    def _is_number(self, reference: Reference) -> bool:
        """Whether a link is no more than a citation: without its address, its number says nothing."""
        text = reference.text
        return (
            reference.kind is Kind.LINK
            and text is not None
            and bool(_ONLY_NUMBER.match(self._data, text.start, text.end))
        )

    def _removed_numbers(self, reference: Reference) -> tuple[Edit, ...]:
        """The edit that removes a number, and those that stand next to it; one for all, at the first."""
        if self._numbers is None:
            gone = (
                other.span
                for other in self._reading.references
                if self._is_number(other) and self._resolver.address(other.target).verdict is Verdict.REJECTED
            )
            self._numbers = {group.start: group for group in grouped(self._data, gone)}
        group = self._numbers.get(reference.span.start)
        return (remove(with_surroundings(self._data, group, brackets=True)),) if group else ()

    def _kept(self, reference: Reference, decision: AddressDecision) -> Iterator[Change]:
        text = reference.text or reference.span
        data = self._data
        tail = data[text.end : reference.span.end]
        if _tail_is(tail, decision.written, data[reference.span.end : reference.span.end + 1]):
            edits: tuple[Edit, ...] = ()
        else:
            edits = (replace(text.end, reference.span.end, b"](" + angled(decision.written) + b")"),)
            titled = reference.syntax == "inline" and tail.rstrip(b") ").endswith((b'"', b"'"))
            rule = "CL309" if titled else "CL112"
            yield Change(rule, reference.span, edits, self._values(reference, decision))
        if self._lies(reference, decision.written):
            words = without_invisible(html.unescape(data[text.start : text.end].decode()))
            edit = Edit(text, as_text(words).encode())
            yield Change("CL207", reference.span, (edit,), self._values(reference, decision))

    def _lies(self, reference: Reference, target: str) -> bool:
        """Whether a link's text reads as another address than the one it leads to."""
        url = parse_url(target)
        if reference.kind is not Kind.LINK or reference.text is None or url is None:
            return False
        words = self._data[reference.text.start : reference.text.end].decode()
        return "](" not in words and lies_about(html.unescape(words), url)

    def _kept_autolink(self, reference: Reference, decision: AddressDecision) -> Iterator[Change]:
        written = alone(decision.written)
        if self._data[reference.span.start : reference.span.end] != written:
            yield Change(
                "CL112",
                reference.span,
                (Edit(reference.span, written),),
                self._values(reference, decision),
            )

    # Bare addresses

    def bare(self, address: Reference) -> Iterator[Change]:
        if address.kind is Kind.MAIL:
            yield from self._mail(address)
            return
        target = full_target(address)
        decision = self._resolver.address(target)
        span = address.span
        plain_host = address.kind is Kind.HOST and not _HOLDS_MORE.search(address.target)
        if decision.verdict is Verdict.REJECTED and plain_host:
            dotted = address.target.translate(_HOST_AS_TEXT)
            if self._data[span.start : span.end] == dotted.encode():
                return
            yield Change("CL104", span, (Edit(span, dotted.encode()),), _what("a host name"), target)
        elif decision.verdict is Verdict.REJECTED:
            yield Change(
                decision.code if decision.code in ("CL105", "CL106") else "CL104",
                span,
                (self._removed_link(span),),
                self._values(address, decision),
                target,
            )
        elif not self._stands_alone(span, decision.written) or self._missing_footnote(span, decision):
            # A footnote must not touch a bare address, so the two are written together.
            written = alone(decision.written).decode()
            footnote = self._missing_footnote(span, decision)
            if written.startswith("[") and self._data[span.start - 1 : span.start] == b"[":
                span, written = Span(span.start - 1, span.end), f"&#91;{written}"  # two are a wiki link
            edit = write_mark(self._data, span, written + footnote) if footnote else replace(*span, written)
            yield Change("CL112", span, (edit,), self._values(address, decision))
        elif self._goes_on_in_html(span):
            yield Change("CL112", span, (replace(span.end, span.end, " "),), self._values(address, decision))
        yield from self._faults(span, decision, target)

    def _goes_on_in_html(self, span: Span) -> bool:
        """Whether text touches an address in an HTML block, where no ``<…>`` can part them."""
        following = self._data[span.end : span.end + 1]
        return (
            span.start in self._reading.outline.html
            and bool(following)
            and not following.isspace()
            and following not in (b"<", b'"', b"'")
        )

    def _footnote(self, reference: Reference, decision: AddressDecision) -> Iterator[Change]:
        missing = self._missing_footnote(reference.span, decision)
        if missing and reference.kind is not Kind.IMAGE:
            end = reference.span.end
            yield Change(
                "CL112",
                reference.span,
                (write_mark(self._data, Span(end, end), missing),),
                self._values(reference, decision),
            )

    def _missing_footnote(self, span: Span, decision: AddressDecision) -> str:
        """The footnote that belongs behind a link, unless it stands there in whatever form."""
        source = decision.source
        if (
            decision.verdict is not Verdict.CITES
            or source is None
            or span.start in self._reading.outline.html
            or span.start in self._kept_texts
        ):
            return ""
        footnote = self._footnotes.marks.get(source.id, "")
        behind = span.end
        while self._data[behind : behind + 1] in (b" ", b"\t"):
            behind += 1
        there = (behind, source.id) in self._footnotes.cited
        return "" if there or self._data.startswith(footnote.encode(), behind) else footnote

    def _stands_alone(self, span: Span, written: str) -> bool:
        """Whether every reader sees this address, and nothing more, as it is written."""
        data = self._data
        if span.start in self._reading.outline.html or span.start in self._kept_texts:
            return True
        before, after = data[span.start - 1 : span.start], data[span.end : span.end + 1]
        if before == b"<" and after == b">":
            return data[span.start - 1 : span.end + 1] == angled(written)
        literal = data[span.start : span.end]
        return (
            literal == written.encode()
            and bool(_SAFE_BARE.match(literal))
            and html.unescape(written) == written
            and (not before or before.isspace() or span.start == self._reading.document.body.start)
            and (not after or after.isspace())
        )

    def _mail(self, address: Reference) -> Iterator[Change]:
        if self._policy.allow_mail and "?" not in address.target:
            return
        span = address.span
        opened = address.syntax == "bare" and self._data[span.start - 1 : span.start] == b"<"
        written = as_text(address.target)
        # Some parsers link whatever has an @ between angle brackets.
        edit = replace(span.start - 1, span.end, f"&lt;{written}") if opened else replace(*span, written)
        yield Change("CL104", span, (edit,), _what("a mail address"), address.target)

    # Definitions

    def definitions(self) -> Iterator[Change]:
        """The answer's own definitions all go; what used them is written with its address in place."""
        used = {label.casefold() for ref in self._reading.references for label in ref.labels}
        for definition in self._reading.outline.definitions:
            if definition.span.start in self._reading.lists:
                continue
            decision = self._resolver.address(definition.target) if definition.target else None
            resolves = decision is not None and decision.verdict is not Verdict.REJECTED
            code = "CL112" if resolves and definition.label.casefold() in used else "CL101"
            yield Change(
                code,
                definition.span,
                (remove(definition.span),),
                _what("a link definition") | {"source": "an allowed address"},
                "" if resolves else definition.target,
            )

    # What they share

    def _removed_link(self, span: Span) -> Edit:
        """The words for a bare address, which must not become a link with what stands beside them."""
        words = self._policy.removed_link
        before, after = span.start - 1, span.end
        joined = (before not in self._dropped and self._data[before : span.start] in (b"[", b"!")) or (
            after not in self._dropped and self._data[after : after + 1] in (b"(", b"[", b"]", b":")
        )
        return replace(*span, as_text(words) if joined else words)

    def _faults(self, span: Span, decision: AddressDecision, target: str) -> Iterator[Change]:
        rejected = decision.verdict is Verdict.REJECTED
        if decision.verdict is Verdict.ALLOWED and not target.lower().startswith("http"):
            return
        for fault in self._resolver.faults(target):
            yield Change(fault.code, span, (), _what(fault.message), target if rejected else "")

    def _values(self, reference: Reference, decision: AddressDecision) -> dict[str, str]:
        values = _what(_words_of(self._data, reference))
        if decision.source is not None:
            values["source"] = decision.source.id
            values["why"] = f"{decision.source.tool}, {decision.source.level or 'listed'}"
        else:
            values["source"] = "an allowed address"
        return values


def write_mark(data: bytes, span: Span, mark: str) -> Edit:
    """The edit that writes a citation's *mark*, wherever one is written: with what follows it must begin no
    definition and no link."""
    start, end = span
    following = data[end : end + 1]
    if following in (b":", b"("):
        return replace(start, end + 1, f"{mark}&#{following[0]};")
    return replace(start, end, mark)


def _what(words: str) -> dict[str, str]:
    return {"what": words}


def _words_of(data: bytes, reference: Reference) -> str:
    """A short name for a reference in a message: its text, unless that is an address itself."""
    if reference.text is None or reference.kind is Kind.AUTOLINK:
        return "an address in the text"
    words = data[reference.text.start : reference.text.end].decode().strip()
    if not words:
        return "no text"
    return "an address as its text" if _HAS_ADDRESS.search(words) else f"“{words[:60]}”"


def angled(address: str) -> bytes:
    """The address as all readers see it alike, whatever stands beside it."""
    return b"<" + as_destination(address).replace("&", "&amp;").encode() + b">"


def alone(address: str) -> bytes:
    """The address without a text of its own. Parsers differ on references in autolinks, so with an ``&`` it
    becomes a link, whose text shows the same but for the scheme."""
    if "&" not in address:
        return angled(address)
    shown = html.escape(as_destination(address).partition("//")[2], quote=False).translate(_HOST_AS_TEXT)
    return b"[" + shown.encode() + b"](" + angled(address) + b")"


def _tail_is(tail: bytes, address: str, following: bytes) -> bool:
    """Whether a link's tail is that address in a form on which all readers agree, with what follows it."""
    literal = address.encode()
    if tail == b"](<" + angled(address)[1:-1] + b">)":
        return True
    return (
        tail == b"](" + literal + b")"
        and not following.isalnum()
        and bool(_SAFE_DESTINATION.match(literal) or not literal)
        and html.unescape(address) == address
    )


def full_target(reference: Reference) -> str:
    """The address that a reference means, with a scheme where linkifiers would add one."""
    return f"https://{reference.target}" if reference.kind is Kind.HOST else reference.target


def kept_texts(reading: Reading, resolver: Resolver) -> Regions:
    """The texts of the links and images that stay: no second reference may be written inside one."""
    judges = {Kind.LINK: resolver.address, Kind.IMAGE: resolver.image}
    spans: list[tuple[int, int]] = [
        reference.text
        for reference in reading.references
        if reference.text is not None
        and reference.kind in judges
        and judges[reference.kind](reference.target).verdict is not Verdict.REJECTED
    ]
    opened = -1
    for tag in reading.tags:
        if tag.name == "a" and not tag.closing:
            opened = tag.span.end
        elif tag.name == "a" and opened >= 0:
            spans.append((opened, tag.span.start))
            opened = -1
    return Regions(spans)
