"""The members by which a program of one's own talks to a race and to a search alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Protocol

from racing.errors import InputError, RaceError
from racing.experiment import Experiment, Outcome
from racing.quantities import Direction


class Tasks(Protocol):
    """What knows which experiments are out."""

    @property
    def out(self) -> tuple[Experiment, ...]:
        """What was handed out and has not come back, the oldest first."""

    def lost(self, experiment: Experiment) -> None:
        """Note that an experiment will not come back, so that it is handed out again."""


class AskTell(ABC):
    """Base of `Race` and `Search`; they add `ask` and what hearing of an outcome means.

    Parameters
    ----------
    direction
        Of the scores that are told.
    tasks
        Which experiments are out.
    """

    def __init__(self, direction: Direction, tasks: Tasks) -> None:
        self._direction, self._tasks = direction, tasks

    @property
    def direction(self) -> Direction:
        """Whether scores told are to be small or large."""
        return self._direction

    @property
    def pending(self) -> tuple[Experiment, ...]:
        """The experiments that are out: asked for, neither told nor lost; the oldest first."""
        return self._tasks.out

    @abstractmethod
    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next."""

    @abstractmethod
    def _hear(self, outcome: Outcome) -> None:
        """Take an outcome, and move on as far as the outcomes allow."""

    def tell(
        self, told: Outcome | Experiment, score: float | None = None, *, seconds: float = 0.0
    ) -> None:
        """Hear of an outcome, in any order, whether it was asked for here or in another session.

        Once the race or search is done, an outcome is counted and changes nothing.

        Parameters
        ----------
        told
            An outcome; or an experiment, with the score that the target gave.
        score
            In the direction of the race or search; what failed has +inf, or -inf if scores are
            maximized.
        seconds
            What the evaluation took, for budgets of target time.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        InputError
            If there is no such instance, or the score is no number.
        """
        if type(told) is not Outcome:
            told = outcome_of(told, score, direction=self.direction, seconds=seconds)
        self._hear(told)

    def lost(self, *experiments: Experiment) -> None:
        """Hear that experiments that were asked for will not be answered: they are asked for again.

        `race.lost(*race.pending)` puts everything back that an interrupted loop left out.

        Raises
        ------
        RaceError
            If one is not out.
        """
        for experiment in experiments:
            self._tasks.lost(experiment)

    def __iter__(self) -> Iterator[Experiment]:
        """The experiments one by one, for a loop that answers each before it takes the next::

            for experiment in race:
                race.tell(experiment, cost_of(experiment))

        What is out when the loop begins, since an earlier one was interrupted, comes first.

        Raises
        ------
        RaceError
            If an experiment is not answered before the next one is taken.
        """
        self.lost(*self.pending)
        while batch := self.ask(1):
            yield batch[0]
            if self.pending:
                raise RaceError(f"{_name(batch[0])} was not answered: tell it before the next one")


def _name(experiment: Experiment) -> str:
    return f"candidate {experiment.candidate} on instance {experiment.instance.name}"


def not_out(experiment: Experiment, out: int) -> RaceError:
    """The error for an experiment that is said to be lost, but is not out.

    Parameters
    ----------
    out
        How many experiments are out.
    """
    candidate, step = experiment.key
    return RaceError(
        f"candidate {candidate} on instance {step} is not out, so it cannot be lost; "
        f"{out} experiments are out, see `pending`"
    )


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
    who = _name(told)
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
