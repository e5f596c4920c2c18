"""The parts of a run's facts: who was dropped, a search, its team, a front, and what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from racing.analysis.portfolio.team import Member, certain_scores, team_members
from racing.answer.gain import Gain
from racing.answer.place import Place
from racing.answer.tested import UnseenTest
from racing.base.quantities import Direction
from racing.core.candidate import Candidate
from racing.core.verdict import Elimination, Gate
from racing.core.view import View
from racing.log import Header
from racing.report.families import ByFamily

if TYPE_CHECKING:
    from racing.search import SearchBase


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
class Changed:
    """A file of the target that was another one for earlier outcomes."""

    path: str
    after: int


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


def members_of(race: View) -> tuple[Candidate, ...]:
    """The members of a team that a search is for, so far; () where it is for one configuration."""
    search = race.as_search
    return () if search is None or search.portfolio < 2 else search.team


def unit_of(header: Header) -> str:
    """The unit of a run's costs; empty if its scenario has none."""
    return str(header.scenario.get("unit") or "")


def folder_of(header: Header) -> str:
    """From where the names of a run's instances are seen."""
    return str(header.scenario.get("folder") or "")


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


def copied(of: object, *names: str) -> dict[str, Any]:
    """What a record has by these names, for another one that has them too."""
    return {name: getattr(of, name) for name in names}


def search_facts(search: SearchBase | None, units: Mapping[str, str]) -> SearchFacts | None:
    """The facts of a search; None for a race."""
    if search is None:
        return None
    gains = [one.in_units(units) for own in search.front_gains.values() for one in own.values()]
    return SearchFacts(
        **copied(search, "phase", "progress", "iterations", "baseline", "unconfirmed", "notes"),
        gain=search.gain and search.gain.in_units(units),
        window=search.window if search.iterations is None else None,
        tried=dict(Counter(entrant.origin for entrant in search.entrants)),
        set_aside=len(search.set_aside),
        team=_team(search, units) if search.portfolio > 1 else None,
        front_gains=tuple(gains),
    )


def _team(search: SearchBase, units: Mapping[str, str]) -> TeamFacts:
    columns = [search.results.candidates.index(one.id) for one in search.team]
    costs = search.results.costs[:, columns]
    shared = costs[~np.isnan(costs).any(axis=1)]
    gains = search.team_gain, search.team_gain_over_default
    gain, over_default = (one and one.in_units(units) for one in gains)
    return TeamFacts(
        size=search.portfolio,
        members=team_members(search.team, certain_scores(shared, "mean"), ~np.isnan(shared)),
        instances=len(shared),
        single=search.single,
        gain=gain,
        over_default=over_default,
    )
