"""A pool over a cluster with changing members; the transport has the parts of Dask or Ray."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time

from racing.base.errors import RacingError, TargetError, named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Status
from racing.evaluate.engines.transport import OUTAGE, PATIENCE, Away, Member, Place, Sent, Transport
from racing.evaluate.task import DIED
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool

_LOGGER = logger(__name__)

LOOK = 0.25  # seconds between checks of the members
LOSSES = 3  # lost members after which their experiment counts as the cause


class Places:
    """The places for evaluations, free and taken."""

    def __init__(self) -> None:
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
            free = {
                (*member, number): member
                for member, room in self._rooms.items()
                for number in range(room)
                if (*member, number) not in self._taken
            }
            if not free:
                return None
            left = dict.fromkeys(free.values(), 0)
            for member in free.values():
                left[member] += 1
            best = max(free, key=lambda place: (left[free[place]], -place[2]))
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
        self._transport, self._places = transport, Places()
        self._over = threading.Event()
        numbers = itertools.count(1)  # of attempts
        losses: dict[tuple[int, int], int] = {}

        def spawn(name: str, tell: Tell) -> ClusterWorker:
            return ClusterWorker(name, self._places, transport, numbers, losses, tell)

        super().__init__(
            0, retries=retries, engine=transport.name, spawn=spawn, release=self._let_go
        )
        self._away_since: float | None = None
        self._wait_for_members()
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


class ClusterWorker:
    """One place of the cluster, with its child process."""

    def __init__(
        self,
        name: str,
        places: Places,
        transport: Transport,
        numbers: itertools.count[int],
        losses: dict[tuple[int, int], int],
        tell: Tell,
    ) -> None:
        self.name = name
        self._places, self._transport, self._numbers = places, transport, numbers
        self._losses, self._tell = losses, tell
        self._number = 0
        self._experiment: Experiment | None = None
        self._sent: Sent | None = None
        self._astray = False  # whether the attempt was lost for an unknown reason
        self._lock = threading.Lock()
        self.place: Place = ("", "", -1)
        taken = places.take(self)
        self._lost = taken is None
        if taken is not None:
            self.place = taken

    def start(self, experiment: Experiment) -> None:
        """Send an experiment to the agent."""
        with self._lock:
            number = self._number = next(self._numbers)
            self._experiment, self._astray = experiment, False
            lost = self._lost
            if not lost:
                sent = self._sent = self._transport.send(self.place, number, experiment, self.name)
        if lost:
            self._end(number, Report(alive=False))
        else:
            sent.when_done(lambda report: self._hear(number, report))

    def kill(self) -> None:
        """Let the agent kill its child."""
        self._transport.kill(self.place, self._number)

    def lose(self, *, blame: bool) -> None:
        """Note that the member is lost; counts against the experiment if it may be the cause."""
        with self._lock:
            self._lost = True
            experiment, sent, number = self._experiment, self._sent, self._number
        if sent is not None:
            sent.cancel()
        if experiment is None:
            return
        losses = self._losses.get(experiment.key, 0) + blame
        self._losses[experiment.key] = losses
        if losses < LOSSES:
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
        """Give the place back; its child stays for the next worker until the pool closes."""
        self._places.leave(self.place)

    def join(self, seconds: float) -> None:
        """Wait until a killed child has ended."""
        if self._sent is not None and not self._lost:
            self._sent.wait(seconds)

    def gone(self) -> bool:
        """Whether it has ended in this process."""
        return self._experiment is None

    def _hear(self, number: int, report: Report | None) -> None:
        """Called in a thread of the transport when an attempt has returned, or is lost."""
        if report is not None:
            self._end(number, report)
            return
        with self._lock:
            self._astray = number == self._number and self._experiment is not None

    def _end(self, number: int, report: Report) -> None:
        """Report the end of an attempt, once."""
        with self._lock:
            if self._experiment is None or number != self._number:
                return
            experiment, self._experiment, self._sent = self._experiment, None, None
            self._astray = False
        if report.outcome is not None:
            self._losses.pop(experiment.key, None)
        self._tell(self, report)
