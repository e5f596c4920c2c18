"""What an engine runs: single attempts at experiments."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from racing.evaluate.running import Cancelled
from racing.experiment import Experiment, Outcome, Status

Evaluate = Callable[[Experiment], Outcome]


class Once(Protocol):
    """Experiment → outcome of one attempt."""

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Attempt an experiment once, for the worker of this name.

        Raises
        ------
        Cancelled
            If `cancel` was called before it ended.
        """


class Work(Once, Protocol):
    """Single attempts, and what an engine must know about them.

    `Evaluator` is one; `Plain` makes one of any function.
    """

    @property
    def retries(self) -> int:
        """How many failed attempts are repeated."""

    @property
    def timeout(self) -> float | None:
        """The most seconds that one attempt may take; None for no limit."""

    def prepare(self) -> None:
        """Do what is needed once in a process, such as importing the target."""

    def branch(self) -> Work:
        """The same work, which can be cancelled apart from this one."""

    def guarded(self) -> Work:
        """The same work with nothing running, whose commands die with this process."""

    def cancel(self) -> None:
        """End every command that runs; for good. Twice: without a grace period."""

    def close(self) -> None:
        """Release what guards the commands; to be called when nothing runs any more."""


@dataclass(frozen=True)
class Plain:
    """A function from an experiment to its outcome, as work: no retries, nothing to cancel."""

    evaluate: Evaluate
    retries: int = 0
    timeout: float | None = None

    def prepare(self) -> None:
        """Nothing needs to be prepared."""

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Call the function."""
        return self.evaluate(experiment)

    def branch(self) -> Plain:
        """Itself."""
        return self

    def guarded(self) -> Plain:
        """Itself."""
        return self

    def cancel(self) -> None:
        """A call cannot be ended."""

    def close(self) -> None:
        """There is nothing to release."""


def attempt(work: Once, experiment: Experiment, worker: str) -> Outcome:
    """Attempt an experiment once, noting worker and start; what is raised is a crashed outcome.

    Raises
    ------
    Cancelled
        If the attempt was cancelled.
    KeyboardInterrupt
        If the user interrupted it.
    """
    started = time.time()
    try:
        outcome = work.once(experiment, worker)
    except Cancelled:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and may_be_the_users():
            raise
        outcome = experiment.failure(Status.CRASHED, f"crashed: {named(error)}")
    if not isinstance(outcome, Outcome) or outcome.key != experiment.key:
        why = f"crashed: not its outcome: {outcome!r:.200}"
        outcome = experiment.failure(Status.CRASHED, why)
    if outcome.started and outcome.worker == worker:
        return outcome
    return replace(outcome, worker=worker, started=started)


def may_be_the_users() -> bool:
    """Whether a KeyboardInterrupt here may come from a signal, and not from the target itself.

    Signals are handled in the main thread, and worker processes ignore SIGINT.
    """
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def named(error: BaseException) -> str:
    """An exception in one line."""
    text = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
