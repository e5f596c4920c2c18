"""A race on a cluster of Dask: scheduler and workers are processes of their own, on loopback."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import TargetError
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import Pool, open_pool
from racing.experiment import Experiment, Instance, Outcome
from racing.log import MemoryLog, header_of
from racing.loop import drive
from racing.race import Race
from racing.rules import RULES
from tests.worlds import facts, hard_world, race_over

pytest.importorskip("distributed", reason="the engine dask needs the extra racing[dask]")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's, about sockets and loops

COSTS = hard_world(6, 14, seed=3).tolist()
PATIENCE = 120


def program(*words: object) -> subprocess.Popen[bytes]:
    """A program of Dask's, quiet and without a dashboard."""
    quiet = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, words)],
        env={**os.environ, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Dask:
    """A scheduler, and workers with one thread each that come and go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / "scheduler.json"
        self.scheduler = program(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0,
            "--no-dashboard", "--scheduler-file", file,
        )  # fmt: skip
        limit = time.monotonic() + PATIENCE
        while not file.exists() and time.monotonic() < limit:
            time.sleep(0.05)
        time.sleep(0.1)
        import json

        self.address = str(json.loads(file.read_text())["address"])
        self.workers: list[subprocess.Popen[bytes]] = []

    def join(self, *options: str) -> subprocess.Popen[bytes]:
        """Another worker."""
        worker = program(
            "distributed.cli.dask_worker", self.address, "--nthreads", 1, "--no-dashboard",
            "--host", "127.0.0.1", "--local-directory", self.folder, *(options or ["--no-nanny"]),
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        for one in (*self.workers, self.scheduler):
            one.kill()
            one.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    cluster.join()
    try:
        yield cluster
    finally:
        cluster.close()


def a_race() -> Race:
    return race_over(
        hard_world(6, 14, seed=3), RULES["sign"](), seed=2, budget=Budget(evaluations=80)
    )


def solve(values: dict[str, int], row: int, seed: int) -> float:
    time.sleep(0.01)
    if COSTS[row][values["column"]] == float("inf"):
        raise ValueError("made to fail")
    return float(COSTS[row][values["column"]])


def by_value(function: Callable[..., float]) -> Callable[..., float]:
    """The function as it is sent where this file cannot be imported."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[function.__module__])
    return function


def opened(dask: Dask, function: Callable[..., float], **options: float) -> Pool:
    target = Function(by_value(function), **options)  # type: ignore[arg-type]
    return open_pool(Evaluator(target), engine="dask", address=dask.address)


def raced(
    pool: Pool, watch: Callable[[Race, Outcome], None] | None = None
) -> tuple[Race, MemoryLog]:
    from racing.loop import RunOptions

    race = a_race()
    log = MemoryLog(header_of(race))
    with pool:
        drive(race, pool, log, speculate=0.1, options=RunOptions(watch=watch) if watch else None)
    return race, log


def alone() -> tuple[object, ...]:
    race = a_race()
    while not race.done:
        for one in race.ask():
            cost = COSTS[one.instance.problem][one.candidate.values["column"]]
            race.tell(one.failure() if cost == float("inf") else one.outcome(cost))
    return decided(race)


def decided(race: Race) -> tuple[object, ...]:
    stopped, winner, verdicts, ranking, spent, survivors = facts(race)
    return stopped, winner, verdicts, ranking, spent.evaluations, survivors


def test_a_worker_that_is_killed_and_one_that_comes_change_nothing(dask: Dask) -> None:
    """The whole race is as in one process; nothing is lost, and nobody is charged."""
    lost = dask.join()

    def watch(race: Race, outcome: Outcome) -> None:
        if race.outcomes == 20:
            lost.kill()
            dask.join("--nanny")

    race, log = raced(opened(dask, solve), watch)
    assert decided(race) == alone()
    assert {outcome.attempts for outcome in log.outcomes()} == {1}
    assert {outcome.worker.partition("-")[0] for outcome in log.outcomes()} == {"dask"}


def stuck(values: dict[str, float], row: int, seed: int) -> float:
    time.sleep(values["sleep"])
    return os.getpid()


def experiments(*sleeps: float) -> list[Experiment]:
    from racing.candidate import Candidate
    from racing.experiment import Instance

    return [
        Experiment(Candidate(k, {"sleep": one}), Instance(0, "a", 1))
        for k, one in enumerate(sleeps, start=1)
    ]


def test_limits_are_kept_and_what_is_dropped_is_killed(dask: Dask) -> None:
    with opened(dask, stuck, timeout=1.0) as pool:
        (slow,) = experiments(600.0)
        pool.submit(slow)
        (outcome,) = pool.wait(PATIENCE)
        assert outcome.status == "timeout"
    with opened(dask, stuck) as pool:
        first, *others = experiments(0.0, 600.0, 600.0, 600.0)
        pool.submit(first)
        (outcome,) = pool.wait(PATIENCE)
        child = Path(f"/proc/{int(outcome.cost)}")
        for one in others:
            pool.submit(one)
        time.sleep(0.5)
        pool.drop(others)
        begun = time.monotonic()
        pool.submit(experiments(0.0)[0])
        assert pool.wait(PATIENCE), "the workers are free again"
        assert time.monotonic() - begun < PATIENCE
    limit = time.monotonic() + PATIENCE
    while child.exists() and time.monotonic() < limit:
        time.sleep(0.05)
    assert not child.exists(), "no child is left once the pool is closed"


def dies(values: dict[str, float], row: int, seed: int) -> float:
    os._exit(3)


def test_a_child_that_dies_is_tried_once_more_and_takes_no_worker_with_it(dask: Dask) -> None:
    with opened(dask, dies) as pool:
        pool.submit(experiments(0.0)[0])
        (outcome,) = pool.wait(PATIENCE)
    assert outcome.status == "crashed"
    assert outcome.attempts == 2
    with opened(dask, stuck) as pool:
        pool.submit(experiments(0.0)[0])
        assert pool.wait(PATIENCE)[0].status == "ok"


def test_no_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from racing.evaluate.engines import dask_pool

    monkeypatch.setattr(dask_pool, "PATIENCE", 0.5)
    with pytest.raises(TargetError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        open_pool(Evaluator(Function(stuck)), engine="dask", address="tcp://127.0.0.1:9")


def test_the_place_of_a_lost_worker_is_given_to_nobody() -> None:
    from racing.evaluate.engines.dask_pool import Cluster, DaskWorker

    class Client:
        """Tells who is in the cluster."""

        def __init__(self) -> None:
            self.workers: dict[str, dict[str, object]] = {}

        def scheduler_info(self, n_workers: int) -> dict[str, object]:
            return {"workers": self.workers}

    client = Client()
    cluster = Cluster(client)
    client.workers = {"a": {"id": "1", "nthreads": 2}, "b": {"id": "2", "nthreads": 1}}
    assert cluster.look() == (3, [])
    reports: list[object] = []
    workers = [
        DaskWorker(f"dask-{k}", cluster, {}, lambda worker, report: reports.append(report))
        for k in range(3)
    ]
    assert sorted(worker.place[0] for worker in workers) == ["a", "a", "b"]
    client.workers = {"a": {"id": "9", "nthreads": 1}}  # started again at the same address
    places, gone = cluster.look()
    assert places == 1
    assert set(gone) == set(workers)
    replacement = DaskWorker("dask-4", cluster, {}, lambda *_: None)
    assert replacement.place == ("a", "9", 0)
    with contextlib.suppress(IndexError):
        DaskWorker("dask-5", cluster, {}, lambda worker, report: reports.append(report)).start(
            experiments(0.0)[0]
        )
    assert [one.alive for one in reports] == [False], "without a place it reports at once"  # type: ignore[attr-defined]


def test_an_attempt_that_was_dropped_on_its_way_is_not_begun() -> None:
    """The order to kill it can come to the worker of Dask before the attempt does."""
    from racing.evaluate.engines.dask_agent import _Slot
    from racing.evaluate.running import Running

    running = Running()
    slot = _Slot(b"no work", None, running)
    [experiment, *_] = experiments(0.0)
    slot.kill(7)
    for number in (6, 7):
        assert slot.attempt(number, experiment, "dask-1").outcome is None
    assert slot.attempt(8, experiment, "dask-1").outcome is not None
    slot.end()
    slot.join()
    assert len(running) == 0


def test_threads_of_dask_do_not_outlive_the_pool(dask: Dask) -> None:
    with opened(dask, stuck):
        pass
    assert not [one for one in threading.enumerate() if "racing" in one.name]


def test_a_cluster_of_this_machine_needs_no_port_of_its_own() -> None:
    """Dask's usual port belongs to another cluster, say."""
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # taken by another program: as good
            other.bind(("127.0.0.1", 8787))
            other.listen()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with open_pool(Evaluator(Function(_one)), engine="dask") as pool:
                pool.submit(Experiment(Candidate(1, {}), Instance(0, "a", 7)))
                found = pool.wait()
    assert not [one for one in said if "8787" in str(one.message)]
    assert [outcome.cost for outcome in found] == [1.0]


def _one(values: object, instance: object, seed: int) -> float:
    return 1.0
