"""The live page of a run, from the command line."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import talk

if TYPE_CHECKING:
    from racing.report import History


def data_of(told: History, run: Path) -> dict[str, Any]:
    """The data of a run's page."""
    from racing.cli.outcome import advice
    from racing.cli.show import state
    from racing.report.page import page_data

    return page_data(told, state=state(told.facts, run), advice=advice(told.facts, run))


def live_data(run: Path) -> dict[str, Any]:
    """The same from its log as it is now."""
    from racing.cli.report import told

    return data_of(told(run), run)


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
    from racing.errors import InputError
    from racing.report.live import Feed, LiveServer

    feed = Feed(lambda: live_data(run), run)
    try:
        server = LiveServer(feed, port)
    except OSError as error:
        raise InputError(f"port {port}: cannot listen there: {error.strerror}") from error
    feed.start()
    talk(f"{server.address}\nThe page follows the run; Ctrl+C ends it, and leaves the run alone.")
    if show:
        import webbrowser

        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        threading.Thread(target=server.shutdown).start()
    finally:
        feed.end()
        server.server_close()
    return exits.OK
