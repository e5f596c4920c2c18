"""The difference of two shares on the same items, and instances that come in groups.

Each item is right or wrong for either side, such as the correct answers of two models. McNemar's
(1947) null hypothesis is that as many items are right for the first side only as for the second
only. The interval is that of Bonett and Price (2012); where items come in groups, such as questions
about one text, its error is clustered by group (Liang and Zeger, 1986; Miller, 2024, section 3).

Instances of one group are not independent, so that an interval or a test that counts each of them
is too sure of itself. The means of groups are independent (`group_means`). A test of these holds
its level whatever the correlation within groups is, and speaks of groups: each counts once,
whatever its size (Galbraith, Daniel and Vissel, 2010, call these summary statistics).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.base.special import ndtri, stdtrit
from racing.stats._checks import Floats, checked
from racing.stats._samples import Paired
from racing.stats.intervals import numbered
from racing.stats.sign import sign_p


@dataclass(frozen=True)
class ShareDifference:
    """By how much the share of the first side is better than that of the second.

    `share_difference` returns it.

    [`low`, `high`] holds the difference with confidence `level`, `standard_error` is that of the
    interval. `wins` and `losses` count the items that only the first, or only the second, has
    right; `pvalue` is McNemar's, exact and two-sided, and takes items as independent. `groups` is
    None where items are.

    Examples
    --------
    >>> from racing.stats import share_difference
    >>> x, y = [1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1]
    >>> found = share_difference(x, y)
    >>> found.wins, found.losses, found.n
    (0, 2, 6)
    >>> f"{found.difference:.2f}, between {found.low:.2f} and {found.high:.2f}"
    '-0.33, between -0.71 and 0.21'
    """

    difference: float
    standard_error: float
    low: float
    high: float
    wins: int
    losses: int
    n: int
    groups: int | None
    pvalue: float


@checked
def share_difference(
    x: ArrayLike, y: ArrayLike, *, groups: Sequence[Hashable] | None = None, level: Level = 0.95
) -> ShareDifference:
    """Compare x with y, (n,) costs of the same items, each one of two numbers that are 1 apart.

    Lower costs win: with 0 for right and 1 for wrong, the difference is positive where the first
    side is right more often.

    Parameters
    ----------
    groups : (n,) labels of the groups that items come in; None if items are independent. With fewer
        than about 20 groups, the standard error is unreliable.
    level : confidence of the interval.

    Raises
    ------
    InputError
        If costs are no two such numbers, or there is not a label for each item.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import share_difference
    >>> x, y = np.array([1, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 0, 0, 1])
    >>> found = share_difference(x, y)
    >>> round(float(found.pvalue), 4)
    0.5
    """
    pairs = Paired.of(x, y)
    if pairs.shape or not is_yes_or_no(np.stack([pairs.x, pairs.y])):
        raise InputError("costs must be two numbers that are 1 apart, such as 0 and 1, for shares")
    d = (pairs.y - pairs.x)[0]
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    # Bonett and Price (2012): one item more of either kind
    first, second = (wins + 1) / (d.size + 2), (losses + 1) / (d.size + 2)
    centre = first - second
    error = float(np.sqrt((first + second - centre**2) / (d.size + 2)))
    quantile = float(ndtri(0.5 + level / 2))
    number = None
    if groups is not None:
        number, clustered = _clustered(d, groups)
        # if no group differs, the error would be too small
        centre, error = float(d.mean()), max(clustered, error)
        quantile = float(stdtrit(number - 1, 0.5 + level / 2)) if number > 1 else np.inf
    low, high = max(centre - quantile * error, -1.0), min(centre + quantile * error, 1.0)
    p = float(sign_p(wins, losses))
    return ShareDifference(float(d.mean()), error, low, high, wins, losses, d.size, number, p)


def is_yes_or_no(costs: Floats) -> bool:
    """Whether all costs are 0 or 1, or all are 0 or -1 (negated scores)."""
    return bool(np.isin(costs, (0, 1)).all() or np.isin(costs, (0, -1)).all())


def group_means(costs: Floats, groups: Sequence[Hashable]) -> Floats:
    """(G, 2) the mean costs of two candidates on each group, in the order of appearance.

    Parameters
    ----------
    costs : (n, 2)
        Lower is better, +inf = failed. Instances on which one failed are in no mean; in a group
        where one failed more often than the other, its cost is +inf, and both have +inf where no
        instance is left.
    groups : (n,)
        The label of each instance.

    Raises
    ------
    InputError
        If there is not a label for each instance.
    """
    if len(groups) != len(costs):
        raise InputError(f"groups must be {len(costs)}, one per instance; got {len(groups)}")
    rows: dict[Hashable, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return np.array([_mean(costs[members]) for members in rows.values()]).reshape(-1, 2)


def _clustered(d: Floats, groups: Sequence[Hashable]) -> tuple[int, float]:
    """How many groups there are, and the standard error of the mean clustered by them.

    √(G/(G−1) · Σ_g (Σ_{i in g} d_i − d̄)²) / n: Miller (2024), section 3, with the usual correction
    for the number of groups.
    """
    if len(groups) != d.size:
        raise InputError(f"groups must be {d.size} labels, one per item; got {len(groups)}")
    sums = np.bincount(numbered(groups), weights=d - d.mean())
    g = sums.size
    return g, float(np.sqrt(g / max(g - 1, 1) * (sums**2).sum())) / d.size


def _mean(costs: Floats) -> Floats:
    failures = np.isinf(costs).sum(axis=0)
    finite = costs[np.isfinite(costs).all(axis=1)]
    if failures[0] == failures[1] and len(finite):
        return np.asarray(finite.mean(axis=0))
    worse = failures >= failures[::-1]
    return np.where(worse, np.inf, finite.mean(axis=0) if len(finite) else 0.0)
