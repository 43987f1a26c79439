"""Which encoding the bytes of an HTML answer are in: as browsers decide it, and strictly decoded."""

from __future__ import annotations

from citelint.errors import InputError
from citelint.patterns import pattern
from citelint.readers.html_tokens import Attributes, tokens

_DECLARED_WITHIN = 1024
"""Bytes in which browsers look for a declaration."""
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_NOT_READ = ("hz-gb-2312", "iso-2022-kr", "replacement", "x-user-defined")
_CHARSET = pattern(r"charset\s{0,16}=\s{0,16}[\"']?([^\s\"';]{1,64})")


def decode_html(source: str | bytes) -> str:
    """The characters of an HTML answer; a byte order mark stays, as the first of them.

    Raises :class:`~citelint.errors.InputError` for bytes that their encoding does not have, and for an
    encoding that browsers do not read.
    """
    if not isinstance(source, (bytes, bytearray, memoryview)):
        return source
    data = bytes(source)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decode(data, name)
    return _decode(data, _declared(data))


def _declared(data: bytes) -> str:
    """The label in a ``<meta>`` near the beginning; UTF-8 without one."""
    for token in tokens(data[:_DECLARED_WITHIN]):
        if token.sort != "start" or token.name != "meta":
            continue
        attributes = Attributes(token.attributes)
        label = attributes.get("charset")
        if not label and attributes.get("http-equiv").strip().lower() == "content-type":
            found = _CHARSET.search(attributes.get("content").lower())
            label = found[1] if found else ""
        if label:
            # A declaration that can be read byte by byte is not in UTF-16.
            return "utf-8" if label.strip().lower().startswith("utf-16") else label
    return "utf-8"


def _decode(data: bytes, label: str) -> str:
    if label in ("utf-8", "utf-16be", "utf-16le"):
        name = label  # without asking the table of labels, which most answers have no use for
    else:
        import webencodings

        encoding = webencodings.lookup(label)
        if encoding is None or encoding.name in _NOT_READ:
            raise InputError(
                f"the encoding {label!r:.40} is none that browsers read", help="convert the file to UTF-8"
            )
        name = encoding.codec_info.name
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        shown = "UTF-8" if name == "utf-8" else label
        raise InputError(
            f"not {shown:.40}: byte 0x{data[error.start]:02x} at offset {error.start}",
            help="convert the file to UTF-8, or declare its encoding in a <meta charset>",
        ) from None
