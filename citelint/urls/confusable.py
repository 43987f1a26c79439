"""CL206: host names that read as another host name."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, name

from ada_url import idna_to_unicode

from citelint.urls.tables import confusables

# Scripts that one language writes together. Latin letters may join the East Asian ones only: this is the
# "highly restrictive" level of UTS 39, which browsers follow as well.
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)

_EMOJI = "\U0001f000"
"""From here on the signs are pictures."""


def confusion_in(host: str) -> str:
    """What about *host* (in ASCII, as parsed) deceives, in words, or ""."""
    return _confusion(host) if "xn--" in host else ""


@lru_cache(maxsize=256)
def _confusion(host: str) -> str:
    labels = idna_to_unicode(host).split(".")
    top_scripts = _scripts(labels[-1])
    for label in labels:
        if label.isascii():
            continue
        if fault := _fault_of(label, top_scripts):
            return fault
    return ""


def _fault_of(label: str, top_scripts: frozenset[str]) -> str:
    foreign = {character for character in label if not character.isascii()}
    if any(map(_is_sign, foreign)):
        return "has a sign that is no letter"
    if foreign <= confusables().marks and any(map(str.isascii, label)):
        return "has a letter that looks like punctuation"
    scripts = _scripts(label)
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        return f"mixes {' and '.join(script.title() for script in sorted(scripts))} letters"
    # A word of one script under a top label of the same script deceives nobody.
    if foreign <= confusables().ascii_letters and not (scripts <= top_scripts and "LATIN" not in scripts):
        return f"is written in {_scripts_of(scripts)} letters that look like ASCII ones"
    return ""


def _scripts_of(scripts: frozenset[str]) -> str:
    script = next(iter(scripts), "")
    return "rare Latin" if script == "LATIN" else script.title()


def _scripts(label: str) -> frozenset[str]:
    return frozenset(script for character in label if (script := _script(character)))


def _script(character: str) -> str:
    """The script of a letter, from the first word of its name; "" for what all scripts share."""
    if not category(character).startswith("L"):
        return ""
    script = name(character, "").partition(" ")[0].partition("-")[0]
    return {"IDEOGRAPHIC": "CJK", "KANGXI": "CJK", "MODIFIER": "", "MASCULINE": "LATIN"}.get(script, script)


def _is_sign(character: str) -> bool:
    """Neither letter, mark nor number. Emoji, which some registries sell, resemble nothing else."""
    return (
        category(character)[0] not in "LMN" and character not in confusables().in_words and character < _EMOJI
    )
