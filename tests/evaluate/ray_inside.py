"""Races on clusters of Ray; to be run in a network namespace of its own, as `test_ray.py` does.

Head and nodes are processes of their own. The head has no processors, so that nothing runs there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from racing.base.errors import TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate import family
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from tests.evaluate import cluster_kit
from tests.evaluate.cluster_kit import (
    PATIENCE,
    experiments,
    opened,
    stuck,
)
from tests.waiting import eventually

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's, about sockets and files

ADDRESS = "127.0.0.1:6379"


class Ray:
    """A head, and nodes that come and go."""

    name, address = "ray", ADDRESS

    def __init__(self) -> None:
        self.nodes: list[subprocess.Popen[bytes]] = []
        self.start("--head", "--port", "6379", "--num-cpus", "0", "--include-dashboard", "false")

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        """A node, which leads a process group of its own."""
        node = subprocess.Popen(
            [
                sys.executable, "-m", "ray.scripts.scripts", "start", "--block",
                "--node-ip-address", "127.0.0.1", "--disable-usage-stats", *options,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self.nodes.append(node)
        return node

    def join(self, *, threads: int = 1) -> subprocess.Popen[bytes]:
        """Another node."""
        return self.start("--address", ADDRESS, "--num-cpus", str(threads))

    def replace(self, lost: subprocess.Popen[bytes]) -> None:
        """Kill a node; another one comes."""
        self.end(lost)
        self.join()

    def end(self, node: subprocess.Popen[bytes]) -> None:
        """Kill a node, all its processes at once."""
        os.killpg(node.pid, signal.SIGKILL)
        node.wait()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    import ray

    found = Ray()
    limit = time.monotonic() + PATIENCE
    while not ray.is_initialized():
        assert found.nodes[0].poll() is None, "the head has ended"
        assert time.monotonic() < limit
        with contextlib.suppress(Exception):  # the head does not answer yet
            ray.init(address=ADDRESS, log_to_driver=False)
    ray.shutdown()
    found.join()
    yield found
    for node in found.nodes:
        if node.poll() is None:
            found.end(node)


def test_engines_workers_speculation_and_order_change_nothing(cluster: Ray) -> None:
    """On 1, 2 and 8 workers."""
    extra = []
    with opened("ray", ADDRESS) as pool:
        for size, more in ((1, 1), (2, 6), (8, 0)):
            assert eventually(lambda size=size: pool.size == size)
            cluster_kit.check_identical(pool)
            if more:
                extra.append(cluster.join(threads=more))
        cluster.end(extra[1])
        assert eventually(lambda: pool.size == 2), "a node that is gone is not counted"


def test_an_actor_that_is_killed_is_started_again_and_charges_nobody(cluster: Ray) -> None:
    before = set(actors())
    with opened("ray", ADDRESS, stuck) as pool:
        pool.submit(experiments(3.0)[0])
        assert eventually(lambda: set(actors()) - before)
        time.sleep(1)  # the evaluation is under way
        for pid in set(actors()) - before:
            os.kill(pid, signal.SIGKILL)
        (outcome,) = pool.wait(PATIENCE)
    assert (outcome.status, outcome.attempts) == ("ok", 1)


def actors() -> list[int]:
    """Processes of agents."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::RayAgent"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_sigterm_means_what_it_meant(cluster: Ray) -> None:
    def handler(number: int, frame: object) -> None: ...

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with opened("ray", ADDRESS, cluster_kit.one):
            assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_cluster_of_this_machine_is_started_and_ended(cluster: Ray) -> None:
    with open_pool(Evaluator(Function(cluster_kit.one)), engine="ray", jobs=2) as pool:
        assert pool.size == 2
        pool.submit(Experiment(Candidate(1, {}), Instance(0, "a", 7)))
        assert [outcome.cost for outcome in pool.wait(PATIENCE)] == [1.0]
    with opened("ray", ADDRESS) as pool:
        pool.submit(experiments(0.0)[0])
        assert pool.wait(PATIENCE), "the other cluster can still be used"


HOLDER = """
import time
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
pool = open_pool(Evaluator(Function("math:hypot")), engine="ray", jobs=1)
print("open", flush=True)
time.sleep(600)
"""


def test_a_cluster_of_this_machine_dies_with_a_controller_that_is_killed(cluster: Ray) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        assert helpers()
        holder.kill()
    begun = time.monotonic()
    assert eventually(lambda: not helpers())
    assert time.monotonic() - begun < 10, "by themselves they take 15 s"


def helpers() -> set[int]:
    """Processes of a cluster that a controller has started."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"{family.MARK}".encode() in (said := path.read_bytes()) and b"=ray\0" in said:
                found.add(int(path.parent.name))
    return found


def test_no_cluster_is_a_clear_error(cluster: Ray) -> None:
    with pytest.raises(TargetError, match=r"no cluster of Ray answers at 127.0.0.1:9"):
        open_pool(Evaluator(Function(stuck)), engine="ray", address="127.0.0.1:9")


from tests.evaluate.cluster_laws import *  # noqa: E402, F403 (they come last: nodes join)
