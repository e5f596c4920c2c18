"""Iterated local search for the Euclidean TSP (Lourenço, Martin & Stützle 2003): the target.

`solve` answers how much longer than the best known tour its tour is, in per cent, after a fixed
amount of counted work, so that the answer depends on its arguments alone and on no clock.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from random import Random
from typing import Any, ClassVar

from .instances import Problem, read
from .kicks import KICKS, kicked
from .local_search import LocalSearch, Work
from .starts import STARTS
from .tour import Tour

WORK = 300_000
SMALLEST_WINDOW = 8


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters of the search.

    The defaults are made for large instances, where short neighbour lists and kicks that stay
    local save time. On small clustered ones they are a handicap, which is what a race can find out.

    Attributes
    ----------
    start
        The first tour.
    neighbours
        How many nearest cities the moves of the local search may link a city to.
    longest_segment
        Or-opt moves segments of up to this many cities; 0: 2-opt alone.
    choice
        Take a city's first improving move or its best.
    kick, window, kicks
        The perturbation; how many cities in a row it may rearrange; how many of them at a time.
    acceptance, temperature
        Go on from the new tour if it is not longer (`better`), by Metropolis' rule at a
        temperature counted in mean edges of the tour (`metropolis`), or in any case (`always`).
    patience
        Go back to the best tour after this many kicks without a better one.
    """

    start: str = "nearest"
    neighbours: int = 8
    longest_segment: int = 3
    choice: str = "first"
    kick: str = "double-bridge"
    window: int = 30
    kicks: int = 1
    acceptance: str = "better"
    temperature: float = 0.1
    patience: int = 100

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "start": tuple(STARTS),
        "choice": ("first", "best"),
        "kick": tuple(KICKS),
        "acceptance": ("better", "metropolis", "always"),
    }
    LEAST: ClassVar[dict[str, int]] = {
        "neighbours": 2,
        "longest_segment": 0,
        "window": SMALLEST_WINDOW,
        "kicks": 1,
        "patience": 1,
    }

    def __post_init__(self) -> None:
        for name, choices in self.CHOICES.items():
            if getattr(self, name) not in choices:
                self._refuse(name, f"one of {', '.join(choices)}")
        for name, least in self.LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                self._refuse(name, f"a whole number of at least {least}")
        if not (isinstance(self.temperature, int | float) and 0 < self.temperature < math.inf):
            self._refuse("temperature", "a number above 0")

    def _refuse(self, name: str, allowed: str) -> None:
        raise ValueError(f"{name} must be {allowed}; got {getattr(self, name)!r}")


class Search:
    """One run: `Search(problem, settings, seed).run(work)` is the length of the best tour found."""

    def __init__(self, problem: Problem, settings: Settings, seed: int) -> None:
        self.problem, self.settings, self.rng = problem, settings, Random(seed)
        self.local = LocalSearch(
            problem.distance,
            [near[: settings.neighbours] for near in problem.by_nearness],
            settings.longest_segment,
            settings.choice,
        )

    def run(self, limit: int) -> int:
        """Search until `limit` units of work are done."""
        work = Work(limit)
        current = Tour(STARTS[self.settings.start](self.problem, self.rng))
        self.local.improve(current, current.order[:], work)
        length = current.length(self.problem.distance)
        best, best_length, vain = current, length, 0
        while work.left:
            new = self._kick_and_mend(current, work)
            new_length = new.length(self.problem.distance)
            vain += 1
            if self._accepts(new_length, length):
                current, length = new, new_length
            if new_length < best_length:
                best, best_length, vain = new, new_length, 0
            elif vain >= self.settings.patience:
                current, length, vain = best, best_length, 0
        return best_length

    def _kick_and_mend(self, tour: Tour, work: Work) -> Tour:
        n = self.problem.n
        kick, size = KICKS[self.settings.kick], min(self.settings.window, n)
        unlinked: list[int] = []
        for _ in range(self.settings.kicks):
            tour, changed = kicked(tour, kick, size, self.rng)
            unlinked += changed
            work.done += n
        self.local.improve(tour, unlinked, work)
        return tour

    def _accepts(self, new: int, old: int) -> bool:
        if self.settings.acceptance == "always" or new <= old:
            return True
        if self.settings.acceptance == "better":
            return False
        mean_edge = old / self.problem.n
        return self.rng.random() < math.exp((old - new) / (self.settings.temperature * mean_edge))


def solve(values: Mapping[str, Any], instance: object, seed: int) -> float:
    """The excess over the best known tour in per cent: lower is better.

    Parameters
    ----------
    values
        Parameters by name, as in `Settings`; those left out have their defaults.
    instance
        The path of a TSPLIB file.
    seed
        Any whole number; the same one gives the same answer.
    """
    unknown = set(values) - {field.name for field in fields(Settings)}
    if unknown:
        raise ValueError(f"unknown parameters: {', '.join(sorted(unknown))}")
    problem = read(str(instance))
    if problem.best_known is None:
        raise ValueError(f"{instance} does not say `COMMENT: best known LENGTH`")
    length = Search(problem, Settings(**values), seed).run(WORK)
    return 100 * (length / problem.best_known - 1)
