"""Ways out of an answer, each kind with its smallest input, in every renderer of the matrix."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from tests.command import source
from tests.renderers.matrix import is_plain_host, outside, sinks, sinks_by_renderer

OK = "https://example.org/report"
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "attack"},
        "sources": [
            source(markers=["9", "turn0search0"]),
            source(id="src_002", url="https://example.org/b?x=1&copy=2"),
        ],
    }
)


def _fix(text: str, **policy: Any) -> citelint.Result:
    return citelint.fix(text, MANIFEST, policy=citelint.Policy(required=False, **policy))


def _ways_out(text: str) -> list[str]:
    allowed = [OK, "https://example.org/b?x=1&copy=2"]
    return [
        f"{name}: {found.channel} {found.url!r}"
        for name, found in sinks_by_renderer(text)
        if outside([found], allowed) and not is_plain_host(found)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff    ![x](https://evil.example/q)\n",
        "\ufeff```\n![x](https://evil.example/q)\n```\n",
        "[^src_001]\n\n    b\r[^src_001]:<//evil.example/q>",
        "    b\rhttps://evil.example/q",
        "[&#94;a]\n\n    b\rwww.evil.example/q",
        "# h {1 onclick=alert(1)}",
        f"[t](<{OK}>){{1 href=javascript:alert(1)}}",
        '*a*{* style="background:url(https://evil.example/q)"}',
        "$*a*{1 onclick=alert(1)}$",
        "a ![^src_001]\n\n```\n[^src_001]: https://evil.example/q\n```",
        "l.example/www.evil.example/q",
        "turn0search9//evil.example/x",
        '[9](--><a href=")',
        "a@evil.examplehttps://evil.example/q",
        "<?mailto:a@evil.example-->",
        "https://evil.example/x[9]",
    ],
)
def test_nothing_gets_out(text: str) -> None:
    once = _fix(text).text
    assert _ways_out(once) == []
    assert _fix(once).text == once
    html = citelint.render(text, MANIFEST, policy=citelint.Policy(required=False)).text
    assert outside(sinks(html), [OK, "https://example.org/b?x=1&copy=2"]) == []


@pytest.mark.parametrize(
    "text", ["```&nbsp;\n", "[&#94;a&amp;b]", "[^a@x.yz]", "<div>" * 300 + "x", "> " * 400 + "x"]
)
def test_no_parser_falls_over_what_is_read(text: str) -> None:
    assert _ways_out(_fix(text).text) == []
    citelint.render(text, MANIFEST, policy=citelint.Policy(required=False))


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("turn0search0: the limit is 5.", "[^src_001]&#58; the limit is 5."),
        ("[9]: the limit is 5 and more.\n\nSee [9].", None),
        ("x [^src_001]\n\n[9][^src_001]: Fake claim", None),
    ],
)
def test_a_citation_never_begins_a_definition(text: str, fixed: str | None) -> None:
    once = _fix(text).text
    assert _fix(once).text == once
    definitions = [line for line in once.splitlines() if line.startswith("[^src_001]:")]
    assert all(line.startswith("[^src_001]: Source record ") for line in definitions)
    assert fixed is None or once.startswith(fixed)


@pytest.mark.parametrize("fence", ["```", "~~~", " ```", "````python"])
def test_an_open_fence_does_not_swallow_the_sources(fence: str) -> None:
    once = _fix(f"So it is [9].\n\n{fence}\ncode\n").text
    assert "<pre>" not in citelint.render(once, MANIFEST).text.partition("Sources")[2]
    assert once.endswith("sha256 000000000000.\n")
    assert _fix(once).text == once


def test_an_address_with_an_ambiguous_reference_stays_the_manifests() -> None:
    once = _fix("See <https://example.org/b?x=1&copy=2> there.\n")
    assert once.cited == ("src_002",)
    assert "(<https://example.org/b?x=1&amp;copy=2>)" in once.text
    assert _ways_out(once.text) == []
    assert _fix(once.text).text == once.text
