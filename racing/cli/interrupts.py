"""Ctrl-C: the first stops the run after running evaluations, the second at once.

SIGTERM stops it at once: its sender (a queue, a container, a shutdown) kills soon afterwards.
Further signals are ignored, because the program is about to exit.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Self


class Interrupts:
    """Context manager that turns SIGINT and SIGTERM into requests; a call returns whether there was
    one."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._requested = self._abandoned = False
        self._before: dict[int, object] = {}

    def __call__(self) -> bool:
        """Whether the user asked to stop."""
        return self._requested

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._abandoned else handler)  # type: ignore[arg-type]

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._abandoned:
            return
        if self._requested or number == signal.SIGTERM:
            self._abandoned = True
            raise KeyboardInterrupt
        self._requested = True
        with suppress(RuntimeError):  # the signal came during another output
            self._say("stopping when what runs is done; once more to abandon it")
