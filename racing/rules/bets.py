"""Betting against the leaders: the rule that keeps its promise at every look."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from racing.objective import standing
from racing.quantities import Level, NonNegative, Positive
from racing.records import Checked
from racing.results import Results
from racing.rules.betting import log_wealth, payoffs
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict, eliminations


@dataclass(frozen=True, kw_only=True)
class Bets(Checked):
    """Bets, instance by instance, that a candidate is not the best; who loses too much leaves.

    Before each instance the candidates alive get weights by what they have lost until then, so
    that most of the weight is on the leaders. On the instance, candidate i has the payoff y: the
    weight of those who beat it, less the weight of those whom it beats. Ties count for neither
    side, and +inf loses to any number. A gambler who starts with 1 and stakes the share λ of what
    he has on i's losing comes to Π(1 + λy); λ is mixed over eight sizes from 0 to 1 with density
    2λ. The candidate leaves once this wealth has been 1/α or more, now or at any instance before.

    The promise: the best candidate is dropped with probability α at most in the whole race,
    whenever and however often the rule is asked, and whoever the others are.

    - *Best* means that on a fresh instance it beats each rival at least as probably as it loses to
      it: it wins half, or more, of the decided comparisons with anyone. Where several are that
      good, the promise is to each of them. Where the best by mean rank or mean cost is not that
      good, it is promised nothing.
    - *Fresh* means that instances are independent draws, and candidates made without looking at
      them. Instances of a finite list, in random order and none twice, favour chance runs less than
      independent ones. Who joins late is judged twice, while catching up and afterwards, each time
      at α, and only then if its making owed nothing to the instances that it catches up on.

    Proof: weights depend on earlier instances alone, so for the best, given the past, E[y] is a
    weighted mean of P(beaten by j) − P(beats j) ≤ 0. As |y| ≤ 1, every Π(1 + λy) is a nonnegative
    supermartingale that starts at 1, and so is their mixture; by Ville's inequality it ever reaches
    1/α with probability α at most. Nothing needs to be corrected for the number of candidates,
    leaders or looks: dropping anybody else is no error, so the one wealth that matters is that of
    the bets against the best.

    With the objective `mean` this still promises only what wins and losses can tell. With a `range`
    the payoff is the difference of costs over it instead, and the promise is to the candidate with
    the lowest mean cost.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    focus
        How fast weights fall with what a candidate has lost so far to the whole field, counted as
        its payoffs are: they are proportional to exp(−focus · lost). 0 weighs all alike.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`; without
        it, only wins and losses count. A failure counts as this much above the worst number.
    """

    alpha: Level = 0.05
    focus: NonNegative = 1.5
    range: Positive | None = None

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        width = self.range if outlook.objective == "mean" else None
        y = payoffs(results, focus=self.focus, width=width)
        most = log_wealth(y).max(axis=0)
        return Verdict(
            instances=len(results.block),
            leader=results.id(leader),
            eliminated=eliminations(
                results,
                [i for i in np.flatnonzero(most >= -math.log(self.alpha)) if i != leader],
                against=leader,
                measure="e-value",
                value=np.exp(np.minimum(most, 700.0)),
                threshold=1 / self.alpha,
                statistic=y.sum(axis=0),
            ),
        )
