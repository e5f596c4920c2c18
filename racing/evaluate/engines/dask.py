"""Experiments on a cluster of Dask (`pip install 'racing[dask]'`).

Dask only sends experiments to its workers and outcomes back: a child process on the worker
evaluates (`agent`), and the pool decides about retries (`cluster`). Each task is bound to one
worker, and Dask never repeats it. The pool's size is the current number of the cluster's threads.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from typing import Any, cast

from racing.base.errors import TargetError, require
from racing.base.logs import only_warnings
from racing.evaluate.engines import cluster
from racing.evaluate.engines.agent import Agent
from racing.evaluate.engines.cluster import Answer, Away, ClusterPool, Member, Place
from racing.evaluate.work import Work, packed

require("distributed", extra="dask", purpose="engine dask")
from distributed import Client, LocalCluster, WorkerPlugin, get_worker  # noqa: E402

ANSWER = 5.0  # seconds in which a scheduler must answer during a run
LOST = ("KilledWorker", "CancelledError", "FutureCancelledError")


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over a new one on this machine.

    The new one has one worker with as many threads, and evaluations in its children.

    Raises
    ------
    MissingExtra
        If Dask is not installed.
    TargetError
        If there is no scheduler, or no worker.
    InputError
        If the work cannot be sent.
    """
    if address:
        return over(work, address, None)
    local: Any = LocalCluster
    own = local(
        n_workers=1,
        threads_per_worker=size,
        processes=True,
        dashboard_address="127.0.0.1:0",  # any free port: Dask's own may be in use
        scheduler_kwargs={"dashboard": False},
        host="127.0.0.1",
        silence_logs=50,  # logging.CRITICAL
    )
    return over(work, None, own)


def over(work: Work, address: str | None, own: Any) -> ClusterPool:
    """A pool over the cluster at an address, or over a given one, which it closes."""
    try:
        transport = DaskTransport(packed(work), work.timeout, address or own, own)
    except BaseException:
        if own is not None:
            own.close()
        raise
    return ClusterPool(transport, retries=work.retries)


class AgentPlugin(WorkerPlugin):
    """Brings an agent with the target to every worker of Dask, once.

    Parameters
    ----------
    name
        Of the plugin, different for every pool.
    payload
        The work as bytes; see `racing.evaluate.work`.
    timeout
        The time limit of an attempt in seconds.
    """

    def __init__(self, name: str, payload: bytes, timeout: float | None) -> None:
        self.name, self._payload, self._timeout = name, payload, timeout

    def setup(self, worker: Any) -> None:
        """Called by Dask when the worker gets the plugin."""
        self.agent = Agent(self._payload, self._timeout)

    def teardown(self, worker: Any) -> None:
        """Called by Dask when the plugin is removed, or the worker ends."""
        self.agent.close()


def answer(plugin: str, place: int, number: int, task: bytes, name: str) -> bytes:
    """A task of Dask: attempts an experiment (bytes); returns the report (bytes)."""
    agent = cast(AgentPlugin, get_worker().plugins[plugin]).agent
    return agent.answer(place, number, task, name)


async def kill(plugin: str, place: int, number: int, dask_worker: Any = None) -> None:
    """End an attempt; Dask runs this coroutine beside its tasks."""
    found: AgentPlugin | None = dask_worker.plugins.get(plugin)
    if found is not None:
        found.agent.kill(place, number)


class DaskTransport:
    """Tasks of Dask, each bound to one worker.

    Parameters
    ----------
    payload, timeout
        The work as bytes, and the time limit of an attempt.
    where
        The scheduler's address, its file (`….json`), or a cluster of Dask's.
    own
        The cluster to close with the transport.

    Raises
    ------
    TargetError
        If no scheduler answers.
    """

    name = "dask"

    def __init__(self, payload: bytes, timeout: float | None, where: Any, own: Any = None) -> None:
        self._where, self._own = where, own
        # It logs a lost connection with a traceback; the pool logs that it waits.
        only_warnings("distributed.batched")
        plugin = f"racing-{secrets.token_hex(8)}"
        self._plugin = AgentPlugin(plugin, payload, timeout)
        self._sent: dict[int, Any] = {}  # the futures of Dask, by the attempt's number
        self._scheduler = ""  # its id
        try:
            self._client = self._connect(cluster.PATIENCE)
        except OSError as error:
            raise TargetError(f"no scheduler of Dask answers at {where}: {error}") from error

    def members(self) -> dict[Member, int]:
        """See `Transport`; a restarted scheduler has new members."""
        client = self._client
        try:
            if client.status != "running":
                raise ConnectionError(f"its client is {client.status}")
            heard = client.sync(client.scheduler.identity, callback_timeout=ANSWER)
        except OSError as error:
            self._come_back()
            raise Away(f"no scheduler of Dask answers at {self._where}: {error}") from error
        if (scheduler := str(heard["id"])) != self._scheduler:
            self._send_plugin()
            self._scheduler = scheduler
        return {
            (at, f"{scheduler}/{one['id']}"): int(one["nthreads"])
            for at, one in heard["workers"].items()
        }

    def send(
        self, place: Place, number: int, task: bytes, name: str, hear: Callable[[Answer], None]
    ) -> None:
        """Submit a task."""
        client, plugin = self._client, self._plugin.name
        try:
            future = self._sent[number] = client.submit(
                answer, plugin, place[2], number, task, name,
                key=f"{plugin}-{number}", workers=[place[0]], allow_other_workers=False,
                retries=0, pure=False,
            )  # fmt: skip
        except Exception as error:
            hear(error if client.status == "running" else None)
            return
        future.add_done_callback(lambda done: hear(self._answer(number, done)))

    def forget(self, number: int) -> None:
        """Cancel a task."""
        with contextlib.suppress(Exception):
            self._sent.pop(number).cancel(force=True)

    def kill(self, place: Place, number: int) -> None:
        """Call the agent outside of Dask's tasks."""
        if self._client.status != "running":
            return  # it would block; workers without a scheduler end by themselves
        with contextlib.suppress(Exception):  # the worker of Dask may be gone
            self._client.run(
                kill, self._plugin.name, place[2], number,
                workers=[place[0]], wait=False, on_error="ignore",
            )  # fmt: skip

    def close(self) -> None:
        """Remove the agents from the workers, and disconnect from the cluster."""
        running = self._client.status == "running"
        with contextlib.suppress(Exception):
            if running:
                self._client.unregister_worker_plugin(self._plugin.name)
        with contextlib.suppress(Exception):
            self._client.close(*([] if running else [ANSWER]))
        with contextlib.suppress(Exception):
            if self._own is not None:
                self._own.close()

    def _connect(self, patience: float) -> Any:
        file = isinstance(self._where, str) and self._where.endswith(".json")
        where = {"scheduler_file" if file else "address": self._where}
        client: Any = Client
        return client(**where, set_as_default=False, timeout=patience)

    def _come_back(self) -> None:
        """Connect again if Dask's client does not."""
        status = self._client.status
        if self._own is not None and status == "closed":
            raise TargetError(
                "the cluster of Dask on this machine has ended; recorded outcomes are kept, and "
                "`racing resume` continues"
            )
        if self._own is not None or status == "connecting":
            return
        try:
            client = self._connect(ANSWER)
        except OSError:
            return
        if status == "closed" or client.scheduler_info()["id"] != self._scheduler:
            self._client, client = client, self._client
        with contextlib.suppress(Exception):
            client.close(ANSWER)

    def _send_plugin(self) -> None:
        """Let all current and later workers start an agent."""
        try:
            self._client.register_plugin(self._plugin, name=self._plugin.name)
        except ImportError as error:
            raise TargetError(f"workers of Dask need racing installed: {error}") from error

    def _answer(self, number: int, future: Any) -> Answer:
        """Called in a thread of Dask when a task has ended in any way."""
        self._sent.pop(number, None)
        if future.status == "finished":
            with contextlib.suppress(Exception):  # its worker was lost with the result
                return cast(bytes, future.result(timeout=cluster.PATIENCE))
        if future.status != "error":
            return None  # lost, or cancelled, also with the scheduler
        error: BaseException = future.exception(timeout=cluster.PATIENCE)
        if type(error).__name__ in LOST or isinstance(error, KeyError):
            return None  # with its worker; or that one is new, and does not have the target yet
        if isinstance(error, ImportError):
            return TargetError(
                f"a worker of Dask cannot run racing, which must be installed there: {error}"
            )
        return error
