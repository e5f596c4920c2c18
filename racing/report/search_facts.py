"""Facts of a search: progress, tried configurations, and the confirmation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from racing.answer.gain import Gain
from racing.core.candidate import Candidate
from racing.core.view import SearchView, View


@dataclass(frozen=True, kw_only=True)
class TeamFacts:
    """The facts of a portfolio search's team.

    Attributes
    ----------
    size
        How many members it is to have.
    members
        Those found so far.
    single
        The best single configuration; None before the team is complete.
    gain, over_default
        The team's gain over it, and over the default, as confirmed; None while unknown.
    """

    size: int
    members: tuple[Candidate, ...]
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


def search_facts(view: View) -> SearchFacts | None:
    """The facts of a search; None for a race."""
    search = view.as_search
    if search is None:
        return None
    return SearchFacts(
        phase=search.phase,
        progress=search.progress,
        window=search.window if search.iterations is None else None,
        iterations=search.iterations,
        tried=dict(Counter(entrant.origin for entrant in search.entrants)),
        baseline=search.baseline,
        gain=search.gain,
        unconfirmed=search.unconfirmed,
        notes=search.notes,
        set_aside=len(search.set_aside),
        team=_team(search),
        front_gains=tuple(one for own in search.front_gains.values() for one in own.values()),
    )


def _team(search: SearchView) -> TeamFacts | None:
    if search.portfolio < 2:
        return None
    return TeamFacts(
        size=search.portfolio,
        members=search.team,
        single=search.single,
        gain=search.team_gain,
        over_default=search.team_gain_over_default,
    )
