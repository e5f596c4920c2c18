"""The protocol of transports to agents on several machines."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from racing.base.errors import named
from racing.core.experiment import Experiment, Status
from racing.evaluate.worker import Report

Member = tuple[str, str]
"""A process of the cluster with an agent: its address, and a unique id."""

Place = tuple[str, str, int]
"""A member, and the number of one of its places."""

PATIENCE = 60.0  # seconds in which a scheduler must answer, and the first worker must be available
OUTAGE = 600.0  # seconds without an answer of the scheduler before a run fails


class Away(Exception):
    """The scheduler does not answer at present."""


class Sent(Protocol):
    """An attempt that was sent to an agent."""

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        """Set the callback, called from any thread with the report, or None if it was lost."""

    def cancel(self) -> None:
        """Remove it from the cluster, as its member is lost."""

    def wait(self, seconds: float) -> None:
        """Wait for its end, at most this long."""


@dataclass(frozen=True)
class Unsent:
    """An attempt that could not be sent.

    Attributes
    ----------
    report
        The report; None if another try may succeed.
    """

    report: Report | None = None

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        tell(self.report)

    def cancel(self) -> None: ...

    def wait(self, seconds: float) -> None: ...


def unsendable(experiment: Experiment, error: BaseException) -> Report:
    """The report for an experiment or outcome that cannot be pickled."""
    what = f"crashed: could not be sent to or from its worker: {named(error)}"
    return Report(experiment.failure(Status.CRASHED, what))


def report_in(answer: bytes) -> Report:
    """The report of an agent, from bytes."""
    report: Report = pickle.loads(answer)
    return report


class Transport(Protocol):
    """Sends experiments to agents and reports back; thread-safe."""

    @property
    def name(self) -> str:
        """The name of the engine."""

    def members(self) -> dict[Member, int]:
        """The members with the target, and the number of places of each.

        Call it repeatedly: it sends the target to new members.

        Raises
        ------
        Away
            If the scheduler does not answer.
        TargetError
            If it never will, or no member can run racing.
        """

    def send(self, place: Place, number: int, experiment: Experiment, name: str) -> Sent:
        """Send an attempt with a number to an agent, for the worker of this name."""

    def kill(self, place: Place, number: int) -> None:
        """Let an agent end an attempt; does not wait or raise."""

    def close(self) -> None:
        """End the agents, and disconnect from the cluster."""
