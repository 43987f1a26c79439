"""The tags of an HTML answer: what the gate will not let through is said here, at its place.

Links and images are judged in :mod:`citelint.checks.html_links`. Nothing is removed by what is found here:
the gate removes whatever it does not know, found or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from citelint.change import Change
from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.readers.html_page import is_doctype
from citelint.readers.html_rules import HtmlRules, html_rules
from citelint.readers.html_tokens import MARKUP_TO_SOME, Attributes, Token, tokens_within

_ADDRESS = pattern(
    r"//|\\\\|url\s{0,8}\(|^\s{0,8}(?:data|javascript|vbscript|mhtml|blob|ftp):", re.IGNORECASE
)
_STYLE_FETCHES = pattern(
    rb"url\s{0,8}\(|@import|image-set|src\s{0,8}\(|image\s{0,8}\(|\\|expression", re.IGNORECASE
)
_SHORT_ADDRESS = 2048
_ASKS = pattern(r"refresh|content-security-policy|set-cookie|link", re.IGNORECASE)


def check_html_tags(
    data: bytes, tokens: Iterable[Token], known: Regions, dropped: Regions
) -> Iterator[Change]:
    """Elements, attributes and comments that do not stay.

    In *known* stands what citelint wrote itself, in *dropped* the content of elements that go as a whole: in
    there, only what fetches is worth a word.
    """
    rules = html_rules()
    for token in tokens:
        if token.start in known:
            continue
        if token.sort == "comment":
            yield from _comment(data, token)
        elif token.sort == "start":
            yield from _element(data, token, rules, token.start in dropped)
        elif token.sort == "raw" and token.name in MARKUP_TO_SOME:
            for inner in tokens_within(data, token):
                if inner.sort == "start":
                    yield from _element(data, inner, rules, dropped=True)


def _comment(data: bytes, token: Token) -> Iterator[Change]:
    literal = data[token.start : token.end]
    if is_doctype(data, token):
        if b"//" in literal.replace(b"//DTD", b"").replace(b"//EN", b"").replace(b"//W3C", b""):
            yield _found("CL302", token, "a document type with an address")
        return
    what = "a comment" if literal.startswith(b"<!--") else "a declaration or processing instruction"
    yield _found("CL309", token, what)


def _element(data: bytes, token: Token, rules: HtmlRules, dropped: bool) -> Iterator[Change]:
    name = token.name
    if not token.attributes and name in rules.tags:
        return
    attributes = Attributes(token.attributes)
    shown = f"<{name[:40]}>"
    sinks = list(_sinks(token, attributes, rules))
    if name not in rules.tags and name not in rules.silent_tags and not dropped:
        fetches = name in rules.fetching and (name != "style" or _style_fetches(data, token))
        if not (fetches and sinks):  # once is enough
            yield _found("CL302" if fetches else "CL301", token, shown)
    for attribute, address in sinks:
        yield _found("CL302", token, f"{shown} with {attribute[:40]}", address)
    if not dropped:
        yield from _others(token, attributes, rules, {attribute for attribute, _ in sinks})


def _sinks(token: Token, attributes: Attributes, rules: HtmlRules) -> Iterator[tuple[str, str]]:
    """The attributes that fetch, lead somewhere or run something, with their values."""
    name = token.name
    for attribute in attributes:
        value = attributes.get(attribute)
        if (name, attribute) in (("a", "href"), ("img", "src")):
            continue
        if name == "meta" and attribute == "content":
            asks = _ASKS.search(attributes.get("http-equiv"))
            if asks or _ADDRESS.search(value):
                yield attribute, value
            continue
        sink = attribute in rules.sinks or attribute.startswith(rules.handlers)
        if sink or (_ADDRESS.search(value[:_SHORT_ADDRESS]) and not attribute.startswith("xmlns")):
            if attribute == "alt" and name == "img":
                continue  # shown as text, and judged as such
            yield attribute, value


def _others(token: Token, attributes: Attributes, rules: HtmlRules, reported: set[str]) -> Iterator[Change]:
    shown = f"<{token.name[:40]}>"
    admitted = rules.attributes.get(token.name, frozenset()) | rules.attributes["*"]
    for attribute in attributes:
        if attribute in reported or (attribute in admitted and _fits(rules, attribute, attributes)):
            continue
        if attribute.startswith(rules.hidden):
            yield _found("CL309", token, f"{shown} with {attribute[:40]}")
        elif attribute not in rules.silent_attributes and attribute not in admitted:
            yield _found("CL301", token, f"{shown} with {attribute[:40]}")


def _fits(rules: HtmlRules, attribute: str, attributes: Attributes) -> bool:
    form = rules.values.get(attribute)
    return form is None or attribute == "class" or form.fullmatch(attributes.get(attribute)) is not None


def _style_fetches(data: bytes, token: Token) -> bool:
    end = data.find(b"</", token.end)
    return bool(_STYLE_FETCHES.search(data, token.end, end if end >= 0 else len(data)))


def _found(code: str, token: Token, what: str, address: str = "") -> Change:
    return Change(code, Span(token.start, token.end), (), {"what": what}, address)
