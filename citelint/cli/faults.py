"""Errors, as the command line tells them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from citelint.errors import CitelintError
from citelint.report.escape import show


class InternalError(CitelintError):
    """Something that citelint did not expect: a fault of its own."""

    exit_code = 3


def internal(error: Exception) -> InternalError:
    """Words for an unexpected exception.

    They say where in citelint it happened and not what it says of itself: that may quote the answer, and
    with it an address. ``CITELINT_DEBUG=1`` prints all of it.
    """
    if os.environ.get("CITELINT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return InternalError(
        f"internal error: {type(error).__name__}{_place(error)}; no file is half written",
        help="CITELINT_DEBUG=1 shows the traceback; please report it",
    )


def _place(error: Exception) -> str:
    """The innermost line of citelint's own code that the exception went through."""
    package = Path(__file__).resolve().parent.parent
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(package):
            place = f" in {file.relative_to(package.parent).as_posix()}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def explain(error: CitelintError) -> int:
    """Print *error* on standard error and give the exit code for it."""
    print(f"citelint: error: {show(error.message)}", file=sys.stderr)
    if error.help:
        print(f"  = help: {show(error.help)}", file=sys.stderr)
    return error.exit_code
