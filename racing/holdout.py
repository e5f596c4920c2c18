"""The winner of a run against another candidate, on instances that the race has not seen."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError, NothingToTest, TargetError, did_you_mean
from racing.log import SQLiteLog, replay
from racing.loop import RunOptions
from racing.preflight import as_now
from racing.race import Race, Stop
from racing.records import FieldErrors
from racing.rules.none import Keep
from racing.runs import resume, run
from racing.scenario import (
    CandidateSource,
    Entry,
    InstanceSource,
    Problem,
    RaceSettings,
    Scenario,
)
from racing.sketches import default_of
from racing.stats.effects import MedianDifference, Superiority, median_difference, vargha_delaney
from racing.stats.wilcoxon import SignedRanks, wilcoxon


@dataclass(frozen=True, kw_only=True)
class Holdout:
    """How two candidates compare on held-back instances.

    Attributes
    ----------
    winner, against
        The two.
    instances
        Names of the instances, in the order of the costs.
    costs : (n, 2) array
        Of the winner and of the other; lower is better, +inf = failed.
    difference
        Median (Hodges-Lehmann) of other − winner with its interval: above 0 the winner is better.
    superiority
        The chance that the winner is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided.
    """

    winner: Candidate
    against: Candidate
    instances: tuple[str, ...]
    costs: np.ndarray
    difference: MedianDifference
    superiority: Superiority
    test: SignedRanks


def holdout(
    log: str | os.PathLike[str],
    instances: InstanceSource | Sequence[str] | None = None,
    *,
    against: str | None = None,
    record: str | os.PathLike[str] | None = None,
    options: RunOptions | None = None,
) -> Holdout | None:
    """Evaluate a run's winner and another candidate on instances held back from the race.

    Parameters
    ----------
    log
        The log of the run.
    instances
        Where they come from; by default the scenario's `test_instances`. Names alone are seen from
        the current folder, and have to be files if all of the race's own are; a folder stands for
        the files in it, a pattern for those that match. Those that the race has met are refused.
    against
        Name or id (`#3`) of the other candidate; by default the default configuration, or else the
        run's first.
    record
        Log of these evaluations; one that exists is gone on with, so nothing is evaluated twice.
        Default: beside `log`, with `.test` before its ending; `.test2` and so on where a run that
        was extended has another winner now.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The comparison, or None if it was interrupted; calling again goes on.

    Raises
    ------
    InputError
        If the run has no winner, or no such candidate, or the winner is that candidate (as
        `NothingToTest` if it is so by default); if there are no instances, or one is not held out;
        if `record` holds another test.
    TargetError
        If every evaluation failed, or one did and the scenario says to stop then.
    """
    log = Path(log)
    scenario, winner, other, met = _pair(log, against)
    trial = _trial(scenario, winner, other, _held_back(log, scenario, instances))
    _check_holdout(log, trial, met)
    record = Path(record) if record else _own_record(log, trial)
    if record.exists():
        _check_same(record, trial)
        race = resume(record, options=options)
    else:
        race = run(trial, log=record, options=options)
    if race.stopped in (Stop.TARGET_FAILED, Stop.ALL_FAILED):
        raise TargetError(f"{record}: {race.stopped.meaning}; see `racing show {record}`")
    assert isinstance(race, Race)
    return _compared(race, winner, other) if race.done else None


def _compared(race: Race, winner: Candidate, other: Candidate) -> Holdout:
    costs = race.results.costs
    return Holdout(
        winner=winner,
        against=other,
        instances=tuple(race.instance(step).name for step in range(len(costs))),
        costs=costs,
        difference=median_difference(costs[:, 0], costs[:, 1]),
        superiority=vargha_delaney(costs[:, 0], costs[:, 1], paired=True),
        test=wilcoxon(costs[:, 0], costs[:, 1]),
    )


def _pair(log: Path, against: str | None) -> tuple[Scenario, Candidate, Candidate, set[str]]:
    """The scenario of a run, its winner, the candidate to hold it to, and the instances met."""
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        scenario = Scenario.from_dict(book.header.scenario)
        met = {_path(instance.name, scenario.folder) for instance in book.instances()}
    winner, candidates = race.winner, race.candidates
    if winner is None:
        raise InputError(f"{log}: the run has no winner to be tested")
    names = {f"#{candidate.id}": candidate for candidate in candidates}
    names |= {str(candidate): candidate for candidate in candidates}
    other = default_of(race) if against is None else names.get(against)
    if other is None:
        raise InputError(
            f"{log}: no candidate is called {against!r}{did_you_mean(against or '', names)}"
        )
    if other == winner:
        why = f"{log}: the winner is candidate {other} itself; name another one to hold it to"
        raise NothingToTest(why, other) if against is None else InputError(why)
    return scenario, winner, other, met


def _held_back(
    log: Path, scenario: Scenario, instances: InstanceSource | Sequence[str] | None
) -> InstanceSource:
    """The instances of the trial."""
    if isinstance(instances, InstanceSource):
        return instances
    if not instances:
        if scenario.test_instances is None:
            raise InputError(
                f"{log}: its scenario has no test_instances; name instances that were held back"
            )
        return scenario.test_instances
    files = all(isinstance(one, Problem) and one.file for one in scenario.instances.list)
    paths = [path for given in instances for path in _paths(given)]
    seen = (os.path.abspath(path) if files or os.path.exists(path) else path for path in paths)
    return InstanceSource(list=[Problem(path, file=files) for path in seen], order="listed")


def _paths(given: str) -> list[str]:
    """An instance; or the files of a folder, or those that match a pattern."""
    if os.path.isdir(given) or (glob.has_magic(given) and not os.path.exists(given)):
        try:
            return [one.name for one in InstanceSource(glob=given).problems(Path())]
        except FieldErrors as error:
            raise InputError(f"{given}: {error.errors[0].message}") from None
    return [given]


def _trial(
    scenario: Scenario, winner: Candidate, other: Candidate, instances: InstanceSource
) -> Scenario:
    """The scenario of the trial: two candidates, everybody stays, every instance once."""
    return replace(
        scenario,
        name=f"{scenario.name} on held-back instances",
        candidates=CandidateSource(
            list=(Entry(winner.values, "winner"), Entry(other.values, "against"))
        ),
        instances=instances,
        search=None,
        test_instances=None,
        budget=Budget(),
        race=RaceSettings(first_test=1),
        rule=Keep(),
    )


def _path(name: str, folder: str) -> str:
    """An instance's name, so that one file has one name from wherever it is seen."""
    path = os.path.join(folder, name)
    return os.path.realpath(path) if os.path.exists(path) else name


def _check_holdout(log: Path, trial: Scenario, met: set[str]) -> None:
    names = trial.plan.instances.names
    if known := [name for name in names if _path(name, trial.folder) in met]:
        more = f" and {len(known) - 1} others" if len(known) > 1 else ""
        raise InputError(
            f"{log}: the race has met {known[0]}{more}; a fair test needs instances held back"
        )


def _own_record(log: Path, trial: Scenario) -> Path:
    """The first record beside a log that is free, or holds a test of these candidates."""
    for number in count(1):
        record = log.with_suffix(f".test{number if number > 1 else ''}.sqlite")
        if not record.exists() or _kept(record)["candidates"] == _written(trial)["candidates"]:
            return record
    raise AssertionError


def _kept(record: Path) -> Mapping[str, Any]:
    with SQLiteLog.open(record, write=False) as book:
        return as_now(book.header.scenario)


def _written(trial: Scenario) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(trial.to_dict(resolved=True)))
    return written


def _check_same(record: Path, trial: Scenario) -> None:
    """Refuse a record of other candidates or instances."""
    kept, wanted = _kept(record), _written(trial)
    for part in ("candidates", "instances"):
        if kept[part] != wanted[part]:
            raise InputError(
                f"{record} holds a test of other {part}; name another record, or delete that one"
            )
