"""Where the data folders are: in a wheel inside the package, in a checkout beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def data_folder(name: str) -> Path:
    """The folder ``rules`` or ``templates`` that belongs to this citelint."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"citelint's own folder {name!r} is missing; reinstall citelint-evidence")
