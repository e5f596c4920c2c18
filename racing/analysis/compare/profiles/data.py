"""Profiles of runs as data: distributions, share solved over time, mean times, performance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.table import RunTable
from racing.base.quantities import Direction
from racing.stats.profiles import (
    EmpiricalDistribution,
    PerformanceProfile,
    empirical_distribution,
    performance_profile,
)
from racing.stats.running_times import (
    ExpectedTime,
    ParScore,
    ShareSolved,
    expected_running_time,
    par,
    share_solved,
)

_MOST = 12  # problems that have a panel of their own


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """The runs on one problem, or the median run of each problem; a value for each of k algorithms.

    Attributes
    ----------
    problem : "" for the medians of all problems: several runs on one are no further problems
    runs : (k,) how many there are; of medians, how many problems
    distributions : of costs, lower is better
    solved, par, ert : share solved over time, PAR-f and expected running time; () without a cutoff
    """

    problem: str
    runs: tuple[int, ...]
    distributions: tuple[EmpiricalDistribution, ...]
    solved: tuple[ShareSolved, ...]
    par: tuple[ParScore, ...]
    ert: tuple[ExpectedTime, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Profiles:
    """Profiles of k algorithms.

    Attributes
    ----------
    panels : a panel for each of up to twelve problems, if there are several runs of an algorithm;
        and one of the median run of each problem, if there are several problems
    runs, stopped : how many runs there are, and how many of them failed or were stopped
    performance : Dolan and Moré's profiles over the problems, of the median cost on each; None if
        `no_performance` says why
    cutoff : at which runs were stopped; None if nothing says so
    factor : what a stopped run counts in `par`, in cutoffs
    """

    names: tuple[str, ...]
    direction: Direction
    problems: int
    panels: tuple[Panel, ...]
    runs: int
    stopped: int
    performance: PerformanceProfile | None
    no_performance: str
    cutoff: float | None
    factor: float
    level: float

    @property
    def whole(self) -> Panel:
        """The panel of all problems."""
        return self.panels[-1]


def profiles(
    table: RunTable, *, factor: float = 10.0, level: float = 0.95, seed: int = 1
) -> Profiles:
    """Profiles of the runs of a table; times need its cutoff, see `stopped_at`.

    Parameters
    ----------
    factor : what a stopped run counts in PAR, in cutoffs
    level : of every interval by itself, and of the bands of distributions as a whole
    seed : of the bootstrap

    Raises
    ------
    InputError
        If a time is negative or an option out of range.
    """
    q, k = len(table.problems), len(table.names)
    several = int(table.sizes.max()) > 1
    shown = table.problems if several and q <= _MOST else ()
    costs = [table.costs(p) for p in range(q)]
    own = list(zip(shown, costs, strict=False))
    if q > 1 or not several:  # a problem has one weight, however many runs it has
        own.append(("", [np.array([np.median(each[a]) for each in costs]) for a in range(k)]))
    found, why = _performance(table)
    return Profiles(
        names=table.names,
        direction=table.direction,
        problems=q,
        panels=tuple(
            _panel(name, costs, table.cutoff, factor, level, (seed, at))
            for at, (name, costs) in enumerate(own)
        ),
        runs=int(table.sizes.sum()),
        stopped=sum(int(np.isinf(x).sum()) for each in costs for x in each),
        performance=found,
        no_performance=why,
        cutoff=table.cutoff,
        factor=factor,
        level=level,
    )


def _panel(
    problem: str,
    costs: list[Floats],
    cutoff: float | None,
    factor: float,
    level: float,
    place: tuple[int, int],
) -> Panel:
    timed = [] if cutoff is None else costs
    rngs = [np.random.default_rng((*place, a)) for a in range(len(costs))]
    return Panel(
        problem=problem,
        runs=tuple(x.size for x in costs),
        distributions=tuple(empirical_distribution(x, level=level) for x in costs),
        solved=tuple(share_solved(x, cutoff=cutoff, level=level) for x in timed),
        par=tuple(
            par(x, cutoff=cutoff, rng=rng, factor=factor, level=level)
            for x, rng in zip(timed, rngs, strict=False)
        ),
        ert=tuple(
            expected_running_time(x, cutoff=cutoff, rng=rng, level=level)
            for x, rng in zip(timed, rngs, strict=False)
        ),
    )


def _performance(table: RunTable) -> tuple[PerformanceProfile | None, str]:
    """The profiles over problems, or why there are none."""
    if len(table.problems) < 2:
        return None, "they compare algorithms over several problems, and there is one"
    if table.direction == "maximize":
        return None, "they are of costs, and higher scores are better here"
    medians = np.array([[_median(x) for x in table.costs(p)] for p in range(len(table.problems))])
    if not medians.min() > 0:
        return None, "they are of ratios, and a median is not positive"
    return performance_profile(medians), ""


def _median(costs: Floats) -> float:
    """The cost by which at least half of the runs are done; +inf if fewer are."""
    return float(np.sort(costs)[(costs.size - 1) // 2])
