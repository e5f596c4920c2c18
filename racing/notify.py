"""A command of the user's, called when a run ends or is in trouble: to send a message, say."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Literal

from racing.logs import logger

_LOGGER = logger(__name__)

PATIENCE = 60.0
"""Seconds that the command may take."""

Event = Literal["finished", "stopped", "failed"]


def notify(command: str, event: Event, *, run: Path, message: str) -> None:
    """Call a command without a shell; if it fails, that is logged and changes nothing.

    Parameters
    ----------
    command
        Program and arguments, split as a shell would. It is told everything by its environment:
        `RACING_EVENT` (`finished`; `stopped`, to be resumed; `failed`, by an error),
        `RACING_RUN` (the log) and `RACING_MESSAGE`.
    event, run, message
        What it is told.
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
