"""Untrusted text, made safe to show in a terminal, a log or a CI console.

Nothing here shortens an address: :mod:`citelint.report.addresses` does that.
"""

from __future__ import annotations

from unicodedata import category

from citelint.patterns import pattern

# Printable to Python, yet without a mark on the screen: hidden words can be written with them.
_UNSEEN = pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

# `::error …` and `##[group]` and their kind make a CI service act on a line of a log.
COMMANDS = pattern(r"##(?=[A-Za-z]{0,20}\[)")


def show(text: str) -> str:
    """*text* on one line, with all that is invisible or acts written as ``\\x1b``, ``\\u202e``, ….

    Control and format characters (bidi, zero-width, tags), line and paragraph separators and lone
    surrogates are escaped; commands of CI services are broken. Letters of every script stay.
    """
    if not text.isprintable() or _UNSEEN.search(text):
        text = "".join(map(show_character, text))
    if "##" in text:
        text = COMMANDS.sub("#\\\\#", text)
    return "\\:\\:" + stripped[2:] if (stripped := text.lstrip()).startswith("::") else text


def show_character(character: str) -> str:
    """One character as :func:`show` writes it; commands of CI services are more than one."""
    if (character.isprintable() and not _UNSEEN.match(character)) or category(character) == "Zs":
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
