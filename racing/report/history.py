"""A run replayed once: its facts, its course, its outcomes as columns, and its matrices.

All pictures of a run are made of its `History`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.base.words import refer
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.results import Results
from racing.core.view import View, default_of
from racing.log import Log, SQLiteLog, replay
from racing.log.headers import space_in
from racing.log.records import FailedAttempt
from racing.report.counts import Failure, FailureGroups, Tally
from racing.report.facts import Facts, gathered
from racing.space import Space
from racing.stats.ranks import rank_rows

ORIGINS = {
    "sobol": "spread over the space",
    "model": "near an elite",
    "uniform": "at random",
}
"""The origins of candidates that need other words."""
FATES = ("waiting", "dropped", "survivor", "winner")
"""What became of a candidate, from the back of a figure to the front."""


@dataclass(frozen=True, kw_only=True, eq=False)
class History(Facts):
    """The data behind all pictures of a run.

    Attributes
    ----------
    marks
        The course of the run.
    outcomes : (n,)
        Every outcome in the order of the commits: `candidate` and `step`; `cost`, `seconds`,
        `elapsed`, `started`, `failed` and `censored` as in `racing.core.experiment.Outcome`; and
        `worker`, its place among `workers`.
    workers
        Names of workers, in the order in which they appeared; an empty one is not known.
    attempts
        Starts of the target that did not become outcomes.
    failure_groups
        Failures, by what they have in common.
    """

    marks: tuple[Mark, ...] = field(repr=False)
    outcomes: np.recarray[Any, Any] = field(repr=False)
    workers: tuple[str, ...] = field(repr=False)
    attempts: tuple[FailedAttempt, ...] = field(repr=False)
    failure_groups: tuple[Failure, ...] = field(repr=False)

    @cached_property
    def matrices(self) -> Matrices:
        """Costs and ranks."""
        return Matrices.of(self.race.results)

    @cached_property
    def entrants(self) -> Mapping[int, Entrant]:
        """Every candidate that entered, by id."""
        return {entrant.candidate.id: entrant for entrant in self.race.entrants}

    @cached_property
    def candidates(self) -> Mapping[int, Candidate]:
        """The same as candidates."""
        return {id: entrant.candidate for id, entrant in self.entrants.items()}

    @cached_property
    def out(self) -> Mapping[int, int]:
        """Id of a dropped candidate → the number of instances before it was dropped."""
        return {one.candidate.id: one.after for one in self.dropped}

    @cached_property
    def space(self) -> Space | None:
        """The space of the configurations; None if they were given without one."""
        return space_in(self.header)

    @property
    def baseline(self) -> Candidate:
        """What the winner is compared with."""
        return default_of(self.race)

    @property
    def searching(self) -> bool:
        """Whether it is a search, not a race of given candidates."""
        return self.race.as_search is not None

    def fate(self, id: int) -> str:
        """One of `FATES`; `waiting` is a candidate before its first result."""
        if self.winner is not None and id == self.winner.id:
            return "winner"
        if id in self._alive:
            return "survivor"
        return "dropped" if id in self.out else "waiting"

    @cached_property
    def _alive(self) -> frozenset[int]:
        return frozenset(one.id for one in self.survivors)

    def called(self, id: int) -> str:
        """The name of a candidate."""
        return refer(self.candidates[id])

    def instance(self, step: int) -> str:
        """The name of an instance."""
        return refer(self.race.instance(int(step)).name)

    @cached_property
    def order(self) -> list[int]:
        """All candidates: winner, other survivors by standing, then those that left last."""
        winner = [self.winner.id] if self.winner is not None else []
        standing, column = self.matrices.standing, self.matrices.column

        def place(id: int) -> tuple[int, float, int]:
            own = standing[column[id]] if id in column else 2.0
            return -self.out[id], own if own == own else 2.0, id

        survivors = [one.id for one in self.survivors]
        left = sorted(self.out, key=place)
        return [*dict.fromkeys([*winner, *survivors, *left, *self.candidates])]


def read_history(path: Path, *, by: str | None = None) -> History:
    """The history of the run in a log file; errors as of `history`."""
    with SQLiteLog.open(path, write=False) as log:
        return history(log, by=by)


def history(log: Log, *, by: str | None = None) -> History:
    """The history of a run, from one moment of its log, read once.

    Parameters
    ----------
    by
        What says the families of instances: see `racing.by_family`.

    Raises
    ------
    LogError
        If the log does not hold together.
    """
    course, failed, tally = Course(), FailureGroups(), Tally()

    def add(decider: View, outcome: Outcome) -> None:
        course.add(decider, outcome)
        tally.add(outcome)
        failed.add(outcome)

    with log.snapshot():
        race = replay(log, heard=add)
        attempts = tuple(log.failed_attempts())
        for attempt in attempts:
            failed.add(attempt.outcome)
        return History(
            **gathered(race, log, tally, by=by), **course.end(race), attempts=attempts,
            failure_groups=failed.all(),
        )  # fmt: skip


class Mark(NamedTuple):
    """The state of a run at one point.

    Attributes
    ----------
    evaluations, elapsed
        Outcomes by then, and the run's wall-clock seconds.
    instances
        How many instances were complete.
    alive
        How many survivors, of a search elites, there were.
    entered
        How many candidates had entered.
    leader
        Id of the candidate that the last verdict put first, of a search of the best elite; None
        before there is one.
    """

    evaluations: int
    elapsed: float
    instances: int
    alive: int
    entered: int
    leader: int | None


class Course:
    """Follows a replay once: a mark whenever something changed, and outcomes without text."""

    FIELDS = (
        ("candidate", int), ("step", int), ("cost", float), ("seconds", float),
        ("elapsed", float), ("started", float), ("failed", bool), ("censored", bool),
    )  # fmt: skip

    def __init__(self) -> None:
        self._marks: list[Mark] = []
        self._outcomes: list[tuple[Any, ...]] = []
        self._workers: dict[str, int] = {}
        self._elapsed, self._seen = 0.0, (-1, -1)

    def add(self, decider: View, outcome: Outcome) -> None:
        """Note an outcome, and a mark if there are more instances or verdicts than before."""
        worker = self._workers.setdefault(outcome.worker, len(self._workers))
        self._outcomes.append((*(getattr(outcome, of) for of, _ in self.FIELDS), worker))
        self._elapsed = max(self._elapsed, outcome.elapsed)
        self._seen, before = (decider.instances_seen, len(decider.verdicts)), self._seen
        if self._seen != before:
            self._mark(decider)

    def end(self, decider: View) -> dict[str, Any]:
        """All marks, the last one for the end, outcomes and workers, as a `History` has them."""
        if not self._marks or self._marks[-1].evaluations != len(self._outcomes):
            self._mark(decider)
        outcomes = np.array(self._outcomes, dtype=[*self.FIELDS, ("worker", int)])
        return {"marks": tuple(self._marks), "outcomes": outcomes.view(np.recarray),
                "workers": tuple(self._workers)}  # fmt: skip

    def _mark(self, decider: View) -> None:
        alive, entered = len(decider.survivors), len(decider.entrants)
        at, leader, done = decider.instances_seen, _leader(decider), len(self._outcomes)
        self._marks.append(Mark(done, self._elapsed, at, alive, entered, leader))


def _leader(decider: View) -> int | None:
    if decider.as_search is not None and decider.as_search.elites:
        return decider.as_search.elites[0].id
    return decider.verdicts[-1].leader if decider.verdicts else None


# --- costs and ranks -------------------------------------------------------------------------

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrices:
    """Matrices of costs and ranks.

    Attributes
    ----------
    ids
        The candidates, one for each of the m columns.
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run; the rows are instances by step.
    failed : (n, m) bool array, or None
        What failed, where a penalty stands in `costs` for it.
    """

    ids: tuple[int, ...]
    costs: Floats
    failed: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, results: Results) -> Matrices:
        """The matrices of a race's results."""
        ids = tuple(int(id) for id in results.candidates)
        return cls(ids=ids, costs=results.costs, failed=results.failed)

    @cached_property
    def ran(self) -> NDArray[np.bool_]:
        """(n, m) whether there is a cost."""
        return ~np.isnan(self.costs)

    @cached_property
    def lost(self) -> NDArray[np.bool_]:
        """(n, m) what failed, whatever it counts as."""
        lost = np.isposinf(self.costs)
        return lost if self.failed is None else lost | self.failed

    @cached_property
    def ranks(self) -> Floats:
        """(n, m) ranks within a row among those that ran there: 1 is best, ties share; NaN."""
        if self.costs.size == 0:
            return self.costs.copy()
        failed = np.isposinf(self.costs)
        filled = np.where(failed, np.finfo(np.float64).max, self.costs)
        filled[~self.ran] = np.inf  # after all that ran, failures included
        ranks = rank_rows(filled, check=False)
        ranks[~self.ran] = np.nan
        return ranks

    @cached_property
    def relative(self) -> Floats:
        """(n, m) places among those that ran: 0 is the best, 1 the worst, ½ if alone; NaN."""
        most = self.ran.sum(axis=1, keepdims=True) - 1
        alone = most < 1
        places: Floats = np.where(alone, 0.5, (self.ranks - 1) / np.where(alone, 1, most))
        places[~self.ran] = np.nan
        return places

    @cached_property
    def among_all(self) -> Floats:
        """(n, m) places among all candidates that ran at all, from 0 to 1; NaN where not run.

        Those that had left count as worse. So a place does not get worse because others left.
        """
        most = int(self.ran.any(axis=0).sum()) - 1
        places: Floats = (self.ranks - 1) / most if most > 0 else np.full(self.ranks.shape, 0.5)
        places[~self.ran] = np.nan
        return places

    @cached_property
    def standing(self) -> Floats:
        """(m,) mean relative place of each candidate over its instances, NaN without one.

        An instance counts as often as others ran on it: so this is the share of comparisons, with
        any other on any instance, that were lost, a tie by half. The places of the last few among
        themselves then weigh little beside those that they had among all. It compares candidates
        roughly, and is no test.
        """
        others = np.where(self.ran, self.ran.sum(axis=1, keepdims=True) - 1, 0)
        lost = np.where(self.ran, self.ranks - 1, 0.0).sum(axis=0)
        compared = others.sum(axis=0)
        unseen = np.where(self.ran.any(axis=0), 0.5, np.nan)
        means: Floats = np.divide(lost, compared, out=unseen, where=compared > 0)
        return means

    @cached_property
    def column(self) -> dict[int, int]:
        """Id → column."""
        return {id: place for place, id in enumerate(self.ids)}

    def columns(self, ids: Iterable[int]) -> list[int]:
        """The columns of these."""
        return [self.column[id] for id in ids]

    @cached_property
    def places(self) -> dict[int, float]:
        """Id → mean relative place."""
        return dict(zip(self.ids, self.standing.tolist(), strict=True))

    def pair(self, first: int, second: int) -> tuple[NDArray[np.intp], Floats]:
        """The rows that two candidates share, and their costs there, (n', 2)."""
        if not {first, second} <= self.column.keys():
            return np.empty(0, np.intp), np.empty((0, 2))
        columns = self.columns((first, second))
        both = self.ran[:, columns].all(axis=1)
        return np.flatnonzero(both), self.costs[both][:, columns]
