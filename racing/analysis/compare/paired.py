"""Tables whose rows pair the scores: the tests that suit them, over `racing.stats`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.bayes import hierarchical, joint, of_the_process, over_instances
from racing.analysis.compare.methods import CORRECTIONS, methods
from racing.analysis.compare.result_table import Floats, Ints, ResultTable
from racing.analysis.compare.verdicts import Effects, Family, Omnibus, Study, StudyDesign
from racing.stats.anova import anova, dunnett, tukey
from racing.stats.dp_signed_rank import dp_signed_rank
from racing.stats.effects import (
    akinshin_gamma,
    cohens_d,
    contrast_estimation,
    median_difference,
)
from racing.stats.friedman import Reference, friedman
from racing.stats.intervals import clopper_pearson
from racing.stats.mean_ranks import (
    Comparisons,
    aligned_ranks,
    conover,
    mean_ranks_test,
    nemenyi,
    quade,
)
from racing.stats.plackett_luce import plackett_luce
from racing.stats.sign import share_difference, sign_counts, sign_p
from racing.stats.sign_posterior import dp_sign
from racing.stats.t_tests import paired_t
from racing.stats.wilcoxon import wilcoxon

_AFFORDABLE = 2e7  # Walsh averages to be sorted, a few seconds; beyond, sample medians


def _friedman(name: str, reference: Reference) -> Callable[[Study], Omnibus]:
    def run(c: Study) -> Omnibus:
        ties = c.choices.tie_correction
        found = friedman(
            c.costs, reference=reference, tie_correction=ties, ranked=c.choices.ranked,
            rng=c.choices.rng,
        )  # fmt: skip
        treated = "exact" if name == reference else "corrected" if ties else "ignored"
        return Omnibus.of(found, name, treated if found.tied else "none", found.concordance)

    return run


def _anova(c: Study) -> Omnibus:
    found = anova(c.costs)
    return Omnibus.of(found, "anova", "none", found.effect)


OMNIBUS = methods("paired omnibus", {
    "iman-davenport": _friedman("iman-davenport", "F"),
    "friedman": _friedman("friedman", "chi2"),
    "aligned-ranks": lambda c: Omnibus.of(aligned_ranks(c.costs), "aligned-ranks", "none"),
    "quade": lambda c: Omnibus.of(quade(c.costs), "quade", "corrected"),
    "exact": _friedman("exact", "exact"),
    "permutation": _friedman("permutation", "permutation"),
    "anova": _anova,
})  # fmt: skip


def counts(table: ResultTable, first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Wins, ties and losses of each first over its second, (h,) each."""
    costs = table.costs
    if first.size >= table.m:
        wins = sign_counts(costs)
        won, lost = wins[first, second], wins[second, first]
    else:
        a, b = costs[:, first], costs[:, second]
        won, lost = np.count_nonzero(a < b, axis=0), np.count_nonzero(b < a, axis=0)
    return won, table.n - won - lost, lost


def _sign(c: Study) -> Family:
    wins, ties, losses = counts(c.table, *c.pairs)
    halved = wins + (ties // 2).astype(float)
    return c.tested("wins", halved, sign_p(wins, losses, ties), wins - losses, exact=True)


def _mcnemar(c: Study) -> Family:
    wins, _, losses = counts(c.table, *c.pairs)
    decided = (wins + losses).astype(float)
    return c.tested("decided", decided, sign_p(wins, losses), wins - losses, exact=True)


def _wilcoxon(c: Study) -> Family:
    found = wilcoxon(*(c.costs.T[side] for side in c.pairs),
                     tie_correction=c.choices.tie_correction)  # fmt: skip
    return c.tested("T", found.statistic, found.pvalue, found.r_plus - found.r_minus, found.exact)


def _t(c: Study) -> Family:
    found = paired_t(*(c.costs.T[side] for side in c.pairs))
    return c.tested("t", found.t, found.pvalue, found.t)


def _of_all(name: str, run: Callable[[Study], Comparisons]) -> Callable[[Study], Family]:
    """A test of all algorithms at once, whose statistics are negative if the first is ahead."""

    def tested(c: Study) -> Family:
        found = run(c)
        statistic = c.of_pairs(-found.statistic)
        return c.tested(name, statistic, c.of_pairs(found.pvalues), statistic)

    return tested


def _by_ranks(c: Study) -> Comparisons:
    if c.choices.correction == "nemenyi":
        return nemenyi(c.costs, ranked=c.choices.ranked)
    return mean_ranks_test(c.costs, control=c.control, ranked=c.choices.ranked)


TESTS = methods("paired test", {
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "t": _t,
    "mean-ranks": _of_all("z", _by_ranks),
    "aligned-ranks": _of_all(
        "z", lambda c: aligned_ranks(c.costs, control=c.control).comparisons),
    "conover": _of_all(
        "t", lambda c: conover(c.costs, control=c.control, ranked=c.choices.ranked)),
    "tukey": _of_all("t", lambda c: tukey(c.costs)),
    "dunnett": _of_all("t", lambda c: dunnett(c.costs, control=int(c.pairs[1][0]))),
    "mcnemar": _mcnemar,
})  # fmt: skip
POSTERIORS = methods("paired posterior", {
    "signed-rank": of_the_process("signed-rank", dp_signed_rank),
    "sign": of_the_process("sign", dp_sign, drawn=False),
    "joint": joint,
    "hierarchical": hierarchical,
    "correlated-t": over_instances,
})  # fmt: skip


def _of_pairs(function: Callable[[Floats, Floats], float]) -> Callable[[Study], Floats]:
    """A standardized difference of every pair that is compared."""

    def run(c: Study) -> Floats:
        columns = np.ascontiguousarray(c.costs.T)
        return np.array([function(columns[i], columns[j]) for i, j in zip(*c.pairs, strict=True)])

    return run


ALSO = methods("paired estimate", {
    "contrasts": lambda c: contrast_estimation(c.costs),
    "plackett-luce": lambda c: plackett_luce(c.costs, ranked=c.choices.ranked),
    "cohens-d": _of_pairs(cohens_d),
    "akinshin-gamma": _of_pairs(akinshin_gamma),
})  # fmt: skip
"""Estimates besides the tests: contrasts, worths, standardized differences."""


def effects(c: Study) -> Effects:
    """Effects of each first over its second, with intervals of confidence 1 − α each."""
    n, level, (first, second) = c.table.n, 1.0 - c.choices.alpha, c.pairs
    wins, ties, losses = counts(c.table, first, second)
    low, high = clopper_pearson(wins + ties / 2, n, level)  # as vargha_delaney has them
    estimator, located = _estimator(c), np.full((3, first.size), np.nan)
    if not c.choices.ranked:  # differences of ranks are no differences of scores
        columns = np.ascontiguousarray(c.costs.T)
        located = _location(c, columns[first], columns[second], estimator, level)
    return Effects(
        wins=wins, ties=ties, losses=losses, a=(wins + ties / 2) / n, a_low=low, a_high=high,
        difference=located[0], low=located[1], high=located[2], level=level, estimator=estimator,
    )  # fmt: skip


def _estimator(c: Study) -> str:
    """The estimator: of the centre that the test is about, if it is not too slow."""
    n = c.table.n
    if c.table.yes_or_no and not c.choices.ranked:
        return "shares"
    fits = c.pairs[0].size * n * (n + 1) / 2 <= _AFFORDABLE and n <= 5000
    return "hodges-lehmann" if "location" in c.test.traits and fits else "median"


def _location(c: Study, x: Floats, y: Floats, estimator: Any, level: float) -> Floats:
    """(3, h) the location of the differences of each pair, and the ends of its interval."""
    if estimator == "shares":
        how: dict[str, Any] = {"groups": c.table.groups or None, "level": level}
        each = (share_difference(*pair, **how) for pair in zip(x, y, strict=True))
        return np.array([(one.difference, one.low, one.high) for one in each]).T
    found = median_difference(x, y, estimator=estimator, level=level)
    return np.stack([found.estimate, found.low, found.high])


PAIRED = StudyDesign(
    paired=True,
    omnibus=OMNIBUS,
    tests=TESTS,
    posteriors=POSTERIORS,
    also=ALSO,
    corrections=CORRECTIONS,
    usual_bound="precise",
    effects=effects,
)
