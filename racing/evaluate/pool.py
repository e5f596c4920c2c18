"""Opens pools: of an engine, or the user's own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeAlias

from racing.base.errors import InputError, must_be
from racing.evaluate.command import Command
from racing.evaluate.engines import CLUSTERS, ENGINES, opener
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.work import Evaluate, Plain, Pool, Work

OpenPool: TypeAlias = Callable[[Evaluator, int], Pool]
# The allowed forms of a pool: the name of an engine, an executor, a pool, or a function that opens
# one for an evaluator and a size.
PoolLike: TypeAlias = str | Executor | Pool | OpenPool


def open_pool(
    evaluate: Evaluate | Evaluator,
    *,
    jobs: int = 1,
    engine: PoolLike = "auto",
    address: str | None = None,
    rate: float | None = None,
) -> Pool:
    """Open a pool.

    Parameters
    ----------
    evaluate
        Experiment → Outcome, such as an `Evaluator`.
    jobs
        The number of experiments at a time; −1 for one per processor.
    engine
        An engine: `in-process` (one at a time, in the caller's thread), `threading`, `loky`
        (processes), `dask` or `ray` (a cluster), or any `concurrent.futures.Executor`, which is
        left open. `auto` uses processes for Python targets, even for one job, since a function may
        end or block its process; and threads for commands, or the caller's thread for one job.
        Async functions run in one event loop (`asyncio`). A pool of the user's own, or a function
        (evaluator, size) → pool, keeps its own size and rate.
    address
        The address of the cluster of the engine `dask` or `ray`; by default one is started on this
        machine. All threads of Dask's workers, and all processors of Ray's nodes, are used; `jobs`
        is ignored.
    rate
        The most calls of an async function that start per second.

    Raises
    ------
    InputError
        If the arguments contradict each other, or the evaluator cannot be pickled.
    """
    if not isinstance(engine, str | Executor):
        return _own(engine, evaluate, jobs)
    size = size_of(jobs)
    work: Work = evaluate if isinstance(evaluate, Evaluator) else Plain(evaluate)
    target = evaluate.target if isinstance(evaluate, Evaluator) else None
    if engine == "auto":
        engine = _choice(target, size)
    if rate is not None and engine != "asyncio":
        raise InputError(
            f"rate is {rate:g}, but only engine asyncio keeps one: make the target an async "
            "function, or leave rate out"
        )
    options: dict[str, Any] = {} if rate is None else {"rate": rate}
    if isinstance(engine, Executor):
        options["executor"], inside = engine, isinstance(engine, ThreadPoolExecutor)
        engine = "threading"
    else:
        inside = engine not in ("loky", *CLUSTERS)
    if engine not in ENGINES:
        raise InputError(must_be("engine", f"one of auto, {', '.join(ENGINES)}", engine))
    if inside:
        _check_timeout(target, engine)
    if engine in CLUSTERS and address is not None:
        options["address"] = address
    return opener(engine)(work, size, **options)


def _own(pool: Any, evaluate: Any, jobs: int) -> Pool:
    if callable(pool):
        return pool(evaluate, size_of(jobs))  # type: ignore[no-any-return]
    if hasattr(pool, "submit") and hasattr(pool, "wait"):
        return pool  # type: ignore[no-any-return]
    allowed = (
        f"an engine ({', '.join(ENGINES)}), a concurrent.futures.Executor, a Pool, or a "
        "function of (evaluator, size) that returns one"
    )
    raise InputError(must_be("pool", allowed, pool))


def size_of(jobs: int) -> int:
    """The number of evaluations at a time for `jobs`, which may be −1 for one per processor."""
    if jobs == -1:
        from joblib import cpu_count

        return int(cpu_count())
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(must_be("jobs", "a whole number, 1 or more, or -1 for all", jobs))
    return jobs


def _choice(target: Command | Function | None, size: int) -> str:
    if isinstance(target, Function) and target.is_async:
        return "asyncio"
    if size == 1:
        return "loky" if isinstance(target, Function) else "in-process"
    return "threading" if isinstance(target, Command) else "loky"


def _check_timeout(target: Command | Function | None, engine: str) -> None:
    """Refuse a timeout of this process: only its main thread can be interrupted by a signal."""
    if not isinstance(target, Function) or target.timeout is None or target.is_async:
        return
    main = threading.current_thread() is threading.main_thread()
    if not (main and engine == "in-process"):
        raise InputError(
            "a Python function in a thread cannot be interrupted, so its timeout cannot be kept: "
            "use engine loky, or leave the timeout out"
        )
