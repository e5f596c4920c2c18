"""An ablation of a run: begun, continued, or read from its log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from racing.errors import InputError, TargetError
from racing.explain import Ablation
from racing.explanation.ablation_log import (
    known_outcomes,
    log_for,
    logs_of,
    open_log,
    same_ends,
    task_of,
)
from racing.explanation.source import Source
from racing.log import SQLiteLog
from racing.log.recorder import retell
from racing.loop import RunOptions, drive
from racing.preflight import changed_target, check_files, check_target, watch_target
from racing.runs import pool_of
from racing.scenario import Scenario
from racing.stop import Stop


def ablate(run: Source, budget: int, options: RunOptions) -> tuple[Ablation, Path]:
    """Begin an ablation, or go on with it."""
    scenario = run.scenario
    path = log_for(run, budget)
    task = task_of(run, budget)
    check_files(scenario)
    check_target(scenario, (run.against, run.winner))
    if run.changed:
        run.notes.append(
            f"{' and '.join(run.changed)} changed since the run: its outcomes are not used again"
        )
    with open_log(path, run, task) as book, pool_of(scenario, options) as pool:
        ablation = _ablation(run, book.header.scenario["ablation"])
        _watch_target(scenario, book)
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


def _watch_target(scenario: Scenario, book: SQLiteLog) -> None:
    """Note what the target's files hold; refuse to go on with others."""
    if changed := changed_target(scenario, book.target_files()):
        raise InputError(
            f"{' and '.join(changed)} changed since this ablation began: costs of different "
            "targets cannot be compared; put it back, or begin another one with another --budget"
        )
    watch_target(scenario, book)


def made_before(run: Source) -> tuple[Ablation | None, Path | None]:
    """The last ablation between these two that is over."""
    for path in reversed(logs_of(run.path)):
        with SQLiteLog.open(path, write=False) as book:
            task = book.header.scenario.get("ablation")
            if not isinstance(task, Mapping) or not same_ends(run, task):
                continue
            if book.finished is None:
                run.notes.append(
                    f"an ablation is not over; --budget {task['budget']} goes on with it"
                )
                continue
            ablation = _ablation(run, task)
            retell(ablation, book)
            return ablation, path
    return None, None


def _ablation(run: Source, task: Any) -> Ablation:
    """The ablation before its first evaluation, with what was known when it began."""
    return Ablation(
        run.space,
        run.against.values,
        run.winner.values,
        run.scenario.plan.instances,
        budget=task["budget"],
        seed=run.scenario.seed,
        known=known_outcomes(run, task["known"]),
        fresh=task["fresh"],
        objective=run.scenario.objective,
    )
