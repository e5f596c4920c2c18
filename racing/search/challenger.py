"""The screening rule: when a challenger is dropped on its way through the elites' instances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Duel:
    """Where a challenger stood after n instances.

    Attributes
    ----------
    n
        On how many instances.
    behind
        Mean difference to the best elite on these; negative is better.
    probability
        That the challenger is better than the best elite.
    median
        Of the latest challengers that stood at this rung; +inf where too few did.
    """

    n: int
    behind: float
    probability: float
    median: float


def rungs(instances: int, growth: int = 2) -> list[int]:
    """1, g, g², … and the number of instances itself: where challengers are tested."""
    found, end = [], 1
    while end < instances:
        found.append(end)
        end *= growth
    return [*found, instances]


def probability_better(d: Floats, noise: float, prior: float) -> float:
    """P(mean difference < 0), by a normal with a variance shrunk to the pooled one.

        v = (prior·s² + Σ(d − d̄)²) / (prior − 1 + n),   P = Φ(−d̄ / √(v/n))

    Parameters
    ----------
    d : (n,)
        Differences to the best elite, one an instance.
    noise
        s², the pooled variance of such differences.
    prior
        Weight of s², in instances.
    """
    n = len(d)
    total = 0.0
    values = d.tolist()
    mean = math.fsum(values) / n
    for one in values:
        total += (one - mean) * (one - mean)
    variance = (prior * noise + total) / max(prior - 1 + n, 1)
    if variance <= 0:
        return 0.5 if mean == 0 else float(mean < 0)
    return 0.5 * math.erfc(mean / math.sqrt(2 * variance / n))


def stand(d: Floats, noise: float, recent: Sequence[float], *, prior: float, least: int) -> Duel:
    """Where a challenger stands with these differences to the best elite.

    Parameters
    ----------
    recent
        Mean differences of those that stood at this rung before it.
    least
        With fewer of them, their median is not looked at.
    """
    middle = median(recent) if len(recent) >= least else math.inf
    return Duel(len(d), float(d.mean()), probability_better(d, noise, prior), middle)
