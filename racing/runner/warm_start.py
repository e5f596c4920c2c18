"""Uses earlier logs: extends a run, or starts another one from the best candidates."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from racing.base.errors import InputError, RaceError
from racing.base.records import Record
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.stop import Stop
from racing.log import Extension, Finish, Log, SQLiteLog, replay
from racing.log.headers import added_to
from racing.scenario import CandidateSource, Entry, InstanceSource, Problem, Scenario
from racing.space import Space, Value
from racing.space.configurations import Reading


def extension_of(
    log: Log, more: Budget | None, instances: Sequence[Mapping[str, object]] = ()
) -> Extension:
    """The extension of a run by a budget, by instances, or by both, counted from its start.

    A run that is not over can have more instances: what it has begun ends there.

    Raises
    ------
    InputError
        If the run is not over and gets a budget, or these cannot continue it.
    """
    if log.finished is None and more is not None:
        raise InputError("the run is not over: resume it without a budget, then extend it")
    decider = replay(log)
    if log.finished is None:
        decider.end(Stop.MORE_INSTANCES)
    budget = decider.budget if more is None else _in_all(log, decider.spent, more)
    winner = None if decider.winner is None else decider.winner.id
    finish = log.finished or Finish(stopped=Stop.MORE_INSTANCES, winner=winner)
    try:
        decider.extend(budget, added_to(log.header, instances))
    except RaceError as error:
        raise InputError(str(error)) from error
    if instances and decider.stopped is not None:
        raise InputError(
            f"more instances change nothing: {decider.stopped.meaning}; give more budget too, with "
            "`--budget +N`, in Python budget=N"
        )
    return Extension(
        after=decider.outcomes, budget=budget, finish=finish, instances=tuple(instances)
    )


def _in_all(log: Log, spent: Spent, more: Budget) -> Budget:
    """What a run may use in all, if it gets so much more."""
    limits = {
        name: getattr(spent, name) + extra
        for name, extra in asdict(more).items()
        if extra is not None
    }
    if more.wall_time is not None:
        limits["wall_time"] = log.elapsed + more.wall_time
    return Budget(**limits)


def named(
    scenario: Scenario, known: Collection[str], instances: Sequence[str | Problem] | str
) -> list[dict[str, Any]]:
    """Instances to add, as in the list of a scenario; files are required from now on.

    Parameters
    ----------
    known
        The names of those that the run has.
    instances
        As in a scenario: a list, or a pattern of files or a folder, relative to its folder.

    Raises
    ------
    InputError
        If the run has one already, or only Python could give it to the target.
    """
    folder = Path(scenario.folder)
    key, known = "glob" if isinstance(instances, str) else "list", {*known}
    given: dict[str, Any] = {"list": (), "glob": None, "file": None, key: instances}
    source = replace(scenario.instances, **given)
    found = [replace(one, name=_inside(one.name, folder)) for one in source.problems(folder)]
    for one in found:
        if one.problem is not None:
            raise InputError(f"{one.name} is an object of Python, and a log has names: give names")
        if one.name in known:
            raise InputError(f"the run has the instance {one.name} already; leave it out")
        known.add(one.name)
    return list(Record(InstanceSource).write(source.written_out(found, folder))["list"])


def _inside(name: str, folder: Path) -> str:
    """A file by its name in the folder, if it is there."""
    path = Path(name)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else name


@dataclass(frozen=True, kw_only=True)
class WarmStart:
    """A scenario with the best configurations of earlier runs.

    Attributes
    ----------
    scenario
        With these configurations among its candidates.
    taken
        These configurations, with their names in the scenario, the best of each log first.
    left_out
        The unusable ones, with the reasons.
    """

    scenario: Scenario
    taken: tuple[Entry, ...]
    left_out: tuple[str, ...]


def start_from(
    scenario: Scenario, logs: Sequence[str | os.PathLike[str]], *, most: int = 4
) -> WarmStart:
    """Add the best configurations of earlier runs to a scenario.

    Only configurations are taken, no outcomes: they were chosen by these outcomes, which would
    therefore be biased.

    Parameters
    ----------
    logs
        Of runs with the same parameters; unfinished runs are allowed.
    most
        The most configurations from each, the best first: the winner, then the other elites of a
        search or survivors of a race.

    Raises
    ------
    LogError
        If one cannot be read.
    InputError
        If none of their configurations can be used.
    """
    known = {_identity(one.values, scenario.space) for one in scenario.plan.candidates}
    taken: list[Entry] = []
    left_out: list[str] = []
    for log in logs:
        for candidate in _best(Path(log), most):
            name = f"{Path(log).stem}:{candidate}"
            values, why = _fitted(candidate, scenario.space)
            if why:
                left_out.append(f"{name}: {why}")
            elif (key := _identity(values, scenario.space)) not in known:
                known.add(key)
                taken.append(Entry(values, name))
    if not taken and left_out:
        raise InputError(f"no earlier configuration can be used: {left_out[0]}")
    entries = [Entry(one.values, one.name) for one in scenario.plan.candidates]
    source = CandidateSource(list=(*entries, *taken)) if entries or taken else None
    return WarmStart(
        scenario=replace(scenario, candidates=source),
        taken=tuple(taken),
        left_out=tuple(left_out),
    )


def _best(log: Path, most: int) -> list[Candidate]:
    """The candidates of a log, the winner first, then by standing."""
    with SQLiteLog.open(log, write=False) as book:
        decider = replay(book)
    ranked = [standing.candidate for standing in decider.ranking()]
    winner = [decider.winner] if decider.winner is not None else []
    return [*winner, *(one for one in ranked if one not in winner)][:most]


def _fitted(candidate: Candidate, space: Space | None) -> tuple[dict[str, Value], str]:
    """The values in the space's form, or the reason why they do not fit."""
    if space is None:
        return dict(candidate.values), ""
    reading = Reading(space, candidate.values)
    return dict(reading.values), "; ".join(_words(reading.errors))


def _words(errors: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name}: {message}" for name, message in errors)


def _identity(values: Mapping[str, Value], space: Space | None) -> object:
    """A key that is equal for equal configurations."""
    if space is not None:
        return space.key(space.complete(values))
    return frozenset((name, isinstance(value, bool), value) for name, value in values.items())
