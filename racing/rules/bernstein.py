"""The empirical Bernstein race: a Hoeffding race that sees how little candidates vary."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from racing.quantities import Checked, Level, Positive
from racing.results import Results
from racing.rules.bounded import Differences
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Bernstein(Checked):
    """The empirical Bernstein race (Mnih et al., 2008), with the bound of Maurer and Pontil (2009).

    After n instances everybody leaves whose mean is above the leader's by more than

        √(2 V L / n) + 14 R L / (3(n − 1)),   L = ln(2 (m − 1) · n(n + 1) / α)

    where V is the variance of the paired differences, R the range of the scores and m the number of
    candidates. The level is divided over rivals and instances as in the Hoeffding race, so the best
    is dropped with probability α at most in the whole race, if instances are drawn independently
    and R is true. The second term alone is above R for the first few dozen instances, where the
    rule is more careful than Hoeffding's; it pays off when R is far above the differences' spread.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1], and
    the bound, which is for a fixed field, holds only nearly. With `mean` they are costs.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`. Without
        it, the range of the costs seen so far takes its place, and nothing is promised. A
        difference beyond it, such as to a failure, counts as this much.
    """

    alpha: Level = 0.05
    range: Positive | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        seen = Differences.of(results, outlook.objective, self.range)
        n, k = seen.d.shape
        if n < 2:
            return seen.beyond(results, np.full(k, np.inf))
        level = math.log(2 * seen.rivals * seen.looks / self.alpha)
        # Maurer and Pontil (2009), theorem 4; differences have the range 2R
        spread = np.sqrt(2 * seen.d.var(axis=0, ddof=1) * level / n)
        return seen.beyond(results, spread + 14 * seen.width * level / (3 * (n - 1)))
