"""The front of a run against its default, on instances that the run has not seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis.holdout import finished_tests, met_by, run_unseen, same_candidate
from racing.base.errors import InputError, NothingToTest
from racing.base.seeds import Purpose, stream
from racing.core.aims import Front
from racing.core.candidate import Candidate
from racing.core.gain import Gain
from racing.core.goal import Goal
from racing.core.standing import Standing, from_end_to_end
from racing.core.view import View, default_of
from racing.log import SQLiteLog, replay
from racing.race import Race
from racing.runner.loop import RunOptions
from racing.scenario import Entry, InstanceSource, Scenario
from racing.search.front.gains import simultaneous

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeldOutFront:
    """How the shown front of a run does on instances that the run has not seen.

    Attributes
    ----------
    metrics
        Of the front, in its order.
    default
        The candidate that the front is held to; None if there is none.
    knee
        Id of the best compromise of the run.
    standings
        The shown front by its first metric, and the default, with their mean scores here.
    undominated
        Ids of those that no other of these dominates here.
    gains
        Id → the gain over the default in each metric, with intervals that hold all at once; above 0
        is better. Empty without a default.
    instances
        Their names.
    """

    metrics: tuple[str, ...]
    default: Candidate | None
    knee: int
    standings: tuple[Standing, ...]
    undominated: frozenset[int]
    gains: dict[int, tuple[Gain, ...]]
    instances: tuple[str, ...]


def has_front(log: str | os.PathLike[str]) -> bool:
    """Whether the objective of a run is a front."""
    with SQLiteLog.open(Path(log), write=False) as book:
        objective = book.header.scenario.get("objective")
    return isinstance(objective, dict) and "front" in objective


def front_on_unseen(
    log: str | os.PathLike[str],
    instances: InstanceSource | Sequence[str] | None = None,
    *,
    record: str | os.PathLike[str] | None = None,
    options: RunOptions | None = None,
) -> HeldOutFront | None:
    """Run the shown front and the default on instances held back from the run.

    Parameters
    ----------
    log
        The log of the run.
    instances
        As for `racing.holdout`.
    record
        Log of these evaluations; by default beside `log`, with `.front` before its ending.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The result, or None if it was interrupted; the same call again resumes it.

    Raises
    ------
    InputError
        If the run has no front, there are no instances, or one is not held out.
    TargetError
        If every evaluation failed, or one did and the scenario says to stop then.
    """
    log = Path(log)
    with SQLiteLog.open(log, write=False) as book:
        view = replay(book)
        scenario = Scenario.from_dict(book.header.scenario)
        met = met_by(book, scenario.folder)
    shown, default = _shown(log, view)
    everyone = list(dict.fromkeys([*shown, *([] if default is None else [default])]))
    entries = [Entry(one.values, one.name or f"candidate {one.id}") for one in everyone]
    race = run_unseen(log, scenario, entries, instances, met=met, record=record, kind="front",
                      options=options)  # fmt: skip
    assert view.winner is not None
    return None if race is None else _compared(race, everyone, default, view.winner.id)


def recorded_front(log: str | os.PathLike[str], view: View) -> HeldOutFront | None:
    """The latest finished test of a run's front that is recorded beside its log.

    Parameters
    ----------
    log
        The log of the run.
    view
        The run, as it is now.

    Returns
    -------
    The result, or None if there is no such record.
    """
    trials = list(finished_tests(Path(log), "front"))
    found = (_recorded(trial, view) for trial in reversed(trials))
    return next((one for one in found if one is not None), None)


def _recorded(trial: Race, view: View) -> HeldOutFront | None:
    if trial.goal is None or not trial.goal.front:
        return None
    known = [same_candidate(view, tried) for tried in trial.candidates]
    everyone = [one for one in known if one is not None]
    if len(everyone) < len(known) or view.winner not in everyone:
        return None
    assert view.winner is not None
    default = default_of(view)
    return _compared(trial, everyone, default if default in everyone else None, view.winner.id)


def _shown(log: Path, view: View) -> tuple[list[Candidate], Candidate | None]:
    """The shown front of a run, and the default."""
    goal, front = view.results.goal, view.front_standing().front
    if not isinstance(goal, Goal) or not isinstance(goal.aim, Front):
        raise InputError(f"{log}: the objective is no front")
    if not front or view.winner is None:
        raise InputError(f"{log}: the run has no front to be tested")
    knee = next(place for place, one in enumerate(front) if one.candidate == view.winner)
    places = from_end_to_end(len(front), goal.aim.show, knee)
    shown = [front[place].candidate for place in places]
    default = default_of(view)
    if default is not None and shown == [default]:
        raise NothingToTest(f"{log}: the front is {default} alone", default)
    return shown, default


def _compared(
    race: Race, everyone: Sequence[Candidate], default: Candidate | None, knee: int
) -> HeldOutFront:
    goal, results = race.goal, race.results
    assert goal is not None
    own = {one.id: known for one, known in zip(race.candidates, everyone, strict=True)}
    standings = {
        one.candidate.id: replace(one, candidate=own[one.candidate.id]) for one in race.ranking()
    }
    on_front = [own[one.candidate.id].id for one in race.front_standing().front]
    names = tuple(race.instance(step).name for step in range(len(results.costs)))
    gains: dict[int, tuple[Gain, ...]] = {}
    if default is not None:
        others = [place for place, one in enumerate(everyone) if one != default]
        costs = np.stack([results.of(name).costs for name in goal.front], axis=2)
        costs = costs[:, [*others, everyone.index(default)]]
        rng = stream(race.seed, Purpose.FRONT, len(costs), 2)
        several = simultaneous(costs, costs[:0], problems=names, rng=rng)
        pairs = zip(others, several, strict=True)
        gains = {everyone[place].id: tuple(gained) for place, gained in pairs}
    return HeldOutFront(
        metrics=goal.front,
        default=default,
        knee=knee,
        standings=tuple(standings[id] for id in own),
        undominated=frozenset(on_front),
        gains=gains,
        instances=names,
    )
