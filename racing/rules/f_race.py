"""F-race with mean ranks, and what all variants share: an omnibus test, then tests of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.base.quantities import Level
from racing.base.special import chdtri, fdtri
from racing.core.results import Results
from racing.core.verdict import Elimination, Gate, Reason, eliminations
from racing.rules.rule import Outlook, Places, RuleBase

FrequentistGate = Literal["friedman", "iman-davenport", "none"]


def frequentist_gate(
    block: NDArray[np.float64], test: FrequentistGate, alpha: float
) -> Gate | None:
    """The omnibus test with tie correction of (n, k) costs; None without one."""
    if test == "none":
        return None
    outcome = stats.friedman(block, reference="chi2" if test == "friedman" else "F", check=False)
    return Gate(
        test=test,
        statistic=outcome.statistic,
        threshold=_critical_value(test, outcome.df, alpha),
        p_value=outcome.pvalue,
        passed=outcome.pvalue < alpha,
    )


def _critical_value(test: FrequentistGate, df: tuple[int, ...], alpha: float) -> float:
    """The critical value at this level; inf without degrees of freedom."""
    if min(df) < 1:
        return float("inf")
    return float(chdtri(df[0], alpha) if test == "friedman" else fdtri(df[0], df[1], 1 - alpha))


def dominated(
    results: Results,
    order: NDArray[np.intp],
    p_values: NDArray[np.float64],
    statistics: NDArray[np.float64] | NDArray[np.intp],
    *,
    alpha: float,
    reason: Reason = Reason.INFERIOR,
) -> tuple[Elimination, ...]:
    """Eliminate every candidate but the leader to which another is superior at level `alpha`.

    Parameters
    ----------
    order
        The survivors, best first. The leader stays even if another beats it: pairwise verdicts can
        be circular, and a race must not drop all.
    p_values, statistics : (k, k)
        Entry (i, j) tests whether survivor j is better than survivor i. Each elimination names the
        rival with the smallest p-value.
    """
    best_first = p_values[np.ix_(order, order)]
    np.fill_diagonal(best_first, 1.0)
    against, p = np.empty_like(order), np.empty(len(order))
    against[order], p[order] = order[best_first.argmin(axis=1)], best_first.min(axis=1)
    gone = [i for i in order[1:] if p[i] < alpha]
    statistic = statistics[np.arange(len(order)), against]
    return eliminations(results, gone, against, "p-value", p, alpha, statistic, reason)


@dataclass(frozen=True, kw_only=True)
class MeanRanks(RuleBase):
    """F-race with mean ranks.

    A Friedman test decides whether there is any difference; if so, every candidate with a mean rank
    significantly above another's is dropped, by a one-sided z test (Benavoli et al., 2015, section
    7.1; Demšar, 2006, section 3.2.2). The level is kept for each test, not for the family of pairs,
    and not over repeated looks.

    The comparison of two candidates depends on the others in the race (Benavoli et al., 2016); that
    of `sign` does not.

    Attributes
    ----------
    alpha
        Level of the gate and of each z test.
    gate
        The omnibus test: `friedman` (tie-corrected χ²), `iman-davenport` (keeps its level better on
        few instances), or `none`.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import MeanRanks
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=MeanRanks())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 27)
    """

    alpha: Level = 0.05
    gate: FrequentistGate = "friedman"

    def omnibus(self, results: Results, outlook: Outlook) -> Gate | None:
        """The gate."""
        return frequentist_gate(results.block, self.gate, self.alpha)

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that have a significantly higher mean rank than another."""
        tests = stats.mean_ranks_test(results.block, alternative="worse", check=False)
        return dominated(results, order, tests.pvalues, tests.statistic, alpha=self.alpha)
