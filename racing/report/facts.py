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
from racing.experiment import Outcome
from racing.log import Header, Log, Session, TargetFile, replay
from racing.quantities import Direction
from racing.race import Race
from racing.report.gain import WinnerGain, gain
from racing.report.heard import Outcomes
from racing.report.search import SearchFacts, search_facts
from racing.rules.verdict import Elimination, Gate, Verdict
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
    """What the evaluations of one candidate took.

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
    dropped
        In the order in which they left.
    expenses
        For every candidate, in the order of entry.
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
    dropped: tuple[Dropped, ...]
    expenses: tuple[Expense, ...]
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
    def evaluations(self) -> int:
        """Outcomes in the log, also those that decided nothing."""
        return sum(expense.evaluations for expense in self.expenses)

    @property
    def seconds(self) -> float:
        """What all evaluations took together."""
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
        dropped=dropped_by(race.verdicts, {one.id: one for one in race.candidates}),
        expenses=tuple(map(tally.expense, race.candidates)),
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


def dropped_by(
    verdicts: Iterable[Verdict], candidates: Mapping[int, Candidate]
) -> tuple[Dropped, ...]:
    """Who was dropped by these verdicts, in that order."""
    return tuple(
        Dropped(
            candidate=candidates[e.candidate],
            against=candidates[e.against],
            after=verdict.instances,
            elimination=e,
            gate=verdict.gate,
        )
        for verdict in verdicts
        for e in verdict.eliminated
    )


class Tally:
    """Counts outcomes as they pass by, since all of them at once may be too many to hold."""

    def __init__(self) -> None:
        self._evaluations: dict[int, int] = defaultdict(int)
        self._failures: dict[int, int] = defaultdict(int)
        self._seconds: dict[int, float] = defaultdict(float)
        self._messages: dict[str, int] = defaultdict(int)
        self.censored = 0

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self._evaluations[outcome.candidate] += 1
        self._failures[outcome.candidate] += outcome.failed
        self._seconds[outcome.candidate] += outcome.seconds
        self.censored += outcome.censored
        self.add_message(outcome)

    def add_all(self, outcomes: Outcomes) -> None:
        """Count many outcomes at once, but for their messages."""
        ids, place = np.unique(outcomes.candidate, return_inverse=True)
        counts = np.bincount(place, minlength=len(ids)).tolist()
        failures = np.bincount(place, outcomes.failed, len(ids)).tolist()
        seconds = np.bincount(place, outcomes.seconds, len(ids)).tolist()
        for id, n, failed, took in zip(ids.tolist(), counts, failures, seconds, strict=True):
            self._evaluations[id] += n
            self._failures[id] += int(failed)
            self._seconds[id] += took

    def add_message(self, outcome: Outcome) -> None:
        """Count why an evaluation failed."""
        if outcome.failed:
            first = outcome.message.partition("\n")[0]
            self._messages[first or str(outcome.status)] += 1

    def expense(self, candidate: Candidate) -> Expense:
        """What a candidate took."""
        return Expense(
            candidate=candidate,
            evaluations=self._evaluations[candidate.id],
            failures=self._failures[candidate.id],
            seconds=self._seconds[candidate.id],
        )

    @property
    def by_message(self) -> tuple[tuple[str, int], ...]:
        """First lines of messages, the most frequent first."""
        return tuple(sorted(self._messages.items(), key=lambda item: (-item[1], item[0])))


def _changes(files: Iterable[TargetFile]) -> tuple[TargetFile, ...]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return tuple(later.values())
