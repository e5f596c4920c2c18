"""Profiles: the shares of runs done by a time, and of problems within a factor of the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from racing.analysis.compare.methods import sentence
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.answer.document import BulletList, Heading, Paragraph, Part, TextTable, quoted
from racing.base.quantities import Direction, score_of
from racing.base.words import number
from racing.stats.running_times import (
    EmpiricalDistribution,
    ExpectedTime,
    ParScore,
    PerformanceProfile,
    ShareSolved,
    empirical_distribution,
    expected_running_time,
    par,
    performance_profile,
    share_solved,
)

_MOST = 12  # problems that have a panel of their own
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_TAUS = (1.0, 2.0, 5.0, 10.0)
MEDIANS = "median of each problem"
"""The name of the panel of all problems."""
_FEW = 30  # runs below which intervals of the bootstrap are too short


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
    table: ResultTable, *, factor: float = 10.0, level: float = 0.95, seed: int = 1
) -> Profiles:
    """Profiles of a table: each of its instances is a problem, and repetitions are runs.

    Times need its cutoff, see `stopped_at`.

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
    q, k = table.n, table.m
    several = int(table.sizes.max()) > 1
    shown = table.instances if several and q <= _MOST else ()
    costs = [table.run_costs(p) for p in range(q)]
    own = list(zip(shown, costs, strict=False))
    if q > 1 or not several:  # a problem has one weight, however many runs it has
        own.append(("", [np.array([np.median(each[a]) for each in costs]) for a in range(k)]))
    found, why = _performance(table, costs)
    return Profiles(
        names=table.names, direction=table.direction, problems=q, runs=int(table.sizes.sum()),
        panels=tuple(
            _panel(name, costs, table.cutoff, factor, level, (seed, at))
            for at, (name, costs) in enumerate(own)
        ),
        stopped=sum(int(np.isinf(x).sum()) for each in costs for x in each), performance=found,
        no_performance=why, cutoff=table.cutoff, factor=factor, level=level,
    )  # fmt: skip


def _panel(
    problem: str, costs: list[Floats], cutoff: float | None, factor: float, level: float,
    place: tuple[int, int],
) -> Panel:  # fmt: skip
    timed = [] if cutoff is None else costs
    rngs = [np.random.default_rng((*place, a)) for a in range(len(timed))]
    drawn = list(zip(timed, rngs, strict=True))
    how: dict[str, Any] = {"cutoff": cutoff, "level": level}
    return Panel(
        problem=problem,
        runs=tuple(x.size for x in costs),
        distributions=tuple(empirical_distribution(x, level=level) for x in costs),
        solved=tuple(share_solved(x, **how) for x in timed),
        par=tuple(par(x, rng=rng, factor=factor, **how) for x, rng in drawn),
        ert=tuple(expected_running_time(x, rng=rng, **how) for x, rng in drawn),
    )


def _performance(
    table: ResultTable, costs: Sequence[Sequence[Floats]]
) -> tuple[PerformanceProfile | None, str]:
    """The profiles over problems, or why there are none."""
    if table.n < 2:
        return None, "they compare algorithms over several problems, and there is one"
    if table.direction == "maximize":
        return None, "they are of costs, and higher scores are better here"
    medians = np.array([[_median(x) for x in each] for each in costs])
    if not medians.min() > 0:
        return None, "they are of ratios, and a median is not positive"
    return performance_profile(medians), ""


def _median(costs: Floats) -> float:
    """The cost by which at least half of the runs are done; +inf if fewer are."""
    return float(np.sort(costs)[(costs.size - 1) // 2])


def profile_blocks(found: Profiles) -> tuple[Part, ...]:
    """The sections of a document: distributions, times if there is a cutoff, performance."""
    better = "lower" if found.direction == "minimize" else "higher"
    distributions = _table(
        found, "distributions", tuple(f">{100 * q:.0f} %" for q in _QUANTILES),
        lambda panel, a: [_quantile(panel.distributions[a], q, found) for q in _QUANTILES],
        sentence("profiles", "distributions", better=better),
    )  # fmt: skip
    head = Heading("How are the scores distributed?")
    return head, distributions, *_times(found), *_performance_part(found)


def censored(found: Profiles) -> str:
    """How many runs were stopped, and what that means for every number."""
    cutoff, how = number(found.cutoff or 0, 6), "stopped" if found.stopped else "ended"
    return sentence("profiles", how, stopped=found.stopped, runs=found.runs, cutoff=cutoff)


def _table(
    found: Profiles, key: str, columns: tuple[str, ...], cells: Any, caption: str
) -> TextTable:
    """A row for each algorithm in each panel."""
    several = len(found.panels) > 1
    rows = (
        (quoted(panel.problem) if panel.problem else MEDIANS, quoted(name), str(panel.runs[a]),
         *cells(panel, a))
        for panel in found.panels
        for a, name in enumerate(found.names)
    )  # fmt: skip
    heads, at = ("problem", "algorithm", ">runs", *columns), 0 if several else 1
    return TextTable(key, heads[at:], tuple(row[at:] for row in rows), caption)


def _quantile(of: EmpiricalDistribution, q: float, found: Profiles) -> str:
    reached = np.flatnonzero(of.shares >= q - 1e-12)
    cost = float(of.values[reached[0]]) if reached.size else np.inf
    return number(float(score_of(cost, found.direction)), 4)


def _times(found: Profiles) -> tuple[Part, ...]:
    if found.cutoff is None:
        return (Paragraph(sentence("profiles", "no-cutoff")),)
    level, times = f"{100 * found.level:.3g} %", f"PAR{found.factor:g}"
    caption = sentence("profiles", "times", factor=f"{found.factor:g}")
    few = min(min(panel.runs) for panel in found.panels)
    short = [sentence("profiles", "few", runs=few)] * (few < _FEW)
    columns = (">solved", f">{times} [{level}]", f">ERT [{level}]", ">half solved by")
    return (
        Heading("How long does it take?"),
        Paragraph(censored(found)),
        _table(found, "times", columns, _time_cells, caption),
        BulletList((caption, *short)),
    )


def _time_cells(panel: Panel, a: int) -> tuple[str, ...]:
    solved = panel.solved[a]
    each = (
        f"{number(one.value, 4)} [{number(one.low, 4)}, {number(one.high, 4)}]"
        for one in (panel.par[a], panel.ert[a])
    )
    return str(solved.solved), *each, number(solved.quantile(0.5), 4)


def _performance_part(found: Profiles) -> tuple[Part, ...]:
    head, of = Heading("How near to the best?"), found.performance
    if of is None:
        return head, Paragraph(sentence("profiles", "no-performance", why=found.no_performance))
    shares = [*map(of.at, _TAUS), of.solved]
    columns = ("algorithm", ">best on", *(f">within {tau:g} ×" for tau in _TAUS[1:]), ">solved")
    rows = tuple(
        (quoted(name), *(f"{100 * float(at[a]):.0f} %" for at in shares))
        for a, name in enumerate(found.names)
    )
    caption = sentence("profiles", "performance", problems=found.problems)
    return head, Paragraph(caption), TextTable("performance", columns, rows, caption)


def in_scores(found: Profiles) -> Profiles:
    """The same with distributions of scores, in the user's direction, as `--json` prints them."""

    def turned(of: EmpiricalDistribution) -> EmpiricalDistribution:
        return replace(of, values=score_of(of.values, found.direction))

    panels = (
        replace(one, distributions=tuple(map(turned, one.distributions))) for one in found.panels
    )
    return replace(found, panels=tuple(panels))
