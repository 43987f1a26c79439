"""A manifest as bytes: made from entries, and proven readable before anybody gets it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from citelint.errors import ManifestError
from citelint.manifest.reading import read_manifest


def manifest_bytes(
    run: dict[str, Any], sources: Sequence[dict[str, Any]], *, numbering: int | None = None
) -> bytes:
    """The manifest's file. What the reader would refuse is refused here, with the same words.

    :raises ManifestError: an entry is not what the format admits; ``path`` says which.
    """
    whole: dict[str, Any] = {"version": 1, "run": run}
    if numbering is not None:
        whole["numbering"] = numbering
    whole["sources"] = list(sources)
    try:
        data = (json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=2) + "\n").encode()
    except (ValueError, TypeError, RecursionError) as error:  # among them UnicodeEncodeError
        raise ManifestError(f"the manifest cannot be written as JSON: {error}") from None
    read_manifest(data)
    return data


def source_id(number: int) -> str:
    """``src_001`` is the first."""
    return f"src_{number:03d}"
