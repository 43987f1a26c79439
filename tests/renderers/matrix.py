"""The renderer matrix: what common Markdown renderers make of a text.

Nothing here uses citelint. There are two sets: the renderers *at hand*, for tests that show many small
texts one by one, and *all* of them, to whom texts are shown in one go, those of Node beside those of Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Thread
from typing import NamedTuple

from tests.renderers.node import Crash, Kitchen, Rendered, kitchen
from tests.renderers.python import AT_HAND, FURTHER, Renderer
from tests.renderers.sinks import Found, is_plain_host, key, outside, sinks

__all__ = [
    "Crash",
    "Found",
    "Seen",
    "is_plain_host",
    "key",
    "kitchen",
    "look",
    "missing",
    "names",
    "outside",
    "renderers",
    "sinks",
    "sinks_by_renderer",
    "summary",
    "tally",
]


@cache
def renderers() -> dict[str, Renderer]:
    """Those at hand: name → function from Markdown to HTML."""
    return {name: make() for name, make in AT_HAND.items()}


def sinks_by_renderer(text: str) -> Iterator[tuple[str, Found]]:
    """Every sink that any renderer at hand makes of *text*, with the renderer's name."""
    for name, render in renderers().items():
        for found in sinks(render(text)):
            yield name, found


class Seen(NamedTuple):
    """What one renderer made of one text."""

    text: str
    renderer: str
    rendered: Rendered

    @property
    def sinks(self) -> tuple[Found, ...]:
        """None where the renderer failed: then nobody is shown anything."""
        return () if isinstance(self.rendered, Crash) else sinks(self.rendered)


tally: Counter[str] = Counter()
"""How many texts :func:`look` showed to each renderer; under ``… (crashed)``, how many it failed on."""


def names() -> list[str]:
    """All renderers that are here."""
    return [*_python()[0], *_node()]


def missing() -> dict[str, str]:
    """The renderers that are not here, and why."""
    node = kitchen()
    return _python()[1] | ({"those of Node": node} if isinstance(node, str) else node.missing)


def summary() -> list[str]:
    """What was shown to whom, for people."""
    shown = {name: count for name, count in tally.items() if not name.endswith(" (crashed)")}
    if not shown:
        return []
    total = sum(shown.values())
    lines = [f"renderer matrix: {max(shown.values())} texts × {len(shown)} renderers = {total} renderings"]
    failed = {
        name.removesuffix(" (crashed)"): tally[name] for name in tally if name not in shown and tally[name]
    }
    if failed:
        said = ", ".join(f"{name} {count}" for name, count in failed.items())
        lines.append(f"renderer matrix: renderers that failed by themselves: {said}")
    return lines


def look(texts: Iterable[str]) -> Iterator[Seen]:
    """What every renderer makes of every text, each text once, text by text."""
    chosen = list(dict.fromkeys(texts))
    node: dict[str, list[Rendered]] = {}
    beside = Thread(target=_cook, args=(chosen, node), daemon=True)
    beside.start()
    python = {name: _column(name, chosen) for name in _python()[0]}
    beside.join()
    columns = python | node
    assert list(columns) == names(), "a renderer was lost on the way"
    for row, text in enumerate(chosen):
        for name, column in columns.items():
            tally[name] += 1
            tally[f"{name} (crashed)"] += isinstance(column[row], Crash)
            yield Seen(text, name, column[row])


def _cook(texts: Sequence[str], columns: dict[str, list[Rendered]]) -> None:
    process = kitchen()
    if isinstance(process, Kitchen):
        for name in process.names:
            columns[name] = list(process.render(name, texts))


def _column(name: str, texts: Sequence[str]) -> list[Rendered]:
    column: list[Rendered] = []
    for text in texts:
        try:
            column.append(_python()[0][name](text))
        except Exception as error:  # noqa: BLE001  whatever other people's renderers raise
            column.append(Crash(f"{type(error).__name__}: {error}"[:300]))
            _python()[0][name] = (AT_HAND | FURTHER)[name]()  # some never recover
    return column


@cache
def _python() -> tuple[dict[str, Renderer], dict[str, str]]:
    """The renderers that can be imported, and why the others cannot."""
    here, gone = dict(renderers()), {}
    for name, make in FURTHER.items():
        try:
            here[name] = make()
        except ImportError as error:
            gone[name] = str(error)
    return here, gone


def _node() -> tuple[str, ...]:
    process = kitchen()
    return process.names if isinstance(process, Kitchen) else ()
