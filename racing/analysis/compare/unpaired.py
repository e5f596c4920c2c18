"""Runs that nothing pairs: the tests that suit them, over `racing.stats`; one problem at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.bayes import BOUNDS, of_the_process
from racing.analysis.compare.methods import CORRECTIONS, methods
from racing.analysis.compare.verdicts import Effects, Family, Omnibus, Study, StudyDesign
from racing.stats.brunner_munzel import brunner_munzel
from racing.stats.dp_rank_sum import BayesianKruskal, dp_kruskal, dp_rank_sum
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
_EACH, _STEEL = "statistic pvalues", "statistics pvalues"


def _kruskal(how: KruskalMethod) -> Callable[[Study], Omnibus]:
    def run(c: Study) -> Omnibus:
        """`test` of the record names the origin of its p-value."""
        found = kruskal(c.runs, method=how, rng=c.choices.rng)
        ties = "corrected" if found.method == "chi2" else "exact"
        return Omnibus.of(found, _MADE[found.method], ties if found.tied else "none", found.effect)

    return run


OMNIBUS = methods("unpaired omnibus", {
    "kruskal": _kruskal("auto"),
    "kruskal-exact": _kruskal("exact"),
    "kruskal-permutation": _kruskal("permutation"),
})  # fmt: skip


def _pairs(
    name: str, run: Callable[[Study], Any], fields: str = "statistic pvalue", scale: float = 1.0
) -> Callable[[Study], Family]:
    """A test of all samples, from a function and the names of what it finds."""

    def tested(c: Study) -> Family:
        found = run(c)
        statistic, pvalues = (c.of_pairs(getattr(found, field)) for field in fields.split())
        exact = c.of_pairs(np.broadcast_to(getattr(found, "exact", False), [c.table.m] * 2))
        better = vargha_delaney(c.runs, paired=False).a[c.pairs] - 0.5
        return c.tested(name, scale * statistic, pvalues, better, exact)

    return tested


TESTS = methods("unpaired test", {
    "brunner-munzel": _pairs("t", lambda c: brunner_munzel(c.runs)),
    "brunner-munzel-permutation": _pairs(
        "t", lambda c: brunner_munzel(c.runs, method="permutation", rng=c.choices.rng)),
    "mann-whitney": _pairs("U", lambda c: mann_whitney(c.runs), "u pvalue"),
    "mann-whitney-exact": _pairs("U", lambda c: mann_whitney(c.runs, method="exact"), "u pvalue"),
    "dunn": _pairs("z", lambda c: dunn(c.runs), _EACH, -1),
    "conover-iman": _pairs("t", lambda c: conover_iman(c.runs), _EACH, -1),
    "steel-dwass": _pairs("z", lambda c: steel_dwass(c.runs), _STEEL, 1 / np.sqrt(2)),
    "steel": _pairs("z", lambda c: steel(c.runs, control=int(c.pairs[1][0])), _STEEL),
})  # fmt: skip


def _all_at_once(c: Study) -> BayesianKruskal:
    how = c.choices
    return dp_kruskal(c.runs, rng=how.rng, gamma=how.alpha, s=how.s, bound=BOUNDS[how.bound])


POSTERIORS = methods("unpaired posterior", {
    "rank-sum": of_the_process("rank-sum", dp_rank_sum),
    "kruskal": _all_at_once,
})  # fmt: skip


def effects(c: Study) -> Effects:
    """Vargha and Delaney's A of each first over its second, with Brunner and Munzel's intervals.

    Wins, ties and losses count pairs of runs. Runs have no paired difference, so its location is
    NaN.
    """
    at, level = c.pairs, 1.0 - c.choices.alpha
    counted = vargha_delaney(c.runs, paired=False)
    sized = brunner_munzel(c.runs, level=level)
    nothing = np.full(at[0].size, np.nan)
    return Effects(
        wins=counted.wins[at], ties=counted.ties[at], losses=counted.losses[at],
        a=sized.a[at], a_low=sized.low[at], a_high=sized.high[at], difference=nothing, low=nothing,
        high=nothing, level=level, estimator="none",
    )  # fmt: skip


UNPAIRED = StudyDesign(
    paired=False,
    omnibus=OMNIBUS,
    tests=TESTS,
    posteriors=POSTERIORS,
    also={},
    corrections={name: one for name, one in CORRECTIONS.items() if name != "nemenyi"},
    usual_bound="lower",
    effects=effects,
)
