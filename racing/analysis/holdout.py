"""The winner of a run against another candidate, on instances that the race has not seen."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from racing.base import words
from racing.base.errors import InputError, NothingToTest, RacingError, TargetError, did_you_mean
from racing.base.records import FieldErrors
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.constraints import Kept, kept
from racing.core.view import View, best_of, default_of, drawn_at_random
from racing.log import Log, SQLiteLog, replay
from racing.race import Race, Stop
from racing.rules.none import Keep
from racing.runner.known_seeds import with_kept_seeds
from racing.runner.loop import RunOptions
from racing.runner.preflight import as_now
from racing.runner.run import resume, run
from racing.scenario import (
    CandidateSource,
    Entry,
    InstanceSource,
    Problem,
    RaceSettings,
    Scenario,
)
from racing.stats.clusters import group_means
from racing.stats.effects import MedianDifference, Superiority, median_difference, vargha_delaney
from racing.stats.wilcoxon import SignedRanks, wilcoxon


@dataclass(frozen=True, kw_only=True, eq=False)
class Holdout:
    """How two candidates compare on held-back instances.

    Attributes
    ----------
    winner, against
        The two.
    drawn
        Whether `against` was drawn at random, as there was no default: it says nothing that the
        winner is better.
    instances
        Names of the instances, in the order of the costs.
    families
        The family of each; () if none is said.
    metrics
        The mean score of each metric, where there are several: of the winner, and of the other.
    metric
        What the costs are of, where the objective asks for more than that; else empty.
    limits
        Whether the winner meets each constraint on these instances.
    other_limits
        Whether the other one does.
    costs : (n, 2) array
        Of the winner and of the other; lower is better, +inf = failed.
    groups
        The group of each instance, by number; () if they are independent. Then `difference` and
        `test` are of the means of groups, each of which counts once.
    difference
        Median (Hodges-Lehmann) of other − winner with its interval: above 0 the winner is better.
    superiority
        The chance that the winner is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided.
    """

    winner: Candidate
    against: Candidate
    drawn: bool
    instances: tuple[str, ...]
    costs: np.ndarray
    difference: MedianDifference
    superiority: Superiority
    test: SignedRanks
    families: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    metrics: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    metric: str = ""
    limits: tuple[Kept, ...] = ()
    other_limits: tuple[Kept, ...] = ()

    def __repr__(self) -> str:
        gain, on = self.difference, words.count(len(self.instances), "instance")
        ends = f"{words.number(gain.low)} to {words.number(gain.high)}"
        return (
            f"<Holdout: {self.winner} against {self.against} on {on}, median gain "
            f"{words.number(gain.estimate)} ({ends}), p = {words.number(self.test.pvalue, 2)}>"
        )


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
        Where they come from; by default the scenario's `test_instances`. Names alone are relative
        to the current folder, and have to be files if all of the race's own are; a folder stands
        for the files in it, a pattern for those that match. Those that the race has met are
        refused.
    against
        Name or id (`#3`) of the other candidate; by default the default configuration, or else the
        run's first.
    record
        Log of these evaluations; an existing one is resumed, so nothing is evaluated twice.
        Default: beside `log`, with `.test` before its ending; `.test2` and so on for other
        instances or another winner, which reuse what the records before them hold.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The comparison, or None if it was interrupted; the same call again resumes it.

    Raises
    ------
    InputError
        If the run has no winner, or no such candidate, or the winner is that candidate (as
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
    >>> bool(found.test.pvalue < 0.05)
    True
    """
    log = Path(log)
    scenario, winner, other, met, drawn = _pair(log, against)
    entries = Entry(winner.values, "winner"), Entry(other.values, "against")
    race = run_unseen(
        log, scenario, entries, instances, met=met, record=record, kind="test", options=options
    )
    return None if race is None else _compared(race, winner, other, drawn)


def run_unseen(
    log: Path,
    scenario: Scenario,
    entries: Sequence[Entry],
    instances: InstanceSource | Sequence[str] | None,
    *,
    met: set[str],
    record: str | os.PathLike[str] | None,
    kind: str,
    options: RunOptions | None,
) -> Race | None:
    """Run candidates of a run on every instance held back, or continue that.

    Parameters
    ----------
    met
        The instances that the run has met: see `met_by`.
    record, kind
        Where it is recorded; by default beside `log`, with this word before its ending.

    Returns
    -------
    The race, which dropped none; None if it was interrupted.
    """
    trial = _trial(scenario, entries, held_back(log, scenario, instances))
    _check_holdout(log, trial, met)
    if record:
        record = Path(record)
        _check_same(record, trial)
    else:
        record, trial = _own_record(log, trial, kind)
    if record.exists():
        race = resume(record, options=options)
    else:
        race = run(trial, log=record, options=options)
    if race.stopped in (Stop.TARGET_FAILED, Stop.ALL_FAILED):
        raise TargetError(f"{record}: {race.stopped.meaning}; see `racing show {record}`")
    assert isinstance(race, Race)
    return race if race.done else None


def met_by(log: Log, folder: str) -> set[str]:
    """The instances that a run has met."""
    return {_path(instance.name, folder) for instance in log.instances()}


def recorded(log: str | os.PathLike[str], race: View) -> Holdout | None:
    """The finished test of a run's winner that is recorded beside its log.

    Of several, the one against the default, else the latest. A test of an earlier winner, before
    the run was extended, is not of this one.

    Parameters
    ----------
    race
        The run, as it is now.

    Returns
    -------
    The comparison, or None if there is no such record, or its test is not over.
    """
    found = [one for trial in finished_tests(Path(log), "test") if (one := _recorded(trial, race))]
    usual = [one for one in found if one.against == default_of(race)]
    return next(reversed(usual or found), None)


def _recorded(trial: Race, race: View) -> Holdout | None:
    if len(trial.candidates) != 2 or trial.winner is None:
        return None
    pair = [same_candidate(race, tried) for tried in trial.candidates]
    if pair[0] is None or pair[1] is None or pair[0] != best_of(race):
        return None
    return _compared(trial, pair[0], pair[1], drawn_at_random(race, pair[1]))


def same_candidate(race: View, tried: Candidate) -> Candidate | None:
    """The candidate of a run with these values, the winner and the default before others."""
    known = (best_of(race), default_of(race), *race.candidates)
    return next((one for one in known if one is not None and one.values == tried.values), None)


def _compared(race: Race, winner: Candidate, other: Candidate, drawn: bool) -> Holdout:
    costs, groups = race.results.costs, race.results.groups
    labels = () if groups is None else tuple(groups.tolist())
    rows = group_means(costs, labels) if labels else costs
    instances = [race.instance(step) for step in range(len(costs))]
    return Holdout(
        winner=winner,
        against=other,
        drawn=drawn,
        instances=tuple(one.name for one in instances),
        costs=costs,
        difference=median_difference(rows[:, 0], rows[:, 1]),
        superiority=vargha_delaney(costs[:, 0], costs[:, 1], paired=True),
        test=wilcoxon(rows[:, 0], rows[:, 1]),
        families=tuple(one.family for one in instances if one.family),
        groups=labels,
        **_several(race),
    )


def _several(race: Race) -> dict[str, Any]:
    """What only a test of several metrics has; the winner is the first candidate."""
    if race.goal is None:
        return {}
    own, other = sorted(race.ranking(), key=lambda one: one.candidate.id)
    return {
        "metrics": {name: (own.metrics[name], other.metrics[name]) for name in own.metrics},
        "metric": race.goal.of_one,
        "limits": tuple(kept(race.goal, race.results, 0)),
        "other_limits": tuple(kept(race.goal, race.results, 1)),
    }


def _pair(log: Path, against: str | None) -> tuple[Scenario, Candidate, Candidate, set[str], bool]:
    """The scenario of a run, its winner, the candidate to compare it with, and the instances met.

    Last, whether the other candidate was drawn at random, for want of a default.
    """
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        scenario = Scenario.from_dict(book.header.scenario)
        met = met_by(book, scenario.folder)
    winner, candidates = best_of(race), race.candidates
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
    return scenario, winner, other, met, against is None and drawn_at_random(race, other)


def held_back(
    log: Path, scenario: Scenario, instances: InstanceSource | Sequence[str] | None
) -> InstanceSource:
    """The instances of the trial, with the families of the scenario where these fit."""
    if isinstance(instances, InstanceSource):
        return instances
    if instances:
        source = _named(scenario, instances)
    elif scenario.test_instances is None:
        raise InputError(
            f"{log}: its scenario has no test_instances; name instances that were held back"
        )
    else:
        source = scenario.test_instances
    if source.family is None and scenario.instances.family is not None:
        told = replace(source, family=scenario.instances.family)
        with suppress(FieldErrors):
            told.problems(Path(scenario.folder))
            return told
    return source


def _named(scenario: Scenario, instances: Sequence[str]) -> InstanceSource:
    """Instances by their names, files, folders and patterns, seen from the current folder."""
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


def _trial(scenario: Scenario, entries: Sequence[Entry], instances: InstanceSource) -> Scenario:
    """The scenario of the trial: some candidates, none is dropped, every instance once."""
    return replace(
        scenario,
        name=f"{scenario.name} on held-back instances",
        candidates=CandidateSource(list=entries),
        instances=instances,
        search=None,
        test_instances=None,
        budget=Budget(),
        race=RaceSettings(first_test=1, each_test=10**6),  # so that every row is certain
        rule=Keep(),
    )


def _path(name: str, folder: str) -> str:
    """An instance's name: a file has the same name, whatever the current folder is."""
    path = os.path.join(folder, name)
    return os.path.realpath(path) if os.path.exists(path) else name


def _check_holdout(log: Path, trial: Scenario, met: set[str]) -> None:
    names = trial.plan.instances.names
    if known := [name for name in names if _path(name, trial.folder) in met]:
        more = f" and {len(known) - 1} others" if len(known) > 1 else ""
        raise InputError(
            f"{log}: the race has met {known[0]}{more}; a fair test needs instances held back"
        )


def _own_record(log: Path, trial: Scenario, kind: str) -> tuple[Path, Scenario]:
    """The first record beside a log that is free, or holds this test; with the test, which reuses.

    What the records before it hold is reused: a test on more instances runs only the new ones.
    """
    for record in _names(log, kind):
        if not record.exists() or not _other_part(record, trial):
            return record, trial
        trial = replace(trial, reuse=(*trial.reuse, os.path.abspath(record)))
    raise AssertionError


def _names(log: Path, kind: str) -> Iterator[Path]:
    """The names of the records beside a log, one after the other, without an end."""
    for number in count(1):
        yield log.with_suffix(f".{kind}{number if number > 1 else ''}.sqlite")


def finished_tests(log: Path, kind: str) -> Iterator[Race]:
    """The finished tests that are recorded beside a log, the oldest first."""
    for record in takewhile(Path.exists, _names(log, kind)):
        try:
            with SQLiteLog.open(record, write=False) as book:
                trial = replay(book)
        except RacingError:
            continue  # it says nothing of this run
        if isinstance(trial, Race) and trial.done and len(trial.results.costs):
            yield trial


def _kept(record: Path) -> Mapping[str, Any]:
    with SQLiteLog.open(record, write=False) as book:
        return as_now(book.header.scenario)


def _written(trial: Scenario) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(trial.to_dict(resolved=True)))
    return written


def _check_same(record: Path, trial: Scenario) -> None:
    """Refuse a record of other candidates or instances."""
    if record.exists() and (part := _other_part(record, trial)):
        raise InputError(
            f"{record} holds a test of other {part}; name another record, or delete that one"
        )


def _other_part(record: Path, trial: Scenario) -> str:
    """The part of a recorded test that differs from this test; empty if it is the same."""
    kept = _kept(record)
    wanted = _written(with_kept_seeds(trial, kept))
    return next((part for part in ("candidates", "instances") if kept[part] != wanted[part]), "")
