"""What runs experiments: submit, then wait for the first to finish."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Literal, Protocol, Self

from racing.errors import InputError
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.guard import Evaluate, guarded_by_watchdog
from racing.experiment import Experiment, Outcome

Backend = Literal["auto", "loky", "threading", "sequential"]
BACKENDS = ("auto", "loky", "threading", "sequential")


class Pool(Protocol):
    """Runs experiments, and returns each one's outcome exactly once, in any order.

    Used by one thread. Nothing is raised for what an experiment does: that is its outcome.
    """

    @property
    def size(self) -> int:
        """How many experiments can run at a time."""

    @property
    def running(self) -> int:
        """How many experiments were submitted and have not been returned."""

    def submit(self, experiment: Experiment) -> None:
        """Put an experiment in line.

        Raises
        ------
        RaceError
            If the pool was cancelled or closed.
        """

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All outcomes since the last time, once there is at least one.

        Parameters
        ----------
        timeout
            Seconds after which [] is returned; None waits as long as it takes.

        Returns
        -------
        list of Outcome
            [] also if nothing runs, or `cancel` was called meanwhile.
        """

    def cancel(self) -> None:
        """End what runs and drop it; nothing can be submitted afterwards."""

    def close(self) -> None:
        """Cancel, and wait until no process is left."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_pool(evaluate: Evaluate, *, jobs: int = 1, backend: Backend = "auto") -> Pool:
    """Open a pool.

    Parameters
    ----------
    evaluate
        Experiment → Outcome, such as an `Evaluator`.
    jobs
        How many experiments run at a time; −1 for as many as there are processors.
    backend
        `sequential` (one at a time, in the caller's thread), `threading`, `loky` (processes), or
        `auto`: sequential for one job, threads for commands, processes for functions.

    Raises
    ------
    InputError
        If they do not go together, or the evaluator cannot be sent to processes.
    """
    size = _size(jobs)
    if backend not in BACKENDS:
        raise InputError(f"backend is {backend!r}; expected one of {', '.join(BACKENDS)}")
    if backend == "auto":
        backend = _choice(evaluate, size)
    if backend == "sequential" and size > 1:
        raise InputError(f"backend sequential runs one job at a time, but jobs is {jobs}")
    _check_timeout(evaluate, backend)
    return _open(guarded_by_watchdog(evaluate), size, backend)


def _open(evaluate: Evaluate, size: int, backend: Backend) -> Pool:
    if backend == "sequential":
        from racing.evaluate.sequential import SequentialPool

        return SequentialPool(evaluate)
    if backend == "threading":
        from racing.evaluate.threads import ThreadPool

        return ThreadPool(evaluate, size)
    from racing.evaluate.processes import ProcessPool

    return ProcessPool(evaluate, size)


def _size(jobs: int) -> int:
    if jobs == -1:
        from joblib import cpu_count

        return int(cpu_count())
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(f"jobs is {jobs!r}; expected a whole number, 1 or more, or -1 for all")
    return jobs


def _choice(evaluate: Evaluate, size: int) -> Backend:
    if size == 1:
        return "sequential"
    command = isinstance(evaluate, Evaluator) and isinstance(evaluate.target, Command)
    return "threading" if command else "loky"


def _check_timeout(evaluate: Evaluate, backend: Backend) -> None:
    """Python functions are interrupted by a signal, which only a main thread hears."""
    target = evaluate.target if isinstance(evaluate, Evaluator) else None
    if not isinstance(target, Function) or target.timeout is None or backend == "loky":
        return
    if backend == "threading" or threading.current_thread() is not threading.main_thread():
        raise InputError(
            "a Python function in a thread cannot be interrupted, so its timeout cannot be kept: "
            "use backend loky, or leave the timeout out"
        )
