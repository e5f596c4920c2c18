"""The initial configurations are halved over the first instances."""

from __future__ import annotations

import math

import pytest

from racing.core.budget import Budget
from racing.search import Settings
from racing.search.initial import initial_size, most_instances
from tests.search.kit import Target, a_search, deterministic, noisy


@pytest.mark.parametrize(
    ("evaluations", "expected"), [(30, 6), (100, 15), (1000, 150), (float("inf"), 6)]
)
def test_their_number(evaluations, expected):
    assert initial_size(evaluations, Settings()) == expected


def test_the_better_half_goes_on_to_two_and_four_instances():
    settings = Settings(initial=0.09, first_instances=4, finish=0.0, confirm=0.0)
    search = a_search(budget=Budget(evaluations=400), settings=settings)
    seen: dict[int, set[int]] = {}
    while search.phase == "initial" and not search.done:
        for experiment in search.ask():
            seen.setdefault(experiment.instance.step, set()).add(experiment.candidate.id)
            search.tell(deterministic(experiment))
    assert [len(seen[step]) for step in range(4)] == [36, 18, 9, 9]
    assert seen[0] > seen[1] > seen[2] == seen[3]
    assert search.instances_seen == 4
    assert len(search.elites) == 4


def _instances_of_the_first_elites(target: Target, seed: int = 1, **settings: object) -> int:
    budget, chosen = Budget(evaluations=400), Settings(**settings)
    search = a_search(budget=budget, settings=chosen, seed=seed)
    while search.phase == "initial":
        for experiment in search.ask():
            search.tell(target(experiment))
    return search.instances_seen


def test_two_instances_are_enough_where_they_agree():
    assert _instances_of_the_first_elites(deterministic) == 2


def test_more_are_met_where_they_do_not():
    met = [_instances_of_the_first_elites(noisy(1000), seed) for seed in range(20)]
    assert set(met) <= {2, 4, 8}
    assert met.count(8) > met.count(2)


def test_as_many_as_are_asked_for_are_met_in_any_case():
    assert _instances_of_the_first_elites(deterministic, first_instances=4) == 4
    assert _instances_of_the_first_elites(noisy(1000), first_instances=2) == 2


@pytest.mark.parametrize(
    ("evaluations", "most"),
    [(60, 2), (100, 2), (150, 4), (200, 5), (320, 8), (3000, 8), (math.inf, 8)],
)
def test_at_most_one_for_every_40_evaluations(evaluations, most):
    assert most_instances(evaluations, Settings()) == most


def test_nobody_begins_a_stage_that_may_not_come():
    search = a_search(budget=Budget(evaluations=400))
    for experiment in search.ask():
        search.tell(deterministic(experiment))
    for experiment in search.ask()[:-1]:  # the second instance, which may be the last
        search.tell(deterministic(experiment))
    assert search.phase == "initial"
    assert not search.ask()


def test_the_best_of_them_are_the_elites():
    from tests.search.kit import badness

    search = a_search(budget=Budget(evaluations=400), window=1)
    initial = None
    while initial is None:
        for experiment in search.ask():
            search.tell(deterministic(experiment))
        if search.phase == "running":
            initial = [e.candidate for e in search.entrants if e.origin in ("given", "sobol")]
    order = sorted(initial, key=lambda one: badness(dict(one.values)))
    assert list(search.elites) == order[:4]


def test_with_a_limit_of_time_few_run_first_and_the_rest_follow():
    search = a_search(budget=Budget(target_time=900.0))
    first = search.ask()
    assert len(first) == 6
    for experiment in first:
        search.tell(noisy()(experiment))
    more = search.ask()
    assert {one.instance.step for one in more} == {0}
    assert 58 < len(first) + len(more) < 116  # 0.15 · 837 / about 1.5 s


def test_who_is_sure_of_the_next_stage_does_not_wait_for_the_last():
    search = a_search(budget=Budget(evaluations=400))
    first = search.ask()
    for experiment in first[:-3]:
        search.tell(deterministic(experiment))
    early = {one.candidate.id for one in search.ask()}
    half = -(-len(first) // 2)
    assert half - 3 <= len(early) <= half
    for experiment in first[-3:]:
        search.tell(deterministic(experiment))
    late = {one.candidate.id for one in search.ask()}
    assert not early & late
    assert len(early | late) == half


def test_with_ranks_nobody_is_sure():
    search = a_search(budget=Budget(evaluations=400), objective="rank")
    for experiment in search.ask()[:-1]:
        search.tell(deterministic(experiment))
    assert not search.ask()
