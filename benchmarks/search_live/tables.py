"""What the contenders reached on held-back instances, and what they cost, as Markdown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.search_live.errors import crossed
from benchmarks.search_live.measure import Run
from racing.analysis.compare import as_table, compare, words
from racing.base.errors import RacingError

TITLES = {
    "racing": "racing",
    "racing-risk": "racing, `risk: 0.5`",
    "racing-before": "racing, before",
    "racing-ranks": "racing, by mean ranks",
    "irace": "irace 3.5",
    "optuna": "Optuna, WilcoxonPruner",
    "optuna-tpe": "Optuna, TPE",
    "smac": "SMAC3",
}
OURS = ("racing", "racing-before")
"""The first that ran is held to each of the others."""

KEPT = 30
"""Where not every outcome of a run was kept, its mean is that of the first so many."""
_LEAST = 6
"""With fewer pairs no test can show anything at the level of .05."""

Cell = dict[str, list[Run]]
"""The runs on one target with one budget, by contender."""


def lines(runs: Sequence[Run]) -> list[str]:
    """A row for each target, budget and contender; below, a test of each pair with racing."""
    found = [
        "| target | evaluations | search | seeds | instances | cost | gain over the default | "
        "default kept | worse (shown) | racing is better by | ms of CPU | ms on the clock |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    cells, defaults = by_cell(runs), by_default(runs)
    for (name, budget), by in sorted(cells.items()):
        shown = [one for one in TITLES if by.get(one)]
        found += [_row(f"| {name} | {budget} |", one, by, defaults.get(name)) for one in shown]
    return [*found, "", *_tests(cells)]


def by_cell(runs: Sequence[Run]) -> dict[tuple[str, int], Cell]:
    """The runs by target and budget, and by contender."""
    cells: dict[tuple[str, int], Cell] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run.contender != "default":
            cells[run.target, run.budget][run.contender].append(run)
    return cells


def by_default(runs: Sequence[Run]) -> dict[str, Run]:
    """What the default came to on each target, if every outcome was kept."""
    return {run.target: run for run in runs if run.contender == "default" and run.outcomes}


def _row(head: str, contender: str, by: Cell, default: Run | None) -> str:
    runs = by[contender]
    done = [run for run in runs if not run.refused]
    if not done:
        return f"{head} {TITLES[contender]} | {len(runs)} | refuses |" + " – |" * 7
    found = gains(done, default)
    better = _differences(by, contender)
    ahead = figure(better, "+") if len(better) else "–"
    each = [
        1000 * np.mean([getattr(run, what) / max(run.evaluations, 1) for run in done])
        for what in ("processor", "wall")
    ]
    cost, instances = np.mean([run.cost for run in done]), found.shape[1]
    counts = f"{_kept(done, default)} | {_worse(found)}"
    told = f"{cost:.3f} | {figure(found)} | {counts} | {ahead}".replace("-", "−")
    what = f"{TITLES[contender]} | {len(done)} | {instances if instances > 1 else '–'}"
    return f"{head} {what} | {told} | {each[0]:.1f} | {each[1]:.1f} |"


def gains(runs: Sequence[Run], default: Run | None, *, common: bool = False) -> np.ndarray:
    """(S, n) how much better than the default each winner is on each instance; n = 1: on average.

    A run that kept its outcomes is held to the default's on the same instances. The average is
    that over `KEPT` instances, which all runs have met.
    """
    if default is None or common or not all(run.outcomes for run in runs):
        return np.array([[_gain(run, default)] for run in runs])
    return np.array([default.costs - run.costs for run in runs])


def _gain(run: Run, default: Run | None) -> float:
    if default is None or not run.outcomes:
        return run.default - run.cost
    return float((default.costs - run.costs)[:KEPT].mean())


def _kept(runs: Sequence[Run], default: Run | None) -> str:
    """How many winners are the default itself."""
    if default is None or not all(run.winner for run in runs):
        return "–"
    return str(sum(run.winner == default.winner for run in runs))


def _worse(found: np.ndarray) -> str:
    """How many winners are worse than the default; of how many it is shown, at 2.5 %."""
    worse = int((found.mean(axis=1) < 0).sum())
    if found.shape[1] == 1:
        return f"{worse} (–)"
    shown = sum(bool(row.mean() < -1.96 * crossed(row[None])) for row in found)
    return f"{worse} ({shown})"


def figure(values: np.ndarray, sign: str = "") -> str:
    """The mean with its standard error, over seeds (S,) or over seeds and instances (S, n)."""
    error = crossed(values if values.ndim == 2 else values[:, None])
    brackets = "" if math.isnan(error) else f" ({error:.3f})"
    return f"{values.mean():{sign}.3f}{brackets}".replace("-", "−")


def pairs(by: Cell, peer: str) -> list[tuple[Run, Run]]:
    """The runs of racing and of a peer, for each seed that both ran with."""
    first = next((one for one in OURS if by.get(one)), peer)
    if first == peer:
        return []
    ours, theirs = (
        {run.seed: run for run in by.get(one, []) if not run.refused} for one in (first, peer)
    )
    return [(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]


def _differences(by: Cell, peer: str) -> np.ndarray:
    """(S, n) how much better racing is on each instance, or, n = 1, on average."""
    both = pairs(by, peer)
    if all(one.outcomes for pair in both for one in pair):
        return np.array([theirs.costs - ours.costs for ours, theirs in both])
    return np.array([[theirs - ours] for ours, theirs in map(means, both)])


def means(pair: tuple[Run, Run]) -> tuple[float, float]:
    """The mean costs of two runs on the instances that both have met."""
    if all(run.outcomes for run in pair):
        return pair[0].cost, pair[1].cost
    ours, theirs = (float(np.mean(run.costs[:KEPT])) if run.outcomes else run.cost for run in pair)
    return ours, theirs


def _tests(cells: dict[tuple[str, int], Cell]) -> list[str]:
    """The project's own comparison of racing with each peer, for each budget."""
    said = []
    for budget in sorted({budget for _, budget in cells}):
        cells_of = [by for (_, size), by in cells.items() if size == budget]
        for peer in [one for one in TITLES if one not in OURS]:
            both = [pair for by in cells_of for pair in pairs(by, peer)]
            said += [_said(budget, peer, both)] if both else []
    return said


def _said(budget: int, peer: str, both: list[tuple[Run, Run]]) -> str:
    """How often racing is ahead, and the test; each pair of a target and a seed is a block."""
    rows, own = [means(pair) for pair in both], TITLES[both[0][0].contender]
    ahead = sum(ours < theirs for ours, theirs in rows)
    head = f"- {budget} evaluations, {own}, beside {TITLES[peer]}: ahead in {ahead} of {len(rows)}."
    if len(rows) < _LEAST:
        return f"{head} Too few to be tested."
    try:
        told = compare(as_table(np.array(rows), names=[own, TITLES[peer]]))
    except RacingError as error:
        return f"{head} {error}"
    return f"{head} {' '.join(words.findings(told))}"
