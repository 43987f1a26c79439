"""The known ways out, by their smallest inputs: the mended ones stay so, the others keep their names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

import citelint
from tests import test_attacks as attacks
from tests.renderers.known import ACCEPTED, MENDED, OK_TWO, Known, kind_of
from tests.renderers.matrix import Seen, is_plain_host, kitchen, look, outside
from tests.renderers.sinks import Found

VOUCHED = [*attacks.VOUCHED, OK_TWO]
MANIFEST = attacks.manifest_of(VOUCHED)

if isinstance(kitchen(), str):  # said once, and not for every kind
    pytest.skip("some of these only renderers of Node see (make renderers)", allow_module_level=True)


def _fixed(text: str) -> str:
    return citelint.fix(text, MANIFEST, policy=attacks.policy_of()).text


@cache
def _seen() -> dict[str, list[tuple[Seen, Found]]]:
    """Every smallest input → what any renderer finds in its fixed text; each renderer is asked once."""
    inputs = [*MENDED, *(text for kind in ACCEPTED for text in kind.smallest)]
    fixed = {text: _fixed(text) for text in inputs}
    found: dict[str, list[tuple[Seen, Found]]] = {}
    for seen in look(dict.fromkeys(fixed.values())):
        found.setdefault(seen.text, []).extend((seen, sink) for sink in seen.sinks)
    return {text: found.get(written, []) for text, written in fixed.items()}


def _ways_out(text: str) -> Iterator[tuple[str, str | None]]:
    for seen, found in _seen()[text]:
        if outside([found], VOUCHED) and not is_plain_host(found):
            yield f"{seen.renderer}: {found.channel} {found.where} {found.url!r}", kind_of(seen, found)


def _named(kind: Known) -> str:
    return kind.name


@pytest.mark.parametrize("text", MENDED)
def test_what_was_mended_leads_nowhere(text: str) -> None:
    assert not [one for one, name in _ways_out(text) if name is None]
    once = _fixed(text)
    assert _fixed(once) == once


@pytest.mark.parametrize("kind", ACCEPTED, ids=_named)
def test_every_kind_is_still_seen_and_has_its_name(kind: Known) -> None:
    """Else an entry would hide what it is not about."""
    for text in kind.smallest:
        found = list(_ways_out(text))
        assert found, text
        assert not [one for one, name in found if name is None], text
