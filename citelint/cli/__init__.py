"""The command line: one module a command, and the only place that prints and exits.

A command's module has ``configure(parser)``, which adds its arguments, and ``run(args)``, which gives the
exit code. Only the module of the command that was asked for is imported.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from citelint import __version__
from citelint.cli.faults import explain, internal
from citelint.errors import CitelintError, InputError

COMMANDS = {
    "check": "report what the manifest does not vouch for",
    "fix": "rewrite answers so that only what the manifest vouches for is left",
    "render": "write an answer as safe HTML, or as Markdown",
    "manifest": "print the manifest's schema, or verify a manifest",
    "rule": "explain a rule",
    "config": "print the settings that are in force",
}

# Given a width, argparse does not import shutil to ask the terminal for it, at every start.
_HELP = partial(argparse.HelpFormatter, width=88)

INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports for programs that the signals SIGINT and SIGPIPE ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run citelint with *argv* (without the program's name) and give its exit code.

    0 clean · 1 findings remain or files were changed · 2 usage, config, manifest or input error ·
    3 internal error, nothing written.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the end
    _keep_the_collector_away()
    _print_anything()
    try:
        code = _dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _stop_printing()
        return BROKEN_PIPE
    except CitelintError as error:
        return explain(error)
    except OSError as error:
        _stop_printing()
        reason = (error.strerror or "error").lower()
        return explain(InputError(f"cannot write to the output: {reason}", help="see what it leads to"))
    except Exception as error:  # noqa: BLE001 — the last line of defence: short, and with its own exit code
        return explain(internal(error))
    return code


def _dispatch(argv: list[str]) -> int:
    if argv[:1] in (["--version"], ["-V"]):
        print(f"citelint {__version__}")
        return 0
    _refuse_file_as_option(argv)
    args = _parser(argv).parse_args(argv)
    code: int = import_module(f"citelint.cli.{args.command}").run(args)
    return code


def _refuse_file_as_option(argv: list[str]) -> None:
    """Hooks append file names to a command line; one called ``--config=x.md`` must not become a setting."""
    for word in argv[: argv.index("--")] if "--" in argv else argv:
        if word.startswith("-") and word != "-" and os.path.lexists(word):
            raise InputError(
                f"{word!r} is an option and also a file here", help=f"write ./{word}, or -- before it"
            )


def _parser(argv: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="citelint",
        description="Lets through only those links and citations of an answer that its manifest vouches for.",
        epilog="exit codes: 0 clean, 1 findings or changed files, 2 usage, config, manifest or input error, "
        "3 internal error. `citelint COMMAND --help` says more.",
        allow_abbrev=False,
        formatter_class=_HELP,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            allow_abbrev=False,
            formatter_class=_HELP,
        )
        if name in argv:
            import_module(f"citelint.cli.{name}").configure(command)
    return parser


def _keep_the_collector_away() -> None:
    """What a start makes (modules, types, patterns) is no garbage: neither search it nor take it apart."""
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)


def _print_anything() -> None:
    """Whatever the terminal's encoding, a character that it lacks must not end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop_printing() -> None:
    """Nobody reads any more; keep Python from complaining about that when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
