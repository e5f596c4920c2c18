"""Chooses the experiments that a race hands out, certain ones then likely ones, each once."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from racing.core.ask_tell import check_limit, not_out
from racing.core.experiment import Experiment, Instance
from racing.core.standing import ranking
from racing.race.row import Row
from racing.race.speculation import chance, shrinkage
from racing.race.state import RaceState

Key = tuple[int, int]


_SPECULATIVE = 0.5
"""Of the money kept to go ahead, for speculation; the rest is for second attempts and losses."""


class Supply:
    """Hands out experiments by the state of a race, each once; it never changes the state."""

    def __init__(self, state: RaceState) -> None:
        self._state = state
        self._out: dict[Key, Experiment] = {}
        self._instance: Instance | None = None  # of the last experiment; the next often has it too
        self.restart()

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments taken and not back, the oldest first."""
        return tuple(self._out.values())

    def restart(self) -> None:
        """Begin with the open row again; experiments that are out stay out."""
        self._queue: deque[Experiment] = deque()
        self._rows = 0  # that were queued
        self._later: Iterator[Experiment] | None = None

    def came_back(self, key: Key) -> None:
        """Note that this experiment has an outcome."""
        self._out.pop(key, None)

    def lost(self, experiment: Experiment) -> None:
        """Note that an experiment will not come back, so that it can be taken again.

        Raises
        ------
        RaceError
            If it is not out.
        """
        if self._out.pop(experiment.key, None) is None:
            raise not_out(experiment, len(self._out))
        self.restart()

    def take(self, limit: int | None, speculate: int) -> list[Experiment]:
        """Up to `limit` experiments, certain ones first; `speculate` of them may be others."""
        check_limit(limit)
        most = math.inf if limit is None else limit
        taken: list[Experiment] = []
        while len(taken) < most and (self._queue or self._next_row()):
            taken += self._unknown(self._queue.popleft())
        most = min(len(taken) + speculate, most)
        if len(taken) < most:
            self._later = self._later or self._speculated()
            while len(taken) < most and (one := next(self._later, None)):
                taken += self._unknown(one)
        return taken

    def _unknown(self, experiment: Experiment) -> list[Experiment]:
        """The experiment, which goes out; none if it is out or has an outcome."""
        if experiment.key in self._out or self._state.knows(experiment.key):
            return []
        self._out[experiment.key] = experiment
        return [experiment]

    @property
    def row_begun(self) -> bool:
        """Whether any experiment of the open row is out or has an outcome."""
        row = self._open_row
        if row is None:
            return False
        out = any(one.instance.step == row.step for one in self._out.values())
        return out or not self._state.untouched

    @property
    def speculative(self) -> int:
        """The number of evaluations, out or told, that may be needed but need not be."""
        if self._state.stopped:
            return 0
        certain = self._state.certain_steps
        out = sum(one.instance.step not in certain for one in self._out.values())
        return out + sum(step not in certain for step in self._state.early_steps)

    @property
    def _open_row(self) -> Row | None:
        return None if self._state.stopped else self._state.planned(0)

    def _next_row(self) -> bool:
        """Queue the next row; False if it is not certain to be needed."""
        state, index = self._state, self._rows
        if state.stopped or index >= state.certain_rows or state.refusal(index):
            return False
        row = state.planned(index) if state.reserved(index) else None
        if row is None:
            return False
        self._rows += 1
        self._queue += [self._experiment(id, row) for id in row.candidates]
        return True

    def _speculated(self) -> Iterator[Experiment]:
        """The experiments that may be needed after the next test, the most likely first."""
        row = self._open_row
        if row is None:
            return
        for id, later in speculated(self._state, self._best_first(row.candidates)):
            if not self._state.may_go_ahead([*self._ahead, id], _SPECULATIVE):
                return
            yield self._experiment(id, later)

    def spare(self, experiment: Experiment) -> bool:
        """Whether the money kept covers a second attempt at this; notes it."""
        id = experiment.candidate.id
        allowed = self._state.may_go_ahead([*self._ahead, id])
        if allowed:
            self._state.abandon([id])
        return allowed

    @property
    def _ahead(self) -> list[int]:
        """The candidates of the experiments that are out and need not be needed."""
        if not self._state.setup.budget.paid:
            return []
        certain = self._state.certain_steps
        return [one.candidate.id for one in self._out.values() if one.instance.step not in certain]

    def _best_first(self, ids: Iterable[int]) -> list[int]:
        """The candidates of a row, the best first; those without a standing come last."""
        state = self._state
        standings = ranking(state.standing, state.candidates, state.setup.objective)
        place = {one.candidate.id: i for i, one in enumerate(standings)}
        return sorted(ids, key=lambda id: place.get(id, len(place)))

    def _experiment(self, id: int, row: Row) -> Experiment:
        if self._instance is None or self._instance.step != row.step:
            self._instance = self._state.setup.instance(row.step)
        return Experiment(self._state.candidates[id], self._instance)


def speculated(state: RaceState, order: Sequence[int]) -> Iterator[tuple[int, Row]]:
    """Evaluations beyond the certain rows, the most likely to be needed first.

    They are valid for one standing, and found again when a row is closed.

    Parameters
    ----------
    order
        The candidates of the next rows, best first.

    Yields
    ------
    (candidate, row) pairs, each once; the rows of a candidate come in their order.
    """
    field, enough = len(state.alive), state.setup.min_survivors
    rate = shrinkage(state.recent, field)
    heap: list[tuple[float, int, int]] = []

    def push(place: int, index: int) -> None:
        """Add the row at an index, unless it could not start even if none is dropped."""
        if state.planned(index) is None or state.refusal(index):
            return
        likely = chance(place, index, field=field, rate=rate, enough=enough)
        heapq.heappush(heap, (-likely, index, place))

    for place in range(len(order)):
        push(place, state.certain_rows)
    while heap:
        _, index, place = heapq.heappop(heap)
        push(place, index + 1)
        row = state.planned(index)
        assert row is not None  # it was when it was pushed
        yield order[place], row
