"""The facts of a run: the race, as it was driven or as its log is replayed, and what its log adds.

Nothing here decides what counts: the race does. `racing.report.run` tells the facts in the user's
direction, and `racing.report.history` adds what pictures need.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from racing.answer.head import Answer, Beside, has_team, is_front
from racing.answer.run import answer
from racing.answer.tested import UnseenTest
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.standing import FrontStanding, Standing
from racing.core.stop import Stop
from racing.core.verdict import Elimination, Gate
from racing.core.view import View
from racing.log import Header, Log, Session, TargetFile, replay
from racing.report.families import ByFamily, family_sentences, gains_by_family
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """The facts of a run.

    Attributes
    ----------
    race
        The race or search itself.
    header
        What the run is.
    tally
        What was counted while its outcomes passed.
    sessions
        The processes that worked on the run, and when.
    elapsed
        Wall-clock seconds over all sessions.
    use
        What the evaluations were good for.
    changes
        Files of the target that were others for earlier outcomes, each from the first one since.
    tests
        Tests of the result on unseen problems, one of each kind.
    lost_wal
        Whether the -wal file of a killed run, with its latest outcomes, is not there any more.
    by
        What says the families of instances: see `racing.by_family`.
    """

    race: View
    header: Header
    tally: Tally
    sessions: tuple[Session, ...]
    elapsed: float
    use: Use
    changes: tuple[TargetFile, ...]
    tests: tuple[UnseenTest, ...]
    lost_wal: bool
    by: str | None

    @cached_property
    def families(self) -> ByFamily | None:
        """The gain by family of instances; None where no families are said, and of a front."""
        folder = str(self.header.scenario.get("folder") or "")
        if is_front(self.race):
            return None
        return gains_by_family(self.race, self.tests, by=self.by, folder=folder)

    @cached_property
    def answer(self) -> Answer:
        """The answer, in words, with the one gain at its head."""
        beside = Beside(
            tests=self.tests,
            families=tuple(family_sentences(self.families)),
            messages=self.tally.by_message,
            unit=self.unit,
        )
        return answer(self.race, beside)

    @cached_property
    def dropped(self) -> tuple[Dropped, ...]:
        """Dropped candidates, in the order in which they left."""
        return dropped_by(self.race)

    @cached_property
    def expenses(self) -> tuple[Expense, ...]:
        """For every candidate, in the order of entry."""
        return tuple(map(self.tally.expense, self.race.candidates))

    @cached_property
    def survivors(self) -> tuple[Candidate, ...]:
        """Candidates that were not dropped: those of the standing, best first, then the others."""
        ranked = {one.candidate.id: one.candidate for one in self.standing}
        return (*ranked.values(), *(one for one in self.race.survivors if one.id not in ranked))

    @cached_property
    def winner(self) -> Candidate | None:
        """The winner of a run that is over, or the candidate that is ahead; None if none is."""
        return self.race.winner

    @cached_property
    def standing(self) -> tuple[Standing, ...]:
        """The survivors that have seen the same instances, best first."""
        return self.race.ranking()

    @cached_property
    def front(self) -> FrontStanding | None:
        """The front, where the objective is one; then there is no gain, which would be by one."""
        return self.race.front_standing() if is_front(self.race) else None

    @cached_property
    def stopped(self) -> Stop | None:
        """Why it is over; None while it can go on."""
        return self.race.stopped

    @cached_property
    def session(self) -> Session | None:
        """The last one: the process that works on the run, or why none does any more."""
        return self.sessions[-1] if self.sessions else None

    @property
    def unit(self) -> str:
        """The unit of costs; empty if the scenario has none."""
        return unit_of(self.header)

    @property
    def counted(self) -> int:
        """Evaluations on complete instances: the count that every page and text gives."""
        return self.use.decided

    @cached_property
    def failed(self) -> int:
        """The number of failures among the evaluations that count, or are certain to."""
        return sum(expense.failures for expense in self.expenses)

    @cached_property
    def seconds(self) -> float:
        """The total duration of the evaluations that count."""
        return math.fsum(expense.seconds for expense in self.expenses)

    @cached_property
    def against(self) -> Candidate | None:
        """The candidate compared with the winner, usually the default; None if it is the winner."""
        if (tested := self.test("winner")) is not None:
            return tested.others[0]
        return None if self.race.baseline == self.winner else self.race.baseline

    def test(self, kind: Literal["winner", "front", "team"]) -> UnseenTest | None:
        """The test of this kind; None without one."""
        return next((one for one in self.tests if one.kind == kind), None)


def members_of(race: View) -> tuple[Candidate, ...]:
    """The members of a team that a search is for, so far; () where it is for one configuration."""
    search = race.as_search
    return () if search is None or search.portfolio < 2 else search.team


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

    def heard(_: View, outcome: Outcome) -> None:
        tally.add(outcome)

    with log.snapshot():
        return Facts(**kept(replay(log, heard=heard), log, tally, by=by))


def facts_after(race: View, log: Log) -> Facts:
    """The facts of a run that has just ended: as those of `gather`, without a replay."""
    if race.stopped is Stop.TARGET_FAILED:  # which ends a session; the log can go on
        return gather(log)
    tally = Tally()
    with log.snapshot():
        for outcome in log.each_outcome():
            tally.add(outcome)
        return Facts(**kept(race, log, tally))


def kept(race: View, log: Log, tally: Tally, *, by: str | None = None) -> dict[str, Any]:
    """The fields of `Facts` of a race or search, whose outcomes were counted by `tally`."""
    for outcome in race.uncounted:
        tally.remove(outcome)
    for attempt in log.failed_attempts():
        tally.add_message(attempt.outcome)
    tally.add_unanswered(log.unanswered, race.outcomes)
    return {
        "race": race,
        "header": log.header,
        "tally": tally,
        "sessions": tuple(log.sessions()),
        "elapsed": log.elapsed,
        "use": _use(race, log.dropped.evaluations),
        "changes": _changes(log.target_files()),
        "tests": _tests_beside(race, log),
        "lost_wal": getattr(log, "lost_wal", False),
        "by": by,
    }


def _tests_beside(race: View, log: Log) -> tuple[UnseenTest, ...]:
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
                candidate=candidates[e.candidate], against=candidates[e.against],
                after=verdict.instances, elimination=e, gate=verdict.gate,
            )  # fmt: skip
    back = {one.id for one in (*race.survivors, race.winner) if one}
    return tuple(one for id, one in found.items() if id not in back)


def _changes(files: Iterable[TargetFile]) -> tuple[TargetFile, ...]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return tuple(later.values())
