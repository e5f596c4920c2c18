"""The share of runs solved over time: run-length and runtime distributions with a cutoff.

A stopped run takes longer than its cutoff. With one cutoff for all, the share solved at any time
before it is a plain share of all runs. If runs were stopped at different times, it is Kaplan and
Meier's estimate, which counts each run for as long as it was observed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import ndtri
from racing.stats._checks import Bools, Floats, as_level
from racing.stats._intervals import clopper_pearson
from racing.stats._runs import Runs


@dataclass(frozen=True, eq=False)
class ShareSolved:
    """A step function of n runs.

    `share_solved` returns it.

    Attributes
    ----------
    times
        Shape (V,), the distinct efforts at which runs were solved, ascending.
    shares
        Shape (V,), the share solved from each of them up to the next.
    low, high
        Shape (V,), pointwise intervals of the share, each with `level`.
    seen_until
        The longest effort of any run; shares beyond it are unknown, unless all are solved.
    interval
        "Clopper-Pearson", or "Greenwood, log(-log)" where runs were stopped before others ended.

    Examples
    --------
    >>> from racing.stats import share_solved
    >>> found = share_solved([3, 5, 60, 8], cutoff=60)
    >>> found.shares.tolist()
    [0.25, 0.5, 0.75]
    >>> found.at([4, 20, 100]).tolist()
    [0.25, 0.75, nan]
    >>> found.quantile(0.5), found.quantile(0.9)
    (5.0, inf)
    """

    times: Floats
    shares: Floats
    low: Floats
    high: Floats
    seen_until: float
    solved: int
    n: int
    level: float
    interval: str

    def at(self, t: ArrayLike) -> Floats:
        """The share solved by t, elementwise; NaN beyond `seen_until`."""
        wanted = np.asarray(t, dtype=np.float64)
        steps = np.append(0.0, self.shares)
        found = steps[np.searchsorted(self.times, wanted, side="right")]
        known = (wanted <= self.seen_until) | (steps[-1] == 1.0)
        return np.asarray(np.where(known, found, np.nan))

    def quantile(self, q: float) -> float:
        """The first time by which at least a share q is solved; inf if that was not observed."""
        reached = self.shares >= as_level(q, name="q") - 1e-12
        return float(self.times[np.argmax(reached)]) if reached.any() else np.inf


def share_solved(
    times: ArrayLike,
    *,
    cutoff: ArrayLike | None = None,
    solved: ArrayLike | None = None,
    level: float = 0.95,
) -> ShareSolved:
    """The share of runs solved over time, or over any effort: evaluations, steps.

    Parameters
    ----------
    times
        Shape (n,), what each run took; +inf if it was stopped.
    cutoff
        At which effort runs are stopped: one number, or one for each run.
    solved
        Shape (n,), which runs are done; by default those below the cutoff.

    Raises
    ------
    InputError
        If a time is negative, or a run was stopped at an unknown time.

    Notes
    -----
    Kaplan and Meier (1958). Stopping a run must not depend on how well it is doing, or the estimate
    is too high or too low.

    Examples
    --------
    >>> from racing.stats import share_solved
    >>> found = share_solved([3, 5, 60, 8], cutoff=60)
    >>> found.times.round(4).tolist()
    [3.0, 5.0, 8.0]
    """
    runs = Runs.of(times, cutoff=cutoff, solved=solved)
    as_level(level, name="level")
    values, counts = np.unique(runs.effort[runs.solved], return_counts=True)
    ended = counts.astype(np.float64)
    ordered = np.sort(runs.effort)
    at_risk = runs.n - np.searchsorted(ordered, values, side="left").astype(np.float64)
    left = np.asarray(np.cumprod(1 - ended / at_risk), dtype=np.float64)
    early = runs.effort[~runs.solved].min(initial=np.inf) < values.max(initial=0.0)
    if early:
        low, high = _greenwood(left, ended, at_risk, level)
        shares = np.asarray(1 - left)
    else:
        done = np.cumsum(ended)
        shares = np.asarray(done / runs.n)
        ends = [clopper_pearson(float(c), runs.n, level) for c in done]
        low, high = np.array(ends).reshape(-1, 2).T
    kind = "Greenwood, log(-log)" if early else "Clopper-Pearson"
    return ShareSolved(
        values, shares, low, high, float(ordered[-1]), int(runs.solved.sum()), runs.n, level, kind
    )


def _greenwood(left: Floats, ended: Floats, at_risk: Floats, level: float) -> tuple[Floats, Floats]:
    """Intervals of 1 − S on the scale of log(−log S), which stay between 0 and 1.

    Kalbfleisch and Prentice (1980), section 1.3. Where all are solved the interval is that before.
    """
    inner: Bools = left > 0
    s = np.where(inner, left, 0.5)
    more = np.where(inner, at_risk - ended, 1)
    variance = np.cumsum(np.where(inner, ended / (at_risk * more), 0.0))
    reach = float(ndtri(0.5 + level / 2)) * np.sqrt(variance) / np.abs(np.log(s))
    low, high = 1 - s ** np.exp(-reach), 1 - s ** np.exp(reach)
    if not inner[-1]:
        low[-1], high[-1] = (low[-2] if low.size > 1 else 0.0), 1.0
    return low, high
