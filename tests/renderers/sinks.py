"""What a browser would do with some HTML: every place that fetches by itself or that a person can follow.

Nothing here uses citelint. The finder works on the tree of an HTML5 parser, so that a fault of citelint's own
readers cannot hide itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import ada_url

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class Found(NamedTuple):
    """A place in HTML that fetches by itself (``auto``) or that a person can follow (``click``)."""

    channel: str
    url: str
    where: str
    """Tag and attribute."""
    text: str = ""
    """The visible text of a link."""


def key(url: str) -> str | None:
    """What two addresses must have in common to be the same; None when *url* is not absolute.

    The serialisation of the WHATWG standard, with what renderers re-encode percent-encoded. Unlike
    citelint's own key nothing is left out: a tracking parameter or a text fragment carries data too.
    """
    try:
        href = ada_url.URL(url).href
    except ValueError:
        return None
    return "".join(f"%{ord(char):02X}" if char in "!'|[]\\^`{}$" else char for char in href)


def outside(found: Iterable[Found], allowed: Iterable[str]) -> list[Found]:
    """Those that lead anywhere but to the addresses in *allowed* or to a place in the same document."""
    keys = {key(url) for url in allowed} - {None}
    return [one for one in found if not _is_local(one.url) and key(one.url) not in keys]


def _is_local(url: str) -> bool:
    stripped = url.strip(" \t\r\n\f")
    return not stripped or stripped.startswith("#")


def is_plain_host(found: Found) -> bool:
    """Whether this is a bare host name in the text that a fuzzy linkifier made a link of.

    citelint leaves these alone by default, since brand names look like them ("EY.ai").
    """
    text = found.text.strip().lower()
    return (
        found.channel == "click"
        and "." in text
        and not text.startswith("www.")
        and not set(text) & set("/:?#@")
        and (not text.isascii() or key(found.url) == key("http://" + text))
    )


# Where addresses are. What is in neither list fetches nothing in any browser of today or yesterday.
_AUTO = frozenset(
    """src srcset imagesrcset poster data background lowsrc dynsrc code codebase archive classid manifest
    icon implementation profile attributionsrc object""".split()  # noqa: SIM905  eighteen lines otherwise
)
_CLICK = frozenset(("action", "formaction", "ping", "longdesc"))
_MANY = frozenset(("srcset", "imagesrcset"))
_LINKS = frozenset(("a", "area", "math", "mi", "mrow", "mtext", "maction", "mstyle"))
_ANIMATIONS = frozenset(("animate", "set", "animatetransform", "animatemotion", "animatecolor"))


# Every sink is a script, a style sheet, one of these attributes, or anywhere in SVG; parsers decode no
# references in the names of attributes. To pass over most HTML unparsed is most of the speed.
_NAMES = "|".join(
    sorted(_AUTO | _CLICK | _MANY | frozenset("href srcdoc style content to from values by value".split()))  # noqa: SIM905
)
_MAY_HOLD_ONE = re.compile(
    rf"<script|<style|<svg|(?<![a-z0-9_-])(?:on[^\s=<>]{{1,64}}|{_NAMES})\s*=", re.IGNORECASE
)


@lru_cache(maxsize=16384)
def sinks(html: str) -> tuple[Found, ...]:
    """Every place in *html* that makes a browser fetch, or that a person can follow, in order.

    Scripts and event handlers are sinks too, whatever they hold.
    """
    if not _MAY_HOLD_ONE.search(html):
        return ()
    found = list(_walk(_parse(html, scripting=False)))
    if "<noscript" in html.lower():
        found += _walk(_parse(html, scripting=True))
    return tuple(found)


def _parse(html: str, *, scripting: bool) -> Element:
    import html5lib

    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    return parser.parse(html, scripting=scripting)  # type: ignore[no-any-return]


def _walk(tree: Element) -> Iterator[Found]:
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue  # a comment
        tag = element.tag.rpartition("}")[2].lower()
        if tag == "script":
            yield Found("auto", element.get("src") or "script:", "script")
        if tag == "style":
            yield from (Found("auto", url, "style") for url in _css_urls("".join(element.itertext())))
        for name, value in element.attrib.items():
            yield from _attribute(element, tag, str(name).rpartition("}")[2].lower(), value or "")


def _attribute(element: Element, tag: str, name: str, value: str) -> Iterator[Found]:
    where = f"{tag}[{name}]"
    if name.startswith("on"):
        yield Found("auto", "script:", where)
    elif name == "srcdoc":
        yield from sinks(value)
    elif name == "style" or ("url(" in value.lower() and element.tag.startswith("{")):
        yield from (Found("auto", url, where) for url in _css_urls(value))
    elif name == "href" or name.endswith(":href"):
        if tag in _LINKS:
            yield Found("click", value, where, "".join(element.itertext()))
        else:
            yield Found("auto", value, where)
    elif name in _MANY:
        yield from (Found("auto", url, where) for url in _candidates(value))
    elif name in _AUTO and not (name in {"data", "code", "object"} and not _looks_like_address(value)):
        yield Found("auto", value, where)
    elif name in _CLICK:
        yield Found("click", value, where)
    elif name == "content" and tag == "meta":
        yield from _meta(element, value)
    elif tag in _ANIMATIONS and name in {"to", "from", "values", "by"}:
        parts = map(str.strip, value.split(";"))
        yield from (Found("auto", part, where) for part in parts if _looks_like_address(part))
    elif tag == "param" and name == "value" and _looks_like_address(value):
        yield Found("auto", value, where)


def _meta(element: Element, value: str) -> Iterator[Found]:
    equivalent = (element.get("http-equiv") or "").strip().lower()
    if equivalent == "refresh":
        rest = value.partition(";")[2] or value.partition(",")[2]
        address = rest.strip()
        if address.lower().startswith("url"):
            address = address[3:].strip().removeprefix("=").strip()
        if address:
            yield Found("auto", address.strip("'\""), "meta[refresh]")
    elif equivalent == "set-cookie":
        yield Found("auto", "script:", "meta[set-cookie]")
    elif equivalent != "content-security-policy" and _looks_like_address(value):
        yield Found("auto", value, "meta[content]")  # crawlers and link previews fetch these


def _looks_like_address(value: str) -> bool:
    stripped = value.strip()
    return "//" in stripped or "/" in stripped or key(stripped) is not None


def _candidates(value: str) -> Iterator[str]:
    """The addresses of a ``srcset``, whichever way its commas are read."""
    for part in value.split():
        yield from (piece for piece in {part, part.strip(",")} if _looks_like_address(piece))


def _css_urls(css: str) -> Iterator[str]:
    import tinycss2

    yield from _css_walk(tinycss2.parse_component_value_list(css))


_FETCHING = frozenset(("url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "element"))


def _css_walk(nodes: Iterable[object]) -> Iterator[str]:
    importing = False
    for node in nodes:
        kind = getattr(node, "type", "")
        if kind == "url":
            yield str(getattr(node, "value", ""))
        elif kind == "at-keyword":
            importing = getattr(node, "lower_value", "") == "import"
        elif kind == "string" and importing:
            yield str(getattr(node, "value", ""))
        elif kind == "function":
            arguments = list(getattr(node, "arguments", ()))
            if getattr(node, "lower_name", "") in _FETCHING:
                yield from (str(one.value) for one in arguments if getattr(one, "type", "") == "string")
            yield from _css_walk(arguments)
        elif kind.endswith("block"):
            yield from _css_walk(getattr(node, "content", ()))
