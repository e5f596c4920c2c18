"""The transport to agents in actors of Ray: one on each node, which reserves its processors."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from racing.base.errors import TargetError, named
from racing.base.logs import logger
from racing.core.experiment import Experiment
from racing.evaluate.engines.agent import Agent
from racing.evaluate.engines.transport import (
    PATIENCE,
    Away,
    Member,
    Place,
    Sent,
    Unsent,
    report_in,
    unsendable,
)
from racing.evaluate.groups import GRACE
from racing.evaluate.packing import experiment_bytes
from racing.evaluate.worker import Report
from racing.evaluate.workers import STARTS

_LOGGER = logger(__name__)

CONTROL = "control"  # threads of an actor besides those for evaluations
THREADS = "OMP_NUM_THREADS"


class RayAgent(Agent):
    """An agent as an actor of Ray; targets use as many threads as on the controller."""

    def __init__(self, payload: bytes, timeout: float | None, threads: str) -> None:
        os.environ[THREADS] = threads  # Ray sets it to the processors of the actor
        super().__init__(payload, timeout)

    def ready(self) -> bool:
        """Return when the actor can be used."""
        return True


@dataclass(eq=False)
class _Node:
    """A node of Ray, and the actor on it."""

    actor: Any
    id: str
    places: int
    begun: Any  # a reference that completes when the actor has started
    ready: bool = False


class RayTransport:
    """Calls of actors.

    Parameters
    ----------
    ray
        The module, connected to a cluster.
    payload, timeout
        The work as bytes, and the time limit of an attempt.
    ending
        What ends with the transport: the connection, and a cluster started for it.
    """

    name = "ray"

    def __init__(
        self,
        ray: Any,
        payload: bytes,
        timeout: float | None,
        *,
        ending: contextlib.ExitStack,
    ) -> None:
        self._ray, self._ending = ray, ending
        self._arguments = payload, timeout, os.environ.get(THREADS, "1")
        self._actor = ray.remote(concurrency_groups={CONTROL: 2})(RayAgent)
        self._nodes: dict[str, _Node] = {}
        self._failed: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._done: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # Ray's thread must not block, so it calls no listener.
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()

    def members(self) -> dict[Member, int]:
        """See `Transport`; a node counts when its actor has started."""
        rooms = self._rooms()
        with self._lock:
            self._nodes = {at: node for at, node in self._nodes.items() if at in rooms}
            for at, places in rooms.items():
                if at not in self._nodes and self._failed[at] < STARTS:
                    self._nodes[at] = self._begin(at, places)
            for at in [at for at, node in self._nodes.items() if not node.ready]:
                self._settle(at)
            return {(at, one.id): one.places for at, one in self._nodes.items() if one.ready}

    def send(self, place: Place, number: int, experiment: Experiment, name: str) -> Sent:
        """Call the actor of the node."""
        node = self._nodes.get(place[0])
        if node is None or node.id != place[1]:  # lost meanwhile; the next check will show it
            return Unsent()
        try:
            task = experiment_bytes(experiment)
            future = node.actor.answer.remote(place[2], number, task, name).future()
        except Exception as error:
            return Unsent(unsendable(experiment, error) if self._ray.is_initialized() else None)
        return _Call(self, future, place, experiment)

    def kill(self, place: Place, number: int) -> None:
        """Call the actor beside its evaluations."""
        node = self._nodes.get(place[0])
        if node is not None and node.id == place[1]:
            with contextlib.suppress(Exception):
                node.actor.kill.options(concurrency_group=CONTROL).remote(place[2], number)

    def close(self) -> None:
        """End the agents and their actors, and disconnect from the cluster."""
        with contextlib.suppress(Exception):
            ending = [
                node.actor.close.options(concurrency_group=CONTROL).remote()
                for node in self._nodes.values()
                if node.ready
            ]
            self._ray.wait(ending, num_returns=len(ending), timeout=4 * GRACE)
        for node in self._nodes.values():
            with contextlib.suppress(Exception):
                self._ray.kill(node.actor)
        self._done.put(None)
        self._teller.join(GRACE)
        self._ending.close()

    def forget(self, place: Place) -> None:
        """Note that an actor has died, so that the next check starts another one."""
        with self._lock:
            node = self._nodes.get(place[0])
            if node is not None and node.id == place[1]:
                del self._nodes[place[0]]

    def hand_over(self, call: Callable[[], None]) -> None:
        """Call something in a thread of ours."""
        self._done.put(call)

    def _rooms(self) -> dict[str, int]:
        """The live nodes, with their numbers of processors."""
        try:
            found = self._ray.nodes()
        except Exception as error:
            raise Away(f"Ray does not answer: {named(error)}") from error
        rooms = {
            one["NodeID"]: int(one["Resources"].get("CPU", 0)) for one in found if one["Alive"]
        }
        return {at: places for at, places in rooms.items() if places}

    def _begin(self, at: str, places: int) -> _Node:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor = self._actor.options(
            num_cpus=places,
            max_concurrency=places,
            max_restarts=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(at, soft=False),
        ).remote(*self._arguments)
        return _Node(actor, actor._actor_id.hex(), places, actor.ready.remote())

    def _settle(self, at: str) -> None:
        """Check whether the actor of a node has started or failed."""
        node = self._nodes[at]
        done, _ = self._ray.wait([node.begun], timeout=0)
        if not done:
            return
        try:
            node.ready = self._ray.get(node.begun, timeout=PATIENCE)
        except Exception as error:
            del self._nodes[at]
            self._failed[at] += 1
            if "ModuleNotFoundError" in str(error) or "ImportError" in str(error):
                raise TargetError(
                    f"nodes of Ray need racing installed, in the same version: {named(error)}"
                ) from error
            _LOGGER.warning("a node of Ray cannot be used: %s", named(error))

    def _tell(self) -> None:
        while (call := self._done.get()) is not None:
            call()


class _Call:
    """A call of an actor's method."""

    def __init__(
        self,
        transport: RayTransport,
        future: Future[bytes],
        place: Place,
        experiment: Experiment,
    ) -> None:
        self._transport, self._future = transport, future
        self._place, self._experiment = place, experiment

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        def hand_over(done: Future[bytes]) -> None:
            self._transport.hand_over(lambda: tell(self._report(done)))

        self._future.add_done_callback(hand_over)

    def cancel(self) -> None:
        """Note that it ended with its actor."""

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(Exception):
            self._future.exception(seconds)

    def _report(self, done: Future[bytes]) -> Report | None:
        from ray.exceptions import RayTaskError

        match error := done.exception():
            case None:
                return report_in(done.result())
            case RayTaskError():
                return unsendable(self._experiment, error)
            case _:  # its actor, its node or the cluster is lost
                self._transport.forget(self._place)
                return None
