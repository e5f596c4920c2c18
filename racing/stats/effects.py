"""Effect sizes: wins/ties/losses, Vargha and Delaney's A, median difference.

All are oriented so that larger means that the first side is better (has the lower costs), and all
have a confidence interval; the result names its construction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints, as_costs, as_level, as_pair, as_vector, one_of
from racing.stats._intervals import (
    EXACT_RANKS,
    clopper_pearson,
    hodges_lehmann_interval,
    median_interval,
    newcombe,
)
from racing.stats.sign import sign_counts

Estimator: TypeAlias = Literal["hodges-lehmann", "median"]


@dataclass(frozen=True)
class Superiority:
    """Vargha and Delaney's A: the chance that the first side is better, ties counted half.

    `vargha_delaney` returns it.

    `paired`: on the same instance; else, a random result of the first against an independent random
    result of the second. `low` and `high` hold it with `level`.

    Examples
    --------
    >>> from racing.stats import vargha_delaney
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = vargha_delaney(x, y, paired=True)
    >>> found.wins, found.ties, found.losses
    (0, 1, 6)
    >>> found.magnitude
    'large'
    >>> round(found.low, 2), round(found.high, 2)
    (0.0, 0.5)
    """

    a: float
    low: float
    high: float
    level: float
    paired: bool
    wins: int
    ties: int
    losses: int
    interval: str

    @property
    def magnitude(self) -> str:
        """Vargha and Delaney's (2000) words for A; their bounds are conventions, not tests."""
        distance = abs(self.a - 0.5)
        words = ((0.21, "large"), (0.14, "medium"), (0.06, "small"))
        return next((word for bound, word in words if distance >= bound), "negligible")


@dataclass(frozen=True)
class MedianDifference:
    """Location of the paired differences second - first; positive where the first is better.

    `median_difference` returns it.

    `coverage` is the confidence that the interval has at least (exact unless `interval` says
    otherwise): order statistics come in steps, so it is rarely `level` itself.

    Examples
    --------
    >>> from racing.stats import median_difference
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = median_difference(x, y)
    >>> f"{found.estimate}, between {found.low} and {found.high} with at least {found.coverage:.3f}"
    '-1.75, between -3.0 and -0.5 with at least 0.953'
    """

    estimate: float
    low: float
    high: float
    level: float
    coverage: float
    estimator: Estimator
    interval: str
    n: int


@dataclass(frozen=True, eq=False)
class EffectPairs:
    """Effects of all pairs of m columns on the same instances; (m, m), (i, j) is i against j.

    `effect_pairs` returns it.

    Examples
    --------
    >>> from racing.stats import effect_pairs
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = effect_pairs(X)
    >>> found.wins.tolist()
    [[0, 0, 0], [6, 0, 5], [6, 1, 0]]
    >>> found.differences[1].tolist()
    [2.5, 0.0, 1.0]
    """

    wins: Ints
    ties: Ints
    a: Floats
    differences: Floats
    low: Floats
    high: Floats
    level: float
    estimator: Estimator


def vargha_delaney(x: ArrayLike, y: ArrayLike, *, paired: bool, level: float = 0.95) -> Superiority:
    """Vargha and Delaney's A of x over y, two vectors of costs.

    Parameters
    ----------
    paired : True compares x[i] with y[i] only (same instances): A = (wins + ties/2) / n, with the
        Clopper-Pearson interval, ties split. False compares every x with every y (independent
        results, lengths may differ), with Newcombe's (2006) interval, method 5, which stays
        sensible at A = 0 and 1.

    Raises
    ------
    InputError
        If x and y are no costs, or paired and of different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import vargha_delaney
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = vargha_delaney(x, y, paired=True)
    >>> round(float(found.a), 4)
    0.0714
    """
    as_level(level, name="level")
    if paired:
        a, b = as_pair(x, y)
        wins, losses, total = int(np.sum(a < b)), int(np.sum(b < a)), a.size
    else:
        a, b = as_vector(x, name="x"), as_vector(y, name="y")
        ordered = np.sort(b)
        losses = int(np.searchsorted(ordered, a, side="left").sum())
        total = a.size * b.size
        wins = total - int(np.searchsorted(ordered, a, side="right").sum())
    ties = total - wins - losses
    estimate = (wins + ties / 2) / total
    if paired:
        low, high = clopper_pearson(wins + ties / 2, total, level)
        kind = "Clopper-Pearson, ties split"
    else:
        low, high = newcombe(estimate, a.size, b.size, level)
        kind = "Newcombe (2006), method 5"
    return Superiority(estimate, low, high, level, paired, wins, ties, losses, kind)


def median_difference(
    x: ArrayLike, y: ArrayLike, *, estimator: Estimator = "hodges-lehmann", level: float = 0.95
) -> MedianDifference:
    """Location of the differences y - x of two (n,) vectors of costs on the same instances.

    Parameters
    ----------
    estimator : "hodges-lehmann", the median of the Walsh averages (d_i + d_j)/2, i <= j, with the
        interval that inverts Wilcoxon's test (symmetric differences assumed); or "median", the
        sample median with the interval that inverts the sign test (nothing assumed).

    A failure against a finite cost is an infinite difference, two failures are none; halfway
    between -inf and +inf is 0. With few instances an end may be infinite: no finite interval of
    that level exists.

    Raises
    ------
    InputError
        If x and y are no paired costs, or "hodges-lehmann" is asked of more than 5000 instances.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import median_difference
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = median_difference(x, y)
    >>> round(float(found.estimate), 4)
    -1.75
    """
    one_of(estimator, ("hodges-lehmann", "median"), name="estimator")
    as_level(level, name="level")
    d = _differences(*as_pair(x, y))
    n = d.size
    if estimator == "median":
        return MedianDifference(*median_interval(d, level), estimator, "order statistics", n)
    kind = "Walsh averages" if n <= EXACT_RANKS else "Walsh averages, normal approximation"
    return MedianDifference(*hodges_lehmann_interval(d, level), estimator, kind, n)


def effect_pairs(
    X: ArrayLike, *, estimator: Estimator = "hodges-lehmann", level: float = 0.95
) -> EffectPairs:
    """Wins, paired A and median differences of all pairs of columns of X, (n, m) costs.

    Options and errors as in `median_difference`; `level` holds for each pair, not jointly.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import effect_pairs
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = effect_pairs(X)
    >>> found.a.round(4).tolist()
    [[0.5, 0.0, 0.0], [1.0, 0.5, 0.8333], [1.0, 0.1667, 0.5]]
    """
    costs = as_costs(X)
    n, m = costs.shape
    wins = sign_counts(costs)
    ties = n - wins - wins.T
    differences, low, high = (np.zeros((m, m)) for _ in range(3))
    for i in range(m):
        for j in range(i + 1, m):
            one = median_difference(costs[:, i], costs[:, j], estimator=estimator, level=level)
            differences[i, j], low[i, j], high[i, j] = one.estimate, one.low, one.high
            differences[j, i], low[j, i], high[j, i] = -one.estimate, -one.high, -one.low
    a = (wins + ties / 2) / n
    return EffectPairs(wins, ties, a, differences, low, high, level, estimator)


def _differences(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        d: Floats = b - a
    d[np.isnan(d)] = 0.0  # two failures
    return d
