"""Chooses what idle workers evaluate in advance: the evaluations most likely to be needed.

A race may test after every instance, so workers are idle while a row waits for its slowest
evaluation. They may begin evaluations of later rows. Such an evaluation is needed if its candidate
is still in the race by then, and the race is not over. It has no effect before its row is open, so
it can be wasted but cannot change a verdict.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from racing.core.budget import Budget

MOST_AHEAD = 0.5
"""The largest share of a budget of money that is kept for evaluations ahead of need."""

WINDOW = 5
"""Closed rows by which the shrinkage of the field is measured."""


_ONE_BY_ONE, _STRIPS, _ENDLESS = 100, 50, 1e6
"""Of `expected`: rows summed one by one, strips of the integral beyond, the number for inf rows."""


def allowance(share: float, budget: Budget, decided: int) -> int:
    """The number of evaluations that may be started in advance.

    Parameters
    ----------
    share
        Of the budget of evaluations; without one, of the evaluations that counted so far. With a
        budget of money alone the race itself keeps the share of it (`RaceState.may_go_ahead`).
    """
    if budget.paid and budget.evaluations is None:
        return sys.maxsize if share else 0
    of = decided if budget.evaluations is None else budget.evaluations
    return math.floor(share * of)


def shrinkage(recent: Iterable[tuple[int, int]], field: int) -> float:
    """The decrease of the logarithm of the number of candidates per row, by the latest rows.

    rate = (Σ ln(before / after) + ln(1 + 1 / (2 · field))) / (rows + ½)


    Parameters
    ----------
    recent
        How many candidates were in the race before and after each of the latest rows.
    field
        How many are in it now.

    Returns
    -------
    A positive rate: half a candidate dropped in half a row is added to the data, so that the rate
    is above 0 even if none was dropped.
    """
    rows = [math.log(before / max(after, 1)) for before, after in recent]
    return (sum(rows) + math.log1p(0.5 / field)) / (len(rows) + 0.5)


def chance(place: int, rows: int, *, field: int, rate: float, enough: int) -> float:
    """The probability that an evaluation will be needed.

    The model: the number of candidates falls from `field` by the factor exp(−X · rate · rows),
    where X is exponential with mean 1, because the rate is known only roughly. The candidate at a
    place (0 is best) is needed while more than `place` candidates are left, and more than `enough`,
    at which the race ends. So

        P(needed) = P(field · exp(−X · rate · rows) > t) = 1 − exp(−ln(field / t) / (rate · rows)),

    where t = max(place, enough) + ½, and at most field − ½.

    Parameters
    ----------
    place
        Where the candidate stands among the survivors.
    rows
        The number of rows before the evaluation's row is open.
    field
        Candidates in the race.
    rate
        See `shrinkage`.
    enough
        The number of survivors at which the race ends.
    """
    threshold = min(max(place, enough) + 0.5, field - 0.5)
    return -math.expm1(-math.log(field / threshold) / (rate * rows))


def expected(rows: float, *, field: int, rate: float, enough: int) -> float:
    """The expected number of evaluations of the next rows, as candidates are dropped.

    In the model of `chance`, the row at a = rate · r is expected to have

        E[field · exp(−X · a); more than `enough` are left] = field · (1 − q^(1 + 1/a)) / (1 + a)

    candidates, where q = (enough + ½) / field. This is summed over r = ½, 1½, …; beyond the first
    100 rows the sum is an integral over ln r, by its midpoints.

    Parameters
    ----------
    rows
        The most rows; inf without an end.
    field, rate, enough
        As for `chance`.
    """
    q = min((enough + 0.5) / field, 1.0)

    def size(r: float) -> float:
        a = rate * r
        return float(field * (1 - q ** (1 + 1 / a)) / (1 + a))

    one_by_one = int(min(rows, _ONE_BY_ONE))
    total = math.fsum(size(r + 0.5) for r in range(one_by_one))
    if rows <= _ONE_BY_ONE:
        return total
    width = math.log(min(rows, _ENDLESS) / _ONE_BY_ONE) / _STRIPS
    middles = (_ONE_BY_ONE * math.exp((i + 0.5) * width) for i in range(_STRIPS))
    return total + width * math.fsum(r * size(r) for r in middles)
