"""Interrupts a Python function when its time is up.

Only the main thread of a process can be interrupted, by SIGALRM. The alarm has no effect inside
compiled code; in a worker process, a watchdog then ends the whole process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TextIO

from racing.evaluate.groups import GRACE

AGAIN = 0.1  # seconds until the next alarm, for a target that catches all exceptions

EARLY = 0.01  # tolerance in seconds for an early timer

_note: TextIO | None = None


class TimeIsUp(BaseException):
    """Raised inside a function whose time is up; not an Exception, which it might catch."""


class OwnAlarm(Exception):
    """Raised inside a function that its own alarm interrupts."""


def possible() -> bool:
    """Whether a function called in this thread can be interrupted."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def spare_this_process(note: TextIO) -> None:
    """From now on, end this process if a function ignores its alarm.

    Parameters
    ----------
    note
        The file for the stack of the function in that case.
    """
    global _note
    _note = note


@contextlib.contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` in the block if it takes longer; None sets no limit."""
    if seconds is None:
        yield
        return
    armed, begun = True, time.monotonic()

    def ring(number: int, frame: FrameType | None) -> None:
        left = begun + seconds - time.monotonic()
        if armed and left > EARLY:  # the function has set the only timer
            signal.setitimer(signal.ITIMER_REAL, left, AGAIN)
            raise OwnAlarm("SIGALRM, from an alarm of the function's own, which nothing handled")
        if armed:
            raise TimeIsUp

    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    if _note is not None:
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=_note)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if _note is not None:
            faulthandler.cancel_dump_traceback_later()
        if left:  # another alarm continues
            left = max(left - (time.monotonic() - begun), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
