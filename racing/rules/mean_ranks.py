"""F-race with mean ranks: eliminates candidates with a significantly higher mean rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.base.quantities import Level
from racing.base.records import Checked
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Elimination, Verdict, verdict_on
from racing.rules.f_race import FrequentistGate, dominated, frequentist_gate
from racing.rules.rule import Outlook


@dataclass(frozen=True, kw_only=True)
class MeanRanks(Checked):
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

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        block = results.block
        order = standing(results, outlook.objective)
        gate = frequentist_gate(block, self.gate, self.alpha)
        eliminated: tuple[Elimination, ...] = ()
        if gate is None or gate.passed:
            tests = stats.mean_ranks_test(block, alternative="worse", check=False)
            eliminated = dominated(results, order, tests.pvalues, tests.statistic, alpha=self.alpha)
        return verdict_on(results, order[0], eliminated, gate)
