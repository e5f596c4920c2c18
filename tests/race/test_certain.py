"""Workers do not wait for tests that cannot drop a candidate."""

from __future__ import annotations

import numpy as np
import pytest

from racing import Instances, Race
from racing.core.budget import Budget
from racing.race.judging import Schedule
from racing.rules import RULES, Keep
from racing.rules.equals import next_drop
from tests.worlds import (
    facts,
    finish,
    hard_world,
    normal_world,
    outcome,
    race_over,
    shuffled_finish,
)

SCHEDULED = ["none", "auto", "successive-halving", "successive-rejects"]


def waits(rule: str, budget: Budget) -> tuple[int, int]:
    """How often a race waits for all its evaluations, and how many are told in vain."""
    costs = normal_world(30, 100, seed=1, noise=0.5)
    race, batches = race_over(costs, RULES[rule](), budget=budget), 0
    while not race.done:
        batches += 1
        for one in race.ask():
            race.tell(outcome(costs, one))
    return batches, race.wasted


def test_a_race_waits_before_tests_that_may_drop_a_candidate_only() -> None:
    budget = Budget(evaluations=1500)
    assert waits("none", budget) == (1, 0)
    assert waits("successive-halving", budget) == (4, 0)
    batches, wasted = waits("auto", budget)
    assert (batches < 40, wasted) == (True, 0)
    assert waits("sign", budget)[0] > 30  # it may drop at each of them


@pytest.mark.parametrize("evaluations", [40, 120, 199, 400])
@pytest.mark.parametrize("rule", SCHEDULED)
@pytest.mark.parametrize("seed", range(4))
def test_no_rule_drops_before_it_says(rule: str, evaluations: int, seed: int) -> None:
    """Nor are equals merged: `hard_world` has ties, failures and equal candidates."""
    costs = hard_world(9, 40, seed=seed) if seed % 2 else normal_world(9, 40, seed=seed)
    race = race_over(costs, RULES[rule](), budget=Budget(evaluations=evaluations), seed=seed)
    promised = 0
    while not race.done:
        seen, left = race.instances_seen, len(race.survivors)
        certain = [one.instance.step for one in race.ask()]
        promised = max(promised, *(certain or [0]))
        for one in race.pending[:1]:
            race.tell(outcome(costs, one))
        if not race.done and len(race.survivors) < left:
            assert race.instances_seen > promised
        assert race.instances_seen >= seen
    assert race.wasted == race.outcomes - race.spent.evaluations
    alone = finish(race_over(costs, RULES[rule](), budget=race.budget, seed=seed), costs)
    assert facts(race) == facts(alone)


@pytest.mark.parametrize("rule", SCHEDULED)
@pytest.mark.parametrize("each", [1, 3, "25%"])
def test_neither_workers_nor_order_matter(rule: str, each: int | str) -> None:
    costs = hard_world(9, 40, seed=5)
    options = {"budget": Budget(evaluations=200), "each_test": each, "seed": 5}
    alone = finish(race_over(costs, RULES[rule](), **options), costs)
    for workers in (2, 7, 30):
        race = race_over(costs, RULES[rule](), **options)
        shuffled_finish(race, costs, workers=workers, seed=workers)
        assert facts(race) == facts(alone)


def test_endless_instances_are_handed_out_in_parts() -> None:
    endless = Instances(range(4), repeat=True)
    race = Race([{"x": 1}, {"x": 2}], endless, rule=Keep(), budget={"target_time": 9.0})
    assert len(race.ask()) == 2000
    assert len(race.ask(5)) == 0


def test_the_next_test_of_a_schedule_is_the_first_after_so_many_instances() -> None:
    for each in (1, 3, "25%"):
        schedule = Schedule(4, each)
        for seen in range(60):
            for least in range(80):
                due = next(n for n in range(max(seen + 1, least), 200) if schedule.due(n))
                assert schedule.rows_until_test(seen, least) == due - seen


def test_candidates_that_have_been_alike_so_far_may_be_merged_at_any_test() -> None:
    costs = normal_world(6, 40, seed=2)
    costs[:, 5] = costs[:, 0]
    race = race_over(costs, RULES["successive-halving"](), budget=Budget(evaluations=120))
    for one in race.ask():
        race.tell(outcome(costs, one))
    assert next_drop(race.rule, race.results, race._state._outlook(1)) == 0
    assert np.isinf(next_drop(Keep(), race.results, race._state._outlook(1)))
