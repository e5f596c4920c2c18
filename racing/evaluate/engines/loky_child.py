"""The code that runs inside a worker process of loky."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import threading
import time
from functools import cache

from racing.core.experiment import Experiment, Outcome
from racing.evaluate import alarm
from racing.evaluate.stops import Watch
from racing.evaluate.surroundings import Surroundings
from racing.evaluate.work import Work, attempt

_payload = b""
_name = ""
_surroundings: Surroundings | None = None
_watch = Watch()  # keeps one thread for the watches of all attempts


def install(payload: bytes, name: str, parent: int, note: str) -> None:
    """Prepare this process for evaluations.

    It leaves the terminal's process group and ignores Ctrl-C, since the controller handles
    interruptions; all output, also of compiled code, goes to stderr.
    """
    global _payload, _name
    _payload, _name = payload, name
    _watch.begin()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.setsid()
        os.dup2(2, 1)
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    alarm.spare_this_process(open(note, "w"))  # noqa: SIM115 it is open to the end


def _end_with(parent: int) -> None:
    """End this process and all that it started when its parent has died.

    The parent's watchdog does the same from outside, because this thread cannot run while a target
    holds the interpreter's lock. This thread is for a killed watchdog.
    """
    with contextlib.suppress(AttributeError, OSError):
        select.select([os.pidfd_open(parent)], [], [])
    while os.getppid() == parent:  # if the system cannot notify us
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def prepare() -> int:
    """Import the target, which is no part of an evaluation; returns the process id."""
    with contextlib.suppress(BaseException):  # the evaluations will report it
        _work().prepare()
    global _surroundings
    _surroundings = Surroundings()
    return os.getpid()


def evaluate(packed: bytes) -> tuple[Outcome, tuple[str, ...]]:
    """Attempt an experiment once with the installed work.

    Returns
    -------
    The outcome, and what the evaluation has left behind, in words.
    """
    assert _surroundings is not None
    experiment: Experiment = pickle.loads(packed)
    _surroundings.begin(experiment.instance.seed)
    outcome = attempt(_Installed, experiment, _name)
    return outcome, _surroundings.restore()


class _Installed:
    """The work, unpacked at the first use, so that a failure is an outcome."""

    @staticmethod
    def once(experiment: Experiment, worker: str) -> Outcome:
        return _work().once(experiment, worker)


@cache
def _work() -> Work:
    work: Work = pickle.loads(_payload)
    return work.guarded()
