"""What a run came to: the standing, who was dropped and why, what the budget went into.

All of it is read off the race that the log is replayed to (`racing.log.replay`); nothing here
decides what counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from racing.budget import Budget, Left, Spent
from racing.candidate import Candidate
from racing.decider import Decider
from racing.experiment import Outcome, Status
from racing.log import Header, Log, Session, TargetFile, replay
from racing.quantities import Direction
from racing.race import Race
from racing.report.gain import WinnerGain, gain
from racing.report.heard import Outcomes
from racing.report.search import SearchFacts, search_facts
from racing.rules.verdict import Elimination, Gate
from racing.search import Search
from racing.space.parameter import Value
from racing.standing import Standing
from racing.stop import Stop


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """A candidate that was dropped, after how many instances, and the numbers behind it."""

    candidate: Candidate
    against: Candidate
    after: int
    elimination: Elimination
    gate: Gate | None


@dataclass(frozen=True, kw_only=True)
class Expense:
    """What the evaluations of one candidate took, as far as they count.

    Attributes
    ----------
    candidate
        Who.
    evaluations, failures
        How many were done, and how many of them failed.
    seconds
        All of them together.
    """

    candidate: Candidate
    evaluations: int
    failures: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Use:
    """What the evaluations that were begun were good for; each counts in one place.

    Attributes
    ----------
    decided
        On complete instances: what the budget was spent on.
    under_way
        Finished, on instances that are not complete yet and certain to be needed.
    speculative
        Finished before it is certain that they are needed.
    wasted
        Begun for nothing: the candidate was dropped meanwhile, or the run was over.
    ended
        Those of `wasted` that were ended before they were finished.
    """

    decided: int
    under_way: int
    speculative: int
    wasted: int
    ended: int


@dataclass(frozen=True, kw_only=True)
class Facts:
    """A run, as the race in its log tells it.

    Attributes
    ----------
    header
        What the run is.
    stopped
        Why it is over; None while it can go on.
    winner
        The winner of a run that is over, or who is ahead in one that is not; None if nobody is.
    standing
        The survivors that have seen the same instances, best first.
    survivors
        Who was not dropped: those of the standing, then the others.
    instances
        How many instances are complete.
    budget, spent, left
        What may be spent, what was spent on complete rows, and what is left of it.
    use
        What the evaluations were good for.
    expected
        How many more are expected to be needed; inf if there is no saying.
    dropped
        In the order in which they left.
    expenses
        For every candidate, in the order of entry.
    evaluations
        Outcomes in the log, also those that decided nothing.
    elapsed
        Wall-clock seconds over all sessions.
    tests
        How often the rule was asked.
    messages
        Why evaluations failed, those that are to be done again too: each distinct first line, with
        its number, most frequent first.
    censored
        How many evaluations were stopped at their bound.
    gain
        By how much the winner beats the first candidate, which is the default where there is one;
        None without a winner, or where it is that candidate itself.
    search
        What only a search has to tell; None for a race.
    changes
        Files of the target that were others for earlier outcomes, each from the first one since.
    session
        The last one: who works on the run, or why nobody does any more.
    lost_wal
        Whether the -wal file of a killed run, with its latest outcomes, is not there any more.
    """

    header: Header
    stopped: Stop | None
    winner: Candidate | None
    standing: tuple[Standing, ...]
    survivors: tuple[Candidate, ...]
    instances: int
    budget: Budget
    spent: Spent
    use: Use
    expected: float
    dropped: tuple[Dropped, ...]
    expenses: tuple[Expense, ...]
    evaluations: int
    elapsed: float
    tests: int
    messages: tuple[tuple[str, int], ...]
    censored: int = 0
    gain: WinnerGain | None = None
    search: SearchFacts | None = None
    changes: tuple[TargetFile, ...] = ()
    session: Session | None = None
    lost_wal: bool = False

    @property
    def left(self) -> Left:
        """What is left of the budget; inf where there is no limit."""
        return self.budget.left(self.spent)

    @property
    def counted(self) -> int:
        """Evaluations that decided something, or are certain to."""
        return sum(expense.evaluations for expense in self.expenses)

    @property
    def seconds(self) -> float:
        """What the evaluations that count took together."""
        return math.fsum(expense.seconds for expense in self.expenses)


def gather(log: Log) -> Facts:
    """The facts of a run, from one moment of its log, read once."""
    tally = Tally()

    def heard(_: Decider, outcome: Outcome) -> None:
        tally.add(outcome)

    with log.snapshot():
        return facts_of(replay(log, heard=heard), log, tally)


def facts_of(race: Race | Search, log: Log, tally: Tally) -> Facts:
    """The facts of a replayed race whose outcomes were counted by `tally`."""
    for outcome in race.uncounted:
        tally.remove(outcome)
    for attempt in log.failed_attempts():
        tally.add_message(attempt.outcome)
    sessions = log.sessions()
    return Facts(
        header=log.header,
        stopped=race.stopped,
        winner=race.winner,
        standing=race.ranking(),
        survivors=_survivors(race),
        instances=race.instances_seen,
        budget=race.budget,
        spent=race.spent,
        use=_use(race, log.dropped.evaluations),
        expected=race.expected_evaluations,
        dropped=dropped_by(race),
        expenses=tuple(map(tally.expense, race.candidates)),
        evaluations=race.outcomes,
        elapsed=log.elapsed,
        tests=len(race.verdicts),
        messages=tally.by_message,
        censored=tally.censored,
        gain=gain(race),
        search=search_facts(race),
        changes=_changes(log.target_files()),
        session=sessions[-1] if sessions else None,
        lost_wal=getattr(log, "lost_wal", False),
    )


def _use(race: Decider, ended: int) -> Use:
    decided, told, wasted = race.spent.evaluations, race.outcomes, race.wasted
    return Use(
        decided=decided,
        under_way=told - decided - race.speculative - wasted,
        speculative=race.speculative,  # a replayed race has nothing out
        wasted=wasted + ended,
        ended=ended,
    )


def in_direction(cost: float, direction: Direction) -> float:
    """A cost as the score that the user's target reports."""
    return 0.0 - cost if direction == "maximize" else cost  # 0.0 - 0.0 is not -0.0


def plain(values: Mapping[str, Value]) -> str:
    """The values of a candidate on one line, numbers to four digits."""
    return " ".join(
        f"{name}={value + 0.0:.4g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in values.items()
    )


def _survivors(race: Decider) -> tuple[Candidate, ...]:
    ranked = [standing.candidate for standing in race.ranking()]
    ids = {one.id for one in ranked}
    return (*ranked, *(one for one in race.survivors if one.id not in ids))


def dropped_by(race: Decider) -> tuple[Dropped, ...]:
    """Who was dropped, in that order; the last time of those who came back and were dropped again.

    An elite of an early iteration may be dropped, and come back in the last race.
    """
    candidates = {one.id: one for one in race.candidates}
    found: dict[int, Dropped] = {}
    for verdict in race.verdicts:
        for e in verdict.eliminated:
            found.pop(e.candidate, None)
            found[e.candidate] = Dropped(
                candidate=candidates[e.candidate],
                against=candidates[e.against],
                after=verdict.instances,
                elimination=e,
                gate=verdict.gate,
            )
    back = {one.id for one in race.survivors}
    return tuple(one for id, one in found.items() if id not in back)


@dataclass(slots=True)
class _Count:
    evaluations: int = 0
    failures: int = 0
    seconds: float = 0.0


class Tally:
    """Counts outcomes as they pass by, since all of them at once may be too many to hold."""

    def __init__(self) -> None:
        self._counts: dict[int, _Count] = defaultdict(_Count)
        self._messages: dict[str, int] = defaultdict(int)
        self.censored = 0

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        count = self._counts[outcome.candidate]
        count.evaluations += 1
        count.seconds += outcome.seconds
        if outcome.status is Status.OK:  # nearly always
            return
        if outcome.censored:
            self.censored += 1
        else:
            count.failures += 1
            self.add_message(outcome)

    def remove(self, outcome: Outcome) -> None:
        """Count one outcome no more."""
        count = self._counts[outcome.candidate]
        count.evaluations -= 1
        count.failures -= outcome.failed
        count.seconds -= outcome.seconds
        self.censored -= outcome.censored
        if outcome.failed:
            self._messages[_first_line(outcome)] -= 1

    def add_all(self, outcomes: Outcomes) -> None:
        """Count many outcomes at once, but for their messages."""
        ids, place = np.unique(outcomes.candidate, return_inverse=True)
        counts = np.bincount(place, minlength=len(ids)).tolist()
        failures = np.bincount(place, outcomes.failed, len(ids)).tolist()
        seconds = np.bincount(place, outcomes.seconds, len(ids)).tolist()
        for id, n, failed, took in zip(ids.tolist(), counts, failures, seconds, strict=True):
            count = self._counts[id]
            count.evaluations += n
            count.failures += int(failed)
            count.seconds += took
        self.censored += int(outcomes.censored.sum())

    def add_message(self, outcome: Outcome) -> None:
        """Count why an evaluation failed."""
        if outcome.failed:
            self._messages[_first_line(outcome)] += 1

    def expense(self, candidate: Candidate) -> Expense:
        """What a candidate took."""
        count = self._counts[candidate.id]
        return Expense(
            candidate=candidate,
            evaluations=count.evaluations,
            failures=count.failures,
            seconds=count.seconds,
        )

    @property
    def by_message(self) -> tuple[tuple[str, int], ...]:
        """First lines of messages, the most frequent first."""
        found = [(message, times) for message, times in self._messages.items() if times]
        return tuple(sorted(found, key=lambda item: (-item[1], item[0])))


def _first_line(failed: Outcome) -> str:
    return failed.message.partition("\n")[0] or str(failed.status)


def _changes(files: Iterable[TargetFile]) -> tuple[TargetFile, ...]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return tuple(later.values())
