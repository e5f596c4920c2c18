"""The initial configurations of a search: known ones, the default, a Sobol sequence."""

from __future__ import annotations

from collections.abc import Iterable

from racing.base.seeds import Purpose, stream
from racing.core.candidate import Candidate
from racing.search.coding import Coding, Draw
from racing.space import Configuration


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
