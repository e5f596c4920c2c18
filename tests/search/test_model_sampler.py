"""Challengers drawn by a model, on one or two problems."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from racing.search import LocalSampler, Search
from racing.search.block import Block
from racing.search.model_sampler import (
    ModelSampler,
    Process,
    features,
    fitted,
    normal_scores,
    squares,
)
from racing.search.sampler import Seen, State
from racing.space import Boolean, Categorical, Integer, Real, Space

MIXED = Space(
    {
        "kind": Categorical(["a", "b"], default="b"),
        "x": Real(0, 1, default=0.9),
        "y": Real(0, 1, default=0.9, when="kind == a"),
        "k": Integer(1, 9, default=1),
    }
)


def cost(values, problem) -> float:
    """Lowest in a valley of kind a."""
    here = (values["x"] - 0.3 - 0.05 * problem) ** 2 + abs(values["k"] - 5) / 40
    return here + ((values["y"] - 0.6) ** 2 if values["kind"] == "a" else 0.2)


def run(search: Search, of=cost, order: random.Random | None = None) -> Search:
    """To its end; with an order, what is asked for is told as chance has it."""
    asked = []
    while not search.done:
        asked += search.ask(None if order else 1)
        place = order.randrange(len(asked)) if order else 0
        one = asked.pop(place)
        search.tell(one, of(one.candidate.values, one.instance.problem))
    return search


def drawn(search: Search) -> list[object]:
    return [(one.candidate.id, dict(one.candidate.values)) for one in search.entrants]


def state(costs, pending=()) -> State:
    points = np.random.default_rng(1).random((len(costs), 2))
    seen = Seen(
        points, np.array(costs), rows=lambda cube: cube, allowed=lambda cube: cube[:, 0] < 2
    )
    return State(
        decisions=0, progress=0.0, elites=(1,), points=points[:1],
        block=Block(np.ones((1, 1)), "mean"), noise=0.0, seen=seen,
        pending=np.array(pending).reshape(len(pending), 2),
    )  # fmt: skip


def test_few_problems_have_the_model_and_others_have_not():
    def sampler(problems, budget=100, **more):
        return Search(MIXED, range(problems), budget=budget, **more)._context.sampler

    assert isinstance(sampler(1), ModelSampler)
    assert isinstance(sampler(2), ModelSampler)
    assert isinstance(sampler(3), LocalSampler)
    assert isinstance(sampler(1, budget=101), LocalSampler)
    assert isinstance(sampler(1, budget={"target_time": 60.0}), LocalSampler)
    assert sampler(1, sampler=LocalSampler(width=0.1)) == LocalSampler(width=0.1)
    assert isinstance(sampler(1, objective="rank"), LocalSampler)
    two = {"cost": "minimize", "size": "minimize"}
    assert isinstance(sampler(1, metrics=two, objective={"front": list(two)}), LocalSampler)


def test_it_finds_more_than_draws_near_the_elites_with_the_same_evaluations():
    def regret(sampler):
        found = [
            run(Search(MIXED, range(n), budget=40, seed=seed, sampler=sampler))
            for n in (1, 2)
            for seed in range(8)
        ]
        return np.mean([cost(one.winner.values, 0) for one in found])

    assert regret(ModelSampler()) < regret(LocalSampler()) * 2 / 3


@pytest.mark.parametrize("problems", [1, 2])
@pytest.mark.parametrize("window", [1, 4])
def test_the_order_of_arrival_changes_nothing(problems, window):
    def search():
        return Search(MIXED, range(problems), budget=60, window=window, seed=2)

    expected = drawn(run(search()))
    assert len(expected) > 20
    for order in range(3):
        assert drawn(run(search(), order=random.Random(order))) == expected


@pytest.mark.parametrize("problems", [1, 2])
def test_what_arrives_late_changes_nothing_after_an_extension(problems):
    def noisy(values, instance):
        noise = (instance.seed * 7919 + int(values["x"] * 1000) * 104729) % 1009 / 1009
        return cost(values, instance.problem) + 0.1 * noise

    def extended(order: random.Random):
        search, asked = Search(MIXED, range(problems), budget=60, window=4, seed=2), []
        for budget in (60, 100):
            if search.done:
                search.extend(budget)
            while not search.done:
                asked += search.ask()
                one = asked.pop(order.randrange(len(asked)))
                search.tell(one, noisy(one.candidate.values, one.instance))
        return drawn(search)

    expected = extended(random.Random(0))
    assert len(expected) > 25
    assert all(extended(random.Random(order)) == expected for order in range(1, 6))


def test_proposals_do_not_depend_on_the_scale_of_the_costs():
    plain = drawn(run(Search(MIXED, range(1), budget=50)))
    grown = drawn(run(Search(MIXED, range(1), budget=50), of=lambda *a: math.exp(9 * cost(*a))))
    assert plain == grown


def test_every_configuration_of_a_small_space_is_met_once():
    space = Space({"k": Integer(1, 9, default=9), "on": Boolean(default=False)})
    found = run(Search(space, range(1), budget=60), of=lambda v, _: v["k"] + v["on"])
    assert len(found.entrants) == 18
    assert found.winner.values == {"k": 1, "on": False}


def test_failures_count_as_the_worst():
    def of(values, problem):
        return math.inf if values["x"] > 0.5 else cost(values, problem)

    found = run(Search(MIXED, range(1), budget=60), of=of)
    late = [one for one in found.entrants if one.candidate.id > 20]
    assert np.mean([one.candidate.values["x"] > 0.5 for one in late]) < 0.3
    assert found.winner.values["x"] < 0.5


def test_what_is_forbidden_is_not_drawn():
    space = Space({"x": Real(0, 1, default=0.9), "y": Real(0, 1, default=0.9)}, forbidden=["x < y"])
    found = run(Search(space, range(1), budget=60), of=lambda values, _: values["x"] - values["y"])
    assert len(found.entrants) > 50
    assert found.winner.values["x"] - found.winner.values["y"] < 0.02


def test_nothing_that_runs_is_drawn_again():
    sampler, choices = ModelSampler(pool=4), np.zeros(2, dtype=np.intp)
    now = state([1.0, 2.0, 3.0, 4.0, 0.5])
    found = [sampler.draw(now, choices, np.random.default_rng(k)).point for k in range(20)]
    waiting = replace(now, pending=np.array(found))
    again = [sampler.draw(waiting, choices, np.random.default_rng(k)).point for k in range(20)]
    assert not any((one == each).all() for one in again for each in found)


def test_with_too_few_to_learn_from_the_local_sampler_draws():
    now, choices = state([1.0, 2.0, 3.0]), np.zeros(2, dtype=np.intp)
    ours = ModelSampler().draw(now, choices, np.random.default_rng(1))
    theirs = LocalSampler().draw(now, choices, np.random.default_rng(1))
    assert (ours.point == theirs.point).all()
    assert ours.parent == theirs.parent


NOISE = 0.01


def known(n: int = 12, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    points = np.random.default_rng(seed).random((n, 3))
    return points, normal_scores(np.sin(5 * points[:, 0]) + points[:, 1])


def process(*running: np.ndarray) -> Process:
    points, scores = known()
    return Process.of(np.concatenate([points, *running]), scores, np.array([3.0, 2.0, 0.7]), NOISE)


def test_mean_and_uncertainty_are_those_of_scikit_learn():
    gp = pytest.importorskip("sklearn.gaussian_process")
    ours, at = process(), np.random.default_rng(4).random((20, 3))
    kernel = gp.kernels.Matern(length_scale=1 / ours.scales, nu=2.5)
    theirs = gp.GaussianProcessRegressor(kernel, alpha=NOISE, optimizer=None)
    theirs.fit(*known())
    mean, sd = theirs.predict(at, return_std=True)
    assert ours.mean(at) == pytest.approx(mean)
    kernel_at = ours.kernel(at)
    explained = ((ours.whitening @ kernel_at.T) ** 2).sum(axis=0)
    assert np.sqrt(1 - explained) == pytest.approx(sd)


def test_the_likelihood_is_that_of_scikit_learn():
    gp = pytest.importorskip("sklearn.gaussian_process")
    ours = process()
    kernel = gp.kernels.ConstantKernel(ours.variance) * gp.kernels.Matern(1 / ours.scales, nu=2.5)
    theirs = gp.GaussianProcessRegressor(kernel, alpha=NOISE * ours.variance, optimizer=None)
    theirs.fit(*known())
    n = len(ours.features)
    rest = n / 2 * (1 + np.log(2 * np.pi))
    assert ours.misfit + rest == pytest.approx(-theirs.log_marginal_likelihood_value_)


def test_improvement_is_the_mean_of_what_is_drawn_below_the_best():
    ours, at = process(), np.random.default_rng(5).random((4, 3))
    kernel = ours.kernel(at)
    left = 1 - ((ours.whitening @ kernel.T) ** 2).sum(axis=0)
    sd = np.sqrt(ours.variance * left)
    best = ours.mean(ours.features).min()
    drawn = ours.mean(at) + sd * np.random.default_rng(6).standard_normal((400_000, 4))
    expected = np.maximum(best - drawn, 0).mean(axis=0)
    assert ours.improvement(at) == pytest.approx(expected, abs=4 * sd.max() / 400_000**0.5)


def test_pending_points_change_no_mean_and_promise_little():
    ours, rng = process(), np.random.default_rng(7)
    pending, at = rng.random((5, 3)), rng.random((20, 3))
    more = process(pending)
    assert more.mean(at) == pytest.approx(ours.mean(at))
    assert (more.improvement(pending) < ours.improvement(pending)).all()
    assert more.best == pytest.approx(ours.mean(more.features).min())


def test_distances_of_levels_and_of_inactive_parameters():
    points = np.array([[0.0, 0.2], [1.0, 0.2], [2.0, 0.9], [0.0, np.nan], [0.0, np.nan]])
    found, parameter = features(points, (3, 0))
    assert parameter.tolist() == [0, 0, 0, 0, 1, 1]
    apart = squares(found, found)
    assert apart[0, 1] == pytest.approx(0.25)  # another level
    assert apart[1, 2] == pytest.approx(0.25 + 0.7**2)
    assert apart[0, 3] == pytest.approx(0.25 + 0.3**2)  # as from the middle, and inactive
    assert apart[3, 4] == apart[0, 0] == pytest.approx(0)


def test_normal_scores_know_ranks_alone():
    costs = np.array([3.0, 1.0, np.inf, 1.0, 2.0])
    found = normal_scores(costs)
    assert found == pytest.approx(normal_scores(np.exp(costs)))
    assert found[1] == found[3] < found[4] < found[0] < found[2]


def test_the_fit_is_longer_where_a_parameter_changes_nothing():
    points = np.random.default_rng(8).random((64, 2))
    rows, parameter = features(points, (0, 0))
    found = fitted(rows, parameter, np.sin(7 * points[:, 0]), 150)
    assert found.scales[2] < found.scales[0] / 3


def test_of_many_lengths_are_fitted_to_multiples_of_16():
    points = np.random.default_rng(8).random((64, 2))
    rows, parameter = features(points, (0, 0))
    costs = np.sin(7 * points[:, 0]) + points[:, 1]
    of = {n: fitted(rows[:n], parameter, costs[:n], 150).scales.tolist() for n in range(4, 64)}
    assert of[5] != of[15]
    assert of[16] == of[31] != of[32] == of[47]


def test_of_many_the_better_half_and_a_spread_of_the_others_stay():
    costs = np.random.default_rng(9).permutation(100.0 + np.arange(100))
    points = np.random.default_rng(10).random((101, 1))  # the last one runs
    found = fitted(*features(points, (0,)), costs, 20)
    kept = [int(np.flatnonzero(points[:, 0] == one)[0]) for one in found.features[:, 0]]
    assert kept.pop() == 100
    left = sorted(costs[kept] - 100)
    assert left[:10] == list(range(10))
    assert left[10:] == [10, 20, 30, 40, 50, 59, 69, 79, 89, 99]
