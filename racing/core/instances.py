"""The stream of instances of a race: problems in an order, each with a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

from racing.base.errors import InputError, must_be
from racing.base.seeds import Purpose, integer, stream
from racing.core.experiment import Instance

if TYPE_CHECKING:
    import numpy as np

Order = Literal["shuffled", "listed"]

_ORDERS_KEPT = 4
"""The number of passes with a cached order: the current one and the next."""


def check_no_frame(instances: object) -> None:
    """Refuse a data frame as instances: it would hand over the names of its columns.

    Raises
    ------
    InputError
        If it is one.
    """
    if hasattr(instances, "columns") and hasattr(instances, "shape"):
        raise InputError(
            f"instances must be a list of them; got {type(instances).__name__}; give a column, "
            'such as list(frame["name"]), or rows: Instances(rows, names=...)'
        )


def _check_listed(name: str, given: object) -> None:
    if not hasattr(given, "__len__"):
        raise InputError(must_be(name, "a list", given))


@dataclass(frozen=True)
class Instances:
    """Problems, with their order and seeds in a race.

    The stream consists of passes. Each pass has every problem once, in its own keyed order; a
    problem with r fixed seeds is in the first r passes, one without in the first. With `repeat`,
    passes never end, and have new seeds.

    Attributes
    ----------
    problems
        The arguments of the target: names, paths, or any objects that the pool can send to a
        worker.
    names
        One for each problem; by default its text.
    seeds
        Fixed seeds for each problem; () for a keyed one.
    order
        `shuffled` by the race's seed, or as `listed`. Shuffled groups are interleaved.
    repeat
        Whether the problems repeat, with new seeds, after the last one.
    groups
        A label for each problem, () if all are independent. Costs on problems of one group are
        correlated, such as those on the folds of one data set.
    correlation
        Of two costs within a group, 0 ≤ ρ < 1. For folds it is the share of the data that is
        tested, 1/k for k folds (Nadeau and Bengio, 2003). Not used without groups.
    families
        A label for each problem: the kind that it is, by which reports tell gains apart. It decides
        nothing. By default the groups.

    Examples
    --------
    >>> from racing import Instances, Race
    >>> known = Instances(["a.txt", "b.txt"], order="listed", repeat=True)
    >>> race = Race([{"x": 1}, {"x": 2}], known, budget=100)
    >>> [race.instance(step).name for step in range(4)]
    ['a.txt', 'b.txt', 'a.txt', 'b.txt']
    """

    problems: Sequence[object]
    names: Sequence[str] = ()
    seeds: Sequence[Sequence[int]] = ()
    order: Order = "shuffled"
    repeat: bool = False
    groups: Sequence[Hashable] = ()
    correlation: float = 0.1
    families: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_no_frame(self.problems)
        for name in ("problems", "names", "seeds", "groups", "families"):
            _check_listed(name, getattr(self, name))
            given = len(getattr(self, name))
            if given not in (0, len(self.problems)):
                raise InputError(
                    f"{name} must be {len(self.problems)}, one per instance, or none; got {given}"
                )
        if not len(self.problems):
            raise InputError("there must be one instance or more; got none")
        for number, own in enumerate(self.seeds):
            _check_listed(f"seeds[{number}]", own)
        if self.order not in get_args(Order):
            raise InputError(must_be("order", " or ".join(get_args(Order)), self.order))
        if not isinstance(self.repeat, bool):
            raise InputError(must_be("repeat", "true or false", self.repeat))
        if not (isinstance(self.correlation, Real) and 0 <= self.correlation < 1):
            allowed = "from 0 to below 1, such as 1/k for the folds of a k-fold cross-validation"
            raise InputError(must_be("correlation", allowed, self.correlation))

    @cached_property
    def _passes(self) -> list[list[int]]:
        """The problems of each pass with fixed seeds; the first has all problems."""
        uses = [max(len(seeds), 1) for seeds in self.seeds] or [1] * len(self.problems)
        return [[i for i, use in enumerate(uses) if use > lap] for lap in range(max(uses))]

    @cached_property
    def limit(self) -> int | None:
        """The number of instances; None without an end."""
        return None if self.repeat else self._once

    @property
    def _once(self) -> int:
        """The number of steps until each problem was met with each of its fixed seeds."""
        return sum(map(len, self._passes))

    @cached_property
    def recurring(self) -> bool:
        """Whether every instance is the same problem with the same seed."""
        if len(self.problems) > 1 or self.repeat or not self.seeds:
            return False  # drawn seeds are new
        return len(self.seeds[0]) > 1 and len(set(self.seeds[0])) == 1

    def grown(self, more: Instances, begun: int) -> Grown:
        """The same stream with more problems: they come next, alone, then the rest of the pass.

        With `repeat`, all later passes have all problems.

        Parameters
        ----------
        more
            Problems of other names, with groups or families if these have them.
        begun
            The number of steps that may not change.
        """
        end = self._once
        while self.repeat and end < begun:
            end += len(self.problems)
        several = ("problems", "names", "seeds", "groups", "families")
        given: dict[str, Any] = {
            each: getattr(self, each) for each in ("order", "repeat", "correlation")
        }
        given |= {each: (*self._each(each), *more._each(each)) for each in several}
        return Grown(**given, before=self, start=min(begun, end), end=end)

    def _each(self, field: str) -> Sequence[Any]:
        """What each problem has of this; names and seeds also where they were not given."""
        if field == "names":
            return [self._name(place) for place in range(len(self.problems))]
        found: Sequence[Any] = getattr(self, field)
        return [()] * len(self.problems) if field == "seeds" and not found else found

    def at(self, step: int, seed: int) -> Instance:
        """The instance at a step (0, 1, 2, …) of the race with this seed."""
        lap, problem = self._problem_at(step, seed)
        fixed = self.seeds[problem] if self.seeds else ()
        return Instance(
            step=step,
            name=self._name(problem),
            seed=fixed[lap] if lap < len(fixed) else integer(seed, Purpose.INSTANCE_SEED, step),
            problem=self.problems[problem],
            number=problem + 1,
            family=str(self._kinds[problem]) if len(self._kinds) else "",
        )

    @property
    def _kinds(self) -> Sequence[Hashable]:
        """The family of each problem: its group where no other is given; () without either."""
        return self.families if len(self.families) else self.groups

    def group_at(self, step: int, seed: int) -> int | None:
        """The group of the instance at a step, counted from 0; None if there are no groups."""
        if not len(self.groups):
            return None
        return self._group_numbers[self.groups[self._problem_at(step, seed)[1]]]

    def number_at(self, step: int, seed: int) -> int:
        """`Instance.number` of the instance at a step."""
        return self._problem_at(step, seed)[1] + 1

    @property
    def shared(self) -> float:
        """The correlation of the costs on any two problems: of the only group, or else 0."""
        return self.correlation if len(set(self.groups)) == 1 else 0.0

    @cached_property
    def labels(self) -> Sequence[Hashable]:
        """What each problem's costs are one observation of: its group, or else its name."""
        return self.groups if len(self.groups) else self._each("names")

    def label_at(self, step: int, seed: int) -> Hashable:
        """The label of the instance at a step."""
        return self.labels[self.number_at(step, seed) - 1]

    def units(self) -> Sequence[Hashable]:
        """The same, to divide the problems by: where all have one label, each is one of its own."""
        return self.labels if len(set(self.labels)) > 1 else range(len(self.problems))

    def _name(self, problem: int) -> str:
        return self.names[problem] if self.names else str(self.problems[problem])

    def _problem_at(self, step: int, seed: int) -> tuple[int, int]:
        """(pass, place in `problems`) of a step."""
        lap, place = self._locate(step)
        return lap, self._pass_order(lap, seed)[place]

    @property
    def _key(self) -> tuple[int, ...]:
        """What keys the orders of the passes, beside their numbers."""
        return ()

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
    def _orders(self) -> dict[tuple[int, int], Sequence[int]]:
        """The orders of the latest passes, cached because drawing one takes time."""
        return {}

    def _interleaved(self, order: list[int], rng: np.random.Generator) -> Sequence[int]:
        """A shuffled order in which each group is spread evenly, in proportion to its size.

        The i-th of a group's n problems is put at a place drawn from i/n to (i + 1)/n of the pass.
        So groups of one size all occur once before any of them occurs twice, and the first problems
        of a pass represent all groups as well as they can.
        """
        if len(set(self.groups)) < 2:
            return order
        sizes = Counter(self.groups[problem] for problem in order)
        met = Counter[Hashable]()
        places: dict[int, float] = {}
        for problem, chance in zip(order, rng.random(len(order)).tolist(), strict=True):
            group = self.groups[problem]
            places[problem] = (met[group] + chance) / sizes[group]
            met[group] += 1
        return sorted(order, key=places.__getitem__)

    def _pass_order(self, lap: int, seed: int) -> Sequence[int]:
        known = lap < len(self._passes)
        members = self._passes[lap] if known else range(len(self.problems))
        if self.order == "listed":
            return members
        if (lap, seed) not in self._orders:
            rng = stream(seed, Purpose.INSTANCE_ORDER, lap, *self._key)
            shuffled = [members[i] for i in rng.permutation(len(members))]
            if len(self._orders) >= _ORDERS_KEPT:
                self._orders.clear()
            self._orders[lap, seed] = self._interleaved(shuffled, rng)
        return self._orders[lap, seed]


@dataclass(frozen=True, kw_only=True)
class Grown(Instances):
    """A stream with problems that were added to another one; see `Instances.grown`.

    Attributes
    ----------
    before
        The other stream, up to its step `end`; the added problems come at the step `start`.
    """

    before: Instances
    start: int
    end: int

    @cached_property
    def _passes(self) -> list[list[int]]:
        """The added problems of each pass with fixed seeds; the first has all of them."""
        old = len(self.before.problems)
        uses = [max(len(seeds), 1) for seeds in self.seeds[old:]]
        return [
            [old + place for place, use in enumerate(uses) if use > lap] for lap in range(max(uses))
        ]

    @property
    def _once(self) -> int:
        return self.end + super()._once

    @property
    def _key(self) -> tuple[int, ...]:
        return (self.start,)

    def _problem_at(self, step: int, seed: int) -> tuple[int, int]:
        added = super()._once
        if step < self.start:
            return self.before._problem_at(step, seed)
        if self.start + added <= step < self._once:
            return self.before._problem_at(step - added, seed)
        met = self.start if step < self._once else self.end
        lap, place = self._locate(step - met)
        problem = self._pass_order(lap, seed)[place]
        new = lap < len(self._passes)  # else all fixed seeds were used
        return lap + (0 if new else len(self.seeds[problem])), problem
