"""The race over data sets: drops candidates that are probably worse on most of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Correlation, Level
from racing.base.records import Checked
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader, verdict_on
from racing.rules.correlated import groups_seen, rho, student_lags
from racing.rules.rule import Outlook
from racing.rules.scores import plain_scores
from racing.stats.t_tests import poisson_binomial_test


@dataclass(frozen=True, kw_only=True)
class PoissonBinomial(Checked):
    """The Poisson-binomial test of Lacoste et al. (2012) against the leader, over data sets.

    Each group of instances is a data set, and its instances are folds. On each, the correlated
    t-test gives the probability that the leader is better than a candidate (1/2 before two folds).
    The number of data sets on which it is better is then Poisson-binomial, and the candidate is
    dropped when this number is more than half with a probability above the confidence, ties half.
    The size of differences matters within a data set only, so scores of different data sets need
    not be comparable.

    The probability is about these data sets, not about a population, and holds for one look.
    Without groups all instances are one data set.

    Attributes
    ----------
    confidence
        Probability that the leader is better on more data sets, above which a candidate is dropped.
    correlation
        ρ of costs within a group. Default: that of the instances; 0 where they have no groups.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import PoissonBinomial
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=PoissonBinomial())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    confidence: Level = 0.95
    correlation: Correlation | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        order = standing(results, outlook.objective)
        y, groups = plain_scores(results, outlook.objective), np.asarray(groups_seen(results))
        behind = [self._behind(y[groups == g], int(order[0]), outlook) for g in np.unique(groups)]
        if not behind:
            return verdict_on(results, order[0])
        test = poisson_binomial_test(np.array(behind).T)
        ahead = np.asarray(test.p_win + test.p_tie / 2)
        mean = y.mean(axis=0)
        return against_leader(
            results,
            order[0],
            [i for i in order[:0:-1] if ahead[i] > self.confidence],
            measure="posterior",
            value=ahead,
            threshold=self.confidence,
            statistic=mean - mean[order[0]],
        )

    def _behind(self, y: NDArray[np.float64], leader: int, outlook: Outlook) -> NDArray[np.float64]:
        """(k,) probability that each is behind the leader on one data set."""
        if len(y) < 2:
            return np.full(y.shape[1], 0.5)
        return student_lags(y, leader, [0] * len(y), rho(outlook, self.correlation)).behind()
