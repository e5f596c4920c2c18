"""A comparison by several metrics as a document, ready for formatting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

import numpy as np

from racing.analysis.compare.front import MetricComparison
from racing.analysis.compare.report import Column, ending, left_out, some, with_best
from racing.analysis.compare.reports import MOST_ROWS
from racing.answer.document import Heading, Paragraph, Part, TextTable, literal, quoted
from racing.base.quantities import cost_of
from racing.base.words import count, listed, number
from racing.core.fronts import chance_words

_SOURCES = (
    "P(on the front) and statements: one draw of Dirichlet weights of the instances for all means, "
    "the Bayesian bootstrap (Rubin, 1981), its variance increased by 5/n; statements as in "
    "Benavoli et al. (2015), section 5.3.",
    "knee: what a candidate gives up in a metric is its distance from the best of the front, as a "
    "share of that from the best to the worst; the knee has the least of its largest share.",
    "intervals of means: Student's t.",
)
_WHY = (
    "Design: paired, several metrics. A row of each table joins the scores of all algorithms, and "
    "rows of all tables are joined by the names of instances.",
    "Dominance in place of tests: a trade-off has no single order, so each statement says which "
    "algorithm is better in some metric and worse in none.",
)


def document(
    c: MetricComparison, *, most_rows: int | None = MOST_ROWS, more: Iterable[Part] = ()
) -> tuple[Part, ...]:
    """The report; of more than `most_rows` algorithms or statements the first. None lists all."""
    m, said = len(c.names), [f"{quoted(j)} dominates {quoted(k)}." for j, k in c.statements]
    rows = max(m, len(said)) if most_rows is None else most_rows
    return (
        Heading(f"Comparison of {m} algorithms by {listed([quoted(k) for k in c.metrics])}"),
        Paragraph(subject(c)),
        algorithms(c, most_rows=rows),
        *left_out(m - rows, "algorithm", "that are less likely on the front"),
        Heading("What can be believed together?"),
        Paragraph(together(c)),
        *some(said, rows),
        *more,
        *ending([note.text for note in c.notes], _WHY, _SOURCES),
    )


def subject(c: MetricComparison) -> str:
    """What was compared, and how it came out."""
    front = listed([quoted(name) for name in c.front], most=len(c.names))
    means = f"{among(c)}by the means" if among(c) else "By the means"
    return (
        f"{measured(c)} {means}, no other dominates {front}; the best compromise (knee) is "
        f"{quoted(c.names[c.knee])}."
    )


def measured(c: MetricComparison) -> str:
    """How much was compared, by which metrics."""
    each = []
    for (metric, table), rope in zip(c.tables.items(), c.ropes, strict=True):
        better = "lower" if table.direction == "minimize" else "higher"
        equal = f", differences up to {number(rope)} are none" if rope else ""
        source = "" if table.source == "table" else f" ({literal(table.source)})"
        each.append(f"{quoted(metric)}{source}: {better} is better{equal}")
    return f"{len(c.names)} algorithms on {count(c.first.n, 'instance')}. {'; '.join(each)}."


def among(c: MetricComparison) -> str:
    """The beginning of a sentence about the front, if some failed more often than others."""
    apart = c.failed.max() > c.failed.min()
    return "Of those that failed least often, " if apart else ""


def algorithms(c: MetricComparison, *, most_rows: int = MOST_ROWS) -> TextTable:
    """The algorithms: the front by its first metric, then the others, most probable first."""
    m, some_failed = len(c.names), bool(c.failed.any())
    columns: list[Column] = [
        ("algorithm", [quoted(name) for name in c.names], None),
        ("front", [place(c, i) for i in range(m)], None),
        (">P(on the front)", [chance_words(float(p)) for p in c.on_front], None),
        *[(">failed", [str(failed) for failed in c.failed], None)] * some_failed,
        *map(partial(_metric, c), range(len(c.metrics))),
    ]
    over = " over the instances on which an algorithm did not fail" if some_failed else ""
    caption = (
        f"{subject(c)} P says whether it is likely that, by the true means, no other is better in "
        f"some metric and worse in none. Means{over}, and their intervals one by one."
    )
    return with_best("front", columns, c.order[:most_rows], caption)


def _metric(c: MetricComparison, at: int) -> Column:
    """The means in a metric; the best is that of those that failed least often."""
    ends = zip(*(each[:, at].tolist() for each in (c.means, c.low, c.high)), strict=True)
    cells = [
        number(mean, 4) + ("" if math.isnan(low) else f" [{number(low)}, {number(high)}]")
        for mean, low, high in ends
    ]
    costs = cost_of(c.means[:, at], c.tables[c.metrics[at]].direction)
    first = np.where(c.failed == c.failed.min(), costs, np.inf)
    return f">{c.metrics[at]} [{100 * (1 - c.alpha):.3g} %]", cells, first


def place(c: MetricComparison, i: int) -> str:
    """How a table says that an algorithm is on the front."""
    return "knee" if i == c.knee else "yes" if c.undominated[i] else ""


def together(c: MetricComparison) -> str:
    """How probable it is that all statements are true, and what they mean."""
    if not c.statements:
        return "No statement that one dominates another can be believed at this level."
    failures = ", failures being one more metric" if c.failed.any() else ""
    many = len(c.statements)
    all_ = "This statement is" if many == 1 else f"These {many} statements are all"
    return (
        f"{all_} true with posterior probability {number(c.dominance.joint)}; to dominate means: "
        f"better in some metric, worse in none{failures}."
    )
