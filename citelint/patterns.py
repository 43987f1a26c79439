"""Patterns that are compiled when they are first used.

Python compiles regular expressions in Python, each in a tenth of a millisecond or more: those that most
answers have no use for would cost every start. What every answer needs is better off with :func:`re.compile`,
whose methods are a little faster to call.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class Pattern:
    """Stands for a compiled pattern; what has been used of it once is an attribute of its own ever after."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What :func:`re.compile` gives, later: a pattern that is none says so when it is first used."""
    return cast("re.Pattern[AnyStr]", Pattern(source, flags))
