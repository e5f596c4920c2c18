"""What every race keeps, whatever the rule: order of arrival, crashes and names do not matter."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.core.budget import Budget
from racing.rules import RULES, Reason
from racing.rules.rule import Rule
from tests.worlds import (
    Remembered,
    facts,
    finish,
    hard_world,
    normal_world,
    outcome,
    race_over,
    replay,
    shuffled_finish,
)

BY_SIZE = {"f-test", "wilcoxon"}
"""Rules that, though the objective be ranks, look at the sizes of differences of costs."""

RANK_RULES = [name for name in RULES if name not in BY_SIZE]
"""Rules that look at nothing but who is better on each instance."""

BUDGETS = {
    "none": Budget(),
    "evaluations": Budget(evaluations=150),
    "instances": Budget(instances=17),
    "target_time": Budget(target_time=120.0),
}
WORLDS = {
    "normal": lambda m, n, *, seed: normal_world(m, n, seed=seed, noise=0.3),
    "hard": hard_world,
}

DROPPING = [name for name in RULES if name != "none"]

CAREFUL = {"hoeffding", "bernstein"}
"""Rules that need hundreds of instances before they drop anybody."""

every_rule = pytest.mark.parametrize("rule", RULES)
every_dropping_rule = pytest.mark.parametrize("rule", DROPPING)
every_world = pytest.mark.parametrize("world", WORLDS)


def a_race(rule: str | Rule, costs: np.ndarray, **options):
    judge = RULES[rule]() if isinstance(rule, str) else rule
    return race_over(costs, judge, seed=3, **options)


@cache
def alone_in(world: str, rule: str, budget: str) -> tuple[object, ...]:
    """The facts of a race whose evaluations come one after the other."""
    costs = WORLDS[world](12, 25, seed=1)
    return facts(finish(a_race(rule, costs, budget=BUDGETS[budget]), costs))


@every_rule
@every_world
@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("workers", "speculate"), [(1, 5), (8, 5)])
def test_workers_and_order_of_arrival_do_not_matter(rule, world, budget, workers, speculate):
    costs = WORLDS[world](12, 25, seed=1)
    race = a_race(rule, costs, budget=BUDGETS[budget])
    shuffled_finish(race, costs, workers=workers, seed=workers, speculate=speculate)
    assert facts(race) == alone_in(world, rule, budget)


@every_rule
@pytest.mark.parametrize("each", ["25%", "100%", 4])
def test_with_looks_at_a_distance_workers_and_crashes_do_not_matter_either(rule, each):
    costs = hard_world(12, 40, seed=4)
    options = {"each_test": each, "budget": Budget(evaluations=260)}
    alone = finish(a_race(rule, costs, **options), costs)
    race = a_race(rule, costs, **options)
    told = shuffled_finish(race, costs, workers=7, seed=7, speculate=6)
    assert facts(race) == facts(alone)
    looks = [n for n in range(1, 41) if race.schedule.due(n)]
    assert [verdict.instances for verdict in alone.verdicts] == looks[: len(alone.verdicts)]
    resumed = replay(a_race(rule, costs, **options), told[: len(told) // 2])
    assert facts(finish(resumed, costs)) == facts(alone)


@every_rule
@pytest.mark.parametrize("each", [1, "25%", 4])
def test_a_longer_budget_after_the_end_is_the_same_for_all_workers(each, rule):
    """Looks go on at their distances, also where the first budget ended between two of them."""
    costs = hard_world(12, 40, seed=4)
    first, later = Budget(evaluations=130), Budget(evaluations=260)

    def extended(workers):
        race = a_race(rule, costs, each_test=each, budget=first)
        shuffled_finish(race, costs, workers=workers, seed=workers, speculate=workers // 2)
        if race.stopped.by_budget:
            race.extend(later)
            shuffled_finish(race, costs, workers=workers, seed=workers, speculate=workers // 2)
        return race

    race = extended(1)
    assert facts(extended(7)) == facts(race)
    looks = [n for n in range(1, 41) if race.schedule.due(n)]
    assert [verdict.instances for verdict in race.verdicts] == looks[: len(race.verdicts)]
    assert race.spent.evaluations <= later.evaluations


@every_rule
@every_world
def test_a_crash_after_any_outcome_changes_nothing_and_repeats_nothing(rule, world):
    costs = WORLDS[world](8, 16, seed=2)
    same = Remembered(RULES[rule]())  # most of the time would go into judging the same again
    whole = a_race(same, costs)
    told = shuffled_finish(whole, costs, workers=4, seed=7)
    assert len(told) >= 40
    for crash in range(list(RULES).index(rule) % 7, len(told), 7):  # all, over the rules
        resumed = replay(a_race(same, costs), told[:crash])
        known = {o.key for o in told[:crash]}
        while not resumed.done:
            for experiment in resumed.ask(4):
                assert experiment.key not in known, "an evaluation was asked for twice"
                known.add(experiment.key)
                resumed.tell(outcome(costs, experiment))
        assert facts(resumed) == facts(whole)
        assert len(known) == len(told), "an evaluation was lost, or one too many was run"


@every_rule
@given(seed=st.integers(0, 2**16))
@settings(max_examples=10, deadline=None)
def test_relabelling_candidates_relabels_verdicts(rule, seed):
    costs = normal_world(9, 20, seed=seed)
    order = np.random.default_rng(seed).permutation(9)
    one = finish(a_race(rule, costs), costs)
    other = finish(a_race(rule, costs[:, order]), costs[:, order])

    def columns(race, names):
        return [{names[e.candidate - 1] for e in verdict.eliminated} for verdict in race.verdicts]

    assert columns(one, range(9)) == columns(other, order)
    assert one.winner.values["column"] == order[other.winner.values["column"]]


@pytest.mark.parametrize("rule", RANK_RULES)
@every_world
def test_monotone_transforms_change_nothing_for_rank_rules(rule, world):
    costs = WORLDS[world](10, 20, seed=5)
    other_costs = np.exp(costs / 2)
    one = finish(a_race(rule, costs), costs)
    other = finish(a_race(rule, other_costs), other_costs)
    assert one.verdicts == other.verdicts
    assert one.winner == other.winner


@pytest.mark.parametrize("rule", RANK_RULES)
@every_world
def test_while_all_are_in_transforms_of_single_instances_change_nothing_either(rule, world):
    costs = WORLDS[world](10, 20, seed=5)
    row_by_row = np.exp(costs / 2) + np.arange(len(costs))[:, None]
    one = finish(a_race(rule, costs), costs)
    other = finish(a_race(rule, row_by_row), row_by_row)
    for ours, theirs in zip(one.verdicts, other.verdicts, strict=False):
        if any(
            e.reason is Reason.INDISTINGUISHABLE for e in (*ours.eliminated, *theirs.eliminated)
        ):
            break  # whether a cost is a level that recurs, other instances tell
        assert ours == theirs
        if ours.eliminated:
            break


@every_dropping_rule
@every_world
def test_verdicts_say_why(rule, world):
    costs = WORLDS[world](12, 400 if rule in CAREFUL else 60, seed=4)
    race = finish(a_race(rule, costs), costs)
    gone = [e for verdict in race.verdicts for e in verdict.eliminated]
    assert gone, "a world in which nobody is dropped shows nothing"
    for elimination in gone:
        assert elimination.against != elimination.candidate
        assert np.isfinite(elimination.value)
        assert np.isfinite(elimination.threshold)
    assert len({e.candidate for e in gone}) == len(gone)
    assert {e.candidate for e in gone} | {c.id for c in race.survivors} == set(range(1, 13))


@every_rule
@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("fill", ["alike", "constant", "failed", "mixed"])
def test_degenerate_races_end_with_somebody_left(rule, m, n, fill):
    costs = {
        "alike": np.arange(n)[:, None] * np.ones(m),
        "constant": np.ones((n, m)),
        "failed": np.full((n, m), np.inf),
        "mixed": np.where(np.arange(m) == 0, np.inf, np.ones((n, m))),
    }[fill]
    race = finish(a_race(rule, costs, first_test=1), costs)
    assert race.survivors
    assert race.done
    assert (race.winner is None) == (fill == "failed" and m > 1)


@every_dropping_rule
def test_at_least_the_asked_number_survives(rule):
    rows = 1200 if rule in CAREFUL else 40
    costs = normal_world(12, rows, seed=9, noise=0.1)
    race = finish(a_race(rule, costs, min_survivors=4, each_test=rows // 40), costs)
    assert len(race.survivors) == 4
    assert race.stopped == "survivors"
