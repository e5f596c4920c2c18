"""The facts of a run: the race, as it was driven or as its log is replayed, and what its log adds.

One record, of which terminal, page and `--json` are written. Nothing here decides what counts: the
race does. `racing.report.history` adds what pictures need.
"""

from __future__ import annotations

import math
import shlex
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from racing.answer.gain import Gain
from racing.answer.head import Answer, Beside, Message, is_front
from racing.answer.json import fact
from racing.answer.place import Place, place
from racing.answer.run import answer
from racing.answer.tested import UnseenTest
from racing.base.quantities import Direction
from racing.base.words import listed, moment, refer
from racing.core.aims import Front
from racing.core.candidate import Candidate, Change, changes
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.core.view import View, best_of, default_of, only_instance
from racing.log import Header, Log, Session, TargetFile, replay
from racing.log.headers import ON_HELD_BACK, asked, only_python, units_in
from racing.report import counts, parts
from racing.report.families import ByFamily, family_sentences, gains_by_family
from racing.rules.rule import FIRST_LOOK


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """The facts of a run, in the user's direction; `--json` prints them, with these names.

    Attributes
    ----------
    run
        Where its log is, as it was named.
    spent
        What the evaluations were good for.
    evaluations
        Those on complete instances: the count that every page and text gives.
    left
        The rest of each limit of the budget that is given.
    expenses
        For every candidate, in the order of entry.
    target_changes
        Files of the target that were others for earlier outcomes, each from the first one since.
    tests
        Tests of the result on unseen problems, one of each kind.
    found, probability_worse, risk
        The best found, the probability that it is worse than the default (None on one instance,
        which shows none), and with which one it wins at most.
    wall_seconds
        Wall-clock time over all sessions.
    lost_wal
        Whether the -wal file of a killed run, with its latest outcomes, is not there any more.
    test
        What a test says that followed the run at once.
    race, header
        The race or search itself, and what the run is.
    sessions
        The processes that worked on the run, and when.
    by
        What says the families of instances: see `racing.by_family`.
    """

    run: str
    name: str
    created: str
    seed: int
    direction: Direction
    objective: str
    asked: str
    unit: str
    metrics: Mapping[str, Any]
    instances: int
    evaluations: int
    verdicts: int
    spent: parts.Use
    left: Mapping[str, float]
    paid: Mapping[str, float]
    unanswered: int
    refused: int
    reuse: counts.Reuse
    censored: int
    messages: tuple[Message, ...]
    expenses: tuple[counts.Expense, ...]
    target_changes: tuple[parts.Changed, ...]
    tests: tuple[UnseenTest, ...]
    found: Candidate | None
    probability_worse: float | None
    risk: float
    wall_seconds: float
    lost_wal: bool
    test: parts.UnseenReport | None = None
    race: View = field(repr=False)
    header: Header = field(repr=False)
    sessions: tuple[Session, ...] = field(repr=False)
    by: str | None = field(repr=False)

    @fact
    def stopped(self) -> Stop | None:
        """Why it is over; None while it can go on."""
        return self.race.stopped

    @fact
    def finished(self) -> bool:
        """Whether it is over."""
        return self.stopped is not None

    @fact
    def why(self) -> str:
        """Why it is over, in words; empty while it can go on."""
        searching = self.race.as_search is not None
        return "" if self.stopped is None else self.stopped.why(search=searching)

    @fact
    def state(self) -> str:
        """Whether the run is over, at work, or stopped."""
        session = self.session
        if self.stopped is not None:
            return f"over: {self.why}"
        if session is None:
            return "not begun"
        if session.ended is None:
            return _at_work(session)
        if session.why == "target_failed":
            return f"stopped: {Stop.TARGET_FAILED.meaning}"
        return f"stopped ({session.why})"

    @fact
    def next(self) -> str:
        """What to do next."""
        return next_step(self, Path(self.run))

    @fact
    def winner(self) -> Candidate | None:
        """The winner of a run that is over, or the candidate that is ahead; None if none is."""
        return self.race.winner

    @fact
    def leads(self) -> str:
        """What the winner is: one word for one state, which the headline has too."""
        if parts.members_of(self.race):
            return "Single best"
        if is_front(self.race):
            return "Best compromise" if self.finished else "Best compromise so far"
        if not self.finished:
            return "Ahead so far"
        return "Best so far" if self.answer.undecided else "Winner"

    @fact
    def answer(self) -> Answer:
        """The answer, in words, with the one gain at its head."""
        if self.winner is not None and self.header.name.endswith(ON_HELD_BACK):  # chosen elsewhere
            why = "This is the log of a test; the same `racing test` again tells its result."
            return Answer(headline=why, sentences=(), gain=Gain(why=why))
        families = tuple(family_sentences(self.families))
        units = units_in(self.header.scenario)
        beside = Beside(**parts.copied(self, "tests", "messages"), units=units, families=families)
        return answer(self.race, beside)

    @fact
    def few_instances(self) -> bool:
        """Whether the budget of a race ended before the instances by which a rule first decides."""
        race, stopped = self.header.scenario.get("race"), self.stopped
        given = race.get("first_test") if isinstance(race, Mapping) else None
        few = self.instances < (given or FIRST_LOOK) and len(self.survivors) > 1
        return few and self.search is None and stopped is not None and stopped.by_budget

    @fact
    def families(self) -> ByFamily | None:
        """The gain by family of instances; None where no families are said, and of a front."""
        if is_front(self.race):
            return None
        folder = parts.folder_of(self.header)
        found = gains_by_family(self.race, self.tests, by=self.by, folder=folder)
        return found and found.in_units(units_in(self.header.scenario))

    @fact
    def against(self) -> Candidate | None:
        """The candidate compared with the winner, usually the default; None if it is the winner."""
        if (tested := self.tested("winner")) is not None:
            return tested.others[0]
        return None if self.race.baseline == self.winner else self.race.baseline

    @fact
    def changes(self) -> tuple[Change, ...]:
        """The parameters in which what is best differs from what it is compared with."""
        return changes(self.against, self.best)

    @fact
    def search(self) -> parts.SearchFacts | None:
        """What only a search has; None for a race."""
        return parts.search_facts(self.race.as_search, units_in(self.header.scenario))

    @fact
    def front(self) -> parts.FrontReport | None:
        """The front, where the objective is one; then there is no gain, which would be by one."""
        if not is_front(self.race):
            return None
        found, scenario = self.race.front_standing(), dict[str, Any](self.header.scenario)
        aim = scenario["objective"]
        members, maybe = (
            tuple(place(one, self.direction) for one in part) for part in (found.front, found.maybe)
        )
        return parts.FrontReport(
            metrics=tuple(aim["front"]), show=aim.get("show", Front(("a", "b")).show),
            best=self.winner, members=members, maybe=maybe,
        )  # fmt: skip

    @fact
    def standing(self) -> tuple[Place, ...]:
        """The survivors that have seen the same instances, best first."""
        return tuple(place(one, self.direction) for one in self.race.ranking())

    @fact
    def survivors(self) -> tuple[Candidate, ...]:
        """Candidates that were not dropped: those of the standing, best first, then the others."""
        ranked = {one.candidate.id: one.candidate for one in self.standing}
        return (*ranked.values(), *(one for one in self.race.survivors if one.id not in ranked))

    @fact
    def dropped(self) -> tuple[parts.Dropped, ...]:
        """Dropped candidates, in the order in which they left."""
        return parts.dropped_by(self.race)

    @fact
    def failures(self) -> int:
        """The number of failures among the evaluations that count, or are certain to."""
        return sum(expense.failures for expense in self.expenses)

    @fact
    def target_seconds(self) -> float:
        """The total duration of the evaluations that count."""
        return math.fsum(expense.seconds for expense in self.expenses)

    @property
    def best(self) -> Candidate | None:
        """The winner; or what a test shows to be better than a default that the run kept."""
        tested = self.tested("winner")
        return tested.result[0] if tested is not None and tested.gain.better else self.winner

    @property
    def session(self) -> Session | None:
        """The last one: the process that works on the run, or why none does any more."""
        return self.sessions[-1] if self.sessions else None

    def tested(self, kind: Literal["winner", "front", "team"]) -> UnseenTest | None:
        """The test of this kind; None without one."""
        return next((one for one in self.tests if one.kind == kind), None)


def gather(log: Log, *, run: Path | None = None, by: str | None = None) -> Facts:
    """The facts of a run, from one moment of its log, read once.

    Parameters
    ----------
    run
        What the log is called; by default its own path.
    by
        What says the families of instances: see `racing.by_family`.
    """
    tally = counts.Tally()

    def heard(_: View, outcome: Outcome) -> None:
        tally.add(outcome)

    with log.snapshot():
        return Facts(**gathered(replay(log, heard=heard), log, tally, run=run, by=by))


def facts_after(race: View, log: Log, *, run: Path | None = None) -> Facts:
    """The facts of a run that has just ended: as those of `gather`, without a replay."""
    if race.stopped is Stop.TARGET_FAILED:  # which ends a session; the log can go on
        return gather(log, run=run)
    tally = counts.Tally()
    with log.snapshot():
        for outcome in log.each_outcome():
            tally.add(outcome)
        return Facts(**gathered(race, log, tally, run=run))


def gathered(
    race: View, log: Log, tally: counts.Tally, *, run: Path | None = None, by: str | None = None
) -> dict[str, Any]:
    """The fields of `Facts` of a race or search, whose outcomes were counted by `tally`."""
    tally.close(race, log)
    header, left = log.header, race.budget.left(race.spent)
    return {
        **parts.copied(header, "name", "created", "seed", "direction", "objective"),
        **parts.copied(tally, "paid", "unanswered", "refused", "reuse", "censored", "messages"),
        "run": str(getattr(log, "path", "") if run is None else run),
        "asked": asked(header),
        "unit": parts.unit_of(header),
        "metrics": dict[str, Any](header.scenario).get("metrics") or {},
        "instances": race.instances_seen,
        "evaluations": race.spent.evaluations,
        "verdicts": len(race.verdicts),
        "spent": _use(race, log.dropped.evaluations),
        "left": {of: rest for of, rest in vars(left).items() if math.isfinite(rest)},
        "expenses": tuple(map(tally.expense, race.candidates)),
        "target_changes": tuple(_changed(log.target_files())),
        "tests": tests_beside(race, log),
        "found": race.found,
        "probability_worse": None if only_instance(race) else race.worse,
        "risk": race.risk,
        "wall_seconds": log.elapsed,
        "lost_wal": getattr(log, "lost_wal", False),
        "race": race,
        "header": header,
        "sessions": tuple(log.sessions()),
        "by": by,
    }


def tests_beside(race: View, log: Log) -> tuple[UnseenTest, ...]:
    """The finished tests of the result, or of a team, that are recorded beside its log."""
    path = getattr(log, "path", None)
    kinds = ("test", "member", "team", *(["front"] if is_front(race) else []))
    if path is None or not any(path.with_suffix(f".{one}.sqlite").exists() for one in kinds):
        return ()  # or what tests run is imported
    from racing.analysis.unseen import recorded

    return tuple(one.in_units(units_in(log.header.scenario)) for one in recorded(path, race))


def _use(race: View, ended: int) -> parts.Use:
    decided, wasted = race.spent.evaluations, race.wasted
    under_way = race.outcomes - decided - race.speculative - wasted  # nothing runs any more
    return parts.Use(decided=decided, under_way=under_way, speculative=race.speculative,
                     wasted=wasted + ended, ended=ended)  # fmt: skip


def _changed(files: Iterable[TargetFile]) -> Iterator[parts.Changed]:
    first: dict[str, TargetFile] = {}
    later: dict[tuple[str, int], TargetFile] = {}
    for file in files:
        if file.since > first.setdefault(file.path, file).since:
            later[file.path, file.since] = file
    return (parts.Changed(path=one.path, after=one.since - 1) for one in later.values())


# --- the state and the next step, in words ------------------------------------------------------


_AGAIN = "the same Python code with this log"
"""What continues a run that no command can continue."""


def resume_command(log: Path) -> str:
    """The command that resumes a run."""
    return f"`racing resume {shlex.quote(str(log))}`"


def _at_work(session: Session) -> str:
    """The state of a session that did not record its end."""
    from racing.log.opening import is_alive

    process = f"process {session.pid} on {session.host} since {moment(session.started)}"
    elsewhere = session.host != socket.gethostname()
    if session.why == "killed" or not (elsewhere or is_alive(session.pid)):
        return f"killed ({process})"
    return f"at work, or killed: {process}" if elsewhere else f"at work: {process}"


def next_step(facts: Facts, log: Path) -> str:
    """The next step that the reader of a log can take."""
    run = shlex.quote(str(log))
    if facts.stopped is None:
        return _on(facts.state, run, _AGAIN if only_python(facts.header) else resume_command(log))
    if facts.winner is None:
        if facts.stopped is Stop.ALL_FAILED:
            once = "" if only_python(facts.header) else ", `racing check CONFIG` runs it once"
            return f"fix the target: `racing export {run}` has every message{once}"
        return "a larger budget, or fewer candidates: no instance was completed"
    if facts.header.name.endswith(ON_HELD_BACK):
        return _numbers(run)
    if (tested := facts.tested("winner")) is not None and not parts.members_of(facts.race):
        return _after_test(facts, tested.gain, run)
    team = facts.tested("team")
    if team is not None and team.gain.better and not parts.members_of(facts.race):
        return f"use the team: `racing portfolio {run} --size {len(team.result)}` has it to copy"
    if facts.race.as_search is not None:
        return _after_search(facts, run)
    if not facts.answer.gain.why:
        return _test(facts, run)
    if is_front(facts.race):
        return f"`racing export {run}` writes the whole front"
    return _more(facts, run) or _numbers(run)


def _on(now: str, run: str, resume: str) -> str:
    if now.startswith("at work: "):
        return f"`racing watch {run}` follows it"
    if now.startswith("stopped: "):
        return f"fix the target; {resume} tries again"
    return f"{resume} continues it{', unless it is at work' * now.startswith('at work')}"


def _after_test(facts: Facts, tested: Gain, run: str) -> str:
    if tested.evidence == "better":
        return f"use the configuration of {tested.name}; {_numbers(run)}"
    if tested.evidence == "worse":
        return _listed(f"keep {tested.over}", _more(facts, run))
    test = f"more unseen problems may decide: `racing test {run} INSTANCE...`"
    return _listed(test, _more(facts, run))


def _after_search(facts: Facts, run: str) -> str:
    search = facts.race.as_search
    assert search is not None
    if search.portfolio > 1:
        if (tested := facts.tested("team")) is not None and tested.gain.better:
            return f"use the team; {_numbers(run)}"
        return f"{_numbers(run)}; a larger `confirm` makes the gain surer"
    more = _more(facts, run)
    if facts.tested("front") is not None:
        return _listed(f"`racing export {run}` writes the whole front", more)
    if best_of(facts.race) == default_of(facts.race):
        return more or _numbers(run)
    if search.gain is None or search.gain.estimate is None:
        return _listed(_test(facts, run), more)
    if search.gain.better and facts.winner == facts.race.found:
        return _listed(_numbers(run), more)
    return _listed(more, "more instances make the gain surer")


def _numbers(run: str) -> str:
    return f"`racing export {run}` for the numbers"


def _listed(*steps: str) -> str:
    return "; ".join(filter(None, steps))


def _test(facts: Facts, run: str) -> str:
    """How the gain of the best found is measured on instances that the run has not met."""
    if not only_python(facts.header):
        return f"`racing test {run} INSTANCE...` measures the gain on further instances"
    best, default = (refer(one) for one in (best_of(facts.race), default_of(facts.race)))
    if "target" not in facts.header.scenario:  # a loop of one's own
        two = listed([best, default])
        return f"in Python, run {two} on further instances: `racing.compare` measures the gain"
    call = f'racing.{facts.direction}(function, [first, second], further, rule="none").gain'
    return (
        f"in Python, `{call}` compares {default} (first) and {best} (second) on further instances"
    )


def _more(facts: Facts, run: str) -> str:
    """What continues a run that is over; empty where nothing does."""
    stopped, searched = facts.stopped, facts.race.as_search is not None
    if stopped is None or not stopped.by_instances or not (searched or len(facts.survivors) > 1):
        return ""
    aim = "searches on" if searched else "may tell the survivors apart"
    if not only_python(facts.header):
        how = "--budget +N" if stopped.by_budget else "--instances FILE..."
        return f"`racing resume {run} {how}` {aim}"
    if stopped.by_budget and "target" in facts.header.scenario:
        return f"{_AGAIN} and a larger `budget` {aim}"
    how = "with a larger budget" if stopped.by_budget else "on more instances"
    return f"a new run in Python {how} {aim}"
