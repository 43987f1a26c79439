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

# Every pattern here is one class, or a possessive run of one class, after a literal: none can backtrack.
_TOKEN = pattern(r"[^\s<>\"'(){}\[\]|,;`]++")
"""What a linkifier may take for one address; the separators end an address in all of them."""
_WEB_SCHEME = pattern(r"h(tt)(ps?:[/\\])", re.IGNORECASE)
_FTP_SCHEME = pattern(r"ft(ps?:[/\\])", re.IGNORECASE)
_OTHER_SCHEME = pattern(r"(?<![hf]xxps)(?<![hf]xxp)(?<!fxp)(?<!fxps):([/\\]{2})", re.IGNORECASE)
_RELATIVE = pattern(r"(?<!:)(?<![/\\])([/\\])([/\\])(?=\w)")
_AT = pattern(r"@(?=\w)|(?<=\w)@")
_INNER_DOT = pattern(r"(?<=\w)\.(?=\w)")
_HOST_END = pattern(r"[/\\?#]")
_PORT_END = pattern(r":(?=\d)")
_LETTERS = pattern(r"[^\W\d_]{2}")


def break_tokens(text: str) -> str:
    """Spoil every address in *text*, so that it reads as one and no renderer links it.

    Schemes (``hxxps://``), ``www[.]``, the dots of host names, ``[@]`` and protocol-relative ``/[/]``.
    A plain host name without path, port or user stays (brand names look like it), and so does a number.
    """
    if not _worth_a_look(text):
        return text
    return _TOKEN.sub(lambda match: _break_token(match[0]), text)


def _worth_a_look(text: str) -> bool:
    return "." in text or "@" in text or "//" in text or "\\" in text or ":/" in text


def _break_token(token: str) -> str:
    start = _host_start(token)
    end = _host_end(token, start)
    host = token[start:end]
    names_host = start > 0 or "@" in token or host[:4].lower() == "www."
    if names_host or (end < len(token) and _looks_like_host(host)):
        token = token[:start] + _INNER_DOT.sub("[.]", host) + _break_later_hosts(token[end:])
    token = _RELATIVE.sub(r"\1[\2]", token)
    token = _WEB_SCHEME.sub(lambda match: f"{match[0][0]}xx{match[2].lower()}", token)
    token = _FTP_SCHEME.sub(r"fx\1", token)
    token = _OTHER_SCHEME.sub(r"[:]\1", token)
    return _AT.sub("[@]", token)


def _host_start(token: str) -> int:
    """Where the host begins: behind ``//``, else at the front."""
    at = token.find("//")
    if at < 0:
        at = token.find("\\\\")
    return at + 2 if at >= 0 else 0


def _host_end(token: str, start: int) -> int:
    end = _HOST_END.search(token, start)
    port = _PORT_END.search(token, start)
    stops = [match.start() for match in (end, port) if match]
    return min(stops, default=len(token))


def _break_later_hosts(rest: str) -> str:
    """An address inside the path or query of another one (``?u=https://…``, ``,www.…``) is one as well."""
    if "//" in rest or "\\\\" in rest or "@" in rest or "www." in rest.lower():
        return _INNER_DOT.sub("[.]", rest)
    return rest


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
