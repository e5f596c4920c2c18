"""Runs that nothing pairs: the tests that suit them, over `racing.stats`; one problem at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.bayes import BOUNDS, of_the_process
from racing.analysis.compare.corrections import CORRECTIONS
from racing.analysis.compare.result_table import Floats, Ints, ResultTable
from racing.analysis.compare.verdicts import (
    Choices,
    Effects,
    Methods,
    Omnibus,
    StudyDesign,
    Tested,
    method,
)
from racing.stats.brunner_munzel import brunner_munzel
from racing.stats.dp_kruskal import BayesianKruskal, dp_kruskal
from racing.stats.dp_rank_sum import dp_rank_sum
from racing.stats.effects import vargha_delaney
from racing.stats.rank_sums import (
    KruskalMethod,
    conover_iman,
    dunn,
    kruskal,
    mann_whitney,
    steel,
    steel_dwass,
)

_MADE = {"exact": "kruskal-exact", "permutation": "kruskal-permutation", "chi2": "kruskal"}
_KRUSKAL = "H: Kruskal and Wallis (1952)"
_STEEL = ("statistics", "pvalues")
_U = "U, the pairs of runs that the first wins, ties half: Mann and Whitney (1947)"


def _kruskal(how: KruskalMethod) -> Callable[[ResultTable, Choices], Omnibus]:
    def run(table: ResultTable, choices: Choices) -> Omnibus:
        """`test` of the record names the origin of its p-value."""
        found = kruskal(table.run_costs(0), method=how, rng=choices.rng)
        ties = "corrected" if found.method == "chi2" else "exact"
        return Omnibus.of(found, _MADE[found.method], ties if found.tied else "none", found.effect)

    return run


OMNIBUS: Methods = {
    "kruskal": method(
        "Kruskal and Wallis' test", f"{_KRUSKAL}, ties corrected; χ² for large samples",
        _kruskal("auto"), why="it asks for any difference between independent samples"),
    "kruskal-exact": method(
        "Kruskal and Wallis' test with its exact distribution",
        f"{_KRUSKAL}, its distribution over all assignments of the ranks to the algorithms",
        _kruskal("exact"), why="runs are few enough for the exact distribution"),
    "kruskal-permutation": method(
        "Kruskal and Wallis' test by random permutations",
        f"{_KRUSKAL}, its distribution over random assignments of the runs; the observed one "
        "counts as one", _kruskal("permutation")),
}  # fmt: skip


def _pairs(
    name: str, run: Callable[[list[Floats], Choices, int], Any], statistic: str = "statistic",
    pvalues: str = "pvalue", *, scale: float = 1.0,
) -> Callable[[ResultTable, Choices, Ints, Ints], Tested]:  # fmt: skip
    """A test of all samples, from a function and the names of what it finds."""

    def tested(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
        costs = table.run_costs(0)
        found = run(costs, choices, int(second[0]))
        return Tested.picked(
            name, first, second, scale * getattr(found, statistic), getattr(found, pvalues),
            exact=getattr(found, "exact", False),
            favours=vargha_delaney(costs, paired=False).a[first, second] - 0.5,
        )  # fmt: skip

    return tested


TESTS: Methods = {
    "brunner-munzel": method(
        "Brunner and Munzel's test",
        "t: Brunner and Munzel (2000), on the ranks of the two; without overlap the permutation "
        "test", _pairs("t", lambda costs, *_: brunner_munzel(costs)), "intransitive power",
        why="it looks at the two algorithms alone, and spreads may differ"),
    "brunner-munzel-permutation": method(
        "Brunner and Munzel's permutation test",
        "t: Brunner and Munzel (2000), its distribution over assignments of the runs: Neubert and "
        "Brunner (2007)", _pairs("t", lambda costs, choices, _: brunner_munzel(
            costs, method="permutation", rng=choices.rng)), "intransitive power"),
    "mann-whitney": method(
        "Mann and Whitney's test", f"{_U}; exact up to 50 runs of the two, ties included",
        _pairs("U", lambda costs, *_: mann_whitney(costs), "u"), "spreads power"),
    "mann-whitney-exact": method(
        "Mann and Whitney's exact test", f"{_U}; exact, ties included",
        _pairs("U", lambda costs, *_: mann_whitney(costs, method="exact"), "u"),
        "spreads power"),
    "dunn": method(
        "Dunn's test of mean ranks",
        "z: Dunn (1964), ranks among the runs of all algorithms, ties corrected",
        _pairs("z", lambda costs, *_: dunn(costs), pvalues="pvalues", scale=-1), "spreads pool"),
    "conover-iman": method(
        "Conover and Iman's test of mean ranks",
        "t: Conover and Iman (1979); Conover (1999), section 5.2",
        _pairs("t", lambda costs, *_: conover_iman(costs), pvalues="pvalues", scale=-1),
        "spreads pool gated"),
    "steel-dwass": method(
        "Steel and Dwass' test",
        "z of each pair: Steel (1960), Dwass (1960); p from the range of k normal variables, for "
        "unequal sizes Critchlow and Fligner (1991)",
        _pairs("z", lambda costs, *_: steel_dwass(costs), *_STEEL, scale=1 / np.sqrt(2)),
        "spreads whole pairs"),
    "steel": method(
        "Steel's test",
        "z of each with the control: Steel (1959); p from the largest of correlated normal "
        "variables",
        _pairs("z", lambda costs, _, control: steel(costs, control=control), *_STEEL),
        "spreads whole control"),
}  # fmt: skip


def _all_at_once(table: ResultTable, choices: Choices) -> BayesianKruskal:
    return dp_kruskal(
        table.run_costs(0), rng=choices.rng, gamma=choices.alpha, s=choices.s,
        bound=BOUNDS[choices.bound],
    )  # fmt: skip


POSTERIORS: Methods = {
    "rank-sum": method(
        "rank-sum",
        "Bayesian rank-sum test: Benavoli, Mangili, Ruggeri and Zaffalon (2015)",
        of_the_process("rank-sum", dp_rank_sum), "bounds",
        why="it says how probable a difference is, and how probable equivalence"),
    "kruskal": method(
        "kruskal",
        "Bayesian Kruskal-Wallis test: Dirichlet weights of the runs, shared by all pairs; "
        "statements as in Benavoli et al. (2015), section 5.3", _all_at_once, "bounds",
        why="it says what can be believed of all algorithms at once"),
}  # fmt: skip


def effects(table: ResultTable, choices: Choices, first: Ints, second: Ints, _: Methods) -> Effects:
    """Vargha and Delaney's A of each first over its second, with Brunner and Munzel's intervals.

    Wins, ties and losses count pairs of runs. Runs have no paired difference, so its location is
    NaN.
    """
    costs, at, level = table.run_costs(0), (first, second), 1.0 - choices.alpha
    counted = vargha_delaney(costs, paired=False)
    sized = brunner_munzel(costs, level=level)
    nothing = np.full(first.size, np.nan)
    return Effects(
        wins=counted.wins[at], ties=counted.ties[at], losses=counted.losses[at],
        a=sized.a[at], a_low=sized.low[at], a_high=sized.high[at], difference=nothing, low=nothing,
        high=nothing, level=level, estimator="none",
    )  # fmt: skip


UNPAIRED = StudyDesign(
    paired=False,
    said="Design: unpaired, as --unpaired says. Nothing joins a run of one algorithm to a run of "
    "another, so the samples are compared as wholes. For scores on shared instances or folds leave "
    "it out.",
    omnibus=OMNIBUS,
    tests=TESTS,
    posteriors=POSTERIORS,
    corrections=tuple(name for name in CORRECTIONS if name != "nemenyi"),
    usual_bound="lower",
    effects=effects,
)
