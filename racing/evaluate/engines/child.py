"""The code that runs inside a worker process."""

from __future__ import annotations

import os
import pickle
import select
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection

from racing.base.errors import named
from racing.evaluate import alarm
from racing.evaluate.shortage import shortage
from racing.evaluate.stops import Watch
from racing.evaluate.surroundings import Surroundings
from racing.evaluate.work import Work, attempt


def main(connection: int, note: int) -> None:
    """Attempt the experiments that come through a connection, until an empty one comes.

    Ctrl-C is ignored, since the controller handles interruptions; all output, also of compiled
    code, goes to stderr.

    Parameters
    ----------
    connection
        A file descriptor. First come the work as bytes, the name of the worker and its parent.
    note
        A file descriptor, for the stack of a function that ignores its alarm.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for file in (connection, note):
        os.set_inheritable(file, False)
    os.dup2(2, 1)
    with Connection(connection) as parent, suppress(EOFError, OSError):
        payload, name, pid = pickle.loads(parent.recv_bytes())
        threading.Thread(target=_end_with, args=(pid,), daemon=True).start()
        alarm.spare_this_process(open(note, "w"))  # noqa: SIM115 it is open to the end
        Watch().begin()  # keeps one thread for the watches of all attempts
        work: Callable[[], Work] = cache(lambda: pickle.loads(payload).guarded())
        with suppress(BaseException):  # the evaluations report it
            work().prepare()  # the import of the target is no part of an evaluation
        surroundings = Surroundings()
        parent.send_bytes(b"ready")
        while task := parent.recv_bytes():
            parent.send_bytes(_answer(task, work, surroundings, name))


def _end_with(parent: int) -> None:
    """End this process and all that it started when its parent has died.

    The parent's watchdog does the same from outside, because this thread cannot run while a target
    holds the interpreter's lock. This thread is for a killed watchdog.
    """
    with suppress(AttributeError, OSError):
        select.select([os.pidfd_open(parent)], [], [])
    while os.getppid() == parent:  # if the system cannot notify us
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def _answer(task: bytes, work: Callable[[], Work], surroundings: Surroundings, name: str) -> bytes:
    """Attempt an experiment (bytes) once.

    Returns
    -------
    The outcome or what prevents it, and in words what the evaluation has left behind (bytes).
    """
    try:
        experiment = pickle.loads(task)
        surroundings.begin(experiment.instance.seed)
        outcome = attempt(lambda *one: work().once(*one), experiment, name)
        return pickle.dumps((outcome, surroundings.restore()))
    except BaseException as error:
        return pickle.dumps((shortage(error) or named(error), ()))
