"""What an engine for several machines provides: a transport to agents, and who is there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from racing.evaluate.work import named
from racing.evaluate.worker import Report
from racing.experiment import Experiment, Status

Member = tuple[str, str]
"""A process of the cluster that has an agent: its address, and an id that is never used again."""

Place = tuple[str, str, int]
"""A member, and which of its evaluations at a time."""

PATIENCE = 60.0  # seconds in which a scheduler must answer, and a first worker be there
OUTAGE = 600.0  # seconds that a scheduler may be away during a run


class Away(Exception):
    """The scheduler does not answer now; it may come back."""


class Sent(Protocol):
    """An attempt that was sent to an agent."""

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        """Have its report told, from any thread; None if it did not come back, for no reason of
        its own: its member or the scheduler may be gone."""

    def cancel(self) -> None:
        """Have the cluster forget it, as its member is gone."""

    def wait(self, seconds: float) -> None:
        """Wait for its end, at most so long."""


@dataclass(frozen=True)
class Unsent:
    """An attempt that could not be sent.

    Attributes
    ----------
    report
        What that means; None if another try may succeed.
    """

    report: Report | None = None

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        tell(self.report)

    def cancel(self) -> None: ...

    def wait(self, seconds: float) -> None: ...


def unsendable(experiment: Experiment, error: BaseException) -> Report:
    """What it means that an experiment, or what it came to, cannot be pickled."""
    what = f"crashed: could not be sent to or from its worker: {named(error)}"
    return Report(experiment.failure(Status.CRASHED, what))


def report_in(answer: bytes) -> Report:
    """The report that an agent has sent."""
    report: Report = pickle.loads(answer)
    return report


class Transport(Protocol):
    """Brings experiments to agents and reports back, and nothing more; used by any thread."""

    @property
    def name(self) -> str:
        """The engine's."""

    def members(self) -> dict[Member, int]:
        """Who is there and has the target, and how many evaluations each runs at a time.

        To be called again and again, as new members are given the target here.

        Raises
        ------
        Away
            If the scheduler does not answer.
        TargetError
            If it never will, or no member can run racing.
        """

    def send(self, place: Place, number: int, experiment: Experiment, name: str) -> Sent:
        """Send an attempt to an agent, told by its number, for the worker of this name."""

    def kill(self, place: Place, number: int) -> None:
        """Have an agent end an attempt; does not wait, and raises nothing."""

    def close(self) -> None:
        """End the agents, and let go of the cluster."""
