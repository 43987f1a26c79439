"""Addresses in text, as linkifiers find them, with escapes, references and invisible characters."""

from __future__ import annotations

import pytest

from citelint.model import Regions, Span
from citelint.readers.addresses import find_addresses


def _found(text: str, *, known: tuple[str, ...] = (), fuzzy: bool = False) -> list[tuple[str, str, str]]:
    data = text.encode()
    references = find_addresses(
        data,
        Span(0, len(data)),
        Regions(),
        known=known.__contains__,
        known_suffix=("org", "example", "test", "com").__contains__,
        fuzzy_hosts=fuzzy,
    )
    return [(found.kind, found.target, data[slice(*found.span)].decode()) for found in references]


def _same(kind: str, address: str) -> tuple[str, str, str]:
    return kind, address, address


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://e.example/x.", _same("url", "https://e.example/x")),
        ("(https://e.example/a_(b))", _same("url", "https://e.example/a_(b)")),
        ("见https://e.example/a。然后", _same("url", "https://e.example/a")),
        ("**https://e.example/y**", _same("url", "https://e.example/y")),
        ("HTTPS://E.EXAMPLE/S", _same("url", "HTTPS://E.EXAMPLE/S")),
        ("xhttps://e.example/S", _same("url", "https://e.example/S")),
        ("www.e.example/q", _same("url", "www.e.example/q")),
        ("“e.com/q", _same("host", "e.com/q")),
        ("见（e.com/q）", _same("host", "e.com/q")),
        ("x\u3000e.com/q", _same("host", "e.com/q")),
        ("ftp://e.example/q", _same("url", "ftp://e.example/q")),
        ("go to //e.example/S", _same("url", "//e.example/S")),
        ("a@e.example!", _same("mail", "a@e.example")),
        ("mailto:a@e.example?body=x", _same("mail", "mailto:a@e.example?body=x")),
        ("xmpp:a@e.example/S", _same("mail", "xmpp:a@e.example/S")),
        ("try attacker.test/reset when", _same("host", "attacker.test/reset")),
        ("attacker.test:8080 is", _same("host", "attacker.test:8080")),
        (r"https\:\/\/e\.example\/m", ("url", "https://e.example/m", r"https\:\/\/e\.example\/m")),
        ("https&#x3A;//e.example/m", ("url", "https://e.example/m", "https&#x3A;//e.example/m")),
        ("https&colon;&sol;&sol;e.example", ("url", "https://e.example", "https&colon;&sol;&sol;e.example")),
        ("https://\u200be.example/S", ("url", "https://e.example/S", "https://\u200be.example/S")),
        ("ev\u00adil.example/x", ("host", "evil.example/x", "ev\u00adil.example/x")),
    ],
)
def test_an_address_is_found_with_its_bytes(text: str, found: tuple[str, str, str]) -> None:
    assert _found(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "EY.ai and/or Node.js/Express",
        "1.5/2.0 or 24/7",
        "@handle and a @ b",
        "// a comment",
        "and//or",
        "hxxps://evil[.]example/x",
        "a[@]b.example",
        "www.",
        "e.g./i.e.",
    ],
)
def test_what_no_linkifier_takes_is_left(text: str) -> None:
    assert _found(text) == []


def test_a_plain_host_counts_only_for_fuzzy_linkifiers() -> None:
    assert _found("shop at brand.com today") == []
    assert _found("shop at brand.com today", fuzzy=True) == [_same("host", "brand.com")]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("https://e.example/a.", "https://e.example/a."),
        ("https://e.example/a)", "https://e.example/a)"),
        ("https://e.example/a](x", "https://e.example/a"),
    ],
)
def test_the_longest_end_that_is_known_wins(text: str, known: str) -> None:
    assert _found(text, known=(known,)) == [_same("url", known)]


def test_addresses_in_skipped_regions_are_left() -> None:
    data = b"`https://e.example/x` https://e.example/y"
    references = find_addresses(
        data, Span(0, len(data)), Regions([(0, 21)]), known=lambda _: False, known_suffix=lambda _: True
    )
    assert [found.target for found in references] == ["https://e.example/y"]


def test_an_address_begins_where_a_character_does() -> None:
    """However many letters of another script stand before the ``@``."""
    for length in range(19, 26):
        [(kind, target, literal)] = _found("中" * length + "x@evil.example")
        assert (kind, literal) == ("mail", target)
        assert "\ufffd" not in target
