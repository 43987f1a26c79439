"""Whether the recorded texts are still the ones that were hashed.

A snapshot that is not there proves nothing and breaks nothing: retention deletes the texts, and hash
and citation stay valid. One that is there must have its hash.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Literal

import msgspec

from citelint.errors import ManifestError
from citelint.manifest import Manifest, Source
from citelint.manifest.strict_json import shown

_CHUNK = 1 << 20


class SnapshotFault(msgspec.Struct, frozen=True):
    """A snapshot that could not be held against its hash, or failed (CL503).

    ``missing`` is a note: the text is gone, the source still counts. ``mismatch`` and ``unreadable``
    (no regular file, no permission, a link out of the folder) are errors: the source does not count.
    """

    kind: Literal["mismatch", "missing", "unreadable"]
    source_id: str
    message: str
    path: str
    """The JSON path of the place in the manifest, e.g. ``$.sources[3].snapshot``."""
    code: str = "CL503"


def verify_snapshots(manifest: Manifest, folder: Path) -> tuple[SnapshotFault, ...]:
    """Holds every snapshot that the manifest names against the hash of its source, in file order.

    *folder* is the manifest's own: paths are relative to it and may not leave it, by links either.
    What ``sha256`` covers (see ``capture``) is the snapshot's whole content, so one comparison does
    for all captures. Each file is read once, in pieces.

    :raises ManifestError: the folder cannot be read.
    """
    try:
        root = Path(folder).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ManifestError(f"the manifest's folder cannot be read: {_reason(error)}") from None
    digests: dict[str, str | _Fault] = {}
    faults = []
    for index, source in enumerate(manifest.recorded):
        if not source.snapshot:
            continue
        if source.snapshot not in digests:
            digests[source.snapshot] = _digest(root, source.snapshot)
        if fault := _compare(source, digests[source.snapshot], f"$.sources[{index}].snapshot"):
            faults.append(fault)
    return tuple(faults)


def trusted(manifest: Manifest, folder: Path) -> Manifest:
    """The manifest without the sources whose snapshot is there but is not what was hashed."""
    faults = verify_snapshots(manifest, folder)
    return manifest.without(fault.source_id for fault in faults if fault.kind != "missing")


class _Fault(msgspec.Struct, frozen=True):
    """Why there is no digest."""

    kind: Literal["missing", "unreadable"]
    reason: str


def _compare(source: Source, digest: str | _Fault, path: str) -> SnapshotFault | None:
    name = shown(source.snapshot)
    if isinstance(digest, _Fault):
        return SnapshotFault(digest.kind, source.id, f"the snapshot {name} {digest.reason}", path)
    if digest == source.sha256:
        return None
    message = f"the snapshot {name} has the hash {digest[:12]}…, recorded is {source.sha256[:12]}…"
    return SnapshotFault("mismatch", source.id, message, path)


def _digest(root: Path, snapshot: str) -> str | _Fault:
    """The SHA-256 of a file under *root*, or why there is none."""
    try:
        file = (root / snapshot).resolve()
        if not file.is_relative_to(root):
            return _Fault("unreadable", "is a link that leaves the manifest's folder")
        return _hash(file)
    except FileNotFoundError:
        return _Fault("missing", "is no longer there; its hash cannot be checked")
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        return _Fault("unreadable", f"cannot be read: {_reason(error)}")


def _hash(file: Path) -> str:
    # Resolved above, so a link here was put in its place since. A pipe would wait forever: non-blocking.
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):  # some are missing on Windows
        flags |= getattr(os, name, 0)
    with os.fdopen(os.open(file, flags), "rb", buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError("it is not a regular file")
        digest = hashlib.sha256()
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
        return digest.hexdigest()


def _reason(error: Exception) -> str:
    """The system's words, without the path, which is told elsewhere."""
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
