"""The protocol of work for engines: single attempts at experiments."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from racing.base.errors import named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import Cancelled
from racing.evaluate.shortage import shortage

Evaluate = Callable[[Experiment], Outcome]


class Work(Protocol):
    """Single attempts, with the properties that an engine needs.

    `Evaluator` implements it; `Plain` wraps any function.
    """

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Attempt an experiment once, for the worker of this name.

        Raises
        ------
        Cancelled
            If `cancel` was called before it ended.
        """

    @property
    def retries(self) -> int:
        """The number of failed attempts that are repeated."""

    @property
    def timeout(self) -> float | None:
        """The time limit of one attempt in seconds; None for no limit."""

    def prepare(self) -> None:
        """Prepare a process once, for example import the target."""

    def branch(self) -> Work:
        """The same work, which can be cancelled separately."""

    def guarded(self) -> Work:
        """The same work without running commands; its commands die with this process."""

    def cancel(self) -> None:
        """End all running commands and start no more. The second call skips the grace period."""

    def close(self) -> None:
        """Release the watchdog; call it when nothing runs."""


@dataclass(frozen=True)
class Plain:
    """A function from an experiment to its outcome, as work: no retries, nothing to cancel."""

    evaluate: Evaluate
    retries: int = 0
    timeout: float | None = None

    def prepare(self) -> None:
        """Do nothing."""

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
        """Do nothing: a call cannot be stopped."""

    def close(self) -> None:
        """Do nothing."""


def attempt(
    once: Callable[[Experiment, str], Outcome],
    experiment: Experiment,
    worker: str,
    *,
    shared: bool = False,
) -> Outcome:
    """Attempt an experiment once, with worker and start noted; an exception is a crashed outcome.

    Parameters
    ----------
    once
        `Work.once`.
    shared
        Whether others run in this process, which may take what this one lacks.

    Raises
    ------
    Cancelled
        If the attempt was cancelled.
    Shortage
        If it could not be started, and its candidate is not the cause.
    KeyboardInterrupt
        If the user interrupted it.
    """
    started = time.time()
    try:
        outcome = once(experiment, worker)
    except Cancelled:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and may_be_the_users():
            raise
        short = shortage(error)
        if short is not None and (shared or not short.failure):
            raise short from error
        why = short.failure if short else f"crashed: {named(error)}"
        outcome = experiment.failure(Status.CRASHED, why)
    if not isinstance(outcome, Outcome) or outcome.key != experiment.key:
        why = f"crashed: not its outcome: {outcome!r:.200}"
        outcome = experiment.failure(Status.CRASHED, why)
    if outcome.started and outcome.worker == worker:
        return outcome
    return replace(outcome, worker=worker, started=started)


def may_be_the_users() -> bool:
    """Whether a KeyboardInterrupt here may come from a signal instead of the target.

    Signals are handled in the main thread, and worker processes ignore SIGINT.
    """
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
