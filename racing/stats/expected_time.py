"""Mean running times when some runs were stopped: PAR and the expected running time.

The mean time up to a cutoff is only a lower bound of the mean running time. Two other numbers are
in use, which say how a stopped run counts.

- PAR-f: a stopped run counts f times its cutoff; PAR10 by default, and PAR1 is that lower bound.
- The expected running time (ERT): a stopped run is restarted until one is solved: all effort,
  divided by the number of solved runs.

Their intervals are percentiles of the bootstrap: as many runs are drawn again, with replacement.
With ten runs or so, or few of them solved, they are too short; see the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_count, as_level
from racing.stats._intervals import clopper_pearson
from racing.stats._rope import as_generator
from racing.stats._runs import Runs

_CELLS = 1 << 20  # counts drawn at once


@dataclass(frozen=True)
class ParScore:
    """PAR-f of `runs` runs, `solved` of which are done; `low` and `high` hold it with `level`.

    `par` returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import par
    >>> found = par([3, 5, 60, 8], cutoff=60, rng=np.random.default_rng(1))
    >>> f"{found.solved} of {found.runs} runs solved, PAR-{found.factor:.0f} = {found.value:.0f}"
    '3 of 4 runs solved, PAR-10 = 154'
    """

    value: float
    low: float
    high: float
    level: float
    factor: float
    solved: int
    runs: int
    draws: int


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
    level: float
    effort: float
    solved: int
    runs: int
    draws: int


def par(
    times: ArrayLike,
    *,
    rng: np.random.Generator,
    cutoff: ArrayLike | None = None,
    solved: ArrayLike | None = None,
    factor: float = 10.0,
    level: float = 0.95,
    draws: int = 5_000,
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
    if not (isinstance(factor, (int, float)) and 1.0 <= factor < np.inf):
        raise InputError(f"factor: expected a finite number of at least 1, got {factor!r}")
    counted = np.where(runs.solved, 1.0, factor) * runs.effort
    drawn = _resampled(counted[None], runs.n, draws, rng)[0] / runs.n
    low, high = _percentiles(drawn, as_level(level, name="level"))
    done = int(runs.solved.sum())
    return ParScore(float(counted.mean()), low, high, level, float(factor), done, runs.n, draws)


def expected_running_time(
    times: ArrayLike,
    *,
    rng: np.random.Generator,
    cutoff: ArrayLike | None = None,
    solved: ArrayLike | None = None,
    level: float = 0.95,
    draws: int = 5_000,
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
    as_level(level, name="level")
    done, effort = int(runs.solved.sum()), float(runs.effort.sum())
    if done == 0:
        low, high = effort / (runs.n * clopper_pearson(0.0, runs.n, level)[1]), np.inf
    else:
        parts = np.stack([runs.effort, runs.solved.astype(np.float64)])
        spent, ended = _resampled(parts, runs.n, draws, rng)
        every = np.divide(spent, ended, out=np.full_like(spent, np.inf), where=ended > 0)
        low, high = _percentiles(every, level)
    value = effort / done if done else np.inf
    return ExpectedTime(value, low, high, level, effort, done, runs.n, draws)


def _resampled(parts: Floats, n: int, draws: int, rng: np.random.Generator) -> Floats:
    """Sums of each row of (R, n) over runs drawn with replacement: (R, draws)."""
    as_generator(rng)
    draws = as_count(draws, name="draws", least=100)
    step = max(1, _CELLS // n)
    sums = []
    for start in range(0, draws, step):
        chosen = rng.integers(0, n, (min(step, draws - start), n))
        sums.append(parts[:, chosen].sum(axis=2))
    return np.concatenate(sums, axis=1)


def _percentiles(drawn: Floats, level: float) -> tuple[float, float]:
    """The central share `level`; order statistics, which may be infinite."""
    tail = (1 - level) / 2
    low = np.quantile(drawn, tail, method="lower")
    return float(low), float(np.quantile(drawn, 1 - tail, method="higher"))
