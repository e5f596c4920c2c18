"""The command line: thin commands over the library.

Results go to stdout, talk to stderr, and `--json` makes the result one JSON object. The exit codes
are in `racing.cli.exits`. What a command needs is imported when it runs, so `racing --help` is
quick.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from importlib import import_module

from racing import __version__
from racing.cli import exits
from racing.cli.console import drop
from racing.errors import RacingError

COMMANDS = (
    "init",
    "check",
    "plan",
    "run",
    "resume",
    "show",
    "report",
    "watch",
    "test",
    "explain",
    "export",
    "compare",
    "convert",
    "schema",
)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser with every command; if one is named, only that one knows its options.

    Some options list what they allow, and so need parts of the library that are slow to load.
    """
    parser = argparse.ArgumentParser(
        prog="racing",
        description="Find the best configuration of an algorithm by racing.",
        epilog=exits.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"racing {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f"racing.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if only in (None, name):
            module.add_arguments(command)
        command.set_defaults(main=module.main)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code comes back."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # no locale is worth an error
        sys.stdout.reconfigure(errors="replace")
    arguments = sys.argv[1:] if arguments is None else arguments
    chosen = next((word for word in arguments if not word.startswith("-")), "")
    parsed = build_parser(chosen).parse_args(arguments)
    try:
        code = int(parsed.main(parsed))
        sys.stdout.flush()
    except RacingError as error:
        print(f"racing {parsed.command}: {error}", file=sys.stderr)
        return exits.of(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away: `racing show RUN | head`
        drop(sys.stdout)
        return exits.OK
    except OSError as error:
        print(f"racing {parsed.command}: {error}", file=sys.stderr)
        drop(sys.stdout)
        return exits.BAD_INPUT
    return code
