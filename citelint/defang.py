"""Addresses as text: what a person may read and no renderer may link.

Two steps, because one is not enough. Renderers that link bare addresses do so before *or* after they
decode character references, so references alone are undone by some of them; and a broken token alone
may still hold brackets and backticks. Therefore :func:`break_tokens` first spoils what a linkifier looks
for, and :func:`as_text` then writes every character that means something to a Markdown dialect as a
character reference, which shows the same and means nothing.

>>> break_tokens("see https://evil.example/a?b or www.evil.example, a@evil.example")
'see hxxps://evil[.]example/a?b or www[.]evil[.]example, a[@]evil[.]example'
"""

from __future__ import annotations

import re

from citelint.patterns import pattern

# Every pattern here is one class, or a possessive run of one class, beside literals: none can backtrack.
_TOKEN = pattern(r"[^\s<>\"'(){}\[\]|,;`]++")
"""What a linkifier may take for one address; the separators end an address in all of them."""
_WEB_SCHEME = pattern(r"h(tt)(ps?:[/\\])", re.IGNORECASE)
_FTP_SCHEME = pattern(r"ft(ps?:[/\\])", re.IGNORECASE)
_SLASHES = pattern(r"(?<!xp:)(?<!xps:)(?<![/\\])([/\\])([/\\]++)(?=.)")
"""What opens a host, but for a scheme that is broken already."""
_OPENING = pattern(r"[/\\]{2}|[hf]x?xps?:|@|www\.", re.IGNORECASE)
"""What an address begins with, schemes as they are once they are broken."""
_AT = pattern(r"@(?=.)|(?<=.)@")
_DOT = pattern(r"\.(?=.)|(?<=www)\.", re.IGNORECASE)
"""One at the end of a token is a full stop; but ``www.`` alone is enough for cmark-gfm."""
_HOST_END = pattern(r"[/\\?#]|:(?=\d)")
_LETTERS = pattern(r"[^\W\d_]{2}")


def break_tokens(text: str) -> str:
    """Spoil every address in *text*, so that it reads as one and no renderer links it.

    Schemes (``hxxps://``), the dots of addresses (``www[.]``), ``[@]`` and other double slashes (``/[/]``).
    A plain host name without path, port or user stays (brand names look like it), and so does a number.
    What is broken already stays as it is: a second pass changes nothing.
    """
    if not _worth_a_look(text):
        return text
    return _TOKEN.sub(lambda match: _break_token(match[0]), text)


def _worth_a_look(text: str) -> bool:
    return "." in text or "@" in text or "//" in text or "\\" in text or ":/" in text


def _break_token(token: str) -> str:
    token = _WEB_SCHEME.sub(lambda match: f"{match[0][0]}xx{match[2].lower()}", token)
    token = _FTP_SCHEME.sub(r"fx\1", token)
    if _is_address(token):
        token = _DOT.sub("[.]", token)
    token = _SLASHES.sub(lambda match: match[1] + "".join(f"[{slash}]" for slash in match[2]), token)
    return _AT.sub("[@]", token)


def _is_address(token: str) -> bool:
    """Whether some linkifier may see an address anywhere in it: what opens one may stand behind anything."""
    if _OPENING.search(token):
        return True
    end = _HOST_END.search(token)
    return end is not None and _looks_like_host(token[: end.start()])


def _looks_like_host(host: str) -> bool:
    _, dot, last = host.rpartition(".")
    return bool(dot) and _LETTERS.match(last) is not None


_REFERENCES = {ord(character): f"&#{ord(character)};" for character in "[]{}\\`*_~|!#^$=@"} | {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
}
_NAME_DOT = pattern(r"(?<=\w)\.(?=[^\W\d_])")
_SHORTCODE = pattern(r":(?=\S)")
_LINE_START = pattern(r"(?:[0-9]{1,9}(?=[.)])|(?=[-+:]))(.)")


def as_text(text: str) -> str:
    """*text* as Markdown that every renderer shows as these characters and nothing more.

    Broken tokens (:func:`break_tokens`) plus character references for all punctuation that a dialect
    acts on; dots inside names as well, which fuzzy linkifiers take for host names ("ASP.NET"). One line
    in, one line out: line ends are the caller's business.

    >>> as_text("A](https://evil.example) *b*")
    'A&#93;(hxxps&#58;//evil&#91;.&#93;example) &#42;b&#42;'
    """
    plain = break_tokens(text).translate(_REFERENCES)
    plain = _NAME_DOT.sub("&#46;", plain)
    plain = _SHORTCODE.sub("&#58;", plain)
    opening = _LINE_START.match(plain)
    if opening:  # as a list item or a definition would begin
        plain = f"{plain[: opening.start(1)]}&#{ord(opening[1])};{plain[opening.end(1) :]}"
    return plain
