"""Runs whose outcomes are made up, for tests of what a report makes of them."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import racing
from racing.answer.gain import gain
from racing.answer.tested import UnseenTest
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Outcome
from racing.log import MemoryLog, header_of
from racing.log.recorder import Recorder
from racing.race import Race
from racing.report import Facts, History, history
from racing.report.pictures import Picture
from racing.rules import RULES
from racing.runner.run import run
from tests.runs_kit import write_search

EPOCH = 1.7e9


def told_race(
    costs: np.ndarray,
    *,
    rule: str = "sign",
    values: list[dict[str, object]] | None = None,
    workers: int = 2,
    stop_after: float = math.inf,
    message: str = "no luck\nand a long story",
    finish: bool = True,
    name: str = "a race",
    scenario: dict[str, object] | None = None,
    **settings: object,
) -> MemoryLog:
    """The log of a race over a matrix of costs; +inf fails. Each evaluation takes a second.

    Parts of a `scenario`, such as its unit or space, stand in the header of the log.
    """
    n, m = costs.shape
    given = values or [{"column": j} for j in range(m)]
    settings.setdefault("budget", Budget())
    race = Race(given, range(n), rule=RULES[rule](), seed=2, **settings)  # type: ignore[arg-type]
    header = header_of(race, name=name)
    log = MemoryLog(replace(header, scenario={**header.scenario, **(scenario or {})}))
    recorder, number = Recorder(race, log), 0
    while not race.done and number < stop_after:
        for experiment in recorder.ask():
            if race.done or number >= stop_after:
                break
            cost = costs[experiment.instance.problem, experiment.candidate.id - 1]
            recorder.tell(outcome_of(experiment, cost, number, workers, message))
            number += 1
    if finish:
        recorder.finish(elapsed=float(number))
    return log


def outcome_of(
    experiment: Experiment, cost: float, number: int, workers: int, message: str
) -> Outcome:
    """The outcome with that number: workers take turns, each evaluation takes a second."""
    ok = math.isfinite(cost)
    one = experiment.outcome(cost) if ok else experiment.failure(message=message)
    begun = float(number // workers)
    return replace(
        one,
        seconds=1.0,
        elapsed=begun + 1,
        worker=f"w-{number % workers + 1}",
        started=EPOCH + begun,
    )


def told_search(folder: Path, **parts: object) -> Path:
    """The log of a real, small search: x from 0 to 1, 0 is best, the default is 0.9."""
    log = folder / "search.sqlite"
    run(write_search(folder, **parts), log=log)
    return log


def told(costs: np.ndarray, **how: object) -> History:
    """The history of a race over a matrix of costs."""
    return history(told_race(costs, **how))  # type: ignore[arg-type]


def on_unseen(winner: Candidate, other: Candidate, costs: np.ndarray, **more: object) -> UnseenTest:
    """A test on unseen problems, with these costs."""
    return UnseenTest(
        kind="winner",
        result=(winner,),
        others=(other,),
        instances=tuple(f"new-{k}" for k in range(len(costs))),
        costs=costs,
        gains=(gain(costs, name=winner, over=other, of="unseen", **more),),  # type: ignore[arg-type]
    )


def changed(run: Facts, **parts: object) -> Any:
    """The same run with other facts."""
    found = copy.copy(run)
    vars(found).update(parts)
    return found


def marks(picture: Picture, form: type[Any]) -> list[Any]:
    """The marks of one form in the first plot of a picture."""
    assert picture.figure is not None
    return [one for one in picture.figure.plots[0].marks if isinstance(one, form)]


def told_metrics(objective: dict[str, object], **by_kind: tuple[float, int]) -> History:
    """A race of kinds of solvers: the time of each, and how many of ten instances it solves."""

    def solve(values: dict[str, str], instance: int, seed: int) -> dict[str, float]:
        time, times = by_kind[values["kind"]]
        return {"time": time + instance % 7 / 10, "success": float(instance % 10 < times)}

    found = racing.minimize(
        solve, [{"kind": kind} for kind in by_kind], range(40), rule="none",
        metrics={"time": "minimize", "success": "maximize"}, objective=objective,
    )  # fmt: skip
    return history(found.log)
