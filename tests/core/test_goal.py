"""What is asked of several metrics: one cost an experiment, one order of survivors."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from racing import Metric, Results
from racing.base.errors import InputError
from racing.core.aims import Aim, aim_of
from racing.core.goal import Goal
from racing.core.objective import standing

METRICS = {"quality": Metric(), "time": Metric(), "success": Metric(direction="maximize")}


def goal(objective: object = None) -> Goal:
    aim: Aim | None = None if objective is None else aim_of(objective)  # type: ignore[assignment]
    return Goal(METRICS, aim)


def results(costs: object, asked: Goal) -> Results:
    """Costs of (instances, candidates, metrics), +inf on all for what failed."""
    metrics = np.array(costs, dtype=float)
    n, m, _ = metrics.shape
    one = [[asked.cost(cell) if np.isfinite(cell).all() else np.inf for cell in row]
           for row in metrics]  # fmt: skip
    return Results(np.array(one), np.ones((n, m), dtype=bool), tuple(range(m)), np.arange(m),
                   metrics=metrics, goal=asked)  # fmt: skip


def order(costs: object, objective: object) -> list[int]:
    return standing(results(costs, goal(objective)), "mean").tolist()


def test_scores_become_costs_and_scores_again() -> None:
    given = {"quality": 3.0, "time": 0.0, "success": 1.0}
    assert goal().costs(given) == (3.0, 0.0, -1.0)
    assert goal().scores((3.0, 0.0, -1.0)) == given


@pytest.mark.parametrize(
    ("objective", "cost", "direction", "kind"),
    [
        (None, 3.0, "minimize", "single"),
        ({"minimize": "time"}, 2.0, "minimize", "single"),
        ({"maximize": "success"}, -0.5, "maximize", "single"),
        ({"minimize": "time + 10 * (1 - success)"}, 7.0, "minimize", "single"),
        ({"maximize": "success / time"}, -0.25, "maximize", "single"),
        ({"minimize": "time", "subject_to": ["success >= 1"]}, 2.0, "minimize", "constraint"),
        ({"order": ["success", "time"]}, -0.5, "maximize", "order"),
        ({"front": ["time", "quality"]}, 2.0, "minimize", "front"),
    ],
)
def test_an_experiment_has_one_cost(
    objective: object, cost: float, direction: str, kind: str
) -> None:
    asked = goal(objective)
    assert asked.cost((3.0, 2.0, -0.5)) == cost
    assert (asked.direction, asked.kind) == (direction, kind)
    again = pickle.loads(pickle.dumps(asked))
    assert again == asked
    assert again.cost((3.0, 2.0, -0.5)) == cost


def test_constraints_come_before_the_cost_and_failures_before_both() -> None:
    cheap, good, better, failed = [9, 1, -0.5], [9, 3, -0.95], [9, 2, -0.9], [np.inf] * 3
    block = [[cheap, good, better, failed], [cheap, good, better, [9, 0, -1]]]
    limit = {"minimize": "time", "subject_to": ["success >= 0.9"]}
    assert order(block, limit) == [2, 1, 0, 3]


def test_who_meets_no_constraint_is_ordered_by_the_one_missed_most() -> None:
    """Shares of the numbers: .1/1 and .5/10 are less than .3/1."""
    block = [[[5, 1, -0.7], [10.5, 3, -0.9]]]
    both: dict[str, Any] = {"minimize": "time", "subject_to": ["success >= 1", "quality <= 10"]}
    assert order(block, both) == [1, 0]
    turned = {"minimize": "time", "subject_to": list(reversed(both["subject_to"]))}
    assert order(block, turned) == [1, 0]
    assert np.allclose(goal(both).violations(results(block, goal(both))), [[0.3, 0.1], [0, 0.05]])


def test_a_constraint_is_about_the_mean() -> None:
    """The first is right on half of the instances, and half is enough."""
    block = [[[0, 1, -1], [0, 2, -0.5]], [[0, 1, 0], [0, 2, -0.5]]]
    assert order(block, {"minimize": "time", "subject_to": ["success >= 0.5"]}) == [0, 1]
    assert order(block, {"minimize": "time", "subject_to": ["success >= 0.51"]}) == [0, 1]


def test_an_order_counts_as_equal_who_is_within_the_tolerance_of_the_best() -> None:
    """Not of each other: .9 is within .06 of .95, and .95 of the best, but .9 is not."""
    block = [[[0, 3, -1.0], [0, 1, -0.9], [0, 2, -0.95]]]
    assert order(block, {"order": [{"success": 0.06}, "time"]}) == [2, 0, 1]
    assert order(block, {"order": ["success", "time"]}) == [0, 2, 1]
    assert order(block, {"order": [{"success": 0.5}, "time"]}) == [1, 2, 0]


def test_the_best_in_the_second_metric_is_looked_for_among_the_best_in_the_first() -> None:
    block = [[[2, 5, -1], [1, 5.5, -1], [0, 0, 0]]]
    assert order(block, {"order": ["success", {"time": 1}, "quality"]}) == [1, 0, 2]


def test_one_metric_of_several_is_as_if_it_were_alone() -> None:
    block = np.random.default_rng(1).normal(size=(9, 6, 3))
    found = results(block, goal({"minimize": "quality"}))
    alone = Results(block[:, :, 0], np.ones((9, 6), dtype=bool), tuple(range(6)), np.arange(6))
    for score in ("rank", "mean"):
        assert (standing(found, score) == standing(alone, score)).all()  # type: ignore[arg-type]
        of = found.of("quality")
        assert (of.field_ranks == alone.field_ranks).all()
        assert (of.mean_costs == alone.mean_costs).all()


def test_each_metric_has_ranks_of_its_own() -> None:
    found = results([[[1, 2, 0], [2, 1, 0]]], goal({"minimize": "quality"}))
    assert found.field_ranks.tolist() == [[1, 2]]
    assert found.of("time").field_ranks.tolist() == [[2, 1]]
    assert found.of("quality").field_ranks.tolist() == [[1, 2]]


def test_the_order_of_the_metrics_does_not_matter() -> None:
    block = np.random.default_rng(2).normal(size=(4, 7, 3))
    turned = Goal(dict(reversed(METRICS.items())), aim_of({"order": [{"success": 1}, "time"]}))  # type: ignore[arg-type]
    same = standing(results(block[:, :, ::-1], turned), "mean").tolist()
    assert same == order(block, {"order": [{"success": 1}, "time"]})


def test_results_of_a_metric_that_is_not_there_are_refused() -> None:
    found = results([[[1, 2, 3]]], goal())
    for wrong in ("tim", 3, -1):
        with pytest.raises(InputError, match=r"no metric .* there are quality, time, success"):
            found.of(wrong)
    with pytest.raises(InputError, match="there is one cost, without names"):
        Results(np.ones((1, 1)), np.ones((1, 1), dtype=bool), (0,), np.arange(1)).of(0)


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ({"minimize": "tim"}, "minimize: unknown name 'tim'; did you mean 'time'"),
        ({"minimize": "success"}, "success has direction: maximize; write maximize: success"),
        ({"maximize": "time"}, "time has direction: minimize; write minimize: time"),
        ({"minimize": "time", "subject_to": ["time = 3"]}, "subject_to[0]"),
        ({"order": ["success", "tme"]}, 'order[1]: unknown metric "tme"'),
        ({"front": ["speed", "time"]}, 'front[0]: unknown metric "speed"'),
    ],
)
def test_an_aim_at_what_is_no_metric_is_refused(objective: object, said: str) -> None:
    with pytest.raises(InputError) as caught:
        goal(objective)
    assert said in str(caught.value)
