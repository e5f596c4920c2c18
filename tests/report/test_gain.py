"""The winner's gain over the default: which two, on which instances, and on whose side it is."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.candidate import Candidate
from racing.core.view import default_of
from racing.race import Race
from racing.report.gain import gain
from racing.rules import RULES
from tests.worlds import normal_world


def raced(costs, candidates, rule="sign"):
    """A race over a matrix of costs; column j is that of candidate j + 1."""
    race = Race(candidates, range(len(costs)), rule=RULES[rule](), seed=3)
    while not race.done:
        for e in race.ask():
            race.tell(e, float(costs[e.instance.problem, e.candidate.id - 1]))
    return race


def walsh_median(d):
    """Hodges and Lehmann's estimate, from all pairs."""
    return float(np.median([(a + b) / 2 for i, a in enumerate(d) for b in d[i:]]))


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_above_0_where_the_winner_is_better_than_the_default(place, seed):
    costs = normal_world(5, 30, seed=seed, noise=0.2)
    costs[:, place] += 2.0  # the default is bad
    names = ["" if j != place else "default" for j in range(5)]
    race = raced(costs, [Candidate(j + 1, {"j": j}, names[j]) for j in range(5)], rule="none")
    found = gain(race)
    assert found.against.id == default_of(race).id == place + 1
    assert found.winner == race.winner
    d = (race.results.costs[:, place] - race.results.costs[:, found.winner.id - 1]).tolist()
    assert found.pair.gain.estimate == pytest.approx(walsh_median(d))
    assert found.pair.overall.low > 0
    assert found.pair.superiority.wins == sum(one > 0 for one in d) > 15
    assert found.pair.instances == 30


def test_who_was_dropped_early_is_compared_on_what_both_have_seen():
    costs = np.random.default_rng(1).normal(size=(30, 4))
    costs[:, 0] += 9.0
    race = raced(costs, [{"j": j} for j in range(4)])
    found = gain(race)
    seen = int((~np.isnan(race.results.costs[:, 0])).sum())
    assert found.against.id == 1
    assert found.pair.instances == found.pair.superiority.wins == seen < race.instances_seen


def test_there_is_none_without_a_winner_or_where_the_default_wins():
    costs = normal_world(4, 30, seed=1, noise=0.1)
    costs[:, 0] -= 9.0
    assert gain(raced(costs, [{"j": j} for j in range(4)])) is None
    assert gain(Race([{"j": 1}, {"j": 2}], range(3))) is None
