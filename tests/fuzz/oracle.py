"""What must hold for any answer whatever, and whether it does for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import citelint
from tests.fuzz.documents import VOUCHED
from tests.renderers.known import kind_of
from tests.renderers.matrix import Seen, is_plain_host, outside, renderers, sinks

MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "fuzz"},
        "sources": [
            {
                "id": f"src_{number:03}",
                "url": url,
                "title": f"Source {number}",
                "tool": "http.get",
                "level": "opened",
                "fetched_at": "2026-11-30T10:00:00Z",
                "sha256": f"{number:064x}",
                "media_type": "image/png" if url.endswith(".png") else "text/html",
                "markers": [str(number)],
            }
            for number, url in enumerate(VOUCHED, 1)
        ],
    }
)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"footnotes": "list"},
    {"footnotes": "inline"},
    {"footnotes": "none"},
    {"cite_links": "cite"},
    {"footnotes": "list", "cite_links": "cite"},
)


class Fault(NamedTuple):
    """Something that must not happen."""

    kind: str
    """What, in words that are the same for faults of one kind."""
    detail: str


def faults(text: str, kind: citelint.AnswerKind, settings: dict[str, Any]) -> Iterator[Fault]:
    """Everything that is wrong with what becomes of an answer; a refusal in citelint's own words is not."""
    policy = citelint.Policy(required=False, on_unverified="strip", **settings)

    def fix(what: str) -> str:
        return citelint.fix(what, MANIFEST, policy=policy, kind=kind).text

    fixed, crash = _attempt(fix, text)
    if crash or fixed is None:
        yield from crash
        return
    again, crash = _attempt(fix, fixed)
    yield from crash
    if again is None:
        yield Fault("refused what it wrote", repr(fixed))
    elif again != fixed:
        yield Fault("not stable", f"{fixed!r} -> {again!r}")
    yield from _ways_out(fixed) if kind == "markdown" else _sinks("fix", fixed)
    shown, crash = _attempt(lambda what: citelint.render(what, MANIFEST, policy=policy, kind=kind).text, text)
    yield from crash
    if shown is not None:
        yield from _sinks("render", shown)


def _attempt(act: Callable[[str], str], text: str) -> tuple[str | None, list[Fault]]:
    try:
        return act(text), []
    except citelint.CitelintError:
        return None, []
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return None, [Fault(f"{type(error).__name__}", str(error)[:200])]


def _ways_out(markdown: str) -> Iterator[Fault]:
    for name, render in renderers().items():
        seen = Seen(markdown, name, render(markdown))
        for found in seen.sinks:
            if outside([found], VOUCHED) and not is_plain_host(found) and not kind_of(seen, found):
                yield Fault(f"{name}: {found.channel} {found.where}", f"{found.url!r} in {markdown!r}")


def _sinks(what: str, html: str) -> Iterator[Fault]:
    for found in outside(sinks(html), VOUCHED):
        yield Fault(f"{what}: {found.channel} {found.where}", f"{found.url!r} in {html!r}")
