"""What runs experiments: submit, then wait for the first to finish."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from types import TracebackType
from typing import Literal, Protocol, Self, TypeAlias

from racing.errors import InputError
from racing.evaluate.command import Command
from racing.evaluate.engines import CLUSTERS, ENGINES, opener
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.work import Evaluate, Plain, Work
from racing.experiment import Experiment, Outcome

Backend = Literal["auto", "loky", "dask", "ray", "threading", "in-process", "sequential"]


class Pool(Protocol):
    """Runs experiments, and returns each one's outcome exactly once, in any order.

    It keeps its own backlog and gives each worker one experiment at a time. It decides about
    retries and counts attempts; an outcome tells the worker and the start of its attempts. Used by
    one thread. Nothing is raised for what an experiment does: that is its outcome.
    """

    @property
    def size(self) -> int:
        """How many experiments can run at a time; it may change."""

    @property
    def running(self) -> int:
        """How many experiments were submitted, and were neither returned nor dropped."""

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
            [] also if nothing runs, or all was dropped meanwhile.

        Raises
        ------
        TargetError, RaceError
            If nothing can be run any more, whatever the experiment.
        """

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """End these experiments, by default all, where the engine can; they are never returned."""

    def close(self) -> None:
        """Drop everything, and wait until no process is left."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


OpenPool: TypeAlias = Callable[[Evaluator, int], Pool]
# What can be used as a pool: the name of an engine, an executor, a pool, or what opens one for an
# evaluator and a size.
PoolLike: TypeAlias = str | Executor | Pool | OpenPool


def open_pool(
    evaluate: Evaluate | Evaluator,
    *,
    jobs: int = 1,
    engine: str | Executor = "auto",
    address: str | None = None,
) -> Pool:
    """Open a pool.

    Parameters
    ----------
    evaluate
        Experiment → Outcome, such as an `Evaluator`.
    jobs
        How many experiments run at a time; −1 for as many as there are processors.
    engine
        An engine: `in-process` (one at a time, in the caller's thread), `threading`, `loky`
        (processes), `dask` or `ray` (a cluster), or any `concurrent.futures.Executor`. `auto` takes
        processes for Python targets, also for one job, since a function may end or block the
        process that it runs in; and threads for commands, or the caller's thread for one job.
    address
        Where the cluster of the engine `dask` or `ray` is; by default one is started on this
        machine. All threads of Dask's workers, and all processors of Ray's nodes, are used,
        whatever `jobs` says.

    Raises
    ------
    InputError
        If they do not go together, or the evaluator cannot be sent to processes.
    """
    size = _size(jobs)
    work: Work = evaluate if isinstance(evaluate, Evaluator) else Plain(evaluate)
    if isinstance(engine, Executor):
        from racing.evaluate.engines import executor

        if isinstance(engine, ThreadPoolExecutor):
            _check_timeout(evaluate, "threading")
        return executor.open_(work, size, engine)
    if engine == "auto":
        engine = _choice(evaluate, size)
    if engine not in ENGINES:
        raise InputError(f"engine is {engine!r}; expected one of auto, {', '.join(ENGINES)}")
    _check_timeout(evaluate, engine)
    options = {"address": address} if engine in CLUSTERS and address is not None else {}
    return opener(engine)(work, size, **options)


def use_pool(
    pool: PoolLike, evaluator: Evaluator, *, jobs: int, address: str | None = None
) -> Pool:
    """A pool of the user's own.

    Parameters
    ----------
    pool
        The name of an engine; an executor, which is left open; a function (evaluator, size) →
        pool; or a pool, which is closed when the run ends.
    evaluator
        What it is to run.
    jobs
        How many experiments run at a time, where the pool does not say.
    address
        As in `open_pool`.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(pool, str | Executor):
        return open_pool(evaluator, jobs=jobs, engine=pool, address=address)
    if callable(pool):
        return pool(evaluator, _size(jobs))
    if hasattr(pool, "submit") and hasattr(pool, "wait"):
        return pool
    raise InputError(
        f"pool is {pool!r}; expected the name of an engine ({', '.join(ENGINES)}), a "
        "concurrent.futures.Executor, a Pool, or a function of (evaluator, size) that returns one"
    )


def _size(jobs: int) -> int:
    if jobs == -1:
        from joblib import cpu_count

        return int(cpu_count())
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(f"jobs is {jobs!r}; expected a whole number, 1 or more, or -1 for all")
    return jobs


def _choice(evaluate: Evaluate | Evaluator, size: int) -> str:
    target = evaluate.target if isinstance(evaluate, Evaluator) else None
    if size == 1:
        return "loky" if isinstance(target, Function) else "in-process"
    return "threading" if isinstance(target, Command) else "loky"


def _check_timeout(evaluate: Evaluate | Evaluator, engine: str) -> None:
    """Python functions are interrupted by a signal, which only a main thread hears."""
    target = evaluate.target if isinstance(evaluate, Evaluator) else None
    if not isinstance(target, Function) or target.timeout is None:
        return
    if engine in ("loky", *CLUSTERS):
        return
    main = threading.current_thread() is threading.main_thread()
    if not (main and ENGINES.get(engine) == ENGINES["in-process"]):
        raise InputError(
            "a Python function in a thread cannot be interrupted, so its timeout cannot be kept: "
            "use engine loky, or leave the timeout out"
        )
