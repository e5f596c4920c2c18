"""Regret by budget and family, and the paired difference to irace 4.4, each with its error."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks.search_lab.families import FAMILIES
from benchmarks.search_lab.figures import irace
from benchmarks.search_lab.measure import Run

Cells = Mapping[str, Mapping[int, float]]
"""Family → landscape → a figure."""


def by_landscape(runs: Iterable[Run], budget: int) -> dict[str, dict[int, float]]:
    """Mean regret over seeds."""
    found: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        if run.budget == budget:
            found[run.family][run.landscape].append(run.regret)
    return {f: {n: float(np.mean(v)) for n, v in cells.items()} for f, cells in found.items()}


def irace_at(budget: int, like: Cells) -> dict[str, dict[int, float]]:
    """What irace has on the same landscapes, where it has any."""
    known = irace()
    found = {
        family: {n: known[family, n, budget] for n in cells if (family, n, budget) in known}
        for family, cells in like.items()
    }
    return {family: cells for family, cells in found.items() if cells}


def difference(one: Cells, other: Cells) -> dict[str, dict[int, float]]:
    """Paired differences one − other, where both have a figure."""
    return {
        family: {n: cells[n] - other[family][n] for n in cells if n in other.get(family, {})}
        for family, cells in one.items()
        if set(cells) & set(other.get(family, {}))
    }


def mean_and_error(cells: Cells) -> tuple[float, float]:
    """The mean over families of their means over landscapes, and its standard error."""
    values = [np.array(list(found.values())) for found in cells.values()]
    if not values:
        return math.nan, math.nan
    variances = [v.var(ddof=1) / len(v) if len(v) > 1 else math.nan for v in values]
    return float(np.mean([v.mean() for v in values])), math.sqrt(sum(variances)) / len(values)


def table(runs: Sequence[Run]) -> str:
    """For every budget: ours, irace's, the difference, and ours by family."""
    lines = [
        "evaluations  regret          irace 4.4       difference       "
        + "  ".join(f"{family:>5}" for family in FAMILIES)
    ]
    for budget in sorted({run.budget for run in runs}):
        ours = by_landscape(runs, budget)
        theirs = irace_at(budget, ours)
        figures = [_figure(*mean_and_error(cells)) for cells in (ours, theirs)]
        figures.append(_figure(*mean_and_error(difference(ours, theirs)), sign="+"))
        each = (
            f"{np.mean(list(ours[f].values())):5.3f}" if f in ours else "    –" for f in FAMILIES
        )
        lines.append(f"{budget:>11}  " + "  ".join(figures) + "   " + "  ".join(each))
    return "\n".join(lines)


def optimism(runs: Sequence[Run]) -> str:
    """How often the interval of the confirmed gain covers the truth, and what training overstates.

    The latter in shares of the distance from the default to the best.
    """
    lines = ["evaluations  runs  covered         overstated by the training instances"]
    for budget in sorted({run.budget for run in runs}):
        told = [run for run in runs if run.budget == budget and math.isfinite(run.low)]
        if not told:
            continue
        covered = np.array([run.low <= run.truth <= run.high for run in told])
        error = math.sqrt(covered.mean() * (1 - covered.mean()) / len(told))
        over = np.array([r.training - r.truth for r in told if math.isfinite(r.training)])
        figures = (covered.mean(), error), (over.mean(), over.std() / math.sqrt(len(over)))
        lines.append(f"{budget:>11}  {len(told):>4}  " + "  ".join(_figure(*f) for f in figures))
    return "\n".join(lines)


def _figure(mean: float, error: float, *, sign: str = "") -> str:
    if math.isnan(mean):
        return f"{'–':<14}"
    return f"{mean:{sign}.3f} ({error:.3f})".ljust(14)
