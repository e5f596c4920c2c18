"""Runs the cells of a matrix of costs that can change the team, by ask and tell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from racing.analysis.portfolio.potential import Floats, next_cells
from racing.base.errors import RaceError
from racing.base.quantities import Direction
from racing.core.ask_tell import AskTell, stranger, told_twice
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import WORST, Failures
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.search.tasks import Batch, TaskQueue


class Filling(AskTell):
    """Runs what may change a team, a few cells at a time: a `Decider`.

    Its result is a function of its arguments and of the outcomes, not of their order:
    the next cells are chosen when all of the last ones are there.

    Parameters
    ----------
    candidates, instances
        The columns and the rows.
    costs : (n, m)
        What is known; NaN = not run.
    size
        Of the team.
    budget
        How many cells may be run.
    failures
        What a failure counts as.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        instances: Sequence[Instance],
        costs: Floats,
        *,
        size: int,
        budget: int,
        objective: Objective,
        direction: Direction = "minimize",
        failures: Failures = WORST,
    ) -> None:
        self._queue = TaskQueue()
        super().__init__(direction, self._queue, failures=failures)
        self._size, self._objective = size, objective
        self.candidates = tuple(candidates)
        self.costs, self.budget = costs.copy(), Budget(evaluations=budget)
        self.entrants = tuple(Entrant(candidate=one) for one in self.candidates)
        self.verdicts: Sequence[Verdict] = ()
        self.stopped: Stop | None = None
        self._rows = [
            Instance(row, one.name, one.seed, one.problem, one.number, one.family)
            for row, one in enumerate(instances)
        ]
        self._column = {one.id: place for place, one in enumerate(self.candidates)}
        self._told: dict[tuple[int, int], Outcome] = {}
        self._wanted: list[tuple[int, int]] = []
        self._batch = Batch()
        self.spent = Spent()
        self._next()

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Check that a log holds the same candidates.

        Raises
        ------
        RaceError
            If it holds others.
        """
        for mine, logged in zip(self.entrants, entrants, strict=False):
            if dict(mine.candidate.values) != dict(logged.candidate.values):
                raise RaceError(f"candidate {logged.candidate.id} is another one in the log")

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next, without speculation."""
        return [] if self.done else self._queue.take(limit)

    def _hear(self, outcome: Outcome) -> None:
        if outcome.candidate not in self._column or not 0 <= outcome.step < len(self._rows):
            raise RaceError(stranger(outcome, "filling"))
        if outcome.key in self._told:
            raise RaceError(told_twice(outcome))
        self._told[outcome.key] = outcome
        self._queue.answered(outcome.key)
        self._go_on()

    def _go_on(self) -> None:
        """Enter cells and choose the next ones, as far as outcomes are there."""
        while not self.done and self._batch.complete:
            self._enter()
            self._next()

    def end(self, reason: Stop) -> None:
        """Stop from outside."""
        if not self.done:
            self.stopped = reason
            self._queue.clear()

    def extend(self, budget: Budget) -> None:
        """Continue after the end, with more cells, counted from the start.

        Raises
        ------
        RaceError
            If it is not over.
        """
        if not self.done:
            raise RaceError("the filling is not over yet; extend it when it is")
        self.budget, self.stopped = budget, None
        self._next()
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
        return 0.0 if self.done else float((self.budget.evaluations or 0) - self.outcomes)

    @property
    def speculative(self) -> int:
        """None: every experiment is certain to be needed."""
        return 0

    @property
    def wasted(self) -> int:
        """None: every outcome counts."""
        return 0

    @property
    def instances(self) -> Instances:
        """The instances, by name."""
        return Instances([one.name for one in self._rows])

    @property
    def instances_seen(self) -> int:
        """How many instances there are."""
        return len(self._rows)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """All candidates."""
        return self.candidates

    @property
    def winner(self) -> Candidate | None:
        """None: a team is chosen afterwards."""
        return None

    @property
    def as_search(self) -> None:
        """None, as it is not a search."""

    def instance(self, step: int) -> Instance:
        """The instance of a row."""
        return self._rows[step]

    # --- inside -----------------------------------------------------------------------------

    def _enter(self) -> None:
        """Note the outcomes of the last cells."""
        outcomes = [self._told[self.candidates[column].id, row] for row, column in self._wanted]
        for (row, column), outcome in zip(self._wanted, outcomes, strict=True):
            self.costs[row, column] = outcome.cost
        self.spent = Spent(
            evaluations=self.spent.evaluations + len(outcomes),
            target_time=self.spent.target_time + math.fsum(one.seconds for one in outcomes),
        )

    def _next(self) -> None:
        """Choose the next cells, or end."""
        most = (self.budget.evaluations or 0) - self.spent.evaluations
        self._wanted = next_cells(self.costs, self._size, self._objective, most) if most else []
        if not self._wanted:
            self.end(Stop.INSTANCES if most else Stop.EVALUATIONS)
            return
        self._batch = Batch()
        for row, column in self._wanted:
            experiment = Experiment(self.candidates[column], self._rows[row])
            if experiment.key not in self._told:
                self._queue.want(experiment, self._batch, 0)
