"""The ways out that are known, by their smallest inputs: those to be mended fail, and it is said when not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import citelint
from tests import test_attacks as attacks
from tests.renderers.known import ACCEPTED, TO_MEND, Known, kind_of
from tests.renderers.matrix import is_plain_host, kitchen, look, outside

MANIFEST = attacks.manifest_of(attacks.VOUCHED)

if isinstance(kitchen(), str):  # said once, and not for every kind
    pytest.skip("some of these only renderers of Node see (make renderers)", allow_module_level=True)


def _ways_out(text: str) -> Iterator[tuple[str, str | None]]:
    fixed = citelint.fix(text, MANIFEST, policy=attacks.policy_of()).text
    for seen in look([fixed]):
        for found in outside(seen.sinks, attacks.VOUCHED):
            if not is_plain_host(found):
                yield f"{seen.renderer}: {found.channel} {found.where} {found.url!r}", kind_of(seen, found)


def _named(kind: Known) -> str:
    return kind.name


@pytest.mark.parametrize("kind", TO_MEND, ids=_named)
@pytest.mark.xfail(strict=True, reason="known; once it is mended, its entry goes from known.py")
def test_to_mend(kind: Known) -> None:
    assert not [one for text in kind.smallest for one in _ways_out(text)]


@pytest.mark.parametrize("kind", [*ACCEPTED, *TO_MEND], ids=_named)
def test_every_kind_is_still_seen_and_has_its_name(kind: Known) -> None:
    """Else an entry would hide what it is not about."""
    for text in kind.smallest:
        found = list(_ways_out(text))
        assert found, text
        assert not [one for one, name in found if name is None], text
