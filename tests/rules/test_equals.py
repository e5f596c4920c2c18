"""Equals are raced as one, whatever the rule; shared timeouts do not make two candidates equal."""

from __future__ import annotations

import numpy as np
import pytest

from racing.budget import Budget
from racing.instances import Instances
from racing.race import Race
from racing.rules import RULES, Keep, Reason
from racing.rules.equals import AGREED, FEWEST, equals, judged, repeated
from racing.rules.rule import Outlook
from tests.rules.seen import noisy, seen
from tests.worlds import finish, race_over

LIMITS = {"hoeffding": {}, "bernstein": {}}


def merged(costs, **how) -> dict[int, int]:
    """Who is merged into whom."""
    return {e.candidate: e.against for e in equals(seen(costs, **how))}


def with_twins(m: int, n: int, *, seed: int = 1) -> np.ndarray:
    """(n, m) costs; the last is the first once more, and both are good."""
    costs = noisy(m, n, seed=seed, gap=0.1)
    costs[:, -1] = costs[:, 0]
    return costs


def test_twins_are_merged_as_soon_as_chance_is_out_of_the_question():
    costs = with_twins(20, 40)
    first = next(n for n in range(1, 41) if merged(costs[:n]))
    assert FEWEST < first <= 9
    assert merged(costs[:first]) == {20: 1}
    (one,) = equals(seen(costs[:first]))
    assert (one.reason, one.measure) == (Reason.INDISTINGUISHABLE, "identical instances")
    assert one.value > one.threshold == FEWEST


@pytest.mark.parametrize("name", RULES)
def test_in_every_rule_twins_cost_a_stated_number_of_evaluations(name):
    """The last to enter goes once 20 instances agree at the latest, and the rule sees the rest."""
    costs = with_twins(12, 40)
    race = race_over(costs, RULES[name](), budget=Budget(evaluations=400), seed=2)
    finish(race, costs)
    together = race.results.alive[:, [0, 11]].all(axis=1).sum()
    assert together <= AGREED
    assert len({1, 12} & {one.id for one in race.survivors}) < 2


@pytest.mark.parametrize("kind", ["duplicates", "constants"])
@pytest.mark.parametrize("name", RULES)
def test_a_race_of_equals_alone_ends(name, kind):
    m = 2 if kind == "duplicates" else 20
    costs = np.ones((100, m))
    if kind == "duplicates":
        costs += np.random.default_rng(1).normal(size=(100, 1))
    race = finish(race_over(costs, RULES[name](), budget=Budget(evaluations=100 * m)), costs)
    assert len(race.survivors) == 1
    assert race.spent.evaluations <= AGREED * m


def test_a_race_on_one_instance_that_has_nothing_new_to_say_ends():
    candidates = [{"x": x} for x in (3, 1, 2)]
    race = Race(
        candidates, Instances(("a",), repeat=True), rule=Keep(), budget=Budget(wall_time=1e9)
    )
    while not race.done:
        for experiment in race.ask():
            race.tell(experiment.outcome(float(experiment.candidate.values["x"])))
    assert race.winner.values == {"x": 1}
    assert race.spent.evaluations == AGREED * 3
    assert {e.measure for e in race.verdicts[-1].eliminated} == {"instances that went alike"}


def test_shared_timeouts_are_no_evidence():
    """Two that solve nothing, beside others who do, as failures and as ten times the cutoff."""
    for worst in (np.inf, 1e4):
        costs = noisy(10, 19, seed=3)
        costs[:, [4, 7]] = worst
        assert not merged(costs)
        costs[5:, 2] = worst
        costs[:, 3] = costs[:, 2]
        costs[3, 3] += 0.1  # they time out together, and differ once
        assert not merged(costs)


def test_nor_are_instances_on_which_everybody_ties():
    costs = with_twins(20, 30)
    costs[4:] = np.arange(26)[:, None]
    assert not merged(costs)


def test_nor_is_chance_with_few_levels_of_cost():
    """Of 1000 fields of 20 with three levels, after 5 to 12 instances."""
    rng = np.random.default_rng(5)
    for _ in range(1000):
        costs = rng.integers(0, 3, size=(12, 20)).astype(float)
        assert not any(merged(costs[:n]) for n in (5, 8, 12))


def test_all_failures_differ_in_nothing_and_are_left_to_the_race():
    assert not merged(np.full((30, 4), np.inf))
    assert not repeated(seen(np.full((30, 4), np.inf)), Outlook())


def test_the_first_to_enter_stays_and_the_rule_judges_the_rest():
    costs = with_twins(6, 20)[:, ::-1]
    verdict = judged(Keep(), seen(costs), Outlook(), np.random.default_rng(0))
    assert [(e.candidate, e.against) for e in verdict.eliminated] == [(6, 1)]
    assert verdict.leader != 6


@pytest.mark.parametrize("name", ["auto", "sign", "f-test", "bayes"])
def test_where_nobody_is_equal_the_rule_says_what_it_says(name):
    results, rule = seen(noisy(6, 15, seed=4)), RULES[name]()
    one, other = (
        call(results, Outlook(), np.random.default_rng(3))
        for call in (rule, lambda *given: judged(rule, *given))
    )
    assert one == other
