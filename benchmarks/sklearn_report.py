"""Tables of what searches in scikit-learn came to, and a comparison by the project's own tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from benchmarks import pages

GRID, DEFAULT = "GridSearchCV", "RaceSearchCV, auto"
HALVING = ("HalvingGridSearchCV", "HalvingRandomSearchCV")
ROPE = 0.01
"""Differences of accuracy up to a point count as none."""


@dataclass(frozen=True)
class Choice:
    """What a search came to.

    Attributes
    ----------
    fits, work
        How many fits, and the same weighted by their share of the samples.
    regret
        By how much the choice's mean over all folds is below the best, in accuracy.
    test
        Accuracy of the refitted choice on fresh data.
    seconds
        Processor time of the fits and of the search itself, with one job; None if not measured.
    """

    method: str
    data: str
    pipeline: str
    seed: int
    fits: int
    work: float
    regret: float
    test: float
    seconds: float | None = None


@dataclass(frozen=True)
class Row:
    """A method over all problems: means, each with its standard error.

    Attributes
    ----------
    problems
        How many (data set, pipeline, seed).
    fits, work, seconds
        In per cent of the grid's; `seconds` are NaN where they were not measured.
    regret, test
        In points; `test` is the accuracy less that of the grid's choice.
    """

    method: str
    problems: int
    fits: tuple[float, float]
    work: tuple[float, float]
    seconds: tuple[float, float]
    regret: tuple[float, float]
    test: tuple[float, float]


def rows(choices: Sequence[Choice]) -> list[Row]:
    """One for each method, the one with the most work first."""
    base = {_place(c): c for c in choices if c.method == GRID}
    out = []
    for method in dict.fromkeys(c.method for c in choices):
        pairs = [(c, base[_place(c)]) for c in choices if c.method == method]

        def mean(
            value: Callable[[Choice, Choice], float], found: list[tuple[Choice, Choice]] = pairs
        ) -> tuple[float, float]:
            return _mean([100 * value(own, grid) for own, grid in found])

        out.append(Row(
            method, len(pairs),
            mean(lambda c, g: c.fits / g.fits), mean(lambda c, g: c.work / g.fits),
            mean(_seconds), mean(lambda c, g: c.regret),
            mean(lambda c, g: c.test - g.test),
        ))  # fmt: skip
    return sorted(out, key=lambda row: -row.work[0])


def _seconds(own: Choice, grid: Choice) -> float:
    """Processor time as a share of the grid's."""
    if own.seconds is None or grid.seconds is None:
        return np.nan
    return own.seconds / grid.seconds


def _place(choice: Choice) -> tuple[str, str, int]:
    return choice.data, choice.pipeline, choice.seed


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean with its standard error, which is NaN for a single value."""
    n = len(values)
    return float(np.mean(values)), float(np.std(values, ddof=1) / n**0.5) if n > 1 else np.nan


def pareto(table: Sequence[Row]) -> set[str]:
    """The methods that no other beats in work and in regret."""
    return {
        a.method
        for a in table
        if not any(
            b.work[0] <= a.work[0] and b.regret[0] <= a.regret[0]
            and (b.work[0], b.regret[0]) != (a.work[0], a.regret[0])
            for b in table
        )
    }  # fmt: skip


def report(choices: Sequence[Choice]) -> str:
    """The table of methods, in Markdown."""
    table = rows(choices)
    front = pareto(table)
    lines = [
        "| method | problems | fits, % | work, % | time, % | regret, points | test, points "
        "| front |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | :-: |",
    ]
    for row in table:
        shares = (
            "–" if np.isnan(mean) else f"{mean:.1f} ± {error:.1f}"
            for mean, error in (row.fits, row.work, row.seconds)
        )  # fmt: skip
        cells = (f"{mean:.2f} ± {error:.2f}" for mean, error in (row.regret, row.test))
        mark = "✓" if row.method in front else ""
        lines.append(
            f"| {row.method} | {row.problems} | {' | '.join(shares)} | {' | '.join(cells)} "
            f"| {mark} |"
        )
    return "\n".join(lines)


def by_data(choices: Sequence[Choice]) -> str:
    """The default on each data set, beside the better one of the halving searches there."""
    lines = [
        "| data set | fits, % | regret, points | worst regret | test, points | on the front "
        "| regret of halving |",
        "| --- | ---: | ---: | ---: | ---: | :-: | ---: |",
    ]
    ordered = sorted(choices, key=lambda c: c.data)
    for data, group in groupby(ordered, key=lambda c: c.data):
        own = list(group)
        table = {row.method: row for row in rows(own)}
        row = table[DEFAULT]
        worst = 100 * max(c.regret for c in own if c.method == DEFAULT)
        halved = [table[name].regret for name in HALVING if name in table]
        other = "{:.2f} ± {:.2f}".format(*min(halved)) if halved else "–"
        mark = "✓" if DEFAULT in pareto(list(table.values())) else ""
        lines.append(
            f"| {data} | {row.fits[0]:.1f} ± {row.fits[1]:.1f} | {row.regret[0]:.2f} ± "
            f"{row.regret[1]:.2f} | {worst:.2f} | {row.test[0]:.2f} ± {row.test[1]:.2f} | {mark} "
            f"| {other} |"
        )
    return "\n".join(lines)


def blocks(choices: Sequence[Choice]) -> dict[str, str]:
    """The marked blocks of the guide: name → text."""
    return {
        "sklearn": report(choices),
        "sklearn-data": by_data(choices),
        "sklearn-tests": compared(choices),
    }


def filled(page: str, choices: Sequence[Choice]) -> str:
    """A page with its marked blocks written anew."""
    return pages.put(page, {f"table: {name}": text for name, text in blocks(choices).items()})


def compared(choices: Sequence[Choice]) -> str:
    """What `racing.compare` says of the test accuracies, with a problem in each row.

    Methods are compared over the seeds that all of them have; a problem is a data set with a
    pipeline, and its score the mean over seeds.
    """
    from racing.analysis.compare import as_table, compare

    everywhere = {c.seed for c in choices}
    names = [
        name
        for name in dict.fromkeys(c.method for c in choices)
        if {c.seed for c in choices if c.method == name} == everywhere
    ]
    problems = list(dict.fromkeys((c.data, c.pipeline) for c in choices))
    score: dict[tuple[str, str, str], list[float]] = {}
    for c in choices:
        score.setdefault((c.method, c.data, c.pipeline), []).append(c.test)
    scores = np.array([[np.mean(score[(name, *p)]) for name in names] for p in problems])
    table = as_table(scores, names=names, direction="maximize")
    tests = compare(table, control=GRID, bayes="none")
    differ = [
        f"{names[i]} (p = {p:.2g})"
        for i, p in zip(tests.family.first, tests.family.adjusted, strict=True)
        if p <= tests.choices.alpha
    ]
    lines = [
        f"Wilcoxon's test with Holm's correction over {len(problems)} problems, test accuracy "
        f"against {GRID}'s: {', '.join(differ) or 'none'} of {len(names) - 1} methods "
        f"differ{'s' if len(differ) == 1 else ''} significantly."
    ]
    posterior = compare(table, control=DEFAULT, bayes="signed-rank", rope=ROPE).posterior
    assert posterior is not None
    own = names.index(DEFAULT)
    for name in (GRID, *HALVING):
        if name in names:
            other = names.index(name)
            lines.append(
                f"Bayesian signed-rank test with a rope of {100 * ROPE:g} point, {DEFAULT} against "
                f"{name}: better with probability {posterior.better[own, other]:.2f}, practically "
                f"equivalent {posterior.rope[own, other]:.2f}, worse "
                f"{posterior.better[other, own]:.2f}."
            )
    return "\n".join(lines)
