"""An address as it is written into Markdown, so that all parsers see the same one, and nothing else."""

from __future__ import annotations

import unicodedata

_ENCODED = {ord(character): f"%{ord(character):02X}" for character in " \"'<>\\^`{|}$\t\n\r\f"}
_BRACKETS = {ord("["): "%5B", ord("]"): "%5D"}
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp", "Mn"})
_FILLERS = "\u115f\u1160\u3164\uffa0"


def as_destination(address: str) -> str:
    """*address* with all that could end a link, start code or mean something to a template percent-encoded.

    The key by which addresses are compared encodes the same characters, so it stays the same address. What
    nobody sees is encoded too, for it would be taken out of a text. Square brackets stay in the authority,
    where they hold an IPv6 address. An ``&`` stays, which Markdown wants as ``&amp;``.

    >>> as_destination("https://example.org/a_{x}[1]")
    'https://example.org/a_%7Bx%7D%5B1%5D'
    """
    scheme, separator, rest = address.partition("://")
    authority, slash, path = rest.partition("/")
    written = f"{scheme}{separator}{authority}{slash}{path.translate(_BRACKETS)}".translate(_ENCODED)
    if written.isascii():
        return written
    return "".join(_percent(one) if _is_unseen(one) else one for one in written)


def _is_unseen(character: str) -> bool:
    return not character.isascii() and (unicodedata.category(character) in _UNSEEN or character in _FILLERS)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))
