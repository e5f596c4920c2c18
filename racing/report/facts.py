"""What a log says about a run: the standing, who was dropped and why, what the budget went into."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from racing.candidate import Candidate
from racing.experiment import Outcome
from racing.log.log import Finish, Header, Log, Session, TargetFile
from racing.quantities import Direction
from racing.report.counting import counted
from racing.rules.verdict import Elimination, Gate, Verdict
from racing.space.parameter import Value
from racing.standing import Standing, ranking


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """Who was dropped, after how many instances, and the numbers behind it."""

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
class Facts:
    """A run, as its log tells it.

    Attributes
    ----------
    header
        What the run is.
    finish
        How it ended; None while it can go on.
    standing
        The survivors, best first.
    dropped
        In the order in which they left.
    expenses
        For every candidate, by id.
    elapsed
        Wall-clock seconds over all sessions.
    tests
        How often the rule was asked.
    messages
        Why evaluations failed, those that are to be done again too: each distinct first line, with
        its number, most frequent first.
    changes
        Files of the target that were others for earlier outcomes, each from the first one since.
    session
        The last one: who works on the run, or why nobody does any more.
    """

    header: Header
    finish: Finish | None
    standing: tuple[Standing, ...]
    dropped: tuple[Dropped, ...]
    expenses: tuple[Expense, ...]
    elapsed: float
    tests: int
    messages: tuple[tuple[str, int], ...]
    changes: tuple[TargetFile, ...] = ()
    session: Session | None = None

    @property
    def winner(self) -> Candidate | None:
        """The winner of a finished run, or who is ahead in one that is not; None if nobody is."""
        ids = {expense.candidate.id: expense.candidate for expense in self.expenses}
        if self.finish is not None:
            return None if self.finish.winner is None else ids[self.finish.winner]
        ahead = self.standing[0] if self.standing else None
        return ahead.candidate if ahead and ahead.failures < ahead.instances else None

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """Who was not dropped, best first as far as that is known."""
        if self.standing:
            return tuple(standing.candidate for standing in self.standing)
        gone = {dropped.candidate.id for dropped in self.dropped}
        return tuple(e.candidate for e in self.expenses if e.candidate.id not in gone)

    @property
    def evaluations(self) -> int:
        """Outcomes in the log."""
        return sum(expense.evaluations for expense in self.expenses)

    @property
    def seconds(self) -> float:
        """What all evaluations took together."""
        return math.fsum(expense.seconds for expense in self.expenses)

    @property
    def instances(self) -> int:
        """Instances that every survivor has seen."""
        return self.standing[0].instances if self.standing else 0


def gather(log: Log) -> Facts:
    """The facts of a run, from one moment of its log."""
    with log.snapshot():
        header, sessions = log.header, log.sessions()
        candidates = {candidate.id: candidate for candidate in log.candidates()}
        outcomes, verdicts = log.outcomes(), log.verdicts()
        failed = [attempt.outcome for attempt in log.failed_attempts()]
        dropped = _dropped(verdicts, candidates)
        return Facts(
            header=header,
            finish=log.finished,
            standing=ranking(counted(log, outcomes, verdicts), candidates, header.objective),
            dropped=dropped,
            expenses=_expenses(candidates, outcomes),
            elapsed=log.elapsed,
            tests=len(verdicts),
            messages=_messages([*outcomes, *failed]),
            changes=_changes(log.target_files()),
            session=sessions[-1] if sessions else None,
        )


def in_direction(cost: float, direction: Direction) -> float:
    """A cost as the score that the user's target reports."""
    return -cost if direction == "maximize" else cost


def plain(values: Mapping[str, Value]) -> str:
    """The values of a candidate on one line, numbers to four digits."""
    return " ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in values.items()
    )


def _dropped(
    verdicts: Iterable[Verdict], candidates: Mapping[int, Candidate]
) -> tuple[Dropped, ...]:
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


def _expenses(
    candidates: Mapping[int, Candidate], outcomes: Iterable[Outcome]
) -> tuple[Expense, ...]:
    by_candidate: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_candidate[outcome.candidate].append(outcome)
    return tuple(
        Expense(
            candidate=candidate,
            evaluations=len(by_candidate[id]),
            failures=sum(o.failed for o in by_candidate[id]),
            seconds=math.fsum(o.seconds for o in by_candidate[id]),
        )
        for id, candidate in candidates.items()
    )


def _messages(outcomes: Iterable[Outcome]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = defaultdict(int)
    for outcome in outcomes:
        if outcome.failed:
            first = outcome.message.partition("\n")[0]
            counts[first or str(outcome.status)] += 1
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _changes(files: Iterable[TargetFile]) -> tuple[TargetFile, ...]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return tuple(later.values())
