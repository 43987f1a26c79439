"""Writes the rule pages, ``docs/rules/*.md``, from the rule files.

Run ``python docs/generate_rules.py`` after changing one.
"""

from __future__ import annotations

from pathlib import Path

from citelint.rules import Example, Rule, all_rules

FOLDER = Path(__file__).resolve().parent / "rules"

_FIXES = {
    "removed": "`fix` removes it and leaves the words.",
    "rewritten": "`fix` writes it anew from the manifest.",
    "neutralised": "`fix` writes it so that it shows the same and does nothing.",
    "none": "`fix` leaves it to you.",
}


def pages() -> dict[str, str]:
    """File name → content, for all rules."""
    made = {f"{rule.code}.md": page(rule) for rule in all_rules()}
    made["index.md"] = index(all_rules())
    return made


def index(rules: tuple[Rule, ...]) -> str:
    """The table of all rules."""
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity} | {rule.summary} |"
        for rule in rules
    ]
    head = ["# Rules", "", "| code | name | severity | what |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, ""])


def page(rule: Rule) -> str:
    """What `citelint rule` knows about one rule, as a page."""
    parts = [
        f"# {rule.code} {rule.name}",
        rule.summary,
        f"Severity: {rule.severity}. {_FIXES[rule.fix]}",
        "## Why",
        rule.why.strip(),
        "## What to do",
        rule.help[:1].upper() + rule.help[1:] + ".",
        "## Found",
        *(_example(example) for example in rule.examples.bad),
        "## Left alone",
        *(_example(example) for example in rule.examples.good),
    ]
    return "\n\n".join(parts) + "\n"


def _example(example: Example) -> str:
    parts = [example.note] if example.note else []
    parts.append(_fenced(example.input, "markdown"))
    if example.manifest == "":
        parts.append("There is no manifest.")
    elif example.manifest is not None:
        parts += ["With this manifest:", _fenced(example.manifest, "json")]
    for name, content in example.files.items():
        parts += [f"And in `{name}`:", _fenced(content, "text")]
    if example.policy:
        settings = "\n".join(f"{key} = {_toml(value)}" for key, value in example.policy.items())
        parts += ["With these settings:", _fenced(settings, "toml")]
    return "\n\n".join(parts)


def _fenced(text: str, language: str) -> str:
    """A code block that its content cannot close."""
    shown = _visible(text.strip("\n"))
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in shown).split()), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def _visible(text: str) -> str:
    """The text with what cannot be seen written as ``<U+202E>``."""
    return "".join(c if c == "\n" or c.isprintable() else f"<U+{ord(c):04X}>" for c in text)


def _toml(value: bool | int | str | list[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def main() -> None:
    """Write all pages; pages of rules that are gone go too."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, content in made.items():
        (FOLDER / name).write_text(content, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
