"""Diffs that a person reads and `git apply` takes."""

from __future__ import annotations

import random

import pytest

from citelint.report.diff import split_lines, unified_diff

BLOCKED = "https://c3JldA.evil.example/s3cr3t?q=c3JldA#s3cr3t"


def diff(old: bytes, new: bytes) -> str:
    return "".join(unified_diff(old, new, "a.md", show_line=str, show_removed=str))


def test_a_diff_shows_three_lines_around_a_change() -> None:
    old = b"".join(b"%d\n" % number for number in range(20))
    assert diff(old, old.replace(b"\n9\n", b"\nnine\n")) == (
        "--- a.md\n+++ a.md\n@@ -7,7 +7,7 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n"
    )
    assert diff(old, old) == ""


def apply(old: bytes, patch: str) -> str:
    """What `patch` makes of *old*, by the definition of the format."""
    lines, out, at = split_lines(old), [], 0
    body = patch.split("\n")[2:-1]
    for number, line in enumerate(body):
        sign, rest = line[:1], line[1:]
        if sign == "@":
            start, _, count = line.split()[1].lstrip("-").partition(",")
            first = int(start) - (count != "0")
            out += lines[at:first]
            at = first
            continue
        if sign == "\\":
            continue
        ended = "" if body[number + 1 : number + 2] == ["\\ No newline at end of file"] else "\n"
        if sign in " -":
            assert lines[at] == rest + ended
            at += 1
        if sign in " +":
            out.append(rest + ended)
    return "".join(out + lines[at:])


@pytest.mark.parametrize("seed", range(40))
def test_a_diff_turns_the_old_text_into_the_new(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    alphabet = [b"", b"a", b"b", b"- x", b"c\r", *(b"%d" % number for number in range(rng.choice((2, 60))))]
    old_lines = [rng.choice(alphabet) for _ in range(rng.randrange(60))]
    new_lines = list(old_lines)
    for _ in range(rng.randrange(8)):
        at = rng.randrange(len(new_lines) + 1)
        new_lines[at : at + rng.randrange(3)] = [rng.choice(alphabet) for _ in range(rng.randrange(3))]
    old = b"\n".join(old_lines) + rng.choice((b"", b"\n"))
    new = b"\n".join(new_lines) + rng.choice((b"", b"\n"))
    patch = diff(old, new)
    assert apply(old, patch) == new.decode() if patch else old == new


def test_a_diff_of_many_equal_lines_takes_no_time() -> None:
    old = b"same\nother\n" * 100_000
    new = old.replace(b"same\n", b"changed\n")
    removed = [line for line in diff(old, new).split("\n") if line.startswith("-same")]
    assert len(removed) == 100_000
