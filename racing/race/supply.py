"""Which experiments a race hands out: rows that are certain to be needed, and likely ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from racing.experiment import Experiment, Instance
from racing.race.row import Row
from racing.race.speculation import Speculation
from racing.race.state import RaceState
from racing.race.task_queue import TaskQueue
from racing.standing import ranking


class Supply:
    """Lines up experiments from the state of a race; it changes the queue and never the state."""

    def __init__(self, state: RaceState, queue: TaskQueue) -> None:
        self._state, self._queue = state, queue
        self._instance: Instance | None = None  # of the last experiment: often the next has it too

    def take(self, limit: int | None, speculate: int) -> list[Experiment]:
        """Up to `limit` experiments, certain ones first; `speculate` of them may be others."""
        taken = self._queue.take(limit, self._next_row, self._state.knows)
        room = speculate if limit is None else min(speculate, limit - len(taken))
        return taken + self._queue.take_later(room, self._later, self._state.knows)

    @property
    def row_begun(self) -> bool:
        """Whether anything of the open row was told or is out."""
        row = self._open_row
        if row is None:
            return False
        out = any(one.instance.step == row.step for one in self._queue.out)
        return out or not self._state.untouched

    @property
    def speculative(self) -> int:
        """Evaluations, out or told, that are not certain to be needed, and may be."""
        if self._state.stopped:
            return 0
        certain = self._state.certain_steps
        out = sum(one.instance.step not in certain for one in self._queue.out)
        return out + sum(step not in certain for step in self._state.early_steps)

    @property
    def _open_row(self) -> Row | None:
        return None if self._state.stopped else self._state.planned(0)

    def _next_row(self) -> list[Experiment] | None:
        """The next row to be handed out; None if it is not certain to be needed."""
        state, index = self._state, self._queue.rows
        if state.stopped or index >= state.rows_until_test or state.refusal(index):
            return None
        row = state.planned(index)
        return None if row is None else [self._experiment(id, row) for id in row.candidates]

    def _later(self) -> Iterator[Experiment]:
        """What may be needed after the next test, the most likely first."""
        row = self._open_row
        if row is None:
            return
        for id, later in Speculation(self._state, self._best_first(row.candidates)):
            yield self._experiment(id, later)

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
