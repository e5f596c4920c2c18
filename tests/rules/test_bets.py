"""Bets against the leaders: what they pay, that they pay nobody under the null, and the promise."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from benchmarks.racing_lab.promise import SETTINGS, drops
from benchmarks.racing_lab.replay import Setting, replay
from racing.rules import Bets, Sign
from racing.rules.bets import Comparisons, log_wealth, payoffs, shares
from tests.rules.seen import judge, noisy, out, seen
from tests.worlds import hard_world


def by_hand(results, alpha=0.05, focus=1.5) -> dict[int, float]:
    """Survivor → largest wealth so far, as the docstring tells it, number by number."""
    m = results.costs.shape[1]
    lead = [0.0] * m
    wealth = {i: [1.0] * 8 for i in results.survivors}
    most = dict.fromkeys(results.survivors, 1.0)
    for row, there in zip(results.costs, results.alive, strict=True):
        field = [j for j in range(m) if there[j]]
        ahead = min(lead[j] for j in field)
        weight = {j: math.exp(-focus * (lead[j] - ahead)) for j in field}
        total = sum(weight.values())

        def sign(i, j, row=row):
            return int(row[j] < row[i]) - int(row[i] < row[j])

        for i in wealth:
            if not math.isnan(row[i]):
                y = sum(weight[j] * sign(i, j) for j in field) / total
                wealth[i] = [w * (1 + y * (k + 0.5) / 8) for k, w in enumerate(wealth[i])]
                most[i] = max(most[i], sum((2 * k + 1) / 64 * w for k, w in enumerate(wealth[i])))
        for i in field:
            lead[i] += sum(sign(i, j) for j in field) / len(field)
    return {results.candidates[i]: value for i, value in most.items()}


def shrinking(seed: int):
    """A hard world in which candidates left one by one, and one came late."""
    costs = hard_world(9, 30, seed=seed)
    alive = np.ones(costs.shape, dtype=bool)
    for j, end in ((2, 6), (5, 11), (7, 20)):
        costs[end:, j], alive[end:, j] = np.nan, False
    alive[:15, 1] = False  # caught up on what it had not been there for
    return seen(costs, survivors=[0, 1, 3, 4, 6, 8], alive=alive)


@pytest.mark.parametrize("seed", range(6))
def test_it_pays_what_the_docstring_says(seed):
    results = shrinking(seed)
    expected = by_hand(results)
    verdict = judge(Bets(alpha=0.6), results)
    enough = {i for i, most in expected.items() if most >= 1 / 0.6} - {verdict.leader}
    assert {e.candidate for e in verdict.eliminated} == enough
    for e in verdict.eliminated:
        assert e.value == pytest.approx(expected[e.candidate])
        assert e.threshold == pytest.approx(1 / 0.6)


@pytest.mark.parametrize("seed", range(5))
def test_balances_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 5, size=(20, 7)).astype(float)
    costs[rng.random(costs.shape) < 0.2] = np.inf
    weights = shares(rng.random(costs.shape) * (rng.random(costs.shape) < 0.7))
    signs = np.sign((costs[:, :, None] > costs[:, None, :]).astype(float)
                    - (costs[:, :, None] < costs[:, None, :]))  # fmt: skip
    expected = (signs * weights[:, None, :]).sum(axis=2)
    np.testing.assert_allclose(Comparisons.of(costs).balance(weights), expected, atol=1e-12)


@pytest.mark.parametrize("m", [2, 3])
def test_under_the_null_nothing_is_won(m):
    """Over all equally likely orders of equal candidates, wealth is 1 on average: exactly."""
    n = {2: 10, 3: 5}[m]
    orders = list(itertools.permutations(range(m)))
    worlds = [np.array(rows, dtype=float) for rows in itertools.product(orders, repeat=n)]
    wealth = [np.exp(log_wealth(payoffs(seen(w), focus=1.5))) for w in worlds]
    np.testing.assert_allclose(np.mean(wealth, axis=0), 1.0, rtol=1e-12)
    ever = np.max(wealth, axis=1)[:, 0]
    for alpha in (0.5, 0.2, 0.1, 0.05):
        assert (ever >= 1 / alpha).mean() <= alpha


def test_it_takes_six_straight_losses_to_a_sole_leader():
    costs = np.tile([0.0, 1.0], (20, 1))
    first = next(n for n in range(1, 20) if out(Bets(focus=50.0), costs[:n]))
    assert first == 6  # on the first instance nobody leads: half of the weight is its own


def test_once_is_enough():
    """Who has once lost too much leaves, though it should win ever after."""
    costs = np.tile([0.0, 1.0, 0.5], (60, 1))
    costs[12:] = [3.0, 1.0, 2.0]
    assert 2 not in out(Bets(), costs[12:])
    assert 2 in out(Bets(), costs[:20])


def test_ties_and_shared_failures_are_no_evidence():
    for value in (1.0, np.inf):
        costs = np.full((200, 5), value)
        assert not out(Bets(), costs)
        assert np.allclose(log_wealth(payoffs(seen(costs), focus=1.5)), 0.0)


def test_a_thousand_losses_are_a_number_still():
    verdict = judge(Bets(), np.tile([0.0, 1.0], (3000, 1)))
    assert math.isfinite(verdict.eliminated[0].value)


def test_the_mean_cost_needs_a_range():
    """A candidate that mostly wins a little and now and then loses much more."""
    rng = np.random.default_rng(1)
    risky = np.where(rng.random(400) < 0.3, 1.0, 0.0)
    costs = np.column_stack([risky, np.full(400, 0.1)])
    assert out(Bets(), costs, "rank") == {2}
    assert not out(Bets(), costs, "mean")  # leads, though its bets are lost
    assert out(Bets(range=1.0), costs, "mean") == {1}


def test_a_failure_costs_the_range():
    costs = noisy(3, 40, seed=2, gap=0.0)
    costs[::2, 2] = np.inf
    assert out(Bets(range=20.0), costs, "mean") == {3}


@pytest.mark.parametrize("name", ["near-null", "ties", "timeouts"])
def test_the_real_race_drops_the_best_no_more_often_than_promised(name):
    """60 races; α + 3 standard errors is .134. The sign race is far beyond."""
    world = SETTINGS[name]

    def dropped(rule, races: int) -> int:
        """In how many races the first, who is the best, is dropped."""
        gone = 0
        for seed in range(races):
            costs = world.draw(np.random.default_rng(seed), 1)[0][:30, :10]
            race = replay(costs, rule, Setting(first_test=5), seed=1)
            gone += 1 in {e.candidate for _, e in race.dropped}
        return gone

    assert dropped(Bets(), 60) <= 8
    assert dropped(Sign(gate="none"), 40) >= 6


@pytest.mark.parametrize("name", SETTINGS)
def test_many_races_at_once_keep_the_promise(name):
    """400 races a setting, all at once; α + 3 standard errors is .083, and .115 for the long."""
    races = 100 if name == "long" else 400
    found = drops(SETTINGS[name], races=races, seed=7)
    assert found.dropped.mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / races)


@pytest.mark.parametrize("name", ["sparse", "heavy", "ties", "two"])
def test_races_at_once_are_the_races_one_by_one(name):
    world = SETTINGS[name]
    found = drops(world, races=5, seed=3)
    costs = world.draw(np.random.default_rng(np.random.SeedSequence((3, 0))), 5)
    for k in range(5):
        setting = Setting(first_test=1, objective=world.objective)
        race = replay(costs[k], world.rule, setting, seed=1)
        assert race.evaluations == found.evaluations[k]
        assert (1 in {e.candidate for _, e in race.dropped}) == found.dropped[k]
