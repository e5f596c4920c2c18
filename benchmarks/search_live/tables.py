"""What the contenders reached on held-back instances, and what they cost, as Markdown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.search_live.measure import Run
from racing.compare import as_table, compare, words
from racing.errors import RacingError

TITLES = {"racing": "racing", "irace": "irace 3.5", "optuna": "Optuna", "smac": "SMAC3"}


def lines(runs: Sequence[Run]) -> list[str]:
    """A row for each target, budget and contender; a sentence with the tests below each budget."""
    found = [
        "| target | evaluations | search | seeds | cost | gain over the default | "
        "ms of CPU | ms on the clock |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    cells: dict[tuple[str, int], dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        cells[run.target, run.budget][run.contender].append(run)
    for (name, budget), by in sorted(cells.items()):
        found += [_row(name, budget, one, by[one]) for one in TITLES if by.get(one)]
    return [*found, "", *_tests(cells)]


def _row(name: str, budget: int, contender: str, runs: list[Run]) -> str:
    done = [run for run in runs if not run.refused]
    head = f"| {name} | {budget} | {TITLES[contender]} | {len(runs)} |"
    if not done:
        return f"{head} refuses | – | – | – |"
    costs = np.array([run.cost for run in done])
    gains = np.array([run.default - run.cost for run in done])
    each = [
        1000 * np.mean([getattr(run, what) / max(run.evaluations, 1) for run in done])
        for what in ("processor", "wall")
    ]
    return f"{head} {_figure(costs)} | {_figure(gains)} | {each[0]:.1f} | {each[1]:.1f} |"


def _figure(values: np.ndarray) -> str:
    if len(values) < 2:
        return f"{values.mean():.3f}".replace("-", "−")
    error = values.std(ddof=1) / math.sqrt(len(values))
    return f"{values.mean():.3f} ({error:.3f})".replace("-", "−")


def _tests(cells: dict[tuple[str, int], dict[str, list[Run]]]) -> list[str]:
    """The project's own comparison by budget; blocks are pairs of a target and a seed."""
    said = []
    for budget in sorted({budget for _, budget in cells}):
        rows: dict[tuple[str, int], dict[str, float]] = {}
        for (name, size), by in cells.items():
            if size == budget:
                for contender, runs in by.items():
                    for run in runs:
                        rows.setdefault((name, run.seed), {})[contender] = run.cost
        names = [one for one in TITLES if any(one in row for row in rows.values())]
        whole = [[row.get(one, math.nan) for one in names] for row in rows.values()]
        kept = [i for i in range(len(names)) if not any(math.isnan(row[i]) for row in whole)]
        said.append(_said(budget, [names[i] for i in kept], [[r[i] for i in kept] for r in whole]))
    return said


def _said(budget: int, names: list[str], rows: list[list[float]]) -> str:
    """Mean ranks and the omnibus test."""
    head = f"{budget} evaluations, {len(rows)} pairs of a target and a seed"
    if len(names) < 2 or len(rows) < 3:
        return f"{head}: too little to be tested."
    try:
        told = compare(as_table(np.array(rows), names=[TITLES[one] for one in names]))
    except RacingError as error:
        return f"{head}: {error}"
    ranks = ", ".join(
        f"{name} {rank:.2f}" for name, rank in zip(told.names, told.mean_ranks, strict=True)
    )
    return f"{head}: mean ranks {ranks}. {' '.join(words.findings(told))}"
