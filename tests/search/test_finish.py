"""The end of a search never waits for what has run already."""

from __future__ import annotations

import heapq
from dataclasses import replace

import pytest

from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.search import Search
from racing.search.search_plan import MadeUp
from racing.space import Real, Space

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
