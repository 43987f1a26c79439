"""The data of ``rules/urls/``, read once, when it is first needed."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from citelint.data import data_folder


class Tracking(msgspec.Struct, frozen=True):
    """Query parameters that never choose a page. All lower case."""

    names: frozenset[str]
    prefixes: tuple[str, ...]
    with_value: frozenset[str]
    values: frozenset[str]

    def covers(self, name: str, value: str) -> bool:
        """Whether the parameter *name* with this *value*, both as spelt in a query, is one of them."""
        name = name.lower()
        return (
            name in self.names
            or name.startswith(self.prefixes)
            or (name in self.with_value and value.lower() in self.values)
        )


class Confusables(msgspec.Struct, frozen=True):
    """Characters that are drawn like others."""

    ascii_letters: frozenset[str]
    marks: frozenset[str]
    in_words: frozenset[str]


class Redirector(msgspec.Struct, frozen=True):
    """Where addresses stand for others: below a path, given in one of the parameters if there are any."""

    path: str
    parameters: frozenset[str]


class Redirectors(msgspec.Struct, frozen=True):
    """Both by host; a host covers its subdomains."""

    redirectors: dict[str, tuple[Redirector, ...]]
    archives: dict[str, tuple[str, ...]]


@cache
def tracking() -> Tracking:
    """The contents of ``tracking.toml``."""
    table = _read("tracking")
    return Tracking(
        frozenset(table["names"]),
        tuple(table["prefixes"]),
        frozenset(table["only_with"]["names"]),
        frozenset(table["only_with"]["values"]),
    )


@cache
def redirectors() -> Redirectors:
    """The contents of ``redirectors.toml``."""
    table = _read("redirectors")
    known: dict[str, tuple[Redirector, ...]] = {}
    archives: dict[str, tuple[str, ...]] = {}
    for entry in table["redirector"]:
        redirector = Redirector(entry["path"], frozenset(entry.get("parameters", ())))
        for host in entry["hosts"]:
            known[host] = (*known.get(host, ()), redirector)
    for entry in table["archive"]:
        for host in entry["hosts"]:
            archives[host] = (*archives.get(host, ()), entry["path"])
    return Redirectors(known, archives)


@cache
def confusables() -> Confusables:
    """The contents of ``confusables.toml``."""
    table = _read("confusables")
    letters = table["cyrillic"] + table["greek"] + table["armenian"] + table["latin"]
    return Confusables(frozenset(letters), frozenset(table["marks"]), frozenset(table["in_words"]))


@cache
def suffixes() -> frozenset[str]:
    """The contents of ``hosts.toml``: last labels, as people write them."""
    return frozenset(" ".join(_read("hosts").values()).split())


def _read(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads((data_folder("rules") / "urls" / f"{name}.toml").read_text(encoding="utf-8"))
