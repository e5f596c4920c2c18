"""What a run came to."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racing.budget import Spent
from racing.candidate import Candidate
from racing.embed.frames import candidate_frame
from racing.log import Log
from racing.markup import configuration, figure, paragraph
from racing.quantities import Direction
from racing.race import Race
from racing.report.facts import Dropped, dropped_by, in_direction
from racing.search import Search
from racing.sketches import sketches
from racing.space.parameter import Value
from racing.standing import Standing, ranking_table
from racing.stop import Stop


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Result:
    """What `minimize` and `maximize` return.

    Attributes
    ----------
    winner
        The best candidate; the one that is ahead if the run was interrupted; None if nobody is.
    cost
        The winner's mean cost over the instances that all survivors have seen, without failures:
        lower is better. NaN without a winner.
    ranking
        The survivors of a race or the elites of a search, best first.
    eliminations
        Who was dropped, after how many instances, because of whom, and by which numbers.
    spent
        What was spent on complete instances.
    stopped
        Why the run is over; None if it was interrupted, by a callback for example. Then it can go
        on: give its `log` to the same call.
    direction
        Whether scores are small (`minimize`) or large (`maximize`) for the best.
    failures
        Why evaluations failed, each with how often, the most frequent first.
    log
        Where the run is recorded: a path, or the log in memory.
    race, search
        The race or the search itself; the other one is None.
    """

    winner: Candidate | None
    cost: float
    ranking: tuple[Standing, ...]
    eliminations: tuple[Dropped, ...]
    spent: Spent
    stopped: Stop | None
    direction: Direction
    failures: tuple[tuple[str, int], ...]
    log: Path | Log
    race: Race | None
    search: Search | None

    @property
    def best(self) -> dict[str, Value] | None:
        """The winner's configuration; None without a winner."""
        return None if self.winner is None else dict(self.winner.values)

    @property
    def score(self) -> float:
        """The winner's mean score, as the function returns it; see `cost`."""
        return in_direction(self.cost, self.direction)

    @property
    def done(self) -> bool:
        """Whether the run is over; `stopped` says why."""
        return self.stopped is not None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everything that was tried, in order of entry."""
        return self._decider.candidates

    def to_frame(self) -> Any:
        """A pandas data frame: a row for each candidate in order of entry, by its id.

        The columns are the parameters (`param_…` for one that is called like another column),
        `name`, `status` (`winner`, `survivor` or `dropped`), `instances` (evaluations that count),
        `failures`, `mean_score` (in the run's own direction, without failures), and of those that
        were dropped `dropped_after`, `against`, `reason`, `measure`, `value` and `threshold`. Means
        of candidates that saw other instances cannot be compared.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        return candidate_frame(
            self._decider, self.winner, self.eliminations, direction=self.direction
        )

    to_pandas = to_frame

    @property
    def _decider(self) -> Race | Search:
        decider = self.race if self.race is not None else self.search
        assert decider is not None
        return decider

    def __repr__(self) -> str:
        return f"<Result: {'; '.join(self._words())}>"

    def _words(self) -> list[str]:
        spent = self._decider.outcomes
        words = ["no winner"]
        if self.winner is not None:
            values = configuration(self.winner.values.items())
            words = [f"best {self.winner} ({values}), score {figure(self.score)}"]
        words.append(f"{spent} evaluations")
        if failed := sum(times for _, times in self.failures):
            words.append(f"{failed} failed, mostly {self.failures[0][0]}")
        why = self.stopped.meaning if self.stopped else "interrupted; give its log to go on"
        return [*words, why]

    def _repr_html_(self) -> str:
        ranking = ranking_table(self.ranking, self.direction)
        return paragraph("; ".join(self._words())) + sketches(self._decider) + ranking


def result_of(decider: Race | Search, log: Log, *, direction: Direction) -> Result:
    """What a race or a search came to, and where it is kept."""
    winner, ranking = decider.winner, decider.ranking()
    cost = next((one.mean_cost for one in ranking if one.candidate == winner), math.nan)
    return Result(
        winner=winner,
        cost=cost,
        ranking=ranking,
        eliminations=dropped_by(decider),
        spent=decider.spent,
        stopped=decider.stopped,
        direction=direction,
        failures=_failures(log),
        log=getattr(log, "path", log),
        race=decider if isinstance(decider, Race) else None,
        search=decider if isinstance(decider, Search) else None,
    )


def _failures(log: Log) -> tuple[tuple[str, int], ...]:
    """Each distinct first line of a message, most frequent first."""
    failed = [one for one in log.each_outcome() if one.failed]
    failed += [one.outcome for one in log.failed_attempts()]
    counts = Counter(one.message.partition("\n")[0] or str(one.status) for one in failed)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
