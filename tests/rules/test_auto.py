"""The default rule: who leaves, what changes nothing, and what it is for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.racing_lab.replay import Setting, replay
from benchmarks.racing_lab.worlds import Normal
from racing.core.objective import merits, standing
from racing.rules import Auto, Outlook, Reason, Sign
from racing.rules.gain import horizon
from racing.rules.scores import scores, stakes
from tests.rules.seen import judge, noisy, out, seen
from tests.worlds import hard_world

OBJECTIVES = ("rank", "mean")
both = pytest.mark.parametrize("objective", OBJECTIVES)


# Who leaves


@both
def test_the_worst_goes_first_and_each_departure_moves_the_threshold(objective):
    costs = noisy(10, 12, seed=1)
    verdict = judge(Auto(price=1e-3, exponent=0.5), costs, objective, instances=38)
    gone = verdict.eliminated
    assert len(gone) >= 6
    behind = [e.statistic for e in gone]
    assert behind == sorted(behind, reverse=True)
    unit = 1e-3 * math.sqrt(100 / 50) * stakes(seen(costs), objective, verdict.leader - 1)
    for k, e in zip(range(10, 1, -1), gone, strict=False):
        assert e.threshold == pytest.approx(unit * math.sqrt(k) / (k - 1))
        assert e.value < e.threshold
        assert (e.reason, e.measure, e.against) == (Reason.NOT_WORTHWHILE, "gain", verdict.leader)


@given(seed=st.integers(0, 2**16), objective=st.sampled_from(OBJECTIVES))
def test_the_leader_never_goes_and_at_any_price_all_others_do(seed, objective):
    costs = hard_world(6, 8, seed=seed)
    verdict = judge(Auto(price=1e9), costs, objective)
    assert verdict.leader - 1 == standing(seen(costs), objective)[0]
    assert {e.candidate for e in verdict.eliminated} == set(range(1, 7)) - {verdict.leader}
    assert not out(Auto(price=1e-300), costs, objective)


# What changes nothing, or in one direction only


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("factor", [1e-6, 0.3, 1e9])
def test_units_of_cost_do_not_matter(seed, factor):
    costs = noisy(8, 12, seed=seed)
    one, other = (judge(Auto(), c, "mean", instances=60) for c in (costs, factor * costs))
    assert one.eliminated
    for ours, theirs in zip(one.eliminated, other.eliminated, strict=True):
        assert ours.candidate == theirs.candidate
        assert theirs.value == pytest.approx(factor * ours.value, rel=1e-4, abs=1e-12 * factor)
        assert theirs.threshold == pytest.approx(factor * ours.threshold)


def test_nor_do_units_matter_where_two_are_level_by_chance():
    costs = np.random.default_rng(22).integers(0, 3, size=(15, 3)) + np.array([0.0, 0.0, 1.0])
    assert out(Auto(), costs, "mean", instances=60) == {3}
    assert out(Auto(), 0.1 * costs, "mean", instances=60) == {3}


def instances_until_only_five_can_be_best(seed: int, gap: float) -> int:
    """Of nine, five are `gap` apart and share their noise; four are well behind; one race."""
    rng = np.random.default_rng(seed)
    costs = rng.normal(size=(100, 1)) + np.array([0.0] * 5 + [1.0] * 4)
    costs[:, :5] += gap * np.arange(5) + rng.normal(size=(100, 1))
    costs[:, 5:] += rng.normal(size=(100, 4))
    alive = list(range(9))
    for n in range(1, 101):
        results = seen(costs[:n], survivors=alive)
        gone = out(Auto(), results, "mean", instances=100 - n)
        costs[n:, [i - 1 for i in gone]] = np.nan
        alive = [i for i in alive if i + 1 not in gone]
        if max(alive) < 5:
            return n
    return 101


def test_candidates_that_are_all_but_equal_are_judged_like_equals():
    """What is at stake is no other matter with a gap of 1e-9 than with none: 20 races."""
    equal, close, near = (
        np.array([instances_until_only_five_can_be_best(seed, gap) for seed in range(20)])
        for gap in (0.0, 1e-9, 1e-3)
    )
    assert 3 < equal.mean() < 50
    for other in (close, near):
        assert other.mean() == pytest.approx(equal.mean(), rel=0.1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("constant", [-5.0, 1e3, 1e6])
def test_a_constant_added_to_all_costs_does_not_matter(seed, constant):
    costs = noisy(8, 12, seed=seed)
    one = out(Auto(), costs, "mean", instances=60)
    assert one
    assert out(Auto(), costs + constant, "mean", instances=60) == one


@pytest.mark.parametrize("effect", [10.0, 100.0, 1e6])
def test_what_an_instance_adds_to_all_costs_does_not_matter(effect):
    costs = noisy(8, 12, seed=1)
    effects = effect * np.random.default_rng(2).normal(size=(12, 1))
    one = out(Auto(), costs, "mean", instances=60)
    assert one
    assert out(Auto(), costs + effects, "mean", instances=60) == one


@pytest.mark.parametrize("size", [1e-14, 1e-150, 1e100])
def test_costs_may_be_as_small_or_large_as_they_like(size):
    costs = noisy(8, 12, seed=1)
    one = out(Auto(), costs, "mean", instances=60)
    assert one
    assert out(Auto(), size * costs, "mean", instances=60) == one


@given(seed=st.integers(0, 2**16), transform=st.sampled_from([np.exp, np.cbrt, np.arctan]))
def test_monotone_transforms_do_not_matter_for_ranks(seed, transform):
    costs = noisy(6, 11, seed=seed)
    costs[7:, 3] = np.nan
    costs[2, 1] = costs[5, 0] = 50.0  # and each a failure in the other
    results = seen(costs, survivors=[0, 1, 2, 4, 5])
    assume(len(set(merits(results, "rank")[:, 0])) == 5)  # of equal ranks, mean costs decide
    other = transform(costs)
    other[2, 1] = other[5, 0] = np.inf
    same = seen(other, survivors=results.survivors)
    assert judge(Auto(), results, instances=40) == judge(Auto(), same, instances=40)


@both
@pytest.mark.parametrize("gap", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_a_lower_price_never_keeps_fewer(objective, gap, seed):
    costs = noisy(9, 8, seed=seed, gap=gap)
    prices = np.geomspace(1e-8, 10, 19)
    gone = [len(out(Auto(price=p), costs, objective, instances=92)) for p in prices]
    assert gone == sorted(gone)
    assert gone[0] < gone[-1] == 8


@both
@pytest.mark.parametrize("gap", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_a_longer_horizon_never_drops_more(objective, gap, seed):
    costs = noisy(9, 8, seed=seed, gap=gap)
    further = (1, 2, 5, 10, 30, 100, 300, 1000, math.inf)
    for exponent in (0.3, 1.33):
        rule = Auto(exponent=exponent, price=3e-3)
        gone = [len(out(rule, costs, objective, instances=h)) for h in further]
        assert gone == sorted(gone, reverse=True)
        assert gone[0]


# Edges


@both
@pytest.mark.parametrize("first", [1, 3, 6])
def test_nobody_leaves_before_the_first_instances_nor_after_a_single_one(objective, first):
    costs = np.tile(np.arange(5.0), (8, 1))
    left = [bool(out(Auto(first=first), costs[:n], objective)) for n in range(1, 9)]
    assert left == [n >= max(first, 2) for n in range(1, 9)]


@both
def test_who_is_alone_stays(objective):
    costs = noisy(4, 8, seed=1)
    assert judge(Auto(price=1e9), costs[:, :1], objective).eliminated == ()
    last = judge(Auto(price=1e9), seen(costs, survivors=[2]), objective)
    assert (last.leader, last.eliminated) == (3, ())


@both
@pytest.mark.parametrize("value", [0.0, 0.1, -1e6, 1e-9, np.inf])
@pytest.mark.parametrize("m", [2, 7])
def test_of_equals_nobody_leaves_and_nothing_warns(objective, value, m):
    costs = np.full((9, m), value)
    assert out(Auto(), costs, objective) == set()
    assert out(Auto(), np.where(np.arange(9)[:, None] % 2, costs, 1.0), objective) == set()


@both
def test_of_two_the_worse_leaves_once_that_is_clear(objective):
    costs = noisy(2, 40, seed=1, gap=1.0)
    assert out(Auto(), [[0.0, 1.0], [1.0, 0.0], [0.0, 2.0]], objective, instances=40) == set()
    (gone,) = judge(Auto(), costs, objective, instances=40).eliminated
    y = scores(seen(costs), objective)
    assert (gone.candidate, gone.against) == (2, 1)
    assert gone.statistic == pytest.approx(y[:, 1].mean() - y[:, 0].mean())


@both
def test_who_fails_often_leaves(objective):
    costs = noisy(5, 20, seed=2, gap=0.0)
    costs[::2, 3] = np.inf
    costs[:, 4] = np.inf
    assert {4, 5} <= out(Auto(), costs, objective, instances=30)


def test_who_has_the_best_standing_leads_and_stays():
    """With `mean` a single failure is worse than any cost."""
    costs = np.column_stack([np.zeros(20), np.full(20, 100.0) + np.arange(20) % 2])
    costs[0, 0] = np.inf
    assert standing(seen(costs), "mean").tolist() == [1, 0]
    for price in (Auto().price, 1e9):
        verdict = judge(Auto(price=price), costs, "mean", instances=10)
        assert verdict.leader == 2
        assert 2 not in {e.candidate for e in verdict.eliminated}


def test_the_dropped_matter_to_the_price_alone_where_costs_are_averaged():
    costs = noisy(6, 12, seed=3)
    costs[5:, 4], costs[8:, 5] = np.nan, np.nan
    results, block = seen(costs, survivors=[0, 1, 2, 3]), seen(costs[:, :4])
    leader = int(standing(results, "mean")[0])
    ratio = stakes(results, "mean", leader) / stakes(block, "mean", leader)
    assert ratio > 1.1
    one = judge(Auto(price=1e-3), results, "mean", instances=40)
    assert one.eliminated
    assert one.instances == 12
    other = judge(Auto(price=1e-3 * ratio), block, "mean", instances=40)
    for ours, theirs in zip(one.eliminated, other.eliminated, strict=True):
        assert ours.candidate == theirs.candidate
        assert ours.value == theirs.value
        assert ours.threshold == pytest.approx(theirs.threshold)


@both
def test_it_judges_by_the_instances_that_all_survivors_have_seen(objective):
    costs = noisy(6, 14, seed=4)
    costs[9:, 4] = costs[:4, 2] = np.nan
    results, later = (seen(c, survivors=[0, 1, 2, 3, 5]) for c in (costs, costs[4:]))
    ours, theirs = (judge(Auto(), r, objective, instances=30) for r in (results, later))
    assert ours.instances == theirs.instances == 10
    assert ours.eliminated
    for one, other in zip(ours.eliminated, theirs.eliminated, strict=True):
        assert one.candidate == other.candidate
        assert one.value == pytest.approx(other.value)
        assert one.threshold == pytest.approx(other.threshold)


def test_how_far_ahead_it_looks():
    assert horizon(Outlook(instances=30), 5) == 30
    assert horizon(Outlook(evaluations=99), 5) == 19
    assert horizon(Outlook(instances=30, evaluations=99), 5) == 19
    assert horizon(Outlook(instances=7, evaluations=99), 5) == 7
    assert horizon(Outlook(evaluations=3), 5) == horizon(Outlook(instances=0), 5) == 1
    assert 1_000 <= horizon(Outlook(), 5) < math.inf


@both
def test_without_a_budget_the_instances_are_the_horizon(objective):
    costs = noisy(5, 10, seed=5)
    one = judge(Auto(price=1e-3), costs, objective, instances=40)
    assert one.eliminated
    endless = judge(Auto(price=1e-3), costs, objective)
    far = horizon(Outlook(), 5)
    assert endless == judge(Auto(price=1e-3), costs, objective, instances=far)


# What it is for


@both
def test_it_spends_less_than_the_sign_race_and_chooses_no_worse(objective):
    """60 races of ten normal candidates, up to 100 instances; regret + 2 standard errors."""
    spent, regret = [], []
    for seed in range(60):
        sample = Normal(10, 0.5, 100).sample(np.random.default_rng(seed))
        ours, theirs = (
            replay(sample.costs, rule, Setting(objective=objective), seed=1)
            for rule in (Auto(), Sign())
        )
        truth = sample.truth(objective)
        spent.append((ours.evaluations, theirs.evaluations))
        regret.append(truth[ours.winner] - truth[theirs.winner])
    ours, theirs = np.mean(spent, axis=0)
    assert ours < 0.9 * theirs
    assert np.mean(regret) <= 2 * np.std(regret, ddof=1) / math.sqrt(len(regret))
