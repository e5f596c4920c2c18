"""The Hoeffding race: who is surely behind, whatever the distribution of the costs, goes."""

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
class Hoeffding(Checked):
    """The Hoeffding race (Maron and Moore, 1994).

    After n instances everybody leaves whose mean is above the leader's by more than

        R · √(2 · ln((m − 1) · n(n + 1) / α) / n)

    where R is the range of the scores and m the number of candidates. By Hoeffding's inequality the
    best strays that far from one rival, at one n, with probability α/((m − 1)·n(n + 1)) at most;
    over all rivals and all n that adds up to α. So the best is dropped with probability α at most
    in the whole race, at every look, if instances are drawn independently and R is true. It is
    far too careful to drop much in a hundred instances.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1]: the
    promise is to the candidate with the best expected rank in every field that it meets. With
    `mean` they are costs.

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
        level = math.log(seen.rivals * seen.looks / self.alpha)
        # Hoeffding (1963), theorem 2, for differences in [−R, R]: P(mean > r) ≤ exp(−n r²/(2R²))
        radius = seen.width * math.sqrt(2 * level / n)
        return seen.beyond(results, np.full(k, radius))
