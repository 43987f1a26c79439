"""``citelint rule``: explain a rule, from its own file."""

from __future__ import annotations

import argparse
import textwrap

from citelint.errors import InputError, RuleError
from citelint.policy import did_you_mean
from citelint.rules import Rule, all_rules, rule


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``rule``."""
    parser.add_argument("rule", metavar="CODE", nargs="?", help="a code or a name: CL101, unresolved-link")
    parser.add_argument("--list", action="store_true", help="all rules, one a line")


def run(args: argparse.Namespace) -> int:
    """Print one rule, or the list of all."""
    if args.list == bool(args.rule):
        raise InputError("give a code, or --list", help="citelint rule CL101")
    if args.list:
        for one in all_rules():
            print(f"{one.code}  {one.name:<22} {one.severity!s:<8} {one.summary}")
    else:
        print(_explain(_find(args.rule)), end="")
    return 0


def _find(word: str) -> Rule:
    try:
        return rule(word.upper())
    except RuleError:
        names = {one.name: one for one in all_rules()}
        found = names.get(word.lower())
        if found is None:
            known = [*names, *(one.code for one in names.values())]
            raise InputError(
                f"no rule {word!r}", help=did_you_mean(word, known, "`citelint rule --list` shows all")
            ) from None
        return found


def _explain(one: Rule) -> str:
    parts = [f"{one.code} {one.name} ({one.severity})", one.summary, f"fix: {one.fix}", f"help: {one.help}"]
    parts.append(_paragraphs(one.why))
    if one.parameters:
        parts.append(
            "parameters:\n" + "\n".join(f"    {name} = {value!r}" for name, value in one.parameters.items())
        )
    for title, examples in (("found in:", one.examples.bad), ("left alone:", one.examples.good)):
        for example in examples:
            note = f" ({example.note})" if example.note else ""
            parts.append(f"{title}{note}\n" + _example(example.input))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _paragraphs(text: str) -> str:
    return "\n\n".join(textwrap.fill(paragraph, 88) for paragraph in text.strip().split("\n\n"))


def _example(text: str) -> str:
    """The example, indented; some hold control characters, to show what is found."""
    from citelint.report.escape import show

    return "\n".join(f"    {show(line)}".rstrip() for line in text.splitlines())
