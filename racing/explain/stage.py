"""One race of a path's configurations."""

from __future__ import annotations

from dataclasses import replace

from racing.experiment import Outcome
from racing.explain.changes import Change
from racing.race import Race


class Stage:
    """A race of the path's configurations; its rows are steps of the run from `offset` on."""

    def __init__(self, race: Race, offset: int, changes: list[Change]) -> None:
        self.race, self.offset, self.changes = race, offset, changes
        self.waiting: set[tuple[int, int]] = set()

    def waits(self, key: tuple[int, int]) -> bool:
        """Whether an outcome can still count."""
        alive = {one.id for one in self.race.survivors}
        return key in self.waiting and key[0] in alive and not self.race.done

    def hear(self, outcome: Outcome) -> None:
        """Take an outcome that was waited for."""
        if outcome.key in self.waiting:
            self.waiting.discard(outcome.key)
            self.tell(outcome)

    def tell(self, outcome: Outcome) -> None:
        """Tell the race, by its own count of rows."""
        self.race.tell(replace(outcome, step=outcome.step - self.offset))
