"""Gains of a front over a baseline in several metrics, with simultaneous intervals."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import FEW, Basis, Gain, gain, side
from racing.stats.intervals import half_width

Floats = NDArray[np.float64]

DRAWS = 2000
"""Draws of the problems behind the intervals."""


def simultaneous(
    fresh: Floats,
    training: Floats,
    *,
    problems: Sequence[Hashable],
    of: Basis = "unseen",
    rng: np.random.Generator,
    names: Sequence[object] = (),
    metrics: Sequence[str] = (),
    level: float = 0.95,
) -> list[list[Gain]]:
    """(c, K) gains of c configurations in K metrics, whose intervals hold all at once.

    With se the standard error of a gain's mean, each interval is mean ± q · se, with one q for all:
    the quantile of the largest |t*| in bootstrap draws of the problems, t* = (mean* − mean) / se*.
    It is at most that of Student's t with Bonferroni's correction, which needs no draws but
    disregards that configurations and metrics go together.

    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 12.

    Parameters
    ----------
    fresh : (n, c + 1, K)
        Costs of the configurations and, last, of the baseline on fresh instances; +inf = failed.
    training : (n', c + 1, K)
        On the instances that the configurations were chosen by.
    problems : (n,)
        The problem of each fresh instance; several seeds of one are one observation.
    of
        As in `gain`.
    rng
        Draws the problems.
    names, metrics : (c + 1,), (K,)
        What the configurations and, last, the baseline are called; and the metrics.
    """
    _, several, many = fresh.shape
    names, metrics = names or [""] * several, metrics or [""] * many

    def one(c: int, k: int) -> Gain:
        of_these = partial(
            gain, mean=True, name=names[c], over=names[-1], metric=metrics[k], level=level
        )
        chosen = of_these(training[:, [c, -1], k])
        return of_these(fresh[:, [c, -1], k], of=of, problems=problems, chosen=chosen)

    found = [[one(c, k) for k in range(many)] for c in range(several - 1)]
    alone = problems if of == "unseen" else range(len(fresh))
    q = _quantile(_differences(fresh, alone), level, rng)
    return [[_widened(each, q) for each in row] for row in found]


def _differences(fresh: Floats, problems: Sequence[Hashable]) -> Floats:
    """(g, c · K) mean gains on each problem; NaN where one of the two always failed."""
    ran = np.isfinite(fresh).all(axis=2, keepdims=True)
    values = np.where(ran, fresh, np.nan)
    apart = (values[:, -1:, :] - values[:, :-1, :]).reshape(len(fresh), -1)
    groups = list(dict.fromkeys(problems))
    number = np.array([groups.index(one) for one in problems], dtype=np.intp)
    there = ~np.isnan(apart)
    total, many = np.zeros((2, len(groups), apart.shape[1]))
    np.add.at(total, number, np.where(there, apart, 0.0))
    np.add.at(many, number, there)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def _quantile(values: Floats, level: float, rng: np.random.Generator) -> float:
    """By how many standard errors the intervals reach."""
    g, many = values.shape
    if g < 2:
        return np.inf
    most = half_width(g - 1, 1 - (1 - level) / max(many, 1))
    drawn = rng.multinomial(g, np.full(g, 1 / g), size=DRAWS).astype(np.float64)
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)

    def total(of: Floats) -> Floats:  # no dot product of BLAS: it depends on the processor
        return np.asarray(np.einsum("dg,gm->dm", drawn, of))

    n = np.maximum(total(there.astype(np.float64)), 1)
    mean = total(filled) / n
    square = total(np.square(filled)) / n - mean**2
    all_ = filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    errors = np.sqrt(np.maximum(square, 0.0) / np.maximum(n - 1, 1))
    apart = np.abs(mean - all_)
    tiny = 1e-9 * np.abs(filled).max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(apart <= tiny, 0.0, apart / errors)
    return float(min(np.quantile(t.max(axis=1), level, method="higher"), most))


def _widened(one: Gain, q: float) -> Gain:
    """A gain with q standard errors to each side, in place of Student's."""
    observed = one.observations
    if one.estimate is None or observed < 2:
        return one
    half = (one.high - one.estimate) / half_width(observed - 1, one.level) * q
    low, high = one.estimate - half, one.estimate + half
    return replace(one, low=low, high=high, by_cost=side(low, high, few=observed < FEW))
