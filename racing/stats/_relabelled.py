"""Brunner and Munzel's statistic under all labels of the runs of two samples, or random ones."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from racing.stats._checks import Bools, Floats, Ints

_CELLS = 1 << 19  # runs relabelled at once
_CLOSE = 1e-9  # relative; equal statistics differ by rounding only
_LEAST = 0.1  # scatter of placements is 0 or at least 1/8; below is rounding


def relabelled_tails(
    x: Floats, y: Floats, t: float, rng: np.random.Generator, draws: int
) -> tuple[float, float, float]:
    """P(|T| >= |t|), P(T >= t) and P(T <= t) over labels.

    All C(n + m, n) of them if that is at most `draws` + 1; else `draws` random ones and those
    observed, so that no p-value is 0.
    """
    ordered, n = np.sort(np.concatenate([x, y])), x.size
    below = np.searchsorted(ordered, ordered, side="left")
    upto = np.searchsorted(ordered, ordered, side="right")
    every = math.comb(ordered.size, n) <= draws + 1
    labels = _all_labels(ordered.size, n) if every else _random_labels(ordered.size, n, rng, draws)
    step = max(1, _CELLS // ordered.size)
    parts = [labels[at : at + step] for at in range(0, len(labels), step)]
    other = np.concatenate([_statistics(part, below, upto, n) for part in parts])
    least = _CLOSE * abs(t) if math.isfinite(t) else 0.0
    reached = np.array([
        np.count_nonzero(np.abs(other) >= abs(t) - least),
        np.count_nonzero(other >= t - least),
        np.count_nonzero(other <= t + least),
    ])  # fmt: skip
    seen = 0 if every else 1
    both, better, worse = ((reached + seen) / (len(labels) + seen)).tolist()
    return both, better, worse


def _all_labels(total: int, n: int) -> Bools:
    chosen = np.array(list(combinations(range(total), n)), dtype=np.intp)
    labels = np.zeros((len(chosen), total), dtype=np.bool_)
    labels[np.arange(len(chosen))[:, None], chosen] = True
    return labels


def _random_labels(total: int, n: int, rng: np.random.Generator, draws: int) -> Bools:
    labels = np.zeros((draws, total), dtype=np.bool_)
    labels[:, :n] = True
    return np.asarray(rng.permuted(labels, axis=1))


def _statistics(labels: Bools, below: Ints, upto: Ints, n: int) -> Floats:
    """T of each row of labels: true for the first sample, runs in order of their costs.

    `below` and `upto` bound the runs that are equal to each: a run beats those after `upto`, and
    half of those between.
    """
    m = labels.shape[1] - n
    counts = np.zeros((len(labels), labels.shape[1] + 1))
    np.cumsum(labels, axis=1, out=counts[:, 1:])
    over_first = n - (counts[:, below] + counts[:, upto]) / 2
    over_second = n + m - (below + upto) / 2 - over_first
    first = np.where(labels, over_second, 0.0)
    second = np.where(labels, 0.0, over_first)
    u = first.sum(axis=1)
    scatter_x = (first**2).sum(axis=1) - u**2 / n
    scatter_y = (second**2).sum(axis=1) - (n * m - u) ** 2 / m
    variance = scatter_x / (m**2 * (n - 1) * n) + scatter_y / (n**2 * (m - 1) * m)
    away = u / (n * m) - 0.5
    certain = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    some = scatter_x + scatter_y > _LEAST
    error = np.sqrt(np.where(some, variance, 1.0))
    return np.asarray(np.divide(away, error, out=certain, where=some))
