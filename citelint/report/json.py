"""The report as JSON, for programs. Its keys are part of the public interface.

``version``
    1; a higher number where a key changes its meaning or goes.
``files[]``
    ``path``, ``status`` (``verified``, ``unverified``, ``rejected``, or null with an error), ``cited``
    (source ids in order of first use), ``changed``, ``refused``, ``error`` (null, or ``code``, which may
    be null, ``message``, ``help``).
``findings[]``
    ``code``, ``name``, ``severity``, ``message``, ``path``, ``line``, ``column``, ``end_line``,
    ``end_column`` (from 1, in characters), ``help``, and ``address``: null, or ``host`` (its last two
    labels), ``length``, ``sha256_8``, and ``full`` only with ``--show-addresses``.
``summary``
    ``files``, ``clean``, ``errors``, ``warnings``, ``notes``, ``failed``, ``changed``, ``refused``,
    ``skipped``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from citelint.model import Finding
from citelint.report.addresses import reduce_address
from citelint.report.outcome import Outcome, tally

FORMAT_VERSION = 1


def format_json(outcomes: Sequence[Outcome], *, skipped: int = 0, show_addresses: bool = False) -> str:
    """The whole report; pure ASCII, so that no terminal, log or editor acts on what an answer held."""
    document = {
        "version": FORMAT_VERSION,
        "files": [_file(outcome) for outcome in outcomes],
        "findings": [
            _finding(finding, outcome.path, show_addresses=show_addresses)
            for outcome in outcomes
            for finding in outcome.findings
        ],
        "summary": asdict(tally(outcomes, skipped)),
    }
    text = json.dumps(document, indent=2)
    # JSON's own signs hold no `#` and no DEL, so these are inside a string. `##[…]` is a command to some CI.
    return text.replace("##", "#\\u0023").replace("\x7f", "\\u007f") + "\n"


def _file(outcome: Outcome) -> dict[str, Any]:
    error = outcome.error
    return {
        "path": outcome.path,
        "status": outcome.status or None,
        "cited": list(outcome.cited),
        "changed": outcome.changed,
        "refused": outcome.refused,
        "error": error
        and {
            "code": outcome.error_name.partition(" ")[0] or None,
            "message": error.message,
            "help": error.help,
        },
    }


def _finding(finding: Finding, path: str, *, show_addresses: bool) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "help": finding.help,
        "address": _address(finding.address, show_addresses=show_addresses),
    }


def _address(address: str, *, show_addresses: bool) -> dict[str, Any] | None:
    if not address:
        return None
    reduced: dict[str, Any] = asdict(reduce_address(address))
    return reduced | {"full": address} if show_addresses else reduced
