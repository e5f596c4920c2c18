"""Time limits that this process keeps for attempts in other processes.

A stopped process gets no alarms. The time is counted in ticks of a thread, so it excludes the time
in which this process is stopped. After a stop an attempt may begin again, so it gets all its time.
"""

from __future__ import annotations

from collections.abc import Callable

from racing.evaluate.stops import TICK, Watch


class Limit(Watch):
    """A limit on one attempt at a time.

    Parameters
    ----------
    seconds
        The limit of an attempt.
    give_up
        Called in a thread when an attempt takes longer, at each tick until it returns true.
    """

    def __init__(self, seconds: float, give_up: Callable[[], bool]) -> None:
        super().__init__()
        self._seconds, self._give_up = seconds, give_up
        self._taken = 0.0

    def begin(self) -> None:
        """Begin an attempt."""
        self._taken = 0.0
        super().begin()

    def tick(self, seconds: float, *, stopped: bool) -> bool:
        """Add some time, or begin anew after a stop; returns whether counting is over."""
        super().tick(seconds, stopped=stopped)
        self._taken = 0.0 if stopped else self._taken + min(seconds, 2 * TICK)
        return self._taken >= self._seconds and self._give_up()
