"""The page around the answers: whatever fetches, leads somewhere or runs there must be declared.

An answer can close the element it stands in. What it wrote is then part of the page like everything that the
site wrote, and cannot be told from it; so the operator says what the site's own pages hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from citelint.change import Change
from citelint.model import Regions, Span
from citelint.patterns import pattern
from citelint.policy import Policy
from citelint.policy_values import INLINE
from citelint.readers.html_rules import HtmlRules, html_rules
from citelint.readers.html_tokens import MARKUP_TO_SOME, Attributes, Token, tokens, tokens_within
from citelint.resolve import PAGE
from citelint.urls import parse_url, under_prefix

_SEVERAL = frozenset(["archive", "attributionsrc", "imagesrcset", "ping", "srcset"])
_DESCRIPTOR = pattern(r"[0-9.]{1,12}[wxhWXH]\Z")
_CODE = pattern(r"\s{0,8}(?:javascript|vbscript|data|mhtml|blob)\s{0,8}:|[\x00-\x20]*+\Z")
_RUNS = frozenset(["script", "style"])
_STYLED = frozenset(["style", "srcdoc"])
_ANIMATIONS = frozenset(["animate", "animatecolor", "animatemotion", "animatetransform", "set"])
_SECONDS = pattern(r"\s*+[0-9.]*+\s*+\Z")
_SCHEME = pattern(r"\s{0,8}(?:https?|ftp|wss?|data|javascript|vbscript|blob|file):", 2)
_LOCAL = pattern(r"\s*+url\(\s*+[\"']?+#[^()\"'\s]*+[\"']?+\s*+\)\s*+(?:none|currentcolor)?+\s*+\Z", 2)
_INSIDE = re.compile(rb"<(?=[A-Za-z])")
_TAG_BYTES = 2048
_CONDITIONAL = pattern(rb"<!(?:--)?+\s*+\[if")
_WORTH_A_LOOK = pattern(r"//|\\|url\s{0,8}\(")


class PageSinks(msgspec.Struct, frozen=True):
    """What the policy's ``page-sinks`` declare."""

    prefixes: tuple[str, ...]
    inline: bool

    @classmethod
    def of(cls, policy: Policy) -> PageSinks:
        """Relative prefixes count from the site's root."""
        prefixes = (parse_url(prefix, base=PAGE) for prefix in policy.page_sinks if prefix != INLINE)
        return cls(tuple(url.href for url in prefixes if url is not None), INLINE in policy.page_sinks)

    def declare(self, tag: str, attribute: str, value: str, asks: str = "") -> bool:
        """Whether that attribute may stand in the page; *asks* is the ``http-equiv`` beside it."""
        rules = html_rules()
        if tag == "base" or (tag == "meta" and attribute == "content" and asks.strip().lower() == "refresh"):
            return attribute != "href" and bool(_SECONDS.match(value))  # all other addresses depend on them
        if attribute.startswith(rules.handlers) or (attribute in _STYLED and value.strip()):
            return self.inline
        if attribute in rules.takes_url and "(" in value:
            return self.inline or bool(_LOCAL.match(value))
        if tag in _ANIMATIONS and attribute in ("attributename", "to", "from", "by", "values"):
            return self.inline  # they write other elements' attributes
        return all(self._declares(address) for address in _addresses(tag, attribute, value, asks, rules))

    def _declares(self, address: str) -> bool:
        stripped = address.strip()
        if not stripped or stripped.startswith("#"):
            return True
        if _CODE.match(stripped):
            return self.inline and stripped[:10].lower().startswith("javascript")
        url = parse_url(stripped) or parse_url(stripped, base=PAGE)  # "https:host" is no path everywhere
        return url is not None and any(under_prefix(url, prefix) for prefix in self.prefixes)


def check_site(
    data: bytes, found: Iterable[Token], contents: Sequence[Span], policy: Policy
) -> Iterator[Change]:
    """Everything undeclared outside *contents*, at its tag."""
    declared = PageSinks.of(policy)
    inside = Regions(contents)
    for token in found:
        if token.start in inside:
            continue
        if token.sort == "start" and token.name in _RUNS and not declared.inline and not _is_loaded(token):
            yield _found(Span(token.start, token.end), f"a <{token.name}> in the page itself", "")
        if token.sort == "comment":
            yield from _hidden(data, token, declared)
        if token.sort == "raw":
            yield from _raw(data, token, declared)
        elif token.sort == "start":
            yield from _undeclared(token, Span(token.start, token.end), declared)
        elif not declared.inline and _CONDITIONAL.match(data, token.start, token.end):
            yield _found(Span(token.start, token.end), "a conditional comment", "")


def _is_loaded(token: Token) -> bool:
    """A script with an address; its content, if there is any, is not run."""
    return token.name == "script" and "src" in Attributes(token.attributes)


def _hidden(data: bytes, comment: Token, declared: PageSinks) -> Iterator[Change]:
    """Tags in what we take for a comment: where that is in foreign content, it may be none to a browser."""
    for found in _INSIDE.finditer(data, comment.start + 1, comment.end):
        inner = next(tokens(data[found.start() : min(comment.end, found.start() + _TAG_BYTES)]), None)
        if inner is None or inner.sort != "start":
            continue
        place = Span(comment.start, comment.end)
        if inner.name in _RUNS and not declared.inline:
            yield _found(place, f"a <{inner.name}> in a comment", "")
        yield from _undeclared(inner, place, declared)


def _undeclared(token: Token, place: Span, declared: PageSinks) -> Iterator[Change]:
    if not token.attributes:
        return
    attributes = Attributes(token.attributes)
    asks = attributes.get("http-equiv")
    for attribute in attributes:
        value = attributes.get(attribute)
        if not declared.declare(token.name, attribute, value, asks):
            yield _found(place, f"<{token.name[:40]}> with {attribute[:40]}", value)


def _raw(data: bytes, token: Token, declared: PageSinks) -> Iterator[Change]:
    """Scripts and styles that stand in the page itself; markup that only some browsers see."""
    place = Span(token.start, token.end)
    if token.name in _RUNS and not declared.inline and data[token.start : token.end].strip():
        yield _found(place, f"a <{token.name}> in the page itself", "")
    if token.name not in MARKUP_TO_SOME:
        return
    for inner in tokens_within(data, token):
        if inner.name in _RUNS and not declared.inline:
            yield _found(place, f"a <{inner.name}> in a <{token.name}>", "")
        elif inner.sort == "start":
            yield from _undeclared(inner, place, declared)


def _addresses(tag: str, attribute: str, value: str, asks: str, rules: HtmlRules) -> Iterator[str]:
    """The addresses that a browser, or a script of the site, may find in an attribute."""
    if tag == "meta" and attribute == "content":
        if _WORTH_A_LOOK.search(value):
            yield from value.split() if asks else [value]
    elif attribute in _SEVERAL:
        candidates = (one for part in value.split() for one in {part.strip(","), *part.split(",")} if one)
        yield from (one for one in candidates if not _DESCRIPTOR.match(one))
    elif attribute in rules.sinks or (
        (_WORTH_A_LOOK.search(value) or _SCHEME.match(value)) and not attribute.startswith("xmlns")
    ):
        yield value


def _found(place: Span, what: str, address: str) -> Change:
    values = {"what": f"{what}, outside of the answers and not in page-sinks"}
    return Change("CL302", place, (), values, address)
