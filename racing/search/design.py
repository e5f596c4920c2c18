"""The configurations that a search begins with: known ones, the default, a Sobol sequence."""

from __future__ import annotations

from collections.abc import Iterable

from racing.candidate import Candidate
from racing.search.coding import Coding, Draw
from racing.seeds import Purpose, stream
from racing.space import Configuration


class Design:
    """What is tried before anything is known.

    Parameters
    ----------
    known
        Configurations that are given, or candidates, which keep their names; what they leave out
        takes its default. Those of the space come after them, then the default, if the space has
        one.

    Attributes
    ----------
    given
        Draws of all these, each once.
    baseline
        The place among them of what a winner is held to: the default, or the first known one where
        the space has no default; None where there is neither.
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
        self.baseline = 0 if place is None and untried else place
        self.given = [
            Draw(each, coding.point(each), name=names.get(space.key(each), "")) for each in untried
        ]

    def take(self, n: int) -> list[Draw]:
        """`n` further configurations, spread evenly; fewer where the space has no more."""
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
        """All configurations of a small space that were not given."""
        found = self._coding.untried(self._coding.space.enumerate())
        return [Draw(each, self._coding.point(each), origin="enumerated") for each in found]
