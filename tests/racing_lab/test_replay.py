"""The laboratory's races are the real ones, and repeat."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.racing_lab.budgets import idle_of
from benchmarks.racing_lab.measure import Contender, Figure, facts, races
from benchmarks.racing_lab.readings import Reading
from benchmarks.racing_lab.replay import Setting, all_differ_from, replay
from benchmarks.racing_lab.worlds import Normal, Sample
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.race import Race
from racing.rules import RULES, Bayes, Sign, SuccessiveHalving
from tests.worlds import finish, hard_world, normal_world

WORLDS = {
    "normal": lambda: normal_world(10, 24, seed=1, noise=0.4),
    "hard": lambda: hard_world(9, 24, seed=2),
    "alike": lambda: np.zeros((12, 4)),
    "two": lambda: normal_world(2, 20, seed=3, noise=0.2),
}
SETTINGS = {
    "rank": Setting(),
    "mean, in steps": Setting(objective="mean", first_test=3, each_test=5),
    "at growing distances": Setting(first_test=1, each_test="25%", evaluations=150),
    "short of evaluations": Setting(first_test=2, evaluations=100),
}


def the_real_race(costs: np.ndarray, rule, setting: Setting, seed: int) -> Race:
    n, m = costs.shape
    race = Race(
        [{"column": j} for j in range(m)],
        Instances(range(n), order="listed"),
        rule=rule,
        budget=Budget(evaluations=setting.evaluations),
        seed=seed,
        first_test=setting.first_test,
        each_test=setting.each_test,
        objective=setting.objective,
        on_failure="worst",
    )
    return finish(race, costs)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_replay_is_the_real_race_verdict_by_verdict(rule, world, setting):
    costs, how = WORLDS[world](), SETTINGS[setting]
    ours = replay(costs, RULES[rule](), how, seed=7)
    real = the_real_race(costs, RULES[rule](), how, seed=7)
    assert ours.verdicts == tuple(real.verdicts)
    assert ours.winner + 1 == real.winner.id
    assert ours.evaluations == real.spent.evaluations
    assert ours.instances == real.instances_seen


@pytest.mark.parametrize("equality", ["mean", "paper's prior", "joint", "none"])
@pytest.mark.parametrize("frequentist", [True, False])
def test_readings_never_drop_the_leader_nor_all(equality, frequentist):
    rule = Reading(equality=equality, frequentist=frequentist)
    for world in WORLDS.values():
        race = replay(world(), rule, Setting(first_test=1), seed=1)
        for verdict in race.verdicts:
            assert verdict.leader not in {e.candidate for e in verdict.eliminated}


def test_a_reading_that_reads_nothing_else_is_the_bayesian_race():
    costs = WORLDS["normal"]()
    kept = Bayes(drop_equals=False)
    assert (
        replay(costs, Reading(), Setting(), seed=1).verdicts
        == replay(costs, kept, Setting(), seed=1).verdicts
    )


def test_races_repeat_by_seed_whatever_the_jobs():
    rules = {"sign": Sign(), "bayes": Bayes()}
    found = [
        races(Normal(6, 0.5, 30), rules, Setting(), repetitions=4, seed=seed, jobs=jobs)
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    ]
    same, other = (
        all(
            np.array_equal(a, b, equal_nan=True)
            for rule in rules
            for (fact, a), b in zip(found[0][rule].items(), with_[rule].values(), strict=True)
            if fact != "rule_seconds"
        )
        for with_ in found[1:]
    )
    assert same
    assert not other


def test_a_contender_can_take_part_in_some_races_or_be_given_anothers_evaluations():
    rules = {
        "sign": Sign(),
        "seldom": Contender(rule=Sign(), share=0.5),
        "halving": Contender(rule=SuccessiveHalving(), like="sign"),
    }
    found = races(Normal(8, 0.5, 200), rules, Setting(), repetitions=6, seed=1, jobs=1)
    assert len(found["seldom"]["place"]) == 3
    np.testing.assert_array_equal(found["seldom"]["place"], found["sign"]["place"][:3])
    assert (found["halving"]["evaluations"] <= found["sign"]["evaluations"]).all()
    assert (found["halving"]["evaluations"] > 0.7 * found["sign"]["evaluations"]).all()


def test_facts_of_a_race_that_can_be_seen_through():
    """Three candidates; the first always wins, and the third is the worst."""
    costs = np.tile([0.0, 1.0, 3.0], (20, 1)) + np.arange(20)[:, None]
    sample = Sample(costs, np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 3.0]), lambda i, j: 1.0)
    setting = Setting(objective="mean", first_test=5)
    race = replay(costs, Sign(), setting, seed=1)
    found = facts(sample, race, setting)
    assert race.winner == 0
    assert found["regret"] == found["place"] == found["best_dropped"] == 0
    assert found["best_won"] == 1
    assert found["dropped_at"] == np.inf
    assert found["evaluations"] == 15  # five straight wins are enough for both
    other = facts(sample, replay(costs[:, ::-1], Sign(), setting, seed=1), setting)
    assert (other["regret"], other["regret_rank"], other["normalised"]) == (3, 2, 1)
    assert (other["place"], other["best_dropped"], other["dropped_at"]) == (2, 1, 5)


@pytest.mark.parametrize("name", ["auto", "successive-halving", "successive-rejects"])
def test_a_race_in_which_a_rule_is_not_asked_in_vain_is_the_same(name):
    """With ties, failures, a candidate that is in twice, and after it has left."""
    for seed in range(5):
        costs = hard_world(12, 60, seed=seed)
        costs[:, 3] += np.arange(60) / 1000
        rule, how = RULES[name](), Setting(first_test=None, each_test=None, evaluations=300)
        idle, apart = idle_of(rule, costs.shape, 300), all_differ_from(costs)
        quick = replay(costs, rule, how, seed=1, idle=idle, apart=apart)
        slow = replay(costs, rule, how, seed=1)
        assert quick.dropped == slow.dropped
        assert quick.winner == slow.winner


def test_from_where_on_all_columns_differ():
    costs = np.zeros((6, 3))
    assert all_differ_from(costs) == 7
    costs[2, 0], costs[4, 1], costs[5, 2] = 1.0, 1.0, -0.0
    assert all_differ_from(costs) == 5
    assert all_differ_from(costs[:, :1]) == 0


def test_figure():
    figure = Figure.of([1.0, 2.0, 3.0, np.nan])
    assert figure.mean == 2
    assert figure.error == pytest.approx(1 / np.sqrt(3))
    assert np.isnan(Figure.of([]).mean)
