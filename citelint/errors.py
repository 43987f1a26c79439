"""What can go wrong with the world around an answer, as opposed to findings *in* an answer.

Every error says what, where, and what to do next; ``exit_code`` is what the command line ends with.
"""

from __future__ import annotations


class CitelintError(Exception):
    """Base of all errors that citelint raises on purpose."""

    exit_code = 2

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class InputError(CitelintError):
    """The document cannot be read: not UTF-8, NUL bytes, too large, a folder, not writable."""


class PolicyError(CitelintError):
    """The settings are not valid."""


class ManifestError(CitelintError):
    """The evidence manifest is missing or not valid (CL501, CL502)."""

    def __init__(self, message: str, *, code: str = "CL502", path: str = "", help: str = "") -> None:
        super().__init__(message, help=help)
        self.code = code
        self.path = path
        """The JSON path of the fault, e.g. ``$.sources[3].url``; empty when it is the whole file."""


class RuleError(CitelintError):
    """A rule file is not valid."""


class UnknownCitationError(CitelintError):
    """An id that was given as a citation is not in the manifest."""


class PostconditionError(CitelintError):
    """The result could not be proven safe; nothing was written. A fault of citelint, not of the caller."""

    exit_code = 3
