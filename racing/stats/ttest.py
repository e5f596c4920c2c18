"""The paired t-test, on absolute or relative differences.

Demšar (2006), section 3.1.2, names its weaknesses: differences must be commensurable across
instances, close to normal for fewer than about 30 of them, and free of outliers. Relative
differences, d = (y - x) / ((x + y)/2), fix only the first of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.base.special import stdtr, stdtrit
from racing.stats._checks import Alternative, Floats, checked
from racing.stats._paired import Paired, over, p_value

Difference: TypeAlias = Literal["absolute", "relative"]


_NOISE = 1e-12  # relative to the costs; the largest rounding error of a difference


_LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class PairedT:
    """Paired t-tests of first samples against second ones, one entry for each pair.

    `paired_t` returns it. The lower cost wins.

    Differences are second minus first, so positive where the first is better. `effect` is the
    mean difference in standard deviations of the differences (Cohen's d for paired samples).
    [`low`, `high`] is the confidence interval of the mean difference.

    Examples
    --------
    >>> from racing.stats import paired_t
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = paired_t(x, y)
    >>> f"{found.mean:.2f}, between {found.low:.2f} and {found.high:.2f}"
    '-1.71, between -2.74 and -0.69'
    >>> f"t({found.df}) = {found.t:.2f}, d = {found.effect:.2f}"
    't(6) = -4.08, d = -1.54'
    """

    mean: Floats
    stderr: Floats
    t: Floats
    pvalue: Floats
    df: int
    level: float

    @property
    def effect(self) -> Floats:
        effect: Floats = self.t / np.sqrt(self.df + 1)
        return effect

    @property
    def low(self) -> Floats:
        return self.mean - self._reach

    @property
    def high(self) -> Floats:
        return self.mean + self._reach

    @property
    def _reach(self) -> Floats:
        reach: Floats = stdtrit(self.df, 0.5 + self.level / 2) * self.stderr
        return reach


@checked
def paired_t(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    difference: Difference = "absolute",
    level: Level = 0.95,
) -> PairedT:
    """Paired t-test of x against y, (n,) finite costs on the same n >= 2 instances.

    Or of many pairs, (..., n); the p-values are not corrected for their number.

    If the differences have no variance, the sign of their mean decides (t = ±inf, p = 0 or 1);
    without any difference, t = 0 and p = 1.

    Parameters
    ----------
    alternative : "better": x has the lower mean cost; "worse": the higher.
    difference : "absolute" (y - x) or "relative" to the mean size of the two costs.
    level : confidence of the two-sided interval.

    Raises
    ------
    InputError
        If n < 2, a cost is infinite, or differences are relative and costs have both signs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import paired_t
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = paired_t(x, y)
    >>> round(float(found.pvalue), 4)
    0.0065
    """
    pairs = Paired.of(x, y)
    _check_costs(pairs, difference)
    mean, stderr = pairs.each(lambda a, b: _moments(a, b, difference))
    df, t = pairs.n - 1, over(mean, stderr)
    p = p_value(t, lambda t: stdtr(df, t), alternative)
    return PairedT(mean, stderr, t, p, df, level)


def _check_costs(pairs: Paired, difference: Difference) -> None:
    low = min(pairs.x.min(initial=0.0), pairs.y.min(initial=0.0))
    high = max(pairs.x.max(initial=0.0), pairs.y.max(initial=0.0))
    if not high < np.inf:
        raise InputError(
            "costs must be finite for the t-test; give failures a finite penalty, or use the sign "
            "or Wilcoxon's test"
        )
    if max(-low, high) > _LARGEST:
        raise InputError(
            f"costs must be at most {_LARGEST} for the t-test, which squares; rescale them"
        )
    if pairs.n < 2:
        raise InputError("instances must be two or more for the t-test; got 1, without a variance")
    if difference == "relative" and low < 0 < high:
        raise InputError(
            f"costs must be of one sign for difference='relative'; got some from {low} to {high}; "
            "use difference='absolute'"
        )


def _moments(a: Floats, b: Floats, difference: Difference) -> tuple[Floats, Floats]:
    """Mean and standard error of the differences b - a of each row, free of rounding noise."""
    size = np.abs(a) / 2 + np.abs(b) / 2
    d = b - a
    d[np.abs(d) <= _NOISE * size] = 0.0
    if difference == "relative":  # Demsar (2006), section 3.1.2; 0 against 0 is no difference
        d = np.divide(d, size, out=np.zeros_like(d), where=size > 0)
        size = np.ones_like(size)
    mean, sd = d.mean(axis=1), d.std(axis=1, ddof=1)
    sd[sd <= _NOISE * size.max(axis=1)] = 0.0
    mean[~d.any(axis=1)] = 0.0
    return mean, sd / np.sqrt(d.shape[1])
