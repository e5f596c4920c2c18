"""The process groups that are alive, so that all of them can be ended at once."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading

from racing.evaluate.watchdog import Watchdog

GRACE = 1.0  # seconds between SIGTERM and SIGKILL


class Cancelled(Exception):
    """The evaluation was ended from outside, and has no outcome."""


class Running:
    """The process groups that are alive; safe to use from any thread and from a signal handler.

    Parameters
    ----------
    guarded
        Whether a watchdog kills them should this process die. It ends at `close`.
    """

    def __init__(self, *, guarded: bool = False) -> None:
        self._guarded = guarded and bool(sys.executable)
        self._watchdog: Watchdog | None = None
        self._lock = threading.RLock()
        self._groups: set[int] = set()
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called: nothing may be started any more."""
        return self._stopped

    def __len__(self) -> int:
        return len(self._groups)

    def prepare(self) -> None:
        """To be called before a group is started, so that the watchdog is there before it."""
        if self._guarded and self._watchdog is None:
            with self._lock:
                self._watchdog = self._watchdog or Watchdog()

    def enter(self, group: int) -> None:
        """Count a group in; after `stop` it is killed at once."""
        with self._lock:
            self._groups.add(group)
            if self._watchdog is not None:
                self._watchdog.enter(group)
            if self._stopped:
                send(group, signal.SIGKILL)

    def leave(self, group: int) -> None:
        """Kill what is left of a group. To be called before its leader is reaped: till then the
        system gives its number to nobody else."""
        with self._lock:
            send(group, signal.SIGKILL)
            self._groups.discard(group)
            if self._watchdog is not None:
                self._watchdog.leave(group)

    def stop(self) -> None:
        """Ask every group to end, and kill it after a grace period; the second call kills at once.

        Returns without waiting.
        """
        with self._lock:
            again, self._stopped = self._stopped, True
            for group in self._groups:
                send(group, signal.SIGKILL if again else signal.SIGTERM)
            if self._groups and not again:
                timer = threading.Timer(GRACE, self.stop)
                timer.daemon = True
                timer.start()

    def close(self) -> None:
        """End the watchdog; to be called when nothing runs any more."""
        with self._lock:
            watchdog, self._watchdog = self._watchdog, None
        if watchdog is not None:
            watchdog.close()


def send(group: int, number: int) -> None:
    """Send a signal to a process group that may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
