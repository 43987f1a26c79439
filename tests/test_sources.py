"""Sources written from the manifest: the exact forms, and that no title breaks out of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from citelint.manifest import Manifest, Source
from citelint.policy import Policy
from citelint.rendering.gate import clean, list_sinks, second_opinion
from citelint.rendering.sources import (
    escape_markdown,
    html_mark,
    html_sources,
    labels,
    markdown_mark,
    markdown_sources,
    plain_line,
)
from tests.renderers.matrix import Found, outside, renderers, sinks

HASH = "3f2a1b4c5d6e" + "0" * 52
URL = "https://example.org/report?a=1&b=2"
INLINE = (
    " ([Annual report 2025](<https://example.org/report?a=1&amp;b=2>), "
    "captured 2026-11-30, sha256 3f2a1b4c5d6e)"
)
TITLES = [
    "A](https://evil.example) [b",
    "![x](https://evil.example/i.png)",
    "](<https://evil.example>)",
    "\\](https://evil.example)",
    "</li><img src=https://evil.example>",
    "(https://evil.example)",
    '"https://evil.example"',
    "<https://evil.example>",
    "[^src_001]: https://evil.example",
    "x\n\n[^src_001]: https://evil.example",
    "x\n\n# heading\n\n- item",
    "https://evil.example www.evil.example a@evil.example",
    "`code` ``",
    "{: href=https://evil.example }",
    "| a | b |\n|---|---|",
    "\u202egpj.exe",
    "*a* _b_ **",
    "evil.com/x",
    "$x$ {{ y }}",
]


def source(**more: Any) -> Source:
    entry = {
        "id": "src_001",
        "url": URL,
        "title": "Annual report 2025",
        "tool": "http.get",
        "level": "opened",
        "fetched_at": "2026-11-30T10:00:03Z",
        "sha256": HASH,
    } | more
    manifest = {
        "version": 1,
        "run": {"id": "r"},
        "sources": [{k: v for k, v in entry.items() if v is not None}],
    }
    return Manifest.from_dict(manifest).sources[0]


def policy(**more: Any) -> Policy:
    return msgspec.structs.replace(Policy(), **more)


def allow(_tag: str, _attribute: str, value: str) -> str | None:
    return value if value == URL or value.startswith("#citelint-") else None


def test_a_definition_has_this_form() -> None:
    assert markdown_sources([source()], policy()) == (
        "[^src_001]: Source record [Annual report 2025](<https://example.org/report?a=1&amp;b=2>), "
        "captured 2026-11-30, sha256 3f2a1b4c5d6e."
    )


def test_definitions_stand_apart() -> None:
    text = markdown_sources([source(), source(id="src_002")], policy())
    assert text.count("\n\n[^src_002]: Source record ") == 1
    assert not text.endswith("\n")


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ({"url": None}, "Source record Annual report 2025, captured 2026-11-30, sha256 3f2a1b4c5d6e."),
        ({"private": True}, "Source record Annual report 2025, captured 2026-11-30, sha256 3f2a1b4c5d6e."),
        ({"capture": "excerpt"}, "captured 2026-11-30 (excerpt only), sha256"),
        ({"capture": "record"}, "captured 2026-11-30 (record only), sha256"),
        ({"title": ""}, "Source record [example&#46;org](<"),
        ({"title": " \u200b\n"}, "Source record [example&#46;org](<"),
        ({"title": "", "private": True}, "Source record src&#95;001, captured"),
        ({"url": "https://example.org/a|b(c)'d$[e]"}, "](<https://example.org/a%7Cb(c)%27d%24%5Be%5D>)"),
        ({"url": "https://[::1]/a"}, "](<https://[::1]/a>)"),
    ],
)
def test_what_a_definition_says(entry: dict[str, Any], shown: str) -> None:
    assert shown in markdown_sources([source(**entry)], policy())


def test_the_hash_can_be_left_out() -> None:
    text = markdown_sources([source()], policy(attach_snapshot_hash=False))
    assert text.endswith("captured 2026-11-30.")


@pytest.mark.parametrize(
    ("style", "mark", "tail"),
    [
        ("gfm", "[^src_001]", "[^src_001]: Source record ["),
        ("list", "[src_001]", "## Sources\n\n[src_001] Source record [Annual report 2025](<https"),
        ("inline", INLINE, ""),
        ("none", "", ""),
    ],
)  # fmt: skip
def test_styles(style: str, mark: str, tail: str) -> None:
    assert markdown_mark(source(), policy(footnotes=style)) == mark
    assert markdown_sources([source()], policy(footnotes=style)).startswith(tail)
    assert bool(tail) == bool(markdown_sources([source()], policy(footnotes=style)))
    assert markdown_sources([], policy(footnotes=style)) == ""


def test_numbers_are_shown_for_one_plane_letters_for_several() -> None:
    same = [source(), source(id="b", plane="web")]
    assert labels(same) == {"src_001": "1", "b": "2"}
    several = [
        source(plane="code"),
        source(id="b"),
        source(id="c", plane="code"),
        source(id="d", plane="weather"),
    ]
    shown = labels(several)
    assert [shown[key] for key in ("src_001", "b", "c")] == ["C1", "W1", "C2"]
    assert len(set(shown.values())) == 4


def test_planes_group_the_list() -> None:
    cited = [source(plane="code"), source(id="b"), source(id="c", plane="code")]
    text = markdown_sources(cited, policy())
    assert [line[:4] for line in text.split("\n\n")] == ["[^sr", "[^c]", "[^b]"]
    assert "[^c]: Source record C2 [" in text
    listed = markdown_sources(cited, policy(footnotes="list"))
    assert (
        listed.index("### Code")
        < listed.index("[c] Source")
        < listed.index("### Web")
        < listed.index("[b] Source")
    )


def test_a_plane_of_any_name_is_only_text() -> None:
    cited = [source(plane="](https://evil.example)"), source(id="b", plane="<img src=x>")]
    for style in ("gfm", "list"):
        text = markdown_sources(cited, policy(footnotes=style))
        for name, render in renderers().items():
            assert outside(sinks(render(text)), [URL]) == [], name


@pytest.mark.parametrize("style", ["gfm", "list", "inline"])
@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("title", [*TITLES, "Annual report"])
def test_no_title_opens_anything(title: str, style: str, private: bool) -> None:
    cited = source(title=title, private=private)
    settings = policy(footnotes=style)
    mark = markdown_mark(cited, settings)
    text = f"Words{mark} and [a{mark}] ![b{mark}][src_001] more.\n\n{markdown_sources([cited], settings)}\n"
    for name, render in renderers().items():
        found = _abroad(sinks(render(text)))
        assert found == [], name


def _abroad(found: Iterable[Found]) -> list[Found]:
    return outside(found, [URL])


@pytest.mark.parametrize("style", ["gfm", "list"])
def test_the_link_is_the_manifests_in_every_renderer(style: str) -> None:
    text = f"Words[^src_001].\n\n{markdown_sources([source()], policy(footnotes=style))}\n"
    for name, render in renderers().items():
        assert URL in [found.url for found in sinks(render(text))], name


def test_a_list_has_each_entry_on_a_line_of_its_own() -> None:
    text = markdown_sources([source(), source(id="b")], policy(footnotes="list"))
    for name, render in renderers().items():
        assert render(text).count("<p>[") == 2, name


def test_a_line_is_plain_and_short() -> None:
    assert plain_line(" a\tb\r\nc\u2028d\u00a0e ") == "a b c d e"
    assert plain_line("a\u202eb\u200bc\x1b[1m\ufeff\U000e0041") == "abc[1m"
    assert plain_line("می\u200cخواهم") == "می\u200cخواهم"
    assert plain_line("x" * 500) == "x" * 199 + "…"
    assert escape_markdown("a\nb") == "a b"


def test_html_has_the_whole_record() -> None:
    cited = source(call={"trace_id": "t-1", "args": {"sql": "select '</pre>'"}, "result_sha256": "b" * 64})
    html = clean(html_sources([cited], policy(), labels([cited])), allow)
    assert '<li id="citelint-src_001"' in html
    assert f'data-sha256="{HASH}">3f2a1b4c5d6e</code>' in html
    assert '<time datetime="2026-11-30T10:00:03Z">2026-11-30</time>' in html
    for shown in ("<details", "http.get", "select '&lt;/pre&gt;'", "t-1", "b" * 64):
        assert shown in html
    assert [sink.address for sink in list_sinks(html)] == [URL]
    assert second_opinion(html, allow) == []


def test_the_gate_admits_all_that_the_template_writes() -> None:
    cited = [
        source(call={"trace_id": "t"}, repository="org/name", capture="excerpt"),
        source(id="b", plane="code"),
    ]
    raw = html_sources(cited, policy(), labels(cited))
    html = clean(raw, allow)
    added = ' referrerpolicy="no-referrer" rel="noopener noreferrer nofollow"'
    assert html.replace(added, "") == raw.replace("&#39;", "'").replace("&#34;", '"')


@pytest.mark.parametrize("title", TITLES)
def test_no_title_or_argument_opens_anything_in_html(title: str) -> None:
    cited = source(title=title, call={"args": {title: [title]}}, url=None)
    html = html_sources([cited], policy(), {"src_001": "<img src=x>"}) + html_mark(cited, "<img src=x>")
    assert [sink for sink in list_sinks(html) if sink.address != "#citelint-src_001"] == []


def test_arguments_are_bounded() -> None:
    cited = source(call={"args": {"q": "x" * 100_000}})
    assert len(html_sources([cited], policy(), {})) < 10_000


def test_private_sources_show_no_address() -> None:
    cited = source(private=True)
    html = html_sources([cited], policy(), labels([cited]))
    assert "example.org" not in html
    assert "Annual report 2025" in html


def test_a_mark_leads_to_its_entry() -> None:
    assert 'href="#citelint-src_001"' in clean(html_mark(source(), "W1"), allow)
    assert ">[W1]<" in html_mark(source(), "W1")


def test_hostile_manifests(shared, read_jsonl) -> None:  # type: ignore[no-untyped-def]
    from citelint.errors import ManifestError

    read = 0
    for row in read_jsonl(shared / "attacks" / "hostile-manifests.jsonl"):
        try:
            manifest = Manifest.from_dict(row["manifest"])
        except ManifestError:
            continue
        read += 1
        urls = [source.url for source in manifest.sources if source.url]
        for style in ("gfm", "list"):
            text = markdown_sources(manifest.sources, policy(footnotes=style))
            for name, render in renderers().items():
                assert outside(sinks(render(text)), urls) == [], (row["id"], name)
        html = html_sources(manifest.sources, policy(), labels(manifest.sources))
        assert {sink.address for sink in list_sinks(html)} <= set(urls), row["id"]
    assert read
