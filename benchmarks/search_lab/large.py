"""Many evaluations on many instances: regret by the settings that matter then, and the time taken.

The synthetic landscapes have 2,000 instances here, and a search 10,000 evaluations. The number of
initial configurations is .15, .03 or .015 of them: the default, 300, and about .15 · √(100 B).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path

import numpy as np

from benchmarks import records
from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.measure import begun, driven
from benchmarks.search_lab.spaces import configuration, row
from benchmarks.search_lab.tables import difference, mean_and_error
from racing.search import Settings

FAMILIES = ("S15", "H15", "S40")
INSTANCES, EVALUATIONS = 2_000, 10_000
WINDOWS, INITIAL = (10, 40, 200), (0.15, 0.03, 0.015)
USUAL = (10, Settings().initial, Settings().elites)
CELLS = [(w, i, USUAL[2]) for i in INITIAL for w in WINDOWS] + [(w, USUAL[1], 8) for w in WINDOWS]
"""The window, the initial share and the number of elites; the usual ones come first."""


@dataclass(frozen=True)
class Run:
    """What a search came to.

    Attributes
    ----------
    candidates, instances
        How many configurations it has tried, and how many instances the last elites have met.
    first, second, third, last
        Its own processor time in milliseconds for each evaluation, in four parts of equal length.
    """

    family: str
    landscape: int
    seed: int
    window: int
    initial: float
    elites: int
    regret: float
    candidates: int
    instances: int
    first: float
    second: float
    third: float
    last: float

    @property
    def cell(self) -> tuple[int, float, int]:
        """Its settings."""
        return self.window, self.initial, self.elites


def run(name: str, number: int, seed: int, cell: tuple[int, float, int]) -> Run:
    """A search with these settings."""
    land = Landscape(name, number, instances=INSTANCES)
    window, initial, elites = cell
    search = begun(
        land, configuration(land.family, land.default),
        budget=EVALUATIONS, seed=1000 * number + seed,
        window=window, settings=Settings(initial=initial, elites=elites),
    )  # fmt: skip
    steps = list(driven(search, land))
    assert search.winner is not None
    return Run(
        name, number, seed, *cell,
        scale(name, number).regret(land.truth(row(land.family, search.winner.values))),
        len(search.candidates), search.instances_seen, *_by_quarter(steps),
    )  # fmt: skip


def _by_quarter(steps: Sequence[tuple[int, float]]) -> list[float]:
    """Milliseconds for each evaluation, in four parts of equal length."""
    done = np.array([0, *accumulate(told for told, _ in steps)])
    spent = np.array([0.0, *accumulate(seconds for _, seconds in steps)])
    at = np.linspace(0, done[-1], 5)
    return [float(one) for one in 1000 * np.diff(np.interp(at, done, spent)) / np.diff(at)]


def rows(
    file: Path, families: Iterable[str], landscapes: Sequence[int], seeds: Sequence[int]
) -> Iterator[str]:
    """Run what the file does not have, and return the tables of these landscapes."""
    runs = records.load(Run, file) if file.exists() else []
    known = {(one.family, one.landscape, one.seed, one.cell) for one in runs}
    due = (
        (name, number, seed, cell)
        for seed, number, name, cell in product(seeds, landscapes, families, CELLS)
        if (name, number, seed, cell) not in known
    )
    runs += records.save((run(*key) for key in due), Run, file)
    mine = [one for one in runs if one.landscape in landscapes and one.family in families]
    yield from lines(mine)


def lines(runs: Sequence[Run]) -> Iterator[str]:
    """Regret by settings, the paired difference to the usual ones, and the time taken."""
    yield "| initial | elites | window | regret | less usual | tried | instances | ms by quarter |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    usual = _cells(runs, USUAL)
    for cell in CELLS:
        window, initial, elites = cell
        own = [one for one in runs if one.cell == cell]
        if not own:
            continue
        regret, _ = mean_and_error(_cells(runs, cell))
        apart, error = mean_and_error(difference(_cells(runs, cell), usual))
        apart_told = "" if cell == USUAL else f"{apart:+.3f} ({error:.3f})".replace("-", "−")
        tried, met, *times = (
            np.mean([getattr(one, name) for one in own])
            for name in ("candidates", "instances", "first", "second", "third", "last")
        )
        told = ", ".join(f"{one:.2f}" for one in times)
        yield (
            f"| {round(initial * EVALUATIONS)} | {elites} | {window} | {regret:.3f} | {apart_told} "
            f"| {tried:.0f} | {met:.0f} | {told} |"
        )


def _cells(runs: Iterable[Run], cell: tuple[int, float, int]) -> dict[str, dict[int, float]]:
    """Family → landscape → mean regret over seeds."""
    found: dict[str, dict[int, list[float]]] = {}
    for one in runs:
        if one.cell == cell:
            found.setdefault(one.family, {}).setdefault(one.landscape, []).append(one.regret)
    return {f: {n: float(np.mean(v)) for n, v in by.items()} for f, by in found.items()}
