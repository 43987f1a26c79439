"""What is wrong with an address as such: CL201 to CL206."""

from __future__ import annotations

from base64 import b32encode, b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

import pytest

from citelint.urls import Url, parse_url, payload_in_host, url_faults

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def parsed(raw: str) -> Url:
    url = parse_url(raw)
    assert url is not None
    return url


def codes(raw: str) -> set[str]:
    return {fault.code for fault in url_faults(parsed(raw))}


def test_an_ordinary_address_has_no_fault() -> None:
    assert url_faults(parsed("https://example.org/report/2025?page=2#summary")) == ()


@pytest.mark.parametrize(
    "raw", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.example/"]
)
def test_schemes_other_than_the_web_are_unsafe(raw: str) -> None:
    assert "CL201" in codes(raw)
    assert raw.partition(":")[0] + ":" in url_faults(parsed(raw))[0].message


def test_a_message_does_not_carry_what_the_address_carries() -> None:
    private = "osprey7"
    for raw in (
        f"https://{private}@example.org/?utm_{private}=1&gclid={private}#{private * 40}",
        f"https://{private}.example.org/?u=https://{private}.example/",
        f"{'x' * 40}{private}:y",
        f"https://аррӏе{private}.example/",
    ):
        faults = url_faults(parsed(raw))
        assert faults
        assert not [fault for fault in faults if private in fault.message]


@pytest.mark.parametrize("raw", ["https://allowed.example@evil.example/", "https://:p@evil.example/"])
def test_user_info_is_found(raw: str) -> None:
    assert "CL202" in codes(raw)


@pytest.mark.parametrize(
    "query",
    [
        *(
            "utm_source=chatgpt.com",
            "srsltid=AfmBOoq",
            "gclid=1",
            "fbclid=1",
            "referrer=grok.com",
            "mc_eid=1",
        ),
        *("ref=perplexity.ai", "source=chatgpt.com", "a=1&MSCLKID=2", "_hsenc=p2"),
    ],
)
def test_tracking_parameters_are_found(query: str) -> None:
    assert "CL203" in codes("https://example.org/a?" + query)


@pytest.mark.parametrize(
    "query", ["ref=studentship-28", "source=archive", "id=1", "referrer=", "utm=1", "gclids=1"]
)
def test_other_parameters_choose_a_page(query: str) -> None:
    assert "CL203" not in codes("https://example.org/a?" + query)


TEXT = b"account 4711, balance 20"
CARRIERS = {
    "base64": b64encode(TEXT).decode().rstrip("="),
    "base64 padded": b64encode(TEXT + b"!").decode(),
    "base64 shifted": "ab" + urlsafe_b64encode(TEXT).decode(),
    "base64 of other languages": urlsafe_b64encode("пароль от сервера".encode()).decode().rstrip("="),
    "base32": b32encode(TEXT).decode().rstrip("=").lower(),
    "hex": TEXT.hex(),
    "hex shifted": "f" + TEXT.hex().upper(),
    "percent-escapes": "".join(f"%{byte:02x}" for byte in b"secretword"),
    "encrypted": "q7Zr0Vx2Lm9TbK4sWd8EfY1hJc6NuGpA3oRiQz5XvMtB7yUk",
    "hashes in a row": "-".join(f"{n:032x}" for n in (0x9E3779B97F4A7C15F39CC0605CEDC834, 3**80, 7**45)),
}


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example/?d={}",
        "https://evil.example/a/{}/b.png",
        "https://evil.example/?{}",
        "https://evil.example/#{}",
    ],
)
def test_data_in_disguise_is_a_payload(place: str, carrier: str) -> None:
    assert "CL204" in codes(place.format(carrier))


@pytest.mark.parametrize(
    "raw",
    [
        "https://allowed.example/docs/guide?note=cGFzc3dvcmQ9aHVudGVyMg",
        "https://allowed.example/docs/guide#d=cGFzc3dvcmQ",
        "https://evil.example/?q=" + "all+the+plain+words+of+the+conversation+" * 4,
        "https://evil.example/" + "x" * 90,
        "https://evil.example/" + "/".join("abcdefghijklmnopqrstuvwxyz"),
        "https://evil.example/?" + "&".join(f"p{n}=wordword{n}" for n in range(40)),
        "https://example.org/?utm_content=cGFzc3dvcmQ9aHVudGVyMg",
        "https://example.org/#:~:text=" + "long%20words%20" * 30,
    ],
)
def test_payloads_in_other_shapes(raw: str) -> None:
    assert "CL204" in codes(raw)


@pytest.mark.parametrize(
    "host",
    [
        "6163636f756e742034373131.evil.example",
        "mfrggzdfmztwq2lkobqxg43xn5zgi.evil.example",
        "6163636f756e74.2034373131.evil.example",
        "x" * 45 + ".evil.example",
        "9f3ac81be07d4e5526b8a1d0c4.evil.example",
        "a.b.c.d.e.f.g.h.evil.example",
    ],
)
def test_payloads_in_host_names(host: str) -> None:
    assert payload_in_host(host)
    assert "CL204" in codes(f"https://{host}/")


@pytest.mark.parametrize(
    "host",
    [
        "www.example.org",
        "d111111abcdef8.cdn.example",
        "mathematics.university.ac.example",
        "[2001:db8::1]",
        "",
        "bücher.example",
    ],
)
def test_ordinary_host_names_carry_nothing(host: str) -> None:
    assert not payload_in_host(host)


@pytest.mark.parametrize(
    "rest",
    [
        *(
            "pmc/articles/PMC10234567/",
            "10.1371/journal.pone.0317839",
            "doi/full/10.1080/00220671.2025.2510391",
        ),
        *("62f07015-b6f3-44d4-a95c-9d46b033d6f1.pdf", "commit/6f55a1d10c22590102020740be1e650e52eac9e2"),
        *("document/d/1aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d/edit", "watch?v=QW-yTV0b0O4"),
        "paper/f7efa4f864ae9b88d43527f4b14f750f-Paper-Conference.pdf",
        "a-systematic-review-and-meta-analysis-of-randomized-controlled-trials-with-a-title-that-does-not-seem-to-end-anywhere",
        "Report-Information-Driven-Space-Object-Reacquisition.pdf?download=true&lang=en_US",
        "wiki/%E4%B8%AD%E5%9B%BD%E9%87%91%E8%9E%8D%E6%9C%BA%E6%9E%84%E9%97%B4%E7%9A%84%E6%8A%95%E8%B5%84%E5%80%9F%E8%B4%B7",
        "a?srsltid=AfmBOoqgKgYy5Rg0w5bLafpzF_5We1E13tIWLGLw0gHPjYGNAWrcmJiG",
        "a#:~:text=a%20quoted%20sentence%20of%20the%20page",
    ],
)
def test_ids_and_titles_are_no_payload(rest: str) -> None:
    assert "CL204" not in codes("https://example.org/" + rest)


@pytest.mark.parametrize(
    "raw",
    [
        "https://www.google.com/url?q=evil.example",
        "https://l.facebook.com/l.php?u=evil.example&h=1",
        "https://eu-prod.asyncgw.teams.microsoft.com/urlp/v1/url/content?url=evil.example",
        "https://tinyurl.com/abc",
        "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ",
        "https://web.archive.org/save/evil.example",
        "https://example.org/go?to=https://evil.example/",
        "https://example.org/go?to=https%253A%252F%252Fevil.example",
        "https://example.org/go?to=//evil.example/x",
        "https://example.org/go?to=%2F%5Cevil.example",
        "https://example.org/go?to=ht%09tps:evil.example",
        "https://example.org/go?https://evil.example/",
        "https://example.org/go#https://evil.example/",
        "https://example.org/proxy/https://evil.example/x",
        "https://example.org/proxy/http:/[/https%3A%2F%2Fevil.example",
    ],
)
def test_addresses_that_carry_another(raw: str) -> None:
    assert "CL205" in codes(raw)


@pytest.mark.parametrize(
    "raw",
    [
        "https://www.google.com/search?q=evil.example",
        "https://www.google.com/url",
        "https://www.google.com/urlshortener?q=x",
        "https://notgoogle.example/url?q=x",
        "https://web.archive.org/web/2024/https://example.org/",
        "https://example.org/text?doc=Perseus:text:1999&uri=CELEX:32023&back=/open/search",
        "https://example.org/wiki/Https:_the_protocol",
        "https://tinyurl.com/",
    ],
)
def test_addresses_that_carry_none(raw: str) -> None:
    assert "CL205" not in codes(raw)


@pytest.mark.parametrize(
    "host",
    [
        "аllowed.example",  # one Cyrillic letter
        "gοοgle.example",  # Greek
        "аррӏе.example",  # Cyrillic throughout
        "xn--80ak6aa92e.example",
        "ɑɡɑ.example",
        "օսոհ.example",
        "evil.org⁄docs.example",  # a fraction slash
        "example-orgノx.example",
        "пример中.example",
    ],
)
def test_confusable_hosts(host: str) -> None:
    assert "CL206" in codes(f"https://{host}/")


@pytest.mark.parametrize(
    "host",
    [
        *(
            "bücher.example",
            "中文.example",
            "日本語のサーバー.example",
            "xサーバーx.example",
            "한국어.example",
        ),
        *("русский.example", "пример.рф", "сор.рф", "ελλάδα.example", "example.org", "col·lecció.example"),
    ],
)
def test_names_in_one_language_are_fine(host: str) -> None:
    assert "CL206" not in codes(f"https://{host}/")


def test_real_addresses_are_rarely_taken_for_payloads(
    shared: Path, read_jsonl: Callable[[Path], list[dict[str, Any]]]
) -> None:
    addresses = {
        source["url"]
        for file in sorted((shared / "answers").glob("*.jsonl"))
        for answer in read_jsonl(file)
        for source in answer["manifest"]["sources"]
        if source.get("url")
    }
    found = [address for address in addresses if codes(address) & {"CL201", "CL202", "CL204", "CL206"}]
    assert len(addresses) > 1000
    assert len(found) < len(addresses) * 0.01, found
