"""A run replayed from its log: the race, its facts, its trajectory and its outcomes as columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.view import View
from racing.log import Log, Session, SQLiteLog, replay
from racing.log.log import FailedAttempt
from racing.report.facts import Facts, facts_of
from racing.report.failures import Failure, FailureGroups
from racing.report.matrices import Matrices, matrices
from racing.report.outcome_columns import ColumnCollector, OutcomeColumns
from racing.report.tally import Tally
from racing.report.trajectory import Mark, Trajectory
from racing.space import Space


@dataclass(frozen=True, kw_only=True, eq=False)
class History:
    """The data behind all pictures of a run.

    Attributes
    ----------
    race
        The race or search, as it was when the log was written last.
    facts
        What `racing show` prints.
    marks
        The trajectory of the run.
    outcomes
        Every outcome, as columns.
    attempts
        Starts of the target that did not become outcomes.
    failures
        Failures, grouped.
    sessions
        Which processes worked on the run, and when.
    """

    race: View
    facts: Facts
    marks: tuple[Mark, ...]
    outcomes: OutcomeColumns
    attempts: tuple[FailedAttempt, ...]
    failures: tuple[Failure, ...]
    sessions: tuple[Session, ...]

    @cached_property
    def matrices(self) -> Matrices:
        """Costs and ranks."""
        return matrices(self.race.results)

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
        return {one.candidate.id: one.after for one in self.facts.dropped}

    @cached_property
    def space(self) -> Space | None:
        """The space of the configurations; None if they were given without one."""
        from racing.log.searches import space_in  # which imports all searches

        return space_in(self.facts.header)

    @property
    def searching(self) -> bool:
        """Whether it is a search, not a race of given candidates."""
        return self.race.as_search is not None

    def fate(self, id: int) -> str:
        """`winner`, `survivor`, `dropped`, or `waiting` before its first result."""
        if self.facts.winner is not None and id == self.facts.winner.id:
            return "winner"
        if id in self._alive:
            return "survivor"
        return "dropped" if id in self.out else "waiting"

    @cached_property
    def _alive(self) -> frozenset[int]:
        return frozenset(one.id for one in self.facts.survivors)


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
    trajectory, columns, failed, tally = Trajectory(), ColumnCollector(), FailureGroups(), Tally()

    def add(decider: View, outcome: Outcome) -> None:
        trajectory.add(decider, outcome)
        columns.add(outcome)
        tally.add(outcome)
        failed.add(outcome)

    with log.snapshot():
        race = replay(log, heard=add)
        attempts = tuple(log.failed_attempts())
        for attempt in attempts:
            failed.add(attempt.outcome)
        return History(
            race=race,
            facts=facts_of(race, log, tally, by=by),
            marks=trajectory.end(race),
            outcomes=columns.all(),
            attempts=attempts,
            failures=failed.all(),
            sessions=tuple(log.sessions()),
        )
