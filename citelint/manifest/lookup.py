"""A valid manifest, to look sources up in: by id, label, number and address."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import msgspec

from citelint.errors import ManifestError
from citelint.manifest.format import Run, Source
from citelint.manifest.reading import MAX_BYTES, read_manifest
from citelint.urls import parse_url, url_key


class Manifest(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A valid manifest, for looking things up. Indices are made when first asked for.

    >>> Manifest.from_dict({"version": 1, "run": {"id": "r"}, "sources": []}).sources
    ()
    """

    run: Run
    recorded: tuple[Source, ...]
    """All sources in file order; numbers count these."""
    numbering: int | None = None
    withheld: frozenset[str] = frozenset()
    """Ids of sources that do not count as evidence, whatever names them (see :meth:`without`)."""

    @classmethod
    def load(cls, path: str | Path) -> Manifest:
        """The manifest in a file.

        :raises ManifestError: CL501 when there is none, CL502 when it is not valid.
        """
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise ManifestError(
                f"there is no evidence manifest at {path}",
                code="CL501",
                help="the system that ran the tools writes it, by default beside the answer",
            ) from None
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ManifestError(f"the manifest cannot be read: {reason.lower()}") from None
        return cls.from_json(data)

    @classmethod
    def from_json(cls, data: bytes | str) -> Manifest:
        """The manifest in a JSON text.

        :raises ManifestError: it is not valid; its ``path`` says where.
        """
        if isinstance(data, str):
            data = data.encode(errors="surrogatepass")  # and then refused, as not UTF-8
        file = read_manifest(data)
        return cls(run=file.run, recorded=file.sources, numbering=file.numbering)

    @classmethod
    def from_dict(cls, value: object) -> Manifest:
        """The manifest in Python's form of the JSON, which is copied.

        :raises ManifestError: it is not valid, or is no JSON.
        """
        try:
            data = msgspec.json.encode(value)
        except (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError) as error:
            raise ManifestError(f"the manifest cannot be written as JSON: {error}") from None
        return cls.from_json(data)

    def without(self, ids: Iterable[str]) -> Manifest:
        """The same record, in which these sources are no evidence.

        What names one of them then names nothing, and never another source: places in the numbering
        stay counted and labels stay taken.
        """
        return msgspec.structs.replace(self, withheld=self.withheld.union(ids))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The sources that may count as evidence, in file order."""
        if not self.withheld:
            return self.recorded
        return tuple(source for source in self.recorded if source.id not in self.withheld)

    def by_id(self, source_id: str) -> Source | None:
        """The source of that id."""
        return self._by_id.get(source_id)

    def by_label(self, label: str) -> Source | None:
        """The source with that marker; letter case counts only where it tells two sources apart."""
        source = self._by_label.get(label) or self._by_folded_label.get(label.casefold())
        return None if source is None or source.id in self.withheld else source

    def by_number(self, number: int) -> Source | None:
        """The source that a bare number counts to, if the manifest declares a numbering."""
        if self.numbering is None or not 0 <= number - self.numbering < len(self.recorded):
            return None
        source = self.recorded[number - self.numbering]
        return None if source.id in self.withheld else source

    def by_url(self, key: str) -> Source | None:
        """The source of that address, by its :func:`citelint.urls.url_key`; an opened one if there is one."""
        found = self._by_key.get(key)
        return found[0] if found else None

    def captures_of(self, key: str) -> tuple[Source, ...]:
        """All sources of that address: those opened, of unstated level, listed; each in file order."""
        return self._by_key.get(key, ())

    def urls_of(self, source: Source) -> tuple[str, ...]:
        """The addresses of a source as written; none of a private one, for nobody is to see it."""
        if source.private:
            return ()
        return (source.url, *source.urls) if source.url else source.urls

    @cached_property
    def hosts(self) -> frozenset[str]:
        """All hosts of :meth:`urls_of`, as a browser writes them."""
        parsed = (parse_url(url) for source in self.sources for url in self.urls_of(source))
        return frozenset(url.host for url in parsed if url)

    @cached_property
    def _by_id(self) -> dict[str, Source]:
        return {source.id: source for source in self.sources}

    @cached_property
    def _by_label(self) -> dict[str, Source]:
        return {label: source for source in self.recorded for label in source.markers}

    @cached_property
    def _by_folded_label(self) -> dict[str, Source | None]:
        folded: dict[str, Source | None] = {}
        for label, source in self._by_label.items():
            key = label.casefold()
            folded[key] = source if folded.get(key, source) is source else None
        return folded

    @cached_property
    def _by_key(self) -> dict[str, tuple[Source, ...]]:
        found: dict[str, dict[str, Source]] = {}
        for source in sorted(self.sources, key=lambda source: _LEVELS[source.level]):
            for url in self.urls_of(source):
                found.setdefault(url_key(url) or url, {})[source.id] = source
        return {key: tuple(sources.values()) for key, sources in found.items()}


_LEVELS = {"opened": 0, None: 1, "listed": 2}


def find_sidecar(answer: Path) -> Path:
    """Where the manifest of an answer is by convention: ``answer.evidence.json`` for ``answer.md``."""
    return answer.parent / f"{answer.stem}.evidence.json"
