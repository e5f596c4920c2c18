"""How far a race or a search is, in one line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from racing.units import duration

if TYPE_CHECKING:
    from racing.experiment import Outcome
    from racing.race import Race
    from racing.search import Search

_WIDTH = 80  # columns that a line may take
_NAME = 16  # characters of the leader's name that are shown


@dataclass(frozen=True)
class RunState:
    """How far a race was when it was last looked at: what `line` needs, read in one thread.

    Attributes
    ----------
    parts
        What is said, the most important first.
    elapsed, left
        Seconds since the start, and to go at most.
    """

    parts: tuple[str, ...]
    elapsed: float = 0.0
    left: float = math.inf

    def line(self, since: float = 0.0) -> str:
        """One line of 80 columns at most, so many seconds after that look."""
        times = [duration(self.elapsed + since)]
        if 0 < self.left - since < math.inf:
            times.append(f"at most {duration(self.left - since)} to go")
        for shown in range(len(self.parts), 0, -1):
            line = " · ".join([*self.parts[:shown], *times])
            if len(line) <= _WIDTH:
                return line
        return line[: _WIDTH - 1] + "…"


def look(race: Race | Search, outcome: Outcome) -> RunState:
    """Survivors, instances, budget, best so far and time left."""
    if is_search(race):
        return _look_at_search(race, outcome)
    parts = [
        f"{len(race.survivors)}/{len(race.candidates)} left",
        f"{race.instances_seen}{_of(_last(race))} instances",
        f"{race.outcomes}{_of(race.budget.evaluations)} runs",
    ]
    if race.verdicts:
        leader = str(next(c for c in race.candidates if c.id == race.verdicts[-1].leader))
        parts.append(f"best {leader if len(leader) <= _NAME else leader[: _NAME - 1] + '…'}")
    return RunState(tuple(parts), outcome.elapsed, time_left(race, outcome.elapsed))


def _look_at_search(search: Search, outcome: Outcome) -> RunState:
    parts = [
        search.phase,
        f"{len(search.entrants)} configurations tried",
        f"{search.instances_seen} instances",
        f"{search.outcomes}{_of(search.budget.evaluations)} evaluations",
    ]
    if search.elites:
        parts.append(f"best {search.elites[0]}")
    return RunState(tuple(parts), outcome.elapsed, time_left(search, outcome.elapsed))


def is_search(race: Race | Search) -> TypeGuard[Search]:
    """Whether it is a search."""
    from racing.search import Search

    return isinstance(race, Search)


def time_left(race: Race | Search, elapsed: float) -> float:
    """Seconds that the race can still take if nobody else is dropped; inf if there is no saying."""
    if race.done:
        return 0.0
    if not race.outcomes or not elapsed:
        return math.inf
    left = race.budget.left(race.spent)
    rate = elapsed / race.outcomes
    last = None if is_search(race) else _last(race)
    rows = math.inf if last is None else last - race.instances_seen
    under_way = race.outcomes - race.spent.evaluations
    target = race.spent.target_time
    return min(
        max(min(left.evaluations, rows * len(race.survivors)) - under_way, 0.0) * rate,
        math.inf if race.budget.wall_time is None else max(race.budget.wall_time - elapsed, 0.0),
        left.target_time * elapsed / target if target else math.inf,
    )


def _last(race: Race | Search) -> int | None:
    """How many instances there can be in all."""
    ends = [end for end in (race.instances.limit, race.budget.instances) if end is not None]
    return min(ends, default=None)


def _of(limit: int | None) -> str:
    return "" if limit is None else f"/{limit}"
