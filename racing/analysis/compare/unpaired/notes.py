"""What to keep in mind about a comparison of runs, found from their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from racing.analysis.compare.notes import of_the_correction, of_the_omnibus
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.choices import RunChoices
from racing.analysis.compare.unpaired.table import RunTable
from racing.analysis.compare.verdicts import Family, Note, Omnibus
from racing.stats.friedman import friedman
from racing.stats.kruskal import kruskal

FEW = 10  # runs below which tests and intervals are too bold or blind
_PAIRED = 0.005  # p-value below which scores in the same place go together
_SPREADS = 0.05  # p-value below which spreads are said to differ
_LEAST = 5  # runs in which pairing or spreads can be seen
_PILE = 3  # runs that share the worst score
_EQUAL_SPREADS = ("mann-whitney", "mann-whitney-exact", "dunn", "conover-iman", "steel-dwass",
                  "steel")  # fmt: skip


def notes(table: RunTable, choices: RunChoices) -> tuple[Note, ...]:
    """The caveats of the table and the choices as a whole."""
    return tuple(_of_the_table(table, choices))


def problem_notes(
    table: RunTable, choices: RunChoices, omnibus: Omnibus | None, family: Family
) -> tuple[Note, ...]:
    """The caveats of the runs on one problem, those that change the reading most first."""
    costs = table.costs(0)
    if len({float(c) for vector in costs for c in vector}) == 1:
        return (Note(kind="all-equal"),)
    return (
        *_of_the_runs(table, costs, choices),
        *_of_the_spreads(costs, choices, omnibus),
        *of_the_omnibus(choices, omnibus, family),
        *of_the_correction(choices, family),
    )


def _of_the_table(table: RunTable, choices: RunChoices) -> Iterator[Note]:
    if table.assumed:
        yield Note(kind="assumed-direction")
    if table.left_out:
        yield Note(kind="runs-left-out", facts={"names": table.left_out})
    if table.empty:
        yield Note(kind="empty-cells", facts={"cells": table.empty})
    if len(table.problems) > 1:
        yield Note(kind="problems", facts={"problems": len(table.problems)})
    if len(table.problems) > 1 and len(table.names) > 2:
        yield Note(kind="effects-pool")
    if choices.test in ("dunn", "conover-iman") and len(table.names) > 2:
        yield Note(kind="pool-of-runs", facts={"test": choices.test})


def _of_the_runs(table: RunTable, costs: list[Floats], choices: RunChoices) -> Iterator[Note]:
    if looks_paired(costs):
        yield Note(kind="looks-paired")
    sizes = [vector.size for vector in costs]
    few = tuple(name for name, n in zip(table.names, sizes, strict=True) if n < FEW)
    if few:
        facts = {"names": few, "of": len(sizes), "least": min(sizes), "test": choices.test}
        yield Note(kind="few-runs", facts=facts)
    least = _least_p(sizes, choices)
    if least > choices.alpha:
        yield Note(kind="no-power-runs", facts={"least": min(least, 1.0)})
    failed = sum(int(np.isinf(vector).sum()) for vector in costs)
    if failed and table.cutoff is not None:
        yield Note(kind="stopped", facts={"runs": failed, "cutoff": table.cutoff})
    elif failed:
        yield Note(kind="failures", facts={"cells": failed})
    pile, worst = _at_the_worst(table)
    if pile:
        yield Note(kind="pile", facts={"runs": pile, "score": worst})


def looks_paired(costs: list[Floats]) -> bool:
    """Whether scores in the same place of the vectors go up and down together.

    Iman and Davenport's test asks whether the places differ, with an algorithm as an instance.
    """
    if len({vector.size for vector in costs}) > 1 or costs[0].size < _LEAST:
        return False
    return bool(friedman(np.stack(costs), reference="F").pvalue < _PAIRED)


def spreads_differ(costs: list[Floats]) -> float | None:
    """The largest spread over the smallest, if spreads are shown to differ; else None.

    Kruskal and Wallis' test of the distances from the medians; the spread is their median.
    """
    finite = [vector[np.isfinite(vector)] for vector in costs]
    if min(vector.size for vector in finite) < _LEAST:
        return None
    away = [np.abs(vector - np.median(vector)) for vector in finite]
    if kruskal(away, method="chi2").pvalue >= _SPREADS:
        return None
    widths = [float(np.median(vector)) for vector in away]
    return max(widths) / min(widths) if min(widths) > 0 else math.inf


def _of_the_spreads(
    costs: list[Floats], choices: RunChoices, omnibus: Omnibus | None
) -> Iterator[Note]:
    by_rank = choices.test in _EQUAL_SPREADS
    if not by_rank and omnibus is None:
        return
    ratio = spreads_differ(costs)
    if ratio is not None:
        yield Note(
            kind="unequal-spreads" if by_rank else "unequal-spreads-omnibus",
            facts={"test": choices.test, "ratio": ratio},
        )


def _least_p(sizes: list[int], choices: RunChoices) -> float:
    """The smallest adjusted p-value that samples without overlap can have: 2/C(n + m, n)."""
    if not choices.test.startswith(("mann", "brunner")):
        return 0.0
    ordered = sorted(sizes)
    k, control = len(sizes), choices.control
    n, m = ordered[-2:] if control is None else (sizes[control], max(
        size for i, size in enumerate(sizes) if i != control
    ))  # fmt: skip
    h = 1 if choices.correction == "none" else k * (k - 1) // 2 if control is None else k - 1
    return 2 * h / math.comb(n + m, n)


def _at_the_worst(table: RunTable) -> tuple[int, float]:
    """The number of runs with the worst finite score, and this score; (0, NaN) if only few do."""
    scores = np.concatenate(table.runs[0])
    finite = scores[np.isfinite(scores)]
    worst = float(finite.max() if table.direction == "minimize" else finite.min())
    many = int((finite == worst).sum())
    alone = all(np.unique(vector).size > 1 for vector in table.runs[0])
    lone = many >= _PILE and many >= 0.05 * finite.size and alone
    return (many, worst) if lone and worst not in (0.0, 1.0) else (0, math.nan)
