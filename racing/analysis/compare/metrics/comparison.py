"""A comparison by several metrics as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Note
from racing.answer.text import text
from racing.stats.dominance import JointDominance


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricComparison:
    """The outcome of `compare_metrics` for m algorithms, n instances and K metrics.

    Attributes
    ----------
    tables : the table of each metric by name, all with the same algorithms and instances in the
        same order
    ropes : (K,) means that differ by no more are equal
    alpha : intervals have confidence 1 − α, and statements that are accepted are all true with
        probability above 1 − α
    seed : of the draws
    means, low, high : (m, K) means in the user's direction, and Student's interval of each, over
        the instances on which an algorithm did not fail; NaN where there are too few
    failed : (m,) on how many instances each algorithm failed
    undominated : (m,) which algorithms no other dominates, by the means, of those that failed
        least often
    knee : the column of the best compromise
    dominance : statements that can be believed together, and P(on the front)
    notes : caveats

    Examples
    --------
    >>> import racing
    >>> quality = [[0.1, 0.9, 0.3], [0.2, 0.8, 0.2], [0.1, 0.7, 0.4], [0.3, 0.8, 0.3]]
    >>> time = [[9.0, 2.0, 9.5], [8.0, 1.0, 8.5], [9.0, 2.0, 9.1], [7.0, 1.0, 9.0]]
    >>> found = racing.compare_metrics({"quality": quality, "time": time})
    >>> found.front
    ('A1', 'A2')
    """

    tables: dict[str, ResultTable]
    ropes: tuple[float, ...]
    alpha: float
    seed: int
    means: Floats
    low: Floats
    high: Floats
    failed: NDArray[np.intp]
    undominated: NDArray[np.bool_]
    knee: int
    dominance: JointDominance
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        """The report, as `racing compare` prints it."""
        from racing.analysis.compare.metrics.report import document  # it names this class

        return text(document(self)).rstrip()

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms."""
        return self.first.names

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics."""
        return tuple(self.tables)

    @property
    def first(self) -> ResultTable:
        """The table of the first metric."""
        return next(iter(self.tables.values()))

    @property
    def on_front(self) -> Floats:
        """(m,) the probability of each algorithm to be on the front of the true means."""
        return self.dominance.on_front

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns: the front by its first metric, then the others, most probable first.

        What failed more often than others comes last, the fewest failures first.
        """
        sign = 1.0 if self.first.direction == "minimize" else -1.0
        by = np.where(self.undominated, sign * self.means[:, 0], -self.on_front)
        return tuple(int(i) for i in np.lexsort((by, self.failed, ~self.undominated)))

    @property
    def front(self) -> tuple[str, ...]:
        """The algorithms on the front of the means, by their first metric."""
        return tuple(self.names[i] for i in self.order if self.undominated[i])

    @property
    def statements(self) -> tuple[tuple[str, str], ...]:
        """(j, c): j dominates c; all are true together with probability above 1 − α."""
        found, k = self.dominance, self.dominance.accepted
        pairs = zip(found.better[:k].tolist(), found.worse[:k].tolist(), strict=True)
        return tuple((self.names[j], self.names[c]) for j, c in pairs)
