"""Finished algorithms by several metrics at once: what is good, what is fast, and what neither."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, Unpack

import numpy as np

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.choices import numbers
from racing.analysis.compare.methods import option, refusal, sentence, sentences
from racing.analysis.compare.options import Options, takes
from racing.analysis.compare.report import (
    MOST_ROWS,
    Column,
    ComparisonReport,
    ending,
    left_out,
    some,
    with_best,
)
from racing.analysis.compare.result_table import (
    Bools,
    Floats,
    Ints,
    ResultTable,
    counted,
    policy_of,
)
from racing.answer.document import Document, Heading, Paragraph, Part, TextTable, literal, quoted
from racing.base.errors import InputError, did_you_mean, must_be, show
from racing.base.quantities import cost_of
from racing.base.words import count, listed, number
from racing.core.failures import OnFailure
from racing.core.fronts import TradeOffs, chance_words
from racing.stats.dominance import JointDominance, joint_dominance
from racing.stats.intervals import half_width

_DRAWS = 5000
_MOST = 5  # names in a message
Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricComparison(ComparisonReport):
    """The outcome of `compare_metrics` for m algorithms, n instances and K metrics.

    Attributes
    ----------
    tables : the table of each metric by name, all with the same algorithms and instances in the
        same order
    ropes : (K,) means that differ by no more are equal
    alpha : intervals have confidence 1 − α, and statements that are accepted are all true with
        probability above 1 − α
    seed : of the draws
    means, low, high : (m, K) means in the user's direction, and Student's interval of each, over
        the instances on which an algorithm did not fail; NaN where there are too few
    failed : (m,) on how many instances each algorithm failed
    undominated : (m,) which algorithms no other dominates, by the means, of those that failed
        least often
    knee : the column of the best compromise
    dominance : statements that can be believed together, and P(on the front)

    Examples
    --------
    >>> import racing
    >>> quality = [[0.1, 0.9, 0.3], [0.2, 0.8, 0.2], [0.1, 0.7, 0.4], [0.3, 0.8, 0.3]]
    >>> time = [[9.0, 2.0, 9.5], [8.0, 1.0, 8.5], [9.0, 2.0, 9.1], [7.0, 1.0, 9.0]]
    >>> found = racing.compare_metrics({"quality": quality, "time": time})
    >>> found.front
    ('A1', 'A2')
    """

    tables: dict[str, ResultTable]
    ropes: tuple[float, ...]
    alpha: float
    seed: int
    means: Floats
    low: Floats
    high: Floats
    failed: Ints
    undominated: Bools
    knee: int
    dominance: JointDominance

    def document(self, *, most_rows: int | None = MOST_ROWS, more: Document = ()) -> Document:
        """The report; of more than `most_rows` algorithms or statements the first."""
        return document(self, most_rows=most_rows, more=more)

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms."""
        return self.first.names

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics."""
        return tuple(self.tables)

    @property
    def first(self) -> ResultTable:
        """The table of the first metric."""
        return next(iter(self.tables.values()))

    @cached_property
    def infinite(self) -> Bools:
        """(n, m, K) where a metric is a failure."""
        return np.isinf(np.stack([table.means for table in self.tables.values()], axis=2))

    @property
    def on_front(self) -> Floats:
        """(m,) the probability of each algorithm to be on the front of the true means."""
        return self.dominance.on_front

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns: the front by its first metric, then the others, most probable first.

        What failed more often than others comes last, the fewest failures first.
        """
        sign = 1.0 if self.first.direction == "minimize" else -1.0
        by = np.where(self.undominated, sign * self.means[:, 0], -self.on_front)
        return tuple(int(i) for i in np.lexsort((by, self.failed, ~self.undominated)))

    @property
    def front(self) -> tuple[str, ...]:
        """The algorithms on the front of the means, by their first metric."""
        return tuple(self.names[i] for i in self.order if self.undominated[i])

    @property
    def statements(self) -> tuple[tuple[str, str], ...]:
        """(j, c): j dominates c; all are true together with probability above 1 − α."""
        return tuple((self.names[j], self.names[c]) for j, c, _ in self.dominance.believed)


@takes("metrics")
def compare_metrics(tables: Mapping[str, Any], **options: Unpack[Options]) -> MetricComparison:
    """Compare finished algorithms by several metrics at once, such as quality and time.

    One algorithm dominates another if its mean is better in some metric and worse in none; the
    front has all that no other dominates. A draw of weights for the instances serves all algorithms
    and metrics, which gives the probability of each to be on the front, and statements "j dominates
    c" that are all true together with probability above 1 − α.

    Failures (scores infinitely bad) count as in a race: front, knee and the probabilities of being
    on the front are those of the algorithms that failed least often, failures taken as they are. A
    failure has no value in the metrics: means and intervals are over the instances on which an
    algorithm did not fail. In statements the share of failures is one more metric, by the same
    draws; the other metrics are compared on the instances on which both ran. So what may fail more
    often dominates nothing.

    Parameters
    ----------
    tables : a table for each metric, by name, two metrics or more; tables as in `racing.compare`,
        with the same algorithms and instances. Rows are put together by the names of instances,
        columns by those of algorithms. A run that failed in one metric failed in all.

    Raises
    ------
    TableError
        If a table cannot be compared, or the tables disagree about algorithms or instances, or
        every algorithm failed on all instances or on all but one.
    InputError
        If there are fewer than two metrics, or an option names no metric or is out of range.

    Notes
    -----
    For one look at finished results. To look after every instance and leave out what is dominated
    so far adds up errors, and loses members of the front: race instead (`objective: {front: …}`).

    Probabilities are those of a posterior, not error rates of a test: if many algorithms are
    exactly equal in one metric and apart in another, the luckiest of many pairs can be accepted.

    Examples
    --------
    >>> import racing
    >>> quality = [[0.1, 0.9, 0.3], [0.2, 0.8, 0.3], [0.1, 0.7, 0.4], [0.3, 0.8, 0.5]]
    >>> time = [[9.0, 2.0, 9.5], [8.0, 1.0, 8.5], [9.0, 2.0, 9.4], [7.0, 1.0, 9.0]]
    >>> found = racing.compare_metrics({"quality": quality, "time": time}, rope={"time": 0.1})
    >>> found.front
    ('A1', 'A2')
    >>> found.statements
    (('A1', 'A3'),)
    """
    _check_metrics(tables)
    rope, alpha, seed = options.get("rope"), options.get("alpha", 0.05), options.get("seed", 1)
    if rope and not isinstance(rope, Mapping):
        raise InputError(
            f"rope must name its metric, such as {{{next(iter(tables))!r}: {rope!r}}}; got {rope!r}"
        )
    directions = _of_each("direction", options.get("direction"), tables)
    for value in (given := _of_each("rope", rope or {}, tables, 0.0)):
        alpha, _, seed = numbers(alpha, value, seed)
    ropes, how = np.array(given, dtype=np.float64), dict[str, Any](options)
    how = {name: how[name] for name in ("missing", "duplicates") if name in how}
    read = {
        metric: _table(metric, data, direction=direction, **how)
        for (metric, data), direction in zip(tables.items(), directions, strict=True)
    }
    found = _counted(_agreeing(read), options.get("on_failure"))
    scores = np.stack([table.means for table in found.values()], axis=2)
    costs = np.stack([table.costs for table in found.values()], axis=2)
    failed = np.asarray(np.isinf(scores).any(axis=2))
    if (~failed).sum(axis=0).max() < 2:
        raise next(iter(found.values())).error(refusal("no-means"))
    costs[failed] = np.nan
    trade = TradeOffs(costs, failed.sum(axis=0), ropes)
    shown, half = _means(scores, failed, alpha)
    return MetricComparison(
        tables=found, ropes=tuple(ropes.tolist()), alpha=alpha, seed=seed,
        means=shown, low=shown - half, high=shown + half, undominated=trade.front,
        failed=trade.failed, knee=int(np.lexsort(trade.merits.T[::-1])[0]),
        dominance=joint_dominance(
            costs, rng=np.random.default_rng(seed), gamma=alpha, ropes=ropes, draws=_DRAWS
        ),
    )  # fmt: skip


def _check_metrics(tables: object) -> None:
    if not isinstance(tables, Mapping):
        raise InputError(
            'tables must be a table for each metric, such as {"quality": table, "time": table}; '
            f"got {type(tables).__name__}"
        )
    for metric in tables:
        if not isinstance(metric, str) or not metric:
            raise InputError(must_be("a key of tables", "the name of a metric", metric))
    if len(tables) < 2:
        one = f" ({next(iter(tables))})" if tables else ""
        how = option("racing compare FILE", "racing.compare(table)")
        raise InputError(refusal("one-metric", got=f"{len(tables)}{one}", how=how))


def _of_each(option: str, given: Any, tables: Mapping[str, Any], default: Any = None) -> list[Any]:
    """What an option says of each metric, by name or of all."""
    own = given if isinstance(given, Mapping) else dict.fromkeys(tables, given)
    for name in own:
        if name not in tables:
            guess = did_you_mean(str(name), list(tables))
            raise InputError(f"{option}: no metric is called {show(name)}{guess}")
    return [own.get(metric, default) for metric in tables]


def _table(metric: str, data: Any, **how: Any) -> ResultTable:
    try:
        table = as_table(data, **how)
    except InputError as error:
        raise type(error)(f"{metric}: {error}") from error
    if table.groups:
        raise table.error(refusal("groups-of-metrics"))
    return table


def _agreeing(tables: Mapping[str, ResultTable]) -> dict[str, ResultTable]:
    """The tables with rows and columns in one order: columns as in the first, rows by name.

    What one table has left out for a missing cell is left out of all.
    """
    names = _shared(
        tables, "algorithm", lambda table: table.names, "a comparison needs two; fill missing "
        f"cells, or leave out instances ({option('--missing drop-instances')})",
    )  # fmt: skip
    instances = _shared(
        tables, "instance", lambda table: table.instances,
        "means need at least two; add instances, or fill missing cells",
    )  # fmt: skip
    instances = tuple(sorted(instances))
    return {
        metric: replace(
            table, names=names, instances=instances,
            scores=table.scores[np.ix_([*map(table.instances.index, instances)],
                                       [*map(table.names.index, names)])],
        )
        for metric, table in tables.items()
    }  # fmt: skip


def _shared(
    tables: Mapping[str, ResultTable], what: str, labels: Callable[[ResultTable], Names], fix: str
) -> Names:
    """The labels in all tables, in the order of the first."""
    for metric, table in tables.items():
        known = {*labels(table), *table.left_out}
        for other, theirs in tables.items():
            if lacking := [show(label) for label in labels(theirs) if label not in known]:
                facts = {"what": what, "other": other, "source": theirs.source}
                some = listed(lacking, _MOST)
                raise table.error(refusal("lacking", metric=metric, some=some, **facts))
    first, *others = tables.values()
    shared = [label for label in labels(first) if all(label in labels(one) for one in others)]
    if len(shared) < 2:
        raise first.error(f"{len(shared)} {what}s have a score in every metric, and {fix}")
    return tuple(shared)


def _counted(
    tables: Mapping[str, ResultTable],
    on_failure: OnFailure | Mapping[str, Any] | float | str | None,
) -> dict[str, ResultTable]:
    """The tables with what failures count as."""
    policy = policy_of("worst" if on_failure is None else on_failure)
    told = policy.penalty
    if told is not None and (not isinstance(told, Mapping) or told.keys() != tables.keys()):
        each = f"a score for each metric ({', '.join(tables)})"
        raise InputError(must_be("on_failure", each, told))
    return {
        metric: counted(table, OnFailure(penalty=told[metric]) if told else policy)
        for metric, table in tables.items()
    }


def _means(scores: Floats, failed: Bools, alpha: float) -> tuple[Floats, Floats]:
    """(m, K) means in the user's direction, and half-widths of Student's intervals.

    Both over the instances without a failure; NaN of none, and half-widths of fewer than two.
    """
    means, half = np.full((2, *scores.shape[1:]), np.nan)
    for i, ran in enumerate(~failed.T):
        own, n = scores[ran, i], int(ran.sum())
        if n:
            means[i] = own.mean(axis=0)
        if n > 1:
            half[i] = half_width(n - 1, 1 - alpha) * own.std(axis=0, ddof=1) / np.sqrt(n)
    return means, half


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
        *ending([note.text for note in c.notes], **sentences()["front"]),
    )


def subject(c: MetricComparison) -> str:
    """What was compared, and how it came out."""
    front, knee = listed([quoted(name) for name in c.front], most=len(c.names)), c.names[c.knee]
    by = f"{among(c)}by" if among(c) else "By"
    return sentence("dominance", "subject", measured=measured(c), by=by, front=front,
                    knee=quoted(knee))  # fmt: skip


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
        *(_metric(c, at) for at in range(len(c.metrics))),
    ]
    over = " over the instances on which an algorithm did not fail" if some_failed else ""
    caption = sentence("captions", "front", subject=subject(c), over=over)
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
    many, failures = len(c.statements), ", failures being one more metric" * bool(c.failed.any())
    these = "This statement is" if many == 1 else f"These {many} statements are all"
    return sentence("dominance", "together" if many else "none", these=these, failures=failures,
                    p=number(c.dominance.joint))  # fmt: skip
