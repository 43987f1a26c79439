"""Reading an evidence manifest strictly: every fault is an error with its place and what is allowed.

Three steps: the JSON (:mod:`citelint.manifest.strict_json`), the shape of each field
(:mod:`citelint.manifest.format`), and what no field can say alone: ids and labels are unique,
addresses parse, dates exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from citelint.errors import ManifestError
from citelint.manifest.format import Call, ManifestFile, Quote, Run, Source, manifest_schema, parse_time
from citelint.manifest.strict_json import json_path, read_json, shown
from citelint.patterns import pattern
from citelint.urls import parse_url

MAX_BYTES = 64 * 1024 * 1024


def read_manifest(data: bytes) -> ManifestFile:
    """The manifest in a JSON text, checked whole.

    :raises ManifestError: it is not valid; ``path`` says where. No other error is raised.
    """
    if len(data) > MAX_BYTES:
        raise ManifestError(
            f"larger than {MAX_BYTES // 2**20} MiB", help="keep texts in snapshots, not in the manifest"
        )
    raw = read_json(data)
    for path, value, known in _objects(raw):
        _check_keys(path, value, known)
    try:
        file = msgspec.convert(raw, ManifestFile)
    except msgspec.ValidationError as error:
        raise _wrong_shape(raw, str(error)) from None
    _check_dates(file)
    _check_addresses(file)
    _check_names(file)
    return file


_KEYS = {form: frozenset(form.__struct_fields__) for form in (ManifestFile, Run, Source, Call, Quote)}


def _objects(raw: object) -> Iterator[tuple[str, dict[str, Any], frozenset[str]]]:
    """The objects whose keys are defined, with their JSON paths; not what is inside ``call.args``."""
    if not isinstance(raw, dict):
        return
    yield "$", raw, _KEYS[ManifestFile]
    yield from _member("$", raw, "run", Run)
    sources = raw.get("sources")
    for index, source in enumerate(sources if isinstance(sources, list) else ()):
        if not isinstance(source, dict):
            continue
        path = f"$.sources[{index}]"
        yield path, source, _KEYS[Source]
        yield from _member(path, source, "call", Call)
        quotes = source.get("quotes")
        for number, quote in enumerate(quotes if isinstance(quotes, list) else ()):
            if isinstance(quote, dict):
                yield f"{path}.quotes[{number}]", quote, _KEYS[Quote]


def _member(
    path: str, parent: dict[str, Any], key: str, form: type[Run | Call]
) -> Iterator[tuple[str, dict[str, Any], frozenset[str]]]:
    value = parent.get(key)
    if isinstance(value, dict):
        yield f"{path}.{key}", value, _KEYS[form]


def _check_keys(path: str, value: dict[str, Any], known: frozenset[str]) -> None:
    """Drops the ``x-`` keys, which msgspec would refuse with the unknown ones; refuses null for "none"."""
    for key in [key for key in value if key not in known]:
        if not key.startswith("x-"):
            raise ManifestError(
                f"unknown key {shown(key)}; known here are {', '.join(sorted(known))}",
                path=json_path(path, key),
                help=_unknown_key_help(key, known),
            )
        del value[key]
    if None in value.values():
        key = next(key for key, item in value.items() if item is None)
        raise _refused(json_path(path, key), None)


_USUAL_NAMES = {
    "uri": "url",
    "link": "url",
    "href": "url",
    "name": "title",
    "hash": "sha256",
    "checksum": "sha256",
    "digest": "sha256",
    "timestamp": "fetched_at",
    "retrieved_at": "fetched_at",
    "accessed_at": "fetched_at",
    "mime_type": "media_type",
    "content_type": "media_type",
    "labels": "markers",
    "text": "exact",
    "arguments": "args",
}


def _unknown_key_help(key: str, known: frozenset[str]) -> str:
    from rapidfuzz import fuzz, process, utils

    guess: str | None = _USUAL_NAMES.get(key.lower())
    if guess not in known:
        match = process.extractOne(
            key[:64], sorted(known), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=70
        )
        guess = match[0] if match else None
    own = "keys of your own begin with x-"
    return f"did you mean {guess}? Otherwise: {own}" if guess else own


_STEP = pattern(r"\.([a-z0-9_]+)|\[(\d+)\]")
_MISSING = pattern(r"Object missing required field `([a-z0-9_]+)`")


def _wrong_shape(raw: object, reason: str) -> ManifestError:
    """In words: msgspec's own reason is about Python's types. What it takes from there is the place."""
    text, separator, place = reason.rpartition(" - at `")
    path = place.removesuffix("`") if separator else "$"
    if missing := _MISSING.match(text if separator else reason):
        return ManifestError(
            f"{missing[1]} is missing", path=path, help=f"it must be {_allowed(path, missing[1])}"
        )
    value: Any = raw
    for name, index in _STEP.findall(path):
        value = value[name] if name else value[int(index)]
    return _refused(path, value)


def _refused(path: str, value: object) -> ManifestError:
    found = f"a list of {len(value):,}" if isinstance(value, list) else shown(value)
    return ManifestError(
        f"{_last(path)} is {found}, but must be {_allowed(path)}", path=path, help=_shape_help(path, value)
    )


def _last(path: str) -> str:
    return "the manifest" if path == "$" else path.rpartition(".")[2]


_WORDS = {"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false"}


def _allowed(path: str, *more: str) -> str:
    """What the schema admits at a place, in words."""
    schema = manifest_schema()
    node = schema
    for name in [*(name for name, _ in _STEP.findall(path)), *more]:
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        node = node["properties"][name] if name else node["items"]
    if "$ref" in node:
        return "an object"
    if "enum" in node and "description" not in node:
        return f"one of {', '.join(node['enum'])}"
    words: str = node.get("description") or _WORDS[node["type"]]
    return words


def _shape_help(path: str, value: object) -> str:
    """The next step, for the mistakes that people make."""
    name = _last(path).partition("[")[0]
    if path == "$":
        return 'put the list under "sources", beside "version" and "run"' if isinstance(value, list) else ""
    if value is None:
        return "leave the key out when there is no value"
    if name == "version":
        return "the number 1, without quotes" if value == "1" else "another version needs another citelint"
    if not isinstance(value, str):
        return ""
    if name in ("url", "urls"):
        return _address_help(value)
    if name in ("sha256", "result_sha256"):
        return _hash_help(value)
    if name in ("fetched_at", "started_at"):
        return "write date, T, time and zone; Z is UTC"
    if name == "snapshot":
        return "copy the text into a folder beside the manifest, as in snapshots/3f/3f2a.txt"
    return ""


def _address_help(value: str) -> str:
    if re.match(r"[Hh][Tt][Tt][Pp][Ss]?://.", value):
        return "percent-encode what is not allowed: a space is %20"
    if value and ":" not in value:
        return "write the whole address, with https:// or http:// before the host"
    return "another kind of address goes into x-address; a capture without one is cited by title and hash"


def _hash_help(value: str) -> str:
    if value.lower().startswith("sha256"):
        return "only the digits, without sha256 before them"
    if re.fullmatch(r"[0-9A-Fa-f]{64}", value):
        return "write it in lower case"
    return f"the SHA-256 of the text in UTF-8, as sha256sum prints it; this has {len(value):,} characters"


def _check_dates(file: ManifestFile) -> None:
    times = [("$.run.started_at", file.run.started_at)] if file.run.started_at else []
    times += [(f"$.sources[{i}].fetched_at", source.fetched_at) for i, source in enumerate(file.sources)]
    for path, value in times:
        try:
            parse_time(value)
        except ValueError:
            raise ManifestError(
                f"{_last(path)} is {shown(value)}, but there is no such date or time", path=path
            ) from None


def _check_addresses(file: ManifestFile) -> None:
    for index, source in enumerate(file.sources):
        if source.url and parse_url(source.url) is None:
            raise _no_address(f"$.sources[{index}].url", source.url)
        for number, url in enumerate(source.urls):
            if parse_url(url) is None:
                raise _no_address(f"$.sources[{index}].urls[{number}]", url)


def _no_address(path: str, value: str) -> ManifestError:
    return ManifestError(
        f"{_last(path)} is {shown(value)}, which is no address to a browser",
        path=path,
        help="check host and port; leave the key out when there is no address",
    )


def _check_names(file: ManifestFile) -> None:
    """An id or a label names one source; which of two a citation means is not guessed."""
    owners: dict[str, int] = {}
    for index, source in enumerate(file.sources):
        first = owners.setdefault(source.id, index)
        if first != index:
            raise ManifestError(
                f"the id {shown(source.id)} is that of $.sources[{first}] already",
                path=f"$.sources[{index}].id",
                help="every capture has its own id; two addresses of one capture go into urls",
            )
    for index, source in enumerate(file.sources):
        for number, label in enumerate(source.markers):
            first = owners.setdefault(label, index)
            if first != index:
                raise ManifestError(
                    f"the marker {shown(label)} means $.sources[{first}] already",
                    path=f"$.sources[{index}].markers[{number}]",
                    help="a marker names one source; several captures of one page are one label and urls",
                )
        _check_quotes(index, source)


def _check_quotes(index: int, source: Source) -> None:
    for number, quote in enumerate(source.quotes):
        if (quote.start is None) != (quote.end is None) or (quote.start or 0) > (quote.end or 0):
            raise ManifestError(
                f"the quote has start {shown(quote.start)} and end {shown(quote.end)}",
                path=f"$.sources[{index}].quotes[{number}]",
                help="give start and end, in this order, or neither",
            )
