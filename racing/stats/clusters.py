"""Paired costs on instances that come in groups, one row for each group.

Instances of one group, such as questions about one text, are not independent, so that an interval
or a test that counts each of them is too sure of itself. The means of groups are independent. A
test of these holds its level whatever the correlation within groups is, and speaks of groups: each
counts once, whatever its size (Galbraith, Daniel and Vissel, 2010, call these summary statistics).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from racing.base.errors import InputError
from racing.stats._checks import Floats


def group_means(costs: Floats, groups: Sequence[Hashable]) -> Floats:
    """(G, 2) the mean costs of two candidates on each group, in the order of appearance.

    Parameters
    ----------
    costs : (n, 2)
        Lower is better, +inf = failed. Instances on which one failed are in no mean; in a group
        where one failed more often than the other, its cost is +inf, and both have +inf where no
        instance is left.
    groups : (n,)
        The label of each instance.

    Raises
    ------
    InputError
        If there is not a label for each instance.
    """
    if len(groups) != len(costs):
        raise InputError(f"{len(groups)} groups for {len(costs)} instances; give one for each")
    rows: dict[Hashable, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return np.array([_mean(costs[members]) for members in rows.values()]).reshape(-1, 2)


def _mean(costs: Floats) -> Floats:
    failures = np.isinf(costs).sum(axis=0)
    finite = costs[np.isfinite(costs).all(axis=1)]
    if failures[0] == failures[1] and len(finite):
        return np.asarray(finite.mean(axis=0))
    worse = failures >= failures[::-1]
    return np.where(worse, np.inf, finite.mean(axis=0) if len(finite) else 0.0)
