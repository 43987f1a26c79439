"""Nothing gets out: every attack of the corpus, through ``fix`` and ``render``, in every renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import citelint
from citelint.errors import ManifestError
from tests.renderers.matrix import Found, is_plain_host, outside, sinks, sinks_by_renderer

Rows = list[dict[str, Any]]
ReadRows = Callable[[Path], Rows]

STYLES = ("gfm", "list", "inline", "none")
ALLOWED = ["https://allowed.example/"]
"""What the rows of reader-differences.jsonl hold to be harmless."""

DEFAULT_READERS = citelint.Policy().readers


def manifest_of(urls: list[str]) -> citelint.Manifest:
    """A manifest that vouches for exactly these addresses, pictures as pictures."""
    sources = [
        {
            "id": f"src_{number:03}",
            "url": url,
            "title": f"Source {number}",
            "tool": "http.get",
            "level": "opened",
            "fetched_at": "2026-11-30T10:00:00Z",
            "sha256": f"{number:064x}",
            "media_type": "image/png" if url.endswith(".png") else "text/html",
            "markers": [str(number)],
        }
        for number, url in enumerate(urls, 1)
    ]
    return citelint.Manifest.from_dict({"version": 1, "run": {"id": "attack"}, "sources": sources})


def policy_of(**more: Any) -> citelint.Policy:
    return citelint.Policy(required=False, on_unverified="strip", **more)


def _leaks(markdown: str, allowed: list[str], *, fuzzy: bool) -> Iterator[str]:
    """The sinks outside *allowed* in any renderer. Plain host names count if *fuzzy*."""
    for renderer, found in sinks_by_renderer(markdown):
        if outside([found], allowed) and (fuzzy or not is_plain_host(found)):
            yield f"{renderer}: {_shown(found)}"


def _shown(found: Found) -> str:
    return f"{found.channel} {found.where} {found.url!r}"


def _fail(failures: list[str]) -> None:
    assert not failures, "\n".join([f"{len(failures)} failures, of which the first:", *failures[:20]])


def rows_of(read_jsonl: ReadRows, folder: Path, name: str) -> Rows:
    rows = [
        row
        for row in read_jsonl(folder / "attacks" / name)
        if row["kind"] == "markdown" and "\0" not in row["input"]  # refused with an InputError
    ]
    assert len(rows) > 50
    return rows


FILES = ("exfiltration.jsonl", "reader-differences.jsonl")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("readers", [DEFAULT_READERS, (*DEFAULT_READERS, "linkify", "python-markdown")])
def test_no_renderer_sees_a_way_out_of_what_fix_writes(
    shared: Path, read_jsonl: ReadRows, name: str, readers: tuple[str, ...]
) -> None:
    failures = []
    for row in rows_of(read_jsonl, shared, name):
        allowed = row.get("manifest_urls", ALLOWED)
        try:
            result = citelint.fix(row["input"], manifest_of(allowed), policy=policy_of(readers=readers))
        except citelint.CitelintError as error:
            failures.append(f"{row['id']} {row['input']!r}: {type(error).__name__}: {error}")
            continue
        again = citelint.fix(result.text, manifest_of(allowed), policy=policy_of(readers=readers))
        if again.text != result.text:
            failures.append(f"{row['id']} not stable: {row['input']!r} -> {result.text!r} -> {again.text!r}")
        leaks = _leaks(result.text, allowed, fuzzy="linkify" in readers)
        failures += (f"{row['id']} {leak} in {result.text!r} from {row['input']!r}" for leak in leaks)
        words = [word for word in row.get("must_not_contain") or () if word in result.text]
        failures += (f"{row['id']} still holds {word!r}: {result.text!r}" for word in words)
    _fail(failures)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("to", ["fragment", "page", "md"])
def test_what_render_writes_leads_to_the_manifest_only(
    shared: Path, read_jsonl: ReadRows, name: str, to: str
) -> None:
    failures = []
    for row in rows_of(read_jsonl, shared, name):
        allowed = row.get("manifest_urls", ALLOWED)
        try:
            text = citelint.render(row["input"], manifest_of(allowed), policy=policy_of(), to=to).text
        except citelint.CitelintError as error:
            failures.append(f"{row['id']} {row['input']!r}: {type(error).__name__}: {error}")
            continue
        failures += _leaks_of(row, to, text, allowed)
    _fail(failures)


def _leaks_of(row: dict[str, Any], to: str, text: str, allowed: list[str]) -> list[str]:
    if to == "md":
        return [f"{row['id']} {leak} in {text!r}" for leak in _leaks(text, allowed, fuzzy=False)]
    return [f"{row['id']} {_shown(found)} from {row['input']!r}" for found in outside(sinks(text), allowed)]


@pytest.mark.parametrize("style", STYLES)
def test_no_string_of_a_manifest_becomes_a_link_or_a_tag(
    shared: Path, read_jsonl: ReadRows, style: str
) -> None:
    failures = []
    for row in rows_of(read_jsonl, shared, "hostile-manifests.jsonl"):
        allowed = row["manifest_urls"]
        try:
            manifest = citelint.Manifest.from_dict(row["manifest"])
        except ManifestError:
            continue  # refusing it is right too
        policy = policy_of(footnotes=style)
        try:
            fixed = citelint.fix(row["input"], manifest, policy=policy).text
            again = citelint.fix(fixed, manifest, policy=policy).text
            html = {
                to: citelint.render(row["input"], manifest, policy=policy, to=to).text
                for to in ("fragment", "page")
            }
        except citelint.CitelintError as error:
            failures.append(f"{row['id']} {row['note']}: {type(error).__name__}: {error}")
            continue
        if again != fixed:
            failures.append(f"{row['id']} not stable: {fixed!r} -> {again!r}")
        failures += [f"{row['id']} {leak} in {fixed!r}" for leak in _leaks(fixed, allowed, fuzzy=True)]
        for to, text in html.items():
            failures += [f"{row['id']} {to} {_shown(found)}" for found in outside(sinks(text), allowed)]
    _fail(failures)


def test_most_hostile_manifests_are_read(shared: Path, read_jsonl: ReadRows) -> None:
    """Refusing all of them would make the test above prove nothing."""
    read = 0
    rows = rows_of(read_jsonl, shared, "hostile-manifests.jsonl")
    for row in rows:
        try:
            citelint.Manifest.from_dict(row["manifest"])
        except ManifestError:
            continue
        read += 1
    assert read > len(rows) / 2


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img srcset="https://evil.example/1 1x">', "auto"),
        ('<div style="background:url(https://evil.example/)">', "auto"),
        ('<svg><image xlink:href="https://evil.example/"/></svg>', "auto"),
        ('<meta http-equiv=refresh content="0; url=https://evil.example/">', "auto"),
        ("<p onclick=x>", "auto"),
        ("<base href=//evil.example>", "auto"),
        ('<iframe srcdoc="&lt;img src=//evil.example&gt;"></iframe>', "auto"),
        ("<form action=//evil.example>", "click"),
        ("<math href=https://evil.example/><mi>x</mi></math>", "click"),
        ("<a href=https://allowed.example/?utm_source=secret>x</a>", "click"),
        ("<a href=relative>x</a>", "click"),
    ],
)
def test_the_sink_finder_itself_finds(html: str, expected: str) -> None:
    assert [found.channel for found in outside(sinks(html), ALLOWED)] == [expected]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://allowed.example/">x</a>',
        '<a href="https://ALLOWED.example:443">x</a>',
        '<a href="#part">x</a>',
        "<p class=x>plain</p>",
        "&lt;img src=//evil.example&gt;",
    ],
)
def test_the_sink_finder_itself_leaves_alone(html: str) -> None:
    assert not outside(sinks(html), ALLOWED)


CONSTRUCTS = (
    "[x]({0})",
    "[x](<{0}>)",
    '[x]({0} "t")',
    "![x]({0})",
    "[![x]({0})](https://allowed.example/docs/guide)",
    "[![x](https://allowed.example/docs/guide.png)]({0})",
    "<{0}>",
    "{0}",
    "See {0}, and more.",
    "**{0}**",
    "_{0}_",
    "({0})",
    "“{0}”",
    "[{0}]",
    "[{0}]({0})",
    "[{0}](https://allowed.example/docs/guide)",
    "[1]({0})",
    "Text [1]{0}",
    "Text {0}[1]",
    "Text {0} [1]",
    "[x][r]\n\n[r]: {0}",
    "[r]\n\n[r]: <{0}> 't'",
    "![r]\n\n> [r]: {0}",
    "Text[^n]\n\n[^n]: {0}",
    "![^n]\n\n[^n]: {0}",
    "[^n]: {0}",
    "| a | b |\n|---|---|\n| {0} | [x]({0}) |",
    "- {0}\n  - [x]({0})",
    "> {0}\n> [x]({0})",
    "# {0}",
    "{0}\n===",
    "`{0}`",
    "```\n{0}\n```",
    "```{{=html}}\n<a href='{0}'>x</a>\n```",
    "<a href='{0}'>x</a>",
    "<img src={0}>",
    "<p title='{0}'>x</p>",
    "<!-- {0} -->",
    "<div>\n\n{0}\n\n</div>",
    "<div>\n{0}\n</div>",
    "$${0}$$",
    "~~{0}~~",
    "Text [1].\n\n## Sources\n\n[1] Title: {0}",
    "Text [1].\n\nReferences\n\n1. [Title]({0})",
    "Text [7].\n\n[7]: {0}",
    "---\nimage: {0}\n---\n\nText",
    "[x]({0}){{: href='{0}' }}",
    "[[{0}]]",
    "![[{0}]]",
    "<{0}|x>",
    "x{0}x",
    "{0}\\",
    "\\{0}",
    "[x](\n{0})",
    "[x]\\({0})",
    "!\\[x]({0})",
    "[x] ({0})",
    "&#91;x](https://allowed.example/docs/guide){0}",
    "    {0}",
    "para\n    {0}",
    "- a\n\n      {0}",
)

ADDRESSES = (
    "https://evil.example/p?d=1",
    "https://allowed.example/docs/guide",
    "https://allowed.example/docs/guide/",
    "https://allowed.example/docs/guide?utm_source=secret",
    "https://allowed.example/docs/guide?utm_source=secret&utm_medium=secret",
    "https://allowed.example/docs/guide#:~:text=secret",
    "https://allowed.example/docs/guide#secret",
    "https://allowed.example/docs/guide?",
    "https://allowed.example/docs/./guide",
    "https://allowed.example/docs/%67uide",
    "https://ALLOWED.example:443/docs/guide",
    "https:\\\\allowed.example\\docs\\guide",
    "https://allowed.example/docs/guide.png",
    "https://allowed.example/docs/guide.png?utm_source=secret",
    "https://allowed.example@evil.example/docs/guide",
    "https://allowed.example.evil.example/docs/guide",
    "http://allowed.example/docs/guide",
    "//evil.example/p",
    "/\\evil.example/p",
    "www.evil.example/p",
    "evil.example/p?d=1",
    "someone@evil.example",
    "mailto:someone@evil.example",
    "javascript:alert(1)",
    "https&#58;//evil.example/p",
    "https://evil&period;example/p",
    "ftp://evil.example/p",
    "xmpp:a@evil.example/x",
    "HTTPS://EVIL.EXAMPLE",
    "https://evil.example/a_b_c*d*",
    "https://evil.example/(a)",
    "https://evil.example/a&amp;b",
    "#fragment",
    "relative/path",
    "https://allowed.example/docs/guide&secret",
    "https://allowed.example/docs/guide。secret",
    "https://allowed.example/docs/guide*secret*",
    "https://allowed.example/docs/guide\u200bsecret",
    "https://allowed.example/docs/guide)secret",
    "https://allowed.example/docs/guide'secret",
    "https://allowed.example/docs/guide|secret",
    "https://allowed.example/docs/guide&lt;secret",
    "https://allowed.example/docs/guide~secret",
    "https://allowed.example/docs/guide]secret",
    "https://allowed.example/docs/guide\\secret",
)

VOUCHED = ["https://allowed.example/docs/guide", "https://allowed.example/docs/guide.png"]


@pytest.mark.parametrize("part", range(4))
def test_every_construct_with_every_address(part: int) -> None:
    """Also what is added to an address that is vouched for gets nowhere."""
    manifest = manifest_of(VOUCHED)
    policy = policy_of()
    failures = []
    for construct in CONSTRUCTS[part::4]:
        for address in ADDRESSES:
            text = construct.format(address) + "\n"
            try:
                fixed = citelint.fix(text, manifest, policy=policy).text
                again = citelint.fix(fixed, manifest, policy=policy).text
                html = citelint.render(text, manifest, policy=policy, to="fragment").text
            except citelint.CitelintError as error:
                failures.append(f"{text!r}: {type(error).__name__}: {error}")
                continue
            if again != fixed:
                failures.append(f"not stable: {text!r} -> {fixed!r} -> {again!r}")
            failures += (f"{leak} in {fixed!r} from {text!r}" for leak in _leaks(fixed, VOUCHED, fuzzy=False))
            failures += (f"render: {_shown(one)} from {text!r}" for one in outside(sinks(html), VOUCHED))
    _fail(failures)
