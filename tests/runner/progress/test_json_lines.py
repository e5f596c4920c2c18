"""Progress as lines of JSON, beside the race that it watches."""

from __future__ import annotations

import json
import math

import racing
from racing.core.experiment import Status
from racing.runner.progress.json_lines import JsonLines


def events(capsys):
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def watched(progress, race, cost):
    while not race.done:
        for experiment in race.ask(1):
            told = cost(experiment)
            outcome = (
                experiment.failure(Status.CRASHED, message="no", seconds=0.0)
                if math.isinf(told)
                else experiment.outcome(told)
            )
            race.tell(outcome)
            progress(race, outcome)


def test_every_outcome_and_every_elimination_has_a_line(capsys):
    race = racing.Race([{"x": x} for x in range(6)], range(12), rule="sign", seed=1)
    with JsonLines() as progress:
        watched(progress, race, lambda one: one.candidate.values["x"] + one.instance.seed % 5 / 9)
    found = events(capsys)
    outcomes = [one for one in found if one["event"] == "outcome"]
    assert len(outcomes) == race.outcomes
    assert {one["status"] for one in outcomes} == {"ok"}
    dropped = [id for one in found if one["event"] == "verdict" for id in one["dropped"]]
    assert dropped == [out.candidate for verdict in race.verdicts for out in verdict.eliminated]
    assert dropped
    assert found[-1]["left"] == len(race.survivors)


def test_a_failure_has_no_cost(capsys):
    race = racing.Race([{"x": 0}, {"x": 1}], range(3), rule="none")
    with JsonLines() as progress:
        watched(progress, race, lambda one: math.inf if one.candidate.id == 2 else 1.0)
    costs = {one["candidate"]: one["cost"] for one in events(capsys) if one["event"] == "outcome"}
    assert costs == {1: 1.0, 2: None}


def test_quiet_writes_messages_only(capsys):
    race = racing.Race([{"x": 0}, {"x": 1}], range(3), rule="none")
    with JsonLines(quiet=True) as progress:
        watched(progress, race, lambda one: 1.0)
        progress.say("note")
    (one,) = events(capsys)
    assert (one["event"], one["text"]) == ("message", "note")
