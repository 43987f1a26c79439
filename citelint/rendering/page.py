"""A page of its own around an answer: readable anywhere, and unable to load anything but its images."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from citelint.patterns import pattern
from citelint.rendering.sources import plain_line
from citelint.rendering.templates import template
from citelint.urls import parse_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelint.manifest import Manifest
    from citelint.policy import Policy

_LANGUAGE = pattern(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_HOST = pattern(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
"""No ``*``, which an address may have in its host and which admits every host here."""
_MEANS_SOMETHING = pattern(r"[\s,;'\"\\*]")


def answer_page(html: str, manifest: Manifest, policy: Policy, title: str) -> str:
    """A whole document around an answer, which may show the images that the manifest has and no others."""
    images = [
        url
        for source in manifest.sources
        if source.media_type.startswith("image/")
        for url in manifest.urls_of(source)
    ]
    return page(html, title=title or "Answer", image_sources=images, language=policy.language)


def page(body: str, *, title: str, image_sources: Sequence[str], language: str) -> str:
    """*body*, which has passed the gate, as a whole HTML document.

    The content security policy admits the page's own style by its hash and these images by address:
    no script, no frame, no form, no base address. *title* is untrusted text.
    """
    style = template("page.css").render()
    return template("page.html.j2").render(
        body=body,
        title=plain_line(title) or "Answer",
        language=language if _LANGUAGE.fullmatch(language) else "en",
        style=style,
        policy=_policy(style, image_sources),
    )


def _policy(style: str, image_sources: Sequence[str]) -> str:
    digest = b64encode(sha256(style.encode()).digest()).decode()
    images = " ".join(dict.fromkeys(filter(None, map(_as_source, image_sources)))) or "'none'"
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src {images}; "
        "base-uri 'none'; form-action 'none'"
    )


def _as_source(address: str) -> str:
    """An address as a source expression, which has no query; empty if it has no place there."""
    url = parse_url(address)
    if url is None or url.scheme not in ("http", "https") or not _HOST.fullmatch(url.host):
        return ""
    authority = f"{url.host}:{url.port}" if url.port else url.host
    path = _MEANS_SOMETHING.sub(lambda match: f"%{ord(match[0]):02X}", url.path)
    return f"{url.scheme}://{authority}{path}"
