"""Race or search, pool and log, joined for one call of `fit`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from racing import __version__
from racing.errors import LogError
from racing.evaluate.pool import Pool
from racing.experiment import Experiment, Outcome
from racing.log import Header, Log, MemoryLog, SQLiteLog, header_of
from racing.loop import RunOptions, drive
from racing.race import Race
from racing.search import Search
from racing.sklearn.fits import Fits, Raised
from racing.sklearn.pools import open_fits


@dataclass(frozen=True, kw_only=True)
class Session:
    """How the fits of a race or search are run.

    Attributes
    ----------
    n_jobs
        As everywhere in scikit-learn.
    log
        The path of a log that outlives the process, or None.
    fingerprint
        What tells this search from others, so that a log is not continued by another one.
    verbose
        From 1 on a line is printed at every elimination.
    """

    n_jobs: int | None = None
    log: str | os.PathLike[str] | None = None
    fingerprint: str = ""
    verbose: int = 0

    def run(self, decider: Race | Search, fits: Fits) -> list[Outcome]:
        """Drive it to its end; returns every outcome that it has heard.

        Raises
        ------
        BaseException
            What a fit raised with `error_score="raise"`, or a KeyboardInterrupt; the outcomes until
            then are its attribute `outcomes`.
        """
        with self._open_log(decider) as log, Strict(open_fits(fits, self.n_jobs)) as pool:
            try:
                if isinstance(decider, Race) and decider.done:  # a single candidate: no race
                    _evaluate_alone(decider, pool, log)
                else:
                    drive(decider, pool, log, options=RunOptions(watch=self._watch))
            except BaseException as error:
                error.outcomes = log.outcomes()  # type: ignore[attr-defined]
                raise
            return log.outcomes()

    def _watch(self, decider: Race | Search, outcome: Outcome) -> None:
        """Print who left, once for each verdict that drops anybody."""
        told = getattr(self, "_told", 0)
        for verdict in decider.verdicts[told:]:
            if self.verbose > 0 and verdict.eliminated:
                print(
                    f"after {verdict.instances} folds and {decider.outcomes} fits: "
                    f"{len(verdict.eliminated)} of {len(decider.candidates)} candidates leave "
                    f"({verdict.eliminated[0].reason}), {len(decider.survivors)} stay"
                )
        object.__setattr__(self, "_told", len(decider.verdicts))

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


class Strict:
    """A pool that raises what a fit raised, before anything of it is logged."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @property
    def size(self) -> int:
        """How many fits can run at a time."""
        return self._pool.size

    @property
    def running(self) -> int:
        """How many were submitted, and were neither returned nor dropped."""
        return self._pool.running

    def submit(self, experiment: Experiment) -> None:
        """Put a fit in line."""
        self._pool.submit(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All outcomes since the last time; raises what a fit raised."""
        outcomes = self._pool.wait(timeout)
        for outcome in outcomes:
            if isinstance(outcome, Raised) and outcome.error is not None:
                raise outcome.error
        return outcomes

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """End these fits, by default all."""
        self._pool.drop(experiments)

    def close(self) -> None:
        """Drop everything."""
        self._pool.close()

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.__exit__(kind, error, trace)


def _evaluate_alone(race: Race, pool: Pool, log: Log) -> None:
    """Fit the one candidate of a race that is over before it begins, on every fold."""
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
    if isinstance(decider, Race):
        header = header_of(decider, name="RaceSearchCV")
        scenario = {**header.scenario, "fingerprint": fingerprint}
    else:
        scenario = {"fingerprint": fingerprint}
    return Header(
        name="RaceSearchCV",
        seed=decider.seed,
        direction=decider.direction,
        objective=decider.objective,
        scenario=scenario,
        racing=__version__,
    )
