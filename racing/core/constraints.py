"""Checks the constraints of candidates on instances that had no part in their choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.special import betaincinv
from racing.core.formula import Limit
from racing.core.goal import Goal
from racing.core.results import Results
from racing.stats.intervals import half_width

_FEW = 6  # equal values below which their spread is unknown; from there on it is 0

Evidence = Literal["met", "missed", "open"]
Decided = Literal["better", "worse", "open", "equal"]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Whether a candidate meets a constraint, on instances that had no part in its choice.

    Attributes
    ----------
    text
        The constraint.
    mean
        Of what it is about, over the runs that did not fail; None where all did.
    low, high
        A confidence interval of that mean; None where there are too few runs.
    confidence
        Its level.
    evidence
        `met` or `missed` where the whole interval says so, else `open`.
    met
        Whether the mean meets it.
    missed
        The least and the largest violation (`Limit.violation`) of a mean in the interval; 0 and inf
        without an interval.

    Examples
    --------
    >>> from racing.core.constraints import Kept
    >>> found = Kept(
    ...     text="success >= 0.8", mean=0.9, low=0.74, high=0.98, confidence=0.95, evidence="open"
    ... )
    >>> f"{found.text}: {found.mean}, {found.low} to {found.high}: {found.evidence}"
    'success >= 0.8: 0.9, 0.74 to 0.98: open'
    """

    text: str
    mean: float | None
    low: float | None
    high: float | None
    confidence: float
    evidence: Evidence
    met: bool = False
    missed: tuple[float, float] = (0.0, math.inf)


def kept(goal: Goal, results: Results, survivor: int, *, confidence: float = 0.95) -> list[Kept]:
    """Whether one survivor meets each constraint of a goal, by these results.

    Values of 0 and 1 get the exact interval of Clopper and Pearson (1934), others that of Student's
    t. Both take instances as independent.

    Parameters
    ----------
    survivor
        Its column in `results.block`.
    """
    values = goal.limited_values(results)[:, :, survivor]
    return [
        _kept(limit, column[~np.isnan(column)], confidence)
        for limit, column in zip(goal.limits, values, strict=True)
    ]


def by_constraints(own: Sequence[Kept], other: Sequence[Kept]) -> Decided:
    """Whether the first of two candidates is better by its constraints, which are one or more.

    Of several constraints the one missed most counts. `equal` if both means meet all of them, so
    that the cost decides; `better` or `worse` only where the intervals of the violations are apart.
    """
    if all(one.met for one in (*own, *other)):
        return "equal"
    low, high = (max(ends) for ends in zip(*(one.missed for one in own), strict=True))
    least, most = (max(ends) for ends in zip(*(one.missed for one in other), strict=True))
    return "better" if high < least else "worse" if most < low else "open"


def _kept(limit: Limit, values: NDArray[np.float64], confidence: float) -> Kept:
    mean = float(values.mean()) if len(values) else None
    ends = _interval(values, confidence)
    least, most = sorted(limit.violation(np.array(ends)).tolist()) if ends else (0.0, math.inf)
    return Kept(
        text=limit.text,
        mean=mean,
        low=ends[0] if ends else None,
        high=ends[1] if ends else None,
        confidence=confidence,
        evidence="met" if most == 0 else "missed" if least > 0 else "open",
        met=mean is not None and not limit.violation(np.array([mean]))[0],
        missed=(least, most),
    )


def _interval(values: NDArray[np.float64], confidence: float) -> tuple[float, float] | None:
    n = len(values)
    if n and np.isin(values, (0.0, 1.0)).all():
        return shares(int(values.sum()), n, confidence)
    if n < 2 or (n < _FEW and (values == values[0]).all()):
        return None
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(n)
    half = half_width(n - 1, confidence) * error
    return mean - half, mean + half


def shares(times: int, of: int, confidence: float) -> tuple[float, float]:
    """An exact interval of the probability of an event that occurred `times` times in `of` trials.

    Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26, 404-413, by quantiles of the beta distribution.
    """
    tail = (1 - confidence) / 2
    low = float(betaincinv(times, of - times + 1, tail)) if times else 0.0
    high = float(betaincinv(times + 1, of - times, 1 - tail)) if times < of else 1.0
    return low, high
