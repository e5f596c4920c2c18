"""A run as typed facts in the user's direction: what `--json` prints, and documents are made of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from racing.analysis.portfolio.team import Member, certain_scores, team_members
from racing.answer.gain import Gain
from racing.answer.head import Answer, is_front
from racing.answer.place import Place, place
from racing.answer.tested import UnseenTest
from racing.base.quantities import Direction
from racing.core.aims import Front
from racing.core.candidate import Candidate
from racing.core.stop import Stop
from racing.log.headers import asked
from racing.report.facts import Dropped, Facts, Use, members_of
from racing.report.families import ByFamily
from racing.report.status import next_step, state
from racing.report.tally import Expense, Reuse
from racing.rules.rule import FIRST_LOOK
from racing.space.parameter import Value

if TYPE_CHECKING:
    from racing.search import SearchBase


@dataclass(frozen=True, kw_only=True)
class TeamFacts:
    """The facts of a portfolio search's team.

    Attributes
    ----------
    size
        How many members it is to have.
    members
        Those found so far.
    instances
        On how many all of them were run.
    single
        The best single configuration; None before the team is complete.
    gain, over_default
        The team's gain over it, and over the default, as confirmed; None while unknown.
    """

    size: int
    members: tuple[Member, ...]
    instances: int
    single: Candidate | None
    gain: Gain | None
    over_default: Gain | None


@dataclass(frozen=True, kw_only=True)
class SearchFacts:
    """The facts of a search.

    Attributes
    ----------
    phase
        The part it is in, or ended in: `initial`, `running`, `finish`, `confirmation`, `plain`; of
        iterated racing `estimation`, `iteration`, `selection`, `confirmation`, `plain`.
    progress
        The share of the budget for searching that is spent, from 0 to 1.
    window
        How many challengers may be under way; None for iterated racing.
    iterations
        How many races are over; None for the continuous search.
    tried
        How candidates came to be → how many of them were tried.
    baseline
        What the winner is compared with: the default, or the first known configuration.
    set_aside
        How many problems only the confirmation met.
    gain
        The gain of what was found over the baseline as confirmed; None while unknown.
    unconfirmed
        Why there is no gain; empty if there is one, or the search is not there yet.
    notes
        What is unusual, such as a race in place of a search.
    team
        The members of a portfolio, and what they gain; None in a search for one configuration,
        and where one is enough.
    front_gains
        The gains of the members of the shown front over the baseline as confirmed, in each metric;
        empty while unknown, and without a front.
    """

    phase: str
    progress: float
    window: int | None
    iterations: int | None
    tried: Mapping[str, int]
    baseline: Candidate | None
    gain: Gain | None
    unconfirmed: str
    notes: tuple[str, ...]
    set_aside: int = 0
    team: TeamFacts | None = None
    front_gains: tuple[Gain, ...] = ()


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


def run_report(facts: Facts, log: Path) -> RunReport:
    """The facts of a run as they are told."""
    header, stopped, race, tally = facts.header, facts.stopped, facts.race, facts.tally
    left, scenario = race.budget.left(race.spent), dict[str, Any](header.scenario)
    return RunReport(
        **copied(header, "name", "created", "seed", "direction", "objective"),
        **copied(facts, "unit", "stopped", "winner", "answer", "tests", "families", "survivors"),
        **copied(facts, "dropped", "expenses", "lost_wal"),
        **copied(tally, "paid", "unanswered", "refused", "reuse", "censored"),
        run=str(log),
        asked=asked(header),
        metrics=scenario.get("metrics") or {},
        finished=stopped is not None,
        why="" if stopped is None else stopped.why(search=race.as_search is not None),
        state=state(facts),
        next=next_step(facts, log),
        found=race.found,
        probability_worse=race.worse,
        risk=race.risk,
        leads=what_leads(facts),
        few_instances=_few_instances(facts),
        default=facts.against,
        changes=changes(facts.against, facts.winner),
        search=search_facts(race.as_search),
        front=_front(facts),
        standing=tuple(place(one, header.direction) for one in facts.standing),
        verdicts=len(race.verdicts),
        instances=race.instances_seen,
        evaluations=facts.counted,
        spent=facts.use,
        left={of: rest for of, rest in vars(left).items() if math.isfinite(rest)},
        failures=facts.failed,
        messages=tuple(
            Message(message=m, times=k, last_line=last) for m, k, last in tally.by_message
        ),
        target_changes=tuple(Changed(path=f.path, after=f.since - 1) for f in facts.changes),
        target_seconds=facts.seconds,
        wall_seconds=facts.elapsed,
    )


def copied(of: object, *names: str) -> dict[str, Any]:
    """What a record has by these names, for another one that has them too."""
    return {name: getattr(of, name) for name in names}


def search_facts(search: SearchBase | None) -> SearchFacts | None:
    """The facts of a search; None for a race."""
    if search is None:
        return None
    return SearchFacts(
        **copied(search, "phase", "progress", "iterations", "baseline", "gain", "unconfirmed"),
        notes=search.notes,
        window=search.window if search.iterations is None else None,
        tried=dict(Counter(entrant.origin for entrant in search.entrants)),
        set_aside=len(search.set_aside),
        team=_team(search) if search.portfolio > 1 else None,
        front_gains=tuple(one for own in search.front_gains.values() for one in own.values()),
    )


def _team(search: SearchBase) -> TeamFacts:
    columns = [search.results.candidates.index(one.id) for one in search.team]
    costs = search.results.costs[:, columns]
    shared = costs[~np.isnan(costs).any(axis=1)]
    return TeamFacts(
        size=search.portfolio,
        members=team_members(search.team, certain_scores(shared, "mean"), ~np.isnan(shared)),
        instances=len(shared),
        single=search.single,
        gain=search.team_gain,
        over_default=search.team_gain_over_default,
    )


def what_leads(facts: Facts) -> str:
    """What the winner is: one word for one state, which the headline has too."""
    finished = facts.stopped is not None
    if members_of(facts.race):
        return "Single best"
    if is_front(facts.race):
        return "Best compromise" if finished else "Best compromise so far"
    if not finished:
        return "Ahead so far"
    return "Best so far" if facts.answer.undecided else "Winner"


def _few_instances(facts: Facts) -> bool:
    """Whether the budget ended before the instances by which a rule can first tell apart."""
    stopped, race = facts.stopped, facts.header.scenario.get("race")
    given = race.get("first_test") if isinstance(race, Mapping) else None
    few = facts.race.instances_seen < (given or FIRST_LOOK) and len(facts.survivors) > 1
    return few and stopped is not None and stopped.by_budget


def _front(facts: Facts) -> FrontReport | None:
    found = facts.front
    if found is None:
        return None
    scenario: Mapping[str, Any] = facts.header.scenario
    aim = scenario["objective"]
    way = facts.header.direction
    members, maybe = (tuple(place(one, way) for one in part) for part in (found.front, found.maybe))
    return FrontReport(
        metrics=tuple(aim["front"]), show=aim.get("show", Front(("a", "b")).show),
        best=facts.winner, members=members, maybe=maybe,
    )  # fmt: skip


def changes(default: Candidate | None, winner: Candidate | None) -> tuple[Change, ...]:
    """The parameters in which the winner differs from the default; () without any."""
    if default is None or winner is None:
        return ()
    return tuple(
        Change(parameter=name, default=default.values.get(name), winner=winner.values.get(name))
        for name in dict.fromkeys([*default.values, *winner.values])
        if default.values.get(name) != winner.values.get(name)
    )
