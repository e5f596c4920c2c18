"""The transport to agents in workers of Dask."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from typing import Any

import distributed

from racing.base.errors import TargetError
from racing.base.logs import only_warnings
from racing.core.experiment import Experiment
from racing.evaluate.engines import dask_agent, transport
from racing.evaluate.engines.transport import (
    Away,
    Member,
    Place,
    Sent,
    Unsent,
    report_in,
    unsendable,
)
from racing.evaluate.packing import experiment_bytes
from racing.evaluate.worker import Report

ANSWER = 5.0  # seconds in which a scheduler must answer during a run


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
        self._plugin = dask_agent.AgentPlugin(plugin, payload, timeout)
        self._scheduler = ""  # its id
        try:
            self._client = self._connect(transport.PATIENCE)
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

    def send(self, place: Place, number: int, experiment: Experiment, name: str) -> Sent:
        """Submit a task."""
        client, plugin = self._client, self._plugin.name
        try:
            task = experiment_bytes(experiment)
            future = client.submit(
                dask_agent.answer, plugin, place[2], number, task, name,
                key=f"{plugin}-{number}", workers=[place[0]], allow_other_workers=False,
                retries=0, pure=False,
            )  # fmt: skip
        except Exception as error:
            return Unsent(unsendable(experiment, error) if client.status == "running" else None)
        return _Task(future, experiment)

    def kill(self, place: Place, number: int) -> None:
        """Call the agent outside of Dask's tasks."""
        if self._client.status != "running":
            return  # it would block; workers without a scheduler end by themselves
        with contextlib.suppress(Exception):  # the worker of Dask may be gone
            self._client.run(
                dask_agent.kill,
                self._plugin.name,
                place[2],
                number,
                workers=[place[0]],
                wait=False,
                on_error="ignore",
            )

    def close(self) -> None:
        """Remove the agents from the workers, and disconnect from the cluster."""
        running = self._client.status == "running"
        with contextlib.suppress(Exception):
            if running:
                self._client.unregister_worker_plugin(self._plugin.name)
        with contextlib.suppress(Exception):
            self._client.close(*([] if running else [ANSWER]))
        if self._own is not None:
            with contextlib.suppress(Exception):
                self._own.close()

    def _connect(self, patience: float) -> Any:
        file = isinstance(self._where, str) and self._where.endswith(".json")
        where = {"scheduler_file" if file else "address": self._where}
        client: Any = distributed.Client
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


class _Task:
    """A future of Dask."""

    def __init__(self, future: Any, experiment: Experiment) -> None:
        self._future, self._experiment = future, experiment

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        self._future.add_done_callback(lambda done: tell(self._report(done)))

    def cancel(self) -> None:
        with contextlib.suppress(Exception):
            self._future.cancel(force=True)

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(Exception):
            self._future.result(timeout=seconds)

    def _report(self, future: Any) -> Report | None:
        """Called in a thread of Dask when a task has ended in any way."""
        if future.status == "finished":
            try:
                return report_in(future.result(timeout=transport.PATIENCE))
            except Exception:  # its worker was lost with the result
                return None
        if future.status == "error":
            return self._refused(future.exception(timeout=transport.PATIENCE))
        return None  # cancelled, or lost with the scheduler

    def _refused(self, error: BaseException) -> Report | None:
        """Report a task that could not be run."""
        if type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError"):
            return None  # a worker was lost; the next check will show it
        if isinstance(error, KeyError):
            return None  # a worker of another scheduler, which does not have the target yet
        if isinstance(error, ImportError):
            why = f"a worker of Dask cannot run racing, which must be installed there: {error}"
            return Report(broken=TargetError(why))
        return unsendable(self._experiment, error)
