"""Bets against candidates: a rule with a guarantee at every look."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from racing.base.errors import InputError
from racing.base.quantities import Level, NonNegative, Positive
from racing.base.records import Checked
from racing.core.goal import Kind
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader, verdict_on
from racing.rules.betting import log_wealth, payoffs
from racing.rules.front_bets import front_eliminations
from racing.rules.rule import Outlook


@dataclass(frozen=True, kw_only=True)
class Bets(Checked):
    """Bets, at each instance, that a candidate is not the best; drops it if they win enough.

    Before each instance the candidates alive get weights by their losses so far, so that most of
    the weight is on the leaders. On the instance, candidate i has the payoff y: the weight of those
    that beat it, less the weight of those that it beats. Ties count for neither side, and +inf
    loses to any number. A bettor with initial wealth 1 who always stakes the share λ of it on i's
    losing ends with Π(1 + λy); λ is mixed over eight sizes from 0 to 1 with density 2λ. The
    candidate is dropped when this wealth reaches 1/α, now or at an earlier instance.

    The guarantee: the best candidate is dropped with probability α at most in the whole race, for
    any times and number of looks, and any other candidates.

    - *Best* means that on a fresh instance it beats each rival at least as probably as it loses to
      it: it wins at least half of the decided comparisons with each. If several candidates do, the
      guarantee holds for each of them. It does not hold for the best by mean rank or mean cost if
      that candidate does not.
    - *Fresh* means that instances are independent draws, and the candidates do not depend on them.
      A finite list of instances in random order, without repeats, has fewer chance runs than
      independent ones. A candidate that joins late is tested twice, while catching up and
      afterwards, each time at α; the guarantee requires that it does not depend on the instances
      that it catches up on.

    Proof: weights depend on earlier instances alone, so for the best, given the past, E[y] is a
    weighted mean of P(beaten by j) − P(beats j) ≤ 0. As |y| ≤ 1, every Π(1 + λy) is a nonnegative
    supermartingale that starts at 1, and so is their mixture; by Ville's inequality it ever reaches
    1/α with probability α at most. No correction for the number of candidates, leaders or looks is
    needed: dropping another candidate is no error, so only the wealth of the bets against the best
    matters.

    Of a front, the bets are on pairs and metrics (`racing.rules.front_bets`): a candidate for which
    every other is, in some metric, beaten at least as probably as it wins, is dropped with
    probability α at most.

    With the objective `mean`, the guarantee is still about wins and losses. With a `range`, the
    payoff is the difference of costs divided by it, and the guarantee is for the candidate with the
    lowest mean cost.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    focus
        How fast weights fall with a candidate's losses so far to all others, in units of payoffs:
        they are proportional to exp(−focus · lost). 0 gives equal weights.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`; without
        it, only wins and losses count. A failure counts as this much above the worst number.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Bets
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Bets())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 38)
    """

    serves: ClassVar[tuple[Kind, ...]] = ("single", "front")

    alpha: Level = 0.05
    focus: NonNegative = 1.5
    range: Positive | None = None

    def check(self, outlook: Outlook) -> None:
        """Refuse a range for a front.

        Raises
        ------
        InputError
        """
        if outlook.goal == "front" and self.range is not None:
            raise InputError("bets on a front are about wins and losses; leave range out")

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        if outlook.goal == "front":
            dropped = front_eliminations(results, alpha=self.alpha, leader=leader)
            return verdict_on(results, leader, dropped)
        width = self.range if outlook.objective == "mean" else None
        y = payoffs(results, focus=self.focus, width=width)
        most = log_wealth(y).max(axis=0)
        return against_leader(
            results,
            leader,
            [i for i in np.flatnonzero(most >= -math.log(self.alpha)) if i != leader],
            measure="e-value",
            value=np.exp(np.minimum(most, 700.0)),
            threshold=1 / self.alpha,
            statistic=y.sum(axis=0),
        )
