"""The race hears of an outcome only after the log has it; else a kill would lose what counted."""

from __future__ import annotations

import pytest

from racing.evaluate.pool import open_pool
from racing.log import Header, SQLiteLog
from racing.race import Race
from racing.rules import Sign
from racing.runner.loop import drive
from tests.worlds import normal_world

COSTS = normal_world(6, 12, seed=4)


def evaluate(experiment):
    cost = COSTS[experiment.instance.problem, experiment.candidate.values["column"]]
    return experiment.outcome(cost, seconds=0.01)


class Witness(Race):
    """A race that looks into the log, by another connection, before it believes an outcome."""

    log = None
    heard = 0

    def tell(self, outcome):
        with SQLiteLog.open(self.log, write=False) as log:
            assert outcome.key in [known.key for known in log.outcomes()]
        self.heard += 1
        super().tell(outcome)


@pytest.mark.parametrize(("jobs", "engine"), [(1, "in-process"), (4, "threading")])
def test_every_outcome_is_committed_before_the_race_is_told(tmp_path, jobs, engine):
    m = COSTS.shape[1]
    race = Witness([{"column": j} for j in range(m)], range(len(COSTS)), rule=Sign(), seed=2)
    race.log = tmp_path / "log.sqlite"
    with (
        SQLiteLog.create(race.log, Header(name="test", seed=2)) as log,
        open_pool(evaluate, jobs=jobs, engine=engine) as pool,
    ):
        log.add(race.candidates)
        drive(race, pool, log)
    assert race.heard >= m * 5
    assert race.done
