"""The posterior probability that the winner beats the second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.special import betaln
from racing.report.history import History
from racing.report.lead import second_of
from racing.stats.sign_posterior import marginal_posteriors

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LastPair:
    """The winner against the second, by wins and losses (`racing.stats.sign_posterior`).

    Attributes
    ----------
    winner, second
        Ids.
    wins, ties, losses
        Of the winner, on the instances that both ran.
    precise
        Posterior probability that the winner wins more often than it loses, under a prior that
        favours neither.
    lower, upper
        The least and the most that any prior worth one instance makes of it.
    """

    winner: int
    second: int
    wins: int
    ties: int
    losses: int
    precise: float
    lower: float
    upper: float

    def density(self, x: Floats, *, bound: str = "lower") -> Floats:
        """Density at x in (0, 1) of the share of wins among the instances that are no ties.

        `lower` puts the prior's one instance on the side of the second, `upper` on that of the
        winner; `precise` has none, and is 0 everywhere if there is no win or no loss.
        """
        a = self.wins + (bound == "upper")
        b = self.losses + (bound == "lower")
        if not a or not b:
            return np.zeros_like(x)
        log = (a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b)
        return np.asarray(np.exp(log))


def last_pair(history: History) -> LastPair | None:
    """The last pair; None without a winner, a second, or an instance that both ran."""
    winner, second = history.facts.winner, second_of(history)
    if winner is None or second is None or second == winner.id:
        return None
    _, costs = history.matrices.pair(winner.id, second)
    if not len(costs):
        return None
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    precise, lower, upper = (
        float(marginal_posteriors(wins, losses, bound=bound))
        for bound in ("precise", "lower", "upper")
    )
    return LastPair(
        winner=winner.id,
        second=second,
        wins=wins,
        ties=len(costs) - wins - losses,
        losses=losses,
        precise=precise,
        lower=lower,
        upper=upper,
    )
