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
    overhead
        Seconds that the controller takes to start an attempt; it starts one after the other.
    """

    size: int
    target: Callable[[Experiment], Outcome]
    seconds: Callable[[Experiment, int], float]
    answers: int | None = None
    now: float = 0.0
    bill: float = 0.0
    busy: float = 0.0
    begun: int = 0
    overhead: float = 0.0
    _free: float = 0.0
    _tasks: dict[Key, Experiment] = field(default_factory=dict)
    _attempts: dict[Key, int] = field(default_factory=dict)
    _queue: deque[Experiment] = field(default_factory=deque)
    _at_work: list[tuple[float, int, Experiment]] = field(default_factory=list)
    _since: dict[int, float] = field(default_factory=dict)
    _numbers: dict[Key, list[int]] = field(default_factory=dict)

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
        while self._at_work[0][1] not in self._since:  # it was stopped
            heapq.heappop(self._at_work)
        end, _, experiment = self._at_work[0]
        if timeout is not None and self.now + timeout < end:
            self.now += timeout
            return []
        self.now = end
        self.answers = None if self.answers is None else self.answers - 1
        self._stop({experiment.key})
        return [self.target(experiment)]

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Stop these experiments, by default all."""
        these = self._tasks.values() if experiments is None else experiments
        self._stop({one.key for one in these})

    def _stop(self, keys: set[Key]) -> None:
        for key in keys:
            self._tasks.pop(key, None)
            for number in self._numbers.pop(key, ()):
                self.busy += max(self.now - self._since.pop(number), 0.0)
        if any(one.key in keys for one in self._queue):
            self._queue = deque(one for one in self._queue if one.key not in keys)
        self._feed()

    def _feed(self) -> None:
        while self._queue and len(self._since) < self.size:
            one = self._queue.popleft()
            attempt = self._attempts[one.key] = self._attempts.get(one.key, -1) + 1
            self._free = start = max(self.now, self._free) + self.overhead
            self.begun += 1
            self.bill += self.target(one).spent.get("usd", 0.0)
            self._since[self.begun] = start
            self._numbers.setdefault(one.key, []).append(self.begun)
            heapq.heappush(self._at_work, (start + self.seconds(one, attempt), self.begun, one))
