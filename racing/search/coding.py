"""Configurations as points of the unit cube, each used once; those that a search begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.candidate import Candidate
from racing.search.sampler import Proposal
from racing.space import Configuration, Space, Values

Floats = NDArray[np.float64]

_TRIES = 200
"""After so many tried or forbidden draws in a row, the space counts as exhausted."""


@dataclass(frozen=True, eq=False)
class Draw:
    """A configuration: its values, its point on the unit scale, and its origin."""

    values: Values
    point: Floats
    parent: int | None = None
    origin: str = "given"
    address: tuple[int, ...] = ()
    name: str = ""


class Coding:
    """Turns points of the unit cube into new, allowed configurations of a space.

    Attributes
    ----------
    choices : (d,)
        The number of levels of a categorical parameter, 0 for any other.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self._encoding = space.encoding
        categories = [kind == "category" for kind in self._encoding.kinds]
        levels = np.array(self._encoding.levels, dtype=np.intp)
        self.choices: NDArray[np.intp] = np.where(categories, levels, 0)
        self._may_refuse = bool(self._encoding.refusals(np.empty((0, self.dimension))))
        self._tried: dict[object, Configuration] = {}

    @property
    def dimension(self) -> int:
        """d: the number of parameters."""
        return len(self.choices)

    @property
    def tried(self) -> list[Configuration]:
        """All configurations used so far."""
        return list(self._tried.values())

    def point(self, values: Configuration) -> Floats:
        """The point of a configuration, (d,): categories by index, NaN = inactive."""
        point: Floats = self._encoding.encode([values])[0]
        return point

    def rows(self, points: Floats) -> Floats:
        """Points of the unit cube as rows, (n, d): categories by index, NaN = inactive."""
        return self._encoding.from_points(points)

    def places(self, rows: Floats) -> Floats:
        """Rows, (n, d), with every value where that which it decodes to is, such as an integer."""
        return self._encoding.units(self._encoding.values(rows))

    def allowed(self, rows: Floats) -> NDArray[np.bool_]:
        """Which rows, (n,), no clause forbids."""
        return self._encoding.allowed(rows)

    def untried(self, configurations: Iterable[Configuration]) -> list[Values]:
        """The configurations that are new; they count as tried from now on."""
        return [dict(values) for values in configurations if self._first_time(values)]

    def fresh(self, draw: Callable[[], Proposal], address: tuple[int, ...]) -> Draw | None:
        """The first draw that is allowed and new; None if the space is exhausted."""
        for _ in range(_TRIES):
            proposal = draw()
            row = self.rows(proposal.point[None])
            if self._may_refuse and not self.allowed(row)[0]:
                continue
            values = self._encoding.decode(row)[0]
            if self._first_time(values):
                return Draw(values, row[0], proposal.parent, proposal.origin, address)
        return None

    def _first_time(self, values: Configuration) -> bool:
        key = self.space.key(values)
        if key in self._tried:
            return False
        self._tried[key] = values
        return True


class Design:
    """The initial configurations, in order.

    Parameters
    ----------
    known
        The given configurations, or candidates, which keep their names; missing values take their
        defaults. Those of the space follow, then its default, if it has one.

    Attributes
    ----------
    given
        All these as draws, each once.
    baseline
        The place in `given` of the configuration that the winner is compared with: the default;
        without one, the known one named `default`, or else the first; None without known ones.
    """

    def __init__(
        self, coding: Coding, known: Iterable[Configuration | Candidate], seed: int
    ) -> None:
        self._coding, self._seed, self._calls = coding, seed, 0
        space = coding.space
        default = None if space.without_default() else space.default()
        values, names = [], {}
        for each in (*known, *space.known):
            values.append(space.complete(each.values if isinstance(each, Candidate) else each))
            if isinstance(each, Candidate) and each.name:
                names[space.key(values[-1])] = each.name
        if default is not None:
            values.append(default)
            if "default" not in names.values():
                names[space.key(default)] = "default"
        untried = coding.untried(values)
        place = None
        if default is not None:
            keys = [space.key(each) for each in untried]
            place = keys.index(space.key(default))
        elif untried:  # the one named default, or else the first
            called = [names.get(space.key(each)) == "default" for each in untried]
            place = called.index(True) if any(called) else 0
        self.baseline = place
        self.given = [
            Draw(each, coding.point(each), name=names.get(space.key(each), "")) for each in untried
        ]

    def take(self, n: int) -> list[Draw]:
        """`n` further configurations, spread evenly; fewer if the space is exhausted."""
        if n < 1:
            return []
        address = (int(Purpose.SAMPLE), self._calls)
        rng = stream(self._seed, Purpose.SAMPLE, self._calls)
        self._calls += 1
        coding = self._coding
        found = coding.space.initial(rng, n, exclude=coding.tried)
        return [
            Draw(each, coding.point(each), origin="sobol", address=address)
            for each in coding.untried(found)
        ]

    def all(self) -> list[Draw]:
        """All configurations of a small space that are not in `given`."""
        found = self._coding.untried(self._coding.space.enumerate())
        return [Draw(each, self._coding.point(each), origin="enumerated") for each in found]
