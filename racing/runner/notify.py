"""Calls the user's command when a run ends or fails, for example to send a message."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Literal

from racing.base.logs import logger
from racing.core.decider import Decider
from racing.core.stop import Stop

_LOGGER = logger(__name__)

PATIENCE = 60.0
"""Time limit of the command in seconds."""

Event = Literal["finished", "stopped", "failed"]


def notify_end(command: str | None, decider: Decider, *, run: Path) -> None:
    """Call the user's command, if any, when a run is over or interrupted."""
    if command is None:
        return
    stopped = decider.stopped
    over = stopped not in (None, Stop.TARGET_FAILED)
    search = getattr(decider, "as_search", None) is not None
    why = stopped.why(search=search) if stopped else "interrupted"
    winner = f"; winner: {decider.winner}" if over and decider.winner else ""
    notify(command, "finished" if over else "stopped", run=run, message=why + winner)


def notify_failure(command: str | None, error: BaseException, *, run: Path) -> None:
    """Call the user's command, if any, when a run ends by an error."""
    if command is not None:
        notify(command, "failed", run=run, message=f"{type(error).__name__}: {error}")


def notify(command: str, event: Event, *, run: Path, message: str) -> None:
    """Call a command without a shell; a failure is only logged.

    Parameters
    ----------
    command
        Program and arguments, split as in a shell. Its environment has `RACING_EVENT` (`finished`;
        `stopped`, can be resumed; `failed`, by an error), `RACING_RUN` (the log) and
        `RACING_MESSAGE`.
    event, run, message
        The values of these variables.
    """
    told = {"RACING_EVENT": event, "RACING_RUN": str(run), "RACING_MESSAGE": message}
    try:
        subprocess.run(
            shlex.split(command),
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        _LOGGER.warning("the notify command failed: %s", error)
