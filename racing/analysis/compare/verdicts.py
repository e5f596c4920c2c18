"""The records of a comparison: what was chosen, tested and found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from racing.analysis.compare.methods import Method, Methods, refusal
from racing.analysis.compare.result_table import Bools, Floats, Ints, ResultTable
from racing.base.errors import InputError
from racing.stats.dp_rank_sum import BayesianKruskal
from racing.stats.effects import ContrastEstimation
from racing.stats.joint import JointComparisons
from racing.stats.plackett_luce import PlackettLuce

MOST_PAIRS = 50_000
"""The most pairs that are compared: each has a test, an interval and a line."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """The options of a comparison, with all defaults filled in; names as `StudyDesign` has them.

    Attributes
    ----------
    omnibus : the test of any difference
    test : what every pair is compared by
    correction : for several comparisons
    control : the algorithm that all others are compared with, or None for all pairs
    alpha : family-wise level (or false discovery rate), two-sided
    posterior : the Bayesian test
    rope : differences up to this are practically equivalent: in units of score, or of A for runs
    bound : which prior of weight s the posterior is for
    s : prior weight, in instances or runs
    seed : of every random draw
    given : which of omnibus, test, correction and posterior were chosen by the user
    tie_correction : whether omnibus test and normal approximations account for ties
    ranked : the table holds ranks, 1 = best
    rho : correlation of repetitions, for "correlated-t"
    also : what is estimated besides
    """

    omnibus: str
    test: str
    correction: str
    control: str | None
    alpha: float
    posterior: str
    rope: float
    bound: str
    s: float
    seed: int
    given: tuple[str, ...]
    tie_correction: bool = True
    ranked: bool = False
    rho: float = 0.0
    also: tuple[str, ...] = ()

    @property
    def rng(self) -> np.random.Generator:
        """A new generator of random draws."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, kw_only=True)
class Omnibus:
    """Is there any difference at all?

    `df` is empty where the p-value comes from no table; `effect` is Kendall's W for rank tests,
    partial η² for ANOVA and ε² for Kruskal and Wallis' test, None for Quade; `ties` says how ties
    were treated: "none" (there are none), "corrected", "ignored" (the printed formula) or "exact"
    (conditional on them).
    """

    test: str
    statistic: float
    pvalue: float
    df: tuple[int, ...]
    effect: float | None
    ties: str
    p_error: float = 0.0

    @classmethod
    def of(cls, found: Any, test: str, ties: str, effect: float | None = None) -> Omnibus:
        """From what a test of `racing.stats` found."""
        df = found.df if isinstance(found.df, tuple) else (found.df,)
        return cls(
            test=test, statistic=found.statistic, pvalue=found.pvalue, df=df, effect=effect,
            ties=ties, p_error=getattr(found, "p_error", 0.0),
        )  # fmt: skip


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

    `a` is the chance that the first is better on an instance, ties counted half, with its interval;
    of runs that a run of the first is better than one of the second, which wins, ties and losses
    count. `difference` is the location of the paired differences in units of score, positive where
    the first is better, with its interval; NaN for ranks and runs; of scores that are all 0 or 1 it
    is the difference of shares. `level` holds for each interval by itself.
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

    @property
    def drawn(self) -> bool:
        """Whether 0 and 1 may be counts of draws, which are not certain."""
        return self.standard_error > 1e-6


Statements: TypeAlias = JointComparisons | BayesianKruskal
"""What can be believed of all algorithms together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """What was asked for besides tests; None for the others.

    `cohens_d` and `akinshin_gamma` have shape (h,), one for each comparison that was made; positive
    where the first is better.
    """

    contrasts: ContrastEstimation | None = None
    worths: PlackettLuce | None = None
    cohens_d: Floats | None = None
    akinshin_gamma: Floats | None = None


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something to keep in mind: a kind, what is said of it, and the facts that go with it."""

    kind: str
    text: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyDesign:
    """How scores belong together, and what suits them.

    Attributes
    ----------
    paired : whether the scores of a row belong together
    omnibus, tests, posteriors, also : by name, the first of each being the usual choice
    corrections : those that serve, by name
    usual_bound : of posteriors
    effects : how large the differences are
    """

    paired: bool
    omnibus: Methods
    tests: Methods
    posteriors: Methods
    also: Methods
    corrections: Methods
    usual_bound: str
    effects: Callable[[Study], Effects]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Study:
    """What is compared, and how: a paired table, or runs, of which tests look at one problem."""

    design: StudyDesign
    table: ResultTable
    choices: Choices

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms, in the order of the table."""
        return self.table.names

    @property
    def test(self) -> Method:
        """What the pairs were compared by."""
        return self.design.tests[self.choices.test]

    @property
    def control(self) -> int | None:
        """The column that all others are compared with."""
        return None if self.choices.control is None else self.table.column(self.choices.control)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The columns that are compared: all pairs i < j, or all others with the control.

        Raises
        ------
        InputError
            If there are more than `MOST_PAIRS`.
        """
        m = self.table.m
        if self.control is not None:
            return np.delete(np.arange(m), self.control), np.full(m - 1, self.control)
        if (pairs := m * (m - 1) // 2) > MOST_PAIRS:
            raise InputError(refusal("many-pairs", m=m, pairs=pairs, most=MOST_PAIRS))
        return np.triu_indices(m, 1)

    @property
    def costs(self) -> Floats:
        """(n, m) costs of a paired table."""
        return self.table.costs

    @cached_property
    def runs(self) -> list[Floats]:
        """The costs of the runs of each algorithm."""
        return self.table.run_costs(0)

    def of_pairs(self, values: Floats) -> Any:
        """The values of the pairs, out of those of all pairs, (m, m), or with the control, (m,)."""
        return values[self.pairs] if values.ndim == 2 else values[self.pairs[0]]

    def tested(
        self, name: str, statistic: Floats, pvalues: Floats, favours: Any, exact: Any = False
    ) -> Family:
        """What a test of the pairs found, (h,) each, corrected for their number."""
        first, second = self.pairs
        return Family(
            first=first, second=second, statistic=statistic, statistic_name=name,
            favours=np.sign(favours).astype(np.intp), pvalues=pvalues,
            adjusted=self.design.corrections[self.choices.correction].run(pvalues),
            exact=np.broadcast_to(exact, first.shape),
        )  # fmt: skip
