"""The growing matrix of costs behind a race."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.core.failures import WORST, Failures
from racing.core.field import Field
from racing.core.goal import Goal
from racing.core.results import Results


class CostTable:
    """Rows are instances by step, columns are candidates by order of entry; both only grow.

    Parameters
    ----------
    group_at
        The group of the instance at a step; None where instances are independent.
    goal
        The metrics, if several: their costs are kept beside the judged one.
    failures
        What a failure counts as.
    """

    def __init__(
        self,
        group_at: Callable[[int], int | None] = lambda step: None,
        goal: Goal | None = None,
        failures: Failures = WORST,
    ) -> None:
        self._goal, self._failures = goal, failures
        several = 0 if goal is None else len(goal.names)
        self._metrics = np.full((8, 8, several), np.nan)
        self._fields = tuple(Field() for _ in range(several))
        self.group_at = group_at
        self._groups: list[int] = []  # by step; empty where instances are independent
        self._grouped = 0  # the number of steps with a known group
        self._costs = np.full((8, 8), np.nan)
        self._alive = np.zeros((8, 8), dtype=bool)
        self._failed = np.zeros((8, 8), dtype=bool)
        self._field = Field()
        self._rows = 0
        self._columns: dict[int, int] = {}  # by the candidate's id

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self._columns)

    def add_column(self, candidate: int) -> None:
        """Give a candidate the next column."""
        self._columns[candidate] = self.width
        self._grow(self._rows, self.width)

    def has(self, candidate: int, step: int) -> bool:
        """Whether there is a cost of this candidate on this instance."""
        column = self._columns.get(candidate)
        return column is not None and step < self._rows and not isnan(self._costs[step, column])

    def put(
        self,
        step: int,
        candidates: Sequence[int],
        costs: Sequence[float],
        *,
        metrics: Sequence[Sequence[float]] = (),
        failed: Sequence[bool] = (),
        late: bool = False,
    ) -> None:
        """Write the costs of these candidates on an instance.

        Parameters
        ----------
        metrics
            The costs of each metric, where there are several; () for what failed.
        failed
            Which of them failed, where the costs do not say it.
        late
            Whether the instance was closed before.
        """
        self._rows = max(self._rows, step + 1)
        self._grow(self._rows, self.width)
        columns = self._places(candidates)
        while self._grouped < self._rows:
            if (group := self.group_at(self._grouped)) is not None:
                self._groups.append(group)
            self._grouped += 1
        self._costs[step, columns] = costs
        if self._fields:
            worst = (np.inf,) * len(self._fields)
            self._metrics[step, columns] = [own or worst for own in metrics]
        self._failed[step, columns] = failed or False
        self._alive[step, columns] = not late

    def results(self, survivors: Sequence[int], rows: Sequence[int] | None = None) -> Results:
        """The results for a rule: all rows, or only these in this order."""
        chosen = slice(self._rows) if rows is None else list(rows)
        costs, alive = self._costs[chosen, : self.width], self._alive[chosen, : self.width]
        metrics, failed = self._metrics[chosen, : self.width], self._failed[chosen, : self.width]
        for view in (costs, alive, metrics, failed):
            view.flags.writeable = False
        # chosen rows have their own order, which differs from that in the memory of `field`
        field = self._field if rows is None else Field()
        groups = np.array(self._groups, dtype=np.intp)[chosen] if self._groups else None
        return Results(
            costs, alive, tuple(self._columns), self._places(survivors), field, groups=groups,
            metrics=metrics if self._fields else None, goal=self._goal,
            fields=self._fields if rows is None else (), failures=self._failures,
            failed=None if self._failures.cost is None else failed,
        )  # fmt: skip

    def _places(self, candidates: Sequence[int]) -> NDArray[np.intp]:
        return np.array([self._columns[id] for id in candidates], dtype=np.intp)

    def _grow(self, rows: int, columns: int) -> None:
        height, width = self._costs.shape
        if rows <= height and columns <= width:
            return
        shape = max(height, 2 * rows), max(width, 2 * columns)

        def grown(old: Any, fill: float) -> Any:
            new = np.full((*shape, *old.shape[2:]), fill, dtype=old.dtype)
            new[:height, :width] = old
            return new

        self._costs, self._metrics = grown(self._costs, np.nan), grown(self._metrics, np.nan)
        self._alive, self._failed = grown(self._alive, False), grown(self._failed, False)
