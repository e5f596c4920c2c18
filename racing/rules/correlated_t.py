"""The correlated t-race: t-tests against the leader, for folds of the same data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from racing.base.quantities import Correlation, Level
from racing.base.records import Checked
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader, verdict_on
from racing.rules.correlated import lags
from racing.rules.rule import Outlook
from racing.stats.corrections import adjust


@dataclass(frozen=True, kw_only=True)
class CorrelatedT(Checked):
    """The corrected t-test of Nadeau and Bengio (2003) against the leader, one-sided.

    Candidates significantly worse than the leader are dropped. The folds of a cross-validation
    share their training data, so their differences are correlated, and a plain t-test rejects too
    often. Here the variance of the mean uses the effective size of the folds
    (`racing.rules.dependence`): with a single group, S²·(1/n + ρ/(1 − ρ)).

    The level holds for one look. Over a whole race, and with a leader chosen as the best, more are
    dropped by chance; see `correlated-sequential`.

    Attributes
    ----------
    alpha
        Level of each test, or of the family of tests at one look with a correction.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups, which makes this a one-sided t-test.
    correction
        For the number of candidates: `none`, `holm` or `bonferroni`.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedT
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedT())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "holm", "bonferroni"] = "none"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return verdict_on(results, leader)
        p = lag.p_worse()
        p[leader] = 1.0
        p = adjust(p, self.correction)
        return against_leader(
            results,
            leader,
            np.flatnonzero((p < self.alpha) & (lag.mean > 0)),
            measure="p-value",
            value=p,
            threshold=self.alpha,
            statistic=lag.mean,
        )
