"""What decides between the best and the default, of one cost and of several metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import racing
from racing import Instances
from racing.core.evidence import probability_worse

METRICS = {"quality": racing.Metric(direction="maximize"), "time": racing.Metric()}
CHEAP = {"minimize": "time", "subject_to": ["quality >= 0.5"]}
ORDER = {"order": [{"quality": 0.1}, "time"]}


def worse(objective: Any, quality: list[float], time: list[float], n: int = 12) -> float:
    """P(candidate 2 is worse than candidate 1) from means, with a little noise."""
    race = racing.Race(
        [{"x": x} for x in range(len(time))], range(n), metrics=METRICS, objective=objective,
        rule="none",
    )  # fmt: skip
    for one in race:
        drawn = np.random.default_rng([one.candidate.id, one.instance.seed]).normal(size=2)
        place, (more, longer) = one.candidate.id - 1, drawn / 50
        race.tell(one, {"quality": quality[place] + more, "time": time[place] + longer})
    return probability_worse(race.results, Instances(range(n)), 0, 2, 1, objective="mean")


@pytest.mark.parametrize(
    ("objective", "quality", "time", "better"),
    [
        ({"minimize": "time - quality"}, [0.5, 0.9], [1.0, 1.1], True),
        ({"minimize": "time - quality"}, [0.5, 0.6], [1.0, 1.3], False),
        (CHEAP, [0.9, 0.8], [2.0, 1.0], True),
        (CHEAP, [0.9, 0.2], [2.0, 1.0], False),  # misses the constraint
        (CHEAP, [0.2, 0.8], [1.0, 2.0], True),  # which the default misses
        (CHEAP, [0.2, 0.1], [2.0, 1.0], False),  # both miss it, and this one by more
        (ORDER, [0.5, 0.9], [1.0, 2.0], True),
        (ORDER, [0.9, 0.5], [2.0, 1.0], False),
        (ORDER, [0.55, 0.5], [2.0, 1.0], True),  # within the tolerance, so the time decides
        ({"front": ["quality", "time"]}, [0.5, 0.9], [1.0, 2.0], True),
        ({"front": ["quality", "time"]}, [0.9, 0.5], [2.0, 1.0], True),
        ({"front": ["quality", "time"]}, [0.9, 0.5], [1.0, 2.0], False),  # better in none
    ],
)
def test_what_decides_is_what_the_objective_asks_for(objective, quality, time, better) -> None:
    chance = worse(objective, quality, time)
    assert chance < 0.01 if better else chance > 0.99


def test_of_a_front_each_metric_is_a_chance_to_be_lucky() -> None:
    """Bonferroni's factor: the two metrics have 2 · p, as long as that is a probability."""
    own, both = {"minimize": "time"}, {"front": ["quality", "time"]}
    for time in ([1.0, 0.99, 1.0], [1.0, 0.985, 1.02]):
        alone = worse(own, [0.9, 0.1, 0.9], time)
        assert 0.001 < alone < 0.5
        assert worse(both, [0.9, 0.1, 0.9], time) == pytest.approx(2 * alone)


def results(costs: list[list[float]]) -> racing.Results:
    race = racing.Race(
        [{"x": x} for x in range(len(costs[0]))], range(len(costs)), rule="none", on_failure="worst"
    )  # fmt: skip
    for one in race:
        race.tell(one, costs[one.instance.step][one.candidate.id - 1])
    return race.results


def test_failures_that_count_as_worse_than_any_cost_decide() -> None:
    found = results([[2.0, 1.0], [2.0, np.inf], [3.0, 1.0], [2.0, 0.0]])
    assert probability_worse(found, Instances(range(4)), 0, 2, 1, objective="mean") == 1.0
    assert probability_worse(found, Instances(range(4)), 0, 1, 2, objective="mean") == 0.0


def test_without_outcomes_of_both_nothing_is_known() -> None:
    found = results([[2.0, 1.0], [2.0, 1.5], [3.0, 1.0]])
    assert probability_worse(found, Instances(range(3)), 0, 2, 7, objective="mean") == 0.5
    costs = found.costs.copy()
    costs[:, 0] = np.nan
    found = replace(found, costs=costs)
    assert probability_worse(found, Instances(range(3)), 0, 2, 1, objective="mean") == 0.5


@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_on_the_only_instance_the_lower_cost_decides(objective: Any) -> None:
    costs = [9.0, 8.999, 5.0, 5.001, 5.002, 9.0]
    told = [
        probability_worse(results([costs]), Instances(range(1)), 0, id, 1, objective=objective)
        for id in (2, 3, 6)
    ]
    assert told == [0.0, 0.0, 0.5]


def test_after_one_of_several_instances_nothing_is_known_and_after_the_only_one_all() -> None:
    found = results([[2.0, 1.0]])
    told = [
        probability_worse(found, Instances(range(n), repeat=repeat), 0, 2, 1, objective="mean")
        for n, repeat in ((7, False), (1, True), (1, False))
    ]
    assert told[:2] == [0.5, 0.5]
    assert told[2] == 0


def test_by_ranks_rounding_is_no_deviation() -> None:
    """Half of the costs are the medians of their instances; 0.4 + 0.2 is more than 0.6."""
    equal = [0.4 + 0.2, 0.4, 0.6, 0.4 + 0.2]
    costs = [[0.4 + 0.1, 0.2, 0.3, 0.3], equal, equal, [0.4, 0.0, 0.0, 0.1]]
    told = [
        probability_worse(results(one), Instances(range(4)), 0, 2, 1, objective="rank")
        for one in (costs, np.round(costs, 9).tolist())
    ]
    assert told[0] == pytest.approx(told[1])
    assert told[0] < 0.05


def test_by_ranks_one_outlier_does_not_decide() -> None:
    costs = np.random.default_rng(1).normal(size=(20, 4))
    costs[:, 1] -= 2
    costs[3, 1] = 1000.0
    found = results(costs.tolist())
    assert probability_worse(found, Instances(range(20)), 0, 2, 1, objective="rank") < 0.05
    assert probability_worse(found, Instances(range(20)), 0, 2, 1, objective="mean") > 0.2


def test_by_ranks_the_scale_of_an_instance_does_not_matter() -> None:
    """What is better on every other instance, whose costs are small, is not lost in large noise."""
    costs = np.random.default_rng(2).normal(size=(20, 6))
    costs[:, 1] -= 2
    uneven = costs * np.where(np.arange(20) % 2, 1000.0, 1.0)[:, None]
    alike, apart = (
        probability_worse(results(one.tolist()), Instances(range(20)), 0, 2, 1, objective="rank")
        for one in (costs, uneven)
    )
    assert alike < 0.001
    assert apart < 0.005
    scaled = results((1000 * costs).tolist())
    found = probability_worse(scaled, Instances(range(20)), 0, 2, 1, objective="rank")
    assert found == pytest.approx(alike), "one scale for all"
