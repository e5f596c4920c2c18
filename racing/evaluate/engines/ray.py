"""Experiments on a cluster of Ray (`pip install 'racing[ray]'`).

Ray only sends experiments to its nodes and outcomes back: on each node an actor, which reserves its
processors, has child processes that evaluate (`agent`), and the pool decides about retries
(`cluster`). The pool's size is the current number of the cluster's processors.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from racing.base.errors import TargetError, named, require
from racing.base.logs import logger
from racing.evaluate import family
from racing.evaluate.engines.agent import Agent
from racing.evaluate.engines.cluster import PATIENCE, Answer, Away, ClusterPool, Member, Place
from racing.evaluate.groups import GRACE
from racing.evaluate.watchdog import Watchdog
from racing.evaluate.work import Work, packed
from racing.evaluate.workers import STARTS

_LOGGER = logger(__name__)

QUIET = {"log_to_driver": False, "configure_logging": False}
MODE = "RAY_AUTH_MODE"
ANSWER = 10.0  # seconds in which an address must answer
CONTROL = "control"  # threads of an actor besides those for evaluations
THREADS = "OMP_NUM_THREADS"


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over a new one on this machine.

    A process has one connection to Ray: an existing one is used and left open.

    Raises
    ------
    MissingExtra
        If Ray is not installed.
    TargetError
        If there is no cluster, or no node of it is free.
    InputError
        If the work cannot be sent.
    """
    ray: Any = require("ray", extra="ray", purpose="engine ray")
    payload = packed(work)
    with contextlib.ExitStack() as ending:
        if not ray.is_initialized():
            with _signals_kept():
                if address is None:
                    _start(ray, size, ending)
                else:
                    _connect(ray, address)
            ending.callback(ray.shutdown)
        transport = RayTransport(ray, payload, work.timeout, ending=ending.pop_all())
    return ClusterPool(transport, retries=work.retries)


def _connect(ray: Any, address: str) -> None:
    """Connect to a cluster that runs."""
    try:
        _check_port(address)
        ray.init(address=address, **QUIET)
    except (OSError, RuntimeError, ValueError) as error:
        why = f"no cluster of Ray answers at {address}: {named(error)}"
        raise TargetError(why) from error


def _start(ray: Any, size: int, ending: contextlib.ExitStack) -> None:
    """Start a cluster on this machine, with processes that die with this one.

    Without help they would notice its death after 15 seconds.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    mark = f"{family.MARK}{secrets.token_hex(8)}"
    watchdog = Watchdog(f"{mark}=")
    watchdog.enter(0)
    ending.callback(watchdog.close)
    ending.callback(_set_mode, os.environ.get(MODE))
    os.environ[mark] = "ray"
    try:
        ray.init(
            address="local", num_cpus=size, include_dashboard=False,
            _node_ip_address="127.0.0.1", **QUIET,
        )  # fmt: skip
    finally:
        del os.environ[mark]


def _set_mode(before: str | None) -> None:
    """Connect to the next cluster with the mode of authentication of this process.

    From 2.60 on, Ray sets the mode of the whole process when it starts a cluster on this machine,
    and can then use no cluster of another mode.
    """
    if os.environ.get(MODE) == before:
        return
    if before is None:
        del os.environ[MODE]
    else:
        os.environ[MODE] = before
    with contextlib.suppress(ImportError, AttributeError):  # internal parts of Ray
        from ray._raylet import AuthenticationTokenLoader, Config

        Config.initialize("")  # reads the mode again
        AuthenticationTokenLoader.instance().reset_cache()


def _check_port(address: str) -> None:
    """Refuse an address without a server, for which Ray would wait for minutes."""
    if found := re.fullmatch(r"(?:ray://)?([^:/]+):(\d+)", address):
        socket.create_connection((found[1], int(found[2])), timeout=ANSWER).close()


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Context manager that restores the handler of SIGTERM: Ray's ends the process."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


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
        self, ray: Any, payload: bytes, timeout: float | None, *, ending: contextlib.ExitStack
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

    def send(
        self, place: Place, number: int, task: bytes, name: str, hear: Callable[[Answer], None]
    ) -> None:
        """Call the actor of the node."""
        if (node := self._node(place)) is None:  # lost meanwhile; the next check will show it
            hear(None)
            return
        try:
            future = node.actor.answer.remote(place[2], number, task, name).future()
        except Exception as error:
            hear(error if self._ray.is_initialized() else None)
            return
        future.add_done_callback(
            lambda done: self._done.put(lambda: hear(self._answer(place, done)))
        )

    def forget(self, number: int) -> None:
        """Do nothing: a call ends with its actor."""

    def kill(self, place: Place, number: int) -> None:
        """Call the actor beside its evaluations."""
        if (node := self._node(place)) is not None:
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

    def _node(self, place: Place) -> _Node | None:
        """The node of a place, unless its actor was lost."""
        node = self._nodes.get(place[0])
        return node if node is not None and node.id == place[1] else None

    def _answer(self, place: Place, done: Future[bytes]) -> Answer:
        """What came of a call; called in a thread of ours."""
        from ray.exceptions import RayTaskError

        error = done.exception()
        if error is None or isinstance(error, RayTaskError):
            return error or done.result()
        with self._lock:  # its actor, its node or the cluster is lost: the next check starts one
            if self._node(place) is not None:
                del self._nodes[place[0]]
        return None

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
