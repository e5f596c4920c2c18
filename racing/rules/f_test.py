"""F-race as irace runs it: Friedman's test, then Conover's comparisons with the best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.objective import standing
from racing.quantities import Level
from racing.records import Checked
from racing.results import Results
from racing.rules.gates import frequentist_gate
from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Reason, Verdict, eliminations


@dataclass(frozen=True, kw_only=True)
class FTest(Checked):
    """irace's F-test (López-Ibáñez et al., 2016, section 2.2).

    A Friedman test with tie correction decides whether there is any difference; if so, everybody
    leaves whose mean rank is further above the leader's than Conover's critical difference (two
    sides, after Conover, 1999, section 5.8). Of two survivors, one leaves that is never better than
    the leader, at once, or that Wilcoxon's signed-ranks test on the costs calls worse, two-sided.

    The level is kept by the Friedman test alone: not by each comparison, of which there is one per
    candidate, and not over repeated looks.

    With the objective `mean`, the comparisons are with the leader in mean cost. irace goes on to a
    normal approximation where differences tie or are zero; here the test stays exact. Whether a
    candidate is dropped can depend on who else is in the race, as with `mean-ranks`.

    Attributes
    ----------
    alpha
        Level of each test; irace's confidence is 1 − alpha.
    """

    alpha: Level = 0.05

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        order = standing(results, outlook.objective)
        gate = frequentist_gate(block, "friedman" if len(order) > 2 else "none", self.alpha)
        eliminated: tuple[Elimination, ...] = ()
        if len(order) == 2:
            eliminated = self._second(results, order)
        elif gate is not None and gate.passed:
            eliminated = self._others(results, int(order[0]))
        return Verdict(
            instances=len(block),
            leader=results.id(int(order[0])),
            eliminated=eliminated,
            gate=gate,
        )

    def _others(self, results: Results, leader: int) -> tuple[Elimination, ...]:
        """Who is further behind the leader than the critical difference of mean ranks."""
        test = stats.conover(results.block, control=leader, check=False)
        critical = test.critical_difference(self.alpha)
        behind = test.mean_ranks - test.mean_ranks[leader]
        return eliminations(
            results,
            np.flatnonzero(behind > critical),
            against=leader,
            measure="rank difference",
            value=behind,
            threshold=critical,
            statistic=test.t,
        )

    def _second(self, results: Results, order: NDArray[np.intp]) -> tuple[Elimination, ...]:
        """The second of two, if the test says so or if it was never better."""
        ahead, behind = results.block[:, order[0]], results.block[:, order[1]]
        test = stats.wilcoxon(ahead, behind, zero_rule="wilcox")
        never_better = bool((ahead <= behind).all())
        worse = test.z > 0 and test.pvalue < self.alpha
        if not (never_better or worse):
            return ()
        alike = bool((ahead == behind).all())
        return eliminations(
            results,
            order[1:],
            against=order[0],
            reason=Reason.INDISTINGUISHABLE if alike else Reason.INFERIOR,
            measure="p-value",
            value=0.0 if never_better else test.pvalue,
            threshold=self.alpha,
            statistic=test.z,
        )
