"""Runs with a time or an effort each, some of which were stopped before they were done (censored).

The share solved over time is a run-length or runtime distribution with a cutoff. The mean time up
to a cutoff is only a lower bound of the mean running time. Two other numbers are in use, which say
how a stopped run counts.

- PAR-f: a stopped run counts f times its cutoff; PAR10 by default, and PAR1 is that lower bound.
- The expected running time (ERT): a stopped run is restarted until one is solved: all effort,
  divided by the number of solved runs.

Their intervals are percentiles of the bootstrap: as many runs are drawn again, with replacement.
With ten runs or so, or few of them solved, they are too short; see the documentation.

Step functions of costs: performance profiles, and empirical distributions with a band.

A performance profile is the share of problems on which an algorithm is within a factor of the best.
Dolan and Moré (2002): r_ps = t_ps / min over s of t_ps, and ρ_s(τ) is the share of the problems
with r_ps <= τ. At τ = 1 it is the share of the problems on which s is (one of) the best, for large
τ the share that s solves at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Level, Quantity
from racing.base.special import ndtri
from racing.stats._checks import Bools, Floats, Hundred, as_costs, as_vector, batches, checked
from racing.stats.intervals import clopper_pearson

Penalty: TypeAlias = Annotated[float, Quantity("a finite number, 1 or more", low=1, high=1e300)]
Given: TypeAlias = ArrayLike | None

_CELLS = 1 << 20  # counts drawn at once


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
    interval: str

    def at(self, t: ArrayLike) -> Floats:
        """The share solved by t, elementwise; NaN beyond `seen_until`."""
        wanted = np.asarray(t, dtype=np.float64)
        steps = np.append(0.0, self.shares)
        found = steps[np.searchsorted(self.times, wanted, side="right")]
        known = (wanted <= self.seen_until) | (steps[-1] == 1.0)
        return np.asarray(np.where(known, found, np.nan))

    @checked
    def quantile(self, q: Level) -> float:
        """The first time by which at least a share q is solved; inf if that was not observed."""
        reached = self.shares >= q - 1e-12
        return float(self.times[np.argmax(reached)]) if reached.any() else np.inf


@dataclass(frozen=True)
class ParScore:
    """PAR-f of `runs` runs, `solved` of which are done; `low` and `high` hold it with `level`.

    `par` returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import par
    >>> found = par([3, 5, 60, 8], cutoff=60, rng=np.random.default_rng(1))
    >>> f"{found.solved} of {found.runs} runs solved, PAR-10 = {found.value:.0f}"
    '3 of 4 runs solved, PAR-10 = 154'
    """

    value: float
    low: float
    high: float
    solved: int
    runs: int


@dataclass(frozen=True)
class ExpectedTime:
    """The expected running time; inf if no run is solved.

    `expected_running_time` returns it.

    `low` and `high` hold it with `level`. `high` is infinite where draws without a solved run are
    likely. `effort` is the total of all runs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import expected_running_time
    >>> found = expected_running_time([3, 5, 60, 8], cutoff=60, rng=np.random.default_rng(1))
    >>> f"{found.effort:.0f} seconds for {found.solved} solved runs: {found.value:.1f} for each"
    '76 seconds for 3 solved runs: 25.3 for each'
    """

    value: float
    low: float
    high: float
    effort: float
    solved: int
    runs: int


@checked
def share_solved(
    times: ArrayLike, *, cutoff: Given = None, solved: Given = None, level: Level = 0.95
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
    values, counts = np.unique(runs.effort[runs.solved], return_counts=True)
    ended = counts.astype(np.float64)
    ordered = np.sort(runs.effort)
    at_risk = runs.n - np.searchsorted(ordered, values, side="left").astype(np.float64)
    left = np.asarray(np.cumprod(1 - ended / at_risk), dtype=np.float64)
    early = runs.effort[~runs.solved].min(initial=np.inf) < values.max(initial=0.0)
    done = np.cumsum(ended)
    if early:
        shares, kind = 1 - left, "Greenwood, log(-log)"
        low, high = _greenwood(left, ended, at_risk, level)
    else:
        shares, kind = done / runs.n, "Clopper-Pearson"
        low, high = clopper_pearson(done, runs.n, level)
    return ShareSolved(
        values, shares, low, high, float(ordered[-1]), int(runs.solved.sum()), runs.n, kind
    )


@checked
def par(
    times: ArrayLike,
    *,
    rng: np.random.Generator,
    cutoff: ArrayLike | None = None,
    solved: ArrayLike | None = None,
    factor: Penalty = 10.0,
    level: Level = 0.95,
    draws: Hundred = 5_000,
) -> ParScore:
    """Penalised average runtime: the mean time, a stopped run counting `factor` times its cutoff.

    Parameters
    ----------
    times, cutoff, solved
        As for `share_solved`.
    rng, draws
        For the bootstrap.
    factor
        At least 1; 1 gives a lower bound of the mean time.

    Raises
    ------
    InputError
        If a time is negative, a run was stopped at an unknown time, or an option is out of
        range.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import par
    >>> found = par([3, 5, 60, 8], cutoff=60, rng=np.random.default_rng(1))
    >>> round(float(found.value), 4)
    154.0
    """
    runs = Runs.of(times, cutoff=cutoff, solved=solved)
    counted = np.where(runs.solved, 1.0, factor) * runs.effort
    drawn = _resampled(counted[None], draws, rng)[0] / runs.n
    low, high = _percentiles(drawn, level)
    return ParScore(float(counted.mean()), low, high, int(runs.solved.sum()), runs.n)


@checked
def expected_running_time(
    times: ArrayLike,
    *,
    rng: np.random.Generator,
    cutoff: ArrayLike | None = None,
    solved: ArrayLike | None = None,
    level: Level = 0.95,
    draws: Hundred = 5_000,
) -> ExpectedTime:
    """Expected running time of independent restarts: all effort over the number of solved runs.

    Arguments and errors as for `par`.

    Notes
    -----
    Price (1997); Hansen, Auger, Finck and Ros (2010). If no run is solved, the lower end is the
    mean effort over Clopper and Pearson's highest share that n failures allow.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import expected_running_time
    >>> found = expected_running_time([3, 5, 60, 8], cutoff=60, rng=np.random.default_rng(1))
    >>> round(float(found.value), 4)
    25.3333
    """
    runs = Runs.of(times, cutoff=cutoff, solved=solved)
    done, effort = int(runs.solved.sum()), float(runs.effort.sum())
    if done == 0:
        low, high = effort / (runs.n * float(clopper_pearson(0.0, runs.n, level)[1])), np.inf
    else:
        parts = np.stack([runs.effort, runs.solved.astype(np.float64)])
        spent, ended = _resampled(parts, draws, rng)
        every = np.divide(spent, ended, out=np.full_like(spent, np.inf), where=ended > 0)
        low, high = _percentiles(every, level)
    return ExpectedTime(effort / done if done else np.inf, low, high, effort, done, runs.n)


@dataclass(frozen=True, eq=False)
class Runs:
    """n runs: `effort` until each ended or was stopped, and whether it was `solved`."""

    effort: Floats
    solved: Bools

    @classmethod
    def of(cls, times: ArrayLike, *, cutoff: ArrayLike | None, solved: ArrayLike | None) -> Runs:
        """Checked runs.

        Parameters
        ----------
        times
            Shape (n,), from 0; +inf is a run that was stopped.
        cutoff
            At which effort runs are stopped: one number, or one for each run.
        solved
            Shape (n,), which runs are done. By default those with a time below the cutoff; all
            that have a finite time, if there is none.

        Raises
        ------
        InputError
            If a time is negative, a run was stopped at an unknown time, or the two disagree.
        """
        took = as_vector(times, name="times")
        if took.min() < 0:
            raise InputError(f"times must be numbers, 0 or more; got {took.min():g}")
        n, limit = took.size, np.asarray(np.inf if cutoff is None else cutoff)
        if limit.dtype.kind not in "iuf" or limit.shape not in ((), (n,)) or not (limit > 0).all():
            allowed = f"a number above 0, or one for each of {n} runs"
            raise InputError(must_be("cutoff", allowed, cutoff))
        limit = np.broadcast_to(limit.astype(np.float64), (n,))
        done = took < limit if solved is None else np.asarray(solved)
        if done.dtype != np.bool_ or done.shape != (n,):
            raise InputError(must_be("solved", f"true or false for each of {n} runs", solved))
        effort = np.minimum(took, limit)
        if np.isinf(effort).any():
            raise InputError(
                f"times: position {int(np.argmax(np.isinf(effort)))} is infinite; "
                "give the cutoff at which the run was stopped"
            )
        if (done & (took > limit)).any():
            at = int(np.argmax(done & (took > limit)))
            raise InputError(
                f"times: position {at} is solved after its cutoff: {took[at]:g} > {limit[at]:g}"
            )
        return cls(effort, done)

    @property
    def n(self) -> int:
        return int(self.effort.size)


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


def _resampled(parts: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Sums of each row of (R, n) over runs drawn with replacement: (R, draws)."""
    n = parts.shape[1]
    chosen = (rng.integers(0, n, (size, n)) for size in batches(draws, n, _CELLS))
    return np.concatenate([parts[:, rows].sum(axis=2) for rows in chosen], axis=1)


def _percentiles(drawn: Floats, level: float) -> tuple[float, float]:
    """The central share `level`; order statistics, which may be infinite."""
    tail = (1 - level) / 2
    low = np.quantile(drawn, tail, method="lower")
    return float(low), float(np.quantile(drawn, 1 - tail, method="higher"))


_ROUNDING = 1 + 1e-12  # a ratio such as 3.3 / 2.2 comes out above 1.5


@dataclass(frozen=True, eq=False)
class PerformanceProfile:
    """Step functions of m algorithms on n problems.

    `performance_profile` returns it.

    Attributes
    ----------
    ratios
        Shape (n, m), r_ps >= 1; inf where the algorithm failed.
    taus
        Shape (T,), the factors at which any profile rises, ascending; the first is 1.
    shares
        Shape (m, T), ρ_s from each τ up to the next.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import performance_profile
    >>> found = performance_profile([[1, 2], [4, 2], [3, 9], [5, np.inf]])
    >>> found.best.tolist(), found.solved.tolist()
    ([0.75, 0.25], [1.0, 0.75])
    >>> found.at(2).tolist()
    [1.0, 0.5]
    """

    ratios: Floats
    taus: Floats
    shares: Floats

    @property
    def best(self) -> Floats:
        """Shape (m,), the share of the problems on which each is the best, alone or tied."""
        return np.asarray(self.shares[:, 0])

    @property
    def solved(self) -> Floats:
        """Shape (m,), the share of the problems that each solves."""
        return np.asarray(self.shares[:, -1])

    def at(self, tau: float) -> Floats:
        """Shape (m,), ρ_s(τ)."""
        return np.asarray(np.mean(self.ratios <= tau * _ROUNDING, axis=0))


@dataclass(frozen=True, eq=False)
class EmpiricalDistribution:
    """A step function of n costs.

    `empirical_distribution` returns it.

    `values` (V,) are the distinct finite costs, ascending; `shares` (V,) the share of the runs with
    a cost of at most each. `low` and `high` are a band that holds the whole distribution function
    with `level`, each of its steps widened by `margin`. Failures (+inf) keep the shares below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import empirical_distribution
    >>> found = empirical_distribution([3, 1, 2, 2, np.inf])
    >>> found.shares.tolist()
    [0.2, 0.6, 0.8]
    >>> found.at([0.5, 2, 100]).tolist()
    [0.0, 0.6, 0.8]
    """

    values: Floats
    shares: Floats
    low: Floats
    high: Floats
    margin: float
    n: int

    def at(self, x: ArrayLike) -> Floats:
        """The share of the runs with a cost of at most x, elementwise."""
        steps = np.append(0.0, self.shares)
        return np.asarray(steps[np.searchsorted(self.values, np.asarray(x), side="right")])


def performance_profile(T: ArrayLike) -> PerformanceProfile:
    """Performance profiles of the columns of T.

    Parameters
    ----------
    T
        Shape (n problems, m algorithms): times, efforts or other positive costs, lower better; +inf
        is a failure. A run stopped at a cutoff is a failure, not a time.

    Raises
    ------
    InputError
        If `T` is no table of costs, or one is not positive: ratios need a true zero.

    Notes
    -----
    A problem that no algorithm solves counts as unsolved for all. The caveat: the profiles are
    relative to the best of the table. They compare the best algorithm with each other one; two
    others may change their order without the best (Gould and Scott, 2016).

    Examples
    --------
    >>> from racing.stats import performance_profile
    >>> found = performance_profile([[1, 2], [4, 2], [3, 9]])
    >>> found.ratios.round(4).tolist()
    [[1.0, 2.0], [2.0, 1.0], [1.0, 3.0]]
    """
    costs = as_costs(T, name="T")
    if not costs.min() > 0:
        row, column = np.argwhere(costs <= 0)[0].tolist()
        raise InputError(
            f"T must be costs above 0; got {costs[row, column]:g} at row {row}, column {column}; "
            "a ratio to it has no meaning"
        )
    best = costs.min(axis=1, keepdims=True)
    ratios = np.divide(costs, best, out=np.full_like(costs, np.inf), where=np.isfinite(best))
    taus = np.unique(np.append(ratios[np.isfinite(ratios)], 1.0))
    ordered = np.sort(ratios, axis=0)
    shares = [np.searchsorted(column, taus * _ROUNDING, side="right") for column in ordered.T]
    return PerformanceProfile(ratios, taus, np.array(shares) / len(costs))


@checked
def empirical_distribution(x: ArrayLike, *, level: Level = 0.95) -> EmpiricalDistribution:
    """The empirical distribution function of a vector of costs, lower better.

    Raises
    ------
    InputError
        If x is no vector of costs, or `level` no probability.

    Notes
    -----
    The band is that of Dvoretzky, Kiefer and Wolfowitz with the constant of Massart (1990),
    √(log(2/α)/2n) on either side: for independent runs, whatever their distribution.

    Examples
    --------
    >>> from racing.stats import empirical_distribution
    >>> found = empirical_distribution([3, 1, 2, 2])
    >>> found.values.round(4).tolist()
    [1.0, 2.0, 3.0]
    """
    costs, miss = as_vector(x), 1 - level
    n = costs.size
    values, counts = np.unique(costs[np.isfinite(costs)], return_counts=True)
    shares = np.cumsum(counts) / n
    margin = math.sqrt(math.log(2 / miss) / (2 * n))
    low, high = np.maximum(shares - margin, 0.0), np.minimum(shares + margin, 1.0)
    return EmpiricalDistribution(values, shares, low, high, margin, n)
