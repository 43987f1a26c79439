"""The gate: the last thing that writes HTML, and the eye that finds what HTML would fetch.

Nothing that an answer wrote as an address is ever written by it. The callback that judges an address
returns the manifest's own string, or nothing. What is admitted beside addresses is data, in
``rules/html``. This is the only room that knows a sanitizer.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import nh3

from citelint.data import data_folder
from citelint.model import Sink
from citelint.patterns import pattern
from citelint.rendering import OWN
from citelint.rendering.nesting import TooDeep, check_nesting, complete_references

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Allow = Callable[[str, str, str], str | None]

__all__ = ["OWN", "TooDeep", "clean", "list_attributes", "list_sinks", "second_opinion"]

_ADDRESSES = frozenset({("a", "href"), ("img", "src")})
_EVERYWHERE = "*"
_ANY_NAME = {""}
"""As a prefix: attributes of every name reach the callback."""


class _Rules(NamedTuple):
    """``rules/html`` as the gate uses it."""

    tags: set[str]
    drop_content: set[str]
    schemes: set[str]
    attributes: Mapping[str, set[str]]
    link_rel: str
    fixed: Mapping[str, Mapping[str, str]]
    values: Mapping[str, re.Pattern[str]]
    seen_tags: frozenset[str]
    seen_attributes: frozenset[str]
    seen_values: Mapping[str, re.Pattern[str]]
    auto: frozenset[str]
    click: frozenset[str]
    href_click: frozenset[str]
    handlers: tuple[str, ...]


@cache
def _rules() -> _Rules:
    import tomllib

    folder = data_folder("rules") / "html"
    allow = tomllib.loads((folder / "allow.toml").read_text("utf-8"))
    sinks = tomllib.loads((folder / "sinks.toml").read_text("utf-8"))
    values = {name: re.compile(pattern) for name, pattern in allow["values"].items()}
    seen = allow["seen"]
    attributes = {tag: set(names) for tag, names in allow["attributes"].items()}
    return _Rules(
        tags=set(allow["tags"]),
        drop_content=set(allow["drop_content"]),
        schemes=set(allow["schemes"]),
        attributes=attributes,
        link_rel=allow["link_rel"],
        fixed=allow["fixed"],
        values=values,
        seen_tags=frozenset(allow["tags"]) | frozenset(seen["tags"]),
        seen_attributes=frozenset(seen["attributes"]),
        seen_values={**values, **{name: re.compile(pattern) for name, pattern in seen["values"].items()}},
        auto=frozenset(sinks["auto"]) | frozenset(sinks["takes_url"]),
        click=frozenset(sinks["click"]),
        href_click=frozenset(sinks["href_click"]),
        handlers=tuple(sinks["handlers"]),
    )


# --- finding -------------------------------------------------------------------------------------------

_TAG_NAME = pattern(r"<(?:/?([A-Za-z][^\t\n\f\r />]*+)|[!?]|/[^A-Za-z>])")
_HAS_ATTRIBUTES = pattern(r"<[A-Za-z][^\t\n\f\r /><]*+(?!>| />|/>)")


def list_sinks(html: str) -> list[Sink]:
    """Every place at which a browser would fetch or a person could navigate, as an HTML5 parser sees it.

    An element or attribute that is not known to be inert counts as an automatic sink without an
    address. *html* is a renderer's output, in which each ``<`` that opens no tag is escaped; where it is
    not, what follows is taken for a tag, which errs on the safe side.

    :raises TooDeep: it nests so deep that looking at it would take too long.
    """
    check_nesting(html)
    rules = _rules()
    names = {name.lower() for name in _TAG_NAME.findall(html)}
    sinks = [Sink("auto", "", f"tag <{name or '!'}>") for name in sorted(names - rules.seen_tags)]
    if not _HAS_ATTRIBUTES.search(html):
        return sinks
    found = list_attributes(html)
    sinks.extend(sink for sink in (_sink(*each, rules) for each in found) if sink)
    return sinks


def list_attributes(html: str) -> list[tuple[str, str, str]]:
    """Element, name and decoded value of every attribute, as an HTML5 parser sees it."""
    found: list[tuple[str, str, str]] = []

    def collect(tag: str, attribute: str, value: str) -> None:
        found.append((tag, attribute, value))

    # No tag is admitted, because the parser judges addresses of admitted ones before the callback sees them.
    nh3.clean(
        complete_references(html),
        tags=set(),
        clean_content_tags=set(),
        attributes={},
        attribute_filter=collect,
        generic_attribute_prefixes=_ANY_NAME,
        link_rel=None,
    )
    return found


def _sink(tag: str, attribute: str, value: str, rules: _Rules) -> Sink | None:
    where = f"{tag}[{attribute}]"
    if attribute == "href":
        return Sink("click" if tag in rules.href_click else "auto", value, where)
    if _is_inert(tag, attribute, value, rules):
        return None
    if attribute in rules.click:
        return Sink("click", value, where)
    if attribute in rules.auto or attribute.startswith(rules.handlers):
        return Sink("auto", value, where)
    return Sink("auto", "", where)


def _is_inert(tag: str, attribute: str, value: str, rules: _Rules) -> bool:
    """Whether a renderer may write this without anything being fetched or followed."""
    if (tag, attribute) in _ADDRESSES:
        return False
    fixed = rules.fixed.get(tag)
    if fixed and attribute in fixed:
        return True
    pattern = rules.seen_values.get(attribute)
    if pattern:
        return pattern.fullmatch(value) is not None
    return attribute in rules.seen_attributes


# --- cleaning ------------------------------------------------------------------------------------------

_NAME = pattern(r"[A-Za-z0-9_-]{1,128}")
_PRE_NEWLINE = pattern(r"<pre[^>]*+>\n")
_CONTROLS = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(html: str, allow: Allow, *, own: str = OWN, bounded: bool = False) -> str:
    """*html* with only what is allowed, as a fixed point: cleaning the result again changes nothing.

    ``allow(tag, attribute, value)`` is asked for every address (``a[href]``, ``img[src]``); the value has
    its character references decoded and is otherwise as the answer wrote it. It returns the string to write,
    which is the manifest's own, or ``None``.

    *own* is the prefix of the classes and ids that citelint wrote; they come out with :data:`OWN`. Where
    an answer brings HTML of its own, make it one that the answer cannot know, or it could dress up as a
    source. *bounded* says that a renderer of ours wrote all of it: then it nests in bounds, and no element
    will have to go.

    :raises TooDeep: the nesting is out of bounds.
    :raises Exception: whatever *allow* raises.
    """
    if not bounded:
        check_nesting(html)
    judge = _Judge(allow, own)
    out = _nh3_pass(html, judge)
    if bounded and not judge.dropped:
        return out
    if not judge.dropped and _TAG_NAME.findall(out) == _TAG_NAME.findall(html):
        return out
    # A removed element can leave its children where no parser would put them: <p><button><p>. Written
    # out they mean something else, so what was written is read again until it stays as it is. (Where
    # every tag stands as it stood, the parser has confirmed that structure already; a removed attribute
    # only leaves the others in disorder.)
    for _ in range(_MAX_PASSES):
        check_nesting(out)
        again = _nh3_pass(out, _Judge(allow, OWN))
        if again == out:
            return out
        out = again
    raise TooDeep("HTML that no parser reads the same way twice")


_MAX_PASSES = 4


def _nh3_pass(html: str, judge: _Judge) -> str:
    rules = _rules()
    out = nh3.clean(
        complete_references(html),
        tags=rules.tags,
        clean_content_tags=rules.drop_content,
        attributes=rules.attributes,
        attribute_filter=judge,
        link_rel=rules.link_rel,
        url_schemes=rules.schemes,
        set_tag_attribute_values=rules.fixed,
    )
    if judge.failure is not None:
        raise judge.failure
    # Control characters come out of references such as &#1;. Nobody needs them, and parsers differ on them.
    # The first line end in a <pre> is one that parsers drop, so that one is written twice.
    return _PRE_NEWLINE.sub(r"\g<0>\n", _CONTROLS.sub("", out))


class _Judge:
    """What nh3 asks about each attribute. It swallows exceptions, so the first one is kept here."""

    __slots__ = ("_allow", "_own", "_rules", "dropped", "failure")

    def __init__(self, allow: Allow, own: str) -> None:
        self._allow = allow
        self._own = own
        self._rules = _rules()
        self.dropped = False
        self.failure: BaseException | None = None

    def __call__(self, tag: str, attribute: str, value: str) -> str | None:
        if self.failure is not None:
            return None
        try:
            written = self._judge(tag, attribute, value)
        except BaseException as error:  # noqa: BLE001 - raised again once the parser has returned
            self.failure = error
            return None
        if written is None:
            self.dropped = True
        return written

    def _judge(self, tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) in _ADDRESSES:
            if value.startswith(f"#{self._own}") and _NAME.fullmatch(value, 1):
                return f"#{self._renamed(value[1:])}"
            return self._allow(tag, attribute, value)
        if attribute == "class":
            return self._classes(value)
        if attribute == "id":
            return self._renamed(value) if value.startswith(self._own) and _NAME.fullmatch(value) else None
        pattern = self._rules.values.get(attribute)
        if pattern and not pattern.fullmatch(value):
            return None
        return _CONTROLS.sub("", value)

    def _classes(self, value: str) -> str | None:
        kept = [
            self._renamed(name)
            for name in value.split()
            if (name.startswith(self._own) and _NAME.fullmatch(name))
            or self._rules.values["class"].fullmatch(name)
        ]
        return " ".join(kept) or None

    def _renamed(self, name: str) -> str:
        return OWN + name.removeprefix(self._own) if name.startswith(self._own) else name


# --- the second opinion --------------------------------------------------------------------------------


def second_opinion(html: str, allow: Allow) -> list[str]:
    """What an independent sanitizer would still remove from the gate's output; empty when it agrees.

    bleach reads with another parser. It is asked with the same lists and the same predicate, and tags and
    attributes are compared as multisets: text is none of its business, and serialisers differ.
    """
    import bleach

    html = _with_few_alike(_with_few_references(html))
    judge = _Judge(allow, OWN)
    rules = _rules()
    try:
        out = bleach.Cleaner(
            tags=frozenset(rules.tags),
            attributes=lambda tag, name, value: _bleach_keeps(judge, rules, tag, name, value),
            protocols=frozenset(rules.schemes),
            strip=True,
            strip_comments=True,
        ).clean(html)
    except Exception as error:  # noqa: BLE001 - a sanitizer that cannot read it does not agree
        return [f"bleach failed: {type(error).__name__}"]
    if judge.failure is not None:
        raise judge.failure
    before, after = _tags_of(html), _tags_of(out)
    return [f"only nh3: {each}" for each in sorted((before - after).elements())] + [
        f"only bleach: {each}" for each in sorted((after - before).elements())
    ]


_MANY_TAGS = 1024
_ALIKE = pattern(r'<(?:(?:br|wbr|hr)|([a-z][a-z0-9]*+)((?: [a-z0-9-]++="[^"<>]*+")*+)>[^<]*+</\1)>')
"""An element that holds no other, as the gate writes it, and how it looks."""
_ALIKE_ROUNDS = 4


def _with_few_alike(html: str) -> str:
    """With one of each of the innermost elements that look alike: bleach is quadratic in siblings.

    Of a thousand citations that differ in nothing, one is enough to ask about.
    """
    for _ in range(_ALIKE_ROUNDS):
        if html.count("<") <= _MANY_TAGS:
            break
        seen: set[tuple[str, str]] = set()

        def first(found: re.Match[str], seen: set[tuple[str, str]] = seen) -> str:
            look = (found[1] or found[0], found[2] or "")
            if look in seen:
                return ""
            seen.add(look)
            return found[0]

        html = _ALIKE.sub(first, html)
    return html


_MANY_REFERENCES = 4096
_TEXT = pattern(r">[^<]++")
_REFERENCE = pattern(r"&#?[A-Za-z0-9]{1,32};")


def _with_few_references(html: str) -> str:
    """Without those in the text, for which bleach takes quadratic time; text is not compared anyway."""
    if html.count("&") <= _MANY_REFERENCES:
        return html
    return _TEXT.sub(lambda text: _REFERENCE.sub(".", text[0]), f">{html}")[1:]


def _bleach_keeps(judge: _Judge, rules: _Rules, tag: str, name: str, value: str) -> bool:
    from html import unescape

    value = unescape(value)  # bleach shows what is written, not what it means
    if tag == "a" and name == "rel":
        return value == rules.link_rel
    fixed = rules.fixed.get(tag, {})
    if name in fixed:
        return fixed[name] == value
    known = name in rules.attributes.get(tag, ()) or name in rules.attributes[_EVERYWHERE]
    return known and judge(tag, name, value) == value


def _tags_of(html: str) -> Counter[str]:
    """The start tags of serialised HTML with their attributes, in one spelling."""
    from html.parser import HTMLParser

    found: Counter[str] = Counter()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found[repr((tag, sorted((name, value or "") for name, value in attrs)))] += 1

    reader = Reader()
    reader.feed(html)
    reader.close()
    return found
