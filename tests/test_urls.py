"""Addresses: read as browsers read them, and compared by one key."""

from __future__ import annotations

import html
import re

import cmarkgfm
import mistune
import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st

from citelint.urls import Url, looks_absolute, parse_url, url_key

PAGE = "https://page.example/folder/"


def parsed(raw: str, base: str | None = None) -> Url:
    url = parse_url(raw, base)
    assert url is not None
    return url


# Reading


@pytest.mark.parametrize(
    ("raw", "href"),
    [
        ("HTTPS://Example.ORG:443", "https://example.org/"),
        ("https://example.org/a/./b/%2E%2e/c", "https://example.org/a/c"),
        ("https:\\\\example.org\\a", "https://example.org/a"),
        ("ht\ttps://exa\nmple.org/a", "https://example.org/a"),
        (" \x01https://example.org/\x1f ", "https://example.org/"),
        ("https:example.org/a", "https://example.org/a"),
        ("https:////example.org/a", "https://example.org/a"),
        ("https://exa%6Dple.org/", "https://example.org/"),
        ("https://ex­ample。org/", "https://example.org/"),
        ("https://2130706433/", "https://127.0.0.1/"),
        ("https://пример.example/ä?ö#ü", "https://xn--e1afmkfd.example/%C3%A4?%C3%B6#%C3%BC"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("MAILTO:a@b.example", "mailto:a@b.example"),
    ],
)
def test_an_address_is_read_as_a_browser_reads_it(raw: str, href: str) -> None:
    assert parsed(raw).href == href


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "#top",
        "a/b.md",
        "?q=1",
        "//evil.example/x",
        "https://",
        "https://a b.example/",
        "https://x\ud800/",
    ],
)
def test_what_is_no_absolute_address_is_none(raw: str) -> None:
    assert parse_url(raw) is None
    assert url_key(raw) is None


@pytest.mark.parametrize(
    ("raw", "href"),
    [
        ("//evil.example/x", "https://evil.example/x"),
        ("/\\evil.example/x", "https://evil.example/x"),
        ("/\t/evil.example/x", "https://evil.example/x"),
        ("https:sub/x", "https://page.example/folder/sub/x"),
        ("http:evil.example/x", "http://evil.example/x"),
        ("../x", "https://page.example/x"),
    ],
)
def test_a_base_makes_relative_addresses_absolute(raw: str, href: str) -> None:
    assert parsed(raw, PAGE).href == href


def test_the_parts_are_those_of_the_serialisation() -> None:
    url = parsed("https://me:secret@[2001:DB8::1]:8443/a/b?x=1&y=2#part")
    assert (url.scheme, url.host, url.port) == ("https", "[2001:db8::1]", "8443")
    assert (url.path, url.query, url.fragment) == ("/a/b", "x=1&y=2", "part")
    assert url.userinfo
    assert not parsed("https://example.org/a@b").userinfo


@given(
    st.sampled_from(["https://", "http://", "ftp://", "x-y://", "x:", "file://", "//", ""]),
    st.text("aü.:@[]1/?#\\%2e &=", max_size=30),
)
def test_the_parts_agree_with_the_parser(start: str, rest: str) -> None:
    url = parse_url(start + rest)
    if url is None:
        assert not URL.can_parse(start + rest)
        return
    seen = URL(start + rest)
    assert url.href == seen.href
    assert (url.scheme + ":", url.host, url.port) == (seen.protocol, seen.hostname, seen.port)
    assert url.path == seen.pathname
    assert (url.query, url.fragment) == (seen.search.removeprefix("?"), seen.hash.removeprefix("#"))
    assert url.userinfo == bool(seen.username or seen.password)


def test_very_long_addresses_are_read_like_short_ones() -> None:
    assert parsed("https://example.org/" + "a" * 5000).path == "/" + "a" * 5000


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "https://evil.example/",
            "HTTP:evil.example",
            "https:x",
            "mailto:a@b.example",
            "javascript:x",
            "c:\\x",
        ),
        *(
            "//evil.example",
            "\\\\evil.example\\share",
            "/\\evil.example",
            "\\/evil.example",
            "///evil.example",
        ),
        *(" //evil.example", "\x0b//evil.example", "/\t/evil.example", "/\n\\evil.example", "ht\ntps:x"),
        *(
            "//page.invalid/x",
            "//other.invalid/x",
            "//user@page.invalid/",
            "//[broken",
            "//",
            "view-source:x",
        ),
    ],
)
def test_these_leave_the_page(raw: str) -> None:
    assert looks_absolute(raw)


@pytest.mark.parametrize(
    "raw",
    ["", "#top", "?q=1", "a.md", "./a/b.md#c", "/a//b", "../../x", "/x\\y", "a/b:c", "%2F%2Fevil.example"],
)
def test_these_stay_on_the_site(raw: str) -> None:
    assert not looks_absolute(raw)


# Comparing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/it's|[a]^`{b}$", "https://example.org/it%27s%7C%5Ba%5D%5E%60%7Bb%7D%24"),
        ("https://example.org/?q='|[a]\\^`{b}$", "https://example.org/?q=%27%7C%5Ba%5D%5C%5E%60%7Bb%7D%24"),
        ("https://example.org/#'|[a]\\^`{b}$", "https://example.org/#%27%7C%5Ba%5D%5C%5E%60%7Bb%7D%24"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/ä b", "https://example.org/%C3%A4%20b"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"),
        ("https://a$b@example.org/", "https://a%24b@example.org/"),
        ("https://example.org", "https://EXAMPLE.org:443/"),
        ("https://example.org/a#:~:text=any%20words", "https://example.org/a"),
        ("https://example.org/a#part:~:text=x&text=y", "https://example.org/a#part"),
        ("https://example.org/a?utm_source=chatgpt.com", "https://example.org/a"),
        ("https://example.org/a?x=1&UTM_Medium=m&y=2&fbclid=f#z", "https://example.org/a?x=1&y=2#z"),
        ("https://example.org/a?referrer=grok.com", "https://example.org/a"),
    ],
)
def test_spellings_of_one_address_have_one_key(one: str, other: str) -> None:
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "http://example.org/a"),
        ("https://example.org/a", "https://example.org/a/"),
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a/b", "https://example.org/a%2Fb"),
        ("https://example.org/a", "https://example.org/%61"),
        ("https://example.org/a?x=1&y=2", "https://example.org/a?y=2&x=1"),
        ("https://example.org/a", "https://example.org/a?x=1"),
        ("https://example.org/a", "https://example.org/a#b"),
        ("https://example.org/a", "https://example.org./a"),
        ("https://example.org/a", "https://user@example.org/a"),
        ("https://example.org/a?referrer=page-two", "https://example.org/a"),
        ("https://example.org/a?id=utm_source", "https://example.org/a"),
    ],
)
def test_different_addresses_have_different_keys(one: str, other: str) -> None:
    assert url_key(one) != url_key(other)


def test_the_key_decodes_nothing_and_leaves_the_host_alone() -> None:
    assert url_key("https://[::1]:80/a%5b%2F%41[") == "https://[::1]:80/a%5b%2F%41%5B"
    assert url_key("https://example.org/?a=%26&&b") == "https://example.org/?a=%26&&b"


def test_stripped_parameters_are_named_as_spelt() -> None:
    assert parsed("https://example.org/?a=1&Utm_Source=x&gclid=y").tracking == ("Utm_Source", "gclid")
    assert parsed("https://example.org/?a=1").tracking == ()


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(rest: str) -> None:
    key = url_key("https://example.org/" + rest)
    assert key is None or url_key(key) == key


@given(st.text(st.characters(min_codepoint=0x20, exclude_characters="<>\\&\x7f", exclude_categories=["Cs"])))
def test_what_a_renderer_makes_of_an_address_has_its_key(rest: str) -> None:
    # A blank at the very end is part of the address to a renderer only: browsers trim it.
    address = f"https://example.org/?q={''.join(rest.splitlines())}#end"
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", address)
    for render in (mistune.html, cmarkgfm.markdown_to_html):
        shown = re.search(r'href="([^"]*)"', str(render(f"[x](<{escaped}>)")))
        assert shown is not None
        assert url_key(html.unescape(shown[1])) == url_key(address.replace("\x00", "\ufffd"))
