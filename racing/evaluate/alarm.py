"""Interrupting a Python function when its time is up.

Only the main thread of a process can be interrupted, by SIGALRM. A function that stays inside
compiled code does not notice; in a worker process, which can be spared, a watchdog then ends the
whole process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

from racing.evaluate.running import GRACE

AGAIN = 0.1  # seconds until the alarm rings again, for a target that swallows exceptions

_can_be_spared = False


class TimeIsUp(BaseException):
    """Raised inside a function whose time is up; not an Exception, which it might swallow."""


def possible() -> bool:
    """Whether a function that is called here can be interrupted."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def spare_this_process() -> None:
    """From now on, end this process if a function does not react to its alarm."""
    global _can_be_spared
    _can_be_spared = True


@contextlib.contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` in the block if it takes longer; None sets no limit."""
    if seconds is None:
        yield
        return
    armed = True

    def ring(number: int, frame: FrameType | None) -> None:
        if armed:
            raise TimeIsUp

    begun = time.monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    if _can_be_spared:
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if _can_be_spared:
            faulthandler.cancel_dump_traceback_later()
        if left:  # somebody else's alarm goes on
            left = max(left - (time.monotonic() - begun), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
