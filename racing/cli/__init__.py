"""The command line: short commands that call the library.

Results go to stdout, other messages to stderr, and `--json` prints the result as one JSON object.
Commands import their modules when they run, so `racing --help` is fast.

init (starter/), check, plan               before a run
run, resume, watch, show                   a run
test, explain, portfolio, report, export   after a run
compare                                    finished results
convert, schema                            files of other programs, and for editors
options, scenario, session                 parts of commands
console, about                             output, versions
exits                                      the exit codes
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import sys
import textwrap
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from racing.base.errors import RacingError
from racing.base.plain import printable
from racing.base.version import __version__
from racing.cli import exits
from racing.cli.console import drop, say, talk

COMMANDS = {
    "init": "write a scenario and a target to start from",
    "check": "check a scenario, and run its target once",
    "plan": "predict what a search will do with its budget",
    "run": "race or search from a scenario file to a winner",
    "resume": "continue a run that stopped or was killed",
    "show": "show which candidate is ahead, which were dropped and why, and what it took",
    "report": "write a page with pictures of a run, or the pictures as files",
    "watch": "watch a run from another terminal",
    "test": "evaluate the winner on held-out instances, against another candidate",
    "explain": "say which changes brought the winner's gain, and which parameters matter",
    "portfolio": "choose a team of candidates that complement each other",
    "export": "write outcomes, candidates and verdicts as CSV and JSON",
    "compare": "say which algorithms differ, from a table of results",
    "convert": "translate a scenario of irace into YAML",
    "schema": "print the JSON Schema of scenario files, or of what --json prints",
}
"""Every command, with a line for the list of all; its module is imported when it runs."""

_WIDTH = 78


class _Commands(argparse.RawDescriptionHelpFormatter):
    """Help with room for the longest command; argparse forgets how far commands are indented."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._action_max_length = max(map(len, COMMANDS)) + 4


class _Parser(argparse.ArgumentParser):
    """A parser whose errors, which quote arguments, are safe for a terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser with all commands; if one is named, only that one gets its options.

    Modules of the others are not imported.
    """
    parser = _Parser(
        prog="racing",
        description="Find the best configuration of an algorithm by racing.",
        epilog=exits.EPILOG,
        formatter_class=_Commands,
    )
    parser.add_argument("--version", action="version", version=f"racing {__version__}")
    parser.add_argument(
        "--verbose", action="store_true", help="with --version: also platform and libraries"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, told in COMMANDS.items():
        command = commands.add_parser(
            name, help=told, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if only in (None, name):
            from racing.cli.options import add_options

            module = import_module(f"racing.cli.{name}")
            command.description = _wrapped(module.__doc__ or "")
            command.epilog = "\n  ".join(("examples:", *module.EXAMPLES))
            add_options(command, module.ARGUMENTS)
            command.set_defaults(main=module.main, parser=command)
    return parser


def _wrapped(text: str) -> str:
    """The paragraphs of a text, wrapped for a terminal."""
    return "\n\n".join(textwrap.fill(part, _WIDTH) for part in text.strip().split("\n\n"))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed arguments; for an unknown word, the error suggests a known one."""
    chosen = next((word for word in arguments if not word.startswith("-")), "")
    parser = build_parser(chosen)
    if chosen and chosen not in COMMANDS:
        parser.error(f"there is no command {chosen!r}{_meant(chosen, list(COMMANDS))}")
    if not {*arguments} - {"--verbose"}:
        parser.error("name a command, such as init to begin; see racing --help")
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        options = [name for action in parsed.parser._actions for name in action.option_strings]
        meant = _meant(unknown[0].partition("=")[0], options)
        parsed.parser.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
    return parsed


def _meant(word: str, known: Sequence[str]) -> str:
    """The nearest known word, for the end of a message."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]}?" if near else "; see racing --help"


def _complete() -> None:
    """Complete a command line for the shell (argcomplete); ends the process then."""
    import argcomplete

    argcomplete.autocomplete(build_parser())


def _tell(*error: Any) -> None:
    """Print the traceback of an unexpected error; its message may quote anything."""
    import traceback

    talk("".join(traceback.format_exception(*error)).rstrip())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # ignore errors of locales
        sys.stdout.reconfigure(errors="replace")
    sys.excepthook = _tell
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    arguments = sys.argv[1:] if arguments is None else arguments
    if {"--version", "--verbose"} == set(arguments):
        from racing.cli import about

        say(about.text())
        return exits.OK
    parsed, code = parse(arguments), exits.OK
    try:
        code = int(parsed.main(parsed))
        sys.stdout.flush()
    except RacingError as error:
        talk(f"racing {parsed.command}: {error}")
        return exits.of(error)
    except KeyboardInterrupt as stop:
        return exits.interrupted(stop)
    except BrokenPipeError:  # the reader of our output has ended: `racing show RUN | head`
        drop(sys.stdout)
    except MemoryError as error:
        talk(f"racing {parsed.command}: {str(error) or 'there is no memory left: free some'}")
        return exits.TARGET_FAILED
    except (OSError, RuntimeError) as error:
        from racing.evaluate.shortage import shortage

        short = shortage(error)
        if short is None and isinstance(error, RuntimeError):
            raise
        talk(f"racing {parsed.command}: {short or error}")
        drop(sys.stdout)
        return exits.BAD_INPUT if short is None else exits.TARGET_FAILED
    return code
