"""Writing to disk so that whoever reads, at any time, sees the old bytes or the new ones."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from citelint.errors import InputError


def write_atomically(path: Path, data: bytes) -> None:
    """Put *data* there so that any reader, at any time, sees the old file or the new one.

    A link is written through to its file; permission bits and, where allowed, the owner stay.
    Raises :class:`~citelint.errors.InputError`; nothing has changed then.
    """
    real = Path(os.path.realpath(path))
    try:
        old = _writable(real)
        _replace(real, data, old)
    except OSError as error:
        raise InputError(
            f"cannot write: {reason_of(error)}", help="check the permissions of it and its folder"
        ) from None


def _writable(path: Path) -> os.stat_result | None:
    """The status of the file that is there, if any. Renaming over it would ignore that it is read-only."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise InputError("cannot write: not a regular file")
    if not os.access(path, os.W_OK):
        raise InputError("cannot write: the file is read-only", help=f"allow it with: chmod u+w {path.name}")
    return status


def _replace(path: Path, data: bytes, old: os.stat_result | None) -> None:
    temporary = path.with_name(f".citelint-{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # What replaces a private file must not be readable for a moment either.
    descriptor = os.open(temporary, flags, 0o600 if old else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if old is not None:
            if hasattr(os, "chown") and old.st_uid != temporary.stat().st_uid:
                with contextlib.suppress(OSError):
                    os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def reason_of(error: OSError | ValueError) -> str:
    """Why, without the path: the caller shows that."""
    text = getattr(error, "strerror", None) or "not a valid path"
    return text[0].lower() + text[1:]
