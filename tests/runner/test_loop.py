"""The loop that joins race, pool, log and clock: laws with real pools, real logs, real crashes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from racing.base.errors import LogError, RaceError
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Elimination, Verdict
from racing.evaluate.pool import open_pool
from racing.log import Header, MemoryLog, SQLiteLog
from racing.race import Race, Stop
from racing.rules import RULES
from racing.rules.rule import Outlook, Rule
from racing.runner.loop import RunOptions, drive
from tests.worlds import Remembered, facts, finish, hard_world, normal_world, race_over

POOLS = [("in-process", 1), ("threading", 1), ("threading", 4), ("loky", 2)]
COSTS = hard_world(8, 20, seed=3)


def evaluator(costs: np.ndarray) -> Callable[[Experiment], Outcome]:
    """A target that looks costs up; a closure, so that it is sent to workers by value."""

    def evaluate(experiment: Experiment) -> Outcome:
        cost = costs[experiment.instance.problem, experiment.candidate.values["column"]]
        if cost == float("inf"):
            return experiment.failure(message="made to fail", seconds=0.05)
        return experiment.outcome(cost, seconds=0.05)

    return evaluate


evaluate = evaluator(COSTS)


def a_race(rule: str | Rule = "sign", costs: np.ndarray = COSTS, **settings: object) -> Race:
    judge = RULES[rule]() if isinstance(rule, str) else rule
    return race_over(costs, judge, seed=2, **settings)


def a_log(race: Race) -> MemoryLog:
    log = MemoryLog(Header(name="test", seed=race.seed))
    log.add(race.candidates)
    return log


def run(
    race: Race, log, options: RunOptions | None = None, *, jobs=1, engine="in-process", **settings
):
    with open_pool(evaluate, jobs=jobs, engine=engine) as pool:
        return drive(race, pool, log, options=options, **settings)


@pytest.fixture(scope="module")
def pools() -> Iterator[dict]:
    """One pool of each kind for all rules: worker processes are slow to start."""
    opened = {(b, j): Uncancelled(open_pool(evaluate, jobs=j, engine=b)) for b, j in POOLS}
    yield opened
    for pool in opened.values():
        pool.pool.close()


class Uncancelled:
    """A pool that outlives the loops that use it: dropping waits instead."""

    def __init__(self, pool):
        self.pool = pool

    def __getattr__(self, name):
        return getattr(self.pool, name)

    def drop(self, experiments=None):
        if experiments is not None:
            self.pool.drop(experiments)
            return
        while self.pool.running:
            self.pool.wait()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: f"{pool[0]}-{pool[1]}")
def test_every_pool_gives_the_bit_identical_race(tmp_path, pools, pool, rule):
    speculate = 0.3 if pool[1] > 1 else 0.0
    alone, race = alone_with(rule), a_race(rule)
    header = Header(name="test", seed=race.seed)
    with SQLiteLog.create(tmp_path / "log.sqlite", header) as log:
        log.add(race.candidates)
        drive(race, pools[pool], log, speculate=speculate)
        assert log.verdicts() == alone.verdicts
        assert log.finished.winner == alone.winner.id
    # The clock is the one thing that may differ.
    assert without_clock(race) == without_clock(alone)


@cache
def alone_with(rule: str) -> Race:
    """A race that is over, whose evaluations came one after the other."""
    return finish_with_seconds(a_race(rule))


def finish_with_seconds(race: Race) -> Race:
    while not race.done:
        for experiment in race.ask():
            race.tell(evaluate(experiment))
    return race


def without_clock(race: Race) -> tuple[object, ...]:
    stopped, winner, verdicts, ranking, spent, survivors = facts(race)
    return stopped, winner, verdicts, ranking, spent.evaluations, spent.target_time, survivors


class Crash(Exception):
    """The controller's death."""


class CrashingLog:
    """A log whose process dies at its write number `left`, which is not kept."""

    WRITES = ("record", "record_verdict", "finish", "end_session", "begin_session")

    def __init__(self, log: MemoryLog, left: int) -> None:
        self.log, self.left, self.dead = log, left, False

    def __getattr__(self, name: str):
        method = getattr(self.log, name)
        return self.counted(method) if name in self.WRITES else method

    def counted(self, method):
        def write(*args, **options):
            if self.left == 0 or self.dead:
                self.dead = True
                raise Crash
            self.left -= 1
            return method(*args, **options)

        return write


@pytest.mark.parametrize("rule", RULES)
def test_a_crash_at_any_write_is_resumed_to_the_same_race(rule):
    same = Remembered(RULES[rule]())  # most of the time would go into judging the same again
    whole = a_race(same)
    whole_log = a_log(whole)
    run(whole, whole_log, jobs=4, engine="threading")
    outcomes = len(whole_log.outcomes())
    crashes = outcomes + len(whole_log.verdicts()) + 3  # two for the session, one for the finish
    for crash in range(list(RULES).index(rule), crashes, len(RULES)):  # all, over the rules
        log = a_log(a_race(same))
        dying = CrashingLog(log, crash)
        with pytest.raises(Crash):
            run(a_race(same), dying)
        kept = log.outcomes()
        resumed = run(a_race(same), log)  # the log refuses a second outcome of an experiment
        assert log.outcomes()[: len(kept)] == kept
        assert log.verdicts() == whole_log.verdicts()
        assert log.finished == whole_log.finished
        assert without_clock(resumed) == without_clock(whole)
    run(a_race(same), CrashingLog(a_log(a_race(same)), crashes))  # there were no more writes


def test_every_outcome_is_committed_before_the_race_hears_of_it():
    race = a_race()
    log = a_log(race)
    seen = []

    def watch(race: Race, outcome: Outcome) -> None:
        assert log.outcomes()[-1] == outcome
        seen.append(outcome.key)

    run(race, log, RunOptions(watch=watch))
    assert seen == [outcome.key for outcome in log.outcomes()]
    assert len(set(seen)) == len(seen) == race.outcomes


def test_a_race_that_is_over_evaluates_nothing_and_says_the_same():
    log = a_log(first := a_race())
    run(first, log)
    before = log.outcomes(), log.sessions(), log.elapsed
    again = run(a_race(), log)
    assert (log.outcomes(), log.sessions(), log.elapsed) == before
    assert facts(again) == facts(first)
    assert [session.why for session in log.sessions()] == [first.stopped]


@pytest.mark.parametrize(("engine", "jobs"), [("in-process", 1), ("threading", 3)])
def test_an_interruption_finishes_what_runs_and_begins_nothing(engine, jobs):
    race = a_race("none")
    log = a_log(race)
    told = []
    options = RunOptions(
        watch=lambda race, outcome: told.append(outcome), interrupted=lambda: len(told) >= 30
    )
    run(race, log, options, jobs=jobs, engine=engine)
    assert not race.done
    assert 30 <= len(log.outcomes()) <= 30 + 2 * jobs
    assert log.finished is None
    assert log.sessions()[-1].why == "interrupted"
    whole = finish_with_seconds(a_race("none"))
    assert without_clock(run(a_race("none"), log)) == without_clock(whole)


def test_a_second_interruption_abandons_what_runs_and_says_so_in_the_log():
    race = a_race("none")
    log = a_log(race)
    clock = Clock()

    def watch(race: Race, outcome: Outcome) -> None:
        clock.now += 1.0
        if race.outcomes == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(race, log, RunOptions(watch=watch, clock=clock))
    assert len(log.outcomes()) == 10
    assert log.sessions()[-1].why == "KeyboardInterrupt: "
    assert log.elapsed == 10.0, "time that was spent counts, however the session ended"


class Batches:
    """Answers all experiments at once, and the last one only when it is asked again."""

    size = 4

    def __init__(self) -> None:
        self.finished: list[Outcome] = []

    @property
    def running(self) -> int:
        return len(self.finished)

    def submit(self, experiment: Experiment) -> None:
        self.finished.append(evaluate(experiment))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        found, self.finished = self.finished[:3], self.finished[3:]
        return found

    def copy(self, experiment: Experiment) -> None:
        """Nothing runs."""


@pytest.mark.parametrize("error", [KeyboardInterrupt, RaceError])
def test_what_has_finished_is_kept_when_a_watch_raises(error):
    def watch(race: Race, outcome: Outcome) -> None:
        raise error

    race = a_race("none")
    log = a_log(race)
    with pytest.raises(error):
        drive(race, Batches(), log, options=RunOptions(watch=watch))
    assert len(log.outcomes()) == 4
    assert log.sessions()[-1].why == f"{error.__name__}: "
    whole = finish_with_seconds(a_race("none"))
    assert without_clock(run(a_race("none"), log)) == without_clock(whole)


@pytest.mark.parametrize("jobs", [1, 4])
def test_what_is_known_is_not_evaluated_and_changes_nothing(jobs):
    def known(experiment: Experiment) -> Outcome | None:
        return evaluate(experiment) if experiment.candidate.id % 2 else None

    def watch(race: Race, outcome: Outcome) -> None:
        told.append(bool(outcome.worker))

    race, told = a_race("none"), list[bool]()
    run(race, a_log(race), RunOptions(watch=watch), jobs=jobs, engine="threading", known=known)
    assert without_clock(race) == without_clock(finish_with_seconds(a_race("none")))
    assert sum(told) == len(told) / 2


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class SlowPool:
    """Holds back every outcome until a timeout, during which the clock goes on."""

    size = 2

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.experiments: list[Experiment] = []
        self.dropped = False

    @property
    def running(self) -> int:
        return len(self.experiments)

    def submit(self, experiment: Experiment) -> None:
        self.experiments.append(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        assert timeout is not None, "with a limit on the clock, nothing is waited for without end"
        self.clock.now += timeout
        return []

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        self.dropped = experiments is None
        self.experiments.clear()


def test_wall_time_ends_a_race_whose_evaluations_are_long_and_kills_them():
    race = a_race(budget=Budget(wall_time=60))
    log, clock = a_log(race), Clock()
    pool = SlowPool(clock)
    drive(race, pool, log, options=RunOptions(clock=clock))
    assert race.stopped is Stop.WALL_TIME
    assert pool.dropped
    assert log.elapsed == 60
    assert log.finished.stopped == "wall_time"


def test_a_race_whose_time_is_up_is_over_when_it_is_resumed():
    log, clock = a_log(a_race()), Clock()
    drive(
        a_race(budget=Budget(wall_time=60)), SlowPool(clock), log, options=RunOptions(clock=clock)
    )
    again = a_race(budget=Budget(wall_time=60))
    drive(again, SlowPool(clock), log, options=RunOptions(clock=clock))
    assert again.stopped is Stop.WALL_TIME
    assert log.elapsed == 60


def test_wall_time_goes_on_while_an_interrupted_race_waits():
    race = a_race(budget=Budget(wall_time=60))
    log, clock = a_log(race), Clock()
    asked = iter([False])
    options = RunOptions(clock=clock, interrupted=lambda: next(asked, True))
    drive(race, SlowPool(clock), log, options=options)
    assert race.stopped is Stop.WALL_TIME


def test_wall_time_adds_up_over_sessions():
    log, clock = a_log(a_race("none")), Clock()

    def tick(race: Race, outcome: Outcome) -> None:
        clock.now += 1.0

    for stop_at in (10, 25):
        options = RunOptions(
            watch=tick, clock=clock, interrupted=lambda n=stop_at: len(log.outcomes()) >= n
        )
        run(a_race("none"), log, options)
        clock.now += 1e6  # between sessions the clock does not count
    assert log.elapsed == 25
    assert [o.elapsed for o in log.outcomes()] == list(range(25))


def test_the_policy_to_stop_keeps_what_runs_and_tries_again_when_resumed():
    costs = normal_world(6, 10, seed=1)
    broken = {(3, 4)}

    def target(experiment: Experiment) -> Outcome:
        key = experiment.candidate.values["column"], experiment.instance.problem
        if key in broken:
            return experiment.failure(message="broken")
        return experiment.outcome(costs[key[1], key[0]])

    whole = finish(a_race("none", costs), costs)
    log = a_log(a_race("none", costs))
    with open_pool(target, jobs=4, engine="threading") as pool:
        race = drive(a_race("none", costs), pool, log, stop_on_failure=True)
    assert race.stopped is Stop.TARGET_FAILED
    assert log.finished is None
    assert [(a.outcome.message, a.then) for a in log.failed_attempts()] == [("broken", "stopped")]
    assert not any(outcome.failed for outcome in log.outcomes())
    broken.clear()
    with open_pool(target) as pool:
        race = drive(a_race("none", costs), pool, log, stop_on_failure=True)
    assert race.verdicts == whole.verdicts
    assert race.winner == whole.winner


class FullDisk(MemoryLog):
    """A log that takes no more than so many outcomes."""

    room = 17

    def record(self, outcome, instance):
        self._check()
        super().record(outcome, instance)

    def end_session(self, why, *, elapsed=None):
        self._check()
        super().end_session(why, elapsed=elapsed)

    def _check(self):
        if len(self.outcomes()) >= self.room:
            raise LogError("the disk is full")


def test_a_log_that_fails_ends_the_session_with_its_first_error_and_loses_nothing():
    race = a_race()
    log = FullDisk(Header(name="test", seed=race.seed))
    log.add(race.candidates)
    with pytest.raises(LogError, match="the disk is full"):
        run(race, log, jobs=2, engine="threading")
    assert len(log.outcomes()) == 17
    log.room = 10**6
    resumed = run(a_race(), log)
    assert without_clock(resumed) == without_clock(finish_with_seconds(a_race()))


def test_a_log_of_other_outcomes_than_its_verdicts_is_refused():
    log = a_log(a_race())
    run(a_race(), log)
    with pytest.raises(LogError):
        run(a_race("mean-ranks"), log)


def test_a_pool_that_loses_an_experiment_is_noticed():
    class Hole(SlowPool):
        def submit(self, experiment):
            """Nothing is ever heard of it."""

    race = a_race()
    with pytest.raises(RaceError, match="nothing to run"):
        drive(race, Hole(Clock()), a_log(race))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 1.0])
def test_speculation_never_begins_more_than_its_share_over_all_sessions(share):
    """Counted by the target itself, so that evaluations that were ended count too."""
    costs = normal_world(10, 30, seed=4, noise=0.4)
    budget = Budget(evaluations=150)
    alone = finish(race_over(costs, RULES["sign"](), budget=budget, seed=2), costs)
    begun: list[tuple[int, int]] = []

    def target(experiment: Experiment) -> Outcome:
        begun.append(experiment.key)
        time.sleep(0.001 * (sum(experiment.key) % 4))
        cost = costs[experiment.instance.problem, experiment.candidate.values["column"]]
        return experiment.outcome(cost, seconds=1.0)  # slow enough to be handed out singly

    log = None
    for stop_at in (40, 90, 10**6):
        race = race_over(costs, RULES["sign"](), budget=budget, seed=2)
        log = log or a_log(race)
        options = RunOptions(interrupted=lambda n=stop_at: len(begun) >= n)
        with open_pool(target, jobs=8, engine="threading") as pool:
            drive(race, pool, log, speculate=share, options=options)
    assert without_clock(race)[:4] == without_clock(alone)[:4]
    assert len(set(begun)) == len(begun)
    assert len(begun) <= 150 + share * 150
    assert len(begun) <= race.spent.evaluations + race.wasted + log.dropped.evaluations
    if share == 0.0:
        assert len(begun) == race.spent.evaluations


class LatestFirst:
    """Ends what runs one by one, first the experiments that are needed last, or never."""

    size = 12

    def __init__(self, costs: np.ndarray) -> None:
        self.evaluate, self.begun = evaluator(costs), 0
        self.experiments: list[Experiment] = []

    @property
    def running(self) -> int:
        return len(self.experiments)

    def submit(self, experiment: Experiment) -> None:
        self.begun += 1
        self.experiments.append(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        last = max(self.experiments, key=lambda e: (e.instance.step, e.candidate.id))
        self.experiments.remove(last)
        return [replace(self.evaluate(last), seconds=1.0)]  # slow enough to be handed out singly

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        gone = None if experiments is None else {e.key for e in experiments}
        self.experiments = [e for e in self.experiments if gone is not None and e.key not in gone]


def drops_the_second(results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
    """The worst rule for those who speculate, which they do on the best first."""
    leader, second, *_ = standing(results, outlook.objective)
    gone = Elimination(
        candidate=results.id(int(second)), against=results.id(int(leader)),
        measure="said", value=0.0, threshold=0.0, statistic=0.0,
    )  # fmt: skip
    return Verdict(instances=len(results.block), leader=gone.against, eliminated=(gone,))


@pytest.mark.parametrize("share", [0.0, 0.02, 0.05])
def test_all_that_decides_nothing_is_within_the_share(share):
    """Answers that are told and wasted count, like those that were ended, over all sessions."""
    costs, budget = normal_world(20, 40, seed=4), Budget(evaluations=200)
    log, pool = None, LatestFirst(costs)
    for stop_at in (60, 110, 10**6):
        race = race_over(costs, drops_the_second, budget=budget, first_test=1)
        log = log or a_log(race)
        options = RunOptions(interrupted=lambda n=stop_at: pool.begun >= n)
        drive(race, pool, log, speculate=share, options=options)
    assert pool.begun - race.spent.evaluations == race.wasted + log.dropped.evaluations
    assert int(share * 200) // 2 <= race.wasted + log.dropped.evaluations <= int(share * 200)


def test_what_was_begun_and_ended_is_in_the_log():
    """A candidate is dropped while a later evaluation of it runs: that one never ends by itself."""
    costs = np.column_stack([np.zeros(12), np.arange(12.0), 5.0 + np.arange(12.0)])
    begun, gate = threading.Event(), threading.Event()

    def target(experiment: Experiment) -> Outcome:
        cell = experiment.instance.problem, experiment.candidate.values["column"]
        if cell[1] == 2 and experiment.instance.step >= 6:
            begun.set()
            gate.wait(60)
        if cell[1] == 0 and experiment.instance.step == 5:  # the last row before the test
            begun.wait(60)
        return experiment.outcome(costs[cell], seconds=1.0)

    race = race_over(costs, RULES["sign"](), first_test=6)
    log = a_log(race)
    with open_pool(target, jobs=4, engine="threading") as pool:
        drive(race, pool, log, speculate=1.0)
        gate.set()
    assert race.winner.id == 1
    assert log.dropped.evaluations > 0
    assert log.dropped.seconds > 0


@pytest.mark.parametrize("unit", ["usd", "tokens", "requests"])
def test_no_money_goes_ahead_that_was_not_kept_for_it(unit):
    costs = normal_world(10, 30, seed=4, noise=0.4)
    begun: list[tuple[int, int]] = []

    def target(experiment: Experiment) -> Outcome:
        begun.append(experiment.key)
        cost = costs[experiment.instance.problem, experiment.candidate.values["column"]]
        return replace(experiment.outcome(cost, seconds=1.0), spent={unit: 0.5})

    limits = {"evaluations": 150, "usd": 1000.0} if unit == "usd" else {"evaluations": 150}
    race = race_over(costs, RULES["sign"](), budget=Budget(**limits), seed=2)
    with open_pool(target, jobs=8, engine="threading") as pool:
        drive(race, pool, a_log(race), speculate=0.1)
    extra = len(begun) - race.spent.evaluations
    assert extra <= (0 if unit == "usd" else 15)
