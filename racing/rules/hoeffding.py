"""The Hoeffding race: eliminates by Hoeffding's bound, for any distribution of costs."""

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
class Hoeffding(Checked):
    """The Hoeffding race (Maron and Moore, 1994).

    After n instances, a candidate is dropped if its mean is above the leader's by more than

        R · √(2 · ln((m − 1) · n(n + 1) / α) / n)

    where R is the range of the scores and m the number of candidates. By Hoeffding's inequality the
    best is that far from one rival, at one n, with probability α/((m − 1)·n(n + 1)) at most; the
    sum over all rivals and all n is α. So the best is dropped with probability α at most in the
    whole race, with any looks, if instances are independent and R is right. The rule is very
    conservative: it drops little in a hundred instances.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1]: the
    guarantee is for the candidate with the best expected rank in every set of candidates that it
    meets. With `mean` they are costs.

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
    >>> from racing.rules import Hoeffding
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Hoeffding())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 175)
    """

    alpha: Level = 0.05
    range: Positive | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        seen = Differences.of(results, outlook.objective, self.range)
        n, k = seen.d.shape
        level = math.log(seen.rivals * seen.looks / self.alpha)
        # Hoeffding (1963), theorem 2, for differences in [−R, R]: P(mean > r) ≤ exp(−n r²/(2R²))
        radius = seen.width * math.sqrt(2 * level / n)
        return seen.beyond(results, np.full(k, radius))
