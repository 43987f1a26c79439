"""Links, images and bare addresses of an HTML answer: what they mean, and what becomes of them."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import NamedTuple

from citelint.change import Change, remove, replace
from citelint.checks.surroundings import grouped, with_surroundings
from citelint.checks.text import without_invisible
from citelint.defang import as_text, break_tokens
from citelint.manifest import Source
from citelint.model import Edit, Kind, Reference, Span
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.html_elements import OWN
from citelint.readers.html_text import HtmlText, Link, Picture
from citelint.readers.html_tokens import Attributes
from citelint.readers.reading import Reading
from citelint.resolve import AddressDecision, Resolver, Verdict
from citelint.urls import lies_about, parse_url

_ONLY_NUMBER = pattern(rb"[\[\](){} ^]*+[0-9]{1,4}[\[\](){} ^]*+\Z")
_HAS_ADDRESS = pattern(r"//|@|www\.|[\w-]\.[A-Za-z]{2}")
_OWN_FRAGMENT = f"#{OWN.decode()}"


class Judged(NamedTuple):
    """What was found, and what is to be done without a word; in the coordinates of text and source."""

    in_text: list[Change]
    in_source: list[Change]
    text_edits: list[Edit]
    source_edits: list[Edit]
    cited: list[tuple[Link, Source]]
    """The links that stay and cite something."""


def check_html_links(reading: Reading, resolver: Resolver, policy: Policy, text: HtmlText) -> Judged:
    """Everything that points somewhere, except citation markers."""
    links = _Links(reading, resolver, policy)
    for link in text.links:
        links.link(link)
    links.remove_numbers()
    for picture in text.pictures:
        links.picture(picture)
    for address in reading.addresses:
        links.judged.in_text.extend(links.bare(address))
    return links.judged


class _Links:
    def __init__(self, reading: Reading, resolver: Resolver, policy: Policy) -> None:
        self._reading = reading
        self._data = reading.document.data
        self._resolver = resolver
        self._policy = policy
        # Those in lists and markers are decided on with these, as a whole.
        self._free = {id(reference) for reference in reading.references}
        self._numbers: list[Span] = []
        """The links that go and were no more than a citation."""
        self.judged = Judged([], [], [], [], [])

    def link(self, link: Link) -> None:
        decision = self._resolver.address(link.target)
        foreign = link.target.strip().startswith(_OWN_FRAGMENT)
        rejected = decision.verdict is Verdict.REJECTED or not decision.written or foreign
        closing = link.element.closing
        tags = [link.element.opening, *([closing] if closing else [])]
        edits = tuple(remove((tag.start, tag.end)) for tag in tags) if rejected else ()
        span = Span(link.element.opening.start, link.element.opening.end)
        reference = link.reference
        if reference is None or id(reference) not in self._free:
            # What is cited by a link of a list counts no more than the list.
            self.judged.source_edits.extend(edits)
            return
        values = self._values(reference, decision)
        if rejected:
            code = decision.code if decision.code and decision.code != "CL201" else "CL101"
            self.judged.in_source.append(Change(code, span, edits, values, link.target))
            if _ONLY_NUMBER.match(self._data, link.shown.start, link.shown.end):
                self._numbers.append(reference.span)
        elif link.target != decision.written:
            self.judged.in_source.append(Change("CL112", span, (), values))
        if not rejected and decision.verdict is Verdict.CITES and decision.source is not None:
            self.judged.cited.append((link, decision.source))
        self._lie(link, reference, decision, rejected=rejected)
        self.judged.in_source.extend(self._faults(span, decision, link.target))

    def remove_numbers(self) -> None:
        """Without its address, a number says nothing."""
        for group in grouped(self._data, sorted(self._numbers)):
            self.judged.text_edits.append(remove(with_surroundings(self._data, group, brackets=True)))

    def _lie(self, link: Link, reference: Reference, decision: AddressDecision, *, rejected: bool) -> None:
        url = parse_url(link.target if rejected else decision.written)
        words = self._data[link.shown.start : link.shown.end].decode(errors="replace")
        if url is None or not lies_about(words, url):
            return
        edits = () if rejected else (Edit(link.shown, as_text(without_invisible(words)).encode()),)
        self.judged.in_text.append(Change("CL207", link.shown, edits, self._values(reference, decision)))

    def picture(self, picture: Picture) -> None:
        token, target, reference = picture
        span = Span(token.start, token.end)
        decision = self._resolver.image(target)
        alt = Attributes(token.attributes).get("alt")
        words = without_invisible(" ".join(break_tokens(alt).split()))
        if decision.verdict is Verdict.REJECTED:
            values = {"what": f"“{words[:60]}”" if words else "no text"}
            edit = replace(*reference.span, as_text(words).encode(errors="replace"))
            self.judged.in_text.append(Change("CL102", reference.span, (edit,), values, target))
        elif id(reference) in self._free:
            values = self._values(reference, decision) | {"what": "an image"}
            if target != decision.written:
                self.judged.in_source.append(Change("CL112", span, (), values))
            if words != alt:
                written = f'<img src="{html.escape(target)}" alt="{html.escape(words)}">'
                values = {"what": "the text of an image"}
                self.judged.in_source.append(Change("CL305", span, (replace(*span, written),), values))
        self.judged.in_source.extend(self._faults(span, decision, target))

    def bare(self, address: Reference) -> Iterator[Change]:
        span = address.span
        if address.kind is Kind.MAIL:
            written = as_text(address.target)
            allowed = self._policy.allow_mail and "?" not in address.target
            if not allowed and html.unescape(written) != address.target:
                edit = replace(*span, written)
                yield Change("CL104", span, (edit,), {"what": "a mail address"}, address.target)
            return
        is_host = address.kind is Kind.HOST
        target = f"https://{address.target}" if is_host else address.target
        decision = self._resolver.address(target)
        if decision.verdict is Verdict.REJECTED:
            # A host name with a path may be words ("EY.ai/UK"): it stays legible.
            written = as_text(address.target) if is_host else self._policy.removed_link
            if break_tokens(address.target) == address.target and is_host:
                written = self._policy.removed_link
            code = decision.code if decision.code in ("CL105", "CL106") else "CL104"
            values = self._values(address, decision)
            yield Change(code, span, (replace(*span, written),), values, target)
        yield from self._faults(span, decision, target)

    def _faults(self, span: Span, decision: AddressDecision, target: str) -> Iterator[Change]:
        if decision.verdict is Verdict.ALLOWED and not target.lower().startswith("http"):
            return
        shown = target if decision.verdict is Verdict.REJECTED else ""
        for fault in self._resolver.faults(target):
            yield Change(fault.code, span, (), {"what": fault.message}, shown)

    def _values(self, reference: Reference, decision: AddressDecision) -> dict[str, str]:
        values = {"what": self._words_of(reference), "source": "an allowed address"}
        if decision.source is not None:
            values["source"] = decision.source.id
            values["why"] = f"{decision.source.tool}, {decision.source.level or 'listed'}"
        return values

    def _words_of(self, reference: Reference) -> str:
        """A short name for a reference in a message: its text, unless that is an address itself."""
        if reference.text is None:
            return "an address in the text"
        words = self._data[reference.text.start : reference.text.end].decode(errors="replace").strip()
        if not words:
            return "no text"
        return "an address as its text" if _HAS_ADDRESS.search(words) else f"“{words[:60]}”"
