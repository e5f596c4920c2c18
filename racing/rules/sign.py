"""F-race with sign tests: who is beaten on significantly more than half of the instances goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.objective import standing
from racing.quantities import Checked, Level
from racing.results import Results
from racing.rules.dominated import dominated
from racing.rules.gates import FrequentistGate, frequentist_gate
from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Verdict
from racing.stats.sign import sign_counts, sign_p


@dataclass(frozen=True, kw_only=True)
class Sign(Checked):
    """F-race with sign tests.

    A Friedman test decides whether there is any difference; if so, every candidate to which some
    other is superior by a one-sided exact sign test leaves. The level is kept for each test, not
    for the family of pairs (Birattari et al., 2002; Benavoli et al., 2015, section 7.1), and not
    over repeated looks: see "Choosing a rule" in the docs.

    Ties are split evenly, one dropped if their number is odd (Demšar, 2006).

    Attributes
    ----------
    alpha
        Level of the gate and of each sign test.
    gate
        The omnibus test: `friedman` (tie-corrected χ²), `iman-davenport` (keeps its level better on
        few instances), or `none`. With two survivors the sign test stands alone.
    """

    alpha: Level = 0.05
    gate: FrequentistGate = "friedman"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        order = standing(results, outlook.objective)
        gate = frequentist_gate(block, self.gate if len(order) > 2 else "none", self.alpha)
        eliminated: tuple[Elimination, ...] = ()
        if gate is None or gate.passed:
            wins = sign_counts(block)
            losses = wins.T
            p_values = sign_p(losses, wins, len(block) - wins - losses, alternative="better")
            eliminated = dominated(results, order, p_values, losses, alpha=self.alpha)
        return Verdict(
            instances=len(block),
            leader=results.id(int(order[0])),
            eliminated=eliminated,
            gate=gate,
        )
