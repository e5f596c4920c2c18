"""A run replayed once: its facts, its course, its outcomes as columns, and its matrices.

All pictures of a run are made of its `History`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from racing.base.words import refer
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.view import View, default_of
from racing.log import Log, SQLiteLog, replay
from racing.log.headers import space_in
from racing.log.records import FailedAttempt
from racing.report.facts import Facts, kept
from racing.report.matrices import Matrices
from racing.report.tally import Failure, FailureGroups, Tally
from racing.space import Space

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
    failures
        Failures, grouped.
    """

    marks: tuple[Mark, ...]
    outcomes: np.recarray[Any, Any]
    workers: tuple[str, ...]
    attempts: tuple[FailedAttempt, ...]
    failures: tuple[Failure, ...]

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
    def default(self) -> Candidate:
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

    def name(self, id: int) -> str:
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
    course, columns, failed, tally = Course(), Columns(), FailureGroups(), Tally()

    def add(decider: View, outcome: Outcome) -> None:
        course.add(decider, outcome)
        for one in (columns, tally, failed):
            one.add(outcome)

    with log.snapshot():
        race = replay(log, heard=add)
        attempts = tuple(log.failed_attempts())
        for attempt in attempts:
            failed.add(attempt.outcome)
        return History(
            **kept(race, log, tally, by=by), marks=course.end(race), outcomes=columns.all(),
            workers=tuple(columns.workers), attempts=attempts, failures=failed.all(),
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
    """Follows a replay and keeps a mark whenever something changed: one pass, little memory."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._outcomes = 0
        self._elapsed = 0.0
        self._seen = -1, -1

    def add(self, decider: View, outcome: Outcome) -> None:
        """Keep a mark if there are more instances or verdicts than before."""
        self._outcomes += 1
        self._elapsed = max(self._elapsed, outcome.elapsed)
        seen = decider.instances_seen, len(decider.verdicts)
        if seen != self._seen:
            self._seen = seen
            self._mark(decider)

    def end(self, decider: View) -> tuple[Mark, ...]:
        """All marks, the last one for the end."""
        if not self.marks or self.marks[-1].evaluations != self._outcomes:
            self._mark(decider)
        return tuple(self.marks)

    def _mark(self, decider: View) -> None:
        alive, entered = len(decider.survivors), len(decider.entrants)
        at, leader = decider.instances_seen, _leader(decider)
        self.marks.append(Mark(self._outcomes, self._elapsed, at, alive, entered, leader))


def _leader(decider: View) -> int | None:
    if decider.as_search is not None and decider.as_search.elites:
        return decider.as_search.elites[0].id
    return decider.verdicts[-1].leader if decider.verdicts else None


class Columns:
    """Collects outcomes as columns, without their text."""

    FIELDS = (
        ("candidate", int), ("step", int), ("cost", float), ("seconds", float),
        ("elapsed", float), ("started", float), ("failed", bool), ("censored", bool),
        ("worker", int),
    )  # fmt: skip

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self.workers: dict[str, int] = {}

    def add(self, o: Outcome) -> None:
        """Note one outcome."""
        worker = self.workers.setdefault(o.worker, len(self.workers))
        self._rows.append(
            (o.candidate, o.step, o.cost, o.seconds, o.elapsed, o.started, o.failed, o.censored,
             worker)
        )  # fmt: skip

    def all(self) -> np.recarray[Any, Any]:
        """All of them."""
        return np.array(self._rows, dtype=list(self.FIELDS)).view(np.recarray)
