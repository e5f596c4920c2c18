"""The race over data sets: drops candidates that are probably worse on most of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Correlation, Level
from racing.core.results import Results
from racing.core.verdict import Elimination, eliminations
from racing.rules.correlated import groups_seen, rho_of, student_lags
from racing.rules.rule import Outlook, Places, RuleBase
from racing.rules.scores import plain_scores
from racing.stats.t_tests import poisson_binomial_test


@dataclass(frozen=True, kw_only=True)
class PoissonBinomial(RuleBase):
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

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are probably behind the leader on most data sets."""
        y, groups = plain_scores(results, outlook.objective), np.asarray(groups_seen(results))
        behind = [self._behind(y[groups == g], int(order[0]), outlook) for g in np.unique(groups)]
        if not behind:
            return ()
        test = poisson_binomial_test(np.array(behind).T)
        ahead = np.asarray(test.p_win + test.p_tie / 2)
        gone = [i for i in order[:0:-1] if ahead[i] > self.confidence]
        lag = (mean := y.mean(axis=0)) - mean[order[0]]
        return eliminations(results, gone, order[0], "posterior", ahead, self.confidence, lag)

    def _behind(self, y: NDArray[np.float64], leader: int, outlook: Outlook) -> NDArray[np.float64]:
        """(k,) probability that each is behind the leader on one data set."""
        if len(y) < 2:
            return np.full(y.shape[1], 0.5)
        return student_lags(y, leader, [0] * len(y), rho_of(outlook, self.correlation)).behind()
