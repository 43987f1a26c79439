"""The manifest: what is admitted, what is refused and how that is said, and how sources are found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citelint.errors import ManifestError
from citelint.manifest import Manifest, find_sidecar, manifest_schema
from citelint.urls import url_key

HASH = "5d030de7d4e4f6f04bc14d542528b1454852adc3ee1e5e2968fd6eaf7d9e99b4"
WHEN = "2026-11-30T10:00:03Z"

WHOLE_SOURCE: dict[str, Any] = {
    "id": "src_001",
    "url": "https://example.org/report",
    "urls": ["https://example.org/r?id=7"],
    "title": "Annual report 2025",
    "tool": "http.get",
    "level": "opened",
    "plane": "web",
    "repository": "org/name",
    "fetched_at": WHEN,
    "media_type": "text/html; charset=utf-8",
    "capture": "excerpt",
    "sha256": HASH,
    "snapshot": "snapshots/5d/5d03.txt",
    "call": {"trace_id": "t", "span_id": "s", "args": {"sql": "select 1"}, "result_sha256": HASH},
    "markers": ["1", "doc1", "turn0search0"],
    "quotes": [{"exact": "words", "start": 120, "end": 125, "sha256": HASH}],
    "private": False,
}


def a_source(number: int = 1, /, **fields: Any) -> dict[str, Any]:
    least = {"id": f"src_{number:03}", "tool": "http.get", "fetched_at": WHEN, "sha256": HASH}
    return {**least, **fields}


def a_manifest(*sources: Any, **fields: Any) -> dict[str, Any]:
    return {"version": 1, "run": {"id": "run-1"}, "sources": list(sources), **fields}


def refusal(value: object) -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        Manifest.from_dict(value)
    return caught.value


def attempt(value: object) -> tuple[Manifest | None, ManifestError | None]:
    try:
        return Manifest.from_dict(value), None
    except ManifestError as error:
        return None, error


# What is admitted


def test_every_field_is_read() -> None:
    run = {"id": "run-1", "model": "any text", "started_at": "2026-11-30T10:00:00+02:00"}
    manifest = Manifest.from_dict(a_manifest(WHOLE_SOURCE, run=run, numbering=1))
    source = manifest.sources[0]
    assert manifest.run.started_at == "2026-11-30T10:00:00+02:00"
    assert source.url == "https://example.org/report"
    assert (source.level, source.plane, source.capture) == ("opened", "web", "excerpt")
    assert source.call is not None
    assert source.call.args == {"sql": "select 1"}
    assert source.quotes[0].exact == "words"
    assert source.markers == ("1", "doc1", "turn0search0")
    assert source.host == "example.org"


def test_a_date_stays_as_it_was_written_and_is_a_time_as_well() -> None:
    written = "2026-11-30t10:00:03.25+05:30"
    source = Manifest.from_dict(a_manifest(a_source(fetched_at=written))).sources[0]
    assert source.fetched_at == written
    assert source.fetched.isoformat() == "2026-11-30T10:00:03.250000+05:30"


def test_the_least_is_enough() -> None:
    source = Manifest.from_dict(a_manifest(a_source())).sources[0]
    assert (source.url, source.title, source.level, source.capture, source.host) == ("", "", None, "full", "")


def test_own_keys_are_admitted_everywhere_and_arguments_are_left_alone() -> None:
    arguments = {"x-header": "kept", "nested": {"x-more": None}}
    quote = {"exact": "a", "x-note": 1}
    source = a_source(**{"x-tool": "vendor"}, call={"args": arguments, "x-c": []}, quotes=[quote])
    manifest = Manifest.from_dict(a_manifest(source, run={"id": "r", "x-r": {}}, **{"x-top": {"url": 5}}))
    call = manifest.sources[0].call
    assert call is not None
    assert call.args == arguments


def test_what_the_caller_does_to_its_dict_later_changes_nothing() -> None:
    arguments = {"q": "before"}
    manifest = Manifest.from_dict(a_manifest(a_source(call={"args": arguments})))
    arguments["q"] = "after"
    assert manifest.sources[0].call is not None
    assert manifest.sources[0].call.args == {"q": "before"}


def test_nothing_in_it_can_be_set() -> None:
    manifest = Manifest.from_dict(a_manifest(a_source()))
    with pytest.raises(AttributeError):
        manifest.numbering = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        manifest.sources[0].url = "https://evil.example/"  # type: ignore[misc]


def test_sources_with_arguments_can_be_members_of_sets() -> None:
    source = Manifest.from_dict(a_manifest(a_source(call={"args": {"a": [1]}}))).sources[0]
    assert len({source, source}) == 1


# What is refused: a field of a source, the place, and a word that must be in the error or its help

BAD_FIELDS: list[tuple[dict[str, Any], str, str]] = [
    ({"titel": "x"}, "titel", "did you mean title?"),
    ({"fetchedAt": WHEN}, "fetchedAt", "did you mean fetched_at?"),
    ({"uri": "https://example.org"}, "uri", "did you mean url?"),
    ({"something else": 1}, "['something else']", "begin with x-"),
    ({"X-tool": "curl"}, "['X-tool']", "begin with x-"),
    ({"call": {"query": "x"}}, "call.query", "unknown key 'query'"),
    ({"quotes": [{"exact": "a"}, {"exact": "b", "page": 2}]}, "quotes[1].page", "unknown key 'page'"),
    ({"id": "a b"}, "id", "1 to 64 of the characters"),
    ({"id": "a\n"}, "id", "'a\\n'"),
    ({"id": "x" * 65}, "id", "1 to 64"),
    ({"id": ""}, "id", "1 to 64"),
    ({"id": 7}, "id", "id is 7"),
    ({"url": "ftp://example.org/a"}, "url", "x-address"),
    ({"url": "javascript:alert(1)"}, "url", "x-address"),
    ({"url": "www.example.org/a"}, "url", "with https://"),
    ({"url": "//example.org/a"}, "url", "with https://"),
    ({"url": ""}, "url", "url is ''"),
    ({"url": "https:example.org"}, "url", "absolute http or https address"),
    ({"url": "https://example.org/a b"}, "url", "%20"),
    ({"url": "https://example.org/\n![x](https://evil.example)"}, "url", "%20"),
    ({"url": "https://example.org/><img>"}, "url", "percent-encoded"),
    ({"url": "https://example.org\\@evil.example/"}, "url", "percent-encoded"),
    ({"url": "https://example.org:99999/"}, "url", "no address to a browser"),
    ({"url": "https://[::1/"}, "url", "no address to a browser"),
    ({"urls": ["https://example.org/", "data:,x"]}, "urls[1]", "urls[1] is 'data:,x'"),
    ({"urls": ["https://exa%00mple.org/"]}, "urls[0]", "no address to a browser"),
    ({"urls": "https://example.org/"}, "urls", "must be a list"),
    ({"title": 5}, "title", "must be a text"),
    ({"title": None}, "title", "leave the key out"),
    ({"level": None}, "level", "leave the key out"),
    ({"level": "read"}, "level", "one of listed, opened"),
    ({"capture": "part"}, "capture", "one of excerpt, full, record"),
    ({"tool": ""}, "tool", "1 to 200 characters"),
    ({"fetched_at": "2026-11-30"}, "fetched_at", "write date, T, time and zone"),
    ({"fetched_at": "2026-11-30T10:00:00"}, "fetched_at", "Z is UTC"),
    ({"fetched_at": "2026-11-30T10:00:00Z\n"}, "fetched_at", "RFC 3339"),
    ({"fetched_at": "2026-02-30T10:00:00Z"}, "fetched_at", "no such date"),
    ({"fetched_at": "2026-11-30T25:00:00Z"}, "fetched_at", "no such date or time"),
    ({"fetched_at": 1764496803}, "fetched_at", "RFC 3339"),
    ({"sha256": HASH.upper()}, "sha256", "lower case"),
    ({"sha256": "sha256:" + HASH}, "sha256", "only the digits"),
    ({"sha256": HASH[:-1]}, "sha256", "has 63 characters"),
    ({"sha256": HASH + "\n"}, "sha256", "64 lower-case"),
    ({"media_type": "html"}, "media_type", "text/html"),
    ({"snapshot": "/etc/passwd"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "../secret"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "a/../../secret"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "a/.."}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "..\\secret"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "C:/secret"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "a\0.txt"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "a.txt\n"}, "snapshot", "below the manifest's folder"),
    ({"snapshot": "."}, "snapshot", "below the manifest's folder"),
    ({"call": {"args": ["a"]}}, "call.args", "must be an object"),
    ({"call": {"result_sha256": "abc"}}, "call.result_sha256", "64 lower-case"),
    ({"markers": "1"}, "markers", "must be a list"),
    ({"markers": ["ok", ""]}, "markers[1]", "1 to 200 characters"),
    ({"markers": ["x" * 201]}, "markers[0]", "1 to 200 characters"),
    ({"markers": ["\x1b]8;;"]}, "markers[0]", "'\\x1b]8;;'"),
    ({"markers": ["a\u202eb"]}, "markers[0]", "'a\\u202eb'"),
    ({"quotes": [{"exact": ""}]}, "quotes[0].exact", "quoted words"),
    ({"quotes": [{"exact": "a", "start": 5, "end": 2}]}, "quotes[0]", "in this order"),
    ({"quotes": [{"exact": "a", "start": 5}]}, "quotes[0]", "or neither"),
    ({"quotes": [{"exact": "a", "start": -1, "end": 2}]}, "quotes[0].start", "whole number from 0"),
    ({"private": "yes"}, "private", "true or false"),
]


@pytest.mark.parametrize(("fields", "place", "words"), BAD_FIELDS)
def test_a_bad_field_is_refused_with_its_place(fields: dict[str, Any], place: str, words: str) -> None:
    error = refusal(a_manifest(a_source(1), a_source(2, **fields) | fields))
    parent = "$.sources[1]"
    assert error.path == (parent + place if place.startswith("[") else f"{parent}.{place}")
    assert error.code == "CL502"
    assert words in f"{error.message} ({error.help})"


BAD_WHOLES: list[tuple[object, str, str]] = [
    ([], "$", 'under "sources"'),
    ("text", "$", "must be an object"),
    ({}, "$", "version is missing"),
    (a_manifest(version="1"), "$.version", "without quotes"),
    (a_manifest(version=2), "$.version", "version is 2, but must be 1"),
    (a_manifest(version=True), "$.version", "version is true"),
    (a_manifest(numbering=2), "$.numbering", "0 or 1"),
    (a_manifest(numbering=True), "$.numbering", "0 or 1"),
    (a_manifest(run={}), "$.run", "id is missing"),
    (a_manifest(run={"id": "r", "started_at": "2026-13-01T00:00:00Z"}), "$.run.started_at", "no such date"),
    (a_manifest(source=[]), "$.source", "did you mean sources?"),
    (a_manifest("src_001"), "$.sources[0]", "must be an object"),
    (a_manifest({"id": "a", "tool": "t", "sha256": HASH}), "$.sources[0]", "fetched_at is missing"),
    (a_manifest(a_source(), a_source()), "$.sources[1].id", "$.sources[0]"),
    (
        a_manifest(a_source(1, markers=["1"]), a_source(2, markers=["2", "1"])),
        "$.sources[1].markers[1]",
        "'1' means $.sources[0] already",
    ),
    (a_manifest(a_source(1, markers=["src_002"]), a_source(2)), "$.sources[0].markers[0]", "$.sources[1]"),
    (a_manifest(*[{}] * 100_001), "$.sources", "at most 100,000 sources"),
    (object(), "", "cannot be written as JSON"),
    (a_manifest(a_source(title="\ud800")), "", "cannot be written as JSON"),
]


@pytest.mark.parametrize(("value", "path", "words"), BAD_WHOLES)
def test_a_bad_whole_is_refused_with_its_place(value: object, path: str, words: str) -> None:
    error = refusal(value)
    assert error.path == path
    assert words in f"{error.message} ({error.help})"


def test_what_is_shown_of_an_untrusted_value_is_short_and_visible() -> None:
    hostile = "\x1b]8;;https://evil.example\x07\u202e\u200b\n" * 1000
    for fields in ({"sha256": hostile}, {"markers": [hostile]}, {hostile: 1}, {"url": hostile}):
        error = refusal(a_manifest(a_source(**fields)))
        told = error.message + error.path + error.help
        assert told.isprintable()
        assert len(told) < 500


# Looking up


def test_lookup_by_id_label_and_number() -> None:
    manifest = Manifest.from_dict(
        a_manifest(a_source(1, markers=["Doc1", "A"]), a_source(2, markers=["a", "2"]), numbering=0)
    )
    first, second = manifest.sources
    assert (manifest.by_id("src_002"), manifest.by_id("SRC_002")) == (second, None)
    assert (manifest.by_label("Doc1"), manifest.by_label("dOC1")) == (first, first)
    assert (manifest.by_label("A"), manifest.by_label("a")) == (first, second)
    assert [manifest.by_number(n) for n in (-1, 0, 1, 2, 10**30)] == [None, first, second, None, None]


def test_a_label_that_only_case_tells_apart_is_not_guessed() -> None:
    manifest = Manifest.from_dict(a_manifest(a_source(1, markers=["Ab"]), a_source(2, markers=["aB"])))
    assert manifest.by_label("AB") is None


def test_without_a_declared_numbering_numbers_mean_nothing() -> None:
    assert Manifest.from_dict(a_manifest(a_source(1))).by_number(1) is None


def test_lookup_by_address_knows_all_addresses_of_a_capture() -> None:
    urls = ["https://example.org/r?id=7", "https://other.test/"]
    manifest = Manifest.from_dict(
        a_manifest(a_source(1, url="HTTPS://Example.org:443/a/../report", urls=urls))
    )
    source = manifest.sources[0]
    for url in ("https://example.org/report", *urls):
        assert manifest.by_url(url_key(url) or "") is source
    assert manifest.by_url(url_key("https://example.org/other") or "") is None
    assert manifest.urls_of(source) == ("HTTPS://Example.org:443/a/../report", *urls)
    assert manifest.hosts == {"example.org", "other.test"}


def test_of_two_captures_of_one_address_the_opened_one_is_meant() -> None:
    page = "https://example.org/page"
    manifest = Manifest.from_dict(
        a_manifest(a_source(1, url=page, level="listed"), a_source(2, url=page, level="opened"))
    )
    key = url_key(page) or ""
    assert manifest.by_url(key) is manifest.sources[1]
    assert [source.id for source in manifest.captures_of(key)] == ["src_002", "src_001"]


def test_the_address_of_a_private_source_is_nowhere() -> None:
    manifest = Manifest.from_dict(a_manifest(a_source(url="https://wiki.test/secret", private=True)))
    assert manifest.by_url(url_key("https://wiki.test/secret") or "") is None
    assert manifest.urls_of(manifest.sources[0]) == ()
    assert manifest.hosts == frozenset()
    assert manifest.sources[0].host == ""


def test_a_withheld_source_is_not_found_and_hands_nothing_to_another() -> None:
    page = "https://example.org/page"
    whole = Manifest.from_dict(
        a_manifest(
            a_source(1, url=page, markers=["A"]),
            a_source(2, url=page, markers=["a"]),
            a_source(3, url="https://other.test/"),
            numbering=1,
        )
    )
    manifest = whole.without(["src_001", "src_003"])
    second = whole.sources[1]
    assert manifest.sources == (second,)
    assert (manifest.by_id("src_001"), manifest.by_label("A"), manifest.by_number(1)) == (None, None, None)
    assert (manifest.by_number(2), manifest.by_label("a")) == (second, second)
    assert manifest.by_url(url_key(page) or "") is second
    assert manifest.hosts == {"example.org"}
    assert whole.by_number(1) is whole.sources[0]


# Files


def test_a_missing_file_is_another_fault_than_a_bad_one(tmp_path: Path) -> None:
    with pytest.raises(ManifestError) as missing:
        Manifest.load(tmp_path / "none.evidence.json")
    with pytest.raises(ManifestError) as folder:
        Manifest.load(tmp_path)
    assert (missing.value.code, folder.value.code) == ("CL501", "CL502")


def test_a_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "answer.evidence.json"
    path.write_text(json.dumps(a_manifest(WHOLE_SOURCE)))
    assert Manifest.load(path) == Manifest.load(str(path)) == Manifest.from_dict(a_manifest(WHOLE_SOURCE))


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answer.evidence.json"
    with path.open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(ManifestError, match="64 MiB"):
        Manifest.load(path)


@pytest.mark.parametrize(
    ("answer", "sidecar"),
    [
        ("answer.md", "answer.evidence.json"),
        ("a/b.v2.html", "a/b.v2.evidence.json"),
        ("answer", "answer.evidence.json"),
    ],
)
def test_the_sidecar_is_beside_the_answer(answer: str, sidecar: str) -> None:
    assert find_sidecar(Path(answer)) == Path(sidecar)


def test_the_schema_that_is_checked_in_is_the_one_that_the_code_gives(checkout: Path) -> None:
    written = json.loads((checkout / "docs" / "manifest.schema.json").read_text(encoding="utf-8"))
    assert written == manifest_schema(), "write it anew: citelint manifest schema > docs/manifest.schema.json"


# Robustness

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(WHOLE_SOURCE)), JSON)
def test_any_value_in_any_field_is_read_or_refused(key: str, value: object) -> None:
    loaded, error = attempt(a_manifest(WHOLE_SOURCE | {key: value}))
    assert loaded or (error and error.path.startswith(f"$.sources[0].{key}"))


def test_all_manifests_of_real_answers_load(
    shared: Path, read_jsonl: Callable[[Path], list[dict[str, Any]]]
) -> None:
    cases = [case for file in sorted((shared / "answers").glob("*.jsonl")) for case in read_jsonl(file)]
    assert cases
    for case in cases:
        assert len(Manifest.from_dict(case["manifest"]).sources) == len(case["manifest"]["sources"])


def test_hostile_manifests_load_as_data_or_are_refused_without_their_escapes(
    shared: Path, read_jsonl: Callable[[Path], list[dict[str, Any]]]
) -> None:
    for case in read_jsonl(shared / "attacks" / "hostile-manifests.jsonl"):
        loaded, error = attempt(case["manifest"])
        assert error is None or error.message.isprintable()
        if loaded:
            assert list(map(loaded.urls_of, loaded.sources)) == [tuple(case["manifest_urls"])]
