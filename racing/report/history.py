"""A run told again, once: the race, its facts, its course and its outcomes as columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from racing.candidate import Candidate
from racing.decider import Decider, Entrant
from racing.experiment import Outcome
from racing.log import Log, Session, replay
from racing.log.log import FailedAttempt
from racing.race import Race
from racing.report.course import Course, Mark
from racing.report.facts import Facts, Tally, facts_of
from racing.report.failures import Failure, FailureGroups
from racing.report.heard import Columns, Outcomes
from racing.report.matrices import Matrices, matrices
from racing.search import Search


@dataclass(frozen=True, kw_only=True, eq=False)
class History:
    """All that pictures of a run are made of.

    Attributes
    ----------
    race
        The race or search, as it was when the log was written last.
    facts
        What `racing show` prints.
    marks
        The course of the run.
    outcomes
        Every outcome, as columns.
    attempts
        Starts of the target that did not become outcomes.
    failures
        Failures, grouped.
    sessions
        Who worked on the run, and when.
    """

    race: Race | Search
    facts: Facts
    marks: tuple[Mark, ...]
    outcomes: Outcomes
    attempts: tuple[FailedAttempt, ...]
    failures: tuple[Failure, ...]
    sessions: tuple[Session, ...]

    @cached_property
    def matrices(self) -> Matrices:
        """Costs and ranks."""
        return matrices(self.race.results)

    @cached_property
    def entrants(self) -> Mapping[int, Entrant]:
        """Everybody who entered, by id."""
        return {entrant.candidate.id: entrant for entrant in self.race.entrants}

    @cached_property
    def candidates(self) -> Mapping[int, Candidate]:
        """The same as candidates."""
        return {id: entrant.candidate for id, entrant in self.entrants.items()}

    @cached_property
    def out(self) -> Mapping[int, int]:
        """Id of a dropped candidate → after how many instances it left."""
        return {one.candidate.id: one.after for one in self.facts.dropped}

    @property
    def searching(self) -> bool:
        """Whether it is a search, not a race of given candidates."""
        return isinstance(self.race, Search)

    def fate(self, id: int) -> str:
        """`winner`, `survivor`, `dropped`, or `waiting` where nothing is known of it."""
        if self.facts.winner is not None and id == self.facts.winner.id:
            return "winner"
        if id in self._alive:
            return "survivor"
        return "dropped" if id in self.out else "waiting"

    @cached_property
    def _alive(self) -> frozenset[int]:
        return frozenset(one.id for one in self.facts.survivors)


def history(log: Log) -> History:
    """The history of a run, from one moment of its log, read once.

    Raises
    ------
    LogError
        If the log does not hold together.
    """
    course, columns, failed, tally = Course(), Columns(), FailureGroups(), Tally()

    def heard(decider: Decider, outcome: Outcome) -> None:
        course.hear(decider, outcome)
        columns.add(outcome)
        if outcome.failed:
            tally.add_message(outcome)
            failed.add(outcome)

    with log.snapshot():
        race = replay(log, heard=heard)
        attempts = tuple(log.failed_attempts())
        for attempt in attempts:
            failed.add(attempt.outcome)
        outcomes = columns.all()
        tally.add_all(outcomes)
        return History(
            race=race,
            facts=facts_of(race, log, tally),
            marks=course.end(race),
            outcomes=outcomes,
            attempts=attempts,
            failures=failed.all(),
            sessions=tuple(log.sessions()),
        )
