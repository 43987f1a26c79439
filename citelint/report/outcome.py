"""What a command found out about each answer, as every report format is given it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from citelint.errors import CitelintError, ManifestError
from citelint.model import Finding, Severity

_ERROR_NAMES = {"CL501": "missing-manifest", "CL502": "manifest-invalid", "CL503": "snapshot-mismatch"}


class Outcome(msgspec.Struct, frozen=True):
    """One answer after a command."""

    path: str
    data: bytes = b""
    """The answer as it was read; source lines are shown from it."""
    findings: tuple[Finding, ...] = ()
    status: str = ""
    """``verified``, ``unverified`` or ``rejected``; empty when there was an error."""
    cited: tuple[str, ...] = ()
    changed: bool = False
    """The answer was, or would be, rewritten."""
    refused: bool = False
    """Nothing was written because the answer does not hold."""
    error: CitelintError | None = None
    """Why there are no findings: the answer, its manifest or citelint itself failed."""

    def without_text(self) -> Outcome:
        """The same, no longer holding the answer: a long run must not keep them all."""
        return msgspec.structs.replace(self, data=b"")

    @property
    def error_name(self) -> str:
        """Code and name of a manifest's fault, e.g. ``CL501 missing-manifest``; else empty."""
        if not isinstance(self.error, ManifestError):
            return ""
        code = self.error.code
        return f"{code} {_ERROR_NAMES[code]}" if code in _ERROR_NAMES else code


class Tally(msgspec.Struct, frozen=True):
    """The numbers of a closing summary."""

    files: int
    """Answers that were read; those with an error are not among them."""
    clean: int
    """Answers without any finding."""
    errors: int
    warnings: int
    notes: int
    failed: int
    """Paths that gave an error instead."""
    changed: int
    refused: int
    skipped: int


def tally(outcomes: Sequence[Outcome], skipped: int = 0) -> Tally:
    """Count *outcomes* up."""
    read = [outcome for outcome in outcomes if outcome.error is None]
    severities = [finding.severity for outcome in read for finding in outcome.findings]
    return Tally(
        files=len(read),
        clean=sum(not outcome.findings for outcome in read),
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        notes=severities.count(Severity.NOTE),
        failed=len(outcomes) - len(read),
        changed=sum(outcome.changed for outcome in read),
        refused=sum(outcome.refused for outcome in read),
        skipped=skipped,
    )
