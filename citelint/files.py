"""Answers on disk: which there are, where their manifests are, and reading and writing them.

Decoding is :class:`~citelint.document.Document`'s part; here bytes go in and out whole or not at all.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from citelint.disk import reason_of
from citelint.document import MAX_BYTES
from citelint.errors import CitelintError, InputError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from citelint.policy import Policy

AnswerKind = Literal["markdown", "html"]

MARKDOWN = (".md", ".markdown")
HTML = (".html", ".htm")
SIDECAR = ".evidence.json"

# Version control, caches and dependencies: never answers, and walking them takes longer than all the rest.
_NOT_WALKED = frozenset(
    (
        ".git",
        ".hg",
        ".svn",
        ".tox",
        ".venv",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
        "node_modules",
    )
)


class Target(msgspec.Struct, frozen=True):
    """An answer to work on. Its files were there when it was found."""

    path: Path
    manifest: Path
    kind: AnswerKind


class Missed(msgspec.Struct, frozen=True):
    """A path that gives no answer, and why."""

    path: str
    error: CitelintError


class Found(msgspec.Struct, frozen=True):
    """What the paths of a command line come to, each answer once."""

    targets: tuple[Target, ...]
    missed: tuple[Missed, ...]
    skipped: int
    """Files that could be answers by their ending but are none: not in ``answers``, no sidecar."""


def find_answers(
    paths: Sequence[str],
    policy: Policy,
    root: Path,
    *,
    answers_only: bool = False,
    manifest: Path | None = None,
) -> Found:
    """The answers that *paths* name: files, manifests (their answers), and folders, walked.

    A file that is named, or that the policy's ``answers`` match, must have a manifest. In folders, and
    everywhere with *answers_only*, other files without one are skipped and counted. *root* is where globs
    and the ``manifest`` template start; *manifest* overrides both for a single answer.
    """
    search = _Search(policy, root.resolve(), answers_only=answers_only, manifest=manifest)
    for path in paths:
        try:
            search.add(path)
        except CitelintError as error:
            search.missed.append(Missed(path, error))
    return Found(tuple(search.targets.values()), tuple(search.missed), len(search.skipped))


class _Search:
    """The state of one :func:`find_answers`."""

    def __init__(self, policy: Policy, root: Path, *, answers_only: bool, manifest: Path | None) -> None:
        self._policy = policy
        self._root = root
        self._answers_only = answers_only
        self._manifest = manifest
        self.targets: dict[str, Target] = {}
        self.missed: list[Missed] = []
        self.skipped: set[str] = set()

    def add(self, named: str) -> None:
        path = Path(named)
        try:
            is_folder = stat.S_ISDIR(path.stat().st_mode)
        except (OSError, ValueError) as error:
            raise InputError(reason_of(error), help="check the path") from None
        if is_folder:
            self._add_folder(path)
        elif path.name.endswith(SIDECAR):
            self._add_answers_of(path)
        elif kind_of(path) is None and not self._answers_only:
            raise InputError(
                "not a Markdown or HTML file", help=f"answers end in {', '.join(MARKDOWN + HTML)}"
            )
        else:
            self._add_file(path, named=not self._answers_only)

    def _add_folder(self, folder: Path) -> None:
        before = len(self.targets) + len(self.missed)
        for path in _walk(folder, self.missed):
            try:
                self._add_file(path, named=False)
            except CitelintError as error:
                self.missed.append(Missed(str(path), error))
        if len(self.targets) + len(self.missed) == before and not self._answers_only:
            raise InputError(
                "no answer in this folder",
                help=f"an answer has a manifest (answer{SIDECAR}) beside it or is in the config's `answers`",
            )

    def _add_answers_of(self, sidecar: Path) -> None:
        """A changed manifest means that its answer has to be looked at again."""
        stem = sidecar.name[: -len(SIDECAR)]
        found = _named(sidecar, stem, MARKDOWN) or _named(sidecar, stem, HTML)
        if not found and not self._answers_only:
            raise InputError(
                "a manifest without its answer beside it", help=f"expected {stem}.md, for example"
            )
        if not found:
            self.skipped.add(os.path.realpath(sidecar))
        for path in found:
            self._add_file(path, named=not self._answers_only)

    def _add_file(self, path: Path, *, named: bool) -> None:
        real = os.path.realpath(path)
        if real in self.targets:
            return
        kind = kind_of(path)
        manifest = self._manifest or find_manifest(path, self._policy, self._root)
        expected = kind is not None and (named or self._is_answer(path))
        rendered = kind == "html" and not expected and _is_rendered(path, manifest)
        if kind is None or rendered or not (expected or manifest.is_file()):
            self.skipped.add(real)
            return
        if not manifest.is_file():
            raise no_manifest(manifest)
        self.skipped.discard(real)
        self.targets[real] = Target(path, manifest, kind)

    def _is_answer(self, path: Path) -> bool:
        try:
            inside = Path(os.path.abspath(path)).relative_to(self._root).as_posix()  # noqa: PTH100 — keeps links
        except ValueError:
            return False
        return any(matches(inside, glob) for glob in self._policy.answers)


def _named(beside: Path, stem: str, endings: Sequence[str]) -> list[Path]:
    """The files of that name and one of these endings."""
    return [path for ending in endings if (path := beside.with_name(stem + ending)).is_file()]


def _is_rendered(page: Path, manifest: Path) -> bool:
    """Whether a page may come from an answer, whose manifest it stands beside: then it is none itself."""
    return manifest != page.with_name(page.stem + SIDECAR) or bool(_named(page, page.stem, MARKDOWN))


def no_manifest(manifest: Path) -> ManifestError:
    """The error of an answer whose manifest is not where it should be (CL501)."""
    return ManifestError(
        f"no evidence manifest at {manifest}",
        code="CL501",
        help="the system that ran the tools writes it beside the answer; --manifest names another place",
    )


def kind_of(path: Path) -> AnswerKind | None:
    """``markdown`` or ``html`` by the file's ending, else None."""
    ending = path.suffix.lower()
    return "markdown" if ending in MARKDOWN else "html" if ending in HTML else None


def find_manifest(answer: Path, policy: Policy, root: Path) -> Path:
    """Where the manifest of that answer has to be: beside it, or where the policy's template says.

    The document itself has no say: the template's parts come from the answer's *place* alone.
    """
    if not policy.manifest:
        return answer.with_name(answer.stem + SIDECAR)
    folder = os.path.relpath(os.path.abspath(answer.parent), root)  # noqa: PTH100 — keeps links
    if answer.stem in (".", ".."):
        raise InputError("a file of that name has no place in the `manifest` template", help="rename it")
    # One pass, so that a file called `{folder}.md` stays what it is.
    parts = policy.manifest.split("{stem}")
    place = answer.stem.join(part.replace("{folder}", folder) for part in parts)
    return root / place


def matches(path: str, glob: str) -> bool:
    """Whether a path with ``/`` is one that *glob* means; ``**`` stands for any number of folders.

    >>> matches("a/b/c.md", "a/**/*.md"), matches("a/b.md", "*.md"), matches("a/b.md", "a/")
    (True, False, True)
    """
    segments = path.split("/")
    wanted = glob.removeprefix("./").split("/")
    if wanted[-1] == "":
        wanted[-1] = "**"
    # Which prefixes of the path the pattern can have consumed so far: linear in their product.
    reached = {0}
    for pattern in wanted:
        if pattern == "**":
            reached = set(range(min(reached), len(segments) + 1))
        else:
            reached = {n + 1 for n in reached if n < len(segments) and fnmatchcase(segments[n], pattern)}
        if not reached:
            return False
    return len(segments) in reached


def _walk(folder: Path, missed: list[Missed]) -> Iterator[Path]:
    """The files below *folder* that could be answers, in a stable order; links never lead out of it."""
    top = os.path.realpath(folder)

    def unreadable(error: OSError) -> None:
        missed.append(Missed(str(error.filename), InputError(reason_of(error))))

    for at, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if name not in _NOT_WALKED)
        for name in sorted(names):
            path = Path(at, name)
            if kind_of(path) and (not path.is_symlink() or _is_below(os.path.realpath(path), top)):
                yield path


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


class SiteFiles:
    """The files of a site as links in one answer name them: ``"img/a.png" in SiteFiles(root, folder)``.

    Asks the disk about one path at a time instead of walking the site. A path that starts with ``/`` counts
    from the site's root, any other from the answer's folder. Nothing outside of the root is ever there, nor
    is a path that browsers would read as something else (a scheme, a host, backslashes, queries).
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = os.path.realpath(root)
        self._folder = os.path.realpath(folder)

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, str) or not item or item.startswith("//") or not item.isprintable():
            return False
        if any(sign in item for sign in "\\?#<>") or ":" in item.split("/")[0]:
            return False
        if self._is_file(item):
            return True
        decoded = _percent_decoded(item) if "%" in item else None
        return decoded is not None and self._is_file(decoded)

    def _is_file(self, path: str) -> bool:
        base = self._root if path.startswith("/") else self._folder
        try:
            real = os.path.realpath(os.path.join(base, path.lstrip("/")))  # noqa: PTH118 — strings are faster here
            return _is_below(real, self._root) and os.path.isfile(real)  # noqa: PTH113
        except (OSError, ValueError):
            return False


def _percent_decoded(path: str) -> str | None:
    """The path with its escapes decoded; None when that would make other folders of it."""
    from urllib.parse import unquote

    segments = [unquote(segment, errors="surrogateescape") for segment in path.split("/")]
    odd = any(sign in segment for segment in segments for sign in "/\\\0")
    return None if odd else "/".join(segments)


def read_answer(path: Path) -> bytes:
    """The bytes of a regular file of at most :data:`~citelint.document.MAX_BYTES`.

    Its size is looked at before it is read, and a device or pipe is not opened at all.
    Raises :class:`~citelint.errors.InputError`.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError("a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise InputError("not a regular file", help="give it on standard input: citelint … - < it")
        _check_size(status.st_size)
        with path.open("rb") as stream:
            return read_stream(stream)
    except OSError as error:
        raise InputError(reason_of(error), help="check the path and its permissions") from None


def read_stream(stream: BinaryIO) -> bytes:
    """All of a stream, as long as it is not larger than an answer may be."""
    data = stream.read(MAX_BYTES + 1)
    _check_size(len(data))
    return data


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES // 1024**2} MiB", help="split the answer into parts")
