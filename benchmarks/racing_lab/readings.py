"""The Bayesian race of Benavoli et al. (2015), section 7.1, as it may also be read.

The text says that two algorithms are indistinguishable if ½ − ε < P(X2 > X1) < ½ + ε, and not of
which number it speaks, nor whether the Friedman test comes before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import standing
from racing.core.results import Results
from racing.rules import Bayes, Elimination, Outlook, Reason, Verdict
from racing.rules.f_race import frequentist_gate
from racing.stats.sign import sign_counts
from racing.stats.sign_posterior import indistinguishable

Equality = Literal["mean", "paper's prior", "joint", "none"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A Bayesian race with another reading of what the text leaves open.

    Attributes
    ----------
    base
        The comparisons.
    frequentist
        Whether Friedman's χ² test, at the same level, is the gate.
    equality
        When two are alike. `mean`: the posterior mean of P(X2 > X1) is within ε of ½. `paper's
        prior`: it is so with posterior probability .95, under the prior that sits on a tie.
        `joint`: so many pairs, most certain first, as are all alike with probability .95 at least,
        by the sum of their errors. `none`: never.
    gated
        Whether nobody is called alike unless the gate has passed.
    """

    base: Bayes = field(default_factory=lambda: Bayes(drop_equals=False))
    frequentist: bool = False
    equality: Equality = "none"
    gated: bool = False

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors."""
        said = self._compared(results, outlook, rng)
        passed = said.gate is None or said.gate.passed
        if self.equality == "none" or (self.gated and not passed):
            return said
        out = {e.candidate for e in said.eliminated}
        order = [int(i) for i in standing(results, outlook.objective) if results.id(i) not in out]
        alike = self._alike(results.block[:, order])
        stays: list[int] = []
        more: list[Elimination] = []
        for i in range(len(order)):
            twin = next((j for j in stays if alike[i, j]), None)
            if twin is None:
                stays.append(i)
            else:
                more.append(_as_alike(results.id(order[i]), results.id(order[twin])))
        return replace(said, eliminated=(*said.eliminated, *more))

    def _compared(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        if not self.frequentist or results.block.shape[1] < 3:
            return self.base(results, outlook, rng)
        gate = frequentist_gate(results.block, "friedman", self.base.gamma)
        if gate is None or gate.passed:
            return replace(replace(self.base, gate="none")(results, outlook, rng), gate=gate)
        best = results.id(int(standing(results, outlook.objective)[0]))
        return Verdict(instances=len(results.block), leader=best, gate=gate)

    def _alike(self, block: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(k, k): which pairs count as alike."""
        wins = sign_counts(block)
        losses = wins.T
        ties = len(block) - wins - losses
        if self.equality == "mean":
            near: NDArray[np.bool_] = np.abs((wins + ties / 2) / len(block) - 0.5) < 0.05
            return near
        error = 1 - indistinguishable(wins, losses, ties, epsilon=0.05, s=1.0)
        if self.equality == "joint":
            return _first_while_below(error, 0.05)
        sure: NDArray[np.bool_] = error < 0.05
        return sure


def _first_while_below(error: NDArray[np.float64], most: float) -> NDArray[np.bool_]:
    """The pairs with the smallest errors, as many as sum up to less than `most`."""
    above = np.triu_indices(len(error), 1)
    order = np.argsort(error[above], kind="stable")
    chosen = order[np.cumsum(error[above][order]) < most]
    out = np.zeros(error.shape, dtype=bool)
    out[above[0][chosen], above[1][chosen]] = True
    return out | out.T


def _as_alike(candidate: int, against: int) -> Elimination:
    return Elimination(
        candidate=candidate,
        against=against,
        reason=Reason.INDISTINGUISHABLE,
        measure="posterior",
        value=0.95,
        threshold=0.95,
        statistic=float("nan"),
    )
