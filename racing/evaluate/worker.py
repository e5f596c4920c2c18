"""What happens inside a worker process."""

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
from racing.evaluate.guard import Evaluate, guarded, guarded_by_watchdog
from racing.experiment import Experiment, Outcome

_payload = b""


def install(payload: bytes, parent: int) -> None:
    """Prepare this process for evaluations.

    It leaves the terminal's process group and ignores Ctrl-C, since the controller decides what an
    interruption means; and what is printed, also by compiled code, goes to stderr.
    """
    global _payload
    _payload = payload
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        os.setsid()
        os.dup2(2, 1)
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    alarm.spare_this_process()


def _end_with(parent: int) -> None:
    """End this process and all it has started once its parent is gone, however that died."""
    with contextlib.suppress(AttributeError, OSError):
        select.select([os.pidfd_open(parent)], [], [])
    while os.getppid() == parent:  # where the system cannot tell us
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def evaluate(experiment: Experiment) -> Outcome:
    """Evaluate an experiment with the evaluator that was installed."""
    return guarded(_evaluate, experiment)


def _evaluate(experiment: Experiment) -> Outcome:
    return _evaluator()(experiment)


@cache
def _evaluator() -> Evaluate:
    """Unpacked at the first use, so that a failure is an outcome and not a broken worker."""
    return guarded_by_watchdog(pickle.loads(_payload))
