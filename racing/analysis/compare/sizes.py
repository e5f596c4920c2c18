"""How large are the differences? Effects and their intervals for every comparison made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from racing.analysis.compare.choices import Choices
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Effects, Ints
from racing.stats.effects import Estimator, median_difference, vargha_delaney
from racing.stats.shares import share_difference
from racing.stats.sign import sign_counts

_AFFORDABLE = 2e7  # Walsh averages to be sorted, a few seconds; beyond, sample medians


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


def effects(
    table: ResultTable, choices: Choices, first: Ints, second: Ints, won: tuple[Ints, Ints, Ints]
) -> Effects:
    """Effects of each first over its second, with intervals of confidence 1 − α each."""
    wins, ties, losses = won
    level = 1.0 - choices.alpha
    distinct, place = np.unique(np.column_stack([wins, ties]), axis=0, return_inverse=True)
    chances = np.array([_chance(w, t, table.n, level) for w, t in distinct.tolist()])
    chances = chances[place.reshape(-1)]
    estimator = _estimator(table, choices, first.size)
    if choices.ranked:  # differences of ranks are no differences of scores
        located = np.full((first.size, 3), np.nan)
    else:
        located = _locations(table, first, second, estimator, level)
    return Effects(
        wins=wins,
        ties=ties,
        losses=losses,
        a=chances[:, 0],
        a_low=chances[:, 1],
        a_high=chances[:, 2],
        difference=located[:, 0],
        low=located[:, 1],
        high=located[:, 2],
        level=level,
        estimator=estimator,
    )


def _estimator(table: ResultTable, choices: Choices, h: int) -> str:
    """The estimator: of the centre that the test is about, if it is not too slow."""
    if table.yes_or_no and not choices.ranked:
        return "shares"
    symmetric = choices.test in ("wilcoxon", "t", "tukey", "dunnett")
    walsh = h * table.n * (table.n + 1) / 2
    fits = walsh <= _AFFORDABLE and table.n <= 5000
    return "hodges-lehmann" if symmetric and fits else "median"


def _chance(wins: int, ties: int, n: int, level: float) -> tuple[float, float, float]:
    x = np.repeat([0.0, 1.0, 2.0], [wins, ties, n - wins - ties])
    found = vargha_delaney(x, np.ones(n), paired=True, level=level)
    return float(found.a), float(found.low), float(found.high)


def _locations(
    table: ResultTable, first: Ints, second: Ints, estimator: str, level: float
) -> Floats:
    rows = np.empty((first.size, 3))
    columns = np.ascontiguousarray(table.costs.T)
    for at, (i, j) in enumerate(zip(first, second, strict=True)):
        rows[at] = _location(columns[i], columns[j], estimator, level, table.groups)
    return rows


def _location(
    x: Floats, y: Floats, estimator: str, level: float, groups: Sequence[str]
) -> tuple[float, float, float]:
    if estimator == "shares":
        share = share_difference(x, y, groups=groups or None, level=level)
        return share.difference, share.low, share.high
    kind: Estimator = "median" if estimator == "median" else "hodges-lehmann"
    one = median_difference(x, y, estimator=kind, level=level)
    return float(one.estimate), float(one.low), float(one.high)
