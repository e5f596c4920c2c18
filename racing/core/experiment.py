"""Experiment (candidate × instance × seed) → Outcome (cost, seconds, status)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from racing.base.errors import InputError, must_be
from racing.base.quantities import MOST_COST, unusable
from racing.core.candidate import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Reused:
    """The data of an outcome in the log that it was taken from.

    Attributes
    ----------
    log
        That log, as the scenario names it.
    seconds
        What the evaluation took then.
    spent
        What was paid for it then, by name, such as `usd`.
    started
        When it began, in seconds since 1970 (UTC); 0 where that is not known.

    Examples
    --------
    >>> from racing.core.experiment import Reused
    >>> Reused(log="runs/old.sqlite", spent={"usd": 0.003}).spent["usd"]
    0.003
    """

    log: str
    seconds: float = 0.0
    spent: Mapping[str, float] = field(default_factory=dict, hash=False)
    started: float = 0.0


@dataclass(frozen=True, slots=True)
class Instance:
    """One problem to solve, with the seed that every candidate shares on it.

    Attributes
    ----------
    step
        Its place in the race: 0, 1, 2, … A problem that repeats has a new step and a new seed.
    name
        Its name in reports and in the log.
    seed
        From 1 to 2³¹ − 1.
    problem
        The argument of the target: the name, or an object given in Python.
    number
        Its place in the list of instances, from 1; the same each time that the problem repeats.
    family
        The kind of problem, by which gains are reported separately; empty if it has none.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 0.1}, {"x": 0.2}], ["small", "large"], seed=7)
    >>> race.instance(0).name in ("small", "large")
    True
    """

    step: int
    name: str
    seed: int
    problem: object = None
    number: int = 0
    family: str = ""


class Status(StrEnum):
    """How an experiment ended.

    `OK` has a cost. `CENSORED` reached its bound: its cost is at least the recorded one, and it is
    no failure. Everything else is a failure, and costs +inf.

    Examples
    --------
    >>> from racing import Status
    >>> Status("ok") is Status.OK
    True
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

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 0.1}, {"x": 0.2}], range(10))
    >>> experiment = race.ask()[0]
    >>> experiment.candidate.values["x"], experiment.instance.step
    (0.1, 0)
    """

    candidate: Candidate
    instance: Instance
    bound: float | None = None

    @property
    def key(self) -> tuple[int, int]:
        """(candidate id, instance step): unique within a run."""
        return self.candidate.id, self.instance.step

    def outcome(
        self, cost: float, *, seconds: float = 0.0, metrics: tuple[float, ...] = ()
    ) -> Outcome:
        """The outcome of a run that ended well, or at its bound: it is then censored.

        Parameters
        ----------
        cost
            Lower is better. NaN, an infinity, and what is beyond 1e75 make it a failure.
        seconds
            What the evaluation took.
        metrics
            The cost of each metric, where there are several.
        """
        status = at_bound(cost, self.bound)
        return Outcome(
            *self.key, cost=float(cost), seconds=float(seconds), status=status,
            bound=self.bound, metrics=metrics,
        )  # fmt: skip

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
    """The result of an experiment.

    Attributes
    ----------
    candidate, step
        The experiment: the candidate's id and the instance's step.
    cost
        Lower is better; of a censored run, a lower bound. It is +inf for a failure, and a run whose
        cost or metric is NaN, infinite or beyond 1e75 is one.
    seconds
        The duration of the evaluation, all attempts together.
    status
        How it ended.
    message
        Why it failed: one line, then the end of the target's stderr. If it did not fail, a note
        about its answer.
    attempts
        The number of starts of the target.
    elapsed
        The run's wall-clock time in seconds when this outcome was recorded, over all its sessions.
    worker
        The worker of the last attempt, such as `loky-2`; empty if unknown.
    started
        The start of the last attempt, in seconds since 1970 (UTC); 0 if unknown.
    earlier
        The attempts before the last one, all failed, each with its own worker and start.
    bound
        The bound of the experiment; None for none.
    spent
        The payments for it by name, such as `usd`; all calls and attempts together.
    refused
        The number of calls repeated because the target's service was busy.
    reused
        The earlier log that it was taken from; None if it was evaluated. It took no seconds and
        nothing was paid for it in this run.
    metrics
        The cost of each metric, where there are several; empty for one cost, and for a failure.

    Examples
    --------
    >>> from racing import Outcome
    >>> Outcome(1, 0, cost=3.5).status.value
    'ok'
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
    spent: Mapping[str, float] = field(default_factory=dict, hash=False)
    refused: int = 0
    reused: Reused | None = None
    metrics: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.cost == 0:
            object.__setattr__(self, "cost", 0.0)  # no -0.0
        if type(self.status) is not Status:  # from JSON, say
            object.__setattr__(self, "status", _status(self.status))
        if not 0 <= self.seconds < math.inf:
            raise InputError(
                f"the seconds of candidate {self.candidate} on instance {self.step} must be "
                f"finite, 0 or more; got {self.seconds}"
            )
        if type(self.metrics) is not tuple:  # from JSON, say
            object.__setattr__(self, "metrics", tuple(self.metrics))
        for cost in (self.cost, *self.metrics):
            if not -MOST_COST <= cost <= MOST_COST:
                self._fail(cost)

    def _fail(self, cost: float) -> None:
        """Become a failure, because of a cost that cannot be computed with."""
        if not self.failed:
            why = self.message or f"unreadable: {unusable(cost)}"
            object.__setattr__(self, "message", why)
            object.__setattr__(self, "status", Status.UNREADABLE)
        object.__setattr__(self, "cost", math.inf)
        object.__setattr__(self, "metrics", ())

    @property
    def key(self) -> tuple[int, int]:
        """(candidate id, instance step): unique within a run."""
        return self.candidate, self.step

    @property
    def failed(self) -> bool:
        """Whether it failed; a run that was stopped at its bound did not."""
        return self.status not in (Status.OK, Status.CENSORED)

    @property
    def succeeded(self) -> bool:
        """Whether it has a cost of its own, not that of a failure."""
        return not self.failed and self.cost < math.inf

    @property
    def price(self) -> Mapping[str, float]:
        """What such an evaluation is charged, whether it was evaluated here or in another run."""
        return self.spent if self.reused is None else self.reused.spent

    @property
    def duration(self) -> float:
        """How many seconds such an evaluation takes, here or in the run that it was taken from."""
        return self.seconds if self.reused is None else self.reused.seconds

    @property
    def censored(self) -> bool:
        """Whether the run reached its bound, so that its cost is at least the recorded one."""
        return self.status is Status.CENSORED


def total(spent: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The total payments by name; the order of the terms does not matter."""
    terms: dict[str, list[float]] = {}
    for each in spent:
        for name, amount in each.items():
            terms.setdefault(name, []).append(amount)
    return {name: math.fsum(terms[name]) for name in sorted(terms)}


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
        raise InputError(must_be("status", f"one of {allowed}", word)) from None
