"""The costs that a race has seen so far, as a matrix that rules read."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.errors import require
from racing.field import Field
from racing.markup import table
from racing.means import estimated_costs, plain_means
from racing.stats._win_counts import Counts

_COLUMNS_SHOWN = 12


@dataclass(frozen=True)
class Results:
    """What a rule sees: rows are instances in the order judged, columns are candidates.

    Attributes
    ----------
    costs : (n, m) array, read-only
        Lower is better, +inf = failed, NaN = not run. A candidate that was dropped keeps the costs
        that it had; one that joined late has seen only some of the rows.
    alive : (n, m) bool array, read-only
        Who was in the race when that instance was closed.
    candidates : tuple of m ids
        Which candidate each column is.
    survivors : (k,) int array
        The columns that are still in the race.
    field
        What is remembered from look to look: the ranks among all candidates, and wins.
    groups : (n,) int array, or None
        The group of each instance: costs within a group are correlated (`racing.dependence`). None
        if all instances are independent.
    """

    costs: NDArray[np.float64]
    alive: NDArray[np.bool_]
    candidates: tuple[int, ...]
    survivors: NDArray[np.intp]
    field: Field = dataclasses.field(default_factory=Field, compare=False, repr=False)
    groups: NDArray[np.intp] | None = None

    @cached_property
    def shared(self) -> NDArray[np.float64]:
        """(n', m) costs of everybody on the instances that all survivors have seen."""
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
    def field_ranks(self) -> NDArray[np.float64]:
        """(n', k) ranks of the survivors among all candidates, on the rows of `block`.

        Where some did not run, that is an estimate (`racing.field`).
        """
        return self.field.ranks(self.costs, self.survivors)

    @cached_property
    def wins(self) -> Counts:
        """(k, k) on how many rows of `block` each survivor beats each other one.

        Small unsigned integers: convert them before subtracting.
        """
        return self.field.wins.of(self.block, self.survivors)

    @cached_property
    def estimated(self) -> NDArray[np.float64]:
        """(n', m) `shared`, as the objective `mean` averages them.

        They are the costs, but for heavy tails (`racing.means`).
        """
        return estimated_costs(self.shared, self.survivors)

    @cached_property
    def mean_costs(self) -> NDArray[np.float64]:
        """(k,) estimated means of the finite costs of the survivors, lower is better."""
        return plain_means(self.estimated[:, self.survivors])

    def id(self, survivor: int) -> int:
        """The candidate in a column of `block`."""
        return self.candidates[int(self.survivors[survivor])]

    def to_frame(self) -> Any:
        """The costs as a pandas data frame: rows as they are here, candidates' ids as columns.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="a data frame")
        columns = pandas.Index(self.candidates, name="candidate")
        return pandas.DataFrame(self.costs, columns=columns)

    def _repr_html_(self) -> str:
        """The latest costs of those that are in the race, for notebooks."""
        n, survivors = len(self.costs), self.survivors[:_COLUMNS_SHOWN]
        numbered = enumerate(self.costs[:, survivors][::-1])
        rows = ([n - i, *("" if np.isnan(c) else float(c) for c in row)] for i, row in numbered)
        left, all_ = len(self.survivors), len(self.candidates)
        caption = f"Costs of {len(survivors)} of {left} survivors ({all_} candidates), latest first"
        return table(caption, ["instance", *(f"#{self.candidates[i]}" for i in survivors)], rows,
                     total=n)  # fmt: skip
