"""What an engine provides: workers, each of which runs one experiment at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from racing.errors import RacingError
from racing.experiment import Experiment, Outcome


@dataclass(frozen=True, slots=True)
class Report:
    """How an attempt ended.

    Attributes
    ----------
    outcome
        Of this attempt; None if there is none, since the attempt was ended from outside, or never
        began. It is then begun anew unless it was dropped.
    alive
        Whether the worker can be given another experiment.
    died
        Whether the outcome is that of a worker that died, which may be an accident.
    unborn
        How the worker died, if it did so while starting. That says nothing about the experiment.
    broken
        Why the engine cannot run anything any more.
    """

    outcome: Outcome | None = None
    alive: bool = True
    died: bool = False
    unborn: str = ""
    broken: RacingError | None = None


class Worker(Protocol):
    """Runs one experiment at a time, and reports the end of each to its pool."""

    name: str

    def start(self, experiment: Experiment) -> None:
        """Begin an attempt; it must have none. The end is reported, from any thread."""

    def kill(self) -> None:
        """End the attempt that runs, if that is possible; its end is reported as ever.

        A second call does not grant a command its grace period.
        """

    def end(self) -> None:
        """End the worker itself, after what it runs; does not wait."""

    def join(self, seconds: float) -> None:
        """Wait until nothing is left of it; at most so long, where it cannot be killed."""

    def gone(self) -> bool:
        """Whether nothing is left of it, so that it can be forgotten."""


Tell = Callable[[Worker, Report], None]
Spawn = Callable[[str, Tell], Worker]
