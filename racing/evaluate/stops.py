"""Whether this process was stopped for a while: by Ctrl-Z, SIGSTOP or a batch system.

The clock goes on meanwhile, so what was measured then says nothing. A thread looks at the clock
again and again, and so learns when the process could not. A target that holds the interpreter's
lock keeps the thread waiting too, but it uses processors, as a stopped process does not.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Self

TICK = 0.25  # seconds
STOP = 1.0  # seconds without a tick, from which on the process counts as stopped
IDLE = 0.5  # of these seconds, in which a process that was stopped has used no processor


class Watch:
    """Notices stops of this process from `begin` to `end`."""

    def __init__(self) -> None:
        self._stopped = False

    def begin(self) -> None:
        """Watch from now on."""
        self._stopped = False
        _CLOCK.add(self)

    def end(self) -> None:
        """Watch no more."""
        _CLOCK.discard(self)

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def stopped(self) -> bool:
        """Whether the process was stopped; read it before `end`."""
        return self._stopped or _CLOCK.stands()

    def tick(self, seconds: float, *, stopped: bool) -> bool:
        """Add some time; returns whether the watch is over."""
        self._stopped |= stopped
        return False


class Limit(Watch):
    """A limit on one attempt at a time in another process.

    A stopped process gets no alarms, so this one keeps the time, in ticks: time in which this
    process is stopped does not count. After a stop an attempt may begin again, so it gets all its
    time.

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


class _Clock:
    """A thread that ticks while there are watches."""

    def __init__(self) -> None:
        self._reset()
        if hasattr(os, "register_at_fork"):  # a child has no thread, and perhaps a held lock
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._watches: set[Watch] = set()
        self._lock = threading.Lock()
        self._ticks = False
        self._last = _now()  # the last tick, on the clock and of processors

    def add(self, watch: Watch) -> None:
        with self._lock:
            self._watches.add(watch)
            if not self._ticks:
                self._last = _now()
                threading.Thread(target=self._run, name="racing-stops", daemon=True).start()
                self._ticks = True

    def discard(self, watch: Watch) -> None:
        with self._lock:
            self._watches.discard(watch)

    def stands(self) -> bool:
        """Whether the process was stopped since the last tick."""
        (clock, processor), (last, used) = _now(), self._last
        passed = clock - last
        return passed > STOP and processor - used < IDLE * passed

    def _run(self) -> None:
        while self._wanted():
            time.sleep(TICK)
            stopped, (before, _) = self.stands(), self._last
            self._last = _now()
            for watch in tuple(self._watches):
                if watch.tick(self._last[0] - before, stopped=stopped):
                    self.discard(watch)

    def _wanted(self) -> bool:
        with self._lock:
            self._ticks = bool(self._watches)
            return self._ticks


def _now() -> tuple[float, float]:
    return time.monotonic(), time.process_time()


_CLOCK = _Clock()
