"""What holds on every cluster: tests that engines import, each with a fixture `cluster`."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path
from typing import Protocol

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.race import Race
from tests.evaluate import mixes
from tests.evaluate.cluster_kit import (
    PATIENCE,
    a_race,
    alone,
    decided,
    dies,
    driven,
    experiments,
    one,
    opened,
    slow,
    stuck,
)
from tests.waiting import eventually


class Cluster(Protocol):
    """A cluster of processes on this machine."""

    name: str
    address: str

    def join(self, *, threads: int = 1) -> subprocess.Popen[bytes]:
        """Another machine."""

    def replace(self, lost: subprocess.Popen[bytes]) -> None:
        """Kill a machine; another one comes."""


def only(experiment: Experiment, cluster: Cluster, function: object, **options: float) -> Outcome:
    """The outcome of an experiment on a cluster."""
    with opened(cluster.name, cluster.address, function, **options) as pool:  # type: ignore[arg-type]
        pool.submit(experiment)
        (outcome,) = pool.wait(PATIENCE)
    return outcome


def test_every_evaluation_of_a_mix_has_its_own_outcome(cluster: Cluster) -> None:
    """The first one, as it compares what evaluations find: the machines must be alike."""
    with mixes.pool(cluster.name, timeout=5.0, address=cluster.address) as pool:
        mixes.check(pool, [*sorted(mixes.MIX.keys() - {"stop"}) * 2, "stop", "nothing"])


def test_a_machine_that_is_killed_and_one_that_comes_change_nothing(cluster: Cluster) -> None:
    """The whole race is as in one process; nothing is lost, and nobody is charged."""
    lost, race = cluster.join(), a_race()

    def watch(race: Race, outcome: Outcome) -> None:
        if race.outcomes == 20:
            cluster.replace(lost)

    with opened(cluster.name, cluster.address, slow) as pool:
        assert eventually(lambda: pool.size > 1)
        log = driven(pool, race, watch=watch)
    assert decided(race) == alone(a_race())
    assert {outcome.attempts for outcome in log.outcomes()} == {1}
    assert {outcome.worker.partition("-")[0] for outcome in log.outcomes()} == {cluster.name}


def test_limits_are_kept_and_what_is_dropped_is_killed(cluster: Cluster) -> None:
    assert only(experiments(600.0)[0], cluster, stuck, timeout=1.0).status == "timeout"
    with opened(cluster.name, cluster.address, stuck) as pool:
        first, *others = experiments(0.0, 600.0, 600.0, 600.0)
        pool.submit(first)
        (outcome,) = pool.wait(PATIENCE)
        child = Path(f"/proc/{int(outcome.cost)}")
        for each in others:
            pool.submit(each)
        time.sleep(0.5)
        pool.drop(others)
        pool.submit(experiments(0.0)[0])
        assert pool.wait(PATIENCE), "the workers are free again"
    assert eventually(lambda: not child.exists()), "no child is left once the pool is closed"


def test_a_child_that_dies_is_tried_once_more_and_takes_no_machine_with_it(
    cluster: Cluster,
) -> None:
    outcome = only(experiments(0.0)[0], cluster, dies)
    assert (outcome.status, outcome.attempts) == ("crashed", 2)
    assert only(experiments(0.0)[0], cluster, stuck).status == "ok"


def test_what_cannot_be_sent_is_a_failure_of_its_own(cluster: Cluster) -> None:
    locked = Experiment(Candidate(1, {"lock": threading.Lock()}), Instance(0, "a", 7))  # type: ignore[dict-item]
    outcome = only(locked, cluster, one)
    assert outcome.status == "crashed"
    assert "could not be sent" in outcome.message
