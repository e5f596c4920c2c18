"""A log is the history of a race: what is replayed from it is what the race came to, at any point.

Races are random: rules, budgets of every kind, failures, unequal seconds, workers whose answers
come in any order, lost experiments, candidates that join. Whatever is reported of their logs must
be what the race itself, asked at that time, said.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from racing.answer.json import as_data
from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.log import MemoryLog, Recorder, SQLiteLog, header_of, replay
from racing.race import Race
from racing.report import gather
from racing.rules import RULES
from tests.worlds import hard_world, race_over

BUDGETS = {
    "none": Budget(),
    "evaluations": Budget(evaluations=55),
    "instances": Budget(instances=8),
    "target_time": Budget(target_time=60.0),
    "wall_time": Budget(wall_time=30.0),
    "two": Budget(evaluations=70, target_time=65.0),
}
RULES_TRIED = ["auto", "bayes", "sign", "mean-ranks", "none"]
WIDTH, ROWS, START = 9, 12, 6
JOINS = (3, 3, 5)
"""Instances after which the candidates beyond the first `START` join; two of them at once."""


class World:
    """A random race: what it is made of, and what its target answers."""

    def __init__(self, seed: int, rule: str, budget: Budget) -> None:
        self.rng = np.random.default_rng(seed)
        self.costs = hard_world(WIDTH, ROWS, seed=seed)
        self.seconds = self.rng.exponential(size=self.costs.shape)
        self.rule, self.budget = rule, budget
        self.objective = ("rank", "mean")[seed % 2]
        self.direction = ("minimize", "maximize")[seed // 2 % 2]
        self.each_test = "50%" if seed % 3 == 0 else None

    def race(self) -> Race:
        return race_over(
            self.costs[:, :START],
            RULES[self.rule](),
            budget=self.budget,
            objective=self.objective,
            direction=self.direction,
            first_test=3,
            each_test=self.each_test,
        )

    def answer(self, experiment: Experiment, clock: float) -> Outcome:
        place = experiment.instance.problem, experiment.candidate.values["column"]
        cost, seconds = self.costs[place], float(self.seconds[place])
        if math.isinf(cost):
            return replace(experiment.failure(message="no", seconds=seconds), elapsed=clock)
        return replace(experiment.outcome(cost, seconds=seconds), elapsed=clock)


def drive(
    world: World, recorder: Recorder[Race], *, workers: int, seed: int, joins: bool = True
) -> Iterator[Race]:
    """Drive a race to its end; yields it whenever it has changed."""
    rng, race = np.random.default_rng(seed), recorder.decider
    clock = max((o.elapsed for o in recorder.log.outcomes()), default=0.0)
    yield race
    while not race.done:
        joined = len(race.candidates) - START
        if joins and joined < len(JOINS) and race.instances_seen >= JOINS[joined]:
            try:
                race.join({"column": START + joined})
            except RaceError:
                joins = False
            yield race
            continue
        recorder.ask(max(workers - len(race.pending), 0), speculate=workers - 1)
        one = race.pending[rng.integers(len(race.pending))]
        if workers > 1 and rng.random() < 0.1:
            race.lost(one)
            continue
        clock += float(rng.exponential() / workers)
        recorder.tell(world.answer(one, clock))
        yield race
    recorder.finish()
    yield race


def state(race: Race) -> tuple[object, ...]:
    """Everything that a report says of a race."""
    results = race.results
    return (
        (race.stopped, race.winner, race.ranking(), race.spent, race.instances_seen),
        (race.survivors, race.challengers, race.candidates, tuple(race.verdicts)),
        (results.candidates, results.costs.tobytes(), results.survivors.tolist()),
    )


def shown(race: Race, evaluations: int) -> dict[str, Any]:
    """What `show --json` has to say, from the race itself."""
    sign = -1.0 if race.direction == "maximize" else 1.0
    return {
        "finished": race.done,
        "stopped": race.stopped and str(race.stopped),
        "winner": race.winner and race.winner.id,
        "survivors": {c.id for c in race.survivors},
        "standing": [
            (s.candidate.id, s.mean_rank, s.mean_cost and pytest.approx(sign * s.mean_cost))
            for s in race.ranking()
        ],
        "dropped": [
            (e.candidate, v.instances, e.against, e.value)
            for v in race.verdicts
            for e in v.eliminated
        ],
        "instances": race.instances_seen,
        "verdicts": len(race.verdicts),
        "evaluations": evaluations,
        "left": {
            name: getattr(race.budget.left(race.spent), name)
            for name in ("evaluations", "wall_time", "target_time", "instances")
            if getattr(race.budget, name) is not None
        },
    }


def said(log: Any) -> dict[str, Any]:
    """What `show --json` says."""
    data = as_data(gather(log))
    return {
        **{
            key: data[key]
            for key in ("finished", "stopped", "instances", "verdicts", "evaluations")
        },
        "winner": data["winner"] and data["winner"]["id"],
        "survivors": {one["id"] for one in data["survivors"]},
        "standing": [
            (row["candidate"]["id"], row["mean_rank"], row["mean"]) for row in data["standing"]
        ],
        "dropped": [
            (
                row["candidate"]["id"],
                row["after"],
                row["against"]["id"],
                row["elimination"]["value"],
            )
            for row in data["dropped"]
        ],
        "left": data["left"],
    }


CASES = list(enumerate(itertools.product(RULES_TRIED, BUDGETS)))


@pytest.mark.parametrize("joins", [False, True], ids=["alone", "joined"])
@pytest.mark.parametrize(("seed", "parts"), CASES, ids=[f"{r}-{b}" for _, (r, b) in CASES])
def test_what_is_shown_is_what_the_race_came_to(tmp_path, seed, parts, joins):
    rule, budget = parts
    world = World(seed, rule, BUDGETS[budget])
    with SQLiteLog.create(tmp_path / "log.sqlite", header_of(world.race())) as log:
        *_, race = drive(world, Recorder(world.race(), log), workers=4, seed=seed, joins=joins)
        assert race.done
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as log:
        assert state(replay(log)) == state(race)
        assert said(log) == shown(race, race.spent.evaluations)


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("budget", BUDGETS)
def test_at_every_point_the_log_tells_what_the_race_said_then(budget, workers):
    world = World(11, "sign", BUDGETS[budget])
    log = MemoryLog(header_of(world.race()))
    recorder = Recorder(world.race(), log)
    for point, race in enumerate(drive(world, recorder, workers=workers, seed=3)):
        recorder.ask(0)  # whoever joined is logged now
        if point % 2 == 0:
            assert state(replay(log)) == state(race)
        if point % 16 == 0:
            assert said(log) == shown(race, race.spent.evaluations)
    assert len(race.candidates) > START


class Killed(Exception):
    """The end of the process."""


class DyingLog:
    """A log whose process dies before its write number `left`."""

    def __init__(self, log: MemoryLog, left: int) -> None:
        self.log, self.left = log, left

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.log, name)
        return self._counted(method) if name in ("add", "record", "record_verdict") else method

    def _counted(self, method: Callable[..., None]) -> Callable[..., None]:
        def write(*arguments: object, **options: object) -> None:
            if self.left == 0:
                raise Killed
            self.left -= 1
            method(*arguments, **options)

        return write


@pytest.mark.parametrize("budget", ["none", "evaluations", "target_time"])
@pytest.mark.parametrize("seed", [4, 6], ids=["a look each", "looks at growing distances"])
def test_killed_at_any_write_a_race_that_candidates_joined_is_resumed_to_the_same(budget, seed):
    world = World(seed, "sign", BUDGETS[budget])
    whole = MemoryLog(header_of(world.race()))
    states: dict[tuple[int, int], tuple[object, ...]] = {}
    for race in drive(world, Recorder(world.race(), whole), workers=1, seed=1):
        states[race.outcomes, len(race.entrants)] = state(race)
    writes, apart = 0, 3 if budget == "none" else 7
    while True:
        log = MemoryLog(header_of(world.race()))
        try:
            *_, last = drive(
                world, Recorder(world.race(), DyingLog(log, writes)), workers=1, seed=1
            )
            break
        except Killed:
            pass
        if log.candidates():
            known = len(log.outcomes()), len(log.entrants())
            assert state(replay(log)) == states[known], "the same after a kill"
        kept = log.outcomes()
        for _ in drive(world, Recorder(world.race(), log), workers=1, seed=1):
            """To its end."""
        assert log.outcomes()[: len(kept)] == kept
        assert log.entrants() == whole.entrants()
        assert log.verdicts() == whole.verdicts()
        assert log.finished == whole.finished
        writes += apart
    assert writes > 50
    assert state(last) == states[last.outcomes, len(last.entrants)]
