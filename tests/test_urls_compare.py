"""Addresses beside each other: below a prefix, near a known one, named by a text that lies."""

from __future__ import annotations

import pytest

from citelint.urls import Url, is_known_suffix, lies_about, near_miss, parse_url, under_prefix


def parsed(raw: str) -> Url:
    url = parse_url(raw)
    assert url is not None
    return url


@pytest.mark.parametrize(
    ("raw", "prefix"),
    [
        ("https://docs.example.org/", "https://docs.example.org"),
        ("https://docs.example.org/a/b.html#part", "https://docs.example.org/"),
        ("https://DOCS.example.org:443/v1/../v2/x", "https://docs.example.org/v2"),
        ("https://docs.example.org/v2", "https://docs.example.org/v2"),
        ("https://docs.example.org/v2/", "https://docs.example.org/v2"),
        ("https://docs.example.org/v2/%C3%A4/a%20b", "https://docs.example.org/v2"),
        ("https://docs.example.org/it%27s/x", "https://docs.example.org/it's/"),
        ("https://docs.example.org/v2/x?lang=en", "https://docs.example.org/v2/?lang=en"),
    ],
)
def test_a_prefix_covers(raw: str, prefix: str) -> None:
    assert under_prefix(parsed(raw), prefix)


@pytest.mark.parametrize(
    "raw",
    [
        *("https://docs.example.org/v22", "https://docs.example.org/v", "https://docs.example.org/v2.evil"),
        *("http://docs.example.org/v2/x", "https://docs.example.org:8443/v2/x", "https://example.org/v2/x"),
        *("https://docs.example.org.evil.example/v2/x", "https://docs.example.org@evil.example/v2/x"),
        *(
            "https://me@docs.example.org/v2/x",
            "https://docs.example.org/v2/x?d=1",
            "https://docs.example.org/v2?d=1",
        ),
        *(
            "https://docs.example.org/v2/../x",
            "https://docs.example.org/v2/%2e%2E/x",
            "https://docs.example.org/v2\\..\\x",
        ),
        *(
            "https://docs.example.org/v2/..%2fx",
            "https://docs.example.org/v2/..%5Cx",
            "https://docs.example.org/v2/a%2Fb",
        ),
        *("https://docs.example.org/v2/.%252e/x", "https://docs.example.org/v2/%252e%252e%252fx"),
        *(
            "https://docs.example.org/v2/%c0%ae%c0%ae/x",
            "https://docs.example.org/v2/..;/x",
            "https://docs.example.org/v2/%",
        ),
        *(
            "https://docs.example.org/v2//evil.example",
            "https://docs.example.org/v2/a%00b",
            "https://docs.example.org/v2/a%0Ab",
        ),
        *(
            "https://docs.example.org./v2/x",
            "javascript:https://docs.example.org/v2/x",
            "https://docs.example.org/V2/x",
        ),
    ],
)
def test_a_prefix_does_not_cover(raw: str) -> None:
    assert not under_prefix(parsed(raw), "https://docs.example.org/v2")


@pytest.mark.parametrize(
    "prefix", ["", "docs.example.org", "//docs.example.org/", "x:y", "https://me@docs.example.org/"]
)
def test_what_is_no_prefix_covers_nothing(prefix: str) -> None:
    assert not under_prefix(parsed("https://docs.example.org/"), prefix)
    assert not under_prefix(parsed("x:y"), prefix)


def test_a_near_miss_is_on_a_known_host() -> None:
    hosts = frozenset({"example.org", "www.example.com"})
    assert near_miss(parsed("https://example.org/other"), hosts)
    assert near_miss(parsed("https://www.example.org/other"), hosts)
    assert near_miss(parsed("http://example.com/"), hosts)
    assert not near_miss(parsed("https://sub.example.org/"), hosts)
    assert not near_miss(parsed("mailto:a@example.org"), hosts)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "https://bank.example/login",
            "bank.example",
            "BANK.example/login",
            "www.bank.example",
            "Bank.example:",
        ),
        *(
            "https://evil.example/other",
            "(https://bank.example)",
            "see https://bank.example now",
            "http:bank.example",
        ),
        *("https://bank.example@evil.example/a", "https://bank.example:99999/", "https://www.bank.example/a"),
        *(
            "www.\u200bbank.example",
            "ｂａｎｋ．example",
            "bank。example",
            "https://evil.example:8443/a",
            "https://bank.ex…",
        ),
        "https://evil.example/b…",
    ],
)
def test_texts_that_lie(text: str) -> None:
    assert lies_about(text, parsed("https://evil.example/a"))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "https://site.example/a/x_(y)",
            "http://www.site.example/a/x_(y)/",
            "https://site.example",
            "site.example",
        ),
        *(
            "www.site.example/",
            "Site.example.",
            "<https://site.example/a/x_(y)>",
            "https://site.example/a/x…",
            "x_(y)",
        ),
        *(
            "",
            "https://",
            "the annual report",
            "Version 2.5",
            "e.g. this",
            "Node.js",
            "see bank.example today",
        ),
        *("me@bank.example", "https://site.example/a/x_(y)?utm_source=news", "12:30", "U.S."),
    ],
)
def test_texts_that_do_not_lie(text: str) -> None:
    assert not lies_about(text, parsed("https://site.example/a/x_(y)"))


def test_a_file_name_is_no_host_name() -> None:
    assert not lies_about("README.md", parsed("https://example.org/project/README.md"))
    assert lies_about("README.md", parsed("https://example.org/elsewhere"))


@pytest.mark.parametrize("label", ["com", "ORG", "de", "io", "test", "example", "invalid", "рф", "xn--p1ai"])
def test_known_suffixes(label: str) -> None:
    assert is_known_suffix(label)


@pytest.mark.parametrize("label", ["", "js", "html", "pdf", "zz", "5", "xn--", "localhostx"])
def test_unknown_suffixes(label: str) -> None:
    assert not is_known_suffix(label)
