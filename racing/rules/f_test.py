"""F-race as in irace: Friedman's test, then Conover's comparisons with the best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.base.quantities import Level
from racing.core.results import Results
from racing.core.verdict import Elimination, Gate, Reason, eliminations
from racing.rules.f_race import frequentist_gate
from racing.rules.rule import Outlook, Places, RuleBase


@dataclass(frozen=True, kw_only=True)
class FTest(RuleBase):
    """irace's F-test (López-Ibáñez et al., 2016, section 2.2).

    A Friedman test with tie correction decides whether there is any difference; if so, a candidate
    is dropped if its mean rank exceeds the leader's by more than Conover's critical difference
    (two-sided, after Conover, 1999, section 5.8). Of two survivors, the second is dropped if it is
    never better than the leader, or if Wilcoxon's signed-ranks test on the costs finds it worse,
    two-sided.

    Only the Friedman test has this level: not the family of comparisons, and not repeated looks.

    With the objective `mean`, the comparisons are with the leader in mean cost. irace uses a normal
    approximation if differences tie or are zero; here the test stays exact. Whether a candidate is
    dropped can depend on the others in the race, as with `mean-ranks`.

    Attributes
    ----------
    alpha
        Level of each test; irace's confidence is 1 − alpha.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import FTest
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=FTest())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05

    def omnibus(self, results: Results, outlook: Outlook) -> Gate | None:
        """Friedman's test; none of two survivors, which are compared by a test of their own."""
        two = len(results.survivors) < 3
        return frequentist_gate(results.block, "none" if two else "friedman", self.alpha)

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are behind the leader by more than the critical difference."""
        if len(order) < 3:
            return self._second(results, order)
        leader = int(order[0])
        test = stats.conover(results.block, control=leader, check=False)
        critical = test.critical_difference(self.alpha)
        behind = test.means - test.means[leader]
        gone = np.flatnonzero(behind > critical)
        return eliminations(
            results, gone, leader, "rank difference", behind, critical, test.statistic
        )

    def _second(self, results: Results, order: Places) -> tuple[Elimination, ...]:
        """The elimination of the second of two, by the test or because it was never better."""
        if len(order) < 2:
            return ()
        ahead, behind = results.block[:, order[0]], results.block[:, order[1]]
        test = stats.wilcoxon(ahead, behind, zero_rule="wilcox")
        never_better = bool((ahead <= behind).all())
        worse = bool(test.z > 0 and test.pvalue < self.alpha)
        if not (never_better or worse):
            return ()
        reason = Reason.INDISTINGUISHABLE if (ahead == behind).all() else Reason.INFERIOR
        p = 0.0 if never_better else float(test.pvalue)
        z = float(test.z)
        return eliminations(results, order[1:], order[0], "p-value", p, self.alpha, z, reason)
