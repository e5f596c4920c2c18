"""The logs of ablations, beside that of their run; each says what it is a function of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from racing import __version__
from racing.experiment import Outcome
from racing.explanation.source import Source
from racing.log import Header, SQLiteLog
from racing.plain import jsonable


def open_log(path: Path, run: Source, task: dict[str, Any]) -> SQLiteLog:
    """The log at a path, to be written; a new one is of this task."""
    if path.exists():
        return SQLiteLog.open(path, write=True)
    scenario = run.scenario
    header = Header(
        name=f"{scenario.name}: ablation",
        seed=scenario.seed,
        direction=scenario.direction,
        objective=scenario.objective,
        scenario={"ablation": task},
        racing=__version__,
    )
    return SQLiteLog.create(path, header)


def task_of(run: Source, budget: int) -> dict[str, Any]:
    """What an ablation is a function of, besides its outcomes, as plain data.

    `known` says how many outcomes it may use: of the run, then of each ablation before it.
    """
    run_outcomes = 0 if run.changed else len(run.outcomes)
    return {
        "from": jsonable(dict(run.against.values)),
        "to": jsonable(dict(run.winner.values)),
        "budget": budget,
        "fresh": run.seen,
        "known": [run_outcomes, *map(_size, logs_of(run.path) if run_outcomes else ())],
    }


def same_ends(run: Source, task: Mapping[str, Any]) -> bool:
    """Whether an ablation goes from and to the same configurations."""
    ends = (run.against, task["from"]), (run.winner, task["to"])
    return all(run.space.key(one.values) == run.space.key(kept) for one, kept in ends)


def logs_of(log: Path) -> list[Path]:
    """The logs of ablations of a run, in the order in which they were begun."""
    found: list[Path] = []
    while (path := _numbered(log, len(found) + 1)).exists():
        found.append(path)
    return found


def _numbered(log: Path, number: int) -> Path:
    return log.with_name(f"{log.stem}.explain{number if number > 1 else ''}{log.suffix}")


def log_for(run: Source, budget: int) -> Path:
    """The log of this ablation, whether there is one or not."""
    records = logs_of(run.path)
    for path in records:
        with SQLiteLog.open(path, write=False) as book:
            task = book.header.scenario.get("ablation")
        if isinstance(task, Mapping) and task["budget"] == budget and same_ends(run, task):
            return path
    return _numbered(run.path, len(records) + 1)


def _size(path: Path) -> int:
    with SQLiteLog.open(path, write=False) as book:
        return len(book.outcomes())


def known_outcomes(run: Source, counts: list[int]) -> dict[tuple[tuple[object, ...], int], Outcome]:
    """The first outcomes of the run and of ablations, by configuration; none that is censored."""
    sources = [(run.candidates, run.outcomes)]
    for path, _ in zip(logs_of(run.path), counts[1:], strict=False):
        with SQLiteLog.open(path, write=False) as book:
            sources.append((tuple(book.candidates()), book.outcomes()))
    found: dict[tuple[tuple[object, ...], int], Outcome] = {}
    for (candidates, outcomes), count in zip(sources, counts, strict=False):
        keys = {one.id: run.space.key(one.values) for one in candidates}
        for outcome in outcomes[:count]:
            if not outcome.censored:
                found.setdefault((keys[outcome.candidate], outcome.step), outcome)
    return found
