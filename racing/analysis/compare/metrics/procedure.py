"""One function from the tables of several metrics to a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.choices import check_numbers
from racing.analysis.compare.metrics.agreement import agreeing, contradictions, failures
from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.analysis.compare.profiles.stopped import counted
from racing.analysis.compare.result_table import Floats, Missing, ResultTable
from racing.analysis.compare.verdicts import Note
from racing.base.errors import InputError, did_you_mean, show
from racing.base.quantities import Direction
from racing.core.failures import OnFailure, on_failure_of
from racing.core.trade_offs import TradeOffs
from racing.stats.dominance import joint_dominance
from racing.stats.intervals import half_width

_DRAWS = 5000
_FEW = 10  # instances below which intervals and probabilities are rough


def compare_metrics(
    tables: Mapping[str, Any],
    *,
    direction: Direction | Mapping[str, Direction] | None = None,
    missing: Missing = "refuse",
    alpha: float = 0.05,
    rope: Mapping[str, float] | None = None,
    on_failure: OnFailure | Mapping[str, Any] | str = "worst",
    seed: int = 1,
) -> MetricComparison:
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
    direction : "minimize" (lower is better, the default) or "maximize"; of all metrics, or by name.
    missing : as for `racing.compare`. What one table leaves out is left out of all.
    alpha : intervals of means have confidence 1 − α, each; statements that are accepted are all
        true with probability above 1 − α.
    rope : means that differ by no more are equal; by name, in units of the metric.
    on_failure : what a failure counts as, as in a scenario: "worst", as said above; "rate", where
        the failures of an algorithm that does not fail more often than chance explains are scores;
        or {"penalty": {…}}, a score for each metric.
    seed : of the draws.

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
    directions, ropes = _directions(tables, direction), _ropes(tables, rope)
    check_numbers(alpha, 0.0, seed)
    found = agreeing(
        {
            metric: _table(metric, data, directions.get(metric), missing)
            for metric, data in tables.items()
        }
    )
    found = _counted(found, on_failure)
    failed = failures(found)
    costs = np.stack([table.costs for table in found.values()], axis=2)
    costs = np.where(failed[:, :, None], np.nan, costs)
    trade = TradeOffs(costs, failed.sum(axis=0), ropes)
    shown, half = _means(found, failed, alpha)
    return MetricComparison(
        tables=found, ropes=tuple(ropes.tolist()), alpha=float(alpha), seed=int(seed),
        means=shown, low=shown - half, high=shown + half, undominated=trade.front,
        failed=trade.failed, knee=int(np.lexsort(trade.merits.T[::-1])[0]),
        dominance=joint_dominance(
            costs, rng=np.random.default_rng(seed), gamma=alpha, ropes=ropes, draws=_DRAWS
        ),
        notes=tuple(_notes(found, failed)),
    )  # fmt: skip


def _table(metric: str, data: Any, direction: Direction | None, missing: Missing) -> ResultTable:
    try:
        return as_table(data, direction=direction, missing=missing)
    except InputError as error:
        raise type(error)(f"{metric}: {error}") from error


def _counted(
    tables: Mapping[str, ResultTable], on_failure: OnFailure | Mapping[str, Any] | str
) -> dict[str, ResultTable]:
    """The tables with what failures count as."""
    policy = on_failure_of(on_failure)
    if policy.penalty is None:
        return {metric: counted(table, policy) for metric, table in tables.items()}
    told = policy.penalty
    if not isinstance(told, Mapping) or told.keys() != tables.keys():
        raise InputError(
            f"on_failure: expected a score for each metric ({', '.join(tables)}); got {show(told)}"
        )
    return {
        metric: counted(table, OnFailure(penalty=told[metric])) for metric, table in tables.items()
    }


def _directions(
    tables: Mapping[str, Any], direction: Direction | Mapping[str, Direction] | None
) -> dict[str, Direction]:
    if not isinstance(tables, Mapping):
        raise InputError(
            'tables: expected a table for each metric, such as {"quality": table, "time": table}; '
            f"got {type(tables).__name__}"
        )
    for metric in tables:
        if not isinstance(metric, str) or not metric:
            raise InputError(f"tables: expected names of metrics, got {metric!r}")
    if len(tables) < 2:
        one = f" ({next(iter(tables))})" if tables else ""
        raise InputError(
            f"tables: expected two metrics or more, got {len(tables)}{one}; by one metric, use "
            "racing.compare(table), or racing compare FILE"
        )
    if isinstance(direction, Mapping):
        _check_named("direction", direction, tables)
        return dict(direction)
    return {} if direction is None else dict.fromkeys(tables, direction)


def _ropes(tables: Mapping[str, Any], rope: Mapping[str, float] | None) -> Floats:
    if rope is not None and not isinstance(rope, Mapping):
        raise InputError(
            f"rope: is in units of a metric, so name it, such as {{{next(iter(tables))!r}: "
            f"{rope!r}}} (--rope NAME=DIFFERENCE); got {rope!r}"
        )
    given = dict(rope or {})
    _check_named("rope", given, tables)
    for value in given.values():
        check_numbers(0.05, value, 1)
    return np.array([given.get(metric, 0.0) for metric in tables], dtype=np.float64)


def _check_named(option: str, given: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
    for name in given:
        if name not in tables:
            guess = did_you_mean(str(name), list(tables))
            raise InputError(f"{option}: no metric is called {show(name)}{guess}")


def _means(
    tables: Mapping[str, ResultTable], failed: NDArray[np.bool_], alpha: float
) -> tuple[Floats, Floats]:
    """(m, K) means in the user's direction, and half-widths of Student's intervals.

    Both over the instances without a failure; NaN of none, and half-widths of fewer than two.
    """
    scores = np.stack([table.means for table in tables.values()], axis=2)
    means, half = np.full((2, *scores.shape[1:]), np.nan)
    for i, ran in enumerate(~failed.T):
        own, n = scores[ran, i], int(ran.sum())
        if n:
            means[i] = own.mean(axis=0)
        if n > 1:
            half[i] = half_width(n - 1, 1 - alpha) * own.std(axis=0, ddof=1) / np.sqrt(n)
    return means, half


def _notes(tables: Mapping[str, ResultTable], failed: NDArray[np.bool_]) -> Iterator[Note]:
    first = next(iter(tables.values()))
    assumed = tuple(metric for metric, table in tables.items() if table.assumed)
    if assumed:
        yield Note(kind="assumed-directions", facts={"metrics": assumed})
    gone = dict.fromkeys(name for table in tables.values() for name in table.left_out)
    if gone:
        yield Note(kind="left-out", facts={"names": tuple(gone)})
    repeated = max(table.repetitions for table in tables.values())
    if repeated > 1:
        yield Note(kind="repetitions", facts={"repetitions": repeated})
    if failed.any():
        yield from _of_failures(tables, failed)
    if first.n < _FEW:
        yield Note(kind="few-for-means", facts={"instances": first.n})
    yield Note(kind="one-look")
    yield Note(kind="means")


def _of_failures(tables: Mapping[str, ResultTable], failed: NDArray[np.bool_]) -> Iterator[Note]:
    least = failed.sum(axis=0) == failed.sum(axis=0).min()
    repeated = any(table.repetitions > 1 for table in tables.values())
    yield Note(
        kind="failed-runs",
        facts={"runs": int(failed.sum()), "first": int(least.sum()), "repeated": repeated},
    )
    if (failed[:, least].any(axis=1) & ~failed[:, least].all(axis=1)).any():
        yield Note(kind="failed-elsewhere")
    runs, example = contradictions(tables)
    if runs:
        yield Note(kind="failures-disagree", facts={"runs": runs, "example": example})
