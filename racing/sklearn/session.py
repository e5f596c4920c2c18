"""Connects race or search, pool and log for one call of `fit`.

The pool is one of this project, by `n_jobs` and the user's `joblib.parallel_config`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from racing.base.errors import InputError, LogError
from racing.base.plain import say
from racing.base.version import __version__
from racing.core.experiment import Outcome
from racing.embed.callbacks import Decided, Event, Watch
from racing.embed.result import Result, result_of
from racing.evaluate.checksum import checksums
from racing.evaluate.engines import opener
from racing.evaluate.work import Pool, Work
from racing.log import Header, Log, LogOf, MemoryLog, SQLiteLog, header_of, path_in
from racing.race import Race
from racing.runner.loop import RunOptions, drive
from racing.runner.progress import progress_for
from racing.search import Search
from racing.sklearn.fits import Raised, failure_of
from racing.space.objects import Objects


@dataclass(frozen=True, kw_only=True)
class Session:
    """Runs the fits of a race or search.

    Attributes
    ----------
    n_jobs
        As everywhere in scikit-learn.
    log
        The path of a log file, a log or a result that has one, or None.
    told
        The arguments of the search by name, so that another one cannot continue its log.
    verbose
        From 1 on, a line is printed at every elimination.
    """

    n_jobs: int | None = None
    log: LogOf | None = None
    told: Mapping[str, object] = field(default_factory=dict)
    verbose: int = 0

    def run(
        self, decider: Race | Search, fits: Work, objects: Objects
    ) -> tuple[Result, list[Outcome]]:
        """Drive it to its end; return the result and all outcomes.

        Raises
        ------
        BaseException
            The exception of a fit with `error_score="raise"`, or a KeyboardInterrupt; its attribute
            `found` has what would be returned.
        """
        with self._open_log(decider) as log, Strict(open_fits(fits, self.n_jobs)) as pool:
            try:
                watch = Watch([_tell] if self.verbose > 0 else [], progress_for(False), decided=0)
                drive(decider, pool, log, options=RunOptions(watch=watch))
            except BaseException as error:
                error.found = found(decider, log, objects)  # type: ignore[attr-defined]
                raise
            finally:
                self._note_changes(log)
            return found(decider, log, objects)

    def _open_log(self, decider: Race | Search) -> AbstractContextManager[Log]:
        if self.log is None:
            return nullcontext(MemoryLog(_header(decider, {})))
        header, path = _header(decider, self._fingerprint()), path_in(self.log)
        if not path.exists():
            return SQLiteLog.create(path, header)
        log = SQLiteLog.open(path, write=True)
        given, kept = json.loads(json.dumps(header.scenario)), log.header.scenario
        if given.get("space") == kept.get("space") and not self._changed(log):
            return log
        log.close()
        raise LogError(
            f"{path} is the log of another search: the estimator, the candidates or the space, the "
            "splits, the data or the options differ; set random_state to repeat a search, or "
            "give another log"
        )

    def _fingerprint(self) -> dict[str, str]:
        """The checksums of the arguments and of what they hold, by name and type."""
        return {
            f"{part} of {name}".removeprefix(" of "): one
            for key, value in self.told.items()
            for name in [f"{key} ({type(value).__name__})"]
            for part, one in checksums(value).items()
        }

    def _changed(self, log: Log) -> set[str]:
        """What is not as it was when the log began, except what a fit has changed before."""
        kept: Any = log.header.scenario.get("fingerprint")
        if not isinstance(kept, dict):  # of a log of before
            return {"fingerprint"}
        now, noted = self._fingerprint(), {one.path for one in log.target_files()}
        return {name for name in kept.keys() | now if kept.get(name) != now.get(name)} - noted

    def _note_changes(self, log: Log) -> None:
        """Note what the fits changed themselves, such as a count of the calls of a scorer."""
        if self.log is not None:
            log.note_target(dict.fromkeys(self._changed(log), ""))


def found(decider: Race | Search, log: Log, objects: Objects) -> tuple[Result, list[Outcome]]:
    """The result so far, and all outcomes."""
    return result_of(decider, log, "maximize", objects, message=failure_of), log.outcomes()


def _tell(event: Event) -> None:
    """A callback that prints a line for each verdict with eliminations."""
    if isinstance(event, Decided) and (out := event.verdict.eliminated):
        race = event.race
        say(
            f"after {event.verdict.instances} folds and {race.outcomes} fits: "
            f"{len(out)} of {len(race.candidates)} candidates dropped ({out[0].reason}), "
            f"{len(race.survivors)} stay"
        )


class Strict:
    """A pool that raises the exception of a fit before its outcome is logged."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def __enter__(self) -> Any:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.__exit__(*error)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All outcomes since the last call; raises the exception of a fit."""
        outcomes = self._pool.wait(timeout)
        for outcome in outcomes:
            if isinstance(outcome, Raised) and outcome.error is not None:
                raise outcome.error
        return outcomes


def _header(decider: Race | Search, fingerprint: Mapping[str, str]) -> Header:
    header = header_of(decider, name="RaceSearchCV")
    scenario = {**header.scenario, "fingerprint": fingerprint}
    return replace(header, scenario=scenario, racing=__version__)


# --- the pool -----------------------------------------------------------------------------------

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
