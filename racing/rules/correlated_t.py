"""The correlated t-race: t-tests against the leader, where instances are folds of the same data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from racing.objective import standing
from racing.quantities import Correlation, Level
from racing.records import Checked
from racing.results import Results
from racing.rules.correlated import lags
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict, eliminations
from racing.stats.corrections import adjust


@dataclass(frozen=True, kw_only=True)
class CorrelatedT(Checked):
    """The corrected t-test of Nadeau and Bengio (2003) against the leader, one-sided.

    Everybody leaves who is significantly worse than the leader. The folds of a cross-validation
    share their training data, so their differences are correlated, and a plain t-test takes chance
    for evidence. Here the variance of the mean is that of as many independent instances as the
    folds are worth (`racing.dependence`): with a single group, S²·(1/n + ρ/(1 − ρ)).

    The level is that of one look. Over a whole race, and with a leader that is chosen because it
    looks best, more is dropped by chance; see `correlated-sequential`.

    Attributes
    ----------
    alpha
        Level of each test, or of the family of tests at one look if there is a correction.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups, which makes this a one-sided t-test.
    correction
        For the number of candidates: `none`, `holm` or `bonferroni`.
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "holm", "bonferroni"] = "none"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        n, best = len(results.block), results.id(leader)
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return Verdict(instances=n, leader=best)
        p = lag.p_worse()
        p[leader] = 1.0
        p = adjust(p, self.correction)
        return Verdict(
            instances=n,
            leader=best,
            eliminated=eliminations(
                results,
                np.flatnonzero((p < self.alpha) & (lag.mean > 0)),
                against=leader,
                measure="p-value",
                value=p,
                threshold=self.alpha,
                statistic=lag.mean,
            ),
        )
