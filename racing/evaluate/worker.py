"""Workers: each runs one experiment at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

from racing.base.errors import RacingError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import Cancelled
from racing.evaluate.shortage import Shortage


@dataclass(frozen=True, slots=True)
class Report:
    """How an attempt ended.

    Attributes
    ----------
    outcome
        Of this attempt; None if it was stopped from outside, or never started. It is then repeated
        unless it was dropped.
    alive
        Whether the worker can take another experiment.
    died
        Whether the worker died, which may be an accident.
    unborn
        How the worker died, if it died while starting, independent of the experiment.
    broken
        Why the engine cannot run any experiment.
    short
        What was missing to start the attempt.
    """

    outcome: Outcome | None = None
    alive: bool = True
    died: bool = False
    unborn: str = ""
    broken: RacingError | None = None
    short: Shortage | None = None


def reported(outcome: Callable[[], Outcome]) -> Report:
    """The report of an attempt in this process."""
    try:
        return Report(outcome())
    except Cancelled:
        return Report()
    except Shortage as short:
        return Report(short=short)


def unsendable(experiment: Experiment, error: BaseException | str, at: str = "worker") -> Report:
    """The report for an experiment or outcome that cannot be pickled."""
    why = error if isinstance(error, str) else named(error)
    what = f"crashed: could not be sent to or from its {at}: {why}"
    return Report(experiment.failure(Status.CRASHED, what))


class Worker:
    """Runs one experiment at a time, and reports the end of each to its pool.

    A subclass inherits what does nothing, for a worker that needs no end.
    """

    name: str

    def start(self, experiment: Experiment) -> None:
        """Start an attempt; the worker must be idle. The end is reported from any thread."""

    def kill(self) -> None:
        """Stop the running attempt, if possible; its end is reported too.

        A second call skips a command's grace period.
        """

    def end(self) -> None:
        """End the worker after its attempt; does not wait."""

    def join(self, seconds: float) -> None:
        """Wait for its end; at most this long if it cannot be killed."""

    def gone(self) -> bool:
        """Whether it has ended completely."""
        return True


Tell = Callable[[Worker, Report], None]
Spawn = Callable[[str, Tell], Worker]


class WorkerThread(Worker):
    """A worker with a thread, which waits for each attempt."""

    def __init__(self, name: str, tell: Tell) -> None:
        self.name, self._tell = name, tell
        self._todo: SimpleQueue[Experiment | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"racing-{name}", daemon=True)
        self._thread.start()

    def attempt(self, experiment: Experiment) -> Report:
        """Attempt an experiment in the thread, and wait for its end."""
        raise NotImplementedError

    def leave(self) -> None:
        """Called in the thread when it ends."""

    def start(self, experiment: Experiment) -> None:
        """Let the thread begin an attempt."""
        self._todo.put(experiment)

    def end(self) -> None:
        """End the thread."""
        self._todo.put(None)

    def join(self, seconds: float) -> None:
        """Wait for the thread; a function in it cannot be killed."""
        self._thread.join(seconds)

    def gone(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (experiment := self._todo.get()) is not None:
            self._tell(self, self.attempt(experiment))
        self.leave()
