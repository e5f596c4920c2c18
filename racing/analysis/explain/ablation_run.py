"""An ablation of a run: started, resumed, or read from its log beside the run's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from racing.analysis import follow_up
from racing.analysis.explain.ablation import Ablation
from racing.analysis.explain.source import Source
from racing.base.errors import TargetError
from racing.base.plain import jsonable
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.log import SQLiteLog
from racing.log.recorder import retell
from racing.runner.build import pool_of
from racing.runner.loop import RunOptions, drive
from racing.runner.preflight import check_files, check_target

ABLATION = "ablation"


def ablate(run: Source, budget: int, options: RunOptions) -> tuple[Ablation, Path]:
    """Start or resume an ablation."""
    scenario = run.scenario
    path = log_for(run, budget)
    task = task_of(run, budget)
    check_files(scenario)
    check_target(scenario, (run.against, run.winner))
    if run.changed:
        run.notes.append(
            f"{' and '.join(run.changed)} changed since the run: its outcomes are not used again"
        )
    with (
        follow_up.opened(path, scenario, ABLATION, task) as book,
        pool_of(scenario, options) as pool,
    ):
        ablation = _ablation(run, follow_up.task_in(book, ABLATION))
        other = ", or begin another one with another --budget"
        follow_up.watch(scenario, book, begun="this ablation began", remedy=other)
        drive(
            ablation,
            pool,
            book,
            stop_on_failure=scenario.on_failure.policy == "stop",
            options=options,
        )
    if ablation.stopped is Stop.TARGET_FAILED:
        raise TargetError(f"{path}: {ablation.stopped.meaning}")
    return ablation, path


def made_before(run: Source) -> tuple[Ablation | None, Path | None]:
    """The last finished ablation between the same two configurations."""
    for path in reversed(logs_of(run.path)):
        with SQLiteLog.open(path, write=False) as book:
            task = follow_up.task_in(book, ABLATION)
            if not task or not same_ends(run, task):
                continue
            if book.finished is None:
                run.notes.append(f"an ablation is not over; --budget {task['budget']} resumes it")
                continue
            ablation = _ablation(run, task)
            retell(ablation, book)
            return ablation, path
    return None, None


def _ablation(run: Source, task: Any) -> Ablation:
    """The ablation before its first evaluation, with the outcomes known when it began."""
    return Ablation(
        run.space,
        run.against.values,
        run.winner.values,
        run.scenario.plan.instances,
        budget=task["budget"],
        seed=run.scenario.seed,
        known=known_outcomes(run, task["known"]),
        fresh=task["fresh"],
        objective=run.scenario.score,
    )


def task_of(run: Source, budget: int) -> dict[str, Any]:
    """The inputs of an ablation besides its outcomes, as plain data.

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
    return follow_up.logs_of(log, "explain")


def log_for(run: Source, budget: int) -> Path:
    """The path of this ablation's log, which need not exist."""
    records = logs_of(run.path)
    for path in records:
        with SQLiteLog.open(path, write=False) as book:
            task = follow_up.task_in(book, ABLATION)
        if task and task["budget"] == budget and same_ends(run, task):
            return path
    return follow_up.path_of(run.path, "explain", len(records) + 1)


def _size(path: Path) -> int:
    with SQLiteLog.open(path, write=False) as book:
        return len(book.outcomes())


def known_outcomes(run: Source, counts: list[int]) -> dict[tuple[tuple[object, ...], int], Outcome]:
    """The first outcomes of the run and of ablations, by configuration, without censored ones."""
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
