"""The finalists compared as a finished table: mean ranks, and which are not shown to differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare import Comparison, as_table, compare
from racing.report.history import History
from racing.report.matrices import Floats

MOST = 8
"""Finalists that are compared; more make a diagram that cannot be read."""

_FEWEST = 5  # shared instances, below which no conclusion is possible


def finalists(history: History) -> Comparison | None:
    """The comparison of the last candidates; None if there are too few of them or of instances.

    The finalists are the survivors, the best first, and then those that left last, as long as all
    share at least five instances, and at least half of what the winner has seen. They were chosen
    by these very results, so levels do not hold for them as for a table that was not looked at.
    """
    found = shared_costs(history)
    if found is None:
        return None
    ids, steps, costs = found
    return compare(
        as_table(
            costs,
            names=_distinct([str(history.candidates[id]) for id in ids]),
            instances=[str(step) for step in steps],
        ),
        bayes="none",
    )


def shared_costs(history: History) -> tuple[list[int], NDArray[np.intp], Floats] | None:
    """Ids of the m finalists, the n steps that all of them met, and their costs there, (n, m).

    None where there are fewer than two finalists, or fewer than five such instances.
    """
    ids, matrices = _chosen(history), history.matrices
    if len(ids) < 2:
        return None
    columns = [matrices.column[id] for id in ids]
    rows = matrices.ran[:, columns].all(axis=1)
    if rows.sum() < _FEWEST:
        return None
    return ids, np.flatnonzero(rows), matrices.costs[rows][:, columns]


def _chosen(history: History) -> list[int]:
    facts, matrices = history.facts, history.matrices
    last = [one.candidate.id for one in reversed(facts.dropped)]
    order = [*(one.candidate.id for one in facts.standing), *last]
    order = [id for id in dict.fromkeys(order) if id in matrices.column]
    if not order:
        return []
    shared = matrices.ran[:, matrices.column[order[0]]]
    least = max(_FEWEST, int(shared.sum()) / 2)
    chosen: list[int] = []
    for id in order:
        both = shared & matrices.ran[:, matrices.column[id]]
        if both.sum() >= least and len(chosen) < MOST:
            chosen.append(id)
            shared = both
    return chosen


def _distinct(names: list[str]) -> list[str]:
    """Distinct names: a repeated one gets its place."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
