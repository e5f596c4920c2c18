"""Runs the cells of a matrix of costs that can change the team, by ask and tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from racing.analysis.batches import BatchDecider, Batches
from racing.analysis.portfolio.potential import Floats, next_cells
from racing.base.quantities import Direction
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.core.failures import WORST, Failures
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.stop import Stop


class Filling(BatchDecider):
    """Runs what may change a team, a few cells at a time: a `Decider`.

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

    word: ClassVar[str] = "filling"

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
        super().__init__(budget, direction, failures)
        self.costs, self._size, self._objective = costs.copy(), size, objective
        self._rows = [
            Instance(row, one.name, one.seed, one.problem, one.number, one.family)
            for row, one in enumerate(instances)
        ]
        for one in candidates:
            self._enter(one)
        self._go_on()

    @property
    def instances(self) -> Instances:
        """The instances, by name."""
        return Instances([one.name for one in self._rows])

    @property
    def instances_seen(self) -> int:
        """How many instances there are."""
        return len(self._rows)

    def instance(self, step: int) -> Instance:
        """The instance of a row."""
        return self._rows[step]

    def _batches(self) -> Batches:
        """The next cells, while some can change the team and the budget lasts."""
        while most := (self.budget.evaluations or 0) - self.spent.evaluations:
            cells = next_cells(self.costs, self._size, self._objective, most)
            if not cells:
                return Stop.INSTANCES
            batch = [Experiment(self.candidates[j], self._rows[i]) for i, j in cells]
            yield batch
            for cell, experiment in zip(cells, batch, strict=True):
                self.costs[cell] = self._told[experiment.key].cost
        return Stop.EVALUATIONS
