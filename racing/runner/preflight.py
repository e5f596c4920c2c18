"""Checks before a run begins or resumes, so that no evaluation is in vain."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, is_dataclass
from numbers import Number
from pathlib import Path
from typing import Any

from racing.base.errors import InputError, ScenarioError
from racing.base.records import Record
from racing.base.words import listed
from racing.core.candidate import Candidate
from racing.evaluate.checksum import contents
from racing.evaluate.function import Function, is_given, is_held
from racing.log import Extension, Log, TargetFile
from racing.scenario import Problem, Scenario

_INSTANCE = "the instance {} (Python {}.{})"


def check_target(scenario: Scenario, candidates: Sequence[Candidate]) -> None:
    """Check that the target exists and can be started, without starting it.

    Raises
    ------
    TargetError
        If it does not exist or cannot be started.
    """
    used = (name for candidate in candidates for name in candidate.values)
    names = dict.fromkeys([*(scenario.space or ()), *used])
    target = scenario.plan.target
    target.check(list(names))
    if isinstance(target, Function) and scenario.search and scenario.search.bounds_runs:
        target.check_bound()


def check_files(scenario: Scenario, log: Log | None = None, more: Extension | None = None) -> None:
    """Check that the instances that must be files exist.

    Parameters
    ----------
    log, more
        What instances were added by, and are.

    Raises
    ------
    InputError
        If some do not.
    """
    folder = Path(scenario.folder)
    added = [*(log.extensions() if log else ()), *([more] if more else ())]
    problems = [*scenario.plan.problems, *(Problem(**one) for e in added for one in e.instances)]
    needed = [problem for problem in problems if problem.file]
    if lost := [problem.name for problem in needed if not problem.found(folder)]:
        others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise InputError(
            f"the instance {lost[0]}{others}: no such file, relative to {scenario.folder}; put it "
            "back, or "
            "begin a new run without it"
        )


def check_logs(scenario: Scenario) -> None:
    """Check that the logs of earlier runs that a scenario reuses exist.

    Raises
    ------
    InputError
        If one is not.
    """
    for name, path in zip(scenario.reuse, scenario.earlier_logs, strict=True):
        if not path.exists():
            raise InputError(
                f"reuse: there is no log {name}, relative to {scenario.folder}; put it back, or "
                "leave it out"
            )


def check_same(scenario: Scenario, kept: Mapping[str, Any], log: Path | str) -> None:
    """Refuse a scenario that differs from the log's.

    Raises
    ------
    InputError
        If it differs in more than `execution`.
    """
    given = json.loads(json.dumps(scenario.to_dict(resolved=True)))
    kept = filled(as_now(kept), given, scenario)
    parts = [key for key in given.keys() | kept.keys() if given.get(key) != kept.get(key)]
    if others := sorted(set(parts) - {"execution", "log"}):
        raise InputError(
            f"{log} is the log of another scenario; they differ in {others}: "
            "continue with the scenario of the log, or name another log"
        )


def as_now(kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """The scenario of a log with all keys of this version, if a file can hold it."""
    try:
        written: Mapping[str, Any] = json.loads(json.dumps(Scenario.from_dict(kept).to_dict()))
    except ScenarioError:
        return kept
    return written


def filled(kept: Any, given: Any, record: object) -> Any:
    """The scenario of a log, with missing keys added that are given as their defaults.

    An older version lacked these keys. `as_now` adds them too, but not to a scenario that only
    Python code can build.
    """
    if not (isinstance(kept, Mapping) and isinstance(given, Mapping) and is_dataclass(record)):
        return kept
    defaults = {field.name: _default(field) for field in fields(record)}
    new = {
        key: value for key, value in given.items() if key not in kept and defaults.get(key) == value
    }
    inside = {
        key: filled(value, given.get(key), getattr(record, key, None))
        for key, value in kept.items()
    }
    return inside | new


def _default(field: Field[Any]) -> object:
    """The default of a field as plain data; None if it has none."""
    value = field.default if field.default_factory is MISSING else field.default_factory()
    if is_dataclass(value) and not isinstance(value, type):
        value = Record(type(value)).write(value)
    return None if value is MISSING else json.loads(json.dumps(value, default=str))


def watch_target(scenario: Scenario, log: Log, *, accept_change: bool = False) -> None:
    """Record checksums of the target's files and functions; refuse changed ones.

    A log of an older version, without checksums, gets them now.

    Raises
    ------
    InputError
        If one has changed since outcomes were recorded, and that is not accepted.
    """
    files = log.target_files()
    changed = changed_target(scenario, files)
    if changed and not accept_change and (costs := len(log.outcomes())):
        where = getattr(log, "path", "the log")
        by_python = any(is_given(file.path) for file in files)
        way = "" if by_python else f"`racing resume {where} --accept-changed-target`, in Python "
        raise InputError(
            f"{_several(changed)} changed since the last evaluation: the "
            f"{costs} costs in {where} were made by the target as it was before, and cannot be "
            "compared with those of another one; put it back, or begin a new run; or, if the "
            f"change alters no cost, {way}accept_changed_target=True"
        )
    as_before = {file.path for file in files}.difference(changed)
    now = target_now(scenario, as_before.union(changed))
    now |= {name: "" for name in changed if is_held(name)}  # it alters no cost, whatever it is
    log.note_target({name: one for name, one in now.items() if name not in as_before})


def _several(changed: Sequence[str]) -> str:
    """The names of what changed: of functions and instances without the version of Python."""
    return listed([name.rpartition(" (")[0] if is_given(name) else name for name in changed])


@contextmanager
def unsteady_noted(scenario: Scenario, log: Log) -> Iterator[None]:
    """Context manager of a session: notes what functions change themselves of what they hold.

    A count of their calls, for example: it is not compared from then on.
    """
    files = log.target_files() if log.finished is None else ()
    begun = {file.path: file for file in files if is_given(file.path)}
    try:
        yield
    finally:
        now = _given(scenario, begun) if begun else {}
        for name, file in begun.items():
            if not same(name, file.sha256, now.get(name, "")):
                log.note_target({name: ""}, since=file.since)


def changed_target(scenario: Scenario, files: Sequence[TargetFile]) -> list[str]:
    """The files and functions of the target that differ from the last checksums of a log."""
    known = {file.path: file.sha256 for file in files}
    now = target_now(scenario, known)
    return [name for name, before in known.items() if not same(name, before, now.get(name, ""))]


def target_now(scenario: Scenario, known: Collection[str] = ()) -> dict[str, str]:
    """The target's files and functions as they are now → their checksums.

    Files are those that are `known`, by their paths relative to the folder; without any, all.
    """
    folder = Path(scenario.folder)
    paths = [name for name in known if not is_given(name)] or _target_files(scenario, folder)
    return {path: _sha256(folder / path) for path in paths} | _given(scenario, known)


def same(name: str, then: str, now: str) -> bool:
    """Whether two checksums agree; that of what a function holds may be empty, and tells nothing.

    There is none in another version of Python, and none of what the function changes itself.
    """
    return then == now or (is_given(name) and "" in (then, now))


def _given(scenario: Scenario, known: Collection[str]) -> dict[str, str]:
    """What Python code gave: functions, and objects as instances, of which a log has the names."""
    target = scenario.plan.target
    functions = target.checksums(known) if isinstance(target, Function) else {}
    return functions | contents(
        {
            _INSTANCE.format(one.name, *sys.version_info): one.problem
            for one in scenario.plan.problems
            if one.problem is not None and not _says_all(one)
        }
    )


def of_instance(name: str) -> str | None:
    """The instance that a checksum with this name is of; None for one of the target."""
    given = name.rpartition(" (")[0]
    return given.removeprefix("the instance ") if given.startswith("the instance ") else None


def _says_all(problem: Problem) -> bool:
    """Whether the name of an instance is the text or the number that the target gets."""
    given = problem.problem
    return isinstance(given, str | Number) and str(given) == problem.name


def _target_files(scenario: Scenario, folder: Path) -> Iterator[str]:
    """The files of the target, relative to the folder if they are in it."""
    for path in scenario.plan.target.files():
        yield str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def _sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal; empty if it cannot be read."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        pass
    return ""
