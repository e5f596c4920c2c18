"""What a run says while it goes on: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeGuard

from racing.cli.console import duration, talk
from racing.plain import printable

if TYPE_CHECKING:
    from racing.candidate import Candidate
    from racing.experiment import Outcome
    from racing.race import Race
    from racing.search import Search

# Seconds between plain lines while nobody is dropped, and between looks at the race for the live
# one: a look costs more than a quick evaluation.
_SILENCE = 30.0
_LOOK = 0.1
_WIDTH = 80  # columns that a line may take
_NAME = 16  # characters of the leader's name that are shown
# How many different failures are told while the race goes on; the summary counts them all.
_WARNINGS = 5


@dataclass(frozen=True)
class State:
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


class Progress:
    """Watches a race; hand it to `run` as `watch`, and use it as a context."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._tests: int | None = None
        self._best: Candidate | None = None
        self._state: State | None = None
        self._looked = self._spoke = time.monotonic()
        self._warned: set[str] = set()

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True),
                get_renderable=self._render,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            ).__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)
            self._live = None

    def __call__(self, race: Race | Search, outcome: Outcome) -> None:
        """Hear of an outcome."""
        if self._quiet:
            return
        if outcome.failed:
            self._warn(race, outcome)
        if self._tests is None:  # what was dropped in earlier sessions is no news
            self._tests = len(race.verdicts)
        news = self._news(race)
        now = time.monotonic()
        if self._live is not None and (news or now - self._looked > _LOOK):
            self._looked, self._state = now, look(race, outcome)
        if news:
            self.say(f"{news}: {look(race, outcome).line()}")
        elif self._live is None and now - self._spoke > _SILENCE:
            self.say(look(race, outcome).line())

    def _news(self, race: Race | Search) -> str:
        """What is worth a line: who was dropped from a race, or another best one of a search."""
        if _is_search(race):
            best, self._best = self._best, race.elites[0] if race.elites else None
            return f"new best {self._best}" if self._best not in (None, best) else ""
        dropped = sum(len(verdict.eliminated) for verdict in race.verdicts[self._tests :])
        self._tests = len(race.verdicts)
        return f"dropped {dropped}" if dropped else ""

    def say(self, line: str) -> None:
        """Print a line that stays, above the live one if there is one."""
        self._spoke = time.monotonic()
        if self._live is not None:
            self._live.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
        else:
            talk(line)

    def _warn(self, race: Race | Search, outcome: Outcome) -> None:
        """Tell each kind of failure once."""
        why = outcome.message.partition("\n")[0] or str(outcome.status)
        if why in self._warned or len(self._warned) >= _WARNINGS:
            return
        self._warned.add(why)
        who = next(c for c in race.candidates if c.id == outcome.candidate)
        self.say(f"warning: {who} on {race.instance(outcome.step).name}: {why}")

    def _render(self) -> Any:
        from rich.text import Text

        if self._state is None:
            line = "the first evaluations are running"
        else:
            line = self._state.line(time.monotonic() - self._looked)
        return Text(printable(line), no_wrap=True, overflow="ellipsis")


def look(race: Race | Search, outcome: Outcome) -> State:
    """Survivors, instances, budget, best so far and time left."""
    if _is_search(race):
        return _look_at_search(race, outcome)
    parts = [
        f"{len(race.survivors)}/{len(race.candidates)} left",
        f"{race.instances_seen}{_of(_last(race))} instances",
        f"{race.outcomes}{_of(race.budget.evaluations)} runs",
    ]
    if race.verdicts:
        leader = str(next(c for c in race.candidates if c.id == race.verdicts[-1].leader))
        parts.append(f"best {leader if len(leader) <= _NAME else leader[: _NAME - 1] + '…'}")
    return State(tuple(parts), outcome.elapsed, time_left(race, outcome.elapsed))


def _look_at_search(search: Search, outcome: Outcome) -> State:
    parts = [
        search.phase,
        f"{len(search.entrants)} configurations tried",
        f"{search.instances_seen} instances",
        f"{search.outcomes}{_of(search.budget.evaluations)} evaluations",
    ]
    if search.elites:
        parts.append(f"best {search.elites[0]}")
    return State(tuple(parts), outcome.elapsed, time_left(search, outcome.elapsed))


def _is_search(race: Race | Search) -> TypeGuard[Search]:
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
    last = None if _is_search(race) else _last(race)
    rows = math.inf if last is None else last - race.instances_seen
    under_way = race.outcomes - race.spent.evaluations - race.wasted
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
