"""The facts of a run: standing, eliminations and spending.

All of them are read off the race, as it was driven or as its log is replayed (`racing.log.replay`);
nothing here decides what counts. `racing.report.data` makes plain data of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from racing.answer.head import Answer, Beside, alike, all_failed, has_team, is_front
from racing.answer.run import answer
from racing.answer.tested import UnseenTest
from racing.core.budget import Budget, Left, Spent
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome, total
from racing.core.standing import FrontStanding, Standing
from racing.core.stop import Stop
from racing.core.verdict import Elimination, Gate
from racing.core.view import View
from racing.log import Header, Log, Session, TargetFile, replay
from racing.log.recorder import at_mean_price
from racing.report.families import ByFamily, family_sentences, gains_by_family
from racing.report.payment import Reuse
from racing.report.search_facts import SearchFacts, search_facts
from racing.report.tally import Expense, Tally


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """A candidate that was dropped, after how many instances, and the numbers behind it."""

    candidate: Candidate
    against: Candidate
    after: int
    elimination: Elimination
    gate: Gate | None


@dataclass(frozen=True, kw_only=True)
class Use:
    """The use of all started evaluations; each counts in one place.

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
    """The facts of a run.

    Attributes
    ----------
    header
        What the run is.
    stopped
        Why it is over; None while it can go on.
    winner
        The winner of a run that is over, or the candidate that is ahead; None if none is.
    baseline
        What the winner is compared with: the default, or else the first candidate of a race or the
        first known configuration of a search; None while there is none.
    found, worse, risk
        The best found; it is the winner, unless the default is kept. The probability that it is
        truly worse than the default, None while unknown, and the largest with which it wins.
    standing
        The survivors that have seen the same instances, best first.
    survivors
        Candidates that were not dropped: those of the standing, then the others.
    instances
        How many instances are complete.
    budget, spent, left
        What may be spent, what was spent on complete rows, and what is left of it.
    use
        What the evaluations were good for.
    expected
        How many more are expected to be needed; inf if that is unknown.
    dropped
        In the order in which they left.
    expenses
        For every candidate, in the order of entry.
    evaluations
        Outcomes in the log, also those that decided nothing.
    elapsed
        Wall-clock seconds over all sessions.
    verdicts
        How often the rule was asked.
    messages
        Why evaluations failed, those that are to be done again too: each first line, numbers and
        quoted names aside, with how often it came and the last line of one, most frequent first.
    censored
        How many evaluations were stopped at their bound.
    paid
        What all evaluations were charged, by name, such as `usd`; also those that decided nothing.
    unanswered
        Begun and paid evaluations without an outcome: stopped, lost in a kill, or second attempts.
        `paid` has them at the mean price.
    refused
        How often the target's service was busy.
    reuse
        What was taken from the logs of earlier runs.
    answer
        The answer, in words, with the one gain at its head.
    tests
        Tests of the result on unseen problems, one of each kind.
    families
        The gain by family of instances; None where no families are said.
    front
        The front, where the objective is one; then there is no gain, which would be by one metric.
    alike
        `all` if every evaluation had the same cost; `survivors` if those that are left, two or
        more, had equal costs on every instance; else empty.
    search
        What only a search has; None for a race.
    changes
        Files of the target that were others for earlier outcomes, each from the first one since.
    session
        The last one: the process that works on the run, or why none does any more.
    lost_wal
        Whether the -wal file of a killed run, with its latest outcomes, is not there any more.
    """

    header: Header
    stopped: Stop | None
    winner: Candidate | None
    baseline: Candidate | None
    found: Candidate | None
    worse: float | None
    risk: float
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
    verdicts: int
    messages: tuple[tuple[str, int, str], ...]
    answer: Answer
    censored: int = 0
    paid: Mapping[str, float] = field(default_factory=dict)
    unanswered: int = 0
    refused: int = 0
    reuse: Reuse = Reuse()  # noqa: RUF009 (frozen)
    tests: tuple[UnseenTest, ...] = ()
    families: ByFamily | None = None
    front: FrontStanding | None = None
    alike: Literal["", "all", "survivors"] = ""
    all_failed: bool = False
    search: SearchFacts | None = None
    changes: tuple[TargetFile, ...] = ()
    session: Session | None = None
    lost_wal: bool = False

    @property
    def left(self) -> Left:
        """What is left of the budget; inf where there is no limit."""
        return self.budget.left(self.spent)

    @property
    def unit(self) -> str:
        """The unit of costs; empty if the scenario has none."""
        return unit_of(self.header)

    @property
    def counted(self) -> int:
        """Evaluations on complete instances: the count that every page and text gives."""
        return self.use.decided

    @property
    def failed(self) -> int:
        """The number of failures among the evaluations that count, or are certain to."""
        return sum(expense.failures for expense in self.expenses)

    @property
    def against(self) -> Candidate | None:
        """The candidate compared with the winner, usually the default; None if it is the winner."""
        if (tested := self.test("winner")) is not None:
            return tested.others[0]
        return None if self.baseline == self.winner else self.baseline

    def test(self, kind: Literal["winner", "front", "team"]) -> UnseenTest | None:
        """The test of this kind; None without one."""
        return next((one for one in self.tests if one.kind == kind), None)

    @property
    def seconds(self) -> float:
        """The total duration of the evaluations that count."""
        return math.fsum(expense.seconds for expense in self.expenses)


def has_members(facts: Facts) -> bool:
    """Whether the result is a team, with members so far."""
    team = facts.search.team if facts.search else None
    return team is not None and bool(team.members)


def unit_of(header: Header) -> str:
    """The unit of a run's costs; empty if its scenario has none."""
    return str(header.scenario.get("unit") or "")


def gather(log: Log, *, by: str | None = None) -> Facts:
    """The facts of a run, from one moment of its log, read once.

    Parameters
    ----------
    by
        What says the families of instances: see `racing.by_family`.
    """
    tally = Tally()

    def count(_: View, outcome: Outcome) -> None:
        tally.add(outcome)

    with log.snapshot():
        return facts_of(replay(log, heard=count), log, tally, by=by)


def facts_after(race: View, log: Log) -> Facts:
    """The facts of a run that has just ended: as those of `gather`, without a replay."""
    if race.stopped is Stop.TARGET_FAILED:  # which ends a session; the log can go on
        return gather(log)
    tally = Tally()
    with log.snapshot():
        for outcome in log.each_outcome():
            tally.add(outcome)
        return facts_of(race, log, tally)


def facts_of(race: View, log: Log, tally: Tally, *, by: str | None = None) -> Facts:
    """The facts of a race, or a search, whose outcomes were counted by `tally`."""
    for outcome in race.uncounted:
        tally.remove(outcome)
    for attempt in log.failed_attempts():
        tally.add_message(attempt.outcome)
    sessions, header, unit = log.sessions(), log.header, unit_of(log.header)
    tests = tests_beside(race, log)
    folder = str(header.scenario.get("folder") or "")
    families = None if is_front(race) else gains_by_family(race, tests, by=by, folder=folder)
    beside = Beside(
        tests=tests,
        families=tuple(family_sentences(families)),
        messages=tally.by_message,
        unit=unit,
    )
    return Facts(
        header=header,
        stopped=race.stopped,
        winner=race.winner,
        baseline=race.baseline,
        found=race.found,
        worse=race.worse,
        risk=race.risk,
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
        verdicts=len(race.verdicts),
        messages=tally.by_message,
        answer=answer(race, beside),
        censored=tally.censored,
        paid=total((tally.paid, at_mean_price(tally.paid, race.outcomes, log.unanswered))),
        unanswered=log.unanswered,
        refused=tally.refused,
        reuse=tally.reuse,
        tests=tests,
        families=families,
        front=race.front_standing() if is_front(race) else None,
        alike=alike(race),
        all_failed=all_failed(race),
        search=search_facts(race),
        changes=_changes(log.target_files()),
        session=sessions[-1] if sessions else None,
        lost_wal=getattr(log, "lost_wal", False),
    )


def tests_beside(race: View, log: Log) -> tuple[UnseenTest, ...]:
    """The finished tests of the result that are recorded beside its log."""
    path = getattr(log, "path", None)
    kinds = ("test", *(["front"] if is_front(race) else []),
             *(["team"] if has_team(race.as_search) else []))  # fmt: skip
    if path is None or not any(path.with_suffix(f".{one}.sqlite").exists() for one in kinds):
        return ()  # or what tests run is imported
    from racing.analysis.unseen import recorded

    return recorded(path, race)


def _use(race: View, ended: int) -> Use:
    decided, wasted = race.spent.evaluations, race.wasted
    return Use(
        decided=decided,
        under_way=race.outcomes - decided - race.speculative - wasted,
        speculative=race.speculative,  # nothing is running any more
        wasted=wasted + ended,
        ended=ended,
    )


def _survivors(race: View) -> tuple[Candidate, ...]:
    ranked = [standing.candidate for standing in race.ranking()]
    ids = {one.id for one in ranked}
    return (*ranked, *(one for one in race.survivors if one.id not in ids))


def dropped_by(race: View) -> tuple[Dropped, ...]:
    """Dropped candidates, in that order; of one that came back, the last time that it was dropped.

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
    back = {one.id for one in (*race.survivors, race.winner) if one}
    return tuple(one for id, one in found.items() if id not in back)


def _changes(files: Iterable[TargetFile]) -> tuple[TargetFile, ...]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return tuple(later.values())
