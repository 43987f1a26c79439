"""Citations that a model gave as structured output: ids in a list, not markers in a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from citelint.errors import UnknownCitationError
from citelint.manifest import Manifest, Source
from citelint.policy import Policy
from citelint.rendering.sources import html_sources, labels, markdown_sources


def verify_citations(
    ids: Iterable[str], manifest: Manifest, *, policy: Policy | None = None
) -> tuple[Source, ...]:
    """The sources of those ids, in order, each once.

    Raises :class:`~citelint.errors.UnknownCitationError` for an id that the manifest does not have, or whose
    source is no evidence under *policy*: a model's word is never enough.
    """
    if isinstance(ids, str):
        raise UnknownCitationError("a list of ids is needed, not one text", help="put the id into a list")
    policy = policy or Policy()
    sources: dict[str, Source] = {}
    for given in ids:
        source = manifest.by_id(given) if isinstance(given, str) else None
        if source is None:
            raise UnknownCitationError(
                f"citation {given!r:.80} is not in the manifest",
                help=f"the manifest has {len(manifest.sources)} sources; cite them by id",
            )
        if not policy.supports(source):
            raise UnknownCitationError(
                f"citation {given!r:.80} was {source.level or 'listed'} by {source.tool}: no evidence",
                help="cite a source that was opened, or change evidence-sources in the policy",
            )
        sources[source.id] = source
    return tuple(sources.values())


def render_sources(
    ids: Iterable[str],
    manifest: Manifest,
    *,
    to: Literal["md", "html", "json"] = "md",
    policy: Policy | None = None,
) -> str:
    """The list of these sources as Markdown, as HTML that passed the gate, or as JSON.

    JSON is a list of objects with ``id``, ``title``, ``url`` (absent for private sources) and ``sha256``.
    """
    policy = policy or Policy()
    sources = verify_citations(ids, manifest, policy=policy)
    if to == "md":
        return markdown_sources(sources, policy)
    if to == "json":
        return msgspec.json.encode([_record(source) for source in sources]).decode()
    from citelint.rendering.gate import clean

    own = {source.url for source in sources}
    return clean(
        html_sources(sources, policy, labels(sources)),
        lambda _tag, _attribute, value: value if value in own else None,
    )


def _record(source: Source) -> dict[str, str]:
    record = {"id": source.id, "title": source.title, "sha256": source.sha256}
    if source.url and not source.private:
        record["url"] = source.url
    return record
