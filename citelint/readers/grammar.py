"""The marker grammars of ``rules/markers/*.toml``, read and compiled once, when first asked for.

A file holds ``[[marker]]`` (one literal), ``[[pair]]`` (an opening and a closing tag), ``[[context]]``
(surroundings in which a bracket is no citation), ``[[shield]]`` (elements whose content is shown as it
is) and ``[pieces]`` (parts of patterns). All patterns are RE2, so no file can make the reader hang.
"""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from citelint.data import data_folder
from citelint.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class Match(Protocol):
    """What is used of an RE2 match over bytes."""

    def span(self, group: int = 0) -> tuple[int, int]: ...
    def group(self, group: int | str = 0) -> bytes | None: ...
    def groups(self) -> tuple[bytes | None, ...]: ...


class Pattern(Protocol):
    """What is used of a compiled RE2 pattern; offsets are bytes because the text is bytes."""

    groups: int
    groupindex: dict[str, int]

    def search(self, text: bytes, pos: int = 0) -> Match | None: ...
    def fullmatch(self, text: bytes) -> Match | None: ...
    def finditer(self, text: bytes, pos: int = 0) -> Iterator[Match]: ...


class PatternSet(Protocol):
    """Many patterns asked at once which of them match."""

    def Match(self, text: bytes) -> list[int] | None: ...  # noqa: N802 (RE2's own name)


class Context(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Surroundings in which a literal is no marker."""

    name: str
    pattern: str
    why: str
    always: bool = False
    """Whether it holds even when the label is known."""


class Shield(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An element whose content is shown as it is, such as ``<code>``."""

    name: str
    open: str
    close: str


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A citation that is one literal."""

    name: str
    pattern: str
    """May name groups: ``refs`` (also ``refs2``…), ``url``, ``text`` (stays), ``note``."""
    note: str
    find: str = ""
    """Finds the labels in ``refs``, or in the whole literal without that group. Its groups are joined."""
    label: str = "{}"
    ranges: bool = False
    """``find`` has two groups, the ends of a range; the second may be absent."""
    carry: bool = False
    """A group that an item leaves out has the value of the item before."""
    escaped: bool = False
    """Written with escaped brackets, it looks like TeX maths; it counts when that is all there is."""
    known: bool = False
    """Counts only when something vouches for one of its labels."""
    not_in: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A citation with an opening tag, which names the sources, and a closing one."""

    name: str
    open: str
    close: str
    find: str
    keep: bool
    """Whether what stands between the tags is the answer's own and stays."""
    note: str
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()


class GrammarFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of ``rules/markers``."""

    pieces: dict[str, str] = {}
    context: tuple[Context, ...] = ()
    shield: tuple[Shield, ...] = ()
    marker: tuple[Marker, ...] = ()
    pair: tuple[Pair, ...] = ()


class Surroundings(msgspec.Struct, frozen=True, dict=True):
    """The contexts of one grammar; compiled when a literal of it turns up."""

    contexts: tuple[Context, ...]

    @cached_property
    def set(self) -> PatternSet:
        """Which contexts a place is: a set, because one call then gives a plain answer."""
        import re2

        patterns = re2.Set.SearchSet(_options())
        for context in self.contexts:
            patterns.Add(context.pattern)
        patterns.Compile()
        return cast("PatternSet", patterns)

    def always(self, indices: list[int]) -> bool:
        """Whether one of these contexts holds even when the label is known."""
        return any(self.contexts[index].always for index in indices)


class Token(msgspec.Struct, frozen=True, dict=True):
    """One alternative of the scan: a marker, or one end of a pair or a shield."""

    place: str
    """File and key of the pattern, for errors."""
    marker: Marker | None
    pair: Pair | Shield | None
    opens: bool
    source: str
    """The pattern with its pieces put in."""
    find_source: str
    surroundings: Surroundings | None

    @cached_property
    def pattern(self) -> Pattern:
        """Matches the literal as a whole, with groups."""
        return _compile(self.source)

    @cached_property
    def find(self) -> Pattern | None:
        """Finds the labels."""
        return _compile(self.find_source) if self.find_source else None

    @cached_property
    def ref_groups(self) -> tuple[str, ...]:
        """The named groups that hold labels."""
        return tuple(name for name in self.pattern.groupindex if name.startswith("refs"))


class Book(msgspec.Struct, frozen=True):
    """All grammars, ready to read with."""

    tokens: tuple[Token, ...]
    scan: Pattern
    """The longest token at the leftmost place, without groups."""
    classify: PatternSet
    """Which tokens a literal is, as indices; certain grammars come before doubtful ones."""
    files: tuple[tuple[str, GrammarFile], ...]


@cache
def grammars() -> Book:
    """The grammars that come with citelint.

    Raises :class:`RuleError`, which names file and key, when a file is not valid.
    """
    return read_grammars(data_folder("rules") / "markers")


def read_grammars(folder: Path) -> Book:
    """The grammars of a folder of TOML files."""
    files = tuple((path.name, _read(path)) for path in sorted(folder.glob("*.toml")))
    if not any(content.marker or content.pair for _, content in files):
        raise RuleError(
            f"{folder}: no marker grammars", help="a grammar is a [[marker]] or [[pair]] in a .toml"
        )
    pieces = _Pieces(files)
    contexts = _Contexts(files, pieces)
    tokens: list[Token] = []
    names: dict[str, str] = {}
    for file, content in files:
        for index, marker in enumerate(content.marker):
            place = f"{file}: marker[{index}]"
            _claim(names, marker.name, place)
            tokens.append(_marker_token(marker, place, pieces, contexts))
        for kind, pairs in (("pair", content.pair), ("shield", content.shield)):
            for index, pair in enumerate(cast("Iterable[Pair | Shield]", pairs)):
                place = f"{file}: {kind}[{index}]"
                _claim(names, pair.name, place)
                tokens.extend(_pair_tokens(pair, place, pieces))
    tokens.sort(key=lambda token: token.marker is not None and token.marker.known)
    classify = _classifier(tokens)
    return Book(tuple(tokens), _union(token.source for token in tokens), classify, files)


def _read(path: Path) -> GrammarFile:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), GrammarFile)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(f"{path.name}: not valid TOML: {error}") from None
    except msgspec.ValidationError as error:
        reason, _, key = str(error).partition(" - at `$.")
        raise RuleError(f"{path.name}: {key.rstrip('`') or 'top level'}: {reason}") from None


def _claim(names: dict[str, str], name: str, place: str) -> None:
    if name in names:
        raise RuleError(f"{place}.name: {name!r} is already the name of {names[name]}")
    names[name] = place


def _marker_token(marker: Marker, place: str, pieces: _Pieces, contexts: _Contexts) -> Token:
    source = pieces.fill(marker.pattern, f"{place}.pattern")
    find = pieces.fill(marker.find, f"{place}.find")
    if marker.ranges and (not find or _compile(find, f"{place}.find").groups != 2):
        raise RuleError(f"{place}.find: with `ranges` it needs two groups, the ends of the range")
    if marker.label.count("{}") != 1:
        raise RuleError(f"{place}.label: needs one {{}}, where the label goes")
    return Token(
        place=f"{place}.pattern",
        marker=marker,
        pair=None,
        opens=True,
        source=source,
        find_source=find,
        surroundings=contexts.of(marker.not_in, f"{place}.not_in"),
    )


def _pair_tokens(pair: Pair | Shield, place: str, pieces: _Pieces) -> tuple[Token, Token]:
    find = pieces.fill(pair.find, f"{place}.find") if isinstance(pair, Pair) else ""
    return (
        Token(
            place=f"{place}.open",
            marker=None,
            pair=pair,
            opens=True,
            source=pieces.fill(pair.open, f"{place}.open"),
            find_source=find,
            surroundings=None,
        ),
        Token(
            place=f"{place}.close",
            marker=None,
            pair=pair,
            opens=False,
            source=pieces.fill(pair.close, f"{place}.close"),
            find_source="",
            surroundings=None,
        ),
    )


class _Pieces:
    """Puts ``(?&name)`` into patterns, and finds out whether a pattern is one."""

    def __init__(self, files: Iterable[tuple[str, GrammarFile]]) -> None:
        self._pieces: dict[str, str] = {}
        for file, content in files:
            for name, pattern in content.pieces.items():
                place = f"{file}: pieces.{name}"
                self._pieces[name] = f"(?:{self.fill(pattern, place)})"

    def fill(self, pattern: str, place: str) -> str:
        """*pattern* with its pieces; pieces can only use earlier ones, so this ends."""
        parts = pattern.split("(?&")
        filled = parts[0]
        for part in parts[1:]:
            name, closed, rest = part.partition(")")
            if not closed or name not in self._pieces:
                raise RuleError(
                    f"{place}: no piece {name!r}", help=f"the pieces are {', '.join(self._pieces) or 'none'}"
                )
            filled += self._pieces[name] + rest
        return filled


class _Contexts:
    """Compiles the contexts that a grammar names, once for all grammars that name the same."""

    def __init__(self, files: Iterable[tuple[str, GrammarFile]], pieces: _Pieces) -> None:
        import re2

        self._contexts: dict[str, Context] = {}
        parsed = re2.Set.SearchSet(_options())
        for file, content in files:
            for index, context in enumerate(content.context):
                place = f"{file}: context[{index}].pattern"
                pattern = delimit(pieces.fill(context.pattern, place))
                _add(parsed, pattern, pattern, place)
                self._contexts[context.name] = msgspec.structs.replace(context, pattern=pattern)
        self._done: dict[tuple[str, ...], Surroundings] = {}

    def of(self, names: tuple[str, ...], place: str) -> Surroundings | None:
        """The surroundings with these names; None when there are none."""
        for name in names:
            if name not in self._contexts:
                raise RuleError(
                    f"{place}: no context {name!r}", help=f"the contexts are {', '.join(self._contexts)}"
                )
        if names and names not in self._done:
            self._done[names] = Surroundings(tuple(self._contexts[name] for name in names))
        return self._done.get(names)


BEFORE, AFTER = b"\x00\x02", b"\x00\x03"
"""What stands around the literal when its surroundings are looked at: no document holds a NUL."""


def delimit(pattern: str) -> str:
    """A context's pattern as it is matched: its ``⟦`` and ``⟧`` are delimiters no text can hold."""
    return pattern.replace("[^⟦⟧]", r"[^\x00]").replace("⟦", r"\x00\x02").replace("⟧", r"\x00\x03")


def _options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    return options


def _compile(pattern: str, place: str = "") -> Pattern:
    import re2

    try:
        return cast("Pattern", re2.compile(pattern, _options()))
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise RuleError(f"{place}: not a pattern of RE2: {text}") from None


def _union(patterns: Iterable[str]) -> Pattern:
    """One pattern for all, leftmost-longest, without groups."""
    import re2

    options = _options()
    options.longest_match = True
    return cast("Pattern", re2.compile("|".join(f"(?:{_ungroup(pattern)})" for pattern in patterns), options))


def _ungroup(pattern: str) -> str:
    parts = pattern.split("(?P<")
    return parts[0] + "".join("(?:" + part.partition(">")[2] for part in parts[1:])


def _classifier(tokens: Iterable[Token]) -> PatternSet:
    """Also finds out which pattern is none: adding to a set only parses, so this costs little."""
    import re2

    patterns = re2.Set.FullMatchSet(_options())
    finds = re2.Set.SearchSet(_options())
    for token in tokens:
        _add(patterns, _ungroup(token.source), token.source, token.place)
        _add(finds, token.find_source, token.find_source, token.place.rpartition(".")[0] + ".find")
    patterns.Compile()
    return cast("PatternSet", patterns)


def _add(patterns: Any, pattern: str, source: str, place: str) -> None:
    import re2

    try:
        patterns.Add(pattern)
    except re2.error:
        _compile(source, place)
        raise
