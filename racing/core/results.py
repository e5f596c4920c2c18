"""The costs of a race so far, as a matrix for rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, require, show
from racing.base.markup import table
from racing.core.failures import WORST, Failures
from racing.core.field import Field
from racing.core.means import estimated_costs, plain_means
from racing.stats.sign import Counts

if TYPE_CHECKING:
    from racing.core.goal import Goal

_COLUMNS_SHOWN = 12


@dataclass(frozen=True, eq=False)
class Results:
    """The matrix of costs: rows are instances in the order of tests, columns are candidates.

    Attributes
    ----------
    costs : (n, m) array, read-only
        Lower is better, +inf = failed, NaN = not run. A dropped candidate keeps its costs; one that
        joined late has only some of the rows.
    alive : (n, m) bool array, read-only
        Whether the candidate was in the race when that instance was closed.
    candidates : tuple of m ids
        The candidate of each column.
    survivors : (k,) int array
        The columns that are still in the race.
    field
        Values kept from test to test: the ranks among all candidates, and wins.
    groups : (n,) int array, or None
        The group of each instance: costs within a group are correlated (`racing.rules.dependence`).
        None if all instances are independent.
    metrics : (n, m, K) array, read-only, or None
        The costs of each metric, where there are several; as `costs`, which then has what they are
        judged by, one number an experiment.
    goal
        The objective over several metrics; None for one.
    fields
        As `field`, for each metric.
    failures
        What a failure counts as. `costs` and `metrics` have +inf; `judged` has what it counts as.
    failed : (n, m) bool array, read-only, or None
        What failed, where a penalty stands in `costs` for the failure; None where +inf says so.
    raw
        Of what `judged` gives: the results before, whose ranks these have.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> for experiment in race.ask():
    ...     race.tell(experiment, experiment.candidate.values["x"])
    >>> race.results.candidates, race.results.costs[0].tolist()
    ((1, 2), [1.0, 2.0])
    """

    costs: NDArray[np.float64]
    alive: NDArray[np.bool_]
    candidates: tuple[int, ...]
    survivors: NDArray[np.intp]
    field: Field = dataclasses.field(default_factory=Field, compare=False, repr=False)
    groups: NDArray[np.intp] | None = None
    metrics: NDArray[np.float64] | None = None
    goal: Goal | None = None
    fields: tuple[Field, ...] = dataclasses.field(default=(), compare=False, repr=False)
    failures: Failures = WORST
    failed: NDArray[np.bool_] | None = None
    raw: Results | None = None

    @cached_property
    def judged(self) -> Results:
        """The results as means read them, each failure as what it counts as; ranks are the same."""
        costs, metrics = self.failures.judged(self.costs, self.metrics)
        if costs is self.costs:
            return self
        return dataclasses.replace(
            self, costs=costs, metrics=metrics, failures=WORST, raw=self.raw or self
        )

    def of(self, metric: int | str) -> Results:
        """The results of one metric alone, with ranks of their own.

        Parameters
        ----------
        metric
            Its name, or its place among the metrics.

        Raises
        ------
        InputError
            If there is no such metric.
        """
        names = () if self.goal is None else self.goal.names
        place = names.index(metric) if metric in names else metric
        if self.metrics is None or not isinstance(place, int) or not 0 <= place < len(names):
            there = f"there are {', '.join(names)}" if names else "there is one cost, without names"
            raise InputError(f"there is no metric {show(metric)} in these results; {there}")
        return dataclasses.replace(
            self,
            costs=self.metrics[:, :, place],
            field=self.fields[place] if self.fields else Field(),
            metrics=None,
            goal=None,
            fields=(),
            raw=None if self.raw is None else self.raw.of(metric),
        )

    def lost(self, columns: Sequence[int] | NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n, c) what failed in these columns, whatever it counts as."""
        lost = np.isinf(self.costs[:, columns])
        return lost if self.failed is None else lost | self.failed[:, columns]

    @property
    def failures_seen(self) -> NDArray[np.intp]:
        """(k,) failures of each survivor on the rows of `block`, whatever they count as."""
        return np.asarray(self.lost(self.survivors)[self._complete].sum(axis=0))

    @cached_property
    def shared(self) -> NDArray[np.float64]:
        """(n', m) costs of all candidates on the instances that all survivors have seen."""
        complete = self._complete
        return self.costs if complete.all() else self.costs[complete]

    @cached_property
    def shared_groups(self) -> NDArray[np.intp] | None:
        """(n',) the groups of the instances of `shared`; None if all are independent."""
        return None if self.groups is None else self.groups[self._complete]

    @property
    def _complete(self) -> NDArray[np.bool_]:
        """(n,) whether all survivors have seen the instance."""
        return np.asarray(~np.isnan(self.costs[:, self.survivors]).any(axis=1))

    @cached_property
    def block(self) -> NDArray[np.float64]:
        """(n', k) costs of the survivors on the instances that all of them have seen."""
        return self.shared[:, self.survivors]

    @cached_property
    def metric_block(self) -> NDArray[np.float64]:
        """(n', k, K) the costs of the metrics, as `block`, where there are several."""
        assert self.metrics is not None
        return np.asarray(self.metrics[self._complete][:, self.survivors])

    @cached_property
    def field_ranks(self) -> NDArray[np.float64]:
        """(n', k) ranks of the survivors among all candidates, on the rows of `block`.

        Where some did not run, that is an estimate (`racing.core.field`).
        """
        costs = self.costs if self.raw is None else self.raw.costs
        return self.field.ranks(costs, self.survivors)

    @cached_property
    def wins(self) -> Counts:
        """(k, k) counts of the rows of `block` on which each survivor beats each other one.

        Small unsigned integers: convert them before subtracting.
        """
        block = self.block if self.raw is None else self.raw.block
        return self.field.wins.of(block, self.survivors)

    @cached_property
    def estimated(self) -> NDArray[np.float64]:
        """(n', m) `shared`, as the objective `mean` averages them.

        They are the costs, except for heavy tails (`racing.core.means`).
        """
        return estimated_costs(self.shared, self.survivors)

    @cached_property
    def mean_costs(self) -> NDArray[np.float64]:
        """(k,) estimated means of the finite costs of the survivors, lower is better."""
        return plain_means(self.estimated[:, self.survivors])

    def id(self, survivor: int) -> int:
        """The id of the candidate in a column of `block`."""
        return self.candidates[int(self.survivors[survivor])]

    def to_frame(self) -> Any:
        """The costs as a pandas data frame: the same rows, candidates' ids as columns.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="a data frame")
        columns = pandas.Index(self.candidates, name="candidate")
        return pandas.DataFrame(self.costs, columns=columns)

    def _repr_html_(self) -> str:
        """The latest costs of the survivors, for notebooks."""
        n, survivors = len(self.costs), self.survivors[:_COLUMNS_SHOWN]
        numbered = enumerate(self.costs[:, survivors][::-1])
        rows = ([n - i, *("" if np.isnan(c) else float(c) for c in row)] for i, row in numbered)
        left, all_ = len(self.survivors), len(self.candidates)
        caption = f"Costs of {len(survivors)} of {left} survivors ({all_} candidates), latest first"
        return table(caption, ["instance", *(f"#{self.candidates[i]}" for i in survivors)], rows,
                     total=n)  # fmt: skip
