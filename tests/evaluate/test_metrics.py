"""Targets with several metrics: told, measured, and failed."""

from __future__ import annotations

import json
import math
import pickle
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from racing.core.aims import aim_of
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.evaluate.answers import Unreadable, json_object, last_line, returned
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function

EXPERIMENT = Experiment(Candidate(1, {"x": 0.5}), Instance(0, "a", 3))
TOLD = {"quality": Metric(), "right": Metric(direction="maximize")}


def outcome(target: Any, metrics: dict[str, Metric], objective: object = None) -> Outcome:
    aim: Any = None if objective is None else aim_of(objective)
    evaluator = Evaluator(target, goal=Goal(metrics, aim))
    try:
        return evaluator(EXPERIMENT)
    finally:
        evaluator.close()


def printing(text: str) -> Command:
    return Command(command=["sh", "-c", f"echo '{text}' # {{x}}"])


def test_each_metric_becomes_a_cost() -> None:
    found = outcome(printing("quality=3 right=1"), TOLD)
    assert (found.cost, found.metrics, found.status) == (3.0, (3.0, -1.0), Status.OK)
    found = outcome(printing("quality=3 right=1"), TOLD, {"maximize": "right / quality"})
    assert (found.cost, found.metrics) == (-1 / 3, (3.0, -1.0))


def test_what_is_missing_makes_the_whole_answer_unreadable() -> None:
    found = outcome(printing("quality=3"), TOLD)
    assert (found.cost, found.metrics, found.status) == (math.inf, (), Status.UNREADABLE)
    assert found.message.startswith("unreadable: the answer must have right; got 'quality'")


def test_a_formula_without_a_value_is_unreadable() -> None:
    found = outcome(printing("quality=-3 right=1"), TOLD, {"minimize": "log(quality)"})
    assert (found.cost, found.metrics, found.status) == (math.inf, (), Status.UNREADABLE)
    assert "log(quality) has no value for {'quality': -3.0, 'right': 1.0}" in found.message
    found = outcome(printing("quality=0 right=1"), TOLD, {"minimize": "right / quality"})
    assert (found.cost, found.metrics, found.status) == (math.inf, (), Status.UNREADABLE)
    assert "right / quality for {'quality': 0.0, 'right': 1.0}: inf is worse" in found.message


def test_a_failure_has_no_metrics() -> None:
    found = outcome(Command(command="sh -c 'echo quality=1 right=1; exit 3' {x}"), TOLD)
    assert (found.cost, found.metrics, found.status) == (math.inf, (), Status.CRASHED)


MEASURED = {
    "wall": Metric(measure="wall_time"),
    "cpu": Metric(measure="cpu_time"),
    "memory": Metric(measure="memory"),
}
BUSY = (
    "import time; held = bytearray(90_000_000); begun = time.process_time()\n"
    "while time.process_time() < begun + 0.1: pass\n"
    "time.sleep(0.1); print({x})"
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is measured on Linux")
def test_a_command_is_measured_and_tells_nothing() -> None:
    found = outcome(Command(command=["{python}", "-c", BUSY]), MEASURED)
    wall, cpu, memory = found.metrics
    assert wall > 0.2
    assert cpu > 0.1
    assert 90e6 < memory < 2e9
    assert found.cost == wall


def test_what_is_measured_is_put_beside_what_is_told() -> None:
    found = outcome(printing("7"), {"wall": Metric(measure="wall_time"), "quality": Metric()})
    assert found.metrics[1] == 7
    assert found.metrics[0] == found.cost > 0


def test_a_program_that_judges_the_answer_is_not_measured(tmp_path: Path) -> None:
    judge = tmp_path / "judge.sh"
    judge.write_text("#!/bin/sh\nsleep 0.5; echo 7\n")
    judge.chmod(0o700)
    first = Command(command="true {x}", evaluator=str(judge))
    found = outcome(first, {"quality": Metric(), "wall": Metric(measure="wall_time")})
    assert found.metrics[0] == 7
    assert found.metrics[1] <= found.seconds - 0.5, "seconds are those of both"


def test_a_function_is_measured() -> None:
    def busy(values: dict[str, float], instance: str, seed: int) -> dict[str, float]:
        begun = time.process_time()
        while time.process_time() < begun + 0.05:
            pass
        return {"quality": values["x"]}

    metrics = {"quality": Metric(), **{name: MEASURED[name] for name in ("wall", "cpu")}}
    quality, wall, cpu = outcome(Function(python=busy), metrics).metrics
    assert quality == 0.5
    assert wall >= 0.05 <= cpu + 0.02  # the system counts processor time in hundredths


def test_the_time_of_an_async_function_is_that_on_the_clock() -> None:
    async def answer(values: dict[str, float], instance: str, seed: int) -> tuple[float, bool]:
        return values["x"], True

    assert outcome(Function(python=answer), TOLD).metrics == (0.5, -1.0)
    found = outcome(Function(python=answer), {**TOLD, "cpu": MEASURED["cpu"]})
    assert "the processor time of an async function cannot be measured" in found.message


def test_an_evaluator_takes_its_goal_along() -> None:
    twice: Any = aim_of({"minimize": "quality * 2"})
    evaluator = Evaluator(printing("quality=3 right=1"), goal=Goal(TOLD, twice))
    again = pickle.loads(pickle.dumps(evaluator))
    try:
        assert again(EXPERIMENT).cost == 6
    finally:
        again.close()
        evaluator.close()


# --- answers with several metrics: what is read, and what is refused and says which ---------------


NAMES = ("quality", "time")


@pytest.mark.parametrize(
    "text",
    [
        "3.5 2",
        "3.5, 2",
        "[3.5, 2]",
        "log\n\n3.5 2\n \n",
        "quality=3.5 time=2",
        "time=2 quality=3.5",
        "time: 2".replace(" ", "") + " quality:3.5",
        "(quality=3.5, time=2)",
        "quality=3.5 time=2 gap=0.1",
        '{"quality": 3.5, "time": 2, "who": "me"}',
    ],
)
def test_the_last_line_has_a_number_for_each_metric(text: str) -> None:
    assert last_line(text, NAMES).metrics == {"quality": 3.5, "time": 2.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "stdout must end in quality and time; got nothing"),
        ("3.5", "the last line must be 2 numbers, which are quality and time"),
        ("1 2 3", "the last line must be 2 numbers"),
        ("quality 3.5", "the last line must be 2 numbers"),
        ("quality=3.5", "the answer must have time; got 'quality'"),
        ("quality=3.5 2", 'a word of the last line must be name=number; got "2"'),
        ("quality=3,5 time=2", 'name=number; got "quality=3,5"'),
        ("quality=3.5 time=2 time=3", "the last line has time twice"),
        ("quality=3.5 time=inf", "metric time must be a number from -1e+75 to 1e+75; got inf"),
        ("quality=-1e76 time=3", "metric quality must be a number from -1e+75 to 1e+75; got"),
        ("nan 2", "metric quality must be a number; got nan"),
        ('{"quality": 3.5}', "the answer must have time; got 'quality'"),
        ('{"quality": 3.5, "time": "2"}', 'metric time must be a number; got "2"'),
        ('{"quality": 3.5, "time": null}', "metric time must be a number; got None"),
        ('{"quality": 3.5,', "stdout's last line must be JSON"),
        ("7" * 200 + " 2", "the last line must be quality and time"),
    ],
)
def test_any_other_line_is_unreadable_and_says_why(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        last_line(text, NAMES)
    assert said in str(caught.value)


def test_a_json_object_may_say_what_it_took_and_what_was_paid() -> None:
    answer = {"quality": 1, "time": True, "seconds": 2.5, "spent": {"usd": 0.5}}
    found = json_object(json.dumps(answer), NAMES)
    assert found == ({"quality": 1.0, "time": 1.0}, 2.5, {"usd": 0.5})
    assert returned(answer, NAMES) == found
    with pytest.raises(Unreadable, match="must be JSON"):
        json_object("quality=1 time=2", NAMES)


def test_a_function_may_return_the_numbers_in_their_order() -> None:
    assert returned((1, 2.5), NAMES).metrics == {"quality": 1.0, "time": 2.5}


@pytest.mark.parametrize("answer", [3.5, np.float64(3.5), (3.5,), {"quality": 3.5}])
def test_a_function_may_return_the_only_number_that_racing_does_not_measure(answer: object) -> None:
    assert returned(answer, ("quality",)).metrics == {"quality": 3.5}


@pytest.mark.parametrize("answer", [None, "3.5", [1, 2], float("inf")])
def test_the_only_metric_is_a_finite_number(answer: object) -> None:
    with pytest.raises(Unreadable, match="quality"):
        returned(answer, ("quality",))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (3.5, "the result must be a mapping with quality and time, or these numbers in"),
        ((1, 2, 3), "must be a mapping with quality and time"),
        ({"quality": 1}, "the answer must have time; got 'quality'"),
        ({}, "the answer must have quality and time; got no keys"),
        ({"quality": 1, "time": float("-inf")}, "metric time must be a number from"),
        ({"quality": 1, "time": 10**400}, "metric time is too large"),
    ],
)
def test_what_a_function_may_not_return(answer: object, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        returned(answer, NAMES)
    assert said in str(caught.value)
