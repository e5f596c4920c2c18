"""The stream of instances that a race goes through: problems in an order, each with a seed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from racing.errors import InputError
from racing.experiment import Instance
from racing.seeds import Purpose, integer, stream

Order = Literal["shuffled", "listed"]

_ORDERS_KEPT = 4
"""Passes whose order is remembered: a race goes through one, and looks ahead into the next."""


@dataclass(frozen=True)
class Instances:
    """Problems, and the order and seeds in which a race meets them.

    The stream goes through the problems in passes. Each pass has every problem once, in its own
    keyed order; a problem with r fixed seeds takes part in the first r passes, one without in the
    first. With `repeat`, passes go on without end, with new seeds.

    Attributes
    ----------
    problems
        What the target is given: names, paths, or any objects that the pool can send to a worker.
    names
        One for each problem; by default its text.
    seeds
        Fixed seeds for each problem, () where a keyed one is drawn.
    order
        `shuffled` by the race's seed, or as `listed`.
    repeat
        Whether the problems come again, with new seeds, after the last one.
    groups
        A label for each problem, () if all are independent. Costs on problems of one group are
        correlated, as those on the folds of one data set are, so that more of them tell less.
    correlation
        Of two costs within a group, 0 ≤ ρ < 1. For folds it is the share of the data that is
        tested, 1/k for k folds (Nadeau and Bengio, 2003). Not used without groups.
    """

    problems: Sequence[object]
    names: Sequence[str] = ()
    seeds: Sequence[Sequence[int]] = ()
    order: Order = "shuffled"
    repeat: bool = False
    groups: Sequence[Hashable] = ()
    correlation: float = 0.1

    def __post_init__(self) -> None:
        if not len(self.problems):
            raise InputError("there are no instances; a race needs at least one")
        for name in ("names", "seeds", "groups"):
            given = len(getattr(self, name))
            if given not in (0, len(self.problems)):
                raise InputError(
                    f"{given} {name} for {len(self.problems)} instances; give one for each, or none"
                )
        if not 0 <= self.correlation < 1:
            raise InputError(
                f"correlation is {self.correlation!r}; expected a number from 0 up to 1, such as "
                "1/k for the folds of a k-fold cross-validation"
            )

    @cached_property
    def _passes(self) -> list[list[int]]:
        """The problems of each pass that the fixed seeds ask for; the first has them all."""
        uses = [max(len(seeds), 1) for seeds in self.seeds] or [1] * len(self.problems)
        return [[i for i, use in enumerate(uses) if use > lap] for lap in range(max(uses))]

    @cached_property
    def limit(self) -> int | None:
        """How many instances there are; None without an end."""
        return None if self.repeat else sum(map(len, self._passes))

    def at(self, step: int, seed: int) -> Instance:
        """The instance at a step (0, 1, 2, …) of the race with this seed."""
        lap, place = self._locate(step)
        problem = self._pass_order(lap, seed)[place]
        fixed = self.seeds[problem] if self.seeds else ()
        return Instance(
            step=step,
            name=self.names[problem] if self.names else str(self.problems[problem]),
            seed=fixed[lap] if lap < len(fixed) else integer(seed, Purpose.INSTANCE_SEED, step),
            problem=self.problems[problem],
            number=problem + 1,
        )

    def group_at(self, step: int, seed: int) -> int | None:
        """The group of the instance at a step, counted from 0; None if there are no groups."""
        if not len(self.groups):
            return None
        lap, place = self._locate(step)
        return self._group_numbers[self.groups[self._pass_order(lap, seed)[place]]]

    @cached_property
    def _group_numbers(self) -> dict[Hashable, int]:
        """Label → number, in order of appearance."""
        return {label: number for number, label in enumerate(dict.fromkeys(self.groups))}

    def _locate(self, step: int) -> tuple[int, int]:
        """(pass, place within it) of a step."""
        for lap, members in enumerate(self._passes):
            if step < len(members):
                return lap, step
            step -= len(members)
        if not self.repeat:
            raise InputError(f"there are only {self.limit} instances")
        laps, place = divmod(step, len(self.problems))
        return len(self._passes) + laps, place

    @cached_property
    def _orders(self) -> OrderedDict[tuple[int, int], Sequence[int]]:
        """The orders of the passes asked for last: to draw one takes time for each instance."""
        return OrderedDict()

    def _pass_order(self, lap: int, seed: int) -> Sequence[int]:
        members = self._passes[lap if lap < len(self._passes) else 0]  # the first has them all
        if self.order == "listed":
            return members
        if (lap, seed) not in self._orders:
            shuffled = stream(seed, Purpose.INSTANCE_ORDER, lap).permutation(len(members))
            self._orders[lap, seed] = [members[i] for i in shuffled]
            while len(self._orders) > _ORDERS_KEPT:
                self._orders.popitem(last=False)
        return self._orders[lap, seed]
