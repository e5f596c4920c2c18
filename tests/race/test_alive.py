"""`Results.alive` tells who was in the race when an instance was closed, also of challengers."""

from __future__ import annotations

import numpy as np

from racing.race import Race
from racing.rules import Keep
from tests.worlds import normal_world, outcome


def test_a_challenger_is_not_alive_on_the_instances_before_it_joined() -> None:
    costs = normal_world(3, 8, seed=1)
    race = Race([{"column": 0}, {"column": 1}], range(8), rule=Keep(), first_test=1, seed=3)
    joined_after = None
    while not race.done:
        for experiment in race.ask(len(race.survivors)):
            race.tell(outcome(costs, experiment))
        if joined_after is None and race.instances_seen >= 3:
            race.join({"column": 2})
            joined_after = race.instances_seen
    assert joined_after is not None
    results = race.results
    assert not np.isnan(results.costs).any()  # it has caught up
    assert results.alive[:, :2].all()
    assert not results.alive[:joined_after, 2].any()
    assert results.alive[-1, 2]
