"""The difference of two shares on the same items, such as the correct answers of two models.

Each item is right or wrong for either side. McNemar's (1947) null hypothesis is that as many items
are right for the first side only as for the second only. The interval is that of Bonett and Price
(2012); where items come in groups, such as questions about one text, its error is clustered by
group (Liang and Zeger, 1986; Miller, 2024, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import ndtri, stdtrit
from racing.stats._checks import Floats, as_level, as_pair
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
    level: float
    wins: int
    losses: int
    n: int
    groups: int | None
    pvalue: float


def share_difference(
    x: ArrayLike, y: ArrayLike, *, groups: Sequence[object] | None = None, level: float = 0.95
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
    a, b = as_pair(x, y)
    level = as_level(level, name="level")
    if not is_yes_or_no(np.stack([a, b])):
        raise InputError("shares are of two costs that are 1 apart, such as 0 and 1")
    d = b - a
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    centre, error = _adjusted(wins, losses, d.size)
    quantile = float(ndtri(0.5 + level / 2))
    number = None
    if groups is not None:
        number, clustered = _clustered(d, groups)
        # if no group differs, the error would be too small
        centre, error = float(d.mean()), max(clustered, error)
        quantile = float(stdtrit(number - 1, 0.5 + level / 2)) if number > 1 else np.inf
    return ShareDifference(
        difference=float(d.mean()),
        standard_error=error,
        low=max(centre - quantile * error, -1.0),
        high=min(centre + quantile * error, 1.0),
        level=level,
        wins=wins,
        losses=losses,
        n=d.size,
        groups=number,
        pvalue=float(sign_p(wins, losses)),
    )


def is_yes_or_no(costs: Floats) -> bool:
    """Whether all costs are 0 or 1, or all are 0 or -1 (negated scores)."""
    return bool(np.isin(costs, (0, 1)).all() or np.isin(costs, (0, -1)).all())


def _adjusted(wins: int, losses: int, n: int) -> tuple[float, float]:
    """Centre and standard error of Bonett and Price (2012): one item more of either kind."""
    p, q = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    return p - q, float(np.sqrt((p + q - (p - q) ** 2) / (n + 2)))


def _clustered(d: Floats, groups: Sequence[object]) -> tuple[int, float]:
    """How many groups there are, and the standard error of the mean clustered by them.

    √(G/(G−1) · Σ_g (Σ_{i in g} d_i − d̄)²) / n: Miller (2024), section 3, with the usual correction
    for the number of groups.
    """
    labels = np.asarray([str(group) for group in groups])
    if labels.shape != d.shape:
        raise InputError(f"groups: expected a label for each of {d.size} items, got {labels.size}")
    _, place = np.unique(labels, return_inverse=True)
    sums = np.bincount(place, weights=d - d.mean())
    g = sums.size
    return g, float(np.sqrt(g / max(g - 1, 1) * (sums**2).sum())) / d.size
