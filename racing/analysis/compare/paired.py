"""Tables whose rows pair the scores: the tests that suit them, over `racing.stats`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.bayes import hierarchical, joint, of_the_process, over_instances
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
from racing.stats.anova import anova, dunnett, tukey
from racing.stats.dp_signed_rank import dp_signed_rank
from racing.stats.effects import Estimator, median_difference, vargha_delaney
from racing.stats.friedman import Reference, friedman
from racing.stats.mean_ranks import (
    Comparisons,
    aligned_ranks,
    conover,
    mean_ranks_test,
    nemenyi,
    quade,
)
from racing.stats.shares import share_difference
from racing.stats.sign import sign_counts, sign_p
from racing.stats.sign_posterior import dp_sign
from racing.stats.t_tests import paired_t
from racing.stats.wilcoxon import wilcoxon

_AFFORDABLE = 2e7  # Walsh averages to be sorted, a few seconds; beyond, sample medians


def _friedman(name: str, reference: Reference) -> Callable[[ResultTable, Choices], Omnibus]:
    def run(table: ResultTable, choices: Choices) -> Omnibus:
        found = friedman(
            table.costs, reference=reference, tie_correction=choices.tie_correction,
            ranked=choices.ranked, rng=choices.rng,
        )  # fmt: skip
        treated = "corrected" if choices.tie_correction else "ignored"
        treated = "exact" if name == reference else treated
        return Omnibus.of(found, name, treated if found.tied else "none", found.concordance)

    return run


def _anova(table: ResultTable, choices: Choices) -> Omnibus:
    found = anova(table.costs)
    return Omnibus.of(found, "anova", "none", found.effect)


OMNIBUS: Methods = {
    "iman-davenport": method(
        "Friedman's test with the F distribution of Iman and Davenport",
        "F: Iman and Davenport (1980), as in Demšar (2006), section 3.2.2",
        _friedman("iman-davenport", "F"),
        why="it keeps its level for few instances and many algorithms"),
    "friedman": method(
        "Friedman's test", "χ²: Friedman (1937), as in Demšar (2006), section 3.2.2",
        _friedman("friedman", "chi2")),
    "aligned-ranks": method(
        "Friedman's test with aligned ranks",
        "χ² and z: Hodges and Lehmann (1962), as in García et al. (2010), but z over "
        "√(m(nm + 1)/6)",
        lambda table, _: Omnibus.of(aligned_ranks(table.costs), "aligned-ranks", "none"), "sizes"),
    "quade": method(
        "Quade's test", "F: Quade (1979), as in Conover (1999), section 5.8",
        lambda table, _: Omnibus.of(quade(table.costs), "quade", "corrected"), "sizes"),
    "exact": method(
        "Friedman's test with its exact distribution",
        "Friedman's χ², its distribution over all arrangements of the ranks in each row",
        _friedman("exact", "exact")),
    "permutation": method(
        "Friedman's test by random permutations",
        "Friedman's χ², its distribution over random arrangements of each row; the observed table "
        "counts as one", _friedman("permutation", "permutation")),
    "anova": method(
        "Repeated-measures ANOVA",
        "F: repeated-measures ANOVA, as in Demšar (2006), section 3.2.1", _anova, "sizes"),
}  # fmt: skip


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


def _sign(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
    wins, ties, losses = counts(table, first, second)
    return Tested(
        statistic=wins + (ties // 2).astype(float), name="wins", exact=True,
        favours=(wins - losses).astype(float), pvalues=sign_p(wins, losses, ties),
    )  # fmt: skip


def _mcnemar(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
    wins, _, losses = counts(table, first, second)
    return Tested(
        statistic=(wins + losses).astype(float), name="decided", exact=True,
        favours=(wins - losses).astype(float), pvalues=sign_p(wins, losses),
    )  # fmt: skip


def _wilcoxon(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
    sides = table.costs.T[first], table.costs.T[second]
    found = wilcoxon(*sides, tie_correction=choices.tie_correction)
    return Tested(
        statistic=found.statistic, name="T", favours=found.r_plus - found.r_minus,
        pvalues=found.pvalue, exact=found.exact,
    )  # fmt: skip


def _t(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
    found = paired_t(table.costs.T[first], table.costs.T[second])
    return Tested(statistic=found.t, name="t", favours=found.t, pvalues=found.pvalue)


def _of_all(
    name: str, run: Callable[[ResultTable, Choices, Any], Comparisons]
) -> Callable[[ResultTable, Choices, Ints, Ints], Tested]:
    """A test of all algorithms at once, whose statistics are negative if the first is ahead."""

    def tested(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Tested:
        found = run(table, choices, None if choices.control is None else int(second[0]))
        return Tested.picked(name, first, second, -found.statistic, found.pvalues)

    return tested


def _by_ranks(table: ResultTable, choices: Choices, control: int | None) -> Comparisons:
    if choices.correction == "nemenyi":
        return nemenyi(table.costs, ranked=choices.ranked)
    return mean_ranks_test(table.costs, control=control, ranked=choices.ranked)


TESTS: Methods = {
    "wilcoxon": method(
        "Wilcoxon's signed-ranks test",
        "T, the smaller sum of signed ranks: Wilcoxon (1945), as in Demšar (2006), section 3.1.3; "
        "zeros are ranked and split evenly (one dropped if odd), equal differences get average "
        "ranks, differences are rounded to 9 digits", _wilcoxon, "sizes location power",
        why="it looks at the two algorithms alone and uses the size of differences"),
    "sign": method(
        "the sign test",
        "wins: exact binomial test, ties split evenly (one dropped if odd), as in Demšar (2006), "
        "section 3.1.4", _sign, "exact intransitive power",
        why="ranks, or scores of different scale on each instance, leave only wins to count"),
    "t": method(
        "the paired t-test", "t: paired t-test, Demšar (2006), section 3.1.1", _t,
        "sizes location normal"),
    "mean-ranks": method(
        "the distance of their mean ranks",
        "z: Demšar (2006), section 3.2.2; Benavoli et al. (2016), equation 4; no correction for "
        "ties in the standard error", _of_all("z", _by_ranks), "pool"),
    "aligned-ranks": method(
        "the distance of their mean aligned ranks", OMNIBUS["aligned-ranks"].source,
        _of_all("z", lambda table, _, control: aligned_ranks(
            table.costs, control=control).comparisons),
        "sizes intransitive aligned"),
    "conover": method(
        "Conover's test of rank sums", "t: Conover (1999), section 5.8, ties accounted for",
        _of_all("t", lambda table, choices, control: conover(
            table.costs, control=control, ranked=choices.ranked)),
        "pool intransitive gated"),
    "tukey": method(
        "Tukey's test", "p: the studentized range; Demšar (2006), section 3.2.1",
        _of_all("t", lambda table, *_: tukey(table.costs)), "sizes location normal whole pairs"),
    "dunnett": method(
        "Dunnett's test", "p: Dunnett (1955); Demšar (2006), section 3.2.1",
        _of_all("t", lambda table, _, control: dunnett(table.costs, control=control)),
        "sizes location normal whole control"),
    "mcnemar": method(
        "McNemar's test",
        "decided: instances that only one of the two has right; exact binomial test of these, "
        "McNemar (1947)", _mcnemar, "exact power",
        why="every score is 0 or 1, so only instances that one of the two has right tell"),
}  # fmt: skip

POSTERIORS: Methods = {
    "signed-rank": method(
        "signed-rank", "Bayesian signed-rank test: Benavoli et al. (2014)",
        of_the_process("signed-rank", dp_signed_rank), "sizes bounds",
        why="of two algorithms it says how probable a difference is"),
    "sign": method(
        "sign", "Bayesian sign test: Benavoli et al. (2014; 2015, theorem 2)",
        of_the_process("sign", dp_sign, drawn=False), "bounds",
        why="ranks, or scores of different scale on each instance, leave only wins to count"),
    "joint": method(
        "joint", "joint comparisons: Benavoli et al. (2015), section 5.3", joint, "bounds"),
    "hierarchical": method(
        "hierarchical",
        "hierarchical Bayesian correlated t-test: Corani et al. (2017), sampled by Gibbs' method",
        hierarchical, "sizes"),
    "correlated-t": method(
        "correlated-t",
        "Bayesian correlated t-test per instance and Poisson-binomial over instances: Corani and "
        "Benavoli (2015), theorem 2 and section 3.1", over_instances, "sizes"),
}  # fmt: skip


def effects(
    table: ResultTable, choices: Choices, first: Ints, second: Ints, tests: Methods
) -> Effects:
    """Effects of each first over its second, with intervals of confidence 1 − α each."""
    wins, ties, losses = counts(table, first, second)
    level = 1.0 - choices.alpha
    distinct, place = np.unique(np.column_stack([wins, ties]), axis=0, return_inverse=True)
    each = np.array([_chance(w, t, table.n, level) for w, t in distinct.tolist()])
    a, a_low, a_high = each[place.reshape(-1)].T
    estimator = _estimator(table, choices, first.size, "location" in tests[choices.test].traits)
    located = np.full((3, first.size), np.nan)
    if not choices.ranked:  # differences of ranks are no differences of scores
        columns = np.ascontiguousarray(table.costs.T)
        for at, (i, j) in enumerate(zip(first, second, strict=True)):
            located[:, at] = _location(table, columns[i], columns[j], estimator, level)
    return Effects(
        wins=wins, ties=ties, losses=losses, a=a, a_low=a_low, a_high=a_high, difference=located[0],
        low=located[1], high=located[2], level=level, estimator=estimator,
    )  # fmt: skip


def _estimator(table: ResultTable, choices: Choices, h: int, symmetric: bool) -> str:
    """The estimator: of the centre that the test is about, if it is not too slow."""
    if table.yes_or_no and not choices.ranked:
        return "shares"
    walsh = h * table.n * (table.n + 1) / 2
    fits = walsh <= _AFFORDABLE and table.n <= 5000
    return "hodges-lehmann" if symmetric and fits else "median"


def _chance(wins: int, ties: int, n: int, level: float) -> tuple[float, float, float]:
    x = np.repeat([0.0, 1.0, 2.0], [wins, ties, n - wins - ties])
    found = vargha_delaney(x, np.ones(n), paired=True, level=level)
    return float(found.a), float(found.low), float(found.high)


def _location(
    table: ResultTable, x: Floats, y: Floats, estimator: str, level: float
) -> tuple[float, float, float]:
    if estimator == "shares":
        share = share_difference(x, y, groups=table.groups or None, level=level)
        return share.difference, share.low, share.high
    kind: Estimator = "median" if estimator == "median" else "hodges-lehmann"
    one = median_difference(x, y, estimator=kind, level=level)
    return float(one.estimate), float(one.low), float(one.high)


PAIRED = StudyDesign(
    paired=True,
    said="Design: paired. A row of the table joins the scores of all algorithms, so differences "
    "within rows are compared. Runs that nothing joins: --unpaired.",
    omnibus=OMNIBUS,
    tests=TESTS,
    posteriors=POSTERIORS,
    corrections=tuple(CORRECTIONS),
    usual_bound="precise",
    effects=effects,
)
