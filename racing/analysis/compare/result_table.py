"""A finished table of results: scores by algorithm and instance, checked and complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import TableError, show
from racing.base.quantities import Direction, cost_of, limited

Floats: TypeAlias = NDArray[np.float64]
Missing: TypeAlias = Literal["refuse", "drop-instances", "drop-algorithms"]
Duplicates: TypeAlias = Literal["refuse", "number"]


MOST_ALGORITHMS = 10_000


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Scores of m algorithms on n instances, complete; rows are instances.

    Attributes
    ----------
    names : m distinct names of algorithms
    instances : n distinct names of instances
    scores : (n, m), or (n, m, r) with r repetitions of each; in the user's direction
        A failure is the worst score there is: +inf if scores are minimized, else -inf. A score
        beyond 1e75 is one too.
    direction : "minimize" if lower scores are better, "maximize" if higher ones are
    source : where the table comes from, for messages and reports
    assumed : whether `direction` was assumed rather than given
    from_race : whether these are the costs by which a race chose its survivors and dropped others
    left_out : names of the instances or algorithms left out because cells were missing
    groups : what each instance belongs to, where instances come in groups; () if independent
    cutoff : at which runs were stopped, if that is known; such runs are failures

    Raises
    ------
    TableError
        If the shapes, names or scores cannot be compared; see `complete` for missing cells.
    """

    names: tuple[str, ...]
    instances: tuple[str, ...]
    scores: Floats
    direction: Direction = "minimize"
    source: str = "table"
    assumed: bool = False
    from_race: bool = False
    left_out: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    cutoff: float | None = None

    def __post_init__(self) -> None:
        _check_direction(self.direction, self.source)
        _check_shape(self)
        _check_distinct(self.names, "algorithm", self.source)
        _check_distinct(self.instances, "instance", self.source)
        object.__setattr__(self, "scores", _checked(self))
        _check_groups(self)

    @property
    def n(self) -> int:
        """How many instances."""
        return len(self.instances)

    @property
    def m(self) -> int:
        """How many algorithms."""
        return len(self.names)

    @property
    def repetitions(self) -> int:
        """How many scores there are of each algorithm on each instance."""
        return 1 if self.scores.ndim == 2 else self.scores.shape[2]

    @cached_property
    def means(self) -> Floats:
        """(n, m) scores, repetitions averaged; in the user's direction."""
        return self.scores if self.scores.ndim == 2 else np.asarray(self.scores.mean(axis=2))

    @cached_property
    def costs(self) -> Floats:
        """(n, m) costs, lower is better, repetitions averaged."""
        return cost_of(self.means, self.direction)

    @cached_property
    def yes_or_no(self) -> bool:
        """Whether every score is 0 or 1, and both occur."""
        return set(np.unique(self.scores)) == {0.0, 1.0} and self.repetitions == 1

    @cached_property
    def repeated_costs(self) -> Floats:
        """(n, m, r) costs, lower is better."""
        scores = self.scores if self.scores.ndim == 3 else self.scores[:, :, None]
        return cost_of(scores, self.direction)

    def column(self, name: str) -> int:
        """The column of an algorithm, by name."""
        if not isinstance(name, str):
            among = isinstance(name, (int, np.integer)) and 0 <= name < self.m
            meant = f"; column {name} is {show(self.names[name])}" if among else ""
            raise TableError(
                f"{self.source}: expected the name of an algorithm, got {name!r}{meant}"
            )
        if name not in self.names:
            from racing.base.errors import did_you_mean

            raise TableError(
                f"{self.source}: no algorithm is called {show(name)}"
                f"{did_you_mean(name, self.names)}"
            )
        return self.names.index(name)


def numbered(instances: Iterable[str]) -> tuple[str, ...]:
    """Names of instances; repeated names get a number, such as "x (2)"."""
    names = tuple(instances)
    taken, seen, out = set(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        new = name
        while seen[name] > 1 and new in taken:
            new = f"{name} ({seen[name]})"
            seen[name] += new in taken
        taken.add(new)
        out.append(new)
    return tuple(out)


def _check_direction(direction: str, source: str) -> None:
    if direction not in ("minimize", "maximize"):
        raise TableError(f"{source}: expected minimize or maximize, got {show(direction)}")


def _check_shape(table: ResultTable) -> None:
    shape, expected = table.scores.shape, (len(table.instances), len(table.names))
    if len(shape) not in (2, 3) or shape[:2] != expected or 0 in shape[2:]:
        raise TableError(
            f"{table.source}: expected scores of shape {expected} for {expected[0]} instances and "
            f"{expected[1]} algorithms, got {shape}"
        )
    if expected[0] == 0:
        raise TableError(f"{table.source}: no instances: expected at least one row of scores")
    if expected[1] < 2:
        only = f" ({show(table.names[0])})" if table.names else ""
        raise TableError(
            f"{table.source}: a comparison needs at least two algorithms, got {expected[1]}{only}"
        )
    if expected[1] > MOST_ALGORITHMS:
        raise TableError(
            f"{table.source}: {expected[1]} algorithms, but at most {MOST_ALGORITHMS} can be; "
            "are rows and columns interchanged? a row is an instance, a column an algorithm"
        )


def _check_groups(table: ResultTable) -> None:
    if table.groups and len(table.groups) != table.n:
        raise TableError(
            f"{table.source}: groups: expected a label for each of {table.n} instances, got "
            f"{len(table.groups)}"
        )


def _check_distinct(labels: tuple[str, ...], what: str, source: str) -> None:
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise TableError(
            f"{source}: {what} names must differ, {show(twice[0])} stands for "
            f"{labels.count(twice[0])}; rename all but one"
            + ("" if what == "algorithm" else ", or number them (--duplicates number)")
        )


def _checked(table: ResultTable) -> Floats:
    """The scores, if all can be compared."""
    best = -np.inf if table.direction == "minimize" else np.inf
    scores = limited(table.scores)
    worthless: NDArray[np.bool_] = np.isnan(scores) | np.equal(scores, best)
    wrong = np.argwhere(worthless)
    if not wrong.size:
        return scores
    at = wrong[0]
    cell = f"{table.names[at[1]]} on {table.instances[at[0]]}"
    if np.isnan(table.scores[tuple(at)]):
        raise TableError(f"{table.source}: {cell} is missing; see racing.analysis.compare.complete")
    raise TableError(
        f"{table.source}: {cell} is {table.scores[tuple(at)]}, infinitely good where scores are "
        f"{table.direction}d; a failure is {-best}. If the direction is wrong, say "
        f"{'--maximize' if table.direction == 'minimize' else '--minimize'}"
    )
