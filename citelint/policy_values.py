"""What single settings may hold, in words for the person who wrote them.

All raise :class:`~citelint.errors.PolicyError`.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from citelint.errors import PolicyError
from citelint.patterns import pattern

SEVERITIES = ("error", "warning", "note", "off")
"""What the ``severity`` table may say of a rule. ``off`` is not for CL1xx to CL3xx."""

INLINE = "inline"
"""In ``page-sinks``: scripts, styles and handlers that stand in the page itself."""


def check_glob(glob: str) -> None:
    """A glob of ``answers`` stays below the project root."""
    pure = PurePosixPath(glob)
    if "\\" in glob or pure.is_absolute() or ".." in pure.parts or not glob.isprintable():
        raise PolicyError(
            f"answers: {glob!r} must stay below the project root",
            help="write it relative to that folder, with / and without .., e.g. 'answers/**/*.md'",
        )


def check_template(template: str) -> None:
    """``manifest`` holds a place for the answer's name, and nothing else in braces."""
    rest = template.replace("{stem}", "").replace("{folder}", "")
    if template and ("{" in rest or "}" in rest or rest == template):
        raise PolicyError(
            f"manifest: {template!r} must hold {{stem}} or {{folder}}, and no other braces",
            help="e.g. 'evidence/{stem}.json' or '{folder}/{stem}.json'",
        )


def check_page_sink(prefix: str) -> None:
    """An address as in ``allow``, or a path from the site's root."""
    if prefix == INLINE:
        return
    rooted = prefix.startswith("/") and prefix[1:2] not in ("/", "\\")
    check_prefix(f"https://page.invalid{prefix}" if rooted else prefix, key="page-sinks", shown=prefix)


def check_prefix(prefix: str, *, key: str = "allow", shown: str = "") -> None:
    """A prefix of ``allow`` is an address without user and fragment."""
    from citelint.urls import parse_url

    url = parse_url(prefix)
    fault = ""
    if url is None or url.scheme not in ("http", "https") or not url.host:
        fault = "is not an http or https address"
    elif url.userinfo:
        fault = "holds user info"
    elif url.fragment or "#" in prefix:
        fault = "holds a fragment"
    if fault:
        more = f", '/assets/' or '{INLINE}'" if key == "page-sinks" else ""
        example = f"e.g. 'https://docs.example.org/guide/'{more}"
        raise PolicyError(f"{key}: {(shown or prefix)!r} {fault}", help=example)


def check_removed_link(text: str) -> None:
    """Plain words: what citelint writes must not itself be a link or markup for some renderer."""
    bad = ("://", "](", "][", "]:", "<", "`", "@", "&", "\\", "!", "www.", "^")
    if not text.isprintable() or len(text) > 200 or any(sign in text for sign in bad):
        raise PolicyError(
            f"removed-link: {text!r} must be plain words", help="one line, no address, no markup"
        )


_CODE = pattern(r"[A-Z]{2,8}[0-9]{3}")
_ALWAYS_ON = ("CL1", "CL2", "CL3")


def check_severity(code: str, severity: str) -> None:
    """A rule's code, and a severity that it can have."""
    if not _CODE.fullmatch(code):
        raise PolicyError(f"severity: {code!r} is not a rule's code", help="e.g. CL106 = 'error'")
    if severity not in SEVERITIES:
        raise PolicyError(
            f"severity: {code} = {severity!r} is not known",
            help="allowed: " + ", ".join(map(repr, SEVERITIES)),
        )
    if severity == "off" and code.startswith(_ALWAYS_ON):
        raise PolicyError(
            f"severity: {code} cannot be turned off",
            help="rules CL1xx to CL3xx keep addresses in; 'note' lowers it",
        )
