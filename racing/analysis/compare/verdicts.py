"""The records of a comparison: what was chosen, tested and found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from racing.analysis.compare.result_table import Bools, Floats, Ints, ResultTable
from racing.stats.dp_kruskal import BayesianKruskal
from racing.stats.effects import ContrastEstimation
from racing.stats.joint import JointComparisons
from racing.stats.plackett_luce import PlackettLuce


@dataclass(frozen=True, kw_only=True)
class Method:
    """A test, a correction or an estimate: what it does, and all that is said of it.

    Attributes
    ----------
    noun : its name in a sentence
    source : of which numbers, by whom: "F: Quade (1979), …"
    run : the function that does it
    why : why it is taken where nothing else is asked for
    traits : what holds of it: "sizes" (it looks at the size of differences, which ranks do not
        hold), "normal", "location" (it is about the centre of symmetric differences), "pool" (the
        outcome for two depends on the others), "intransitive" (equality to a third says nothing),
        "spreads" (it takes them as equal), "whole" (it corrects by itself), "exact", "independent"
        (a correction that needs it), "pairs" (only for all pairs), "bounds" (it has some)
    """

    noun: str
    source: str
    run: Callable[..., Any]
    why: str = "the default"
    traits: frozenset[str] = frozenset()


Methods: TypeAlias = Mapping[str, Method]


def method(
    noun: str, source: str, run: Callable[..., Any], traits: str = "", why: str = "the default"
) -> Method:
    """A method with its traits as words."""
    return Method(noun=noun, source=source, run=run, why=why, traits=frozenset(traits.split()))


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
class Tested:
    """Raw outcomes of a test of pairs, (h,) arrays; of `favours` only the sign counts."""

    statistic: Floats
    name: str
    favours: Floats
    pvalues: Floats
    exact: bool | Bools = False

    @classmethod
    def picked(
        cls, name: str, first: Ints, second: Ints, statistic: Floats, pvalues: Floats,
        *, exact: bool | Bools = False, favours: Floats | None = None,
    ) -> Tested:  # fmt: skip
        """The pairs that are compared, out of all, (m, m), or of those with the control, (m,)."""
        at = (first, second) if statistic.ndim == 2 else first
        better = statistic[at]
        return cls(
            statistic=better, name=name, favours=better if favours is None else favours,
            pvalues=pvalues[at], exact=exact if isinstance(exact, bool) else exact[at],
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
    said : what the design is, and when another one is right
    omnibus, tests, posteriors : by name, the first of each being the usual choice
    corrections : names of those that serve
    usual_bound : of posteriors
    effects : how large the differences are
    """

    paired: bool
    said: str
    omnibus: Methods
    tests: Methods
    posteriors: Methods
    corrections: tuple[str, ...]
    usual_bound: str
    effects: Callable[[ResultTable, Choices, Ints, Ints, Methods], Effects]
