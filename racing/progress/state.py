"""How far a race or a search is, in one line."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from racing.units import duration

if TYPE_CHECKING:
    from racing.experiment import Outcome
    from racing.race import Race
    from racing.search import Search

_WIDTH = 80  # columns that a line may take
_NAME = 16  # characters of the leader's name that are shown


@dataclass(frozen=True)
class TimeLeft:
    """Seconds that a run still takes; inf where there is no saying.

    Attributes
    ----------
    expected
        If the field of a race goes on shrinking as it did; of a search, what its budget allows.
    most
        If nobody else is dropped.
    """

    expected: float
    most: float

    def told(self, since: float = 0.0) -> list[str]:
        """What there is to say of it so many seconds later, the longest first."""
        expected, most = self.expected - since, self.most - since
        if not 0 < expected < min(most, math.inf):
            return [f"at most {duration(most)} to go"] if 0 < most < math.inf else [""]
        about = f"about {duration(expected)} to go"
        return [f"{about}, {duration(most)} at most", about] if most < math.inf else [about]


@dataclass(frozen=True)
class RunState:
    """How far a race was when it was last looked at: what `line` needs, read in one thread.

    Attributes
    ----------
    parts
        What is said, the most important first.
    elapsed
        Seconds since the start.
    left
        Seconds to go.
    """

    parts: tuple[str, ...]
    elapsed: float = 0.0
    left: TimeLeft = field(default_factory=lambda: TimeLeft(math.inf, math.inf))

    def line(self, since: float = 0.0) -> str:
        """One line of 80 columns at most, so many seconds after that look."""
        passed, said = duration(self.elapsed + since), self.left.told(since)
        shorter = [(shown, said[-1]) for shown in range(len(self.parts), 0, -1)]
        for shown, left in [*((len(self.parts), one) for one in said[:-1]), *shorter]:
            line = " · ".join(filter(None, [*self.parts[:shown], passed, left]))
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


def time_left(race: Race | Search, elapsed: float) -> TimeLeft:
    """How long the race still takes, at the pace so far."""
    if race.done:
        return TimeLeft(0.0, 0.0)
    if not race.outcomes or not elapsed:
        return TimeLeft(math.inf, math.inf)
    rate, target = elapsed / race.outcomes, race.spent.target_time
    end = min(
        math.inf if race.budget.wall_time is None else max(race.budget.wall_time - elapsed, 0.0),
        race.budget.left(race.spent).target_time * elapsed / target if target else math.inf,
    )
    most = min(_most_evaluations(race) * rate, end)
    return TimeLeft(min(race.expected_evaluations * rate, most), most)


def _most_evaluations(race: Race | Search) -> float:
    """How many evaluations it needs still if nobody else is dropped.

    Those of a search say nothing of its time at most: workers wait whenever a part of it ends.
    """
    if is_search(race):
        return math.inf
    last = _last(race)
    rows = math.inf if last is None else last - race.instances_seen
    left = min(race.budget.left(race.spent).evaluations, rows * len(race.survivors))
    return max(left - (race.outcomes - race.spent.evaluations - race.wasted), 0.0)


def _last(race: Race | Search) -> int | None:
    """How many instances there can be in all."""
    ends = [end for end in (race.instances.limit, race.budget.instances) if end is not None]
    return min(ends, default=None)


def _of(limit: int | None) -> str:
    return "" if limit is None else f"/{limit}"
