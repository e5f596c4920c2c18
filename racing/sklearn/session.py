"""Connects race or search, pool and log for one call of `fit`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from racing.base.errors import LogError
from racing.base.plain import say
from racing.base.version import __version__
from racing.core.experiment import Experiment, Outcome
from racing.core.view import View
from racing.embed.result import Result, result_of
from racing.evaluate.work import Pool, Work
from racing.log import Header, Log, MemoryLog, SQLiteLog, header_of
from racing.race import Race
from racing.runner.loop import RunOptions, drive
from racing.search import Search
from racing.sklearn.fits import Raised, failure_of
from racing.sklearn.pools import open_fits
from racing.space.objects import Objects


@dataclass(frozen=True, kw_only=True)
class Session:
    """Runs the fits of a race or search.

    Attributes
    ----------
    n_jobs
        As everywhere in scikit-learn.
    log
        The path of a log file, or None.
    fingerprint
        A checksum of the search, so that another one cannot continue its log.
    verbose
        From 1 on, a line is printed at every elimination.
    """

    n_jobs: int | None = None
    log: str | os.PathLike[str] | None = None
    fingerprint: str = ""
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
                if isinstance(decider, Race) and decider.done:  # a single candidate: no race
                    _evaluate_alone(decider, pool, log)
                else:
                    options = RunOptions(watch=Teller(self.verbose))
                    drive(decider, pool, log, options=options)
            except BaseException as error:
                error.found = found(decider, log, objects)  # type: ignore[attr-defined]
                raise
            return found(decider, log, objects)

    @contextmanager
    def _open_log(self, decider: Race | Search) -> Iterator[Log]:
        header = _header(decider, self.fingerprint)
        if self.log is None:
            yield MemoryLog(header)
            return
        path = Path(self.log)
        if not path.exists():
            with SQLiteLog.create(path, header) as log:
                yield log
            return
        with SQLiteLog.open(path, write=True) as log:
            if log.header.scenario.get("fingerprint") != self.fingerprint:
                raise LogError(
                    f"{path} is the log of another search: the estimator, the candidates, the "
                    "splits, the data or the rule differ; set random_state to repeat a search, "
                    "or give another log"
                )
            yield log


def found(decider: Race | Search, log: Log, objects: Objects) -> tuple[Result, list[Outcome]]:
    """The result so far, and all outcomes."""
    return result_of(decider, log, "maximize", objects, message=failure_of), log.outcomes()


class Teller:
    """Prints a line for each verdict with eliminations, if `verbose` is 1 or more."""

    def __init__(self, verbose: int) -> None:
        self._verbose = verbose
        self._told = 0

    def __call__(self, decider: View, outcome: Outcome) -> None:
        """Watch an outcome."""
        for verdict in decider.verdicts[self._told :]:
            if self._verbose > 0 and verdict.eliminated:
                say(
                    f"after {verdict.instances} folds and {decider.outcomes} fits: "
                    f"{len(verdict.eliminated)} of {len(decider.candidates)} candidates dropped "
                    f"({verdict.eliminated[0].reason}), {len(decider.survivors)} stay"
                )
        self._told = len(decider.verdicts)


class Strict:
    """A pool that raises the exception of a fit before its outcome is logged."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @property
    def size(self) -> int:
        """The number of fits at a time."""
        return self._pool.size

    @property
    def running(self) -> int:
        """The number of submitted fits that were neither returned nor dropped."""
        return self._pool.running

    def submit(self, experiment: Experiment) -> None:
        """Queue a fit."""
        self._pool.submit(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All outcomes since the last call; raises the exception of a fit."""
        outcomes = self._pool.wait(timeout)
        for outcome in outcomes:
            if isinstance(outcome, Raised) and outcome.error is not None:
                raise outcome.error
        return outcomes

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Stop these fits, by default all."""
        self._pool.drop(experiments)

    def close(self) -> None:
        """Drop everything."""
        self._pool.close()

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._pool.__exit__(*error)


def _evaluate_alone(race: Race, pool: Pool, log: Log) -> None:
    """Fit a single candidate on every fold, as a race of one ends at once."""
    candidate = race.candidates[0]
    log.begin_session(os.getpid(), "")
    log.add([candidate] if not log.candidates() else [])
    known = {outcome.key for outcome in log.outcomes()}
    steps = range(race.instances.limit or 0)
    todo = [Experiment(candidate, race.instance(step)) for step in steps]
    for experiment in todo:
        if experiment.key not in known:
            pool.submit(experiment)
    while pool.running:
        for outcome in pool.wait():
            log.record(outcome, race.instance(outcome.step))
    log.end_session("done")


def _header(decider: Race | Search, fingerprint: str) -> Header:
    header = header_of(decider, name="RaceSearchCV")
    scenario = {**header.scenario, "fingerprint": fingerprint}
    return replace(header, scenario=scenario, racing=__version__)
