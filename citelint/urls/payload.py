"""CL204: an address that carries data away.

Whoever controls a link's address can write into it what nobody should learn. Plain words cannot be told
from a page's title, so three things are looked for that titles and ids do not do: *text in disguise*
(base64, base32, hex or percent-escapes that decode to readable text: an id decodes to noise), *opaque
tokens* longer than common ids and hashes, and *sheer length*.
"""

from __future__ import annotations

from binascii import Error as NotBase64
from binascii import a2b_base64
from itertools import pairwise

from citelint.patterns import pattern
from citelint.urls.parse import Url, decode_escapes

LONG_VALUE = 120
"""Characters, decoded, from which a query value or fragment is long."""
LONG_UNBROKEN = 80
"""… and a path segment without a break between words."""
LONG_SEGMENT = 250
"""… and a path segment with breaks: titles of papers reach 200."""
LONG_QUERY = 400
LONG_PATH = 800
MANY_SEGMENTS = 24
LONG_LABEL = 40
"""… and a label of a host name, which may have 63."""
MANY_LABELS = 8
SHORTEST_DISGUISE = 11
"""Characters of base64 for eight bytes: shorter ones cannot be told from words and ids."""
SHORTEST_DISGUISE_IN_HEX = 16
SHORTEST_DISGUISE_IN_DIGITS = 24
"""Decimal numbers are more often numbers."""
SHORTEST_TEXT = 8
ESCAPED_LETTERS = 4
"""Nobody percent-encodes letters and digits, except to hide them."""
OPAQUE_LABEL = 24
OPAQUE_LENGTH = 48
"""Ids of documents and videos have up to 44 characters, commits 40."""
HASH_LENGTHS = frozenset((32, 40, 56, 64, 96, 128))
"""Hex digits of MD5, SHA-1 and the SHA-2 family: these name a file, however opaque."""
MOST_HASHES = 2
"""… a repository and a file; more of them in a row are data in pieces."""

# What base64, base32 and hex are written with; in a path a slash ends it.
_VALUE_TOKEN = pattern(r"[A-Za-z0-9+/_-]{11,}+")
_SEGMENT_TOKEN = pattern(r"[A-Za-z0-9+_-]{11,}+")
_WORD = pattern(r"[^-_+.~ ,;:=/|()]++")
_ESCAPED_ALPHANUMERIC = pattern(r"%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])")
_JOINTS = pattern(r"[-_/+]")
_HEX = pattern(r"[0-9A-Fa-f]++")
_BASE32 = pattern(r"(?:[A-Z2-7]++|[a-z2-7]++)")
_LOWER_WORDS = pattern(r"[a-z/_-]++")
_URL_SAFE = str.maketrans("-_", "+/")
_PROSE_MARKS = frozenset(" \t\r\n_-=:.,@/;&+'\"{}()[]?!#%|")


def payload_in(url: Url) -> str:
    """Where *url* carries data, in words, or "" if it does not seem to."""
    if payload_in_host(url.host):
        return "the host name"
    if len(url.path) + len(url.query) + len(url.fragment) < SHORTEST_DISGUISE:
        return ""
    if _path_carries(url.path):
        return "the path"
    if url.query and _query_carries(url):
        return "the query"
    return "the fragment" if url.fragment and _value_carries(_visible(url.fragment)) else ""


def payload_in_host(host: str) -> bool:
    """Whether a label of the host name *host*, or their number, looks like data."""
    labels = host.split(".")
    if len(labels) > MANY_LABELS:
        return True
    if len(host) < SHORTEST_DISGUISE_IN_HEX or host.startswith("["):
        return False
    if any(map(_label_carries, labels)):
        return True
    joined = "".join(labels[:-2])  # data longer than a label is cut up
    return len(joined) >= SHORTEST_DISGUISE_IN_HEX and _is_disguised(joined)


def is_payload(text: str) -> bool:
    """Whether *text*, a value as it stands in an address, is or holds text in disguise or an opaque token."""
    return any(map(_token_carries, _VALUE_TOKEN.findall(decode_escapes(text))))


def _label_carries(label: str) -> bool:
    if label.startswith("xn--"):
        return False
    if len(label) >= LONG_LABEL:
        return True
    return len(label) >= SHORTEST_DISGUISE and (
        _is_disguised(label) or _is_noise(label, shortest=OPAQUE_LABEL)
    )


def _path_carries(path: str) -> bool:
    if path.count("/") > MANY_SEGMENTS or len(path) > LONG_PATH:
        return True
    if _escapes_letters(path):
        return True
    decoded = decode_escapes(path)
    if len(decoded) > LONG_UNBROKEN:
        for segment in decoded.split("/"):
            if len(segment) > LONG_SEGMENT or _longest_word(segment) > LONG_UNBROKEN:
                return True
    return any(map(_token_carries, _SEGMENT_TOKEN.findall(decoded)))


def _query_carries(url: Url) -> bool:
    if len(decode_escapes(url.query)) > LONG_QUERY or _escapes_letters(url.query):
        return True
    for part in url.query.split("&"):
        name, _, value = part.partition("=")
        if name in url.tracking:
            # Click ids are opaque by nature and go with the parameter; readable text is not.
            if len(value) > LONG_VALUE or _hides_text(value):
                return True
        elif _value_carries(name) or _value_carries(value):
            return True
    return False


def _value_carries(value: str) -> bool:
    if len(value) < SHORTEST_DISGUISE:
        return False
    return len(decode_escapes(value)) >= LONG_VALUE or _escapes_letters(value) or is_payload(value)


def _escapes_letters(text: str) -> bool:
    return "%" in text and len(_ESCAPED_ALPHANUMERIC.findall(text)) >= ESCAPED_LETTERS


def _hides_text(value: str) -> bool:
    return any(map(_is_disguised, _VALUE_TOKEN.findall(decode_escapes(value))))


def _visible(fragment: str) -> str:
    """A fragment without its text directive, which quotes the page and which comparison leaves out."""
    visible, _, directive = fragment.partition(":~:")
    return visible if len(directive) < LONG_SEGMENT else fragment


def _longest_word(text: str) -> int:
    return max(map(len, _WORD.findall(text)), default=0)


def _token_carries(token: str) -> bool:
    if _LOWER_WORDS.fullmatch(token) and ("-" in token or "_" in token or "/" in token):
        return False  # a slug or a path, by far the most frequent
    return _is_disguised(token) or _is_noise(token, shortest=OPAQUE_LENGTH)


def _is_noise(token: str, *, shortest: int) -> bool:
    """Whether the kinds of character alternate as in random strings, and far from words, on such a length."""
    if len(token) < shortest:
        return False
    parts = _JOINTS.split(token)
    hashes = [part for part in parts if len(part) in HASH_LENGTHS and _HEX.fullmatch(part)]
    if hashes and len(hashes) <= MOST_HASHES:
        return _is_noise("-".join(part for part in parts if part not in hashes), shortest=shortest)
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.islower() else "" for c in token]
    changes = sum(1 for a, b in pairwise(kinds) if a != b and a and b)
    return changes >= 0.3 * len(token)


def _is_disguised(token: str) -> bool:
    """Whether *token*, or a part between its - and _, decodes to readable text."""
    if _decodes_to_text(token):
        return True
    parts = _JOINTS.split(token)
    return len(parts) > 1 and any(_decodes_to_text(part) for part in parts if len(part) >= SHORTEST_DISGUISE)


def _decodes_to_text(token: str) -> bool:
    if _HEX.fullmatch(token):
        shortest = SHORTEST_DISGUISE_IN_DIGITS if token.isdigit() else SHORTEST_DISGUISE_IN_HEX
        return len(token) >= shortest and (_is_text(_from_hex(token)) or _is_text(_from_hex(token[1:])))
    if len(token) >= SHORTEST_DISGUISE_IN_HEX and _BASE32.fullmatch(token) and _is_text(_from_base32(token)):
        return True
    if token.isupper() or token[1:].islower():
        return False  # base64 of text has both; a word may begin with a capital
    # A few characters before the data shift it, so every alignment is tried.
    return any(_is_text(_from_base64(token[at:])) for at in range(min(4, len(token) - SHORTEST_DISGUISE + 1)))


def _from_hex(token: str) -> bytes:
    return bytes.fromhex(token[: len(token) // 2 * 2])


def _from_base64(token: str) -> bytes:
    whole = token[:-1] if len(token) % 4 == 1 else token
    try:
        return a2b_base64(whole.translate(_URL_SAFE) + "=" * (-len(whole) % 4))
    except NotBase64:
        return b""


def _from_base32(token: str) -> bytes:
    from base64 import b32decode  # hardly any address gets here

    spare = {1: 1, 3: 1, 6: 1}.get(len(token) % 8, 0)  # lengths that no encoder writes
    whole = token[: len(token) - spare].upper()
    return b32decode(whole + "=" * (-len(whole) % 8))


def _is_text(data: bytes) -> bool:
    if len(data) < SHORTEST_TEXT:
        return False
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return all(character.isalnum() or character in _PROSE_MARKS for character in text)
