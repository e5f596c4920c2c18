"""Data frames of results; needs pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

from racing.base.errors import require
from racing.base.quantities import Direction, score_of
from racing.core.candidate import Candidate
from racing.core.view import View
from racing.report.parts import Dropped

_COLUMNS = (
    "name", "status", "instances", "failures", "mean_score", "dropped_after", "against", "reason",
    "measure", "value", "threshold",
)  # fmt: skip


def candidate_frame(
    decider: View,
    winner: Candidate | None,
    dropped: Sequence[Dropped],
    *,
    direction: Direction,
) -> Any:
    """A data frame with a row for each candidate; see `Result.to_frame`."""
    pandas = require("pandas", extra="pandas", purpose="a data frame")
    out = {one.candidate.id: one for one in dropped}
    costs, left = _costs(decider), {one.id for one in decider.survivors}
    means = _means_by_metric(decider)
    taken = {*_COLUMNS, *(name for row in means.values() for name in row)}
    rows = [
        {
            **{_column(name, taken): value for name, value in one.values.items()},
            "name": str(one),
            "status": "winner" if one == winner else "survivor" if one.id in left else "dropped",
            **_merits(costs.get(one.id, np.empty(0)), direction),
            **means.get(one.id, {}),
            **_numbers(out.get(one.id)),
        }
        for one in decider.candidates
    ]
    index = pandas.Index([one.id for one in decider.candidates], name="candidate")
    own = dict.fromkeys(name for row in means.values() for name in row)
    names = dict.fromkeys(name for row in rows for name in row if name not in taken)
    place = _COLUMNS.index("mean_score") + 1
    columns = [*names, *_COLUMNS[:place], *own, *_COLUMNS[place:]]
    return pandas.DataFrame(rows, index=index, columns=columns)


def _column(parameter: str, taken: Set[str]) -> str:
    """The column name of a parameter, with a prefix if it is taken."""
    return f"param_{parameter}" if parameter in taken else parameter


def _costs(decider: View) -> dict[int, Any]:
    results = decider.results
    return {
        id: column[~np.isnan(column)]
        for id, column in zip(results.candidates, results.costs.T, strict=True)
    }


def _means_by_metric(decider: View) -> Mapping[int, dict[str, float]]:
    """Candidate's id → mean score of each metric over the runs that did not fail; {} for one."""
    results = decider.results
    if results.goal is None or results.metrics is None:
        return {}
    found = {}
    for column, id in enumerate(results.candidates):
        costs = results.metrics[:, column]
        ran = costs[np.isfinite(costs).all(axis=1)]
        means = ran.mean(axis=0) if len(ran) else np.full(costs.shape[1], np.nan)
        scores = results.goal.scores(means.tolist())
        found[id] = {f"mean_{name}": score for name, score in scores.items()}
    return found


def _merits(costs: Any, direction: Direction) -> dict[str, Any]:
    finite = costs[np.isfinite(costs)]
    mean = float(finite.mean()) if finite.size else float("nan")
    return {
        "instances": int(costs.size),
        "failures": int(costs.size - finite.size),
        "mean_score": score_of(mean, direction),
    }


def _numbers(dropped: Dropped | None) -> dict[str, Any]:
    if dropped is None:
        return {}
    why = dropped.elimination
    return {
        "dropped_after": dropped.after,
        "against": why.against,
        "reason": str(why.reason),
        "measure": why.measure,
        "value": why.value,
        "threshold": why.threshold,
    }
