"""What a run says while it goes on: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import time
from types import TracebackType
from typing import Any, Self

from racing.cli.console import duration, talk
from racing.experiment import Outcome
from racing.race import Race

# Seconds between plain lines, unless somebody was dropped.
_SILENCE = 30.0


class Progress:
    """Watches a race; hand it to `run` as `watch`, and use it as a context."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._tests = 0
        self._spoke = time.monotonic()

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True), refresh_per_second=4, transient=True
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

    def __call__(self, race: Race, outcome: Outcome) -> None:
        """Hear of an outcome."""
        if self._quiet:
            return
        if self._live is not None:
            self._live.update(_line(race, outcome))
        dropped = [e for verdict in race.verdicts[self._tests :] for e in verdict.eliminated]
        self._tests = len(race.verdicts)
        if dropped or (self._live is None and time.monotonic() - self._spoke > _SILENCE):
            self._spoke = time.monotonic()
            gone = f"dropped {len(dropped)}; " if dropped else ""
            self._print(f"{gone}{_line(race, outcome)}")

    def _print(self, line: str) -> None:
        if self._live is not None:
            self._live.console.print(line, markup=False, highlight=False)
        else:
            talk(line)


def _line(race: Race, outcome: Outcome) -> str:
    """Survivors, instances, budget, best so far and time left, on one line."""
    parts = [
        f"{len(race.survivors)} of {len(race.candidates)} left",
        f"instance {race.instances_seen}{_of(race.instances.limit)}",
        f"{race.outcomes} evaluations{_of(race.budget.evaluations)}",
        duration(outcome.elapsed),
    ]
    if race.verdicts:
        leader = next(c for c in race.candidates if c.id == race.verdicts[-1].leader)
        parts.append(f"best {leader}")
    left = time_left(race, outcome.elapsed)
    if math.isfinite(left):
        parts.append(f"at most {duration(left)} to go")
    return ", ".join(parts)


def time_left(race: Race, elapsed: float) -> float:
    """Seconds that the race can still take if nobody else is dropped; inf if there is no saying."""
    if not race.outcomes or not elapsed:
        return math.inf
    left = race.budget.left(race.spent)
    rate = elapsed / race.outcomes
    limit = race.instances.limit
    rows = math.inf if limit is None else limit - race.instances_seen
    target = race.spent.target_time
    return min(
        left.evaluations * rate,
        min(rows, left.instances) * len(race.survivors) * rate,
        math.inf if race.budget.wall_time is None else max(race.budget.wall_time - elapsed, 0.0),
        left.target_time * elapsed / target if target else math.inf,
    )


def _of(limit: int | None) -> str:
    return "" if limit is None else f" of {limit}"
