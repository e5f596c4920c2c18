"""Evaluations after a run, each with a log beside the run's: ablations, fillings of a team.

Such a log holds its task in the scenario of its header, so that the same command resumes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from racing.base.errors import InputError
from racing.base.version import __version__
from racing.log import Header, SQLiteLog, TargetFile
from racing.runner.preflight import changed_target, watch_target
from racing.scenario import Scenario


def path_of(log: Path, word: str, number: int) -> Path:
    """The path of the log with this number; `word` names the command."""
    return log.with_name(f"{log.stem}.{word}{number if number > 1 else ''}{log.suffix}")


def logs_of(log: Path, word: str) -> list[Path]:
    """The logs beside that of a run, in the order in which they were begun."""
    names = (path_of(log, word, number) for number in count(1))
    return list(takewhile(Path.exists, names))


def task_in(book: SQLiteLog, name: str) -> dict[str, Any]:
    """The task that a log holds; empty if it is of another kind."""
    scenario: Mapping[str, Any] = book.header.scenario
    return dict(scenario.get(name, {}))


def opened(path: Path, scenario: Scenario, name: str, task: Mapping[str, Any]) -> SQLiteLog:
    """The log at a path, to be written; a new one is of this task."""
    if path.exists():
        return SQLiteLog.open(path, write=True)
    header = Header(
        name=f"{scenario.name}: {name}",
        seed=scenario.seed,
        direction=scenario.direction,
        objective=scenario.score,
        scenario={name: dict(task)},
        racing=__version__,
    )
    return SQLiteLog.create(path, header)


def watch(
    scenario: Scenario,
    book: SQLiteLog,
    *,
    begun: str,
    remedy: str = "",
    files: Sequence[TargetFile] = (),
) -> None:
    """Note the checksums of the target's files; refuse files unlike `files` or the log's.

    Raises
    ------
    InputError
        If the target has changed.
    """
    if changed := changed_target(scenario, [*files, *book.target_files()]):
        raise InputError(
            f"{' and '.join(changed)} changed since {begun}: costs of different targets cannot be "
            f"compared; put it back{remedy}"
        )
    watch_target(scenario, book)
