"""Which problems a search learns from, and which are set aside for its confirmation."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from racing.core.experiment import Instance
from racing.core.instances import Grown, Instances

ENOUGH = 20
"""From so many problems on, some are set aside by default."""

SHARE = 0.25
"""The share that is set aside by default."""

LEAST = 2
"""The fewest problems that are set aside, and that are left: fewer have no interval."""


def number_aside(problems: int, asked: float | None) -> int:
    """The number of problems to set aside of so many.

    Parameters
    ----------
    asked
        A share below 1, a number from 1 on, 0 for none; None for `SHARE`, and for none of fewer
        than `ENOUGH` problems.

    Examples
    --------
    >>> number_aside(40, None), number_aside(19, None), number_aside(19, 0.25), number_aside(19, 6)
    (10, 0, 4, 6)
    """
    if asked is None:
        asked = SHARE if problems >= ENOUGH else 0
    found = math.floor(asked * problems) if asked < 1 else int(asked)
    return found if LEAST <= found <= problems - LEAST else 0


class Division:
    """The instances of a search as rows: training rows 0, 1, 2, …, and −1, −2, … set aside.

    A row belongs to one step of `Instances`. The problems that are set aside are spread evenly over
    the first pass, so they are known before the first evaluation and look like the others: they are
    drawn as the order is drawn, and are every so-manieth of a listed order. Their later instances,
    with new seeds, are set aside too. Problems of one group, or of one name, stay together.

    Parameters
    ----------
    asked
        See `number_aside`; groups count, where there are several.

    Attributes
    ----------
    problems
        How many there are; groups count, where there are several.
    aside
        The numbers of the problems that are set aside, as in `Instance.number`; empty if none are.
    closed
        The number of training rows, each of another problem, where a new seed changes no cost; None
        where it may.
    """

    closed: int | None = None

    def __init__(self, instances: Instances, seed: int, asked: float | None = 0) -> None:
        self._instances, self._seed, self._asked = instances, seed, asked
        self._units: Sequence[Hashable] = ()
        self.aside: frozenset[int] = frozenset()
        self._choose(0)
        self._training: list[int] = []
        self._reserve: list[int] = []
        self._rows: list[int] = []

    def grow(self, instances: Grown) -> None:
        """Take more instances: what is set aside stays so, and of the new ones their share is."""
        self._instances = instances
        self._choose(instances.start)
        self._training = [step for step in self._training if step < instances.start]
        self._reserve = [step for step in self._reserve if step < instances.start]
        del self._rows[instances.start :]
        self.__dict__.pop("_limits", None)

    def _choose(self, first: int) -> None:
        """Set aside the share of all problems, from the new ones of the pass at this step.

        They are spread evenly over it. New problems of a known group go where that is.
        """
        old, self._units = len(self._units), self._instances.units()
        self.problems = len(set(self._units))
        known = {self.unit(number) for number in range(1, old + 1)}
        kept = {self.unit(number) for number in self.aside}
        more = max(number_aside(self.problems, self._asked) - len(kept), 0)
        if not (more or kept):
            return
        numbers = [self._number(first + place) for place in range(len(self._units) - old)]
        met = [unit for unit in dict.fromkeys(map(self.unit, numbers)) if unit not in known]
        shares = [place * more // max(len(met), 1) for place in range(len(met) + 1)]
        kept |= {unit for place, unit in enumerate(met) if shares[place + 1] > shares[place]}
        self.aside |= {number for number in numbers if self.unit(number) in kept}

    def _number(self, step: int) -> int:
        return self._instances.number_at(step, self._seed)

    def __str__(self) -> str:
        aside, noun = len({self.unit(number) for number in self.aside}), self._noun
        if aside:
            return (
                f"{self.problems - aside} of {self.problems} {noun}s are searched on; {aside} are "
                "set aside: only the confirmation meets them"
            )
        all_ = f"all {self.problems} {noun}s are" if self.problems > 1 else f"the one {noun} is"
        return f"{all_} searched on, none is set aside; what is confirmed on them holds for them"

    @property
    def _noun(self) -> str:
        """What is set aside: groups, or instances of the only one."""
        groups = len(set(self._instances.groups))
        return ("problem", "instance")[groups] if groups < 2 else "group"

    def unit(self, number: int) -> Hashable:
        """What the costs on the problem of this number are one observation of."""
        return self._units[number - 1]

    def step(self, row: int) -> int:
        """The step of a row."""
        if not self.aside:
            return row
        steps, place = (self._training, row) if row >= 0 else (self._reserve, -1 - row)
        self._walk(lambda: len(steps) > place)
        return steps[place]

    def row(self, step: int) -> int:
        """The row of a step."""
        if not self.aside:
            return step
        self._walk(lambda: len(self._rows) > step)
        return self._rows[step]

    def _walk(self, reached: Callable[[], bool]) -> None:
        """Give rows to steps, in order, until one is reached."""
        while not reached():
            step = len(self._rows)
            aside = self._number(step) in self.aside
            steps = self._reserve if aside else self._training
            self._rows.append(-1 - len(steps) if aside else len(steps))
            steps.append(step)

    @property
    def training(self) -> Instances:
        """The training rows as instances of their own."""
        if not self.aside:
            return self._instances
        same = {one.name: getattr(self._instances, one.name) for one in fields(Instances)}
        return _Training(**same, division=self)

    def close(self, row: int) -> None:
        """From this training row on, runs only repeat known costs: it and later passes are left."""
        self.closed = row

    @property
    def limits(self) -> tuple[float, float]:
        """The number of rows to train on, and of rows set aside; inf without an end."""
        training, aside = self._limits
        if self.closed is None:
            return training, aside
        return min(training, self.closed), min(aside, len(self.aside))

    @cached_property
    def _limits(self) -> tuple[float, float]:
        """The same, of all passes."""
        end = self._instances.limit
        if end is None:
            return math.inf, math.inf if self.aside else 0.0
        aside = sum(self._number(step) in self.aside for step in range(end)) if self.aside else 0
        return end - aside, aside


@dataclass(frozen=True)
class _Training(Instances):
    """The training rows of a division, in place of steps."""

    division: Division | None = None

    @cached_property
    def limit(self) -> int | None:
        assert self.division is not None
        end = self.division.limits[0]
        return None if math.isinf(end) else int(end)

    def at(self, step: int, seed: int) -> Instance:
        return replace(super().at(self._of(step), seed), step=step)

    def group_at(self, step: int, seed: int) -> int | None:
        return super().group_at(self._of(step), seed)

    def _of(self, row: int) -> int:
        assert self.division is not None
        return self.division.step(row)
