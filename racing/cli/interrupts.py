"""Ctrl-C: the first asks the run to stop when what runs is done, the second stops it at once."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Self

from racing.cli.console import talk


class Interrupts:
    """Within it, SIGINT and SIGTERM are requests; call it to hear whether there was one."""

    def __init__(self) -> None:
        self._requested = False
        self._before: dict[int, object] = {}

    def __call__(self) -> bool:
        """Whether the user asked to stop."""
        return self._requested

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._requested:
            raise KeyboardInterrupt
        self._requested = True
        talk("stopping when the evaluations that run are done; again to abandon them")
