"""The state of a race or a search in one line."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from racing.base.quantities import score_of
from racing.base.words import count, duration, number, shown

if TYPE_CHECKING:
    from racing.core.candidate import Candidate
    from racing.core.experiment import Outcome
    from racing.core.view import View, Watched

WIDTH = 100
"""The columns of a line where there is no terminal."""

_NAME = 16  # the most characters of the leader's name
_BAR = 10  # columns of a bar
_DEFAULT = re.compile(r" \(default [^)]*\)")  # what a line does without where it is too long


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
            return [f"at most {duration(most)} left"] if 0 < most < math.inf else [""]
        about = f"{duration(expected)} left"
        return [f"{about}, {duration(most)} at most", about] if most < math.inf else [about]

    def done(self, elapsed: float) -> float:
        """The share of the run that is done after so many seconds; NaN if unknown."""
        left = min(self.expected, self.most)
        return elapsed / (elapsed + left) if left < math.inf and elapsed > 0 else math.nan


@dataclass(frozen=True)
class RunState:
    """A snapshot of a race for `line`, read in one thread.

    Attributes
    ----------
    parts
        What is said, the most important last: a line that is too long is shortened from the left.
    elapsed
        Seconds since the start.
    left
        The remaining time.
    """

    parts: tuple[str, ...]
    elapsed: float = 0.0
    left: TimeLeft = field(default_factory=lambda: TimeLeft(math.inf, math.inf))

    def line(self, since: float = 0.0, *, width: int = WIDTH, bar: bool = False) -> str:
        """One line of so many columns at most, so many seconds after the snapshot."""
        share = self.left.done(self.elapsed)
        drawn = f"{_bar(share)} " if bar and not math.isnan(share) else ""
        lines = self._lines(since)
        bare = _DEFAULT.sub("", lines[-1])
        brief = bare.replace("at most", "≤")
        for line in [*(drawn + line for line in lines), *lines, bare, brief]:
            if len(line) <= width:
                return line
        return brief.partition(" · ")[2][:width]

    def brief(self, since: float = 0.0) -> str:
        """The last two parts and the time left."""
        return self._lines(since)[-1]

    def _lines(self, since: float) -> list[str]:
        """The line, whole and shortened step by step from the left."""
        parts, said = [duration(self.elapsed + since), *self.parts], self.left.told(since)
        shorter = ((k, said[-1]) for k in range(1, len(parts) - 1))
        return [
            " · ".join(filter(None, [*parts[k:], left]))
            for k, left in [*((0, one) for one in said), *shorter]
        ]


def _bar(share: float) -> str:
    full = round(share * _BAR)
    return "━" * full + "┄" * (_BAR - full)


def look(race: View, outcome: Outcome, *, refused: int = 0) -> RunState:
    """Take a snapshot: best so far beside the default, budget, and time left.

    Parameters
    ----------
    refused
        The number of calls so far for which a service was busy.
    """
    search = race.as_search
    if search is not None:
        parts = [search.phase, f"{count(len(search.entrants), 'configuration')} tried",
                 count(search.instances_seen, "instance")]  # fmt: skip
        best = next(iter(search.elites), None)
    else:
        parts = [f"{len(race.survivors)}/{len(race.candidates)} left",
                 _of(race.instances_seen, _last(race), "instance")]  # fmt: skip
        led = race.verdicts[-1].leader if race.verdicts else None
        best = next((one for one in race.candidates if one.id == led), None)
    parts += _paid(race, refused)
    parts += [] if best is None else [_beside_default(race, best)]
    n = race.spent.evaluations or race.outcomes  # those of the first instance, as they come
    limit = race.budget.evaluations
    parts.append(count(n, "evaluation") if limit is None else f"{n}/{limit}")
    return RunState(tuple(parts), outcome.elapsed, _left_to_say(race, outcome.elapsed))


def _beside_default(race: View, best: Candidate) -> str:
    """The best so far and the default, each with its mean score on the instances of both."""
    said = f"best {shown(str(best), _NAME)}"
    if not hasattr(race, "results") or race.results.goal is not None:  # an ablation has no table
        return said
    default = race.baseline or best
    columns = [race.results.candidates.index(one.id) for one in (best, default)]
    costs = race.results.costs[:, columns]
    both = costs[np.isfinite(costs).all(axis=1)][: race.instances_seen]  # by which it is best
    if not len(both):
        return said
    mean, of_default = (number(score_of(cost, race.direction)) for cost in both.mean(axis=0))
    few = "" if len(both) == race.instances_seen else f"; both on {count(len(both), 'instance')}"
    beside = "" if best == default else f" ({shown(str(default), _NAME)} {of_default}{few})"
    return f"{said} {mean}{beside}"


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
