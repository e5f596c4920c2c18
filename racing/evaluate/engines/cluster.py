"""A pool over a cluster with changing members; a transport has the parts of Dask or Ray."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Protocol

from racing.base.errors import RacingError, TargetError, named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Status
from racing.evaluate.task import DIED
from racing.evaluate.work import experiment_bytes
from racing.evaluate.workers import Report, Tell, Worker, WorkerPool, unsendable

_LOGGER = logger(__name__)

LOOK = 0.25  # seconds between checks of the members
LOSSES = 3  # lost members after which their experiment counts as the cause
PATIENCE = 60.0  # seconds in which a scheduler must answer, and the first worker must be available
OUTAGE = 600.0  # seconds without an answer of the scheduler before a run fails

Member = tuple[str, str]
"""A process of the cluster with an agent: its address, and a unique id."""

Place = tuple[str, str, int]
"""A member, and the number of one of its places."""

Answer = bytes | BaseException | None
"""What came of an attempt: the report as bytes; an error if it could not be sent or begun, where a
`TargetError` says that none can; None if it was lost, and another try may succeed."""


class Away(Exception):
    """The scheduler does not answer at present."""


class Transport(Protocol):
    """Sends experiments to agents on several machines, and answers back; thread-safe."""

    @property
    def name(self) -> str:
        """The name of the engine."""

    def members(self) -> dict[Member, int]:
        """The members with the target, and the number of places of each.

        Call it repeatedly: it sends the target to new members.

        Raises
        ------
        Away
            If the scheduler does not answer.
        TargetError
            If it never will, or no member can run racing.
        """

    def send(
        self, place: Place, number: int, task: bytes, name: str, hear: Callable[[Answer], None]
    ) -> None:
        """Send an attempt with a number to an agent, for the worker of this name.

        Parameters
        ----------
        task
            The experiment as bytes.
        hear
            Called with the answer, from any thread.
        """

    def forget(self, number: int) -> None:
        """Remove an attempt from the cluster, as its member is lost."""

    def kill(self, place: Place, number: int) -> None:
        """Let an agent end an attempt; does not wait or raise."""

    def close(self) -> None:
        """End the agents, and disconnect from the cluster."""


class Places:
    """The places for evaluations of a cluster, free and taken, and what the workers share."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.numbers = itertools.count(1)  # of attempts
        self.losses: Counter[tuple[int, int]] = Counter()  # by experiment
        self._lock = threading.Lock()
        self._rooms: dict[Member, int] = {}
        self._taken: dict[Place, ClusterWorker] = {}

    def update(self, rooms: dict[Member, int]) -> list[ClusterWorker]:
        """Note the current members; return the workers with lost places."""
        with self._lock:
            self._rooms = dict(rooms)
            gone = [worker for place, worker in self._taken.items() if place[:2] not in rooms]
            for worker in gone:
                del self._taken[worker.place]
        return gone

    def workers(self) -> list[ClusterWorker]:
        """The workers with places."""
        with self._lock:
            return list(self._taken.values())

    def take(self, worker: ClusterWorker) -> Place | None:
        """A free place, on the member with most free places; None if there is none."""
        with self._lock:
            free = [
                (*member, number)
                for member, room in self._rooms.items()
                for number in range(room)
                if (*member, number) not in self._taken
            ]
            if not free:
                return None
            left = Counter(place[:2] for place in free)
            best = max(free, key=lambda place: (left[place[:2]], -place[2]))
            self._taken[best] = worker
            return best

    def leave(self, place: Place) -> None:
        """Give a place back."""
        with self._lock:
            self._taken.pop(place, None)


class ClusterPool(WorkerPool):
    """A pool whose size follows the cluster.

    Parameters
    ----------
    transport
        To the cluster; the pool closes it.
    retries
        The number of failed attempts that are repeated.

    Raises
    ------
    TargetError
        If no member is available in time, or none can run racing.
    """

    def __init__(self, transport: Transport, *, retries: int) -> None:
        self._transport, self._places = transport, Places(transport)
        self._over = threading.Event()
        spawn = partial(ClusterWorker, self._places)
        super().__init__(
            0, retries=retries, engine=transport.name, spawn=spawn, release=self._let_go
        )
        self._away_since: float | None = None
        try:
            self._wait_for_members()
        except BaseException:
            transport.close()
            raise
        self._watch = threading.Thread(target=self._keep_following, daemon=True)
        self._watch.start()

    @property
    def size(self) -> int:
        """The number of experiments at a time; 1 while there is no worker."""
        return max(self._size, 1)

    def _wait_for_members(self) -> None:
        limit = time.monotonic() + PATIENCE
        while not self._size:
            with contextlib.suppress(Away):
                self._follow()
            if not self._size:
                if time.monotonic() > limit:
                    raise TargetError(
                        f"the cluster of {self._transport.name} has no free worker "
                        f"after {PATIENCE:g} s"
                    )
                time.sleep(LOOK / 4)

    def _follow(self) -> None:
        """Start or end workers, so that there is one per place of the cluster."""
        rooms = self._transport.members()
        gone = self._places.update(rooms)
        size = sum(rooms.values())
        if size != self._size or gone:
            self.resize(size)
        for worker in gone:
            worker.lose(blame=self._away_since is None)
        for worker in self._places.workers():
            worker.begin_again()

    def _keep_following(self) -> None:
        while not self._over.wait(LOOK):
            try:
                self._follow()
                if self._away_since is not None:
                    _LOGGER.warning("the scheduler of %s is back", self._transport.name)
                self._away_since = None
            except RacingError as error:
                self._break(error)
                return
            except Exception as error:
                if not self._may_come_back(error):
                    return

    def _may_come_back(self, error: Exception) -> bool:
        """Whether to wait further for a scheduler that does not answer."""
        name, now = self._transport.name, time.monotonic()
        if self._away_since is None:
            self._away_since = now
            _LOGGER.warning(
                "the scheduler of %s does not answer; waiting up to %g min for it to come back",
                name, OUTAGE / 60,
            )  # fmt: skip
        if now - self._away_since < OUTAGE or self._over.is_set():
            return True
        why = str(error) if isinstance(error, Away) else named(error)
        kept = "recorded outcomes are kept, and `racing resume` continues"
        self._break(TargetError(f"the scheduler of {name} is lost: {why}; {kept}"))
        return False

    def _let_go(self) -> None:
        self._over.set()
        self._watch.join(PATIENCE)
        self._transport.close()


class ClusterWorker(Worker):
    """One place of the cluster, with its child process, which stays for the next worker there."""

    def __init__(self, places: Places, name: str, tell: Tell) -> None:
        self.name, self._places, self._tell = name, places, tell
        self._transport = places.transport
        self._number = 0
        self._experiment: Experiment | None = None
        self._idle = threading.Event()
        self._astray = False  # whether the attempt was lost for an unknown reason
        self._lock = threading.Lock()
        taken = places.take(self)
        self._lost = taken is None
        self.place: Place = taken or ("", "", -1)

    def start(self, experiment: Experiment) -> None:
        """Send an experiment to the agent."""
        with self._lock:
            number = self._number = next(self._places.numbers)
            self._experiment, self._astray, lost = experiment, False, self._lost
            self._idle.clear()
        hear = partial(self._hear, number, experiment)
        if lost:
            self._end(number, Report(alive=False))
            return
        try:
            task = experiment_bytes(experiment)
        except Exception as error:
            hear(error)
        else:
            self._transport.send(self.place, number, task, self.name, hear)

    def kill(self) -> None:
        """Let the agent kill its child."""
        self._transport.kill(self.place, self._number)

    def lose(self, *, blame: bool) -> None:
        """Note that the member is lost; counts against the experiment if it may be the cause."""
        with self._lock:
            self._lost = True
            experiment, number = self._experiment, self._number
        if experiment is None:
            return
        self._transport.forget(number)
        losses = self._places.losses
        losses[experiment.key] += blame
        if losses[experiment.key] < LOSSES:
            self._end(number, Report(alive=False))
            return
        why = f"{DIED}: {LOSSES} workers of {self._transport.name} were lost while they had it"
        outcome = experiment.failure(Status.CRASHED, why)
        self._end(number, Report(outcome, alive=False, died=True))

    def begin_again(self) -> None:
        """Repeat a lost attempt, as the member is still available."""
        if self._astray:
            self._end(self._number, Report())

    def end(self) -> None:
        """Give the place back."""
        self._places.leave(self.place)

    def join(self, seconds: float) -> None:
        """Wait until a killed child has ended."""
        if self._experiment is not None:
            self._idle.wait(seconds)

    def gone(self) -> bool:
        """Whether it has ended in this process."""
        return self._experiment is None

    def _hear(self, number: int, experiment: Experiment, answer: Answer) -> None:
        """Called in a thread of the transport when an attempt has returned, or is lost."""
        match answer:
            case None:
                with self._lock:
                    self._astray = number == self._number and self._experiment is not None
            case bytes():
                self._end(number, pickle.loads(answer))
            case TargetError():
                self._end(number, Report(broken=answer))
            case _:
                self._end(number, unsendable(experiment, answer))

    def _end(self, number: int, report: Report) -> None:
        """Report the end of an attempt, once."""
        with self._lock:
            if self._experiment is None or number != self._number:
                return
            experiment, self._experiment = self._experiment, None
            self._astray = False
            self._idle.set()
        if report.outcome is not None:
            self._places.losses.pop(experiment.key, None)
        self._tell(self, report)
