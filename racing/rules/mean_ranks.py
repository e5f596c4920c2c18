"""F-race with mean ranks: who has a significantly higher mean rank than the leader goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.objective import standing
from racing.quantities import Level
from racing.records import Checked
from racing.results import Results
from racing.rules.dominated import dominated
from racing.rules.gates import FrequentistGate, frequentist_gate
from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Verdict


@dataclass(frozen=True, kw_only=True)
class MeanRanks(Checked):
    """F-race with mean ranks.

    A Friedman test decides whether there is any difference; if so, every candidate whose mean rank
    is significantly above another's leaves, by a one-sided z test (Benavoli et al., 2015, section
    7.1; Demšar, 2006, section 3.2.2). The level is kept for each test, not for the family of pairs,
    and not over repeated looks.

    Whether one of two candidates is dropped can depend on who else is in the race (Benavoli et al.,
    2016): `sign` does not have this flaw.

    Attributes
    ----------
    alpha
        Level of the gate and of each z test.
    gate
        The omnibus test: `friedman` (tie-corrected χ²), `iman-davenport` (keeps its level better on
        few instances), or `none`.
    """

    alpha: Level = 0.05
    gate: FrequentistGate = "friedman"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        order = standing(results, outlook.objective)
        gate = frequentist_gate(block, self.gate, self.alpha)
        eliminated: tuple[Elimination, ...] = ()
        if gate is None or gate.passed:
            tests = stats.mean_ranks_test(block, alternative="worse", check=False)
            eliminated = dominated(results, order, tests.pvalues, tests.z, alpha=self.alpha)
        return Verdict(
            instances=len(block),
            leader=results.id(int(order[0])),
            eliminated=eliminated,
            gate=gate,
        )
