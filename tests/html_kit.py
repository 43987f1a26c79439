"""What the tests of HTML answers share: a manifest, ``fix``, and the eyes of an independent parser."""

from __future__ import annotations

import re
from typing import Any

import html5lib

import citelint
from tests.renderers.matrix import Found, outside, sinks

REPORT = "https://example.org/report"
TABLE = "https://example.org/table?year=2026&part=2"
CHART = "https://example.org/chart.png"
ALLOWED = (REPORT, TABLE, CHART)

MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "run-1"},
        "sources": [
            {
                "id": f"src_{number}",
                "url": url,
                "title": f"Title {number}",
                "tool": "http.get",
                "level": "opened",
                "fetched_at": "2026-11-30T10:00:00Z",
                "sha256": f"{number:064x}",
                "media_type": "image/png" if url.endswith(".png") else "text/html",
                "markers": [str(number)],
            }
            for number, url in enumerate(ALLOWED, 1)
        ],
    }
)
EMPTY = citelint.Manifest.from_dict({"version": 1, "run": {"id": "empty"}, "sources": []})
LENIENT = citelint.Policy(required=False, on_unverified="strip")

_MARK = re.compile(r'<sup class="citelint-cite"><a href="#citelint-([^"]+)"[^>]*>\[[^<]*\]</a></sup>')
_SOURCES = re.compile(r'\n?<section class="citelint-sources">.*?</section>', re.DOTALL)
_LINK = re.compile(r' referrerpolicy="no-referrer"| rel="noopener noreferrer nofollow"')


def fix(text: str | bytes, manifest: citelint.Manifest = MANIFEST, **settings: Any) -> citelint.Result:
    policy = citelint.Policy(**{"required": False, "on_unverified": "strip", **settings})
    return citelint.fix(text, manifest, policy=policy, kind="html")


def short(text: str | bytes, **settings: Any) -> str:
    """What ``fix`` writes, in the form of tests: marks as ``[^id]``, without sources and fixed attributes."""
    html = _SOURCES.sub("", fix(text, **settings).text)
    return _LINK.sub("", _MARK.sub(r"[^\1]", html)).strip()


def codes(text: str | bytes, **settings: Any) -> list[str]:
    return [finding.code for finding in fix(text, **settings).findings]


def leaks(html: str, allowed: tuple[str, ...] | list[str] = ALLOWED) -> list[Found]:
    """The sinks outside the manifest, as an independent parser sees them."""
    return outside(sinks(html), allowed)


def _has_leaks(text: str, allowed: Any) -> bool:
    try:
        return bool(leaks(text, allowed))
    except AssertionError:
        return False  # html5lib gives up on a few trees


def serialised(html: str) -> str:
    """One round through another project's parser and serialiser; of a page, what is in its ``<main>``."""
    if html.startswith("<!doctype"):
        html = html.partition("<main>\n")[2].rpartition("\n</main>")[0]
    return str(
        html5lib.serialize(
            html5lib.parseFragment(html, namespaceHTMLElements=False),
            quote_attr_values="always",
            omit_optional_tags=False,
            alphabetical_attributes=True,
        )
    )


def faults(text: str, manifest: citelint.Manifest = MANIFEST, allowed: Any = ALLOWED) -> list[str]:
    """What is wrong with what ``fix`` makes of *text*; nothing, in the best case."""
    fixed = fix(text, manifest)
    again = fix(fixed.text, manifest)
    found = [f"{sink.channel} {sink.where} {sink.url!r}" for sink in leaks(fixed.text, allowed)]
    if again.text != fixed.text:
        found.append(f"not stable: {fixed.text!r} -> {again.text!r}")
    if _has_leaks(text, allowed) and not fixed.findings:
        found.append("a sink without a word")
    once = serialised(fixed.text)
    if serialised(once) != once:
        found.append(f"parsers see another tree the second time: {fixed.text!r}")
    return [f"{fault} from {text!r}" for fault in found]
