"""Opens a pool of this project by `n_jobs` and the user's `joblib.parallel_config`."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from racing.base.errors import InputError
from racing.evaluate.engines import opener
from racing.evaluate.work import Pool, Work

_ENGINES = {
    "LokyBackend": "loky",
    "MultiprocessingBackend": "loky",
    "ThreadingBackend": "threading",
    "SequentialBackend": "in-process",
}
"""Backend of joblib → engine of this project."""


def open_fits(fits: Work, n_jobs: int | None) -> Pool:
    """A pool for fits, like joblib's.

    Parameters
    ----------
    fits
        `Fits`, or another dataclass with a field `threads`.
    n_jobs
        As everywhere in scikit-learn: None is 1, or that of `joblib.parallel_config`; −1 uses all
        processors.

    Raises
    ------
    InputError
        If the estimator, the data or the scorer cannot be sent to worker processes.
    """
    jobs = int(joblib.effective_n_jobs(n_jobs))
    backend = get_active_backend()[0]
    if jobs == 1:
        return opener("in-process")(fits, 1)
    if (client := getattr(backend, "client", None)) is not None:  # dask
        return _sent(lambda: opener("threading")(fits, jobs, client.get_executor()))
    engine = _engine(backend)
    if engine == "loky":
        threads = getattr(backend, "inner_max_num_threads", None)
        share = int(threads or max(joblib.cpu_count() // jobs, 1))
        fits = replace(fits, threads=share)  # type: ignore[type-var]
    return _sent(lambda: opener(engine)(fits, 1 if engine == "in-process" else jobs))


def _engine(backend: Any) -> str:
    name = type(backend).__name__
    if name not in _ENGINES:
        warnings.warn(
            f"racing has no pool for joblib's backend {name}; it uses worker processes instead "
            "(joblib's backends loky, multiprocessing, threading, sequential and dask have one)",
            stacklevel=2,
        )
    return _ENGINES.get(name, "loky")


def _sent(open_: Any) -> Pool:
    try:
        pool: Pool = open_()
    except InputError as error:
        raise InputError(
            "the estimator, its parameters, the data or the scorer cannot be sent to worker "
            f"processes ({error.__cause__ or error}); use n_jobs=1, or threads: "
            "with joblib.parallel_config('threading'), or define what is local at the top of a "
            "module"
        ) from error
    return pool
