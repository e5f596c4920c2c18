"""The Bayesian correlated t-race: who is probably not practically better than the leader leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from racing.objective import standing
from racing.quantities import Correlation, Level, NonNegative
from racing.records import Checked
from racing.results import Results
from racing.rules.correlated import lags
from racing.rules.rule import Outlook
from racing.rules.verdict import Reason, Verdict, eliminations


@dataclass(frozen=True, kw_only=True)
class CorrelatedBayes(Checked):
    """The Bayesian correlated t-test of Corani and Benavoli (2015) against the leader, with a rope.

    The mean difference δ of a candidate's costs to the leader's has a Student posterior
    (`racing.stats.correlated_t`). The candidate leaves once P(δ > −rope) exceeds the confidence:
    it is probably not better by more than the rope. If P(δ > rope) does too it is inferior,
    otherwise it is practically as good as the leader or worse, and leaves as indistinguishable. So
    a race among candidates that hardly differ ends early, and the winner is meant to be within the
    rope of the best.

    The confidence is that of one look at one candidate.

    Attributes
    ----------
    rope
        Differences up to this do not matter, in units of cost (`mean`: .01 is a point of accuracy)
        or as a share of the number of candidates (`rank`).
    confidence
        Posterior probability from which a candidate is held not to be practically better.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.
    """

    rope: NonNegative = 0.01
    confidence: Level = 0.9
    correlation: Correlation | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        n, best = len(results.block), results.id(leader)
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return Verdict(instances=n, leader=best)
        no_better, inferior = lag.behind(-self.rope), lag.behind(self.rope)
        no_better[leader] = 0.0
        out = eliminations(
            results,
            np.flatnonzero(no_better > self.confidence),
            against=leader,
            measure="posterior",
            value=np.where(inferior > self.confidence, inferior, no_better),
            threshold=self.confidence,
            statistic=lag.mean,
        )
        worse = {results.id(i) for i in np.flatnonzero(inferior > self.confidence).tolist()}
        return Verdict(
            instances=n,
            leader=best,
            eliminated=tuple(
                e if e.candidate in worse else replace(e, reason=Reason.INDISTINGUISHABLE)
                for e in out
            ),
        )
