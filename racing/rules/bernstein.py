"""The empirical Bernstein race: eliminates by a bound that uses the variance of differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from racing.base.quantities import Level, Positive
from racing.base.records import Checked
from racing.core.results import Results
from racing.core.verdict import Verdict
from racing.rules.bounded import Differences
from racing.rules.rule import Outlook


@dataclass(frozen=True, kw_only=True)
class Bernstein(Checked):
    """The empirical Bernstein race (Mnih et al., 2008), with the bound of Maurer and Pontil (2009).

    After n instances, a candidate is dropped if its mean is above the leader's by more than

        √(2 V L / n) + 14 R L / (3(n − 1)),   L = ln(2 (m − 1) · n(n + 1) / α)

    where V is the variance of the paired differences, R the range of the scores and m the number of
    candidates. The level is divided over rivals and instances as in the Hoeffding race, so the best
    is dropped with probability α at most in the whole race, if instances are independent and R is
    right. The second term alone is above R for the first few dozen instances, where Hoeffding's
    rule drops more; this rule is better when R is far above the spread of the differences.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1], and
    the bound, which is for a fixed set of candidates, holds only approximately. With `mean` they
    are costs.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`. Without
        it, the range of the costs so far is used, without a guarantee. A larger difference, such as
        to a failure, counts as this much.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Bernstein
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Bernstein())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 200)
    """

    alpha: Level = 0.05
    range: Positive | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        seen = Differences.of(results, outlook.objective, self.range)
        n, k = seen.d.shape
        if n < 2:
            return seen.beyond(results, np.full(k, np.inf))
        level = math.log(2 * seen.rivals * seen.looks / self.alpha)
        # Maurer and Pontil (2009), theorem 4; differences have the range 2R
        spread = np.sqrt(2 * seen.d.var(axis=0, ddof=1) * level / n)
        return seen.beyond(results, spread + 14 * seen.width * level / (3 * (n - 1)))
