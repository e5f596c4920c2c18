"""The finalists compared as a finished table: mean ranks and who cannot be told apart."""

from __future__ import annotations

import numpy as np

from racing.compare import Comparison, as_table, compare
from racing.report.history import History

MOST = 8
"""Finalists that are compared; more make a diagram that nobody reads."""

_FEWEST = 5  # shared instances, below which nothing can be told


def finalists(history: History) -> Comparison | None:
    """The comparison of the last candidates; None if there are too few of them or of instances.

    The finalists are the survivors, the best first, and then those who left last, as long as all
    share at least five instances, and at least half of what the winner has seen. They were chosen
    by these very results, so levels do not hold for them as for a table that was not looked at.
    """
    ids = _chosen(history)
    if len(ids) < 2:
        return None
    matrices = history.matrices
    columns = [matrices.column[id] for id in ids]
    rows = matrices.ran[:, columns].all(axis=1)
    if rows.sum() < _FEWEST:
        return None
    return compare(
        as_table(
            matrices.costs[rows][:, columns],
            names=_distinct([str(history.candidates[id]) for id in ids]),
            instances=[str(step) for step in np.flatnonzero(rows)],
        ),
        bayes="none",
    )


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
    """Names that differ: one that comes again gets its place."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
