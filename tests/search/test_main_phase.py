"""Decisions in order, the window, and the finish."""

from __future__ import annotations

import heapq
from dataclasses import replace

import pytest

from racing.base.seeds import Purpose
from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.search import Search, Settings
from racing.search.search_plan import MadeUp
from racing.space import Real, Space
from tests.search.kit import a_search, finish, noisy, shuffled_finish


def drawn(search):
    return [e for e in search.entrants if e.draw[:1] == (int(Purpose.CHALLENGER),)]


@pytest.mark.parametrize("window", [1, 3, 10, 25])
def test_challenger_c_is_drawn_after_decision_c_minus_window(window):
    search = finish(a_search(window=window, budget=Budget(evaluations=300)), noisy())
    challengers = drawn(search)
    assert len(challengers) > 2 * window
    assert [one.draw for one in challengers] == [
        (int(Purpose.CHALLENGER), c) for c in range(len(challengers))
    ]
    entered = [one.entered for one in challengers]
    expected = [max(c + 1 - window, 0) for c in range(len(challengers))]
    early = len(challengers) - 2 * window  # near the end fewer are under way at once
    assert entered[:early] == expected[:early]
    assert all(a >= b for a, b in zip(entered, expected, strict=True))


def test_no_more_than_the_window_are_under_way():
    search = a_search(window=5, budget=Budget(evaluations=300))
    most = 0
    while not search.done:
        for experiment in search.ask(1):
            if search.phase == "running":
                elites = {one.id for one in search.elites}
                begun = {one.candidate.id for one in search.pending} - elites
                most = max(most, len(begun))
            search.tell(noisy()(experiment))
    assert most <= 5


def test_a_window_keeps_many_workers_busy():
    search = a_search(window=20, budget=Budget(evaluations=600))
    running, waits, asks = [], 0, 0
    while not search.done:
        running += search.ask(5 - len(running))
        if search.phase == "running" and search.progress < 0.8:
            asks += 1
            waits += len(running) < 5
        search.tell(noisy()(running.pop(0)))
    assert asks > 100
    assert waits < 0.05 * asks


def test_the_elites_meet_one_more_instance_after_every_few_decisions():
    seen = {}
    for every in (5, 20):
        settings = Settings(every=every, confirm=0.0)
        search = finish(a_search(settings=settings, budget=Budget(evaluations=500)), noisy())
        seen[every] = (search.instances_seen, len(drawn(search)))
    for every, (instances, challengers) in seen.items():
        assert instances >= 4 + challengers // every - 4
    assert seen[5][0] > seen[20][0]


@pytest.mark.parametrize(
    ("window", "growth", "expected"), [(16, None, {1, 2}), (17, None, {1, 4}), (17, 2, {1, 2})]
)
def test_rungs_grow_faster_where_many_are_under_way(window, growth, expected):
    settings = Settings(first_instances=8, growth=growth)
    search = a_search(window=window, budget=Budget(evaluations=600), settings=settings)
    finish(search, noisy())
    ends = sorted({v.instances for v in search.verdicts if v.about is not None})
    assert set(ends[:2]) == expected


def test_near_the_end_those_for_whom_there_is_no_room_are_dropped_for_that():
    settings = Settings(prepaid=2, growth=2, confirm=0.0)
    dropped = []
    for seed in range(4):
        search = a_search(window=30, budget=Budget(evaluations=300), settings=settings, seed=seed)
        told = shuffled_finish(search, noisy(), workers=20, seed=seed)
        assert len(told) <= 300
        for verdict in search.verdicts:
            dropped += [(verdict.instances, e) for e in verdict.eliminated]
    poor = [(n, one) for n, one in dropped if one.measure == "evaluations needed"]
    assert poor
    assert all(n == 2 and one.value > one.threshold for n, one in poor)


def test_a_verdict_on_a_challenger_tells_on_which_instances_it_was_made():
    search = finish(a_search(budget=Budget(evaluations=400)), noisy())
    screened = [v for v in search.verdicts if v.about is not None]
    assert screened
    for verdict in screened:
        assert len(verdict.about) == 1
        assert len(verdict.steps) == verdict.instances
        (elimination,) = verdict.eliminated
        if elimination.measure == "probability better":
            assert elimination.value <= elimination.threshold == search.settings.drop
        elif elimination.measure == "mean difference":
            assert elimination.value > elimination.threshold


# Found by driving some hundred searches: with these seeds, the elites have met the next instances
# as challengers when they become finalists, so that nothing has to be run for them.
LIMITS = [
    pytest.param(Budget(wall_time=20.0), 9, id="wall"),
    pytest.param(Budget(target_time=150.0), 39, id="target"),
    pytest.param(Budget(evaluations=100), 1, id="evaluations"),
]


@pytest.mark.parametrize(("budget", "seed"), LIMITS)
def test_there_is_always_something_to_do(budget: Budget, seed: int) -> None:
    """On eight workers, with a clock: while the search is not done, something runs."""
    parameters = 3
    space = Space({f"x{i}": Real(0, 1, default=0.9) for i in range(parameters)})
    search = Search(space, range(20), budget=budget, window=32, seed=seed)
    target = MadeUp(parameters, 1.0, seed)
    running: list[tuple[float, int, Outcome]] = []
    now, begun = 0.0, 0
    while not search.done:
        for experiment in search.ask(8 - len(running)):
            outcome, begun = target(experiment), begun + 1
            heapq.heappush(running, (now + outcome.seconds, begun, outcome))
        if not search.done:
            assert running, f"nothing runs in the part {search.phase}"
            now, _, outcome = heapq.heappop(running)
            search.tell(replace(outcome, elapsed=now))
    assert search.winner is not None
