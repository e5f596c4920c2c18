"""A team on instances that the run has not seen, against the single best and the default.

The best of several runs cannot be worse than one of them. So the two others run as often as the
team has members, each time with another seed; unless the target is told none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.analysis.holdout import finished_tests, held_back, met_by, run_unseen
from racing.analysis.portfolio.as_often import best_of_further, takes_seeds, with_other_seeds
from racing.analysis.portfolio.choice import choose
from racing.analysis.portfolio.table import read_costs
from racing.analysis.portfolio.team import best_of
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.gain import Gain, gain
from racing.core.view import View
from racing.log import SQLiteLog, replay
from racing.race import Race
from racing.runner.loop import RunOptions
from racing.scenario import Entry, InstanceSource, Scenario

Floats = NDArray[np.float64]


class Tried(NamedTuple):
    """A team, the best single configuration, and the default, if there is one."""

    team: tuple[Candidate, ...]
    single: Candidate
    default: Candidate | None

    @property
    def entrants(self) -> tuple[Candidate, ...]:
        """The team and the candidates that it is held to, each once."""
        default = [] if self.default is None else [self.default]
        return tuple({one.id: one for one in (*self.team, self.single, *default)}.values())

    @property
    def repeated(self) -> tuple[Candidate, ...]:
        """The single best and the default, which run as often as the team.

        A race needs two candidates: without a default that is another one, a member runs again too.
        """
        rest = [one for one in (self.default, *self.team) if one not in (None, self.single)]
        return self.single, *(one for one in rest[:1] if one is not None)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnseenTeam:
    """How a team does on instances that the run has not seen.

    Attributes
    ----------
    team, single, default
        The members, the single best of the run, and its default, if it has one.
    instances
        Names, in the order of the rows.
    costs : (n, k)
        Of the members; lower is better, +inf = failed.
    over_single, over_default
        By how much the mean cost of the best member is lower than that of one run; None for a
        default that is not there.
    single_repeated, default_repeated
        The same beside the best of as many runs as the team has, with other seeds; None where they
        did not run.
    """

    team: tuple[Candidate, ...]
    single: Candidate
    default: Candidate | None
    instances: tuple[str, ...]
    costs: Floats
    over_single: Gain
    over_default: Gain | None
    single_repeated: Gain | None = None
    default_repeated: Gain | None = None

    @property
    def shown(self) -> bool:
        """Whether the team is shown to be better than the single best, run as often if it was."""
        return (self.single_repeated or self.over_single).low > 0

    @property
    def best(self) -> Floats:
        """(n,) the cost of the best member on each instance."""
        return best_of(self.costs, range(len(self.team)))


def team_on_unseen(
    log: str | os.PathLike[str],
    instances: InstanceSource | Sequence[str] | None = None,
    *,
    size: int | None = None,
    record: str | os.PathLike[str] | None = None,
    options: RunOptions | None = None,
) -> UnseenTeam | None:
    """Run a team, the single best and the default on instances held back from the run.

    The last two run as often as the team has members, each time with another seed.

    Parameters
    ----------
    log
        The log of the run; what a filling beside it has added counts too.
    instances
        As for `racing.holdout`.
    size
        Of the team, which `racing.portfolio` chooses. By default the team of a search for one is
        run; of other runs, a team of the size that it chooses.
    record
        Log of these evaluations; by default beside `log`, with `.team` before its ending. The runs
        with other seeds have a log of their own, with `.again` before its ending.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The result, or None if it was interrupted; the same call again resumes it.

    Raises
    ------
    InputError
        If the team is the single best alone, there are no instances, or one is not held out.
    TargetError
        If every evaluation failed, or one did and the scenario says to stop then.
    """
    log = Path(log)
    tried = None if size is not None else searched(log)
    tried = _chosen(log, size) if tried is None else tried
    with SQLiteLog.open(log, write=False) as book:
        scenario = Scenario.from_dict(book.header.scenario)
        met = met_by(book, scenario.folder)
    source = held_back(log, scenario, instances)
    entries = [Entry(one.values, one.name or f"candidate {one.id}") for one in tried.entrants]
    race = run_unseen(
        log, scenario, entries, source, met=met, record=record, kind="team", options=options
    )
    if race is None or not takes_seeds(scenario):
        return None if race is None else _compared(race, tried)
    entries = [Entry(one.values, one.name or f"candidate {one.id}") for one in tried.repeated]
    source = with_other_seeds(source, scenario, race, len(tried.team) - 1)
    record = None if record is None else Path(record).with_suffix(".again.sqlite")
    again = run_unseen(
        log, scenario, entries, source, met=met, record=record, kind="again", options=options
    )
    return None if again is None else _compared(race, tried, again)


def recorded_team(log: str | os.PathLike[str], view: View) -> UnseenTeam | None:
    """The latest finished test of the team of a search that is recorded beside its log.

    Parameters
    ----------
    log
        The log of the search.
    view
        The search, as it is now.

    Returns
    -------
    The result, or None if there is no such record.
    """
    tried = _of_search(view)
    if tried is None:
        return None
    trial = next(_recorded(Path(log), "team", tried.entrants), None)
    if trial is None:
        return None
    several = (
        _compared(trial, tried, one) for one in _recorded(Path(log), "again", tried.repeated)
    )
    once = _compared(trial, tried)
    return next((one for one in several if one.single_repeated is not None), once)


def _recorded(log: Path, kind: str, entered: Sequence[Candidate]) -> Iterator[Race]:
    """The finished tests of these candidates, the latest first."""
    values = [one.values for one in entered]
    for trial in reversed(list(finished_tests(log, kind))):
        if [one.values for one in trial.candidates] == values:
            yield trial


def searched(log: str | os.PathLike[str]) -> Tried | None:
    """The team that a search found; None for other runs, and where one configuration is enough."""
    with SQLiteLog.open(Path(log), write=False) as book:
        search = book.header.scenario.get("search")
        if not (isinstance(search, dict) and search.get("portfolio")):
            return None  # without a replay, which takes long
        return _of_search(replay(book))


def _of_search(view: View) -> Tried | None:
    found = view.as_search
    if found is None or len(found.team) < 2 or found.single is None:
        return None
    return Tried(found.team, found.single, found.baseline)


def _chosen(log: Path, size: int | None) -> Tried:
    """A team of the candidates of a run."""
    known = read_costs([log])
    found = choose(known, size=size)
    if len(found.members) < 2:
        raise InputError(
            f"{log}: no team is shown to be better than the single best, {found.single}; name a "
            "size to test one, or test the winner by `racing test`"
        )
    default = None if known.default is None else known.candidates[known.default]
    return Tried(tuple(one.candidate for one in found.members), found.single, default)


def _compared(race: Race, tried: Tried, again: Race | None = None) -> UnseenTeam:
    costs = race.results.costs
    names = tuple(race.instance(step).name for step in range(len(costs)))
    column = {one.id: place for place, one in enumerate(tried.entrants)}
    best = best_of(costs, range(len(tried.team)))

    def over(other: Candidate | None, runs: Floats | None = None) -> Gain | None:
        if other is None:
            return None
        own = costs[:, column[other.id]]
        pairs = np.column_stack([best, own if runs is None else np.minimum(own, runs)])
        return gain(pairs, pairs[:0], problems=names, skewed=True)

    def repeated(other: Candidate | None) -> Gain | None:
        if again is None or other not in tried.repeated:
            return None
        place = tried.repeated.index(other)
        runs = best_of_further(again, names, place, len(tried.team) - 1)
        return None if runs is None else over(other, runs)

    over_single = over(tried.single)
    assert over_single is not None
    return UnseenTeam(
        team=tried.team,
        single=tried.single,
        default=tried.default,
        instances=names,
        costs=costs[:, : len(tried.team)],
        over_single=over_single,
        over_default=over(tried.default),
        single_repeated=repeated(tried.single),
        default_repeated=repeated(tried.default),
    )
