"""A race on a cluster of Dask: scheduler and workers are processes of their own, on loopback."""

from __future__ import annotations

import contextlib
import socket
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from racing.base.errors import TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.race import Race
from tests.evaluate import cluster_kit
from tests.evaluate.cluster_kit import (
    a_race,
    alone,
    decided,
    driven,
    opened,
    slow,
    stuck,
)
from tests.evaluate.dask_kit import Dask
from tests.waiting import eventually

pytest.importorskip("distributed", reason="the engine dask needs the extra racing[dask]")
from tests.evaluate.cluster_laws import *  # noqa: F403

pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's, about sockets and loops


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    cluster.join()
    try:
        yield cluster
    finally:
        cluster.close()


def test_threads_of_dask_do_not_outlive_the_pool(cluster: Dask) -> None:
    with opened("dask", cluster.address, stuck):
        pass
    own = (one.name for one in threading.enumerate() if "racing" in one.name)
    assert not [name for name in own if name != "racing-asyncio"]  # that of the process


def test_no_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from racing.evaluate.engines import cluster as pools

    monkeypatch.setattr(pools, "PATIENCE", 0.5)
    with pytest.raises(TargetError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        open_pool(Evaluator(Function(stuck)), engine="dask", address="tcp://127.0.0.1:9")


def test_a_cluster_of_this_machine_needs_no_port_of_its_own() -> None:
    """Dask's usual port belongs to another cluster, say."""
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # taken by another program: as good
            other.bind(("127.0.0.1", 8787))
            other.listen()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with open_pool(Evaluator(Function(cluster_kit.one)), engine="dask") as pool:
                pool.submit(Experiment(Candidate(1, {}), Instance(0, "a", 7)))
                found = pool.wait()
    assert not [one for one in said if "8787" in str(one.message)]
    assert [outcome.cost for outcome in found] == [1.0]


class TestScheduler:
    """The scheduler is killed in mid-race; its workers end with it."""

    @pytest.mark.parametrize("how", ["kill", "terminate"])
    def test_one_that_comes_back_is_used_again(
        self, tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        cluster = Dask(tmp_path)
        before = cluster.join()

        def watch(race: Race, outcome: Outcome) -> None:
            if race.outcomes == 20:
                getattr(cluster.scheduler, how)()
                cluster.scheduler.wait()
                before.kill()
                cluster.start_scheduler()
                cluster.join()

        race = a_race()
        try:
            with opened("dask", cluster.address, slow) as pool:
                log = driven(pool, race, watch=watch)
        finally:
            cluster.close()
        assert decided(race) == alone(a_race())
        assert {outcome.attempts for outcome in log.outcomes()} == {1}, "nobody is charged"

    def test_one_that_stays_away_ends_the_run_with_a_clear_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        from racing.evaluate.engines import cluster as pools

        monkeypatch.setattr(pools, "OUTAGE", 1.0)
        cluster = Dask(tmp_path)
        cluster.join()
        race = a_race()

        def watch(race: Race, outcome: Outcome) -> None:
            if race.outcomes == 20:
                cluster.close()

        try:
            with (
                opened("dask", cluster.address, slow) as pool,
                pytest.raises(TargetError, match="the scheduler of dask is lost: no scheduler"),
            ):
                driven(pool, race, watch=watch)
        finally:
            cluster.close()
        assert race.outcomes >= 20, "what was told stays told"
        assert "does not answer; waiting" in caplog.text


@pytest.mark.cluster
def test_engines_workers_speculation_and_order_change_nothing(tmp_path: Path) -> None:
    """On 1, 2 and 8 workers."""
    cluster = Dask(tmp_path)
    try:
        cluster.join()
        with opened("dask", cluster.address) as pool:
            for size, more in ((1, 1), (2, 6), (8, 0)):
                assert eventually(lambda size=size: pool.size == size)
                cluster_kit.check_identical(pool)
                if more:
                    cluster.join(threads=more)
    finally:
        cluster.close()
