"""The protocol of workers: each runs one experiment at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from racing.base.errors import RacingError
from racing.core.experiment import Experiment, Outcome
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


class Worker(Protocol):
    """Runs one experiment at a time, and reports the end of each to its pool."""

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


Tell = Callable[[Worker, Report], None]
Spawn = Callable[[str, Tell], Worker]
