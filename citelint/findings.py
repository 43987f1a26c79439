"""From changes to findings: what a person or a machine is told."""

from __future__ import annotations

from collections.abc import Iterable

from citelint.change import Change
from citelint.document import Document
from citelint.model import Finding, Severity
from citelint.policy import Policy
from citelint.rules import Rule, rule


def to_findings(
    document: Document, policy: Policy, changes: Iterable[Change], own_rules: Iterable[Rule] = ()
) -> tuple[Finding, ...]:
    """The changes in the order of their places, in the words of their rules, with the policy's severities.

    *own_rules* are the user's; a code that is not theirs is citelint's.
    """
    theirs = {own.code: own for own in own_rules}
    findings: list[Finding] = []
    severities: dict[str, str] = {}
    for change in sorted(changes, key=lambda change: (change.span, change.code)):
        known = theirs.get(change.code) or rule(change.code)
        severity = severities.setdefault(change.code, policy.severity_of(change.code, known.severity))
        if severity == "off":
            continue
        line, column = document.position(change.span.start)
        end_line, end_column = document.position(change.span.end)
        findings.append(
            Finding(
                code=change.code,
                name=known.name,
                severity=Severity(severity),
                message=known.say(**change.values),
                span=change.span,
                line=line,
                column=column,
                end_line=end_line,
                end_column=end_column,
                help=known.help,
                address=change.address,
            )
        )
    return tuple(findings)
