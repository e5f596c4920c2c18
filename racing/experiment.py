"""Experiment (candidate × instance × seed) → Outcome (cost, seconds, status)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from racing.candidate import Candidate
from racing.errors import InputError
from racing.quantities import Direction


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
    """How an experiment ended. Everything but `OK` is a failure, and costs +inf."""

    OK = "ok"
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
        A run may be stopped when its cost is certain to be at least this; the outcome's cost is
        then the bound. None if it must be run to its end. Only for targets whose cost is time.
    """

    candidate: Candidate
    instance: Instance
    bound: float | None = None

    @property
    def key(self) -> tuple[int, int]:
        """(candidate id, instance step): unique within a run."""
        return self.candidate.id, self.instance.step

    def outcome(self, cost: float, *, seconds: float = 0.0) -> Outcome:
        """The outcome of a run that ended well.

        Parameters
        ----------
        cost
            Lower is better; +inf is allowed and means the worst there is.
        seconds
            What the evaluation took.
        """
        return Outcome(*self.key, cost=float(cost), seconds=seconds)

    def failure(
        self, status: Status = Status.CRASHED, message: str = "", *, seconds: float = 0.0
    ) -> Outcome:
        """The outcome of a run that failed: it ranks worst, tied with other failures."""
        return Outcome(*self.key, cost=math.inf, seconds=seconds, status=status, message=message)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment came to.

    Attributes
    ----------
    candidate, step
        Which experiment: the candidate's id and the instance's step.
    cost
        Lower is better; +inf for a failure. Never NaN, which means "not run".
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

    def __post_init__(self) -> None:
        if math.isnan(self.cost) or self.cost == -math.inf:
            raise InputError(
                f"the cost of candidate {self.candidate} on instance {self.step} is {self.cost}; "
                "a cost is a finite number, or +inf for a run that failed"
            )
        if self.cost == 0:
            object.__setattr__(self, "cost", 0.0)  # no -0.0
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
        """Whether it ended in any way but well."""
        return self.status is not Status.OK


def outcome_of(
    told: object, score: object, *, direction: Direction, seconds: float = 0.0
) -> Outcome:
    """What a race or a search is told, as an outcome.

    Parameters
    ----------
    told
        An outcome, or an experiment with its score.
    score
        In the direction of the race.

    Raises
    ------
    InputError
        If it is neither, or the score is no number.
    """
    if isinstance(told, Outcome):
        return told
    if not isinstance(told, Experiment):
        raise InputError(
            f"told is {told!r:.80}; expected an experiment that was asked for, with its score, or "
            "an Outcome"
        )
    who = f"candidate {told.candidate} on instance {told.instance.name}"
    if score is None:
        raise InputError(f"{who} has no score; tell(experiment, score)")
    if isinstance(score, str | bytes | bool) or not hasattr(score, "__float__"):
        raise InputError(f"the score of {who} is {score!r:.80}; expected a number")
    value = float(score)
    return told.outcome(value if direction == "minimize" else 0.0 - value, seconds=seconds)


def told_twice(outcome: Outcome) -> str:
    """The message for an outcome that was told before."""
    return (
        f"the outcome of candidate {outcome.candidate} on instance {outcome.step} was told before, "
        "and the first one counts; `pending` has the experiments that are out"
    )


def stranger(outcome: Outcome, what: str) -> str:
    """The message for an outcome of a candidate that is not in a race or a search."""
    return (
        f"candidate {outcome.candidate} is not in this {what}; tell outcomes of experiments that "
        "it handed out"
    )
