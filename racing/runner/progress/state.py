"""The state of a race or a search in one line."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from racing.base.words import count, duration, shown

if TYPE_CHECKING:
    from racing.core.experiment import Outcome
    from racing.core.view import SearchView, Watched

_WIDTH = 80  # the most columns of a line
_NAME = 16  # the most characters of the leader's name


@dataclass(frozen=True)
class TimeLeft:
    """Remaining seconds of a run; inf if unknown.

    Attributes
    ----------
    expected
        If candidates are dropped at the same rate as so far; of a search, by its budget.
    most
        If no other candidate is dropped.
    """

    expected: float
    most: float

    def told(self, since: float = 0.0) -> list[str]:
        """The texts of the remaining time, `since` seconds later, the longest text first."""
        expected, most = self.expected - since, self.most - since
        if not 0 < expected < min(most, math.inf):
            return [f"at most {duration(most)} to go"] if 0 < most < math.inf else [""]
        about = f"about {duration(expected)} to go"
        return [f"{about}, {duration(most)} at most", about] if most < math.inf else [about]


@dataclass(frozen=True)
class RunState:
    """A snapshot of a race for `line`, read in one thread.

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
        """One line of 80 columns at most, so many seconds after the snapshot."""
        passed, said = duration(self.elapsed + since), self.left.told(since)
        shorter = [(kept, said[-1]) for kept in range(len(self.parts), 0, -1)]
        for kept, left in [*((len(self.parts), one) for one in said[:-1]), *shorter]:
            line = " · ".join(filter(None, [*self.parts[:kept], passed, left]))
            if len(line) <= _WIDTH:
                return line
        return line[: _WIDTH - 1] + "…"


def look(race: Watched, outcome: Outcome, *, refused: int = 0) -> RunState:
    """Take a snapshot: survivors, instances, budget, best so far and time left.

    Parameters
    ----------
    refused
        The number of calls so far for which a service was busy.
    """
    if race.as_search is not None:
        return _look_at_search(race.as_search, outcome, refused)
    parts = [
        f"{len(race.survivors)}/{len(race.candidates)} left",
        _of(race.instances_seen, _last(race), "instance"),
        _of(race.spent.evaluations, race.budget.evaluations, "run"),
        *_paid(race, refused),
    ]
    if race.verdicts:
        leader = str(next(c for c in race.candidates if c.id == race.verdicts[-1].leader))
        parts.append(f"best {shown(leader, _NAME)}")
    return RunState(tuple(parts), outcome.elapsed, _left_to_say(race, outcome.elapsed))


def _look_at_search(search: SearchView, outcome: Outcome, refused: int) -> RunState:
    parts = [
        search.phase,
        f"{count(len(search.entrants), 'configuration')} tried",
        count(search.instances_seen, "instance"),
        _of(search.spent.evaluations, search.budget.evaluations, "evaluation"),
        *_paid(search, refused),
    ]
    if search.elites:
        parts.append(f"best {search.elites[0]}")
    return RunState(tuple(parts), outcome.elapsed, _left_to_say(search, outcome.elapsed))


_BASIS = 20
_BASIS_SECONDS = 60.0
"""After so many evaluations, or seconds, the speed of a run is known: workers start slowly."""


def _left_to_say(race: Watched, elapsed: float) -> TimeLeft:
    """The time left, when there is enough data for it."""
    if race.outcomes < _BASIS and elapsed < _BASIS_SECONDS and not race.done:
        return TimeLeft(math.inf, math.inf)
    return time_left(race, elapsed)


def time_left(race: Watched, elapsed: float) -> TimeLeft:
    """The remaining time of the race, at the speed so far."""
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


def _most_evaluations(race: Watched) -> float:
    """The number of further evaluations if no other candidate is dropped.

    inf for a search, as its workers wait whenever a phase ends.
    """
    if race.as_search is not None:
        return math.inf
    last = _last(race)
    rows = math.inf if last is None else last - race.instances_seen
    left = min(race.budget.left(race.spent).evaluations, rows * len(race.survivors))
    return max(left - (race.outcomes - race.spent.evaluations - race.wasted), 0.0)


def _last(race: Watched) -> int | None:
    """The most instances in all."""
    ends = [end for end in (race.instances.limit, race.budget.instances) if end is not None]
    return min(ends, default=None)


def _paid(race: Watched, refused: int) -> list[str]:
    """The charge of complete instances, of the limit; busy services; what was reused."""
    usd, limit, reused = race.spent.usd, race.budget.usd, race.spent.reused
    parts = [f"${usd:.3g}" + ("" if limit is None else f"/{limit:g}")] if usd or limit else []
    parts += [f"busy {refused}×"] if refused else []
    return parts + ([f"{reused} reused"] if reused else [])


def _of(n: int, limit: int | None, what: str) -> str:
    return count(n, what) if limit is None else f"{n}/{limit} {what}s"
