"""Equals are raced as one, whatever the rule; shared timeouts do not make two candidates equal."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.race import Race
from racing.rules import RULES, Keep, Reason
from racing.rules.equals import AGREED, FEWEST, LEVELS, equals, judged, repeated
from racing.rules.rule import Outlook
from tests.rules.seen import noisy, seen
from tests.worlds import finish, race_over

LIMITS = {"hoeffding": {}, "bernstein": {}}


MERGING = [name for name in RULES if name != "none"]


class NoRule(Keep):
    """A rule that drops nobody itself, and leaves equals to be merged."""

    merges_equals = False


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


@pytest.mark.parametrize("name", MERGING)
def test_in_every_rule_twins_cost_a_stated_number_of_evaluations(name):
    """The last to enter goes once 20 instances agree at the latest, and the rule sees the rest."""
    costs = with_twins(12, 40)
    race = race_over(costs, RULES[name](), budget=Budget(evaluations=400), seed=2)
    finish(race, costs)
    together = race.results.alive[:, [0, 11]].all(axis=1).sum()
    assert together <= AGREED
    assert len({1, 12} & {one.id for one in race.survivors}) < 2


@pytest.mark.parametrize("name", MERGING)
def test_a_race_of_equals_alone_ends(name):
    costs = np.ones((100, 2)) + np.random.default_rng(1).normal(size=(100, 1))
    race = finish(race_over(costs, RULES[name](), budget=Budget(evaluations=200)), costs)
    assert len(race.survivors) == 1
    assert race.spent.evaluations <= AGREED * 2


def test_a_race_on_one_instance_that_has_nothing_new_to_say_ends():
    race = over_one_instance(Instances(("a",), seeds=((7,) * 100,)))
    assert race.winner.values == {"x": 1}
    assert race.spent.evaluations == AGREED * 3
    assert {e.measure for e in race.verdicts[-1].eliminated} == {"instances that went alike"}


@pytest.mark.parametrize(
    "instances",
    [
        Instances(range(100)),
        Instances(("a",), seeds=(range(1, 101),)),
        Instances(("a",), seeds=((7,),), repeat=True),
        Instances(("a", "b"), seeds=((7,) * 50,) * 2),
    ],
)
def test_another_problem_or_seed_may_have_something_to_say(instances):
    race = over_one_instance(instances)
    assert len(race.survivors) == 3
    assert race.spent.evaluations == 300


def over_one_instance(instances: Instances) -> Race:
    """A race of three that cost what they always cost, for 300 evaluations at most."""
    candidates = [{"x": x} for x in (3, 1, 2)]
    race = Race(candidates, instances, rule=NoRule(), budget=Budget(evaluations=300))
    while not race.done:
        for experiment in race.ask():
            race.tell(experiment.outcome(float(experiment.candidate.values["x"])))
    return race


def test_shared_timeouts_are_no_evidence():
    """Two that solve nothing, beside others who do: failures, ten times the cutoff, or its own."""
    for worst in (np.inf, 1e4, 1e4 * np.arange(1, 20)):
        costs = noisy(10, 19, seed=3)
        costs[:, [4, 7]] = np.broadcast_to(worst, 19)[:, None]
        assert not merged(costs)
        costs[5:, 2] = np.broadcast_to(worst, 19)[5:]
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


def right_or_wrong(accuracies, n: int, *, seed: int) -> np.ndarray:
    """(n, m) costs, 0 where a candidate is right and 1 where it is wrong."""
    return (np.random.default_rng(seed).random((n, len(accuracies))) > accuracies).astype(float)


@pytest.mark.parametrize(
    "accuracies",
    [
        np.linspace(0.92, 0.98, 10),
        np.linspace(0.3, 0.98, 30),
        np.array([0.98, 0.97, *[0.3] * 8]),
        np.array([0.98, 0.97, 0.3]),
        np.array([0.99, 0.98]),
    ],
    ids=["accurate", "all", "two good", "three", "two"],
)
def test_nor_is_it_that_two_are_right(accuracies):
    """Who is right in nearly all instances agrees on nearly all with others of that kind."""
    for seed in range(200):
        costs = right_or_wrong(accuracies, 160, seed=seed)
        assert not any(merged(costs[:n]) for n in (10, 20, 40, 80, 160))


def test_accurate_candidates_race_for_all_of_their_budget():
    for seed in range(20):
        costs = right_or_wrong(np.linspace(0.92, 0.98, 10), 200, seed=seed)
        race = race_over(costs, NoRule(), budget=Budget(evaluations=500), objective="mean")
        assert finish(race, costs).spent.evaluations == 500


def test_rows_that_are_all_right_say_neither_that_two_are_one_nor_that_nothing_will_come():
    costs = np.zeros((100, 5))
    assert not merged(costs)
    assert not repeated(seen(costs), Outlook())
    assert repeated(seen(costs), Outlook(recurring=True))


@pytest.mark.parametrize("accuracy", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("beside", [0.1, 0.3, 0.5])
def test_nor_is_it_that_one_solves_all_that_the_other_solves_and_seldom_more(accuracy, beside):
    """Its rivals are far behind; it is ahead on one instance in forty."""
    for seed in range(50):
        draws = np.random.default_rng(seed).random((200, 10))
        costs = (draws > beside).astype(float)
        costs[:, 0] = draws[:, 0] > accuracy - 0.025
        costs[:, 4] = draws[:, 0] > accuracy
        assert not any(merged(costs[:n]) for n in (20, 40, 80, 160, 200))


def test_a_candidate_that_joined_late_does_not_hide_where_two_differ():
    costs = with_twins(10, 40)
    costs[3, 0] += 1.0
    costs[:5, 5] = np.nan
    assert not merged(costs)
    costs[3, 0] -= 1.0
    assert merged(costs) == {10: 1}


def test_an_instance_counts_by_the_others_with_that_cost_and_a_cost_no_more_than_two():
    costs = np.floor(np.random.default_rng(4).exponential(6.0, size=(40, 12)))
    costs[:, -1] = costs[:, 0]
    said = {n: equals(seen(costs[:n])) for n in range(1, 41)}
    for n, found in said.items():
        by_cost, counted = dict.fromkeys(costs[:, 0], 0.0), 0
        for j in range(n):
            own = costs[j, 0]
            others = costs[j, 1:-1]
            if (others > own).any():
                by_cost[own] -= np.log((1 + sum(c == own for c in others)) / (1 + len(others)))
                counted += 1
        total = sum(min(one, 2.0) for one in by_cost.values())
        assert bool(found) == (counted > FEWEST and total > np.log(12 * 11 / 2 / 1e-3)), n
        assert [(one.value, one.statistic) for one in found] == (
            [(counted, pytest.approx(total))] if found else []
        )
    assert {bool(found) for found in said.values()} == {False, True}


def test_nor_are_instances_that_nearly_everybody_solves_as_well_as_can_be():
    """The best cost is another one on each of them."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        missed = rng.random((40, 10)) > np.linspace(0.7, 0.98, 10)
        costs = np.arange(40.0)[:, None] + missed * rng.random((40, 10))
        assert not any(merged(costs[:n]) for n in (8, 12, 20, 40))


def test_nor_are_five_instances_in_a_large_field():
    costs = np.repeat(np.arange(100.0)[:, None], 200, axis=1)
    costs[:5] += np.random.default_rng(1).random((5, 200))
    costs[:, -1] = costs[:, 0]
    costs[:5, 1] += 1  # somebody did worse
    assert not merged(costs)


@pytest.mark.parametrize("alike", [AGREED - 1, AGREED])
def test_what_went_otherwise_before_does_not_count(alike):
    costs = np.tile([3.0, 1.0, 2.0], (30 + alike, 1))
    costs[:30] += np.random.default_rng(1).random((30, 3))
    gone = {e.candidate for e in repeated(seen(costs), Outlook(recurring=True))}
    assert gone == (set() if alike < AGREED else {1, 3})


@pytest.mark.parametrize(("levels", "one"), [(AGREED - 1, False), (AGREED, True)])
def test_survivors_who_all_agree_need_so_many_different_costs(levels, one):
    costs = np.repeat(np.arange(100.0)[:, None] % levels, 2, axis=1)
    assert bool(merged(costs)) == one
    costs[:] = np.inf
    assert not merged(costs)


@pytest.mark.parametrize(("levels", "one"), [(2, False), (LEVELS - 1, False), (LEVELS, True)])
def test_costs_that_come_again_show_it_after_many_instances_unless_they_are_few(levels, one):
    """n(1 − Σp²) instances of n count: with L equal shares n(1 − 1/L), and ln(1000)/.03 must do."""
    enough = next(n for n in range(1000) if n - n // levels > np.log(1e3) / 0.03)
    costs = np.repeat(np.arange(1000.0)[:, None] % levels, 2, axis=1)
    assert not merged(costs[: enough - levels])
    assert bool(merged(costs[: enough + levels])) == one
    assert bool(merged(costs)) == one
    costs[5, 1] += 1
    assert not merged(costs)


def test_instances_that_share_the_usual_cost_count_for_little():
    costs = np.zeros((1000, 2))
    costs[::20] = 1.0 + np.arange(50)[:, None] % 13
    assert not merged(costs)


@pytest.mark.parametrize("name", ["auto", "sign"])
def test_two_that_are_one_do_not_race_for_all_of_a_budget(name):
    costs = np.repeat(np.random.default_rng(3).integers(0, 13, size=(3000, 1)), 2, axis=1)
    race = finish(race_over(costs * 1.0, RULES[name](), budget=Budget(evaluations=6000)), costs)
    assert len(race.survivors) == 1
    assert race.spent.evaluations < 600


def test_all_failures_differ_in_nothing_and_are_left_to_the_race():
    assert not merged(np.full((30, 4), np.inf))
    assert not repeated(seen(np.full((30, 4), np.inf)), Outlook(recurring=True))


def test_the_first_to_enter_stays_and_the_rule_judges_the_rest():
    costs = with_twins(6, 20)[:, ::-1]
    verdict = judged(NoRule(), seen(costs), Outlook(), np.random.default_rng(0))
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


def test_the_rule_none_keeps_equals_too():
    costs = with_twins(6, 40)
    race = finish(race_over(costs, RULES["none"](), budget=Budget(evaluations=240)), costs)
    assert len(race.survivors) == 6
