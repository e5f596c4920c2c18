"""The ask-and-tell interface that races and searches share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Protocol

from racing.base.errors import InputError, RaceError, must_be, named
from racing.base.quantities import Direction, cost_of, unusable
from racing.core.experiment import Experiment, Outcome, Status
from racing.core.failures import WORST, Failures
from racing.core.goal import Goal


class Tasks(Protocol):
    """The protocol of a queue with experiments that are out."""

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments handed out and not back, the oldest first."""

    def lost(self, experiment: Experiment) -> None:
        """Note that an experiment will not come back, so that it is handed out again."""


class AskTell(ABC):
    """Base of `Race` and `Search`; they add `ask` and `_hear`.

    Parameters
    ----------
    direction
        Of the scores that are told.
    tasks
        Which experiments are out.
    goal
        The metrics, where there are several.
    failures
        What a failure counts as.
    """

    def __init__(
        self,
        direction: Direction,
        tasks: Tasks,
        goal: Goal | None = None,
        failures: Failures = WORST,
    ) -> None:
        self._direction, self._tasks, self._goal = direction, tasks, goal
        self.failures = failures

    @property
    def direction(self) -> Direction:
        """Whether scores are minimized or maximized."""
        return self._direction

    @property
    def goal(self) -> Goal | None:
        """The metrics and the objective; None for one cost."""
        return self._goal

    @property
    def pending(self) -> tuple[Experiment, ...]:
        """The experiments that are out: asked for, neither told nor lost; the oldest first."""
        return self._tasks.out

    @abstractmethod
    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next."""

    @abstractmethod
    def _hear(self, outcome: Outcome) -> None:
        """Take an outcome, and continue as far as the outcomes allow."""

    def tell(
        self,
        told: Outcome | Experiment,
        score: float | Mapping[str, float] | Exception | None = None,
        *,
        seconds: float = 0.0,
    ) -> None:
        """Receive an outcome, in any order, of an experiment of this or another session.

        After the end, an outcome is counted and has no effect.

        Parameters
        ----------
        told
            An outcome; or an experiment, with its score.
        score
            In the direction of the race or search. True is 1, False is 0. NaN, an infinity and
            what is beyond 1e75 count as a failure, and so does the exception that an evaluation
            raised. With several metrics, a mapping from each to its value, in its own direction.
        seconds
            The duration of the evaluation, for budgets of target time.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        InputError
            If there is no such instance, or the score is no number.
        """
        if type(told) is not Outcome:
            told = outcome_of(
                told, score, direction=self.direction, seconds=seconds, goal=self.goal
            )
        self._hear(self.failures.heard(told))

    def lost(self, *experiments: Experiment) -> None:
        """Note that these experiments will have no outcome; `ask` returns them again.

        `race.lost(*race.pending)` puts back all that an interrupted loop left.

        Raises
        ------
        RaceError
            If one is not out.
        """
        for experiment in experiments:
            self._tasks.lost(experiment)

    def spare(self, experiment: Experiment) -> bool:
        """Whether a second attempt may begin: where no money is limited."""
        return True

    def charge(self, spent: Mapping[str, float]) -> None:
        """Note payments for evaluations without an outcome, which a budget of money counts."""

    def __iter__(self) -> Iterator[Experiment]:
        """Iterate over the experiments, for a loop that tells each outcome before the next::

            for experiment in race:
                race.tell(experiment, cost_of(experiment))

        Experiments that are out from an interrupted loop come first.

        Raises
        ------
        RaceError
            If an outcome is not told before the next experiment is taken.
        """
        self.lost(*self.pending)
        while batch := self.ask(1):
            yield batch[0]
            if self.pending:
                raise RaceError(f"{_name(batch[0])} has no outcome: tell it before the next one")


def _name(experiment: Experiment) -> str:
    return f"candidate {experiment.candidate} on instance {experiment.instance.name}"


def check_limit(limit: object) -> None:
    """Refuse a number of experiments to ask for that is none.

    Raises
    ------
    InputError
        If it is not.
    """
    if limit is not None and not hasattr(limit, "__index__"):
        allowed = "a whole number, or None for all that can be run now"
        raise InputError(must_be("the number of experiments to ask for", allowed, limit))


def not_out(experiment: Experiment, out: int) -> RaceError:
    """The error for a lost experiment that is not out.

    Parameters
    ----------
    out
        The number of experiments that are out.
    """
    candidate, step = experiment.key
    return RaceError(
        f"candidate {candidate} on instance {step} is not out, so it cannot be lost; "
        f"{out} experiments are out, see `pending`"
    )


def outcome_of(
    told: object,
    score: object,
    *,
    direction: Direction,
    seconds: float = 0.0,
    goal: Goal | None = None,
) -> Outcome:
    """The argument of `tell` as an outcome.

    Parameters
    ----------
    told
        An outcome, or an experiment with its score.
    score
        In the direction of the race; with a goal, of each metric in its own. Or what was raised.

    Raises
    ------
    InputError
        If it is neither, or the score is no number.
    """
    if isinstance(told, Outcome):
        return told
    if not isinstance(told, Experiment):
        raise InputError(
            must_be("told", "an Outcome, or an experiment that was asked for and its score", told)
        )
    who = _name(told)
    if score is None:
        raise InputError(f"{who} has no score; tell(experiment, score)")
    if isinstance(score, Exception):
        return told.failure(Status.CRASHED, f"crashed: {named(score)}", seconds=seconds)
    if goal is not None:
        return _measured(told, score, goal, seconds)
    number = _number(score, who)
    if why := unusable(number, direction):
        return told.failure(Status.UNREADABLE, f"unreadable: {why}", seconds=seconds)
    return told.outcome(cost_of(number, direction), seconds=seconds)


def _measured(told: Experiment, score: object, goal: Goal, seconds: float) -> Outcome:
    """The outcome of an experiment with a value of each metric."""
    who, names = _name(told), ", ".join(goal.names)
    if not isinstance(score, Mapping):
        allowed = f"a mapping with {names}"
        raise InputError(
            must_be(
                f"the score of {who}", allowed, score, "tell what failed by experiment.failure()"
            )
        )
    if wrong := set(score) ^ set(goal.names):
        which = ", ".join(sorted(map(str, wrong)))
        raise InputError(f"the scores of {who} and the metrics {names} differ by {which}")
    scores = {name: _number(score[name], f"{name} of {who}") for name in goal.names}
    for name, one in scores.items():
        if why := unusable(one, goal.metrics[name].direction):
            return told.failure(Status.UNREADABLE, f"unreadable: {name}: {why}", seconds=seconds)
    costs = goal.costs(scores)
    if why := goal.fault(costs):
        return told.failure(Status.UNREADABLE, f"unreadable: {why}", seconds=seconds)
    return told.outcome(goal.cost(costs), seconds=seconds, metrics=costs)


def _number(score: object, who: str) -> float:
    if isinstance(score, str | bytes) or not hasattr(score, "__float__"):
        raise InputError(must_be(f"the score of {who}", "a number", score))
    try:
        return float(score)
    except OverflowError:  # a whole number beyond all floats
        return math.inf if score > 0 else -math.inf  # type: ignore[operator]


def told_twice(outcome: Outcome) -> str:
    """The message for a duplicate outcome."""
    return (
        f"the outcome of candidate {outcome.candidate} on instance {outcome.step} was told before, "
        "and the first one counts; `pending` has the experiments that are out"
    )


def stranger(outcome: Outcome, what: str) -> str:
    """The message for an outcome of an unknown candidate."""
    return (
        f"candidate {outcome.candidate} is not in this {what}; tell outcomes of experiments that "
        "it handed out"
    )
