"""Watch a run from another terminal: survivors, speed, workers and failures.

It only reads the log, and ends with the run or with Ctrl-C.
"""

from __future__ import annotations

import argparse
import shlex
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

from racing.answer.text import text
from racing.base.errors import InputError, must_be
from racing.cli import exits
from racing.cli.console import say, say_json, talk, width
from racing.cli.options import JSON, RUN, option
from racing.log.sqlite import SQLiteLog
from racing.report import Facts, gather
from racing.report.live import Feed, LiveServer
from racing.report.page import read_page_data
from racing.report.watched import Activity, activity, watch_report, watched

EXAMPLES = (
    "racing watch runs/race.sqlite",
    "racing watch runs/race.sqlite --once",
    "racing watch runs/race.sqlite --web --browser",
)

_SHARE = 20
"""The pause after reading a log, as a multiple of the time to read it."""

ARGUMENTS = (
    RUN,
    option(
        "--every", type=float, default=2.0, metavar="SECONDS", help="between two looks (default: 2)"
    ),
    option("--once", action="store_true", help="look once, print it, and end"),
    JSON,
    option(
        "--web",
        action="store_true",
        help="serve the page of `racing report`, and keep it up to date",
    ),
    option(
        "--port",
        type=int,
        default=0,
        help="with --web: where it listens (default: any that is free)",
    ),
    option("--browser", action="store_true", help="with --web: open a browser"),
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    for name, given in (("--port", args.port), ("--browser", args.browser)):
        if given and not args.web:
            raise InputError(f"{name}: is for --web; give both")
    if args.web:
        return serve(log, port=args.port, show=args.browser)
    if args.json:
        say_json(watch_report(*_read(log)))
    elif args.once or not sys.stdout.isatty():
        _follow_plainly(log, args)
    else:
        _follow_live(log, args)
    return exits.OK


def _read(log: Path) -> tuple[Facts, Activity]:
    """The current run, from one moment of its log."""
    with SQLiteLog.open(log, write=False) as book, book.snapshot():
        return gather(book), activity(book.each_outcome())


def look(log: Path) -> tuple[str, bool]:
    """The run as text, and whether it is over."""
    facts, doing = _read(log)
    said = watched(facts, doing)
    return text(said, width=width(), fold=sys.stdout.isatty()), facts.stopped is not None


def _follow_plainly(log: Path, args: argparse.Namespace) -> None:
    """Print the state, and print it again after each change."""
    before = ""
    while True:
        begun = time.monotonic()
        now, over = look(log)
        if now != before:
            say(now, end="")
            sys.stdout.flush()
        if args.once or over:
            return
        before = now
        _rest(begun, args.every)
        say()


def _follow_live(log: Path, args: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(), auto_refresh=False, redirect_stdout=False) as live:
        over = False
        while not over:
            begun = time.monotonic()
            now, over = look(log)
            live.update(Text(now.rstrip(), overflow="ellipsis", no_wrap=True), refresh=True)
            if not over:
                _rest(begun, args.every)


def _rest(begun: float, every: float) -> None:
    took = time.monotonic() - begun
    time.sleep(max(every, _SHARE * took))


# --- the live page -----------------------------------------------------------------------------


def serve(run: Path, *, port: int = 0, show: bool = False) -> int:
    """Serve the page of a run until it is interrupted.

    Parameters
    ----------
    port
        Where to listen; 0 for any that is free.
    show
        Whether to open a browser.

    Raises
    ------
    RacingError
        If the log cannot be read, or the port is taken.
    """
    if not 0 <= port <= 65535:
        raise InputError(must_be("--port", "a whole number from 0 to 65535", port))
    feed = Feed(lambda: read_page_data(run), run)
    try:
        server = LiveServer(feed, port)
    except OSError as error:
        raise InputError(f"port {port}: cannot listen there: {error.strerror}") from error
    talk(f"{server.address}\nThe page follows the run; Ctrl+C ends it, and leaves the run alone.")
    talk(_tunnel(server.port))
    if show:
        import webbrowser

        webbrowser.open(server.address)
    with suppress(KeyboardInterrupt):
        server.serve()
    return exits.OK


def _tunnel(port: int) -> str:
    """How another computer reaches the page."""
    host = shlex.quote(socket.gethostname())
    forward = f"ssh -N -L {port}:127.0.0.1:{port} {host}"
    return f"From another computer, run `{forward}` there and open the same address."
