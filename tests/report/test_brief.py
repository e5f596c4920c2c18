"""What a run is asked for, in three lines."""

from __future__ import annotations

from typing import Any

import pytest

from racing.report.check import brief
from racing.runner.build import decider_of
from racing.scenario import Scenario

SPACE = {"x": {"real": [0, 1], "default": 0.5}}


def lines(jobs: int | None = None, **keys: Any) -> tuple[str, str, str]:
    scenario = Scenario.from_dict(
        {
            "target": {"python": "racing.cli.starter.target:tour"},
            "space": SPACE,
            "instances": {"list": [str(k) for k in range(8)]},
            "budget": 100,
            **({} if "search" in keys else {"candidates": {"default": True, "sample": 3}}),
            **keys,
        }
    )
    return brief(scenario, decider_of(scenario), jobs)


def test_a_race_says_direction_unit_budget_and_that_all_instances_decide() -> None:
    objective, budget, instances = lines(unit="conflicts", test_instances={"list": ["t", "u"]})
    assert objective == (
        "Objective: the best mean rank by cost in conflicts over the instances; lowest is best; "
        "`default` is kept unless another one is better with probability 0.95"
    )
    assert budget == "Budget: 100 evaluations; 1 evaluation at a time"
    assert instances == "Instances: 8, which all decide; the result is then tested on 2 others"


def test_a_search_says_what_is_confirmed_on_what_and_which_jobs_wait() -> None:
    known: dict[str, Any] = {"search": {"risk": 0.5}}
    objective, budget, instances = lines(jobs=30, direction="maximize", **known)
    assert "the highest mean of score over the instances" in objective
    assert objective.endswith("better with probability 0.5")
    assert "30 evaluations at a time, of 10 challengers at most; others wait, as a wider" in budget
    narrow = {"budget": 1000, "search": {"window": 7}}
    assert lines(jobs=30, **narrow)[1].endswith(
        "of 7 challengers at most; `search: {window: 30}` keeps more of them busy"
    )
    follows = {"budget": 1000, "search": True, "execution": {"jobs": 6}}
    assert lines(**follows)[1].endswith("6 evaluations at a time, of 24 challengers at most")
    assert instances.startswith("Instances: all 8 problems are searched on, none is set aside")
    assert instances.endswith("no `test_instances` to test the result on")


def test_the_objective_says_what_the_winner_is_compared_with() -> None:
    kept = "is kept unless another one is better with probability 0.95"
    free: dict[str, Any] = {"space": {"x": {"real": [0, 1]}}}
    searched = lines(**free, search=True, known=[{"x": 0.2}])[0]
    assert searched.endswith(f"; `#1` {kept}")
    named = {"list": [{"x": 0.3}, {"name": "default", "values": {"x": 0.2}}]}
    assert lines(**free, search=True, candidates=named)[0].endswith(f"; `default` {kept}")
    assert lines(**free, search=True)[0].endswith("the lowest mean of cost over the instances")
    raced = lines(**free, candidates={"list": [{"x": 0.3}, {"x": 0.2}]})[0]
    assert raced.endswith("; the winner is compared with `#1`, the first candidate")
    raced = lines(candidates={"list": [{"x": 0.2}], "default": True})[0]
    assert raced.endswith(f"; `default` {kept}")


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ({"order": ["a", "b"]}, "the lowest `a`, then the highest `b`"),
        ({"front": ["a", "b"]}, "the front of the lowest `a` and the highest `b`"),
        (
            {"minimize": "a", "subject_to": ["b >= 3"]},
            "the lowest mean of `a` over the instances, subject to `b >= 3`",
        ),
    ],
)
def test_several_metrics_each_say_their_direction(objective: Any, said: str) -> None:
    metrics = {"a": {}, "b": {"direction": "maximize"}}
    assert lines(metrics=metrics, objective=objective)[0].startswith(f"Objective: {said}")


def test_limits_have_units() -> None:
    budget = {"wall_time": "2h", "usd": 3}
    assert lines(budget=budget)[1].startswith("Budget: 2h 00m or $3.00; ")
