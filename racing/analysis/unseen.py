"""Tests the result of a run on problems that it has not met: its winner, its front, or its team."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from racing.analysis.follow_up import RunLog, read_run
from racing.analysis.portfolio.choice import choose
from racing.analysis.portfolio.table import KnownCosts, read_costs
from racing.analysis.trial import finished_tests, held_back, run_unseen
from racing.answer.gain import Gain, gain
from racing.answer.head import gain_in, has_team, is_front
from racing.answer.place import place
from racing.answer.tested import UnseenTest
from racing.base.errors import InputError, NothingToTest
from racing.base.seeds import Purpose, stream
from racing.core.aims import Front
from racing.core.candidate import Candidate
from racing.core.goal import Goal
from racing.core.standing import Standing, shown_of
from racing.core.view import View, best_of, default_of, drawn_at_random
from racing.evaluate.command import Command
from racing.log import LogOf
from racing.log.headers import units_in
from racing.race import Race
from racing.runner.known_seeds import seeds_of
from racing.runner.loop import RunOptions
from racing.scenario import Entry, InstanceSource, Scenario
from racing.search.front import simultaneous

if TYPE_CHECKING:
    from racing.search import SearchBase

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

KINDS: dict[str, str] = {"winner": "test", "front": "front", "team": "team"}
"""What is tested → the word before the ending of its record."""

MEMBER = "member"
"""Of a team, that word where each member has a record with seeds of its own."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is to be tested: a result, and what it is compared with."""

    kind: Literal["winner", "front", "team"]
    result: tuple[Candidate, ...]
    others: tuple[Candidate, ...]
    drawn: bool = False
    best: int | None = None

    @property
    def entrants(self) -> tuple[Candidate, ...]:
        """All that run, each once."""
        return tuple(dict.fromkeys((*self.result, *self.others)))

    @property
    def places(self) -> tuple[tuple[Candidate, ...], ...]:
        """Of a team, what runs with the seeds of each member: the member and the others.

        A race needs two candidates: where the member is the only other one, a second member runs.
        """
        pairs = (dict.fromkeys((one, *self.others)) for one in self.result)
        spare = [one for one in self.result if one != self.others[0]]
        return tuple(tuple(own) if len(own) > 1 else (*own, spare[0]) for own in pairs)


def holdout(
    log: LogOf, instances: InstanceSource | Sequence[str] | None = None, *,
    against: str | None = None, team: int | None = None,
    record: str | os.PathLike[str] | None = None, options: RunOptions | None = None,
) -> UnseenTest | None:  # fmt: skip
    """Test the result of a run on instances that it has not met.

    Of a race or search for one configuration, its winner runs beside another candidate; of one for
    a front, the shown front beside the default; of a search for a team, the team beside the single
    best and the default. Each member runs once on an instance, with a seed of its own; the single
    best and the default run with the seeds of all members, and their best run counts. So a team
    has no gain from several seeds that the others lack. Two members that have each other's seeds
    too exchange them, and the mean of both ways counts. If the target is told no seed, each runs
    once.

    Parameters
    ----------
    log
        The log of the run, its path, or its result.
    instances
        Where they come from; by default the scenario's `test_instances`. Names alone are relative
        to the current folder, and have to be files if all of the run's own are; a folder stands
        for the files in it, a pattern for those that match. Those that the run has met are
        refused.
    against
        Name or id (`#3`) of the candidate to compare the winner with; by default the default
        configuration, or else the run's first.
    team
        The size of a team of the run's candidates, chosen as `racing.portfolio` does, which is
        tested in place of the result; 0 for any size.
    record
        Log of these evaluations; an existing one is resumed, so nothing is evaluated twice.
        Default: beside `log`, with ``.test``, ``.front`` or ``.team`` before its ending;
        ``.test2`` and so on for other instances or another result, which reuse what the records
        before them hold. A team has a record for the seeds of each member: ``.member``,
        ``.member2`` and so on; beside a `record` with the name a, a2 and so on.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The test, or None if it was interrupted; the same call again resumes it.

    Raises
    ------
    InputError
        If the run has no such result, no such candidate, or the result is that candidate (as
        `NothingToTest` if it is so by default); if there are no instances, or one is not held out;
        if `record` holds another test.
    TargetError
        If every evaluation failed, or one did and the scenario says to stop then.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("tuning"))[0], log="race.sqlite")
    >>> found = racing.holdout("race.sqlite", [f"day-{day}" for day in range(31, 39)])
    >>> bool(found.gain.p < 0.05)
    True
    """
    if team is not None and against is not None:
        raise InputError("a team is compared with the single best and the default: no `against`")
    run = read_run(log)
    task = _chosen_team(run, team or None) if team is not None else task_of(run, against)
    source = held_back(run, instances)
    several = task.kind == "team" and takes_seeds(run.scenario)
    kind = MEMBER if several else KINDS[task.kind]
    go = partial(run_unseen, run, kind=kind, options=options)
    races = []
    for lap, entrants in enumerate(task.places if several else (task.entrants,)):
        own = None if record is None else _numbered(Path(record), lap + 1)
        told = with_seeds(source, run.scenario, lap) if several else source
        race = go(_entries(task, entrants), told, record=own)
        if race is None:
            return None
        races.append(race)
    return compared(races, task).in_units(units_in(run.header.scenario))


def _numbered(record: Path, number: int) -> Path:
    """The record of the seeds of a member, by its number."""
    return record if number == 1 else record.with_stem(f"{record.stem}{number}")


def _entries(task: Task, entrants: Sequence[Candidate]) -> list[Entry]:
    """What runs, with names that say what it is."""
    if task.kind == "winner":
        names = "winner", "against"
        return [Entry(one.values, name) for one, name in zip(entrants, names, strict=True)]
    return [Entry(one.values, one.name or f"candidate {one.id}") for one in entrants]


# --- what is tested ---------------------------------------------------------------------------


def task_of(run: RunLog, against: str | None = None) -> Task:
    """What a run found, and what it is compared with."""
    search = run.view.as_search
    team = None if search is None or against is not None else _team_task(search)
    if team is not None:
        return team
    if against is None and is_front(run.view):
        return _front_task(run)
    return _winner_task(run, against)


def _team_task(search: SearchBase) -> Task | None:
    """The team of a search; None where it has none, or no single best to compare it with."""
    if not has_team(search) or search.single is None:
        return None
    others = dict.fromkeys([search.single, search.baseline or search.single])
    return Task(kind="team", result=search.team, others=tuple(others))


def _winner_task(run: RunLog, against: str | None) -> Task:
    winner, (other, drawn) = run.best("tested"), run.other(against)
    if other == winner:
        why = (
            f"{run.path}: what is tested is {other} itself, the best found; name another one to "
            "compare it with"
        )
        raise NothingToTest(why, other) if against is None else InputError(why)
    return Task(kind="winner", result=(winner,), others=(other,), drawn=drawn)


def _front_task(run: RunLog) -> Task:
    view = run.view
    goal, front = view.results.goal, view.front_standing().front
    assert isinstance(goal, Goal)
    assert isinstance(goal.aim, Front)
    if not front or view.winner is None:
        raise InputError(f"{run.path}: the run has no front to be tested")
    members = [one.candidate for one in front]
    gains = {} if view.as_search is None else view.as_search.front_gains
    confirmed = {str(one) for one in (*gains, default_of(view))} if gains else ()
    places = shown_of(members, goal.aim.show, view.winner, confirmed)
    shown = tuple(members[place] for place in places)
    default = default_of(view)
    if shown == (default,):
        raise NothingToTest(f"{run.path}: the front is {default} alone", default)
    return Task(kind="front", result=shown, others=(default,), best=view.winner.id)


def _chosen_team(run: RunLog, size: int | None) -> Task:
    """A team of the candidates of a run."""
    known = read_costs(run.log)
    found = choose(known, size=size)
    if len(found.members) < 2:
        raise InputError(
            f"{run.path}: no team is shown to be better than the single best, {found.single}; name "
            "a size to test one, or test the winner by `racing test`"
        )
    return _task_of(known, found.single, [one.candidate for one in found.members])


def _task_of(known: KnownCosts, single: Candidate, team: Sequence[Candidate]) -> Task:
    default = [] if known.default is None else [known.candidates[known.default]]
    return Task(kind="team", result=tuple(team), others=tuple(dict.fromkeys((single, *default))))


# --- what a test says -------------------------------------------------------------------------


def compared(races: Sequence[Race], task: Task) -> UnseenTest:
    """What the races of a task say: one, or of a team one with the seeds of each member."""
    race, runs = races[0], [_runs(races, task, one) for one in task.entrants]
    instances = [race.instance(step) for step in range(len(race.results.costs))]
    metrics = race.goal.front if race.goal is not None and task.kind == "front" else ()
    once = _team_gains(races, task, most=1) if task.kind == "team" else ()
    front = race.front_standing().front if task.kind == "front" else ()
    known = dict(zip(race.candidates, task.entrants, strict=False))
    return UnseenTest(
        kind=task.kind,
        result=task.result,
        others=task.others,
        drawn=task.drawn,
        instances=tuple(one.name for one in instances),
        families=tuple(one.family for one in instances if one.family),
        costs=np.column_stack([costs[:, 0] for costs, _, _ in runs]),
        failed=np.column_stack([failed[:, 0] for _, failed, _ in runs]),
        metrics=tuple(race.results.of(name).costs for name in metrics),
        groups=() if race.results.groups is None else tuple(race.results.groups.tolist()),
        gains=_gains(race, task) or (_team_gains(races, task) if len(races) > 1 else once),
        once=once,
        means=tuple(place(one, race.direction) for _, _, one in runs),
        best=task.best,
        undominated=frozenset(known[one.candidate].id for one in front),
    )


def _ran(races: Sequence[Race], task: Task, one: Candidate) -> dict[int, tuple[Race, int]]:
    """Number of a race → the race and the column of an entrant there, its own race first.

    That is where it runs as a member, else the first.
    """
    places = task.places if len(races) > 1 else (task.entrants,)
    own = task.result.index(one) if one in task.result and len(races) > 1 else 0
    order = sorted(range(len(races)), key=lambda lap: lap != own)
    return {lap: (races[lap], places[lap].index(one)) for lap in order if one in places[lap]}


def _runs(races: Sequence[Race], task: Task, one: Candidate) -> tuple[Floats, Bools, Standing]:
    """(n, r) costs and failures of an entrant in its r races; its standing in the first of them."""
    ran = [*_ran(races, task, one).values()]
    race, column = ran[0]
    standing = {each.candidate: each for each in race.ranking()}[race.candidates[column]]
    costs = np.column_stack([race.results.costs[:, column] for race, column in ran])
    failed = np.hstack([race.results.lost([column]) for race, column in ran])
    return costs, failed, replace(standing, candidate=one)


def _gains(race: Race, task: Task) -> tuple[Gain, ...]:
    """Of a winner or a front; () of a team."""
    if task.kind != "winner":
        return _front_gains(race, task) if task.kind == "front" else ()
    problems = [race.instance(step).number for step in range(len(race.results.costs))]
    two = task.result[0], task.others[0]
    found = gain_in(
        race.results, [0, 1], two, objective=race.objective, of="unseen", problems=problems
    )
    return () if found is None else (found,)


def _front_gains(race: Race, task: Task) -> tuple[Gain, ...]:
    """Of each member of a front over the default, in each metric."""
    goal, results, (default,) = race.goal, race.results, task.others
    assert goal is not None
    others = [place for place, one in enumerate(task.entrants) if one != default]
    order = [*others, task.entrants.index(default)]
    costs = np.stack([results.of(name).costs for name in goal.front], axis=2)[:, order]
    found = simultaneous(
        costs, costs[:0], problems=_problems(race), metrics=goal.front,
        names=[task.entrants[place] for place in order],
        rng=stream(race.seed, Purpose.FRONT, len(costs), 2), failed=results.lost(order),
    )  # fmt: skip
    return tuple(one for own in found for one in own)


def _problems(race: Race) -> list[Hashable]:
    """What the costs on each instance are one observation of."""
    return [race.instances.label_at(step, race.seed) for step in range(len(race.results.costs))]


def _exchanged(races: Sequence[Race], task: Task, best: Floats) -> Floats:
    """(n,) the cost of a team, of which two members may exchange their seeds.

    Where both ran with the other's seed too, as the single best and the default do, it is the mean
    of both ways. To the best of all runs of another this has the same expected difference, and less
    variance. Where one way failed, it stays as it is.
    """
    ran = [_ran(races, task, one) for one in task.result]
    for i, j in combinations(range(len(ran)), 2):
        if j in ran[i] and i in ran[j]:
            laps = {**{one: one for one in range(len(ran))}, i: j, j: i}
            cells = (ran[one][lap] for one, lap in laps.items())
            other = np.min([race.results.costs[:, column] for race, column in cells], axis=0)
            return np.where(np.isfinite(best + other), (best + other) / 2, best)
    return best


def _team_gains(races: Sequence[Race], task: Task, most: int | None = None) -> tuple[Gain, ...]:
    """Of a team over the best run of each other, of all its runs or so many."""
    members = [_runs(races, task, one) for one in task.result]
    best = np.min([costs[:, 0] for costs, _, _ in members], axis=0)
    lost = np.all([failed[:, 0] for _, failed, _ in members], axis=0)
    if most is None:
        best = _exchanged(races, task, best)
    what = "one run of" if most == 1 else f"the best of {len(races)} runs of"

    def over(one: Candidate) -> Gain:
        costs, failed, _ = _runs(races, task, one)
        return gain(
            np.column_stack([best, costs[:, :most].min(axis=1)]), mean=True, name="the team",
            over=f"{what} {one}", of="unseen", problems=_problems(races[0]),
            skewed=True if most == 1 else "perhaps",
            failed=np.column_stack([lost, failed[:, :most].all(axis=1)]),
        )  # fmt: skip

    return tuple(map(over, task.others))


# --- seeds --------------------------------------------------------------------------------------


def takes_seeds(scenario: Scenario) -> bool:
    """Whether the target is told a seed; what a function does with it is its own affair."""
    target = scenario.target
    return not isinstance(target, Command) or any(
        name == "seed" for argument in target.arguments for _, name in argument
    )


def with_seeds(source: InstanceSource, scenario: Scenario, lap: int) -> InstanceSource:
    """The instances with the seeds of a member of a team, by its number from 0."""
    problems = [
        replace(one, seeds=_seeds_of_lap(scenario.seed, one.name, one.seeds, lap))
        for one in source.problems(Path(scenario.folder))
    ]
    return replace(source, list=problems, glob=None, file=None)


def _seeds_of_lap(seed: int, name: str, fixed: Sequence[int], lap: int) -> tuple[int, ...]:
    """Of an instance: first those that are fixed, then as many that no lap before has."""
    had = max(len(fixed), 1)
    return seeds_of(seed, name, {name: fixed}, (lap + 1) * had)[lap * had :]


# --- finished tests beside a log --------------------------------------------------------------


def recorded(log: str | os.PathLike[str], view: View) -> tuple[UnseenTest, ...]:
    """The finished tests of a run's result that are recorded beside its log, one of each kind.

    Of several tests of a winner, that against the default, else the latest; of a front or a team
    the latest. A test of an earlier result, before the run was extended, is not of this one.

    Parameters
    ----------
    log
        The log of the run.
    view
        The run, as it is now.
    """
    if view.stopped is None or view.winner is None:
        return ()
    return tuple(test for find in (_winners, _fronts, _teams) for test in find(Path(log), view))


def _winners(log: Path, view: View) -> list[UnseenTest]:
    found = []
    for trial in finished_tests(log, KINDS["winner"]):
        pair = _known(view, trial)
        if len(pair) == 2 and trial.winner is not None and pair[0] == best_of(view):
            drawn = drawn_at_random(view, pair[1])
            task = Task(kind="winner", result=pair[:1], others=pair[1:], drawn=drawn)
            found.append(compared([trial], task))
    usual = [one for one in found if one.others == (default_of(view),)]
    return (usual or found)[-1:]


def _fronts(log: Path, view: View) -> Iterator[UnseenTest]:
    default, winner = default_of(view), view.winner
    for trial in reversed(list(finished_tests(log, KINDS["front"])) if is_front(view) else []):
        known = _known(view, trial)
        if trial.goal is not None and winner is not None and {default, winner} <= {*known}:
            result = known if default in known[:-1] else known[:-1]
            task = Task(kind="front", result=result, others=(default,), best=winner.id)
            yield compared([trial], task)
            return


def _teams(log: Path, view: View) -> Iterator[UnseenTest]:
    """The test of a search's team; else of a team that is chosen of the run's candidates again."""
    by_word = {word: [*finished_tests(log, word)][::-1] for word in (MEMBER, KINDS["team"])}
    own = None if view.as_search is None else _team_task(view.as_search)
    tasks = [own] if own is not None else _teams_of(log, *by_word.values())
    tests = (
        compared(races, task)
        for task in tasks
        for word, places in ((MEMBER, task.places), (KINDS["team"], (task.entrants,)))
        if (races := _races(by_word[word], places))
    )
    yield from islice(tests, 1)


def _teams_of(log: Path, by_member: Sequence[Race], at_once: Sequence[Race]) -> Iterator[Task]:
    """The teams of a run that `racing portfolio` chooses, up to the size of what was tested."""
    largest = max(len(by_member), *(len(one.candidates) for one in at_once), 1)
    if largest == 1:
        return  # nothing was tested
    try:
        known = read_costs(log)
        found = choose(known, size=min(largest, len(known.candidates)))
    except InputError:
        return  # the run has become one of which no team is chosen
    for size in found.sizes[1:]:
        yield _task_of(known, found.single, size.members)


def _races(trials: Sequence[Race], places: Sequence[Sequence[Candidate]]) -> list[Race]:
    """The latest races of these candidates, each with the next seeds; [] if one is not there."""
    known = [([one.values for one in trial.candidates], _met(trial)) for trial in trials]
    for trial, (_, met) in zip(trials, known, strict=True):
        wanted = [
            (
                [one.values for one in place],
                [(name, _seeds_of_lap(trial.seed, name, seeds, lap)) for name, seeds in met],
            )
            for lap, place in enumerate(places)
        ]
        if all(one in known for one in wanted):
            return [trials[known.index(one)] for one in wanted]
    return []


def _met(trial: Race) -> list[tuple[str, tuple[int, ...]]]:
    """The instances of a race, each with its seeds."""
    met: dict[str, tuple[int, ...]] = {}
    for one in map(trial.instance, range(len(trial.results.costs))):
        met[one.name] = (*met.get(one.name, ()), one.seed)
    return [*met.items()]


def _known(view: View, trial: Race) -> tuple[Candidate, ...]:
    """Those of a test as the run knows them, winner and default first; () if it lacks one."""
    known = [one for one in (best_of(view), default_of(view), *view.candidates) if one is not None]
    found = [next((one for one in known if one.values == tried.values), None)
             for tried in trial.candidates]  # fmt: skip
    return tuple(one for one in found if one is not None) if None not in found else ()
