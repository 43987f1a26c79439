"""citelint: the last thing between a language model's answer and its reader.

It lets through only what the evidence manifest, written by the system that ran the tools, vouches for.

>>> import citelint
>>> manifest = citelint.Manifest.load("answer.evidence.json")     # doctest: +SKIP
>>> result = citelint.fix(text, manifest)                         # doctest: +SKIP
>>> result.status, result.cited                                   # doctest: +SKIP

Everything here is pure: no network, no file access but ``load``, no global state. Names are imported
when they are first used, so that ``import citelint`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citelint.citations import render_sources, verify_citations
    from citelint.errors import (
        CitelintError,
        InputError,
        ManifestError,
        PolicyError,
        PostconditionError,
        RuleError,
        UnknownCitationError,
    )
    from citelint.manifest import Manifest, Source
    from citelint.model import Finding, Severity, Status
    from citelint.pipeline import Rendered, Report, Result, check, fix, render
    from citelint.policy import Policy

__version__ = "0.1.0"

_HOMES = {
    "citelint.citations": ("render_sources", "verify_citations"),
    "citelint.errors": (
        "CitelintError",
        "InputError",
        "ManifestError",
        "PolicyError",
        "PostconditionError",
        "RuleError",
        "UnknownCitationError",
    ),
    "citelint.manifest": ("Manifest", "Source"),
    "citelint.model": ("Finding", "Severity", "Status"),
    "citelint.pipeline": ("Rendered", "Report", "Result", "check", "fix", "render"),
    "citelint.policy": ("Policy",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CitelintError",
    "Finding",
    "InputError",
    "Manifest",
    "ManifestError",
    "Policy",
    "PolicyError",
    "PostconditionError",
    "Rendered",
    "Report",
    "Result",
    "RuleError",
    "Severity",
    "Source",
    "Status",
    "UnknownCitationError",
    "check",
    "fix",
    "render",
    "render_sources",
    "verify_citations",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'citelint' has no attribute {name!r}")
    return getattr(import_module(home), name)
