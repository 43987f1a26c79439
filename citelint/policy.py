"""The operator's settings: found, read, validated. Nothing in an answer can change them.

Values are checked when a :class:`Policy` is made, however it is made, so a wrong word in a service's
code fails as loudly as one in a config file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import msgspec

from citelint.errors import PolicyError
from citelint.patterns import pattern
from citelint.policy_values import (
    check_glob,
    check_page_sink,
    check_prefix,
    check_removed_link,
    check_severity,
    check_template,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citelint.manifest import Source

OnUnverified = Literal["refuse", "replace", "notice", "strip"]
Footnotes = Literal["gfm", "list", "inline", "none"]
CiteLinks = Literal["keep", "cite"]
FrontMatter = Literal["check", "keep"]
FailOn = Literal["error", "warning", "note"]
Numbers = Literal["off", "statistics", "strict"]
Language = Literal["en", "es", "pt"]

READERS = ("commonmark", "gfm", "mistune", "python-markdown", "linkify")
"""The Markdown parsers that an answer can be looked at through."""

PLATFORMS = ("github", "gitlab", "slack")
"""Where answers may be shown that act upon plain text (CL308)."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """Everything an operator can decide. In a file the names have hyphens: ``on-unverified``.

    Raises :class:`~citelint.errors.PolicyError` when a value is not one of those allowed.
    """

    answers: tuple[str, ...] = ()
    """Globs, from the project root, of files that are answers and must have a manifest."""
    required: bool = True
    """An answer in which no citation was verified is not shown as if it were fine."""
    evidence_sources: tuple[str, ...] = ("http.get", "kb.read")
    """Tools that read what they cite, as opposed to listing it."""
    allow_search_results_as_evidence: bool = False
    """A source that was only listed supports a citation too."""
    on_unverified: OnUnverified = "refuse"
    """What becomes of an answer that does not hold."""
    attach_snapshot_hash: bool = True
    """Rendered sources show the hash of their capture."""
    retention_days: int = 14
    """After so many days the text of a snapshot should be gone; its hash stays."""
    allow: tuple[str, ...] = ()
    """Address prefixes that need no manifest, e.g. ``https://docs.example.org/``."""
    page_sinks: tuple[str, ...] = ()
    """Prefixes of what a site's pages fetch and lead to around answers; ``inline`` for code in the pages."""
    allow_mail: bool = False
    """Mail addresses in the text stay whole."""
    footnotes: Footnotes = "gfm"
    """How citations and sources are written in Markdown."""
    cite_links: CiteLinks = "keep"
    """Whether a link that resolves also gets a footnote."""
    front_matter: FrontMatter = "check"
    """Whether metadata at the top is looked at, or trusted."""
    keep_comments: tuple[str, ...] = ()
    """HTML comments that stay, by their whole text, e.g. ``more``."""
    removed_link: str = "[link removed]"
    """What stands where a bare address stood."""
    max_citations_per_block: int = 8
    """Longer runs of citations are a finding."""
    fail_on: FailOn = "warning"
    """The least severity with which a command ends with 1."""
    severity: dict[str, str] = {}
    """Severities other than a rule's own, by code."""
    readers: tuple[str, ...] = ("commonmark", "gfm", "mistune")
    """Through whose eyes the output is read back; names of :data:`READERS`."""
    renders_as: tuple[str, ...] = ()
    """Where answers are shown; names of :data:`PLATFORMS`, which act upon mentions and the like (CL308)."""
    rules: tuple[str, ...] = ()
    """Folders of the user's own rule files, from the project root."""
    numbers: Numbers = "off"
    """Whether numbers need a citation near them."""
    inline_suppressions: bool = False
    """Whether comments in the answer may silence findings: the document is the attacker's."""
    manifest: str = ""
    """Where manifests are, from the project root, if not beside the answer: ``evidence/{stem}.json``.
    ``{stem}`` is the answer's name without its ending, ``{folder}`` its folder from the project root."""
    site_root: str = ""
    """The folder of the site's files, from the project root; relative links must lead to one of them."""
    language: Language = "en"
    """The language of what citelint itself writes into an answer."""

    def __post_init__(self) -> None:
        for name, kind in _TYPES.items():
            _of_type(name, getattr(self, name), kind)
        for name, allowed in _CHOICES.items():
            _one_of(name, getattr(self, name), allowed)
        for name in _TEXTS:
            _texts(name, getattr(self, name))
        _all_of("readers", self.readers, READERS)
        _all_of("renders_as", self.renders_as, PLATFORMS)
        if not self.readers:
            raise PolicyError("readers: at least one is needed", help=_any_of(READERS))
        for name, least in (("retention_days", 0), ("max_citations_per_block", 1)):
            if getattr(self, name) < least:
                raise PolicyError(f"{_kebab(name)}: {getattr(self, name)} is less than {least}")
        for prefix in self.allow:
            check_prefix(prefix)
        for prefix in self.page_sinks:
            check_page_sink(prefix)
        for glob in self.answers:
            check_glob(glob)
        check_template(self.manifest)
        check_removed_link(self.removed_link)
        for code, severity in self.severity.items():
            check_severity(code, severity)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """The settings of one file: a ``pyproject.toml`` with ``[tool.citelint]``, or a ``citelint.toml``.

        Raises :class:`~citelint.errors.PolicyError`, which names the file and the key.
        """
        return from_table(read_table(Path(path)), origin=str(path))

    @classmethod
    def find(cls, start: str | Path = ".") -> Policy:
        """The settings of the project around *start*; the defaults when it has none."""
        config = find_config(find_root(Path(start)))
        return cls.load(config) if config else cls()

    def supports(self, source: Source) -> bool:
        """Whether that source is evidence: its content was read, by a tool that reads (see CL105).

        A level that the manifest does not state follows from the tool. A search result counts only where
        ``allow-search-results-as-evidence`` says so; a tool that the policy does not name never counts as
        having opened something, whatever the manifest says.
        """
        reads = source.tool in self.evidence_sources
        if reads and source.level in (None, "opened"):
            return True
        listed = source.level == "listed" or (source.level is None and not reads)
        return listed and self.allow_search_results_as_evidence

    def with_readers(self, readers: Iterable[str]) -> Policy:
        """The same settings, looked at through other readers."""
        return Policy(**{**msgspec.structs.asdict(self), "readers": tuple(readers)})

    def severity_of(self, code: str, default: str) -> str:
        """The severity of that rule here: ``error``, ``warning``, ``note`` or ``off``."""
        return self.severity.get(code, default)


def find_root(start: Path) -> Path:
    """The root of the project around *start*: the nearest folder upwards with ``.git``, else a config file.

    ``.git`` goes first because whoever can write an answer can put a ``citelint.toml`` beside it: inside a
    repository, only the files at its root are read. Without either, *start* is the root.
    """
    start = start.resolve()
    for names in ((".git",), ("pyproject.toml", "citelint.toml")):
        for folder in (start, *start.parents):
            if any((folder / name).exists() for name in names):
                return folder
    return start


def find_config(root: Path) -> Path | None:
    """The file in *root* that holds the settings, if there is one; two are an error."""
    own = root / "citelint.toml"
    shared = root / "pyproject.toml"
    in_shared = shared.is_file() and _tool_table(_read_toml(shared), shared) is not None
    if own.is_file() and in_shared:
        raise PolicyError(f"settings in both {own} and {shared}", help="keep them in one of the two files")
    if own.is_file():
        return own
    return shared if in_shared else None


def read_table(path: Path) -> dict[str, Any]:
    """The settings as they stand in a file, not yet validated."""
    table = _read_toml(path)
    return (_tool_table(table, path) or {}) if path.name == "pyproject.toml" else table


def _tool_table(table: dict[str, Any], path: Path) -> dict[str, Any] | None:
    """``[tool.citelint]``, if it is there."""
    inner: Any = table
    for name in ("tool", "citelint"):
        if name not in inner:
            return None
        inner = inner[name]
        if not isinstance(inner, dict):
            raise PolicyError(f"{path}: {name}: expected a table")
    return cast("dict[str, Any]", inner)


def _read_toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PolicyError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise PolicyError(f"{path}: not UTF-8", help="a config file is UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PolicyError(f"{path}: not TOML: {error}") from None


def from_table(table: Mapping[str, Any], *, origin: str = "") -> Policy:
    """The policy that a table with the names of a config file gives.

    Raises :class:`~citelint.errors.PolicyError`; *origin* is put before its message.
    """
    try:
        _known_keys(table)
        return msgspec.convert(dict(table), Policy)
    except msgspec.ValidationError as error:
        raise _located(_type_fault(str(error)), origin) from None
    except PolicyError as error:
        raise _located(error, origin) from None


def _located(error: PolicyError, origin: str) -> PolicyError:
    return PolicyError(f"{origin}: {error.message}", help=error.help) if origin else error


def keys() -> dict[str, str]:
    """The settings' names: in a file → in Python."""
    return {_kebab(name): name for name in Policy.__struct_fields__}


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _known_keys(table: Mapping[str, Any]) -> None:
    known = keys()
    for key in table:
        if key not in known:
            raise PolicyError(f"unknown setting {key!r}", help=did_you_mean(key, known))


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A sentence with the closest known word; when none is close, *otherwise* or all of them."""
    from rapidfuzz import fuzz, process

    words = sorted(known)
    best = process.extractOne(
        word[:100].replace("_", "-"), words, scorer=fuzz.ratio, processor=str.lower, score_cutoff=60
    )
    return f"did you mean {best[0]!r}?" if best else otherwise or _any_of(words)


_FAULT_PATH = pattern(r" - at `\$\.?([^`]{0,200})`$")
_TOML_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "int": "a whole number",
    "str": "a text",
    "object": "a table",
}


def _type_fault(message: str) -> PolicyError:
    """Our words for what msgspec says about a type."""
    at = _FAULT_PATH.search(message)
    key = at[1].replace("[...]", "") if at else ""
    what = message[: at.start()] if at else message
    attribute = key.replace("-", "_")
    if attribute in _CHOICES:
        return PolicyError(
            f"{key}: {what.replace('Invalid enum value', 'not known:')}", help=_any_of(_CHOICES[attribute])
        )
    for word, plain in _TOML_WORDS.items():
        what = what.replace(f"Expected `{word}`", f"expected {plain}").replace(
            f"got `{word}`", f"got {plain}"
        )
    return PolicyError(f"{key}: {what}" if key else what)


_CHOICES: dict[str, tuple[str, ...]] = {
    "on_unverified": get_args(OnUnverified),
    "footnotes": get_args(Footnotes),
    "cite_links": get_args(CiteLinks),
    "front_matter": get_args(FrontMatter),
    "fail_on": get_args(FailOn),
    "numbers": get_args(Numbers),
    "language": get_args(Language),
}
_TYPES: dict[str, type] = {
    "required": bool,
    "allow_search_results_as_evidence": bool,
    "attach_snapshot_hash": bool,
    "allow_mail": bool,
    "inline_suppressions": bool,
    "retention_days": int,
    "max_citations_per_block": int,
    "removed_link": str,
    "manifest": str,
    "site_root": str,
    "language": str,
    "severity": dict,
}
_TYPE_WORDS: dict[type, str] = {bool: "true or false", int: "whole number", str: "text", dict: "table"}
_TEXTS = (
    "answers",
    "evidence_sources",
    "allow",
    "page_sinks",
    "keep_comments",
    "readers",
    "renders_as",
    "rules",
)


def _any_of(words: Iterable[str]) -> str:
    return "allowed: " + ", ".join(repr(word) for word in words)


def _of_type(name: str, value: object, kind: type) -> None:
    """A word such as ``"no"`` must not count as true."""
    if type(value) is not kind:
        raise PolicyError(f"{_kebab(name)}: {value!r:.60} is no {_TYPE_WORDS[kind]}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise PolicyError(f"{_kebab(name)}: {value!r} is not known", help=_any_of(allowed))


def _all_of(name: str, values: Iterable[str], allowed: tuple[str, ...]) -> None:
    for value in values:
        _one_of(name, value, allowed)


def _texts(name: str, values: tuple[str, ...]) -> None:
    # A str is a sequence of str, so `Policy(answers="*.md")` would silently mean four globs.
    if not isinstance(values, tuple) or not all(isinstance(value, str) and value for value in values):
        raise PolicyError(f"{_kebab(name)}: must be a list of texts that are not empty")
