"""Profiles as part of a document: tables, and how to read them."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.profiles.data import Panel, Profiles
from racing.analysis.compare.words import count, number
from racing.answer.document import BulletList, Heading, Paragraph, Part, TextTable, quoted
from racing.base.quantities import score_of
from racing.stats.profiles import EmpiricalDistribution

_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_TAUS = (1.0, 2.0, 5.0, 10.0)
MEDIANS = "median of each problem"
"""The name of the panel of all problems."""
_FEW = 30  # runs below which intervals of the bootstrap are too short


def profile_blocks(found: Profiles) -> tuple[Part, ...]:
    """The sections of a document: distributions, times if there is a cutoff, performance."""
    return (
        Heading("How are the scores distributed?"),
        _distributions(found),
        *_times(found),
        *_performance(found),
    )


def censored(found: Profiles) -> str:
    """How many runs were stopped, and what that means for every number."""
    runs, stopped = found.runs, found.stopped
    if not stopped:
        return f"All {runs} runs ended before the cutoff of {number(found.cutoff or 0, 6)}."
    return (
        f"{stopped} of {runs} runs were stopped at the cutoff of {number(found.cutoff or 0, 6)}: "
        "their true times are longer, and unknown. No number here takes them as finished."
    )


def _distributions(found: Profiles) -> TextTable:
    """Quantiles of the scores; a failure is infinite."""
    several = len(found.panels) > 1
    columns = (*(["problem"] if several else []), "algorithm", ">runs",
               *(f">{100 * q:.0f} %" for q in _QUANTILES))  # fmt: skip
    rows = tuple(
        (
            *([_problem(panel)] if several else []),
            quoted(name),
            str(panel.runs[a]),
            *(_quantile(panel.distributions[a], q, found) for q in _QUANTILES),
        )
        for panel in found.panels
        for a, name in enumerate(found.names)
    )
    better = "lower" if found.direction == "minimize" else "higher"
    caption = f"The score that so many per cent of the runs reach; {better} is better."
    return TextTable("distributions", columns, rows, caption)


def _quantile(of: EmpiricalDistribution, q: float, found: Profiles) -> str:
    reached = np.flatnonzero(of.shares >= q - 1e-12)
    cost = float(of.values[reached[0]]) if reached.size else np.inf
    return number(float(score_of(cost, found.direction)), 4)


def _times(found: Profiles) -> tuple[Part, ...]:
    if found.cutoff is None:
        return (
            Paragraph(
                "No cutoff was given (--cutoff), so there is no share solved over time, no PAR and "
                "no expected running time."
            ),
        )
    several = len(found.panels) > 1
    level = f"{100 * found.level:.3g} %"
    columns = (*(["problem"] if several else []), "algorithm", ">runs", ">solved",
               f">PAR{found.factor:g} [{level}]", f">ERT [{level}]", ">half solved by")  # fmt: skip
    rows = tuple(
        (*([_problem(panel)] if several else []), *_time_row(panel, a, name))
        for panel in found.panels
        for a, name in enumerate(found.names)
    )
    caption = (
        f"PAR{found.factor:g} is the mean time, a stopped run counting {found.factor:g} cutoffs; "
        "ERT, the expected running time of restarts until one run is solved, is all effort over "
        "the number of solved runs. Intervals are of the bootstrap."
    )
    few = min(min(panel.runs) for panel in found.panels)
    short = (f"With {count(few, 'run')} intervals of the bootstrap are too short.",)
    return (
        Heading("How long does it take?"),
        Paragraph(censored(found)),
        TextTable("times", columns, rows, caption),
        BulletList((caption, *(short if few < _FEW else ()))),
    )


def _time_row(panel: Panel, a: int, name: str) -> tuple[str, ...]:
    par, ert, solved = panel.par[a], panel.ert[a], panel.solved[a]
    return (
        quoted(name),
        str(panel.runs[a]),
        str(solved.solved),
        _interval(par.value, par.low, par.high),
        _interval(ert.value, ert.low, ert.high),
        number(solved.quantile(0.5), 4),
    )


def _interval(value: float, low: float, high: float) -> str:
    return f"{number(value, 4)} [{number(low, 4)}, {number(high, 4)}]"


def _performance(found: Profiles) -> tuple[Part, ...]:
    head = Heading("How near to the best?")
    if found.performance is None:
        return head, Paragraph(f"There are no performance profiles: {found.no_performance}.")
    shares = [found.performance.at(tau) for tau in _TAUS]
    columns = ("algorithm", ">best on", *(f">within {tau:g} ×" for tau in _TAUS[1:]), ">solved")
    rows = tuple(
        (quoted(name), *(_share(float(at[a])) for at in (*shares, found.performance.solved)))
        for a, name in enumerate(found.names)
    )
    caption = (
        f"Performance profiles (Dolan and Moré, 2002) over {count(found.problems, 'problem')}: the "
        "share of problems on which the median run is within a factor of the best algorithm's. "
        "They compare with the best: two others may change their order when it is left out."
    )
    return head, Paragraph(caption), TextTable("performance", columns, rows, caption)


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _problem(panel: Panel) -> str:
    return quoted(panel.problem) if panel.problem else MEDIANS
