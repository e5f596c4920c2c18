"""A pool over a cluster of Dask, whose size follows the cluster."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
from typing import Any

from racing.errors import TargetError
from racing.evaluate.engines import dask_agent
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, named
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool
from racing.experiment import Experiment, Outcome, Status

NAME = "dask"
LOOK = 0.25  # seconds between looks at who is in the cluster
PATIENCE = 60.0  # seconds in which a scheduler must answer, and a first worker be there
LOSSES = 3  # workers that an experiment may lose before it is taken to be the reason

Place = tuple[str, str, int]
"""Address of a worker, its id (a new one if it was started again), and which of its threads."""


class Cluster:
    """The cluster, as this pool uses it: who is there, and whose places are taken."""

    def __init__(self, client: Any, own: Any = None) -> None:
        self.client, self._own = client, own
        self.plugin = f"racing-{secrets.token_hex(8)}"
        self.numbers = itertools.count(1)  # of attempts
        self._lock = threading.Lock()
        self._threads: dict[tuple[str, str], int] = {}
        self._taken: dict[Place, DaskWorker] = {}

    def look(self) -> tuple[int, list[DaskWorker]]:
        """How many places there are, and whose place is gone since the last look.

        Raises
        ------
        OSError
            If the scheduler does not answer.
        """
        found = self.client.scheduler_info(n_workers=-1)["workers"]
        threads = {(at, str(one["id"])): int(one["nthreads"]) for at, one in found.items()}
        with self._lock:
            self._threads = threads
            gone = [worker for place, worker in self._taken.items() if place[:2] not in threads]
            for worker in gone:
                del self._taken[worker.place]
        return sum(threads.values()), gone

    def take(self, worker: DaskWorker) -> Place | None:
        """A free place, on the worker of Dask that has the most; None if there is none."""
        with self._lock:
            free = [
                (at, id, number)
                for (at, id), threads in self._threads.items()
                for number in range(threads)
                if (at, id, number) not in self._taken
            ]
            if not free:
                return None
            room = {place[:2]: 0 for place in free}
            for place in free:
                room[place[:2]] += 1
            best = max(free, key=lambda place: (room[place[:2]], -place[2]))
            self._taken[best] = worker
            return best

    def leave(self, place: Place) -> None:
        """Give a place back."""
        with self._lock:
            self._taken.pop(place, None)

    def close(self) -> None:
        """Take the children from the workers, and let go of the cluster."""
        with contextlib.suppress(Exception):
            self.client.unregister_worker_plugin(self.plugin)
        with contextlib.suppress(Exception):
            self.client.close()
        if self._own is not None:
            with contextlib.suppress(Exception):
                self._own.close()


class DaskPool(WorkerPool):
    """A pool whose size follows the cluster."""

    def __init__(self, cluster: Cluster, work: Work, payload: bytes) -> None:
        self._cluster = cluster
        self._over = threading.Event()
        losses: dict[tuple[int, int], int] = {}

        def spawn(name: str, tell: Tell) -> DaskWorker:
            return DaskWorker(name, cluster, losses, tell)

        super().__init__(0, retries=work.retries, engine=NAME, spawn=spawn, release=self._let_go)
        self._agents = dask_agent.Agents(cluster.plugin, payload, work.timeout)
        self._away = False
        self._begin()
        self._watch = threading.Thread(target=self._keep_following, daemon=True)
        self._watch.start()

    @property
    def size(self) -> int:
        """How many experiments can run at a time; 1 while there is no worker, to wait for one."""
        return max(self._size, 1)

    def _begin(self) -> None:
        """Send the target to every worker, and wait for the first one."""
        try:
            self._cluster.client.register_plugin(self._agents, name=self._agents.name)
            self._cluster.client.wait_for_workers(1, timeout=PATIENCE)
        except ImportError as error:
            raise TargetError(f"workers of Dask need racing installed: {error}") from error
        except TimeoutError as error:
            raise TargetError(f"Dask has no worker after {PATIENCE:g} s: {error}") from error
        self._follow()

    def _follow(self) -> None:
        """Have as many workers as the cluster has threads."""
        places, gone = self._cluster.look()
        if places != self._size or gone:
            self.resize(places)
        for worker in gone:
            worker.lose()

    def _keep_following(self) -> None:
        while not self._over.wait(LOOK):
            try:
                if self._away:  # it is another one, which does not have the target
                    self._cluster.client.register_plugin(self._agents, name=self._agents.name)
                self._follow()
                self._away = False
            except Exception as error:  # the scheduler is away; the client tries to come back
                self._away = True
                if self._cluster.client.status in ("closed", "closing"):
                    if not self._over.is_set():
                        self._break(TargetError(f"the scheduler of Dask is gone: {named(error)}"))
                    return

    def _let_go(self) -> None:
        self._over.set()
        self._watch.join(PATIENCE)
        self._cluster.close()


class DaskWorker:
    """One thread of a worker of Dask, with the child process that evaluates for it."""

    def __init__(
        self, name: str, cluster: Cluster, losses: dict[tuple[int, int], int], tell: Tell
    ) -> None:
        self.name = name
        self._cluster, self._losses, self._tell = cluster, losses, tell
        self._number = 0
        self._experiment: Experiment | None = None
        self._future: Any = None
        self._lock = threading.Lock()
        self.place: Place = ("", "", -1)
        taken = cluster.take(self)
        self._lost = taken is None
        if taken is not None:
            self.place = taken

    def start(self, experiment: Experiment) -> None:
        """Send an experiment to the worker of Dask."""
        with self._lock:
            self._experiment, self._number = experiment, next(self._cluster.numbers)
            if not self._lost:
                future = self._future = self._submit(experiment)
        if self._lost:
            self._end(self._number, Report(alive=False))
            return
        number = self._number
        future.add_done_callback(lambda done: self._done(number, done))

    def kill(self) -> None:
        """Kill the child."""
        address, _, place = self.place
        with contextlib.suppress(Exception):  # the worker of Dask may be gone
            self._cluster.client.run(
                dask_agent.kill,
                self._cluster.plugin,
                place,
                self._number,
                workers=[address],
                wait=False,
                on_error="ignore",
            )

    def lose(self) -> None:
        """The worker of Dask is gone: nobody is to blame, unless it happens again and again."""
        with self._lock:
            self._lost = True
            experiment, future, number = self._experiment, self._future, self._number
        if future is not None:
            with contextlib.suppress(Exception):
                future.cancel(force=True)
        if experiment is None:
            return
        self._losses[experiment.key] = losses = self._losses.get(experiment.key, 0) + 1
        if losses < LOSSES:
            self._end(number, Report(alive=False))
            return
        why = f"{DIED}: {LOSSES} workers of Dask were lost while they evaluated it"
        outcome = experiment.failure(Status.CRASHED, why)
        self._end(number, Report(outcome, alive=False, died=True))

    def end(self) -> None:
        """Give the place back; the child stays for whoever comes next, till the pool closes."""
        self._cluster.leave(self.place)

    def join(self, seconds: float) -> None:
        """Wait for what was killed, so that its child has ended."""
        if self._future is not None and not self._lost:
            with contextlib.suppress(Exception):
                self._future.result(timeout=seconds)

    def gone(self) -> bool:
        """Whether nothing is left of it in this process."""
        return self._experiment is None

    def _submit(self, experiment: Experiment) -> Any:
        return self._cluster.client.submit(
            dask_agent.attempt,
            self._cluster.plugin,
            self.place[2],
            self._number,
            experiment,
            self.name,
            key=f"{self._cluster.plugin}-{self._number}",
            workers=[self.place[0]],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )

    def _done(self, number: int, future: Any) -> None:
        """Called in a thread of Dask's when a task has ended, in whatever way."""
        if future.status == "finished":
            try:
                report = future.result(timeout=PATIENCE)
            except Exception:  # its worker went away with the result
                report = Report()
        elif future.status == "error":
            report = self._refused(future)
        else:  # cancelled, or lost with the scheduler
            report = Report()
        self._end(number, report)

    def _refused(self, future: Any) -> Report:
        """The task could not be run at all."""
        error = future.exception(timeout=PATIENCE)
        if type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError"):
            return Report()  # a worker was lost, which the next look will tell
        assert self._experiment is not None
        if isinstance(error, KeyError):
            return Report()  # a worker of another scheduler, which does not have the target yet
        if isinstance(error, ImportError):
            why = f"a worker of Dask cannot run racing, which must be installed there: {error}"
            return Report(broken=TargetError(why))
        what = f"crashed: could not be sent to or from its worker: {named(error)}"
        return Report(self._experiment.failure(Status.CRASHED, what))

    def _end(self, number: int, report: Report) -> None:
        """Report the end of an attempt, once."""
        with self._lock:
            if self._experiment is None or number != self._number:
                return
            experiment, self._experiment, self._future = self._experiment, None, None
        if isinstance(report.outcome, Outcome):
            self._losses.pop(experiment.key, None)
        self._tell(self, report)
