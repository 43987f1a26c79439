"""Snapshots against their hashes, and what follows for the source."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from citelint.errors import ManifestError
from citelint.evidence.snapshots import trusted, verify_snapshots
from citelint.manifest import Manifest

TEXT = "Los límites se aplican desde 2025.\r\n"


def manifest_of(*snapshots: str, **fields: Any) -> Manifest:
    sources = [
        {
            "id": f"src_{number:03}",
            "tool": "http.get",
            "fetched_at": "2026-11-30T10:00:03Z",
            "sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
            **({"snapshot": snapshot} if snapshot else {}),
            **fields,
        }
        for number, snapshot in enumerate(snapshots, 1)
    ]
    return Manifest.from_dict({"version": 1, "run": {"id": "r"}, "numbering": 1, "sources": sources})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A manifest's folder, with something outside it."""
    (tmp_path / "outside.txt").write_bytes(TEXT.encode())
    inside = tmp_path / "inside"
    (inside / "snapshots").mkdir(parents=True)
    (inside / "snapshots" / "good.txt").write_bytes(TEXT.encode())
    (inside / "snapshots" / "bad.txt").write_bytes(TEXT.replace("\r", "").encode())
    return inside


@pytest.mark.parametrize("capture", ["full", "excerpt"])
def test_what_was_hashed_is_no_fault(folder: Path, capture: str) -> None:
    assert verify_snapshots(manifest_of("snapshots/good.txt", "", capture=capture), folder) == ()


@pytest.mark.parametrize("capture", ["full", "excerpt"])
def test_a_changed_text_is_a_mismatch_and_its_source_no_evidence(folder: Path, capture: str) -> None:
    manifest = manifest_of("snapshots/good.txt", "snapshots/bad.txt", "snapshots/good.txt", capture=capture)
    (fault,) = verify_snapshots(manifest, folder)
    assert (fault.code, fault.kind, fault.source_id) == ("CL503", "mismatch", "src_002")
    assert fault.path == "$.sources[1].snapshot"
    assert hashlib.sha256((folder / "snapshots/bad.txt").read_bytes()).hexdigest()[:12] in fault.message
    kept = trusted(manifest, folder)
    assert [source.id for source in kept.sources] == ["src_001", "src_003"]
    assert kept.by_number(2) is None
    assert kept.by_number(3) is manifest.sources[2]


def test_a_deleted_text_is_noted_and_the_source_stays_evidence(folder: Path) -> None:
    manifest = manifest_of("snapshots/gone.txt", "never/was.txt")
    assert [fault.kind for fault in verify_snapshots(manifest, folder)] == ["missing", "missing"]
    assert trusted(manifest, folder).sources == manifest.sources


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    (folder / "file.txt").symlink_to(folder.parent / "outside.txt")
    (folder / "up").symlink_to(folder.parent, target_is_directory=True)
    manifest = manifest_of("file.txt", "up/outside.txt", "up/gone.txt")
    faults = verify_snapshots(manifest, folder)
    assert [fault.kind for fault in faults] == ["unreadable"] * 3
    assert "leaves the manifest's folder" in faults[0].message
    assert trusted(manifest, folder).sources == ()


def test_a_link_within_the_folder_is_followed(folder: Path) -> None:
    (folder / "link.txt").symlink_to("snapshots/good.txt")
    assert verify_snapshots(manifest_of("link.txt"), folder) == ()


def test_the_folder_itself_may_be_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder, target_is_directory=True)
    assert verify_snapshots(manifest_of("snapshots/good.txt"), link) == ()


def test_links_in_a_circle_and_what_is_no_file_are_unreadable(folder: Path) -> None:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    os.mkfifo(folder / "pipe")
    manifest = manifest_of("a", "pipe", "snapshots")
    assert [fault.kind for fault in verify_snapshots(manifest, folder)] == ["unreadable"] * 3
    assert trusted(manifest, folder).sources == ()


def test_a_file_in_the_place_of_a_folder_hides_the_text_and_proves_nothing(folder: Path) -> None:
    manifest = manifest_of("snapshots/good.txt/deeper.txt")
    assert [fault.kind for fault in verify_snapshots(manifest, folder)] == ["unreadable"]


def test_a_message_shows_a_hostile_name_escaped(folder: Path) -> None:
    (fault,) = verify_snapshots(manifest_of("snapshots/\u202egone\u200b.txt"), folder)
    assert fault.message.isprintable()


def test_without_its_folder_nothing_can_be_said(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="folder cannot be read"):
        verify_snapshots(manifest_of("a.txt"), tmp_path / "none")
