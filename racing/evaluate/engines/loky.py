"""Runs experiments in worker processes: for Python functions.

Each worker has a Python process, which leads a session and so a process group. So the death of a
process affects exactly one known experiment, and the group is killed with all that it started.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from multiprocessing.connection import Connection, wait

from racing.base.errors import named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate import family
from racing.evaluate.answers import message
from racing.evaluate.groups import GRACE, Groups, send
from racing.evaluate.shortage import Shortage, shortage, spare
from racing.evaluate.stops import Limit
from racing.evaluate.surroundings import AT_WORK
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, experiment_bytes, packed
from racing.evaluate.workers import Report, Tell, WorkerPool, WorkerThread, unsendable

_LOGGER = logger(__name__)

LATE = 2 * GRACE  # seconds after its time limit for a process to end by itself
HABIT = 3  # processes in a row whose first evaluation left the same behind
KILLED_WITHIN = 10.0  # seconds to wait for the end of a killed process
PACE = 0.05  # seconds between looks at a process whose end the system does not tell

# One thread per worker, unless the user sets another number: `jobs` is the number of processors to
# use.
THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


def open_(work: Work, size: int) -> WorkerPool:
    """A pool of worker processes, which are killed with all processes that they started.

    Raises
    ------
    InputError
        If the work cannot be sent to them.
    """
    common = Common(packed(work), work.timeout)
    spawn = partial(ProcessWorker, common)
    return WorkerPool(
        size, retries=work.retries, engine="loky", spawn=spawn, release=common.running.close
    )


class Leftovers:
    """Threads and children that evaluations in the worker processes of one pool leave running.

    They may change what the next evaluation finds, so its process is replaced. What every first
    evaluation leaves, such as the monitor of a progress bar or the processes of a nested pool,
    belongs to the target: to replace each process for it would be in vain. A process then stays
    until it has more of them than after its first evaluation.
    """

    def __init__(self) -> None:
        self._last: frozenset[str] = frozenset()
        self._times = 0
        self._lock = threading.Lock()

    def spoil(self, left: Collection[str], *, first: bool) -> bool:
        """Whether a process must be replaced because of what an evaluation has left in it.

        Parameters
        ----------
        left
            What is new in it, in words.
        first
            Whether the evaluation was the first one in it.
        """
        found = frozenset(left)
        if not first:
            return bool(found)
        with self._lock:
            self._times = self._times + 1 if found == self._last else 1
            self._last = found
            return bool(found) and not (found <= AT_WORK and self._times > HABIT)


class Common:
    """What the processes of one pool share.

    Parameters
    ----------
    payload
        The work as bytes; see `packed`.
    timeout
        The time limit of an attempt in seconds.

    Attributes
    ----------
    running
        Their groups: a watchdog kills them if this process dies, even while a target in one holds
        the interpreter's lock.
    """

    def __init__(self, payload: bytes, timeout: float | None) -> None:
        self.payload, self.timeout = payload, timeout
        self.running, self.leftovers = Groups(guarded=True), Leftovers()


class Process:
    """A worker process, from its first attempt on; it is replaced when it has died.

    `attempt` and `end` wait, in any one thread.

    Parameters
    ----------
    name
        The name of the worker in outcomes.
    """

    def __init__(self, common: Common, name: str) -> None:
        self.name, self._common = name, common
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._number = 0  # of the running attempt; 0 if idle
        self._killed = 0  # the attempts up to this one
        self._late = False
        most = float("inf") if common.timeout is None else common.timeout + LATE
        self._limit = Limit(most, self._give_up)

    def attempt(self, experiment: Experiment, number: int = 1) -> Report:
        """Attempt an experiment, unless this number is killed, and wait for the end."""
        started = time.time()
        with self._lock:
            self._number, self._late = number, False
        report = self._attempt(experiment)
        with self._lock:
            self._number = 0
        if self._killed >= number:
            self._bury()
        if report.outcome is None or report.outcome.worker:
            return report
        return replace(report, outcome=replace(report.outcome, worker=self.name, started=started))

    def _attempt(self, experiment: Experiment) -> Report:
        try:
            task = experiment_bytes(experiment)
        except Exception as error:
            return unsendable(experiment, error, "worker process")
        try:
            ready = self._starts()
        except Exception as error:
            self._bury()
            short = shortage(error)
            return Report(alive=False, unborn="" if short else f"of {named(error)}", short=short)
        if self._killed >= self._number:  # before it began: this one is not the cause
            return Report(alive=False)
        if not ready:
            return Report(alive=False, unborn=self._how())
        begun = time.monotonic()
        with self._limit:
            answer = self._answer(task)
            stopped = self._limit.stopped
        if answer is None:
            return self._death(experiment, time.monotonic() - begun, stopped=stopped)
        try:
            return self._report(experiment, *pickle.loads(answer))
        except Exception as error:
            return unsendable(experiment, error, "worker process")

    def kill(self, number: int = sys.maxsize) -> None:
        """Kill the attempts up to this number, running or to come; does not wait."""
        with self._lock:
            self._killed = max(self._killed, number)
            if self._process is not None and 0 < self._number <= number:
                self._common.running.note_family(self._process.pid)
                send(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """End it, by force if it is at work, or does not end for a while."""
        if self._number:
            self.kill()
        elif self._process is not None:
            with suppress(OSError):
                self._conn.send_bytes(b"")
            limit = time.monotonic() + GRACE
            while (left := limit - time.monotonic()) > 0 and not self._over(left):
                pass
        self._bury()

    def _starts(self) -> bool:
        """Whether the process has started, if needed, and imported the target."""
        if self._process is not None and not self._over(0.0):
            return True
        self._bury()  # it died while it was idle
        spare()
        running = self._common.running
        running.prepare()
        mark = running.mark()
        with self._lock:
            if self._killed >= self._number:
                return False
            self._note = tempfile.TemporaryFile()  # noqa: SIM115 it is closed in `_bury`
            self._conn, theirs = multiprocessing.Pipe()
            with theirs:
                self._process = _started(theirs.fileno(), self._note.fileno(), mark)
            running.enter(self._process.pid, mark)
            self._pidfd = family.pidfd(self._process.pid)
        self._fresh = True
        greeting = self._common.payload, self.name, os.getpid()
        return self._answer(pickle.dumps(greeting)) is not None

    def _answer(self, task: bytes) -> bytes | None:
        """The answer of the process; None if it has died, and then it is buried."""
        with suppress(OSError, EOFError):
            self._conn.send_bytes(task)
            while not self._conn.poll():
                if self._over(None, self._conn):
                    break
            if self._conn.poll():
                return self._conn.recv_bytes()
        self._bury()
        return None

    def _over(self, seconds: float | None, *others: Connection) -> bool:
        """Wait for its end, or for one of others; whether it has ended.

        Children that it has forked may keep its end of the pipe open.
        """
        assert self._process is not None
        if self._pidfd is not None:
            return self._pidfd in wait([self._pidfd, *others], seconds)
        wait(others, PACE if seconds is None else min(seconds, PACE))
        return self._process.poll() is not None

    def _bury(self) -> None:
        """Kill what is left of its group, and release everything."""
        with self._lock:
            process, self._process = self._process, None
            if process is None:
                return
            self._common.running.note_family(process.pid)
            self._common.running.leave(process.pid)
            self._code = process.wait()
            self._hung_in = _stack(self._note.fileno())
            self._note.close()
            self._conn.close()
            if self._pidfd is not None:
                os.close(self._pidfd)

    def _give_up(self) -> bool:
        """Kill a process past its time limit."""
        self._late = True
        self.kill(self._number)
        return True

    def _report(
        self, experiment: Experiment, answer: Outcome | Shortage | str, left: Sequence[str]
    ) -> Report:
        """The report of an attempt whose process is alive."""
        if isinstance(answer, Shortage):
            return Report(alive=False, short=answer)
        if isinstance(answer, str):
            return unsendable(experiment, answer, "worker process")
        spoilt = self._common.leftovers.spoil(left, first=self._fresh)
        self._fresh = False
        if spoilt:
            _LOGGER.warning(
                "candidate %d on instance %d has left %s behind in %s, which is replaced; start "
                "what all evaluations share in `setup`",
                *experiment.key, " and ".join(left), self.name,
            )  # fmt: skip
            self._bury()
        return Report(answer, alive=not spoilt)

    def _death(self, experiment: Experiment, seconds: float, *, stopped: bool) -> Report:
        """The report of an attempt whose process died; if all were stopped, without a failure."""
        if stopped and self._hung_in:
            return Report(alive=False)
        status, why, timeout = Status.CRASHED, f"{DIED} {self._how()}", self._common.timeout
        if late := timeout is not None and bool(self._hung_in or self._late):
            headline = f"timed out after {timeout:g} s, and had to be killed"
            detail = "its process was stopped" if self._late else ""
            status, why = Status.TIMEOUT, message(headline, detail, self._hung_in)
        outcome = replace(experiment.failure(status, why), seconds=seconds)
        return Report(outcome, alive=False, died=not late)

    def _how(self) -> str:
        """How it has ended, such as `by SIGKILL(-9)`."""
        try:
            kind = "EXIT" if self._code >= 0 else signal.Signals(-self._code).name
        except ValueError:
            kind = "SIGNAL"
        return f"by {kind}({self._code})"


class ProcessWorker(WorkerThread):
    """A worker process, and a thread that waits for it."""

    def __init__(self, common: Common, name: str, tell: Tell) -> None:
        self._process = Process(common, name)
        super().__init__(name, tell)

    def attempt(self, experiment: Experiment) -> Report:
        """Let the process attempt it."""
        return self._process.attempt(experiment)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def leave(self) -> None:
        """End the process."""
        self._process.end()

    def join(self, seconds: float) -> None:
        """Wait for the end of the process, which is killed if it does not end by itself."""
        super().join(KILLED_WITHIN)


def _started(connection: int, note: int, mark: str) -> subprocess.Popen[bytes]:
    """A Python process that runs `racing.evaluate.engines.child`.

    It does not receive Ctrl-C: not as it begins, with the blocked signals of its parent, and not
    in a session of its own.
    """
    script = (
        f"import sys; sys.path[:] = {sys.path!r}; sys.argv[:] = {sys.argv!r}; "
        f"from racing.evaluate.engines.child import main; main({connection}, {note})"
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            [sys.executable, *subprocess._args_from_interpreter_flags(), "-c", script],  # type: ignore[attr-defined]
            pass_fds=(connection, note),
            start_new_session=True,
            env={
                **os.environ,
                **{name: os.environ.get(name, "1") for name in THREAD_COUNTS},
                **dict([mark.split("=")]),
            },
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stack(note: int) -> str:
    """The stack of a function that ignored its alarm, latest call first; or ''."""
    text = os.pread(note, 1 << 16, 0).decode(errors="replace")
    main = text.rpartition("(most recent call first):\n")[2].splitlines(True)
    return "".join(takewhile(lambda line: "racing/evaluate/function.py" not in line, main))
