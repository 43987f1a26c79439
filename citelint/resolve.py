"""What a reference means: which source of the manifest, or nothing (docs/index.md has the order).

A model's address is never repaired or completed. It *selects* an entry of the manifest, whose own
string is then written, or it is gone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator
from enum import Enum

import msgspec

from citelint.manifest import Manifest, Source
from citelint.model import Kind, Sink
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.readers.bibliography import Bibliography
from citelint.readers.tags import is_unknown
from citelint.urls import (
    Url,
    UrlFault,
    looks_absolute,
    near_miss,
    parse_url,
    same_address,
    under_prefix,
    url_faults,
    url_key,
)

PAGE = "https://page.invalid/"
"""What addresses are resolved against, as a browser would on some https page."""

_NUMBER = pattern(r"[0-9]{1,6}\Z")
_COUNTED = pattern(r"[A-Za-z]{1,12}[_: ]?([0-9]{1,4})\Z")
_OWN_PLACES = "#citelint-"
_FRAGMENT = pattern(r"#[^\s<>\"'`\\]{0,200}\Z")
_SITE_PATH = pattern(r"([^?#]{1,1024})(?:#[A-Za-z0-9_.\-]{0,200})?\Z")


class Verdict(Enum):
    """What is to become of an address."""

    CITES = "cites"  # it means a source that is evidence
    ALLOWED = "allowed"  # the operator's policy, a fragment of the page, a file of the site
    REJECTED = "rejected"


class AddressDecision(msgspec.Struct, frozen=True):
    """An address, judged."""

    verdict: Verdict
    written: str = ""
    """What may be written for it: the manifest's own string, or the policy's re-serialised form."""
    source: Source | None = None
    code: str = ""
    """Why it was rejected (CL105, CL106, CL201); empty when nothing but "unresolved" can be said."""


class LabelDecision(msgspec.Struct, frozen=True):
    """What the labels of one citation marker mean, together."""

    sources: tuple[Source, ...] = ()
    missing: tuple[str, ...] = ()
    """Labels that name nothing."""
    not_evidence: tuple[Source, ...] = ()
    conflicts: tuple[str, ...] = ()
    """Labels that the manifest and the answer's own list give to different sources (CL111)."""


class Resolver:
    """Decides for one answer; remembers every address it has decided on."""

    def __init__(
        self,
        manifest: Manifest,
        policy: Policy,
        *,
        bibliography: Bibliography | None = None,
        site_files: Container[str] = frozenset(),
    ) -> None:
        self.manifest = manifest
        self.policy = policy
        self._bibliography = bibliography
        self._site_files = site_files
        self._addresses: dict[str, AddressDecision] = {}
        self._labels: dict[str, LabelDecision] = {}
        self._sinks: dict[tuple[str, str], bool] = {}
        # Of several captures of an address the first that is evidence counts, so it is entered last.
        evidence_last = sorted(manifest.sources, key=policy.supports, reverse=True)[::-1]
        self._own: dict[str, Source] = {
            url: source for source in evidence_last for url in manifest.urls_of(source)
        }
        """The manifest's strings as they are: most answers copy them, and need no parser to be understood."""

    def with_bibliography(self, bibliography: Bibliography) -> Resolver:
        """The same, once the answer's own lists are read; what was decided on addresses stays true."""
        other = Resolver(self.manifest, self.policy, bibliography=bibliography, site_files=self._site_files)
        other._addresses = self._addresses
        return other

    # Addresses

    def address(self, target: str) -> AddressDecision:
        """Judge an address as it stands in the answer, entities and escapes decoded."""
        decision = self._addresses.get(target)
        if decision is None:
            decision = self._addresses[target] = self._judge(target)
        return decision

    def image(self, target: str) -> AddressDecision:
        """Judge an address that would be fetched by itself: only recorded images, or files of the site."""
        decision = self.address(target)
        source = decision.source
        if decision.verdict is Verdict.CITES and source is not None:
            if (source.media_type or "").lower().startswith("image/"):
                return decision
        elif (
            decision.verdict is Verdict.ALLOWED and not looks_absolute(target) and target[:1] not in ("#", "")
        ):
            return decision
        return AddressDecision(Verdict.REJECTED)

    def faults(self, target: str) -> tuple[UrlFault, ...]:
        """What is wrong with an address itself (CL201 to CL206), whether it resolves or not."""
        url = parse_url(target, base=PAGE) if looks_absolute(target) else None
        return url_faults(url) if url is not None else ()

    def known(self, target: str) -> bool:
        """Whether the manifest has exactly this address, evidence or not."""
        return self._find(target) is not None

    @property
    def longest(self) -> int:
        """The bytes that an address of the manifest can take: each character percent-encoded, and some."""
        return 3 * max((len(url.encode()) for url in self._own), default=0) + 16

    def allows(self, sink: Sink) -> bool:
        """Whether what a reader found in the output may be there."""
        if sink.where.startswith("tag <"):
            return self._allows_tag(sink.where[5:-1])
        key = (sink.channel, sink.address)
        if key not in self._sinks:
            self._sinks[key] = self._allows(sink)
        return self._sinks[key]

    def _allows_tag(self, name: str) -> bool:
        """Comments where the policy keeps some, and names that no browser knows."""
        return bool(self.policy.keep_comments) if name == "!" else is_unknown(name)

    def _allows(self, sink: Sink) -> bool:
        if sink.channel == "click" and not sink.address:
            return True
        decision = (self.image if sink.channel == "auto" else self.address)(sink.address)
        # Which entry a spelling selects is lenient; what may stand there is that entry's own string only.
        return decision.verdict is not Verdict.REJECTED and same_address(sink.address, decision.written)

    def _judge(self, target: str) -> AddressDecision:
        source = self._own.get(target)
        if source is not None:
            return self._of_source(source, target)
        stripped = target.strip()
        if stripped[: len(_OWN_PLACES)].lower() == _OWN_PLACES:
            return AddressDecision(Verdict.REJECTED)  # only citelint's own marks lead to its sources
        if not stripped or _FRAGMENT.match(stripped):
            return AddressDecision(Verdict.ALLOWED, stripped)
        if not looks_absolute(target):
            return self._judge_relative(stripped)
        found = self._find(target)
        if found is not None:
            source, own = found
            return self._of_source(source, own)
        url = parse_url(target, base=PAGE)
        if url is None:
            return AddressDecision(Verdict.REJECTED)
        if url.scheme == "mailto" and self.policy.allow_mail and _plain_mail(url):
            return AddressDecision(Verdict.ALLOWED, url.href)
        if any(under_prefix(url, prefix) for prefix in self.policy.allow):
            return AddressDecision(Verdict.ALLOWED, url.href)
        code = "CL106" if near_miss(url, self.manifest.hosts) else ""
        if url.scheme not in ("http", "https"):
            code = "CL201"
        return AddressDecision(Verdict.REJECTED, code=code)

    def _of_source(self, source: Source, own: str) -> AddressDecision:
        if not self.policy.supports(source):
            return AddressDecision(Verdict.REJECTED, source=source, code="CL105")
        return AddressDecision(Verdict.CITES, own, source)

    def _judge_relative(self, target: str) -> AddressDecision:
        path = _SITE_PATH.match(target)
        if path is not None and path[1] in self._site_files:
            return AddressDecision(Verdict.ALLOWED, target)
        return AddressDecision(Verdict.REJECTED)

    def _find(self, target: str) -> tuple[Source, str] | None:
        source = self._own.get(target)
        if source is not None:
            return source, target
        key = url_key(target)
        if key is None and target[:4].lower() == "www.":
            return self._find("https://" + target) or self._find("http://" + target)
        captures = self.manifest.captures_of(key) if key is not None else ()
        if not captures:
            return None
        source = next(filter(self.policy.supports, captures), captures[0])
        own = next(url for url in self.manifest.urls_of(source) if url_key(url) == key)
        return source, own

    # Citation markers

    def labels(self, labels: tuple[str, ...]) -> LabelDecision:
        """Judge what a marker names, in order; sources are not repeated."""
        if len(labels) == 1:
            decision = self._labels.get(labels[0])
            if decision is None:
                decision = self._labels[labels[0]] = self._label(labels[0])
            return decision
        parts = [self.labels((label,)) for label in labels]
        return LabelDecision(
            sources=_unique(source for part in parts for source in part.sources),
            missing=tuple(label for part in parts for label in part.missing),
            not_evidence=_unique(source for part in parts for source in part.not_evidence),
            conflicts=tuple(label for part in parts for label in part.conflicts),
        )

    def names_something(self, label: str) -> bool:
        """Whether the manifest has that id or label; readers ask it about doubtful markers."""
        return self._named(label) is not None

    def _named(self, label: str) -> Source | None:
        return self.manifest.by_id(label) or self.manifest.by_label(label)

    def _label(self, label: str) -> LabelDecision:
        label = unicodedata.normalize("NFKC", label).strip()
        named = self._named(label)
        listed, in_list = self._listed(label)
        if named is not None and listed and named not in listed:
            return LabelDecision(conflicts=(label,))
        if named is not None:
            return self._as_evidence((named,))
        if listed:
            return self._as_evidence(listed)
        if in_list:
            return LabelDecision(missing=(label,))
        if _NUMBER.match(label):
            counted = self.manifest.by_number(int(label))
            if counted is not None:
                return self._as_evidence((counted,))
        found = self._find(label) if looks_absolute(label) else None
        if found is not None:
            return self._as_evidence((found[0],))
        return LabelDecision(missing=(label,))

    def _listed(self, label: str) -> tuple[tuple[Source, ...], bool]:
        """The sources that the answer's own list gives to that number, and whether it lists it at all."""
        if self._bibliography is None:
            return (), False
        entries = self._bibliography.lookup(label) or self._bibliography.lookup(_number_in(label))
        sources: list[Source] = []
        for entry in entries:
            named = self.manifest.by_id(entry.named) if entry.named else None
            if named is not None:
                sources.append(named)
                continue
            for address in entry.addresses:
                found = self._find(address)
                if found is not None:
                    sources.append(found[0])
                    break
        return _unique(sources), bool(entries)

    def _as_evidence(self, sources: tuple[Source, ...]) -> LabelDecision:
        evidence = tuple(source for source in sources if self.policy.supports(source))
        return LabelDecision(
            sources=evidence, not_evidence=tuple(source for source in sources if source not in evidence)
        )


def _number_in(label: str) -> str:
    """The entry that vendor labels such as ``id_31``, ``doc3`` or ``citation:2`` count to."""
    found = _COUNTED.match(label)
    return found[1] if found else label


def _unique(sources: Iterator[Source] | list[Source]) -> tuple[Source, ...]:
    return tuple({source.id: source for source in sources}.values())


def _plain_mail(url: Url) -> bool:
    return not url.query and not url.fragment


def kind_code(kind: Kind) -> str:
    """The rule that an unresolved reference of that kind breaks."""
    return _KIND_CODES[kind]


_KIND_CODES = {
    Kind.LINK: "CL101",
    Kind.IMAGE: "CL102",
    Kind.MARKER: "CL103",
    Kind.AUTOLINK: "CL104",
    Kind.URL: "CL104",
    Kind.HOST: "CL104",
    Kind.MAIL: "CL104",
    Kind.DEFINITION: "CL101",
}
