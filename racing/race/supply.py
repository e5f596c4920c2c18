"""Chooses the experiments that a race hands out, certain ones then likely ones, each once."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from racing.core.ask_tell import check_limit, not_out
from racing.core.experiment import Experiment, Instance
from racing.core.standing import ranking
from racing.race.row import Row
from racing.race.speculation import chance, shrinkage
from racing.race.state import RaceState

Key = tuple[int, int]


class TaskQueue:
    """The queue of experiments between a race and its workers."""

    def __init__(self) -> None:
        self._queue: deque[Experiment] = deque()
        self._rows = 0
        self._later: Iterator[Experiment] | None = None
        self._out: dict[Key, Experiment] = {}

    @property
    def rows(self) -> int:
        """The number of rows queued since the last `restart`."""
        return self._rows

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments taken and not back, the oldest first."""
        return tuple(self._out.values())

    def restart(self) -> None:
        """Empty the queue; experiments that are out stay out."""
        self._queue.clear()
        self._rows = 0
        self._later = None

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

    def take(
        self,
        limit: int | None,
        more: Callable[[], Iterable[Experiment] | None],
        known: Callable[[Key], bool],
    ) -> list[Experiment]:
        """Up to `limit` experiments, neither out nor known.

        `more()` returns another row when the queue is empty, or None if no row may start.
        """
        check_limit(limit)
        taken: list[Experiment] = []
        while limit is None or len(taken) < limit:
            if not self._queue:
                row = more()
                if row is None:
                    break
                self._rows += 1
                self._queue.extend(row)
                continue
            experiment = self._queue.popleft()
            if self._goes_out(experiment, known):
                taken.append(experiment)
        return taken

    def take_later(
        self, limit: int, begin: Callable[[], Iterator[Experiment]], known: Callable[[Key], bool]
    ) -> list[Experiment]:
        """Up to `limit` experiments that may be needed later, neither out nor known.

        `begin()` returns them, in order, after every `restart`.
        """
        taken: list[Experiment] = []
        if limit > 0 and self._later is None:
            self._later = begin()
        while len(taken) < limit and self._later is not None:
            experiment = next(self._later, None)
            if experiment is None:
                break
            if self._goes_out(experiment, known):
                taken.append(experiment)
        return taken

    def _goes_out(self, experiment: Experiment, known: Callable[[Key], bool]) -> bool:
        """Note that an experiment is taken; False if it was before."""
        if experiment.key in self._out or known(experiment.key):
            return False
        self._out[experiment.key] = experiment
        return True


_SPECULATIVE = 0.5
"""Of the money kept to go ahead, for speculation; the rest is for second attempts and losses."""


class Supply:
    """Queues experiments from the state of a race; it never changes the state."""

    def __init__(self, state: RaceState, queue: TaskQueue) -> None:
        self._state, self._queue = state, queue
        self._instance: Instance | None = None  # of the last experiment; the next often has it too

    def take(self, limit: int | None, speculate: int) -> list[Experiment]:
        """Up to `limit` experiments, certain ones first; `speculate` of them may be others."""
        taken = self._queue.take(limit, self._next_row, self._state.knows)
        room = speculate if limit is None else min(speculate, limit - len(taken))
        return taken + self._queue.take_later(room, self._later, self._state.knows)

    @property
    def row_begun(self) -> bool:
        """Whether any experiment of the open row is out or has an outcome."""
        row = self._open_row
        if row is None:
            return False
        out = any(one.instance.step == row.step for one in self._queue.out)
        return out or not self._state.untouched

    @property
    def speculative(self) -> int:
        """The number of evaluations, out or told, that may be needed but need not be."""
        if self._state.stopped:
            return 0
        certain = self._state.certain_steps
        out = sum(one.instance.step not in certain for one in self._queue.out)
        return out + sum(step not in certain for step in self._state.early_steps)

    @property
    def _open_row(self) -> Row | None:
        return None if self._state.stopped else self._state.planned(0)

    def _next_row(self) -> list[Experiment] | None:
        """The next row to hand out; None if it is not certain to be needed."""
        state, index = self._state, self._queue.rows
        if state.stopped or index >= state.certain_rows or state.refusal(index):
            return None
        if not state.reserved(index):
            return None
        row = state.planned(index)
        return None if row is None else [self._experiment(id, row) for id in row.candidates]

    def _later(self) -> Iterator[Experiment]:
        """The experiments that may be needed after the next test, the most likely first."""
        row = self._open_row
        if row is None:
            return
        for id, later in Speculation(self._state, self._best_first(row.candidates)):
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
        certain, out = self._state.certain_steps, self._queue.out
        return [one.candidate.id for one in out if one.instance.step not in certain]

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


class Speculation:
    """Evaluations beyond the certain rows, the most likely to be needed first.

    It is valid for one standing, and made again when a row is closed.

    Parameters
    ----------
    state
        What the race has come to.
    order
        The candidates of its next rows, best first.
    """

    def __init__(self, state: RaceState, order: Sequence[int]) -> None:
        self._state, self._order = state, order
        self._first, self._field = state.certain_rows, len(state.alive)
        self._rate = shrinkage(state.recent, self._field)
        self._heap: list[tuple[float, int, int]] = []
        for place in range(len(order)):
            self._push(place, self._first)

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        """(candidate, row) pairs, each once; the rows of a candidate come in their order."""
        while self._heap:
            _, index, place = heapq.heappop(self._heap)
            self._push(place, index + 1)
            row = self._state.planned(index)
            assert row is not None  # it was when it was pushed
            yield self._order[place], row

    def _push(self, place: int, index: int) -> None:
        """Add the row at an index, unless it could not start even if none is dropped."""
        if self._state.planned(index) is None or self._state.refusal(index):
            return
        likely = chance(
            place, index, field=self._field, rate=self._rate, enough=self._state.setup.min_survivors
        )
        heapq.heappush(self._heap, (-likely, index, place))
