"""What the contenders reached on held-back instances, and what they cost, as Markdown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.search_live.measure import Run
from racing.analysis.compare import as_table, compare, words
from racing.base.errors import RacingError

TITLES = {
    "racing": "racing",
    "racing-ranks": "racing, by mean ranks",
    "irace": "irace 3.5",
    "optuna": "Optuna",
    "smac": "SMAC3",
}
FIRST = "racing"

_LEAST = 6
"""With fewer pairs no test can show anything at the level of .05."""


def lines(runs: Sequence[Run]) -> list[str]:
    """A row for each target, budget and contender; below, a test of each pair with racing."""
    found = [
        "| target | evaluations | search | seeds | cost | gain over the default | "
        "racing is better by | ms of CPU | ms on the clock |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    cells: dict[tuple[str, int], dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        cells[run.target, run.budget][run.contender].append(run)
    for (name, budget), by in sorted(cells.items()):
        found += [_row(name, budget, one, by) for one in TITLES if by.get(one)]
    return [*found, "", *_tests(cells)]


def _row(name: str, budget: int, contender: str, by: dict[str, list[Run]]) -> str:
    runs = by[contender]
    done = [run for run in runs if not run.refused]
    head = f"| {name} | {budget} | {TITLES[contender]} |"
    if not done:
        return f"{head} {len(runs)} | refuses | – | – | – | – |"
    costs = np.array([run.cost for run in done])
    gains = np.array([run.default - run.cost for run in done])
    pairs = np.array(_pairs(by, contender))
    ahead = "–"
    if contender != FIRST and len(pairs):
        ahead = figure(pairs[:, 1] - pairs[:, 0], "+")
    each = [
        1000 * np.mean([getattr(run, what) / max(run.evaluations, 1) for run in done])
        for what in ("processor", "wall")
    ]
    figures = f"{figure(costs)} | {figure(gains)} | {ahead} | {each[0]:.1f} | {each[1]:.1f}"
    return f"{head} {len(done)} | {figures} |"


def figure(values: np.ndarray, sign: str = "") -> str:
    """Their mean with its standard error."""
    if len(values) < 2:
        return f"{values.mean():{sign}.3f}".replace("-", "−")
    error = values.std(ddof=1) / math.sqrt(len(values))
    return f"{values.mean():{sign}.3f} ({error:.3f})".replace("-", "−")


def _pairs(by: dict[str, list[Run]], peer: str) -> list[tuple[float, float]]:
    """The costs of racing and of a peer, for each seed that both ran with."""
    ours, theirs = (
        {run.seed: run.cost for run in by.get(one, []) if not run.refused} for one in (FIRST, peer)
    )
    return [(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]


def _tests(cells: dict[tuple[str, int], dict[str, list[Run]]]) -> list[str]:
    """The project's own comparison of racing with each peer, for each budget."""
    said = []
    for budget in sorted({budget for _, budget in cells}):
        cells_of = [by for (_, size), by in cells.items() if size == budget]
        for peer in [one for one in TITLES if one != FIRST]:
            rows = [pair for by in cells_of for pair in _pairs(by, peer)]
            said += [_said(budget, peer, rows)] if rows else []
    return said


def _said(budget: int, peer: str, rows: list[tuple[float, float]]) -> str:
    """How often racing is ahead, and the test; each pair of a target and a seed is a block."""
    ahead = sum(ours < theirs for ours, theirs in rows)
    head = f"- {budget} evaluations, beside {TITLES[peer]}: ahead in {ahead} of {len(rows)}."
    if len(rows) < _LEAST:
        return f"{head} Too few to be tested."
    try:
        told = compare(as_table(np.array(rows), names=[TITLES[FIRST], TITLES[peer]]))
    except RacingError as error:
        return f"{head} {error}"
    return f"{head} {' '.join(words.findings(told))}"
