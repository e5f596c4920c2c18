"""What happens inside a worker process of loky's."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import threading
import time
from functools import cache

from racing.evaluate import alarm
from racing.evaluate.work import Work, attempt
from racing.experiment import Experiment, Outcome

_payload = b""
_name = ""


def install(payload: bytes, name: str, parent: int) -> None:
    """Prepare this process for evaluations.

    It leaves the terminal's process group and ignores Ctrl-C, since the controller decides what an
    interruption means; and what is printed, also by compiled code, goes to stderr.
    """
    global _payload, _name
    _payload, _name = payload, name
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.setsid()
        os.dup2(2, 1)
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    alarm.spare_this_process()


def _end_with(parent: int) -> None:
    """End this process and all it has started once its parent is gone, however that died.

    The parent's watchdog does the same from outside, since this thread cannot run while a target
    holds the interpreter's lock; this is for the case that the watchdog was killed too.
    """
    with contextlib.suppress(AttributeError, OSError):
        select.select([os.pidfd_open(parent)], [], [])
    while os.getppid() == parent:  # where the system cannot tell us
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def prepare() -> int:
    """Import the target, which is no part of an evaluation; the process's id comes back."""
    with contextlib.suppress(BaseException):  # it will be the outcome of evaluations
        _work().prepare()
    return os.getpid()


def evaluate(packed: bytes) -> Outcome:
    """Attempt an experiment once with the work that was installed."""
    return attempt(_Installed, pickle.loads(packed), _name)


class _Installed:
    """The work, unpacked at the first use, so that a failure is an outcome."""

    @staticmethod
    def once(experiment: Experiment, worker: str) -> Outcome:
        return _work().once(experiment, worker)


@cache
def _work() -> Work:
    work: Work = pickle.loads(_payload)
    return work.guarded()
