"""Workers on a simulated clock, for the loop of runs itself: time passes only in `wait`."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from racing.core.experiment import Experiment, Outcome

Key = tuple[int, int]


class Killed(BaseException):
    """In place of SIGKILL: the pool raises it when its time has come."""


@dataclass
class Workers:
    """A pool of workers, whose answers come in the order of their simulated ends.

    Attributes
    ----------
    size
        The number of evaluations at a time.
    target
        Experiment → outcome, with the payments that the run is told.
    seconds
        Experiment, number of the attempt from 0 → the seconds that it takes.
    answers
        After how many answers it is killed; None for never.
    now
        The time, in seconds.
    bill
        What was paid for all attempts that began: the service's own account.
    busy
        Seconds of all attempts together, also of those that were stopped.
    """

    size: int
    target: Callable[[Experiment], Outcome]
    seconds: Callable[[Experiment, int], float]
    answers: int | None = None
    now: float = 0.0
    bill: float = 0.0
    busy: float = 0.0
    begun: int = 0
    _tasks: dict[Key, Experiment] = field(default_factory=dict)
    _attempts: dict[Key, int] = field(default_factory=dict)
    _queue: deque[Experiment] = field(default_factory=deque)
    _at_work: list[tuple[float, int, float, Experiment]] = field(default_factory=list)

    def clock(self) -> float:
        """The time, for `RunOptions`."""
        return self.now

    @property
    def running(self) -> int:
        """The number of submitted experiments that were neither returned nor dropped."""
        return len(self._tasks)

    def submit(self, experiment: Experiment) -> None:
        """Queue an experiment."""
        self._tasks[experiment.key] = experiment
        self.copy(experiment)

    def copy(self, experiment: Experiment) -> None:
        """Queue an attempt at it."""
        self._queue.append(experiment)
        self._feed()

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Let time pass until the next answer, or so many seconds."""
        if self.answers == 0:
            raise Killed
        end, _, start, experiment = self._at_work[0]
        if timeout is not None and self.now + timeout < end:
            self.now += timeout
            return []
        self.now = end
        heapq.heappop(self._at_work)
        self.busy += end - start
        self.answers = None if self.answers is None else self.answers - 1
        self._stop({experiment.key})
        return [self.target(experiment)]

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Stop these experiments, by default all."""
        these = self._tasks.values() if experiments is None else experiments
        self._stop({one.key for one in these})

    def _stop(self, keys: set[Key]) -> None:
        self._tasks = {key: one for key, one in self._tasks.items() if key not in keys}
        self._queue = deque(one for one in self._queue if one.key not in keys)
        gone = [start for _, _, start, one in self._at_work if one.key in keys]
        self.busy += sum(self.now - start for start in gone)
        self._at_work = [work for work in self._at_work if work[3].key not in keys]
        heapq.heapify(self._at_work)
        self._feed()

    def _feed(self) -> None:
        while self._queue and len(self._at_work) < self.size:
            one = self._queue.popleft()
            attempt = self._attempts[one.key] = self._attempts.get(one.key, -1) + 1
            end = self.now + self.seconds(one, attempt)
            self.begun += 1
            self.bill += self.target(one).spent.get("usd", 0.0)
            heapq.heappush(self._at_work, (end, self.begun, self.now, one))
