"""Whether a configuration that many others were raced for is truly better than another one.

An additive model of costs: that of candidate c on instance r, of problem p, is

    y = a_r + θ_c + γ_cp + ε

with a_r free, γ and ε normal, and θ from a normal distribution that is fitted to all candidates
(empirical Bayes; Efron, 2010, Large-scale inference, chapter 1). So the best of a
hundred is shrunk as what a hundred draws would show by luck, and dropping candidates on the way
biases nothing: all that was seen is in the likelihood (Rubin, 1976, Inference and missing data,
Biometrika 63, 581–592). Candidates that were given are often few, and do not tell how far apart
they truly are: of them the probability is averaged over the variance of θ, which is 0 or whose root
has a half-Cauchy distribution (Gelman, 2006, Prior distributions for variance parameters in
hierarchical models, Bayesian Analysis 1, 515–534). Where it is 0, the other one has the same θ:
else one that a race dropped after bad luck would always look worse than its equals.

The model takes γ to be independent. But candidates that a search draws near the best share its luck
on the problems that it was chosen on: their mean is low for all of them, and looks like θ. So what
such a search found counts as the luckiest of all that it tried, on the problems of the choice. Only
repeated problems show how large luck is; where they hardly do, a share of the noise counts as luck.
Folds of one data set share more than the model knows: their mean has a variance of its own (Nadeau
and Bengio, 2003, Inference for the generalization error, Machine Learning 52, 239–281).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtri, stdtr

from racing.stats._checks import Bools, Floats, Ints

_ROUNDS, _CLOSE = 100, 1e-4
# The least variance of ε, with costs scaled to 1: without noise there would be none.
_FLOOR = 1e-12
# Of the variance of θ while the others are fitted, in that of one run, and its weight in
# candidates: the variance of few would else be 0 too often.
_GUESS, _WEIGHT = 0.05, 6.0
# Standard deviations of θ, in that of one run, of candidates that were given: with the probability
# `_ALL_EQUAL` they are equal, to `_EQUAL`, or else it has a half-Cauchy distribution of this scale,
# chosen with `benchmarks.unseen --kinds race race-ranks --half choose`.
_EQUAL, _ALL_EQUAL, _SCALE = 1e-3, 0.1, 0.4
_SPREADS = np.append(_EQUAL, _SCALE * np.tan(np.pi / 2 * (np.arange(12) + 0.5) / 12))
# Standard deviations of θ, and the probability of each before any run.
_BEFORE = np.append(_ALL_EQUAL, np.full(12, (1 - _ALL_EQUAL) / 12))
# The least variance of γ, in that of ε, with which what a search found was lucky: where
# problems hardly repeat, luck is not told from noise. Chosen with `benchmarks.unseen --half
# choose`.
_LUCK = 0.3
# Variances of θ with at most this probability are left out.
_UNLIKELY = 0.0001
# Weight, in runs, of the pooled variance in the variance of one candidate.
_OWN = 4.0
# Of candidates with so many runs the variance of γ is learned. Those that were raced longest do
# not tell it: they are the ones that were good on all problems.
_SEVERAL = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class Costs:
    """Finite costs, one a run; candidates, instances and problems are counted from 0.

    Attributes
    ----------
    candidate, instance, problem : (n,)
        Of each run.
    cost : (n,)
        Lower is better.
    """

    candidate: Ints
    instance: Ints
    problem: Ints
    cost: Floats


def probability_worse(
    costs: Costs, found: int, base: int, near: Bools, correlation: float = 0.0
) -> float:
    """The probability that `found` truly costs more than `base` on average over all problems.

    Parameters
    ----------
    found, base
        Two candidates. Nothing is assumed of `base` but its runs, unless all candidates are equal.
    near : (m,)
        Of each candidate, whether it was drawn near the best so far; the others were given, or
        drawn from the whole space. Those near and those not have a distribution of θ each. If there
        are any near, `found` is taken for one of them, and its mean over the k problems of the
        choice for as lucky as the best of n draws with the variance of γ/k, where n are all
        candidates but `base`. Problems that only it and `base` met had no part in the choice.
    correlation
        Of the ε of a candidate on two problems, ρ: the mean over any number of them has at least
        the variance of ε times ρ/(1 − ρ).

    Returns
    -------
    float
        Where few problems repeat, it tells a gain from luck only if it is large beside the luck; of
        candidates that were given, luck is independent, and the distribution of θ is enough.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> who, where = (each.ravel() for each in np.indices((20, 12)))
    >>> noise = rng.normal(size=240)
    >>> def of(gain):
    ...     cost = noise - gain * (who == 7)
    ...     costs = Costs(candidate=who, instance=where, problem=where, cost=cost)
    ...     return probability_worse(costs, 7, 0, np.zeros(20, dtype=bool))
    >>> of(3.0) < 0.01 < of(0.0)
    True
    """
    middle = float(np.median(costs.cost))
    unit = float(np.abs(costs.cost - middle).max()) or 1.0
    group = near.astype(np.intp)
    model = _Model(replace(costs, cost=(costs.cost - middle) / unit), base, group)
    model.fit()
    return model.worse(found, correlation / (1 - correlation))


class _Model:
    """The model's estimates, and the sums over runs, cells and candidates behind them.

    A cell is a candidate on a problem: its runs share γ.
    """

    def __init__(self, costs: Costs, base: int, group: Ints) -> None:
        self.c, self.r, self.y = costs.candidate, costs.instance, costs.cost
        self.base, self.group = base, group
        self.m, self.rows = len(group), int(self.r.max()) + 1
        keys = self.c * (int(costs.problem.max()) + 1) + costs.problem
        _, first, self.cell = np.unique(keys, return_index=True, return_inverse=True)
        self.owner, self.problem = self.c[first], costs.problem[first]
        self.size = np.bincount(self.cell).astype(np.float64)
        self.runs = np.bincount(self.c, minlength=self.m).astype(np.float64)
        self.free = np.arange(self.m) != base
        self.freedom = max(len(np.unique(costs.problem)) - 1, 1)  # few problems: Student's t
        self.long = self.runs >= max(self.runs.max() / 2, 2)
        self.long[base] = True
        self._begin()

    def _begin(self) -> None:
        """Least squares, as a start."""
        level = np.array([np.median(self.y[self.r == row]) for row in range(self.rows)])
        for _ in range(20):
            effect = self._by_candidate(self.y - level[self.r]) / self.runs
            level = self._by_row(self.y - effect[self.c]) / self._by_row(np.ones(len(self.y)))
        rest = self.y - level[self.r] - effect[self.c]
        left = max(len(self.y) - self.rows - self.m + 1, 5)
        self.level, self.pooled = level, max(float(rest @ rest) / left, _FLOOR)
        self.noise = np.full(self.m, self.pooled)
        self.ratio = 0.5 if (self.size > 1).any() else 0.0  # the variance of γ to that of ε
        groups, spread = int(self.group.max()) + 1, max(float(effect.var()), self.pooled / 100)
        self.centre, self.width = np.zeros(groups), np.full(groups, spread / 2)
        for g in np.unique(self.group):
            self.centre[g] = effect[self.group == g].mean()

    def _by_candidate(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self.c, values, minlength=self.m), dtype=np.float64)

    def _by_row(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self.r, values, minlength=self.rows), dtype=np.float64)

    def fit(self) -> None:
        """Maximum likelihood by EM."""
        for _ in range(_ROUNDS):
            before = self.pooled, self.ratio, self.centre.copy()
            self._round()
            moved = np.abs(self.centre - before[2]).max() / math.sqrt(self.pooled)
            if max(abs(self.pooled / before[0] - 1), abs(self.ratio - before[1]), moved) < _CLOSE:
                break

    def _round(self) -> None:
        """One round of EM."""
        noise, mean = self.noise[self.owner], self._means()
        own, variance = self._own()
        effect = self._effects(own, variance)
        kept = self.size * self.ratio / (1 + self.size * self.ratio)
        rest = noise * self.ratio / (1 + self.size * self.ratio)
        # Around its own mean: around the shrunk one, a candidate that is far from the others would
        # have its distance taken for noise.
        special = kept * (mean - own[self.owner])
        apart = self.y - self.level[self.r] - own[self.c] - special[self.cell]
        self._noise(np.square(apart) + rest[self.cell])
        if self.ratio:
            square = (special**2 + rest + kept**2 * variance[self.owner]) / noise
            told = square[(self.runs >= _SEVERAL)[self.owner]]
            self.ratio = min(float((told if len(told) else square).mean()), 1 / _FLOOR)
        weight = 1 / self.noise[self.c]
        special = kept * (mean - effect[self.owner])
        apart = self.y - effect[self.c] - special[self.cell]
        self.level = self._by_row(weight * apart) / self._by_row(weight)

    def _means(self) -> Floats:
        """Of each cell, its mean beyond the levels of its instances."""
        return np.asarray(np.bincount(self.cell, self.y - self.level[self.r]) / self.size)

    def _own(self) -> tuple[Floats, Floats]:
        """Of each candidate, θ by its own runs alone, and its variance."""
        weight = self.size / self.noise[self.owner] / (1 + self.size * self.ratio)
        total = np.bincount(self.owner, weight, minlength=self.m)
        return np.bincount(self.owner, weight * self._means(), minlength=self.m) / total, 1 / total

    def _effects(self, own: Floats, variance: Floats) -> Floats:
        """The mean of each θ, by its runs and its group; fits the groups."""
        centre, width = self.centre[self.group], self.width[self.group]
        each = 1 / (1 / variance + 1 / width)
        effect: Floats = each * (own / variance + centre / width)
        for g in np.unique(self.group[self.free]):
            mine = (self.group == g) & self.free
            self.centre[g] = effect[mine].mean()
            square = float((each[mine] + (effect[mine] - self.centre[g]) ** 2).sum())
            guess = _WEIGHT * _GUESS * self.pooled * (1 + self.ratio)
            self.width[g] = (square + guess) / (np.count_nonzero(mine) + _WEIGHT)
        effect[self.base] = own[self.base]
        return effect

    def _noise(self, squares: Floats) -> None:
        """The variance of ε: pooled over those with many runs, and of each candidate.

        A level takes a degree of freedom from the runs on its instance, and a candidate's mean one
        from its runs.
        """
        weight = 1 / self.noise[self.c]
        freedom = self._by_candidate(1 - weight / self._by_row(weight)[self.r])
        freedom = np.maximum(freedom - freedom / self.runs, 0.0)
        sums = self._by_candidate(squares)
        pooled = sums[self.long].sum() / max(float(freedom[self.long].sum()), 1.0)
        self.pooled = max(float(pooled), _FLOOR)
        self.noise = np.maximum((_OWN * self.pooled + sums) / (_OWN + freedom), _FLOOR)

    # --- two candidates ---------------------------------------------------------------------

    def worse(self, found: int, least: float = 0.0) -> float:
        """P(θ of `found` > θ of the base); `least`: variance of a mean, in that of ε."""
        shared = least * float(self.noise[found] + self.noise[self.base])
        luck, unit, chance = self._luck(found), np.array([1.0, -1.0]), 0.0
        for likely, width, centre, alike in self._spreads():
            self.width[-1], self.centre[-1] = width, centre
            precision, value = self._pair(found)
            drawn = np.array([1.0, alike])  # the base has a θ of its own, unless all are equal
            known = drawn / width + np.array([0.0, _FLOOR / self.pooled])
            spread = np.linalg.inv(precision + np.diag(known))
            ahead = float(unit @ spread @ (value + drawn * centre / width)) + luck
            variance = max(float(unit @ spread @ unit) + shared, _FLOOR * self.pooled)
            chance += likely * float(stdtr(self.freedom, ahead / math.sqrt(variance)))
        return chance

    def _spreads(self) -> list[tuple[float, float, float, float]]:
        """The variances that the θ of the last group may have: (probability, variance, mean of θ,
        and 1 where all are equal, the base too, or else 0).

        Where a search drew near the best, the one that was fitted: such candidates are many.
        """
        if self.group.any():
            return [(1.0, float(self.width[-1]), float(self.centre[-1]), 0.0)]
        own, variance = self._own()
        width = _SPREADS**2 * self.pooled * (1 + self.ratio)
        weight = 1 / (width[:, None] + variance)
        total = weight.sum(axis=1)
        centre = weight @ own / total
        apart = (weight * (own - centre[:, None]) ** 2).sum(axis=1)
        log = (np.log(weight).sum(axis=1) - np.log(total) - apart) / 2
        likely = _BEFORE * np.exp(log - log.max())
        likely /= likely.sum()
        equal = (np.arange(len(width)) == 0).astype(np.float64)
        rows = zip(*(each.tolist() for each in (likely, width, centre, equal)), strict=True)
        return [row for row in rows if row[0] > _UNLIKELY]

    def _luck(self, found: int) -> float:
        """By how much luck has lowered the mean of what a search found near the best.

        The expected least of n normal draws (Blom, 1958, Statistical estimates and transformed
        beta-variables), on the problems of the choice: those on which others than the two ran.
        """
        if not self.group.any():
            return 0.0
        mine, others = self.owner == found, (self.owner != found) & (self.owner != self.base)
        chosen = np.isin(self.problem[mine], self.problem[others])
        n, variance = self.m - 1, max(self.ratio, _LUCK) * float(self.noise[found])
        least = float(ndtri((n - 0.375) / (n + 0.25)))
        return least * math.sqrt(variance * chosen.sum()) / len(chosen)

    def _pair(self, found: int) -> tuple[Floats, Floats]:
        """Precision, and precision times mean, of the two θ by all runs, levels unknown."""
        pair, m = np.array([found, self.base]), self.m
        noise = self.noise[self.owner]
        lost = self.ratio / (1 + self.size * self.ratio) / noise  # what runs of a cell share
        weight, ones = 1 / self.noise[self.c], np.ones(len(self.y))
        cells = csr_array((ones, (self.cell, self.r)), shape=(len(self.size), self.rows))
        owners = csr_array((lost * self.size, (self.owner, np.arange(len(self.size)))))
        beside = csr_array((weight, (self.c, self.r)), shape=(m, self.rows)) - owners @ cells
        of_rows = np.diag(self._by_row(weight)) - (cells.T @ (cells * lost[:, None])).toarray()
        of_rows += 1e-10 / self.pooled * np.eye(self.rows)
        sums = np.bincount(self.cell, self.y)
        own = self.runs / self.noise - np.bincount(self.owner, lost * self.size**2, minlength=m)
        told = self._by_candidate(weight * self.y)
        told -= np.bincount(self.owner, lost * self.size * sums, minlength=m)
        told_rows = self._by_row(weight * self.y) - self._by_row((lost * sums)[self.cell])
        width, centre = self.width[self.group], self.centre[self.group]
        others = np.ones(m, dtype=bool)
        others[pair] = False
        own = own + np.where(others, 1 / width, 0.0)
        told = told + np.where(others, centre / width, 0.0)
        rest = beside[others]
        of_rows -= (rest.T @ (rest * (1 / own[others])[:, None])).toarray()
        told_rows -= rest.T @ (told[others] / own[others])
        two = beside[pair].toarray()
        solved = np.linalg.solve(of_rows, np.column_stack([two.T, told_rows]))
        return np.diag(own[pair]) - two @ solved[:, :2], told[pair] - two @ solved[:, 2]
