"""Every engine of this package is a pool, and so is one of a user's own."""

from __future__ import annotations

import inspect

import pytest

from racing.core.experiment import Experiment, Outcome
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.engines.in_process import InProcessPool
from racing.evaluate.work import Pool
from racing.evaluate.workers import WorkerPool
from tests.evaluate.cluster_kit import experiments

MEMBERS = [name for name, _ in inspect.getmembers(Pool) if not name.startswith("_")]


@pytest.mark.parametrize("kind", [WorkerPool, ClusterPool, InProcessPool])
def test_engines_have_every_member_with_the_same_arguments(kind: type) -> None:
    assert set(MEMBERS) == {"size", "running", "submit", "wait", "drop", "close"}
    for name in MEMBERS:
        wanted, own = getattr(Pool, name), getattr(kind, name)
        assert callable(own) == callable(wanted), name
        if callable(wanted):
            assert list(inspect.signature(own).parameters) == list(
                inspect.signature(wanted).parameters
            )


class Backwards:
    """A pool of a user's own: the last experiment first, each when it is waited for."""

    size = 3

    def __init__(self) -> None:
        self.queue: list[Experiment] = []
        self.closed = False

    @property
    def running(self) -> int:
        return len(self.queue)

    def submit(self, experiment: Experiment) -> None:
        self.queue.append(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        done, self.queue = self.queue[-1:], self.queue[:-1]
        return [one.outcome(float(one.candidate.id)) for one in done]

    def drop(self, experiments: object = None) -> None:
        self.queue = []

    def close(self) -> None:
        self.drop()
        self.closed = True

    def __enter__(self) -> Backwards:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def test_a_race_is_the_same_on_a_pool_that_returns_the_last_first() -> None:
    import racing

    def of(pool: object) -> object:
        race = racing.minimize(
            lambda values, instance, seed: float(values["id"]), [{"id": k} for k in (1, 2, 3)],
            range(12), pool=pool,
        )  # fmt: skip
        return race.winner, race.eliminations, race.spent.evaluations

    pools: list[Backwards] = []

    def make(evaluate: object, size: int) -> Pool:
        pools.append(Backwards())
        return pools[0]

    assert of(make) == of("in-process")
    assert pools[0].closed
    assert pools[0].running == 0


def test_nothing_is_waited_for_where_nothing_runs() -> None:
    with Backwards() as pool:
        assert pool.wait() == []
        for one in experiments(0.0, 0.0):
            pool.submit(one)
        assert [one.candidate for one in pool.wait()] == [2]
        pool.drop()
        assert (pool.running, pool.wait()) == (0, [])
