"""The rules as data: one TOML file each in ``rules/``, read only when somebody asks for that rule.

A rule file says what a finding is called, how much it matters, what it tells the reader and why; what
*finds* it is code in ``checks``. Users add folders with files of their own, whose findings come from
patterns in the file: data again, never code.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from citelint.data import data_folder
from citelint.errors import RuleError
from citelint.model import Severity
from citelint.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FIXES = ("removed", "rewritten", "neutralised", "none")
"""What ``fix`` does with what a rule finds."""

PLACEHOLDERS = ("what", "why", "source", "count", "limit")
"""What a message may ask for, written ``{what}``."""

_CODE = pattern(r"[A-Z]{2,8}[0-9]{3}")
_NAME = pattern(r"[a-z0-9-]{3,40}")
_PLACEHOLDER = pattern(r"\{([a-z]{1,16})\}")
_AT_LINE = pattern(r"\(at line ([0-9]{1,9}), column ([0-9]{1,9})\)")
_JSON_PATH = pattern(r"`\$([^`]*)`")


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer that a rule's tests run, and that its page shows."""

    input: str = ""
    codes: tuple[str, ...] = ()
    """For a bad example, what must be found; always the rule's own code among it."""
    note: str = ""
    manifest: str | None = None
    """JSON in place of the standard manifest; the empty text means that there is none."""
    policy: dict[str, bool | int | str | list[str]] = {}
    """Settings, under the names they have in a config file."""
    files: dict[str, str] = {}
    """Files beside the manifest, e.g. snapshots."""


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule finds, and what it leaves alone."""

    bad: tuple[Example, ...]
    good: tuple[Example, ...]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule, as its file states it."""

    code: str
    name: str
    severity: Severity
    summary: str
    message: str
    """What a finding says. Placeholders such as ``{what}`` are filled by :meth:`say`."""
    help: str
    fix: str
    """What ``fix`` does about it: one of :data:`FIXES`."""
    why: str
    examples: Examples
    parameters: dict[str, bool | int | float | str | list[str]] = {}

    def say(self, **values: str) -> str:
        """The message with its placeholders filled.

        Values are untrusted text. They are put in once and never looked at again, so a value that
        itself reads ``{why}`` stays as it is; escaping is the report's part.
        """
        return _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), self.message)

    @property
    def patterns(self) -> tuple[str, ...]:
        """The RE2 patterns of a user's rule; empty for citelint's own."""
        patterns = self.parameters.get("patterns", ())
        return tuple(patterns) if isinstance(patterns, (list, tuple)) else ()


@cache
def rule(code: str) -> Rule:
    """Citelint's own rule of that code; reads that one file, the first time.

    Raises :class:`RuleError` when there is none.
    """
    path = data_folder("rules") / f"{code}.toml"
    if not _CODE.fullmatch(code) or not path.is_file():
        raise RuleError(f"no rule {code!r}", help="`citelint rule --list` shows all")
    return _read(path)


@cache
def all_rules() -> tuple[Rule, ...]:
    """All of citelint's own rules, by code."""
    return tuple(rule(path.stem) for path in sorted(data_folder("rules").glob("CL*.toml")))


def load_rules(folders: Iterable[Path]) -> tuple[Rule, ...]:
    """The rules in a user's folders, by code.

    Raises :class:`RuleError`, which names the file, the key and what is allowed there.
    """
    found: dict[str, Path] = {}
    rules: list[Rule] = []
    for folder in folders:
        if not folder.is_dir():
            raise RuleError(
                f"{folder}: no such folder", help="`rules` in the config lists folders of rule files"
            )
        for path in sorted(folder.glob("*.toml")):
            one = _read(path)
            _check_users(one, path)
            if one.code in found:
                raise _fault(path, "code", f"{one.code} is also in {found[one.code]}", "one file a code")
            found[one.code] = path
            rules.append(one)
    return tuple(sorted(rules, key=lambda one: one.code))


_ALLOWED = {
    "code": "two to eight capitals and three digits, e.g. 'ORG001', as the file is named",
    "name": "lower-case words with hyphens",
    "severity": ", ".join(repr(str(severity)) for severity in Severity),
    "fix": ", ".join(map(repr, FIXES)),
    "message": "one line; placeholders " + ", ".join(f"{{{name}}}" for name in PLACEHOLDERS),
    "summary": "one line",
    "why": "a paragraph",
    "examples": "[[examples.bad]] and [[examples.good]] tables, at least one of each",
    "examples.bad": "tables with " + ", ".join(Example.__struct_fields__),
    "examples.good": "tables with " + ", ".join(Example.__struct_fields__),
    "parameters": "a table of numbers, texts, true/false or lists of texts",
    "parameters.patterns": "a list of RE2 patterns",
    "": "the keys " + ", ".join(Rule.__struct_fields__),
}


def _read(path: Path) -> Rule:
    import tomllib

    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: {error}", help="a rule file is UTF-8 text") from None
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        place = f"{path}:{at[1]}:{at[2]}" if at else str(path)
        raise RuleError(f"{place}: not TOML: {_AT_LINE.sub('', str(error)).strip()}") from None
    try:
        one = msgspec.convert(table, Rule)
    except msgspec.ValidationError as error:
        message = str(error)
        at = _JSON_PATH.search(message)
        key = at[1].lstrip(".").partition("[")[0] if at else ""
        raise _fault(path, key, message.partition(" - at ")[0]) from None
    _check(one, path)
    return one


def _check(one: Rule, path: Path) -> None:
    """What the types do not say."""
    if not _CODE.fullmatch(one.code) or one.code != path.stem:
        raise _fault(path, "code", f"{one.code!r}")
    if not _NAME.fullmatch(one.name):
        raise _fault(path, "name", f"{one.name!r}")
    if one.fix not in FIXES:
        raise _fault(path, "fix", f"{one.fix!r}")
    for key, text in (("summary", one.summary), ("message", one.message)):
        if not text or "\n" in text:
            raise _fault(path, key, "must be one line of text")
    for place in _PLACEHOLDER.findall(one.message):
        if place not in PLACEHOLDERS:
            raise _fault(path, "message", f"unknown placeholder {{{place}}}")
    if not one.why.strip():
        raise _fault(path, "why", "is empty")
    if not one.examples.bad or not one.examples.good:
        raise _fault(path, "examples", "one kind is missing")
    for example in one.examples.bad:
        if one.code not in example.codes:
            raise _fault(path, "examples.bad", f"`codes` must list {one.code}")


def _check_users(one: Rule, path: Path) -> None:
    import re2

    if one.code.startswith("CL"):
        raise _fault(path, "code", f"{one.code!r}: CL is for citelint's own", "other letters, e.g. 'ORG001'")
    if one.fix != "none":
        raise _fault(path, "fix", f"{one.fix!r}: a user's rule reports and changes nothing", "'none'")
    if not one.patterns:
        raise _fault(path, "parameters.patterns", "is missing")
    options = re2.Options()
    options.log_errors = False  # it would write to stderr by itself
    for source in one.patterns:
        try:
            re2.compile(source, options)
        except re2.error as error:
            reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
            raise _fault(path, "parameters.patterns", f"{source!r}: {reason}") from None


def _fault(path: Path, key: str, what: str, allowed: str = "") -> RuleError:
    where = f"{path}: `{key}`" if key else f"{path}"
    return RuleError(f"{where}: {what}", help=f"allowed: {allowed or _ALLOWED.get(key, _ALLOWED[''])}")
