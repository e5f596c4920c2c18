"""What idle workers evaluate before it is certain to be needed: the most likely first.

A race may look at its field after every instance, so a row waits for its slowest evaluation while
workers have nothing to do. They may begin evaluations of later rows. Such an evaluation is needed
if its candidate is still in the race by then, and the race is not over. It decides nothing before
its row is open, so it can be wasted but never change a verdict.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from racing.budget import Budget

if TYPE_CHECKING:
    from racing.race.row import Row
    from racing.race.state import RaceState

WINDOW = 5
"""Closed rows by which the shrinkage of the field is measured."""


_ONE_BY_ONE, _STRIPS, _ENDLESS = 100, 50, 1e6
"""Of `expected`: rows summed one by one, strips of the integral beyond, rows that are no end."""


def allowance(share: float, budget: Budget, decided: int) -> int:
    """How many evaluations beyond those that decide may be begun.

    Parameters
    ----------
    share
        Of the budget of evaluations; without one, of the evaluations that have decided so far.
    """
    of = decided if budget.evaluations is None else budget.evaluations
    return math.floor(share * of)


def shrinkage(recent: Iterable[tuple[int, int]], field: int) -> float:
    """By how much the logarithm of the field's size falls from row to row, by the latest rows.

    rate = (Σ ln(before / after) + ln(1 + 1 / (2 · field))) / (rows + ½)


    Parameters
    ----------
    recent
        How many candidates were in the race before and after each of the latest rows.
    field
        How many are in it now.

    Returns
    -------
    A positive rate: the loss of half a candidate in half a row is added to what was seen, so that a
    field which lost nobody is not taken to last for ever.
    """
    rows = [math.log(before / max(after, 1)) for before, after in recent]
    return (sum(rows) + math.log1p(0.5 / field)) / (len(rows) + 0.5)


def chance(place: int, rows: int, *, field: int, rate: float, enough: int) -> float:
    """The chance that an evaluation will be needed.

    The field is taken to shrink from `field` candidates by the factor exp(−X · rate · rows), where
    X is exponential with mean 1: its speed is known no better than its order of magnitude. The
    candidate at a place (0 is best) is needed while more than `place` candidates are left, and more
    than `enough`, with which the race ends. So

        P(needed) = P(field · exp(−X · rate · rows) > t) = 1 − exp(−ln(field / t) / (rate · rows)),

    where t = max(place, enough) + ½, and at most field − ½.

    Parameters
    ----------
    place
        Where the candidate stands among the survivors.
    rows
        How many rows are to be closed before the evaluation's row is open.
    field
        Candidates in the race.
    rate
        See `shrinkage`.
    enough
        How many survivors end the race.
    """
    threshold = min(max(place, enough) + 0.5, field - 0.5)
    return -math.expm1(-math.log(field / threshold) / (rate * rows))


def expected(rows: float, *, field: int, rate: float, enough: int) -> float:
    """How many evaluations the next rows are expected to come to, as the field shrinks.

    With the field of `chance`, the row that comes after a = rate · r is expected to have

        E[field · exp(−X · a); more than `enough` are left] = field · (1 − q^(1 + 1/a)) / (1 + a)

    candidates, where q = (enough + ½) / field. This is summed over r = ½, 1½, …; beyond the first
    100 rows the sum is an integral over ln r, by its midpoints.

    Parameters
    ----------
    rows
        How many there are at most; inf if there is no end to them.
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


class Speculation:
    """Evaluations beyond the certain rows, the most likely to be needed first.

    It holds for one standing, and is made anew when a row is closed.

    Parameters
    ----------
    state
        What the race has come to.
    order
        The candidates of its next rows, best first.
    """

    def __init__(self, state: RaceState, order: Sequence[int]) -> None:
        self._state, self._order = state, order
        self._first, self._field = state.rows_until_test, len(state.alive)
        self._rate = shrinkage(state.recent, self._field)
        self._heap: list[tuple[float, int, int]] = []
        for place in range(len(order)):
            self._push(place, self._first)

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        """A candidate and its row, each pair once: a candidate's rows come in their order."""
        while self._heap:
            _, index, place = heapq.heappop(self._heap)
            self._push(place, index + 1)
            row = self._state.planned(index)
            assert row is not None  # it was, when it was pushed
            yield self._order[place], row

    def _push(self, place: int, index: int) -> None:
        """Line up the row at an index, unless it could not be begun even if nobody is dropped."""
        if self._state.planned(index) is None or self._state.refusal(index):
            return
        likely = chance(
            place,
            index,
            field=self._field,
            rate=self._rate,
            enough=self._state.setup.min_survivors,
        )
        heapq.heappush(self._heap, (-likely, index, place))
