"""What every search under constraints or with an order of metrics keeps, and what it finds."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import racing
from racing import InputError, Search
from racing.core.experiment import Experiment, Outcome
from racing.log import SQLiteLog, replay
from racing.search import IteratedSettings, PortfolioSearch, Settings
from tests.laws.every_search import Kind, Run, SearchLaws
from tests.search.kit import finish

SPACE = {"speed": {"real": [0, 1], "default": 0.05}, "waste": {"real": [0, 1], "default": 0.5}}
METRICS: dict[str, Any] = {"time": {}, "success": {"direction": "maximize"}}
GOALS: dict[str, Any] = {
    "constraint": {"minimize": "time", "subject_to": ["success >= 0.85"]},
    "order": {"order": [{"success": 0.05}, "time"]},
}
every_goal = pytest.mark.parametrize("goal", GOALS)


def chance(values: Any) -> float:
    """The faster, the less reliable; 0.85 at a speed of 0.5."""
    return float(1 - 0.6 * values["speed"] ** 2)


def measured(values: Any, instance: int, seed: int) -> dict[str, float]:
    rng = np.random.default_rng([int(instance), seed, round(1e6 * values["speed"])])
    time = 3 - 2 * values["speed"] + (values["waste"] - 0.3) ** 2 + 0.2 * rng.random()
    return {"time": time, "success": float(rng.random() < chance(values))}


def a_search(goal: str, **options: Any) -> Search:
    given = {"budget": 240, "seed": 5, "metrics": METRICS, "objective": GOALS[goal], **options}
    return Search(SPACE, range(200), **given)


def target(search: Search, failing: float = 0.1) -> Any:
    """The outcomes of `measured` as a search hears them; a share of runs fails."""

    def outcome(experiment: Experiment) -> Outcome:
        found = measured(experiment.candidate.values, experiment.key[1], experiment.instance.seed)
        if experiment.instance.seed % 1000 < 1000 * failing and experiment.candidate.id % 3 == 0:
            return experiment.failure()
        assert search.goal is not None
        costs = search.goal.costs(found)
        return experiment.outcome(search.goal.cost(costs), metrics=costs)

    return outcome


def of(goal: str, budget: int = 240) -> Run:
    """A search with this goal and budget, and what answers it."""
    return Run(partial(a_search, goal, budget=budget), target(a_search(goal)))


class TestLaws(SearchLaws):
    kind = Kind(
        runs={f"{goal}, {budget}": of(goal, budget) for goal in GOALS for budget in (240, 60, 40)},
        few={goal: of(goal) for goal in GOALS},
        extended={goal: of(goal) for goal in GOALS},
        workers=(3, 20),
        apart=40,
        stretches=(50,),
        more=400,
    )
    test_no_window_makes_the_order_of_arrival_matter = None
    test_a_budget_is_never_exceeded_and_each_evaluation_is_charged_once = None


@every_goal
@pytest.mark.parametrize("seed", [2, 6])
@pytest.mark.parametrize("budget", [300, 40])
def test_the_first_of_the_ranking_is_the_winner(goal: str, seed: int, budget: int) -> None:
    search = a_search(goal, seed=seed, budget=budget, settings=Settings(confirm=0.0))
    finish(search, target(search))
    assert [one.candidate for one in search.ranking()] == list(search.elites)
    assert search.ranking()[0].candidate == search.winner


def test_instances_on_which_all_fail_do_not_end_a_search() -> None:
    """A challenger that begins with such an instance is not judged by it."""
    search = a_search("constraint", budget=400)

    def outcome(experiment: Experiment) -> Outcome:
        if experiment.instance.step % 3 == 2:
            return experiment.failure()
        return target(search, failing=0.0)(experiment)

    finish(search, outcome)
    assert search.winner is not None
    alone = [
        (verdict.steps[0] % 3 == 2, gone.measure)
        for verdict in search.verdicts
        for gone in verdict.eliminated
        if verdict.steps and verdict.instances == 1
    ]
    assert alone
    assert not any(hard and measure == "probability better" for hard, measure in alone)


def test_a_constraint_keeps_the_search_from_what_is_fast_and_unreliable() -> None:
    missed = {}
    for name, objective in {**GOALS, "plain": {"minimize": "time"}}.items():
        found = [
            racing.minimize(
                measured, SPACE, range(200), budget=500, seed=seed, metrics=METRICS,
                objective=objective,
            ).best
            for seed in range(1, 7)
        ]  # fmt: skip
        missed[name] = sum(chance(one) < 0.8 for one in found)
        assert name != "constraint" or np.mean([one["speed"] for one in found]) > 0.15
    assert missed["plain"] == 6
    assert missed["constraint"] <= 2
    assert missed["order"] <= 2


def test_the_confirmation_tells_of_each_constraint_on_unseen_instances(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    found = racing.minimize(
        measured, SPACE, range(200), budget=400, metrics=METRICS, log=path,
        objective={"minimize": "time", "subject_to": ["success >= 0.6"]},
    )  # fmt: skip
    search = found.search
    assert search is not None
    gain, base = search.gain, search.baseline
    assert gain is not None
    assert base is not None
    for limits, one in ((gain.limits, search.found), (gain.over_limits, base)):
        (limit,) = limits
        assert one is not None
        own = [
            measured(one.values, search.instance(step).problem, search.instance(step).seed)
            for step in search.unseen
        ]
        assert limit.mean == pytest.approx(np.mean([each["success"] for each in own]))
        assert limit.low <= limit.mean <= limit.high
        assert limit.met == (limit.mean >= 0.6)
    assert gain.limits != gain.over_limits
    assert set(search.ranking()[0].metrics) == {"time", "success"}
    with SQLiteLog.open(path, write=False) as log:
        again = replay(log)
        assert (again.winner, again.gain) == (search.winner, gain)


def test_a_limit_that_none_meets_is_missed_by_as_little_as_possible() -> None:
    found = racing.minimize(
        measured, SPACE, range(200), budget=700, metrics=METRICS,
        objective={"minimize": "time", "subject_to": ["success >= 1.5"]},
    )  # fmt: skip
    assert chance(found.best) > 0.9
    assert not found.search.gain.limits[0].met


def test_what_cannot_judge_several_metrics_is_refused() -> None:
    with pytest.raises(InputError, match="a rule in a search judges one cost; leave rule out"):
        a_search("constraint", rule="t-test")
    with pytest.raises(InputError, match="iterated racing cannot have; take search: true"):
        racing.IteratedRacing(
            racing.space.Space({"x": racing.space.Real(0, 1)}), range(9), budget=200,
            metrics=METRICS, objective=GOALS["order"],
        )  # fmt: skip
    with pytest.raises(InputError, match="bound stops runs at a bound of their one cost"):
        racing.IteratedRacing(
            racing.space.Space({"x": racing.space.Real(0, 1)}), range(9), budget=200,
            metrics=METRICS, settings=IteratedSettings(bound=9.0),
        )  # fmt: skip
    with pytest.raises(InputError, match="portfolio needs one cost"):
        PortfolioSearch(
            SPACE, range(200), portfolio=2, budget=400, metrics=METRICS,
            objective=GOALS["constraint"],
        )  # fmt: skip
