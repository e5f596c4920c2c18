"""The protocol of a pool, which runs experiments: submit, then wait for the first to finish."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from racing.core.experiment import Experiment, Outcome


class Pool(Protocol):
    """Runs experiments, and returns each one's outcome exactly once, in any order.

    A pool may also have `copy(experiment)`, which starts a second attempt at one that runs: the
    first answer counts.

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
