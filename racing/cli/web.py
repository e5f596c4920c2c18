"""Serves the live page of a run."""

from __future__ import annotations

import shlex
import socket
from contextlib import suppress
from pathlib import Path

from racing.base.errors import InputError
from racing.cli import exits
from racing.cli.console import talk
from racing.report.live import Feed, LiveServer
from racing.report.page import read_page_data


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
