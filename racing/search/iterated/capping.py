"""Bounds running times by those of the elites, and finds dominated configurations.

Pérez Cáceres, López-Ibáñez, Hoos and Stützle (2017), An experimental study of adaptive capping in
irace, LION 11; as in irace 4.4, with bounds for each candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.core.verdict import Elimination, Verdict
from racing.search.iterated.settings import Statistic
from racing.search.trials import Trials

Floats = NDArray[np.float64]

_STATISTICS: Mapping[Statistic, Callable[[Floats], float]] = {
    "median": lambda means: float(np.median(means)),
    "mean": lambda means: float(means.mean()),
    "best": lambda means: float(means.min()),
    "worst": lambda means: float(means.max()),
}
_SLACK = 1e-5
"""A configuration is dominated if its mean time exceeds the elites' by more than this."""


@dataclass(frozen=True, kw_only=True)
class Capping:
    """How running times are bounded.

    Attributes
    ----------
    most
        The largest running time.
    statistic
        The statistic of the elites' mean times.
    min_time
        The least time that is measurable.
    bounds
        (id, step) → the bound of that run. It is kept, because a run that reached its bound counts
        as `most`.
    """

    most: float
    statistic: Statistic = "median"
    min_time: float = 0.01
    bounds: dict[tuple[int, int], float] = field(default_factory=dict, compare=False, repr=False)

    def bound(self, own: Floats, elites: Floats) -> float:
        """The bound of a configuration's run on the k-th instance.

        k · (the elites' mean time) + the least measurable time − its times so far

        Parameters
        ----------
        own : (k − 1,)
            Its times on the instances before.
        elites : (k, e)
            The elites' times, this instance included; without elites, the bound is `most`.
        """
        if elites.shape[1] == 0:
            return self.most
        each = min(_STATISTICS[self.statistic](elites.mean(axis=0)), self.most)
        left = len(elites) * each + self.min_time - float(own.sum())
        return min(left if left > 0 else each, self.most)

    def costs(self, trials: Trials, ids: Sequence[int], steps: Sequence[int]) -> Floats:
        """(steps, ids) running times, where a run that reached its bound counts as `most`."""
        found = trials.costs(ids, steps)
        limits = [[self.bounds.get((id, step), self.most) for id in ids] for step in steps]
        reached = np.isfinite(found) & (found >= np.array(limits).reshape(found.shape))
        if trials.failures.cost is not None:  # a penalty is no running time
            failed = [[trials.recorded[id, step].failed for id in ids] for step in steps]
            reached &= ~np.array(failed, dtype=bool).reshape(found.shape)
        return np.where(reached, self.most, found)

    def limit(self, means: Floats, elites: Sequence[int], kept: int) -> float:
        """The mean time beyond which a configuration is dominated.

        Parameters
        ----------
        means : (m,)
            Of those in the race.
        elites
            The columns of the protected elites; without any, the best `kept` take their place.
        """
        best = means[list(elites)] if len(elites) else np.sort(means)[:kept]
        return _STATISTICS[self.statistic](best) + _SLACK

    def verdict(
        self, ids: Sequence[int], costs: Floats, elites: Sequence[int], kept: int
    ) -> Verdict:
        """The verdict that drops all dominated ones but the best and the protected elites."""
        means = costs.mean(axis=0)
        limit, leader = self.limit(means, elites, kept), int(np.argmin(means))
        out = means > limit
        out[list(elites)] = False
        out[leader] = False
        gone = tuple(
            Elimination(
                candidate=ids[column], against=ids[leader], measure="mean time",
                value=float(means[column]), threshold=limit,
            )
            for column in np.flatnonzero(out)[::-1].tolist()
        )  # fmt: skip
        return Verdict(instances=len(costs), leader=ids[leader], eliminated=gone)
