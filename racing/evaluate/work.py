"""What pools run, work, and what they are: the protocols; single attempts; work as bytes."""

from __future__ import annotations

import pickle
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from racing.base.errors import InputError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import Cancelled
from racing.evaluate.shortage import shortage

Evaluate = Callable[[Experiment], Outcome]

_PLAIN = {str, int, float, bool, type(None)}


class Work(ABC):
    """Single attempts, with the properties that an engine needs.

    `Evaluator` implements it; `Plain` wraps any function. Subclasses inherit what does nothing, for
    work that starts no programs.
    """

    @abstractmethod
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
        return 0

    @property
    def timeout(self) -> float | None:
        """The time limit of one attempt in seconds; None for no limit."""
        return None

    def prepare(self) -> None:
        """Prepare a process once, for example import the target."""

    def branch(self) -> Work:
        """The same work, which can be cancelled separately."""
        return self

    def guarded(self) -> Work:
        """The same work without running commands; its commands die with this process."""
        return self

    def cancel(self) -> None:
        """End all running commands and start no more. The second call skips the grace period."""

    def close(self) -> None:
        """Release the watchdog; call it when nothing runs."""


@dataclass(frozen=True)
class Plain(Work):
    """A function from an experiment to its outcome, as work: no retries, nothing to cancel."""

    evaluate: Evaluate
    retries: int = 0

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Call the function."""
        return self.evaluate(experiment)


class Pool(Protocol):
    """Runs experiments, and returns each one's outcome exactly once, in any order.

    A pool that runs experiments by itself, not in `wait`, may also have `copy(experiment)`, which
    starts a second attempt at one that runs: the first answer counts.

    It keeps the backlog and gives each worker one experiment at a time. It decides about retries
    and counts attempts; an outcome has the worker and the start of its attempts. Use it in one
    thread. A failure of an experiment is its outcome, not an exception.
    """

    @property
    def size(self) -> int:
        """The number of experiments at a time; it may change."""

    @property
    def running(self) -> int:
        """The number of submitted experiments that were neither returned nor dropped."""

    def submit(self, experiment: Experiment) -> None:
        """Queue an experiment.

        Raises
        ------
        RaceError
            If the pool was cancelled or closed.
        """

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for at least one outcome; return all since the last call.

        Parameters
        ----------
        timeout
            Seconds after which [] is returned; None waits without limit.

        Returns
        -------
        list of Outcome
            [] also if nothing runs, or all were dropped meanwhile.

        Raises
        ------
        TargetError, RaceError
            If the pool cannot run any experiment.
        """

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Drop these experiments, by default all; running ones are stopped if possible."""

    def close(self) -> None:
        """Drop everything, and wait for the end of all processes."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


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


def packed(work: Work) -> bytes:
    """The work as bytes for workers; functions without a name are pickled by value.

    Raises
    ------
    InputError
        If it cannot be sent.
    """
    try:
        return as_bytes(work)
    except Exception as error:
        raise InputError(
            f"the target cannot be sent to worker processes ({named(error)}); name it as "
            "file.py:function, keep what cannot be pickled out of it, or use engine in-process"
        ) from error


def experiment_bytes(experiment: Experiment) -> bytes:
    """An experiment as bytes; may raise any error of pickling.

    Plain values need no pickling by value, which takes four times as long.
    """
    values = (experiment.instance.problem, *experiment.candidate.values.values())
    if _PLAIN.issuperset(map(type, values)):
        return pickle.dumps(experiment, pickle.HIGHEST_PROTOCOL)
    return as_bytes(experiment)


def as_bytes(value: Any) -> bytes:
    """Anything as bytes; may raise any error of pickling."""
    import cloudpickle

    return bytes(cloudpickle.dumps(value))
