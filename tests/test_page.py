"""The page around an answer, and the texts that stand in for one."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest

from citelint.rendering.page import page
from citelint.rendering.templates import template, unverified_notice, unverified_text
from tests.renderers.matrix import renderers, sinks

BODY = "<p>An answer.</p>"


class Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def make(**more: object) -> str:
    return page(BODY, **({"title": "Title", "image_sources": [], "language": "en"} | more))  # type: ignore[arg-type]


def policy_of(html: str) -> dict[str, list[str]]:
    content = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert content
    parts = [part.split() for part in unescape(content[1]).split(";")]
    return {name: values for name, *values in parts}


def test_the_policy_admits_the_style_by_its_hash_and_nothing_else() -> None:
    html = make()
    style = html[html.index("<style>") + 7 : html.index("</style>")]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy_of(html) == {
        "default-src": ["'none'"],
        "style-src": [f"'sha256-{digest}'"],
        "img-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }
    assert html.index("Content-Security-Policy") < html.index("<style>")


@pytest.mark.parametrize(
    ("address", "admitted"),
    [
        ("https://example.org/a.png", ["https://example.org/a.png"]),
        ("https://example.org/a,b;c'd.png?x=1#y", ["https://example.org/a%2Cb%3Bc%27d.png"]),
        ("https://example.org:8443/a.png", ["https://example.org:8443/a.png"]),
        ("https://example.org/a b;script-src *", None),
        ("https://*/x", None),
        ("data:image/png,x", ["'none'"]),
        ("not an address", ["'none'"]),
    ],
)
def test_images_are_admitted_by_address(address: str, admitted: list[str] | None) -> None:
    policy = policy_of(make(image_sources=[address]))
    assert set(policy) == {"default-src", "style-src", "img-src", "base-uri", "form-action"}
    assert all("*" not in value for value in policy["img-src"])
    if admitted is not None:
        assert policy["img-src"] == admitted


def test_nothing_is_loaded_and_nobody_is_told() -> None:
    tags = Reader(make()).tags
    assert not {"script", "link", "iframe", "base", "object"} & {tag for tag, _ in tags}
    assert ("meta", {"name": "referrer", "content": "no-referrer"}) in tags
    assert ("meta", {"http-equiv": "x-dns-prefetch-control", "content": "off"}) in tags
    style = make().partition("<style>")[2].partition("</style>")[0]
    assert not re.search(r"url\(|@import|image-set|src\s*:", style)


@pytest.mark.parametrize("title", ["</title><script>x</script>", "a\nb\u202ec", "&lt;", ""])
def test_the_title_is_text(title: str) -> None:
    html = make(title=title)
    assert "<script" not in html
    shown = html[html.index("<title>") + 7 : html.index("</title>")]
    assert unescape(shown) == " ".join(title.replace("\u202e", "").split()) or (
        shown == "Answer" and not title
    )


@pytest.mark.parametrize(("language", "written"), [("pt-BR", "pt-BR"), ('"><script>', "en"), ("", "en")])
def test_the_language_is_a_language(language: str, written: str) -> None:
    assert f'<html lang="{written}">' in make(language=language)


def test_the_body_stands_in_the_page() -> None:
    assert f"<main>\n{BODY}\n</main>" in make()


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_a_refused_answer_is_replaced_by_a_text_without_links(language: str) -> None:
    text = unverified_text(language)
    for each in (text, unverified_notice(language)):
        assert each.endswith("\n")
        for name, render in renderers().items():
            assert not sinks(render(each)), name


def test_languages_differ_and_unknown_ones_are_english() -> None:
    assert len({unverified_text(language) for language in ("en", "es", "pt")}) == 3
    assert unverified_text("pt_BR") == unverified_text("pt")
    assert unverified_text("xx") == unverified_text("en")
    assert unverified_text("../../x") == unverified_text("en")
    assert unverified_notice("es-AR") == unverified_notice("es")


def test_the_environment_is_sandboxed_and_escapes() -> None:
    from jinja2.exceptions import SecurityError, UndefinedError

    environment = template("page.html.j2").environment
    assert environment.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
    with pytest.raises(SecurityError):
        environment.from_string("{{ ''.__class__.__mro__ }}").render()
    with pytest.raises(UndefinedError):
        environment.from_string("{{ missing }}").render()
