"""Runs candidates of a run on instances that it has not met, and records that beside its log."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from racing.analysis.follow_up import RunLog, logs_of, names
from racing.base.errors import InputError, RacingError, TargetError
from racing.base.records import FieldErrors
from racing.core.budget import Budget
from racing.log import SQLiteLog, replay
from racing.log.headers import ON_HELD_BACK
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


def run_unseen(
    log: RunLog, entries: Sequence[Entry], instances: InstanceSource, *,
    record: str | os.PathLike[str] | None, kind: str, options: RunOptions | None,
) -> Race | None:  # fmt: skip
    """Run candidates on every instance, none of which a run has met, or continue that.

    Parameters
    ----------
    log
        Of the run.
    record, kind
        Where it is recorded; by default beside `log`, with this word before its ending.

    Returns
    -------
    The race, which dropped none; None if it was interrupted.

    Raises
    ------
    InputError
        If the function of the run was given by Python code, and its name stands for another one.
    """
    log.check_function()
    trial = _trial(log.scenario, entries, instances)
    _check_holdout(log, trial)
    if record:
        record = Path(record)
        _check_same(record, trial)
    else:
        record, trial = _own_record(log.beside, trial, kind)
    if record.exists() and not _all_failed(record):
        race = resume(record, options=options)
    else:
        race = run(trial, log=record, options=options, force=True)
    if race.stopped in (Stop.TARGET_FAILED, Stop.ALL_FAILED):
        raise TargetError(f"{record}: {race.stopped.meaning}; see `racing show {record}`")
    assert isinstance(race, Race)
    return race if race.done else None


def _all_failed(record: Path) -> bool:
    """Whether a record holds failures alone: it says nothing of candidates, so it begins anew."""
    with SQLiteLog.open(record, write=False) as book:
        return book.finished is not None and book.finished.stopped == Stop.ALL_FAILED


def held_back(log: RunLog, instances: InstanceSource | Sequence[str] | None) -> InstanceSource:
    """The instances of the trial, with the families of the scenario where these fit."""
    scenario = log.scenario
    if isinstance(instances, InstanceSource):
        return instances
    if instances:
        source = _named(scenario, instances)
    elif scenario.test_instances is None:
        raise InputError(
            f"{log.path}: its scenario has no test_instances; name instances that were held back"
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
    paths = [path for given in instances for path in files_of(given)]
    seen = (os.path.abspath(path) if files or os.path.exists(path) else path for path in paths)
    return InstanceSource(list=[Problem(path, file=files) for path in seen], order="listed")


def files_of(given: str) -> list[str]:
    """An instance; or the files of a folder, or those that match a pattern.

    Raises
    ------
    InputError
        If there are none.
    """
    if os.path.isdir(given) or (glob.has_magic(given) and not os.path.exists(given)):
        try:
            return [one.name for one in InstanceSource(glob=given).problems(Path())]
        except FieldErrors as error:
            raise InputError(f"{given}: {error.errors[0].message}") from None
    return [given]


def _trial(scenario: Scenario, entries: Sequence[Entry], instances: InstanceSource) -> Scenario:
    """The scenario of the trial: some candidates, none is dropped, every instance once."""
    rows = instances.resolve(Path(scenario.folder)).limit
    return replace(
        scenario,
        name=f"{scenario.name}{ON_HELD_BACK}",
        candidates=CandidateSource(list=entries),
        instances=instances,
        search=None,
        test_instances=None,
        budget=Budget(),
        race=RaceSettings(first_test=rows),  # so that every row is certain, though all fail there
        rule=Keep(),
    )


def _path(name: str, folder: str) -> str:
    """An instance's name: a file has the same name, whatever the current folder is."""
    path = os.path.join(folder, name)
    return os.path.realpath(path) if os.path.exists(path) else name


def _check_holdout(log: RunLog, trial: Scenario) -> None:
    met = {_path(name, log.scenario.folder) for name in log.met}
    names = trial.plan.instances.names
    if known := [name for name in names if _path(name, trial.folder) in met]:
        more = f" and {len(known) - 1} others" if len(known) > 1 else ""
        raise InputError(
            f"{log.path}: the race has met {known[0]}{more}; a fair test needs instances held back"
        )


def _own_record(log: Path, trial: Scenario, kind: str) -> tuple[Path, Scenario]:
    """The first record beside a log that is free, or holds this test; with the test, which reuses.

    What the records before it hold is reused: a test on more instances runs only the new ones.
    """
    for record in names(log, kind):
        if not record.exists() or not _other_part(record, trial):
            return record, trial
        trial = replace(trial, reuse=(*trial.reuse, os.path.abspath(record)))
    raise AssertionError


def finished_tests(log: Path, kind: str) -> Iterator[Race]:
    """The finished tests that are recorded beside a log, the oldest first."""
    for record in logs_of(log, kind):
        try:
            with SQLiteLog.open(record, write=False) as book:
                trial = replay(book)
        except RacingError:
            continue  # it says nothing of this run
        if isinstance(trial, Race) and trial.done and len(trial.results.costs):
            yield trial


def _check_same(record: Path, trial: Scenario) -> None:
    """Refuse a record of other candidates or instances."""
    if record.exists() and (part := _other_part(record, trial)):
        raise InputError(
            f"{record} holds a test of other {part}; name another record, or delete that one"
        )


def _other_part(record: Path, trial: Scenario) -> str:
    """The part of a recorded test that differs from this test; empty if it is the same."""
    with SQLiteLog.open(record, write=False) as book:
        kept = as_now(book.header.scenario)
    written = with_kept_seeds(trial, kept).to_dict(resolved=True)
    wanted: dict[str, Any] = json.loads(json.dumps(written))
    return next((part for part in ("candidates", "instances") if kept[part] != wanted[part]), "")
