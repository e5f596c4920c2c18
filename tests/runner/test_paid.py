"""What is paid for: nothing is hidden, and a limit of money holds beyond what was in flight."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import racing
from racing import Budget, Experiment, Outcome, Race
from racing.evaluate.pool import open_pool
from racing.log import MemoryLog, SQLiteLog, header_of, replay
from racing.log.log import Log
from racing.runner.loop import RunOptions, drive
from tests.worlds import facts


class Service:
    """A service with a bill of its own; calls take no time, and candidates differ in price."""

    def __init__(self, seed: int, *, alike: bool = False) -> None:
        self.seed, self.alike = seed, alike
        self.bill, self.most = 0.0, 0.0

    def price(self, experiment: Experiment) -> float:
        """Up to 4 times as much for one evaluation as for another, and 3 for a candidate."""
        spread = random.Random(f"{self.seed} {experiment.key}").uniform(0.5, 2.0)
        return 0.001 if self.alike else 0.001 * spread * (1 + experiment.candidate.id % 3)

    def __call__(self, experiment: Experiment) -> Outcome:
        """Charge, and answer."""
        paid = self.price(experiment)
        self.bill, self.most = self.bill + paid, max(self.most, paid)
        cost = random.Random(f"{experiment.key} {self.seed}").gauss(experiment.candidate.id / 5, 1)
        return replace(experiment.outcome(cost, seconds=0.2), spent={"usd": paid})


def a_race(seed: int, rule: str = "auto", **budget: float) -> Race:
    """Twelve candidates on forty instances, for 30 cents."""
    return Race(
        [{"x": i} for i in range(12)], list(range(40)), budget=budget or {"usd": 0.3}, seed=seed,
        rule=rule, ahead=0.1,
    )  # fmt: skip


def run(race: Race, service: Service, log: Log, *, jobs: int) -> Race:
    """The race on threads; the clock stands, so that equal races are equal."""
    with open_pool(service, jobs=jobs, engine="threading") as pool:
        return drive(race, pool, log, speculate=0.1, options=RunOptions(clock=lambda: 0.0))


@pytest.mark.parametrize("rule", ["auto", "none", "sign"])
@pytest.mark.parametrize("seed", range(3))
def test_money_goes_ahead_within_the_budget_and_decides_nothing(rule: str, seed: int) -> None:
    alone = run(a_race(seed, rule), Service(seed), MemoryLog(header_of(a_race(seed))), jobs=1)
    for jobs in (4, 24):
        service, log = Service(seed), MemoryLog(header_of(a_race(seed, rule)))
        race = run(a_race(seed, rule), service, log, jobs=jobs)
        assert facts(race) == facts(alone)
        assert race.spent.usd <= 0.27
        assert service.bill <= 0.3 + jobs * service.most
        assert facts(replay(log)) == facts(race)


def test_more_is_begun_where_money_is_kept_for_it() -> None:
    for ahead, more in ((0.0, False), (0.1, True)):
        budget = {"usd": 5.0}
        race = Race([{"x": 1}, {"x": 2}], range(40), rule="sign", budget=budget, ahead=ahead,
                    first_test=1)  # fmt: skip
        for one in race.ask():
            race.tell(replace(one.outcome(one.candidate.id), spent={"usd": 0.01}))
        assert (len(race.ask(100, speculate=100)) > 2) == more


class Killed(BaseException):
    """In place of SIGKILL."""


class Dying:
    """A pool of 8 places that pays for all that is submitted, and is killed after some outcomes."""

    size = 8

    def __init__(self, service: Service, left: int) -> None:
        self.service, self.left = service, left
        self.out: list[Experiment] = []
        self.found: list[Outcome] = []

    @property
    def running(self) -> int:
        """How many are out."""
        return len(self.out)

    def submit(self, experiment: Experiment) -> None:
        """Pay."""
        self.out.append(experiment)
        self.found.append(self.service(experiment))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """The oldest, or the kill."""
        if self.left <= 0 and len(self.out) == self.size:
            raise Killed
        self.left -= 1
        self.out.pop(0)
        return [self.found.pop(0)]

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Forget these."""
        gone = {one.key for one in (self.out if experiments is None else experiments)}
        self.found = [one for one in self.found if one.key not in gone]
        self.out = [one for one in self.out if one.key not in gone]


@pytest.mark.parametrize("kills", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_kill_leaves_unanswered_is_told_and_charged(
    tmp_path: Path, seed: int, kills: int
) -> None:
    service, path, in_flight = Service(seed, alike=True), tmp_path / "run.sqlite", 0
    SQLiteLog.create(path, header_of(a_race(seed))).close()
    for left in (*[25] * kills, 10**6):
        with SQLiteLog.open(path, write=True) as log:
            race, pool = a_race(seed), Dying(service, left)
            log.add([] if log.entrants() else race.entrants)
            with suppress(Killed):
                drive(race, pool, log, speculate=0.1)  # type: ignore[arg-type]
            in_flight += len(pool.out)
    with SQLiteLog.open(path, write=False) as log:
        told = sum(one.spent["usd"] for one in log.outcomes()) + log.unanswered * 0.001
        assert told == pytest.approx(service.bill)
        assert sum(lost.evaluations for lost in log.losses()) == in_flight == 8 * kills
        assert facts(replay(log)) == facts(race)
    assert service.bill <= 0.3 + 8 * service.most


def test_a_loss_beyond_what_is_kept_shrinks_the_budget_from_there_on() -> None:
    race = a_race(1, "none")
    assert race._state.limits.usd == pytest.approx(0.27)
    race.charge({"usd": 0.02})
    assert race._state.limits.usd == pytest.approx(0.27)
    race.charge({"usd": 0.05})
    assert race._state.limits.usd == pytest.approx(0.23)
    assert race.budget == Budget(usd=0.3)


def test_a_run_of_a_scenario_keeps_its_share_from_start_to_resume(tmp_path: Path) -> None:
    (tmp_path / "solve.py").write_text(
        "def solve(values, instance, seed):\n"
        "    return {'cost': values['x'] + seed % 7, 'spent': {'usd': 0.001}}\n"
    )
    text = (
        "target: {python: solve.py:solve}\nspace: {x: {real: [0, 1], default: 0.5}}\n"
        "candidates: {sample: 6}\ninstances: {list: [1, 2, 3], repeat: true}\nrule: none\n"
        "budget: {usd: 0.1}\nexecution: {engine: in-process}\n"
    )
    (tmp_path / "race.yaml").write_text(text)
    race = racing.run(tmp_path / "race.yaml", log=tmp_path / "log.sqlite")
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as log:
        again = replay(log)
    for one in (race, again, racing.resume(tmp_path / "log.sqlite")):
        assert isinstance(one, Race)
        assert one.ahead == 0.1
        assert 0.08 < one.spent.usd <= 0.09
