"""A run as typed facts in the user's direction: what `--json` prints, and documents are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from racing.answer.head import Answer
from racing.answer.place import Place, place
from racing.answer.tested import UnseenTest, sentences
from racing.answer.tested import headline as tested_headline
from racing.base.quantities import Direction
from racing.core.aims import Front
from racing.core.candidate import Candidate
from racing.core.stop import Stop
from racing.log import SQLiteLog
from racing.log.goals import asked
from racing.report.facts import Dropped, Facts, Use, has_members, unit_of
from racing.report.families import ByFamily, family_sentences, unseen_by_family
from racing.report.payment import Reuse
from racing.report.search_facts import SearchFacts
from racing.report.status import next_step, state
from racing.report.tally import Expense
from racing.rules.rule import FIRST_LOOK
from racing.space.parameter import Value


@dataclass(frozen=True, kw_only=True)
class FrontReport:
    """The front by its first metric: how many are shown, and what may be on it besides."""

    metrics: tuple[str, ...]
    show: int
    best: Candidate | None
    members: tuple[Place, ...]
    maybe: tuple[Place, ...]


@dataclass(frozen=True, kw_only=True)
class Message:
    """Why evaluations failed: how often, and the last line of one."""

    message: str
    times: int
    last_line: str


@dataclass(frozen=True, kw_only=True)
class Changed:
    """A file of the target that was another one for earlier outcomes."""

    path: str
    after: int


@dataclass(frozen=True, kw_only=True)
class Change:
    """A parameter in which the winner differs; None where it is switched off."""

    parameter: str
    default: Value | None
    winner: Value | None


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """All facts of a run; `--json` prints them, with these names.

    `left` has the rest of each limit of the budget that is given.
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
    finished: bool
    stopped: Stop | None
    why: str
    state: str
    next: str
    winner: Candidate | None
    found: Candidate | None
    probability_worse: float | None
    risk: float
    leads: str
    answer: Answer
    few_instances: bool
    tests: tuple[UnseenTest, ...]
    families: ByFamily | None
    default: Candidate | None
    changes: tuple[Change, ...]
    search: SearchFacts | None
    front: FrontReport | None
    standing: tuple[Place, ...]
    survivors: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]
    verdicts: int
    instances: int
    evaluations: int
    spent: Use
    left: Mapping[str, float]
    paid: Mapping[str, float]
    unanswered: int
    refused: int
    reuse: Reuse
    failures: int
    censored: int
    messages: tuple[Message, ...]
    target_changes: tuple[Changed, ...]
    expenses: tuple[Expense, ...]
    target_seconds: float
    wall_seconds: float
    lost_wal: bool = False
    test: UnseenReport | None = None


@dataclass(frozen=True, kw_only=True)
class UnseenReport:
    """A test of a run's result on unseen problems; `--json` prints it, with these names.

    `tested` is None where the result is what it would be compared with, so that there is nothing
    to test.
    """

    run: str
    direction: Direction
    unit: str
    sentences: tuple[str, ...]
    tested: UnseenTest | None
    families: ByFamily | None


def unseen_report(log: Path, found: UnseenTest, *, by: str | None = None) -> UnseenReport:
    """A test as it is told, also by family."""
    with SQLiteLog.open(log, write=False) as book:
        header = book.header
    unit, folder = unit_of(header), str(header.scenario.get("folder") or "")
    found = replace(found, gains=tuple(replace(one, unit=unit) for one in found.gains))
    families = unseen_by_family(found, by=by, folder=folder) if found.kind == "winner" else None
    headline = (tested_headline(found),) if found.kind == "winner" else ()
    return UnseenReport(
        run=str(log),
        direction=header.direction,
        unit=unit,
        sentences=(*headline, *sentences(found), *family_sentences(families)),
        tested=found,
        families=families,
    )


def nothing_to_test(log: Path, winner: Candidate) -> UnseenReport:
    """The same where the winner is the candidate that it would be compared with."""
    with SQLiteLog.open(log, write=False) as book:
        direction, unit = book.header.direction, unit_of(book.header)
    said = (
        f"The winner is {winner} itself, the default or the first candidate: nothing better was "
        "found, so there is nothing to test. --against NAME compares it with another candidate."
    )
    return UnseenReport(
        run=str(log), direction=direction, unit=unit, sentences=(said,), tested=None, families=None
    )


def run_report(facts: Facts, log: Path) -> RunReport:
    """The facts of a run as they are told."""
    header, stopped = facts.header, facts.stopped
    scenario: Mapping[str, Any] = header.scenario
    return RunReport(
        run=str(log),
        name=header.name,
        created=header.created,
        seed=header.seed,
        direction=header.direction,
        objective=header.objective,
        asked=asked(header),
        unit=facts.unit,
        metrics=scenario.get("metrics") or {},
        finished=stopped is not None,
        stopped=stopped,
        why="" if stopped is None else stopped.why(search=facts.search is not None),
        state=state(facts, log),
        next=next_step(facts, log),
        winner=facts.winner,
        found=facts.found,
        probability_worse=facts.worse,
        risk=facts.risk,
        leads=what_leads(facts),
        answer=facts.answer,
        few_instances=_few_instances(facts),
        tests=facts.tests,
        families=facts.families,
        default=facts.against,
        changes=changes_of(facts),
        search=facts.search,
        front=_front(facts),
        standing=tuple(place(one, header.direction) for one in facts.standing),
        survivors=facts.survivors,
        dropped=facts.dropped,
        verdicts=facts.verdicts,
        instances=facts.instances,
        evaluations=facts.counted,
        spent=facts.use,
        left={of: rest for of, rest in vars(facts.left).items() if math.isfinite(rest)},
        paid=dict(facts.paid),
        unanswered=facts.unanswered,
        refused=facts.refused,
        reuse=facts.reuse,
        failures=facts.failed,
        censored=facts.censored,
        messages=tuple(
            Message(message=m, times=t, last_line=last) for m, t, last in facts.messages
        ),
        target_changes=tuple(Changed(path=f.path, after=f.since - 1) for f in facts.changes),
        expenses=facts.expenses,
        target_seconds=facts.seconds,
        wall_seconds=facts.elapsed,
        lost_wal=facts.lost_wal,
    )


def what_leads(facts: Facts) -> str:
    """What the winner is: one word for one state, which the headline has too."""
    finished = facts.stopped is not None
    if has_members(facts):
        return "Best single"
    if facts.front is not None:
        return "Best compromise" if finished else "Best compromise so far"
    if not finished:
        return "Ahead so far"
    return "Best so far" if facts.answer.undecided else "Winner"


def _few_instances(facts: Facts) -> bool:
    """Whether the budget ended before the instances by which a rule can first tell apart."""
    stopped, race = facts.stopped, facts.header.scenario.get("race")
    given = race.get("first_test") if isinstance(race, Mapping) else None
    few = facts.instances < (given or FIRST_LOOK) and len(facts.survivors) > 1
    return few and stopped is not None and stopped.by_budget


def _front(facts: Facts) -> FrontReport | None:
    if facts.front is None:
        return None
    scenario: Mapping[str, Any] = facts.header.scenario
    aim, direction = scenario["objective"], facts.header.direction
    return FrontReport(
        metrics=tuple(aim["front"]),
        show=aim.get("show", Front(("a", "b")).show),
        best=facts.winner,
        members=tuple(place(one, direction) for one in facts.front.front),
        maybe=tuple(place(one, direction) for one in facts.front.maybe),
    )


def changes_of(facts: Facts) -> tuple[Change, ...]:
    """The parameters in which the winner differs from the default; () without any."""
    winner, default = facts.winner, facts.against
    if default is None or winner is None:
        return ()
    names = dict.fromkeys([*default.values, *winner.values])
    pairs = {name: (default.values.get(name), winner.values.get(name)) for name in names}
    return tuple(
        Change(parameter=name, default=before, winner=after)
        for name, (before, after) in pairs.items()
        if before != after
    )
