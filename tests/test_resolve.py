"""What a reference means: which source, an allowed address, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from citelint.document import Document
from citelint.model import Sink
from citelint.readers.reading import read
from citelint.resolve import Resolver, Verdict
from tests.command import source

REPORT = "https://example.org/report"
TABLES = "https://example.org/tables?id=7&lang=en"

SOURCES = (
    source(id="report", url=REPORT, urls=["https://example.org/r"], markers=["1", "doc1", "turn0search0"]),
    source(id="tables", url=TABLES, markers=["2", "Doc9"]),
    source(id="listed", url="https://example.org/listed", tool="search.read", level="listed", markers=["3"]),
    source(id="photo", url="https://example.org/photo.png", media_type="image/png", markers=["doc9"]),
)
PRIVATE = {key: value for key, value in source(id="memo", tool="kb.read").items() if key != "url"}


def _resolver(*sources: dict[str, Any], site: frozenset[str] = frozenset(), **settings: Any) -> Resolver:
    numbering = settings.pop("numbering", None)
    record = {"version": 1, "run": {"id": "run"}, "sources": sources or SOURCES}
    if numbering is not None:
        record["numbering"] = numbering
    manifest = citelint.Manifest.from_dict(record)
    return Resolver(manifest, citelint.Policy(**settings), site_files=site)


def _with_list(text: str, **settings: Any) -> Resolver:
    resolver = _resolver(**settings)
    return resolver.with_bibliography(read(Document(text), resolver).bibliography)


def _ids(resolver: Resolver, *labels: str) -> list[str]:
    return [found.id for found in resolver.labels(labels).sources]


# Addresses


@pytest.mark.parametrize(
    "spelling",
    [
        REPORT,
        "HTTPS://EXAMPLE.ORG:443/report",
        "https://example.org/./report",
        "https://example.org/a/../report",
        "https:\\\\example.org\\report",
        "https://exam\tple.org/rep\nort",
        "  https://example.org/report ",
        "https://example.org/report#:~:text=doubled",
        "https://example.org/report?utm_source=chatgpt.com",
    ],
)
def test_every_spelling_that_a_browser_reads_alike_selects_the_manifests_own_string(spelling: str) -> None:
    decision = _resolver().address(spelling)
    assert decision.verdict is Verdict.CITES
    assert decision.source is not None
    assert decision.source.id == "report"
    assert decision.written == REPORT


def test_another_address_of_a_capture_is_written_as_the_manifest_has_it() -> None:
    decision = _resolver().address("https://EXAMPLE.org/r")
    assert (decision.verdict, decision.written) == (Verdict.CITES, "https://example.org/r")


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/report/",
        "https://example.org/Report",
        "https://example.org/report?x=1",
        "https://example.org/report?",
        "https://example.org/report#part",
        "https://example.org/%72eport",
        "https://example.org/",
    ],
)
def test_the_same_host_with_something_else_is_a_near_miss_and_no_match(address: str) -> None:
    decision = _resolver().address(address)
    assert (decision.verdict, decision.code) == (Verdict.REJECTED, "CL106")
    assert not decision.written


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/report",
        "https://example.org.evil.example/report",
        "https://example.org@evil.example/report",
        "https://evil.example/?u=https://example.org/report",
        "//evil.example/",
        "/\\evil.example/",
        "https://",
    ],
)
def test_an_address_that_nothing_vouches_for_is_rejected(address: str) -> None:
    decision = _resolver().address(address)
    assert decision.verdict is Verdict.REJECTED
    assert not decision.written


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "file:///etc/passwd"]
)
def test_other_schemes_are_rejected_as_unsafe(address: str) -> None:
    decision = _resolver().address(address)
    assert (decision.verdict, decision.code) == (Verdict.REJECTED, "CL201")


def test_a_source_that_was_only_listed_resolves_and_is_no_evidence() -> None:
    decision = _resolver().address("https://example.org/listed")
    assert (decision.verdict, decision.code) == (Verdict.REJECTED, "CL105")
    admitted = _resolver(allow_search_results_as_evidence=True).address("https://example.org/listed")
    assert admitted.verdict is Verdict.CITES


# The operator's policy


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("https://docs.example.org/guide/", "https://docs.example.org/guide/"),
        ("https://docs.example.org/guide/a/b", "https://docs.example.org/guide/a/b"),
        ("HTTPS://DOCS.example.org:443/guide/./a", "https://docs.example.org/guide/a"),
        ("https:\\\\docs.example.org\\guide\\a", "https://docs.example.org/guide/a"),
    ],
)
def test_an_address_under_an_allowed_prefix_is_written_re_serialised(address: str, written: str) -> None:
    decision = _resolver(allow=("https://docs.example.org/guide/",)).address(address)
    assert (decision.verdict, decision.written) == (Verdict.ALLOWED, written)
    assert decision.source is None


@pytest.mark.parametrize(
    "address",
    [
        "https://docs.example.org/guidebook",
        "https://docs.example.org/guide/../secret",
        "https://docs.example.org/guide/a?q=secret",
        "https://me@docs.example.org/guide/a",
        "https://docs.example.org:8443/guide/a",
        "http://docs.example.org/guide/a",
        "https://docs.example.org.evil.example/guide/a",
    ],
)
def test_an_allowed_prefix_ends_at_whole_segments_and_admits_no_query_or_user(address: str) -> None:
    decision = _resolver(allow=("https://docs.example.org/guide",)).address(address)
    assert decision.verdict is Verdict.REJECTED


def test_fragments_of_the_page_are_allowed() -> None:
    assert _resolver().address("#section-2").verdict is Verdict.ALLOWED


def test_relative_paths_lead_only_to_files_of_the_site() -> None:
    resolver = _resolver(site=frozenset({"guide.md", "images/plan.png"}))
    assert resolver.address("guide.md").verdict is Verdict.ALLOWED
    assert resolver.address("guide.md#start").verdict is Verdict.ALLOWED
    for elsewhere in ("other.md", "guide.md?q=secret", "/guide.md", "images/", "../guide.md"):
        assert resolver.address(elsewhere).verdict is Verdict.REJECTED, elsewhere
    assert _resolver().address("guide.md").verdict is Verdict.REJECTED


def test_mail_addresses_are_links_only_where_the_policy_says_so_and_carry_nothing() -> None:
    allowing = _resolver(allow_mail=True)
    assert allowing.address("mailto:press@example.org").verdict is Verdict.ALLOWED
    assert allowing.address("mailto:press@example.org?body=secret").verdict is Verdict.REJECTED
    assert _resolver().address("mailto:press@example.org").verdict is Verdict.REJECTED


# Images


def test_an_image_is_a_source_with_an_image_media_type_or_a_file_of_the_site() -> None:
    resolver = _resolver(site=frozenset({"images/plan.png"}), allow=("https://docs.example.org/",))
    assert resolver.image("https://example.org/photo.png").verdict is Verdict.CITES
    assert resolver.image("images/plan.png").verdict is Verdict.ALLOWED
    for other in (REPORT, "https://docs.example.org/x.png", "#top", "", "images/other.png"):
        assert resolver.image(other).verdict is Verdict.REJECTED, other


# Labels


@pytest.mark.parametrize("label", ["report", "1", "doc1", "DOC1", " doc1 ", "turn0search0", "１"])
def test_ids_and_listed_labels_name_their_source(label: str) -> None:
    assert _ids(_resolver(), label) == ["report"]


def test_letter_case_counts_where_it_tells_two_sources_apart() -> None:
    assert _ids(_resolver(), "Doc9") == ["tables"]
    assert _ids(_resolver(), "doc9") == ["photo"]
    assert _ids(_resolver(), "DOC9") == []


def test_a_label_that_names_nothing_is_missing() -> None:
    decision = _resolver().labels(("doc42",))
    assert (decision.sources, decision.missing) == ((), ("doc42",))


def test_several_labels_keep_their_order_and_each_source_once() -> None:
    assert _ids(_resolver(), "2", "doc1", "tables", "1") == ["tables", "report"]


def test_a_private_source_is_cited_by_label_though_it_has_no_address() -> None:
    assert _ids(_resolver(PRIVATE | {"markers": ["7"]}), "7") == ["memo"]


def test_labels_of_sources_that_are_no_evidence_do_not_count() -> None:
    decision = _resolver().labels(("1", "3"))
    assert [found.id for found in decision.sources] == ["report"]
    assert [found.id for found in decision.not_evidence] == ["listed"]


@pytest.mark.parametrize(
    ("numbering", "label", "found"),
    [
        (1, "1", ["first"]),
        (1, "2", ["second"]),
        (1, "0", []),
        (1, "3", []),
        (0, "0", ["first"]),
        (0, "1", ["second"]),
        (0, "2", []),
        (None, "1", []),
    ],
)
def test_bare_numbers_count_the_sources_where_the_manifest_declares_it(
    numbering: int | None, label: str, found: list[str]
) -> None:
    sources = source(id="first"), source(id="second", url=TABLES)
    assert _ids(_resolver(*sources, numbering=numbering), label) == found


def test_a_label_goes_before_the_numbering() -> None:
    sources = source(id="first"), source(id="second", url=TABLES, markers=["1"])
    assert _ids(_resolver(*sources, numbering=1), "1") == ["second"]


# The answer's own list


def test_a_number_of_the_answers_own_list_means_the_source_of_that_address() -> None:
    resolver = _with_list(f"Sales rose [7].\n\n## Sources\n\n[7] The report: {REPORT}\n")
    assert _ids(resolver, "7") == ["report"]


def test_the_answers_own_list_goes_before_the_numbering() -> None:
    text = "Sales rose [4].\n\n## Sources\n\n[4] Tables: {}\n"
    assert _ids(_with_list(text.format(TABLES), numbering=1), "4") == ["tables"]
    unrecorded = _with_list(text.format("https://evil.example/"), numbering=1)
    assert unrecorded.labels(("4",)).missing == ("4",)


def test_a_label_and_a_list_that_disagree_name_nothing() -> None:
    decision = _with_list(f"Sales rose [1].\n\n## Sources\n\n[1] Tables: {TABLES}\n").labels(("1",))
    assert (decision.sources, decision.conflicts) == ((), ("1",))


def test_a_label_and_a_list_that_agree_name_their_source() -> None:
    decision = _with_list(f"Sales rose [1].\n\n## Sources\n\n[1] The report: {REPORT}\n").labels(("1",))
    assert [found.id for found in decision.sources] == ["report"]
    assert not decision.conflicts


# What readers find in the output


def test_in_the_output_only_the_manifests_own_string_may_stand() -> None:
    resolver = _resolver()
    assert resolver.allows(Sink("click", REPORT, "a[href]"))
    assert resolver.allows(Sink("click", "", "a[href]"))
    for spelling in (f"{REPORT}#:~:text=secret", f"{REPORT}?utm_source=secret", "https://evil.example/"):
        assert not resolver.allows(Sink("click", spelling, "a[href]")), spelling


def test_what_fetches_by_itself_must_be_an_image() -> None:
    resolver = _resolver()
    assert resolver.allows(Sink("auto", "https://example.org/photo.png", "img[src]"))
    assert not resolver.allows(Sink("auto", REPORT, "img[src]"))
    assert not resolver.allows(Sink("auto", "", "tag <object>"))
