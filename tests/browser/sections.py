"""Many pieces of HTML in few pages, each in a section of its own, so that one visit shows them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.browser.visit import Browser, Visited

PER_PAGE = 250

_SHAPE = """(() => {
  const home = document.getElementById('section-0').parentElement;
  const all = [...home.children];
  return home.matches('body, body > main') && all.length === %d &&
    all.every((one, at) => one.matches('section') && one.id === 'section-' + at);
})()"""


class Shown(NamedTuple):
    """The pieces that one page held, and what became of the visit."""

    pieces: tuple[str, ...]
    seen: Visited


def bare(body: str) -> str:
    """A page without a policy, so that nothing but its content decides what is fetched."""
    return f"<!doctype html>\n<meta charset=utf-8>\n<title>All</title>\n<body>{body}"


def visit_all(
    browser: Browser, pieces: Sequence[str], *, around: Callable[[str], str] = bare
) -> Iterator[Shown]:
    """Shows every different piece, in pages that *around* makes; one that reaches into the next, alone."""
    different = list(dict.fromkeys(pieces))
    for start in range(0, len(different), PER_PAGE):
        yield from _visit(browser, different[start : start + PER_PAGE], around)


def _visit(browser: Browser, pieces: Sequence[str], around: Callable[[str], str]) -> Iterator[Shown]:
    body = "".join(f'<section id="section-{at}">\n{piece}\n</section>' for at, piece in enumerate(pieces))
    seen = browser.visit(around(body), shape=_SHAPE % len(pieces) if len(pieces) > 1 else "true")
    if seen.kept or len(pieces) == 1:
        yield Shown(tuple(pieces), seen)
        return
    # What comes after an open comment or <textarea> has not been looked at.
    half = len(pieces) // 2
    yield from _visit(browser, pieces[:half], around)
    yield from _visit(browser, pieces[half:], around)
