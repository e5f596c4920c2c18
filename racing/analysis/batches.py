"""A decider that runs its experiments in batches: an ablation, a filling of a team."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import ClassVar, TypeAlias

from racing.base.errors import RaceError
from racing.base.quantities import Direction
from racing.core.ask_tell import AskTell, stranger, told_twice
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import WORST, Failures
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.search.trials import Batch, TaskQueue

Batches: TypeAlias = Generator[list[Experiment], None, Stop]
"""The experiments to run next, batch by batch; at the end, why it is over."""


class BatchDecider(AskTell):
    """Base of a `Decider` that chooses experiments when all outcomes of the last ones are there.

    So its result is a function of its arguments and of the outcomes, not of their order. A subclass
    has `_batches`, says of which instances, and calls `_go_on` at the end of its constructor.

    Parameters
    ----------
    budget
        How many evaluations may be made.
    direction
        Of the scores that are told.
    failures
        What a failure counts as.
    """

    word: ClassVar[str]
    """What it is, for messages."""

    as_search = None
    speculative = wasted = 0

    def __init__(
        self, budget: int, direction: Direction = "minimize", failures: Failures = WORST
    ) -> None:
        self._queue, self._batch = TaskQueue(), Batch()
        super().__init__(direction, self._queue, failures=failures)
        self.budget, self.spent = Budget(evaluations=budget), Spent()
        self.entrants: list[Entrant] = []
        self.verdicts: list[Verdict] = []
        self.stopped: Stop | None = None
        self._told: dict[tuple[int, int], Outcome] = {}
        self._wanted: list[Experiment] = []
        self._logged: dict[int, Entrant] = {}
        self._work = self._batches()

    @abstractmethod
    def _batches(self) -> Batches:
        """Enter candidates and yield experiments; their outcomes are told when it goes on."""

    @abstractmethod
    def instance(self, step: int) -> Instance:
        """The instance at a step."""

    @property
    @abstractmethod
    def instances_seen(self) -> int:
        """The number of complete instances."""

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Check that the candidates of a log are the same, now and as they enter.

        Raises
        ------
        RaceError
            If an outcome was told before, or a candidate is another one.
        """
        if self.outcomes:
            raise RaceError("restore must come before the first outcome")
        self._logged = {one.candidate.id: one for one in entrants}
        for mine in self.entrants:
            self._check(mine.candidate)

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next, without speculation."""
        return [] if self.done else self._queue.take(limit)

    def _hear(self, outcome: Outcome) -> None:
        if all(one.id != outcome.candidate for one in self.candidates):
            raise RaceError(stranger(outcome, self.word))
        if outcome.key in self._told:
            raise RaceError(told_twice(outcome))
        self._told[outcome.key] = outcome
        self._queue.answered(outcome.key)
        self._go_on()

    def end(self, reason: Stop) -> None:
        """Stop from outside."""
        if not self.done:
            self.stopped = reason
            self._queue.clear()

    def extend(self, budget: Budget, more: object = None) -> None:
        """Continue after the end, with more evaluations, counted from the start.

        Raises
        ------
        RaceError
            If it is not over.
        """
        if not self.done:
            raise RaceError(f"the {self.word} is not over yet; extend it when it is")
        self.budget, self.stopped = budget, None
        self._wanted, self._batch, self._work = [], Batch(), self._batches()
        self._go_on()

    # --- queries ----------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self.stopped is not None

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments that are out and can no longer count."""
        return self._queue.unwanted

    @property
    def outcomes(self) -> int:
        """The number of outcomes received."""
        return len(self._told)

    @property
    def expected_evaluations(self) -> float:
        """The evaluations that the budget still allows."""
        return 0.0 if self.done else max((self.budget.evaluations or 0) - self.outcomes, 0.0)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates of `entrants`."""
        return tuple(one.candidate for one in self.entrants)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates that may still be chosen."""
        return self.candidates

    @property
    def winner(self) -> Candidate | None:
        """The candidate that it is about; None where there is none."""
        return None

    # --- inside -----------------------------------------------------------------------------

    def _enter(self, candidate: Candidate, origin: str = "given", entered: int = 0) -> None:
        self._check(candidate)
        self.entrants.append(Entrant(candidate=candidate, origin=origin, entered=entered))

    def _check(self, mine: Candidate) -> None:
        logged = self._logged.get(mine.id)
        if logged is not None and dict(logged.candidate.values) != dict(mine.values):
            raise RaceError(
                f"candidate {mine.id} is {dict(mine.values)} here and "
                f"{dict(logged.candidate.values)} in the log: it is the log of another {self.word}"
            )

    def _go_on(self) -> None:
        """Charge complete batches and begin the next ones, as far as outcomes are there."""
        while not self.done and self._batch.complete:
            self._charge([self._told[one.key] for one in self._wanted])
            try:
                self._wanted, self._batch = next(self._work), Batch()
            except StopIteration as over:
                self._wanted = []
                self.end(over.value)
                return
            for one in self._wanted:
                if one.key not in self._told:
                    self._queue.want(one, self._batch, 0)

    def _charge(self, outcomes: Sequence[Outcome]) -> None:
        self.spent = Spent(
            evaluations=self.spent.evaluations + len(outcomes),
            target_time=self.spent.target_time + math.fsum(one.seconds for one in outcomes),
        )
