"""Going on from what earlier logs know: more budget for a run, or its best for another run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError, RaceError
from racing.log import Log, SQLiteLog, replay
from racing.scenario import CandidateSource, Entry, Scenario
from racing.space import Space, Value
from racing.space.configurations import Reading


def extended(log: Log, more: Budget) -> Budget:
    """The limits of a run that is over with so much in addition, counted from its start.

    Raises
    ------
    InputError
        If the run is not over, or more of this does not let it go on.
    """
    if log.finished is None:
        raise InputError("the run is not over: resume it without a budget, then extend it")
    decider = replay(log)
    limits = {
        name: getattr(decider.spent, name) + extra
        for name, extra in asdict(more).items()
        if extra is not None
    }
    if more.wall_time is not None:
        limits["wall_time"] = log.elapsed + more.wall_time
    budget = Budget(**limits)
    try:
        decider.extend(budget)
    except RaceError as error:
        raise InputError(str(error)) from error
    return budget


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What earlier runs found best, for a scenario.

    Attributes
    ----------
    scenario
        With these configurations among its candidates.
    taken
        Them, with the names that they have in the scenario, the best of each log first.
    left_out
        What cannot be used, and why.
    """

    scenario: Scenario
    taken: tuple[Entry, ...]
    left_out: tuple[str, ...]


def start_from(
    scenario: Scenario, logs: Sequence[str | os.PathLike[str]], *, most: int = 4
) -> Earlier:
    """A scenario that starts with what earlier runs found best.

    Only configurations are taken, no outcomes: the earlier runs chose these configurations by
    their outcomes, which would favour them over new ones.

    Parameters
    ----------
    logs
        Of runs with the same parameters; runs that are not over will do.
    most
        How many configurations to take from each, the best first: the winner, then the other
        elites of a search or survivors of a race.

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
    return Earlier(
        scenario=replace(scenario, candidates=source),
        taken=tuple(taken),
        left_out=tuple(left_out),
    )


def _best(log: Path, most: int) -> list[Candidate]:
    """The winner of a log, then those that stand behind it."""
    with SQLiteLog.open(log, write=False) as book:
        decider = replay(book)
    ranked = [standing.candidate for standing in decider.ranking()]
    winner = [decider.winner] if decider.winner is not None else []
    return [*winner, *(one for one in ranked if one not in winner)][:most]


def _fitted(candidate: Candidate, space: Space | None) -> tuple[dict[str, Value], str]:
    """The values as the space has them, or why it cannot."""
    if space is None:
        return dict(candidate.values), ""
    reading = Reading(space, candidate.values)
    return dict(reading.values), "; ".join(_words(reading.errors))


def _words(errors: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name}: {message}" for name, message in errors)


def _identity(values: Mapping[str, Value], space: Space | None) -> object:
    """What equal configurations share."""
    if space is not None:
        return space.key(space.complete(values))
    return frozenset((name, isinstance(value, bool), value) for name, value in values.items())
