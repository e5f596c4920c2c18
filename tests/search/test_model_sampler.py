"""Challengers drawn by a model, on one or two problems."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from racing.search import LocalSampler, Search
from racing.search.block import Block
from racing.search.model_sampler import ModelSampler
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
