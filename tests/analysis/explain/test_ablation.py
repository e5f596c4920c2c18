"""The path from one configuration to another: known effects are found, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from racing.analysis.explain.ablation import Ablation, differing, moves
from racing.base.errors import InputError, RaceError
from racing.core.experiment import Experiment, Outcome
from racing.core.failures import Failures
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.runner.progress.state import look
from racing.space import Boolean, Categorical, Integer, Real, Space

SPACE = Space(
    {
        "big": Boolean(default=False),
        "small": Boolean(default=False),
        "nothing": Boolean(default=False),
        "worse": Boolean(default=False),
        "mode": Categorical(["off", "on"], default="off"),
        "deep": Real(0, 1, default=0.0, when="mode == on"),
    }
)
SOURCE = SPACE.default()
TARGET = {"big": True, "small": True, "nothing": True, "worse": True, "mode": "on", "deep": 1.0}
STREAM = Instances(tuple(f"i{k}" for k in range(10)), repeat=True)


def cost(values, step: int, noise: float = 0.3) -> float:
    """Effects −10, −3, 0, +1 and −6 · deep; one interaction; noise by configuration and step."""
    found = 50.0 - 10 * values["big"] - 3 * values["small"] + values["worse"]
    found -= 6 * values.get("deep", 0.0)
    number = sum(2**k for k, name in enumerate(("big", "small", "nothing", "worse", "mode"))
                 if values[name] in (True, "on"))  # fmt: skip
    rng = np.random.default_rng([step, number])
    return found + 5 * np.sin(step) + noise * rng.normal()


def answer(experiment: Experiment) -> Outcome:
    value = cost(experiment.candidate.values, experiment.instance.step)
    return experiment.outcome(value, seconds=1.0)


def ablation(**changes: object) -> Ablation:
    options = {"budget": 300, "seed": 3, **changes}
    return Ablation(SPACE, SOURCE, TARGET, options.pop("instances", STREAM), **options)


def finish(one: Ablation, workers: int = 1, seed: int = 0, answer=answer) -> Ablation:
    rng = np.random.default_rng(seed)
    while not one.done:
        one.ask(workers - len(one.pending))
        assert one.pending, "an ablation that is not over must have work"
        one.tell(answer(one.pending[int(rng.integers(len(one.pending)))]))
    return one


def facts(one: Ablation) -> tuple[object, ...]:
    steps = [(s.parameters, s.values, s.raced_against, repr(s.gain)) for s in one.path]
    entrants = [(e.candidate.id, dict(e.candidate.values), e.origin) for e in one.entrants]
    return steps, entrants, one.verdicts, one.spent, repr(one.total), one.measured_on


def test_where_runs_fail_the_gains_of_the_steps_still_add_up():
    def failing(experiment: Experiment) -> Outcome:
        on = experiment.candidate.values["mode"] == "on"
        fails = on and experiment.instance.step % 5 == 0
        return experiment.failure(seconds=1.0) if fails else answer(experiment)

    found = finish(ablation(), answer=failing)
    steps, total = [step.gain for step in found.path], found.total
    assert sum(gain.estimate for gain in steps) == pytest.approx(total.estimate)
    assert sum(step.share for step in found.path) == pytest.approx(1)
    failed = sum(step % 5 == 0 for step in found.measured_on)
    assert (total.failures, total.over_failures) == (failed, 0)
    assert {(gain.instances, gain.pairs) for gain in [*steps, total]} == {
        (len(found.measured_on), len(found.measured_on) - failed)
    }


def test_a_failure_with_a_penalty_costs_it_and_is_counted():
    def failing(experiment: Experiment, fail=Experiment.failure) -> Outcome:
        off = experiment.candidate.values["mode"] == "off"
        fails = off and experiment.instance.step % 5 == 0
        return fail(experiment) if fails else answer(experiment)

    penalty = Failures(cost=70.0)
    found = finish(ablation(failures=penalty), answer=failing)
    as_told = finish(ablation(), answer=lambda one: failing(one, lambda own: own.outcome(70.0)))
    assert [step.change for step in found.path] == [step.change for step in as_told.path]
    for step, same in zip(found.path, as_told.path, strict=True):
        assert step.gain.estimate == same.gain.estimate
        assert step.gain.pairs == step.gain.instances == len(found.measured_on)
    failed = sum(step % 5 == 0 for step in found.measured_on)
    assert (found.total.failures, found.total.over_failures) == (0, failed)
    assert as_told.total.over_failures == 0

    known = {(SPACE.key(SOURCE), step): Outcome(1, step, np.inf, status="crashed")
             for step in range(0, 200, 5)}  # fmt: skip
    again = finish(ablation(failures=penalty, known=known), answer=failing)
    assert (again.total.over_failures, again.total.pairs) == (
        sum(step % 5 == 0 for step in again.measured_on), len(again.measured_on)
    )  # fmt: skip


def test_the_changes_come_by_their_effect_and_are_measured():
    found = finish(ablation())
    steps = {step.parameters: step for step in found.path}
    assert [step.parameters for step in found.path][:3] == [("big",), ("mode",), ("small",)]
    assert set(steps) == {("big",), ("mode",), ("small",), ("nothing",), ("worse",)}
    for name, effect in (("big", 10), ("mode", 6), ("small", 3), ("nothing", 0), ("worse", -1)):
        gain = steps[name,].gain
        assert abs(gain.estimate - effect) < 0.3
        assert gain.low < gain.estimate < gain.high
        assert gain.pairs == len(found.measured_on) > 5
    assert steps["mode",].values["deep"] == 1.0
    assert found.path[-1].values == TARGET
    assert abs(found.total.estimate - 18) < 0.3
    assert sum(step.gain.estimate for step in found.path) == pytest.approx(found.total.estimate)
    assert found.independent


def test_progress_can_be_shown_at_every_outcome():
    one = ablation(budget=60)
    while not one.done:
        outcome = replace(answer(one.ask(1)[0]), elapsed=1.0 + one.outcomes)
        one.tell(outcome)
        assert f"{one.spent.evaluations or one.outcomes}/60" in look(one, outcome).line()


@pytest.mark.parametrize("budget", [4, 10, 25, 60, 150, 400])
@pytest.mark.parametrize("instances", [STREAM, Instances(tuple("abcdef"))])
def test_a_budget_is_kept_and_any_budget_gives_a_path(budget, instances):
    found = finish(ablation(budget=budget, instances=instances))
    assert found.spent.evaluations <= found.outcomes <= budget
    assert found.path[-1].values == TARGET
    names = [name for step in found.path for name in step.parameters]
    assert {"big", "small", "nothing", "worse", "mode"} <= set(names)
    assert len(names) == len(set(names))
    assert found.stopped is Stop.EVALUATIONS


def test_the_path_is_measured_on_other_instances_where_there_are_any():
    found = finish(ablation(fresh=40))
    assert found.measured_on.start == 40
    few = finish(ablation(instances=Instances(tuple("abcdef")), budget=200))
    assert not few.independent
    assert few.measured_on == range(6)


@pytest.mark.parametrize(
    ("instances", "of", "all_differ"),
    [
        (Instances(range(200)), "unseen", True),
        (STREAM, "seeds", False),
        (Instances(tuple("abcdef")), "choice", True),
        (Instances(range(200), groups=[k % 100 for k in range(200)]), "unseen", True),
        (Instances(range(200), groups=[k % 4 for k in range(200)]), "group", False),
    ],
    ids=["many problems", "again with new seeds", "no others", "groups of two", "groups of fifty"],
)
def test_a_gain_says_whether_the_path_was_chosen_on_these_problems(instances, of, all_differ):
    found = finish(ablation(instances=instances, budget=200))
    for gain in (found.total, *(step.gain for step in found.path)):
        assert gain.of == of
        assert (gain.problems == gain.pairs) == all_differ


def test_what_is_known_is_not_run_again():
    known = {
        (SPACE.key(values), step): Outcome(9, step, cost(values, step))
        for values in (SOURCE, TARGET)
        for step in range(40, 60)
    }
    found = ablation(fresh=40, known=known)
    asked = []
    while not found.done:
        for experiment in found.ask():
            asked.append(experiment.key)
            found.tell(answer(experiment))
    assert not {(id, step) for id, step in asked if id in (1, 2) and 40 <= step < 60}
    assert found.measured_on.stop >= 60
    assert len(asked) == len(set(asked)) <= 300
    assert abs(found.total.estimate - 18) < 0.3


def test_failures_are_worse_than_any_cost_and_are_counted():
    def failing(experiment: Experiment) -> Outcome:
        bad = not experiment.candidate.values["big"]
        return experiment.failure() if bad and experiment.instance.step % 3 else answer(experiment)

    found = ablation()
    while not found.done:
        for experiment in found.ask():
            found.tell(failing(experiment))
    first = found.path[0]
    assert first.parameters == ("big",)
    assert first.gain.over_failures > 0
    assert first.gain.failures == 0


def test_if_everything_fails_there_is_a_path_without_gains():
    found = ablation()
    while not found.done:
        for experiment in found.ask():
            found.tell(experiment.failure())
    assert found.path[-1].values == TARGET
    assert all(step.gain.estimate is None for step in found.path)


def test_what_has_no_path_or_no_budget_is_refused():
    with pytest.raises(InputError, match="the two configurations are the same"):
        Ablation(SPACE, SOURCE, SOURCE, STREAM, budget=100)
    with pytest.raises(InputError, match="needs 4 evaluations or more"):
        ablation(budget=3)
    one = finish(ablation())
    with pytest.raises(RaceError, match="cannot be extended"):
        one.extend(one.budget)


# --- steps between two configurations: alone where allowed, together where not ---


FLAT = Space({"a": Real(0, 1, default=0.5), "b": Integer(1, 9, default=3), "c": Boolean()})
CONDITIONAL = Space(
    {
        "algorithm": Categorical(["ils", "tabu"], default="ils"),
        "kick": Integer(1, 9, default=2, when="algorithm == ils"),
        "tenure": Integer(1, 50, default=10, when="algorithm == tabu"),
        "aspire": Boolean(default=False, when="algorithm == tabu and tenure > 5"),
        "x": Real(0, 1, default=0.1),
    }
)
ORDERED = Space(
    {"low": Integer(0, 9, default=0), "high": Integer(0, 9, default=1), "z": Boolean(default=True)},
    forbidden=["low >= high"],
)


def test_every_parameter_that_differs_can_change_alone_in_a_flat_space():
    one, other = {"a": 0.1, "b": 3, "c": True}, {"a": 0.2, "b": 7, "c": True}
    assert differing(FLAT, one, other) == {"a": (0.1, 0.2), "b": (3, 7)}
    found = moves(FLAT, one, other)
    assert [change.names for change in found] == [("a",), ("b",)]
    assert found[0].values == {"a": 0.2, "b": 3, "c": True}
    assert found[1].values == {"a": 0.1, "b": 7, "c": True}


def test_a_switch_brings_what_it_activates_as_the_target_has_it():
    one = {"algorithm": "ils", "kick": 5, "x": 0.1}
    other = {"algorithm": "tabu", "tenure": 20, "aspire": True, "x": 0.9}
    found = moves(CONDITIONAL, one, other)
    assert [change.names for change in found] == [("algorithm",), ("x",)]
    assert found[0].values == {"algorithm": "tabu", "tenure": 20, "aspire": True, "x": 0.1}
    (last,) = moves(CONDITIONAL, found[0].values, other)
    assert (last.names, last.values) == (("x",), other)


def test_what_is_forbidden_alone_changes_together():
    one, other = {"low": 0, "high": 1, "z": True}, {"low": 5, "high": 8, "z": False}
    found = {change.names: change.values for change in moves(ORDERED, one, other)}
    assert found == {
        ("low", "high"): other | {"z": True},
        ("high",): one | {"high": 8},
        ("z",): one | {"z": False},
    }


def test_where_nothing_smaller_is_allowed_everything_changes_at_once():
    space = Space(
        {"a": Boolean(default=False), "b": Boolean(default=False), "c": Boolean(default=False)},
        forbidden=["a != b", "b != c"],
    )
    one, other = dict.fromkeys("abc", False), dict.fromkeys("abc", True)
    (only,) = moves(space, one, other)
    assert set(only.names) == {"a", "b", "c"}
    assert only.values == other


@pytest.mark.parametrize("space", [FLAT, CONDITIONAL, ORDERED], ids=["flat", "when", "forbidden"])
def test_every_greedy_path_ends_at_the_target_through_allowed_configurations(space):
    rng = np.random.default_rng(1)
    space_rng = np.random.default_rng(2)
    samples = space.sample(space_rng, 12)
    for one, other in product(samples, samples):
        current, steps = one, 0
        while space.key(current) != space.key(other):
            found = moves(space, current, other)
            assert len({space.key(change.values) for change in found}) == len(found)
            chosen = found[int(rng.integers(len(found)))]
            space.check(chosen.values)
            before = differing(space, current, other)
            current, steps = chosen.values, steps + 1
            assert len(differing(space, current, other)) < len(before)
        assert steps <= len(space)
