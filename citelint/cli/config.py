"""``citelint config``: the settings that are in force, as TOML, each with where it comes from."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from citelint.cli.answers import add_config_option
from citelint.policy import Policy, find_config, find_root, from_table, keys, read_table


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``config``."""
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print a file that gives the same settings anywhere else."""
    root = find_root(Path())
    path = Path(args.config) if args.config else find_config(root)
    table = read_table(path) if path else {}
    policy = from_table(table, origin=str(path))
    print(f"# project root: {_one_line(str(root))}")
    print(f"# settings: {_one_line(str(path)) if path else 'none found, all are defaults'}")
    print(format_policy(policy, own=set(table)), end="")
    return 0


def format_policy(policy: Policy, own: set[str]) -> str:
    """The policy as TOML; settings that are not among *own* are marked as defaults."""
    lines = []
    for key, name in keys().items():
        line = f"{key} = {_toml(getattr(policy, name))}"
        lines.append(line if key in own else f"{line}  # default")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    # A JSON string is a TOML string, except that TOML has no surrogates: those are kept out of `\u` here.
    return "".join(_toml_character(character) for character in json.dumps(str(value), ensure_ascii=False))


def _toml_character(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _one_line(text: str) -> str:
    from citelint.report.escape import show

    return show(text)
