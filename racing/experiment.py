"""Experiment (candidate × instance × seed) → Outcome (cost, seconds, status)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from racing.candidate import Candidate
from racing.errors import InputError


@dataclass(frozen=True, slots=True)
class Instance:
    """One problem to solve, with the seed that every candidate shares on it.

    Attributes
    ----------
    step
        Its place in the race: 0, 1, 2, … A problem that comes again has a new step and a new seed.
    name
        What people and the log call it.
    seed
        From 1 to 2³¹ − 1.
    problem
        What the target is given: the name itself unless Python code supplied some other object.
    number
        Its place in the list of instances, from 1; the same each time that the problem comes again.
    """

    step: int
    name: str
    seed: int
    problem: object = None
    number: int = 0


class Status(StrEnum):
    """How an experiment ended.

    `OK` has a cost. `CENSORED` reached its bound: its cost is at least what is recorded, and it is
    no failure. Everything else is a failure, and costs +inf.
    """

    OK = "ok"
    CENSORED = "censored"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Experiment:
    """One evaluation to be done.

    Attributes
    ----------
    candidate, instance
        What to run, and on what.
    bound
        A run may be stopped when its cost is certain to be at least this; the outcome is then
        censored, and its cost is the bound. None if it must be run to its end. Only for targets
        whose cost is time.
    """

    candidate: Candidate
    instance: Instance
    bound: float | None = None

    @property
    def key(self) -> tuple[int, int]:
        """(candidate id, instance step): unique within a run."""
        return self.candidate.id, self.instance.step

    def outcome(self, cost: float, *, seconds: float = 0.0) -> Outcome:
        """The outcome of a run that ended well, or at its bound: it is then censored.

        Parameters
        ----------
        cost
            Lower is better; +inf is allowed and means the worst there is.
        seconds
            What the evaluation took.
        """
        status = at_bound(cost, self.bound)
        return Outcome(
            *self.key, cost=float(cost), seconds=seconds, status=status, bound=self.bound
        )

    def failure(
        self, status: Status = Status.CRASHED, message: str = "", *, seconds: float = 0.0
    ) -> Outcome:
        """The outcome of a run that failed: it ranks worst, tied with other failures."""
        return Outcome(
            *self.key, cost=math.inf, seconds=seconds, status=status, message=message,
            bound=self.bound,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment came to.

    Attributes
    ----------
    candidate, step
        Which experiment: the candidate's id and the instance's step.
    cost
        Lower is better; +inf for a failure. Never NaN, which means "not run". Of a censored run,
        what its cost is at least.
    seconds
        What the evaluation took, all attempts together.
    status
        How it ended.
    message
        Why it failed: one line for people, then the end of what the target wrote to stderr.
    attempts
        How often the target was started for it.
    elapsed
        The run's wall-clock time in seconds when this outcome was recorded, over all its sessions.
    worker
        What ran the last attempt, such as `loky-2`; empty where that is not known.
    started
        When the last attempt began, in seconds since 1970 (UTC); 0 where that is not known.
    earlier
        The attempts before the last one, all failed, each with its own worker and start.
    bound
        The bound that the experiment was given; None for none.
    """

    candidate: int
    step: int
    cost: float
    seconds: float = 0.0
    status: Status = Status.OK
    message: str = ""
    attempts: int = 1
    elapsed: float = 0.0
    worker: str = ""
    started: float = 0.0
    earlier: tuple[Outcome, ...] = ()
    bound: float | None = None

    def __post_init__(self) -> None:
        if math.isnan(self.cost) or self.cost == -math.inf:
            raise InputError(
                f"the cost of candidate {self.candidate} on instance {self.step} is {self.cost}; "
                "a cost is a finite number, or +inf for a run that failed"
            )
        if self.cost == 0:
            object.__setattr__(self, "cost", 0.0)  # no -0.0
        if type(self.status) is not Status:  # from JSON, say
            object.__setattr__(self, "status", _status(self.status))
        if not 0 <= self.seconds < math.inf:
            raise InputError(
                f"the evaluation of candidate {self.candidate} on instance {self.step} took "
                f"{self.seconds} seconds; expected a finite number, 0 or more"
            )

    @property
    def key(self) -> tuple[int, int]:
        """(candidate id, instance step): unique within a run."""
        return self.candidate, self.step

    @property
    def failed(self) -> bool:
        """Whether it ended in any way but well; a run that was stopped at its bound did."""
        return self.status not in (Status.OK, Status.CENSORED)

    @property
    def censored(self) -> bool:
        """Whether the run reached its bound, so that its cost is at least what is recorded."""
        return self.status is Status.CENSORED


def at_bound(cost: float, bound: float | None) -> Status:
    """`CENSORED` for a cost that reaches its bound, `OK` for any other."""
    reached = bound is not None and bound <= cost < math.inf
    return Status.CENSORED if reached else Status.OK


def _status(word: str) -> Status:
    """A status from its word.

    Raises
    ------
    InputError
        If there is no such status.
    """
    try:
        return Status(word)
    except ValueError:
        allowed = ", ".join(repr(str(status)) for status in Status)
        raise InputError(f"status is {word!r:.80}; expected one of {allowed}") from None
