"""What a capture's hash covers, and what its entry in the manifest says."""

from __future__ import annotations

import hashlib
import json

import pytest

from citelint.errors import ManifestError
from citelint.evidence.capture import Capture, Content, Excerpts, Full, Record
from citelint.evidence.writing import manifest_bytes, source_id
from citelint.manifest import Manifest

AT = "2026-11-30T10:00:03Z"


def entry(content: Content, **fields: object) -> dict[str, object]:
    return Capture(tool="http.get", fetched_at=AT, content=content, **fields).entry("src_001")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "kind", "covered"),
    [
        (Full("Größe\r\n"), "full", "Größe\r\n".encode()),
        (Excerpts(("one", "two")), "excerpt", b"one\ntwo"),
        (
            Record({"b": 1.0, "a": "é", "list": [True, None]}),
            "record",
            '{"a":"é","b":1,"list":[true,null]}'.encode(),
        ),
    ],
)
def test_the_hash_covers_what_the_entry_says(content: Content, kind: str, covered: bytes) -> None:
    made = entry(content)
    assert (made["capture"], made["sha256"]) == (kind, hashlib.sha256(covered).hexdigest())


@pytest.mark.parametrize(
    "content", [Full("\ud83d"), Excerpts(("\udc00",)), Record({"a": "\ud83d"}), Record(2**70)]
)
def test_what_cannot_be_hashed_is_refused(content: Content) -> None:
    with pytest.raises(ManifestError):
        entry(content)


@pytest.mark.parametrize(
    "address",
    ["s3://bucket/key", "javascript:alert(1)", "https://a b.example/", "https://", "file:///etc/passwd"],
)
def test_what_a_browser_cannot_follow_is_no_url(address: str) -> None:
    made = entry(Full("x"), address=address, addresses=(address,))
    assert "url" not in made
    assert "urls" not in made
    assert made["x-address"] == address


def test_empty_fields_are_left_out_and_the_manifest_is_read_back() -> None:
    made = entry(
        Full(""), address="https://a.example/x", addresses=("https://a.example/x", "https://b.example/")
    )
    data = manifest_bytes({"id": "run-1"}, [made])
    (source,) = Manifest.from_json(data).sources
    assert (source.url, source.urls, source.id) == (
        "https://a.example/x",
        ("https://b.example/",),
        source_id(1),
    )
    assert set(json.loads(data)["sources"][0]) == {
        "id", "url", "urls", "tool", "fetched_at", "capture", "sha256",
    }  # fmt: skip


def test_a_manifest_that_would_not_be_read_is_not_written() -> None:
    made = entry(Full("x"))
    with pytest.raises(ManifestError) as caught:
        manifest_bytes({"id": "run-1"}, [made, made])
    assert caught.value.path == "$.sources[1].id"
