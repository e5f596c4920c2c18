"""What holds for every race of several metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from racing import Budget, Candidate, InputError, IteratedRacing, Race, Search
from racing.core.ask_tell import outcome_of as tell_outcome
from racing.core.experiment import Experiment, Outcome
from racing.log import MemoryLog, Recorder, SQLiteLog, header_of, replay
from racing.space import Real, Space

METRICS = {"quality": {}, "time": {"rope": 0.05}, "success": {"direction": "maximize"}}
OBJECTIVES: dict[str, Any] = {
    "first": "mean",
    "ranks": "rank",
    "formula": {"minimize": "time + 2 * quality", "scores": "mean"},
    "constraint": {"minimize": "time", "subject_to": ["success >= 0.7"]},
    "order": {"order": [{"success": 0.1}, "time"]},
    "front": {"front": ["quality", "time"]},
    "front of ranks": {"front": ["success", "time", "quality"], "scores": "rank"},
}
RULES = {
    "constraint": ("auto", "none", "successive-halving", "successive-rejects"),
    "order": ("auto", "none", "successive-halving", "successive-rejects"),
    "front": ("auto", "bayes", "bets", "none", "sign"),
    "front of ranks": ("auto", "bayes", "bets", "none", "sign"),
}
ONE_COST = ("auto", "sign", "bets", "f-test", "successive-halving")
FAILS = 0.05

CASES = [(name, rule) for name in OBJECTIVES for rule in RULES.get(name, ("auto", "sign", "bayes"))]


def values(candidate: int, step: int, seed: int = 0) -> dict[str, float] | None:
    """What an experiment comes to; None if it fails."""
    rng = np.random.default_rng((seed, candidate, step))
    if rng.random() < FAILS:
        return None
    difficulty = np.random.default_rng((seed, step)).normal()
    return {
        "quality": candidate / 4 + difficulty + rng.normal(),
        "time": 4 / candidate + rng.exponential(),
        "success": float(rng.random() < 0.5 + candidate / 20),
    }


def told(experiment: Experiment, race: Race | Search, seed: int = 0) -> Outcome:
    """Its outcome in a race of these metrics, in the order that the race has them."""
    return outcome_of(experiment, race, values(*experiment.key, seed))


def outcome_of(
    experiment: Experiment, race: Race | Search, found: Mapping[str, float] | None
) -> Outcome:
    """What comes of it; None if it fails."""
    if found is None:
        return experiment.failure()
    assert race.goal is not None
    costs = race.goal.costs(found)
    return experiment.outcome(race.goal.cost(costs), metrics=costs)


def race_of(objective: Any, *, metrics: Mapping[str, Any] | None = None, **options: Any) -> Race:
    options = {"budget": 150, "seed": 3, **options}
    given = METRICS if metrics is None else metrics
    return Race([{"x": i} for i in range(9)], range(40), metrics=given, objective=objective,
                **options)  # fmt: skip


def recorded(recorder: Recorder[Race]) -> None:
    """Drive a race to its end through its recorder."""
    race = recorder.decider
    while not race.done:
        for experiment in recorder.ask():
            recorder.tell(told(experiment, race))
    recorder.finish()


def run(race: Any, *, backwards: bool = False, limit: int | None = None, seed: int = 0) -> Any:
    while not race.done:
        batch = race.ask(limit)
        for experiment in reversed(batch) if backwards else batch:
            race.tell(told(experiment, race, seed))
    return race


def said(race: Any) -> tuple[object, ...]:
    return race.verdicts, race.winner, race.stopped, race.ranking(), race.front


@pytest.mark.parametrize("objective", ["rank", "mean"])
@pytest.mark.parametrize("rule", ONE_COST)
def test_one_metric_is_the_race_of_one_cost(objective: Any, rule: str) -> None:
    """Verdict by verdict, to the last digit."""
    race = run(race_of(objective, metrics={"quality": {}}, rule=rule))
    alone = Race([{"x": i} for i in range(9)], range(40), rule=rule, objective=objective,
                 budget=150, seed=3)  # fmt: skip
    while not alone.done:
        for experiment in alone.ask():
            found = values(*experiment.key)
            alone.tell(
                experiment.failure() if found is None else experiment.outcome(found["quality"])
            )
    assert alone.verdicts
    assert repr(alone.verdicts) == repr(race.verdicts)
    assert (alone.winner, alone.spent) == (race.winner, race.spent)
    assert (alone.results.costs == race.results.costs).tolist() == (
        ~np.isnan(alone.results.costs)
    ).tolist()


@pytest.mark.parametrize(("name", "rule"), CASES)
def test_the_order_of_arrival_changes_nothing(name: str, rule: str) -> None:
    one = run(race_of(OBJECTIVES[name], rule=rule))
    other = run(race_of(OBJECTIVES[name], rule=rule), backwards=True, limit=7)
    assert said(one) == said(other)


@pytest.mark.parametrize(("name", "rule"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_metrics_changes_nothing(name: str, rule: str, seed: int) -> None:
    objective = {"minimize": "quality"} if isinstance(OBJECTIVES[name], str) else OBJECTIVES[name]
    turned = dict(reversed(METRICS.items()))
    one = run(race_of(objective, rule=rule), seed=seed)
    other = run(race_of(objective, rule=rule, metrics=turned), seed=seed)
    assert (one.verdicts, one.winner) == (other.verdicts, other.winner)
    assert one.front == other.front


@pytest.mark.parametrize("scores", ["mean", "rank"])
def test_the_order_of_a_front_changes_nothing_but_how_it_is_shown(scores: str) -> None:
    names = ["quality", "time", "success"]
    one, other = (run(race_of({"front": own, "scores": scores})) for own in (names, names[::-1]))
    assert (one.verdicts, one.winner) == (other.verdicts, other.winner)
    assert {s.candidate.id: s.on_front for s in one.front} == {
        s.candidate.id: s.on_front for s in other.front
    }
    for race, name in ((one, "quality"), (other, "success")):
        shown = [s.metrics[name] for s in race.front]
        assert scores == "rank" or shown == sorted(shown, reverse=name == "success")


@pytest.mark.parametrize("name", ["front", "front of ranks"])
@pytest.mark.parametrize("budget", [60, 100])
def test_an_extended_race_is_replayed(name: str, budget: int, tmp_path: Path) -> None:
    race = race_of(OBJECTIVES[name], budget=budget)
    with SQLiteLog.create(tmp_path / "log", header_of(race)) as log:
        recorder = Recorder(race, log)
        for limit in (budget, 2 * budget):
            if limit > budget:
                log.extend(Budget(evaluations=limit))
                race.extend(limit)
            recorded(recorder)
        again = replay(log)
    assert said(again) == said(race)


@pytest.mark.parametrize("name", ["front", "front of ranks"])
@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_of_candidates_change_no_front(name: str, seed: int) -> None:
    """The same nine candidates in another order, with ids of their own."""
    turn = [4, 8, 1, 6, 2, 9, 3, 7, 5]
    one = run(race_of(OBJECTIVES[name]), seed=seed)
    given = [Candidate(100 + place, {"x": id - 1}) for place, id in enumerate(turn)]
    other = Race(given, range(40), metrics=METRICS, objective=OBJECTIVES[name], budget=150, seed=3)
    while not other.done:
        for experiment in other.ask():
            found = values(turn[experiment.candidate.id - 100], experiment.instance.step, seed)
            other.tell(outcome_of(experiment, other, found))
    assert other.winner is not None
    assert other.winner.values == one.winner.values
    assert [(s.candidate.values, s.on_front) for s in other.front] == [
        (s.candidate.values, s.on_front) for s in one.front
    ]


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("backend", ["memory", "file"])
def test_a_log_says_what_the_race_said(name: str, backend: str, tmp_path: Path) -> None:
    race = race_of(OBJECTIVES[name])
    header = header_of(race)
    with (
        MemoryLog(header) if backend == "memory" else SQLiteLog.create(tmp_path / "log", header)
    ) as log:
        recorder = Recorder(race, log)
        recorded(recorder)
        again = replay(log)
    assert said(again) == said(race)
    assert again.results.metrics is not None
    assert np.array_equal(again.results.metrics, race.results.metrics, equal_nan=True)
    assert again.goal == race.goal


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("after", [1, 37, 80])
def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(
    name: str, after: int, tmp_path: Path
) -> None:
    header = header_of(race_of(OBJECTIVES[name]))
    with SQLiteLog.create(tmp_path / "log", header) as log:
        race = race_of(OBJECTIVES[name])
        recorder = Recorder(race, log)
        for experiment in _asked(recorder, after):
            recorder.tell(told(experiment, race))
    with SQLiteLog.open(tmp_path / "log", write=True) as log:
        race = race_of(OBJECTIVES[name])
        recorder = Recorder(race, log)
        recorded(recorder)
    assert said(race) == said(run(race_of(OBJECTIVES[name])))


def _asked(recorder: Recorder[Race], most: int) -> Iterable[Experiment]:
    """The first so many experiments."""
    while most > 0:
        for experiment in recorder.ask(most):
            most -= 1
            yield experiment


@pytest.mark.parametrize("name", ["formula", "constraint", "order", "front", "front of ranks"])
def test_the_unit_of_a_metric_changes_nothing(name: str) -> None:
    """Time in milliseconds, and shares of success in percent."""
    asked: dict[str, Any] = {
        "formula": {"minimize": "time / 1000 + 2 * quality", "scores": "mean"},
        "constraint": {"minimize": "time", "subject_to": ["success >= 70"]},
        "order": {"order": [{"success": 10}, "time"]},
    }
    metrics = METRICS | {"time": {"rope": 50 if name == "front" else 0.05}}
    one, other = (
        run(race_of(OBJECTIVES[name])),
        race_of(asked.get(name, OBJECTIVES[name]), metrics=metrics),
    )
    while not other.done:
        for experiment in other.ask():
            found = values(*experiment.key)
            if found is None:
                other.tell(experiment.failure())
            else:
                scaled = found | {"time": 1000 * found["time"], "success": 100 * found["success"]}
                other.tell(experiment, scaled)
    assert other.winner == one.winner
    left = [[out.candidate for out in verdict.eliminated] for verdict in one.verdicts]
    assert left == [[out.candidate for out in verdict.eliminated] for verdict in other.verdicts]


@pytest.mark.parametrize("kind", [Search, IteratedRacing])
def test_a_search_with_a_formula_is_the_search_of_its_value(kind: Any) -> None:
    space = Space({"x": Real(0, 1, default=0.9)})
    asked: dict[str, Any] = {
        "metrics": {"error": "minimize", "gain": "maximize"},
        "objective": {"minimize": "error - gain / 2", "scores": "mean"},
    }
    several, alone = (
        kind(space, range(30), budget=180, seed=2, **options)
        for options in (asked, {"objective": "mean"})
    )
    for search in (several, alone):
        while not search.done:
            for experiment in search.ask():
                x, noise = experiment.candidate.values["x"], experiment.instance.seed % 7 / 50
                found = {"error": abs(x - 0.3) + noise, "gain": x / 4}
                value = found["error"] - found["gain"] / 2
                search.tell(experiment, found if search is several else value)
    assert (several.winner, several.spent, several.verdicts) == (
        alone.winner, alone.spent, alone.verdicts,
    )  # fmt: skip
    assert set(several.ranking()[0].metrics) == {"error", "gain"}
    if kind is IteratedRacing:
        with pytest.raises(InputError, match="a front of metrics, which iterated racing cannot"):
            kind(space, range(30), budget=180, metrics=asked["metrics"],
                 objective={"front": ["error", "gain"]})  # fmt: skip


def test_what_lacks_a_metric_is_refused() -> None:
    race = race_of("mean")
    experiment = race.ask()[0]
    for score, said in (
        (3.0, "must be a mapping with quality, time, success"),
        ({"quality": 1.0}, "differ by success, time"),
        ({"quality": 1.0, "time": "2", "success": 1.0}, "time of candidate #1 on instance"),
    ):
        with pytest.raises(InputError, match=said):
            race.tell(experiment, score)
    failed = tell_outcome(experiment, {"quality": 1, "time": np.inf, "success": 1},
                          direction="minimize", goal=race.goal)  # fmt: skip
    assert (failed.failed, failed.metrics) == (True, ())
    assert failed.message.startswith("unreadable: time: inf is worse than any cost")
    with pytest.raises(InputError, match="must have the costs of quality, time"):
        race.tell(experiment.outcome(3.0))
    race.tell(experiment, {"quality": 1, "time": 2, "success": True})


@pytest.mark.parametrize("kind", [Race, Search, IteratedRacing])
def test_several_metrics_without_an_objective_are_refused(kind):
    first = [{"x": 0.1}, {"x": 0.9}] if kind is Race else {"x": {"real": [0, 1], "default": 0.9}}
    options = {"budget": 200, "metrics": {"time": {}, "success": "maximize"}}
    with pytest.raises(InputError, match="time, success: no objective says what is asked of them"):
        kind(first, range(30), **options)
    assert kind(first, range(30), objective="mean", **options).goal.kind == "single"
    assert kind(first, range(30), **options | {"metrics": {"time": {}}}).goal.kind == "single"
