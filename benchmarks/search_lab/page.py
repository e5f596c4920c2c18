"""The tables of docs/evidence/search.md, written from the stored runs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks import pages
from benchmarks.search_lab.families import FAMILIES, REAL
from benchmarks.search_lab.figures import irace
from benchmarks.search_lab.measure import Run
from benchmarks.search_lab.tables import by_landscape, difference, irace_at, mean_and_error

PAGE = pages.EVIDENCE / "search.md"
REPORTED = range(10)
NORMAL_95 = 1.6449
"""The quantile of a one-sided bound of 95 %."""


def regret(runs: Sequence[Run]) -> list[str]:
    """Regret by budget on landscapes 0–9, and the paired difference to irace 4.4."""
    runs = [run for run in runs if run.landscape in REPORTED]
    found = [
        "| evaluations | seeds | regret | irace 4.4 | paired difference |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    for budget in sorted({run.budget for run in runs}):
        ours = by_landscape(runs, budget)
        theirs = irace_at(budget, ours)
        seeds = len({run.seed for run in runs if run.budget == budget})
        cells = [_figure(*mean_and_error(one)) for one in (ours, theirs)]
        cells.append(_figure(*mean_and_error(difference(ours, theirs)), sign=True))
        found.append(f"| {budget} | {seeds} | {' | '.join(cells)} |")
    return found


def families(runs: Sequence[Run]) -> list[str]:
    """Regret by budget and family on landscapes 0–9."""
    found = [
        f"| evaluations | {' | '.join(FAMILIES)} |",
        f"| ---: |{' ---: |' * len(FAMILIES)}",
    ]
    runs = [run for run in runs if run.landscape in REPORTED]
    for budget in sorted({run.budget for run in runs}):
        ours = by_landscape(runs, budget)
        cells = [_short(f"{np.mean(list(ours[one].values())):.3f}") for one in FAMILIES]
        found.append(f"| {budget} | {' | '.join(cells)} |")
    return found


def real(runs: Sequence[Run]) -> list[str]:
    """The three real algorithms: ours, irace's, the difference and its one-sided upper bound."""
    found = [
        "| evaluations | family | runs | regret | irace 4.4, runs | regret | difference | "
        "95 % below |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for budget in (200, 500, 1000):
        means, variances = [], []
        for name in REAL:
            ours = [run.regret for run in runs if (run.family, run.budget) == (name, budget)]
            theirs = [v for (f, _, b), v in irace().items() if (f, b) == (name, budget)]
            if len(ours) < 2:
                continue
            (mean, own), (other, its) = _mean(ours), _mean(theirs)
            means.append(mean - other)
            variances.append(own**2 + its**2)
            told = f"| {budget} | {name} | {len(ours)} | {_figure(mean, own)} | {len(theirs)} | "
            found.append(f"{told}{_figure(other, its)} | {_bounded(means[-1], variances[-1])} |")
        if means:
            mean, variance = float(np.mean(means)), sum(variances) / len(means) ** 2
            found.append(f"| {budget} | mean | | | | | {_bounded(mean, variance)} |")
    return found


def coverage(runs: Sequence[Run]) -> list[str]:
    """How often the interval of the confirmed gain covers the truth, and how much training says."""
    found = [
        "| evaluations | runs | covered | covered where it won | default won back | "
        "training says too much by |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for budget in sorted({run.budget for run in runs}):
        told = [run for run in runs if run.budget == budget and math.isfinite(run.low)]
        kept = [run for run in told if run.kept]
        over = [run.training - run.truth for run in told if math.isfinite(run.training)]
        lost = sum(not run.kept for run in told)
        cells = [_share(told), _share(kept), str(lost), _figure(*_mean(over))]
        found.append(f"| {budget} | {len(told)} | {' | '.join(cells)} |")
    return found


def set_aside(runs: Sequence[Run], other: Sequence[Run]) -> list[str]:
    """Regret with problems set aside less that without, paired by landscape and seed."""
    heads = [*FAMILIES, "mean"]
    found = [f"| evaluations | seeds | {' | '.join(heads)} |", f"| ---: |{' ---: |' * 10}"]
    for budget in sorted({run.budget for run in other}):
        seeds = {run.seed for run in other if run.budget == budget}
        ours = [run for run in runs if run.landscape in REPORTED and run.seed in seeds]
        apart = difference(by_landscape(ours, budget), by_landscape(other, budget))
        each = [list(apart[family].values()) for family in FAMILIES]
        cells = [_figure(*_mean(values), sign=True) for values in each]
        cells.append(_figure(*mean_and_error(apart), sign=True))
        found.append(f"| {budget} | {len(seeds)} | {' | '.join(cells)} |")
    return found


def kept(runs: Sequence[Run], tuned: Sequence[Run]) -> list[str]:
    """How often the winner is worse than the default, by the risk that is allowed."""
    found = [
        "| default | evaluations | runs | `risk` | leaves the default | winner is worse | "
        "by more than .01 | gain |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, own in (("of the landscape", runs), ("tuned", tuned)):
        own = [run for run in own if run.landscape in REPORTED]
        for budget in sorted({run.budget for run in own}):
            here = [run for run in own if run.budget == budget]
            for risk in (0.05, 0.5):
                won = np.array([run.worse <= risk for run in here])  # NaN: nothing else was found
                gain = np.where(won, [run.truth for run in here], 0.0)
                shares = [_ones(won), _ones(gain < 0), _ones(gain < -0.01)]
                cells = [name, str(budget), str(len(here)), _short(f"{risk:g}"), *shares]
                found.append(f"| {' | '.join(cells)} | {_figure(*_mean(gain))} |")
    return found


def _ones(of: NDArray[np.bool_]) -> str:
    """A share with its error."""
    share = float(of.mean())
    return _figure(share, math.sqrt(share * (1 - share) / len(of)))


TABLES: dict[str, Callable[[Sequence[Run]], list[str]]] = {
    "regret": regret,
    "families": families,
    "real": real,
    "coverage": coverage,
}


def put(text: str, prefix: str, tables: dict[str, list[str]]) -> str:
    """A page with the tables between `<!-- prefix:name -->` and `<!-- end -->`."""
    return pages.put(
        text, {f"{prefix}:{name}": "\n".join(["", *lines, ""]) for name, lines in tables.items()}
    )


def written(runs: Sequence[Run], beside: Mapping[str, Sequence[Run]]) -> str:
    """docs/evidence/search.md with the tables of these runs.

    Parameters
    ----------
    beside
        Runs with other settings: `all_problems`, with none set aside, and `tuned`, whose default is
        what another search with 500 evaluations found.
    """
    tables = {name: table(runs) for name, table in TABLES.items()}
    tables["set_aside"] = set_aside(runs, beside["all_problems"])
    tables["kept"] = kept(runs, beside["tuned"])
    return put(PAGE.read_text(encoding="utf-8"), "search_lab", tables)


def _mean(values: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def _share(runs: Sequence[Run]) -> str:
    """The share of runs whose interval covers the truth, with its error."""
    covered = float(np.mean([run.low <= run.truth <= run.high for run in runs]))
    return _figure(covered, math.sqrt(covered * (1 - covered) / len(runs)))


def _bounded(mean: float, variance: float) -> str:
    """A difference with its error, and the bound that it is below with 95 % confidence."""
    error = math.sqrt(variance)
    bound = _short(f"{mean + NORMAL_95 * error:+.3f}")
    return f"{_figure(mean, error, sign=True)} | {bound}"


def _figure(mean: float, error: float, *, sign: bool = False) -> str:
    if math.isnan(mean):
        return "–"
    return _short(f"{mean:{'+' if sign else ''}.3f} ({error:.3f})")


def _short(text: str) -> str:
    """Without zeros before the point, and with a minus sign."""
    return re.sub(r"\b0\.", ".", text).replace("-", "−")
