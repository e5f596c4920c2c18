"""The results of tests of algorithms, paired or not: the records of a comparison, its verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.groups import Group, cover, groups
from racing.analysis.compare.result_table import Floats

if TYPE_CHECKING:
    from racing.analysis.compare.choices import Asked

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Omnibus:
    """Is there any difference at all?

    `df` is empty where the p-value comes from no table; `effect` is Kendall's W for rank tests and
    partial η² for ANOVA, None for Quade; `ties` says how ties were treated: "none" (there are
    none), "corrected", "ignored" (the printed formula) or "exact" (conditional on them).
    """

    test: str
    statistic: float
    pvalue: float
    df: tuple[int, ...]
    effect: float | None
    ties: str
    p_error: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """The h comparisons that were made, each of a `first` with a `second` algorithm (columns).

    All arrays have shape (h,). Against a control, `second` is the control.

    Attributes
    ----------
    statistic, statistic_name
        Of the test; positive if the first is better, but for counts and rank sums.
    favours
        1 if the test sees the first ahead, -1 the second, 0 neither.
    pvalues, adjusted
        Two-sided; before and after the correction for h comparisons.
    exact
        Where the p-value is that of an exact distribution.
    """

    first: Ints
    second: Ints
    statistic: Floats
    statistic_name: str
    favours: Ints
    pvalues: Floats
    adjusted: Floats
    exact: Bools


@dataclass(frozen=True, kw_only=True, eq=False)
class Effects:
    """How large the differences are, for the comparisons of a `Family`; arrays of shape (h,).

    `a` is the chance that the first is better on an instance, ties counted half, with its interval.
    `difference` is the location of the paired differences in units of score, positive where the
    first is better, with its interval; NaN for ranks; of scores that are all 0 or 1 it is the
    difference of shares. `level` holds for each interval by itself.
    """

    wins: Ints
    ties: Ints
    losses: Ints
    a: Floats
    a_low: Floats
    a_high: Floats
    difference: Floats
    low: Floats
    high: Floats
    level: float
    estimator: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior:
    """Posterior probabilities of all pairs, (m, m): [i, j] that i is (practically) better than j.

    `rope` is the probability of practical equivalence; for "correlated-t" that both win on equally
    many instances. `standard_error` is the largest error of Monte Carlo, 0 if nothing was drawn.
    `low` and `high` bound `better` over all places of a prior of the same weight; None where the
    instances are many, or the test has no such prior.
    """

    test: str
    better: Floats
    rope: Floats
    standard_error: float
    low: Floats | None = None
    high: Floats | None = None


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something to keep in mind: a kind, and the facts that go with it."""

    kind: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdicts:
    """Tests of m algorithms and what follows from them; nothing is rounded or put into words.

    Attributes
    ----------
    names : the algorithms, in the order of the table
    mean_ranks : (m,), lower is better
    omnibus : None if it was left out
    critical_difference : of two mean ranks, if the procedure has one
    posterior : of all pairs, one at a time, if asked for
    notes : caveats
    """

    names: tuple[str, ...]
    choices: Asked
    mean_ranks: Floats
    omnibus: Omnibus | None
    family: Family
    effects: Effects
    critical_difference: float | None = None
    posterior: Posterior | None
    notes: tuple[Note, ...]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns, best mean rank first; ties keep the order of the columns."""
        return tuple(int(i) for i in np.argsort(self.mean_ranks, kind="stable"))

    @cached_property
    def significant(self) -> Bools:
        """(h,) whether each comparison's adjusted p-value is at most α."""
        return np.asarray(self.family.adjusted <= self.choices.alpha)

    @cached_property
    def pvalues(self) -> Floats:
        """(m, m) raw p-values; NaN where no comparison was made, 1 on the diagonal."""
        return self._matrix(self.family.pvalues)

    @cached_property
    def adjusted(self) -> Floats:
        """(m, m) adjusted p-values; NaN where no comparison was made, 1 on the diagonal."""
        return self._matrix(self.family.adjusted)

    @cached_property
    def joined(self) -> Bools:
        """(m, m) which pairs were compared, and not shown to differ."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.adjusted > self.choices.alpha)

    @cached_property
    def groups(self) -> tuple[Group, ...] | None:
        """All maximal groups of algorithms not shown to differ, by rank of their best member.

        Columns in each are in order of mean rank. None against a control, and if there are too
        many to list.
        """
        if self.choices.control is not None:
            return None
        found = groups(self._joined_in_order())
        return None if found is None else self._named(found)

    @cached_property
    def bars(self) -> tuple[Group, ...]:
        """Groups of two or more that together show every pair not shown to differ."""
        if self.choices.control is not None:
            return ()
        return self._named(cover(self._joined_in_order()))

    def _joined_in_order(self) -> Bools:
        return self.joined[np.ix_(self.order, self.order)]

    def _named(self, found: tuple[Group, ...]) -> tuple[Group, ...]:
        return tuple(tuple(self.order[place] for place in group) for group in found)

    def _matrix(self, values: Floats) -> Floats:
        m = len(self.names)
        matrix = np.full((m, m), np.nan)
        np.fill_diagonal(matrix, 1.0)
        matrix[self.family.first, self.family.second] = values
        matrix[self.family.second, self.family.first] = values
        return matrix
