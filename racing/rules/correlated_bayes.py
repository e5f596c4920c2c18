"""The Bayesian correlated t-race: drops candidates that are probably not practically better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.base.quantities import Correlation, Level, NonNegative
from racing.base.records import Checked
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Reason, Verdict, against_leader, verdict_on
from racing.rules.correlated import lags
from racing.rules.rule import Outlook


@dataclass(frozen=True, kw_only=True)
class CorrelatedBayes(Checked):
    """The Bayesian correlated t-test of Corani and Benavoli (2015) against the leader, with a rope.

    The mean difference δ of a candidate's costs to the leader's has a Student posterior
    (`racing.stats.correlated_t`). The candidate is dropped when P(δ > −rope) exceeds the
    confidence: it is probably not better by more than the rope. Its reason is inferior if P(δ >
    rope) exceeds it too, otherwise indistinguishable. So a race among nearly equal candidates ends
    early, and the winner should be within the rope of the best.

    The confidence holds for one look at one candidate.

    Attributes
    ----------
    rope
        Negligible differences, in units of cost (`mean`: .01 is a point of accuracy)
        or as a share of the number of candidates (`rank`).
    confidence
        Posterior probability above which a candidate counts as not practically better.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedBayes
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedBayes())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    rope: NonNegative = 0.01
    confidence: Level = 0.9
    correlation: Correlation | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return verdict_on(results, leader)
        no_better, inferior = lag.behind(-self.rope), lag.behind(self.rope)
        no_better[leader] = 0.0
        clearly = inferior > self.confidence
        reasons = np.array([Reason.INDISTINGUISHABLE, Reason.INFERIOR], dtype=object)
        return against_leader(
            results,
            leader,
            np.flatnonzero(no_better > self.confidence),
            reason=reasons[clearly.astype(np.intp)],
            measure="posterior",
            value=np.where(clearly, inferior, no_better),
            threshold=self.confidence,
            statistic=lag.mean,
        )
