"""An ablation of a run: started, resumed, or read from its log beside the run's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from racing.analysis import follow_up
from racing.analysis.explain.ablation import Ablation
from racing.analysis.explain.source import Source
from racing.base.plain import jsonable
from racing.core.experiment import Outcome
from racing.log import SQLiteLog
from racing.log.recorder import retell
from racing.runner.loop import RunOptions

WORD = "explain"


def ablate(run: Source, budget: int, options: RunOptions | None) -> tuple[Ablation, Path]:
    """Start or resume an ablation."""
    path = follow_up.log_with(
        run.path, WORD, lambda task: task.get("budget") == budget and same_ends(run, task)
    )
    task = follow_up.task_of(path) or new_task(run, budget)
    if run.changed:
        run.notes.append(
            f"{' and '.join(run.changed)} changed since the run: its outcomes are not used again"
        )
    ablation = follow_up.carried_out(
        path,
        run.scenario,
        task,
        _ablation(run, task),
        candidates=(run.against, run.winner),
        begun="this ablation began",
        remedy=", or begin another one with another --budget",
        options=options,
    )
    return ablation, path


def made_before(run: Source) -> tuple[Ablation | None, Path | None]:
    """The last finished ablation between the same two configurations."""
    for path in reversed(follow_up.logs_of(run.path, WORD)):
        with SQLiteLog.open(path, write=False) as book:
            task = follow_up.task_in(book)
            if not task or not same_ends(run, task):
                continue
            if book.finished is None:
                run.notes.append(f"an ablation is not over; --budget {task['budget']} resumes it")
                continue
            ablation = _ablation(run, task)
            retell(ablation, book)
            return ablation, path
    return None, None


def _ablation(run: Source, task: Mapping[str, Any]) -> Ablation:
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


def new_task(run: Source, budget: int) -> dict[str, Any]:
    """The inputs of an ablation besides its outcomes, as plain data.

    `known` says how many outcomes it may use: of the run, then of each ablation before it.
    """
    run_outcomes = 0 if run.changed else len(run.outcomes)
    earlier = follow_up.logs_of(run.path, WORD) if run_outcomes else ()
    return {
        "from": jsonable(dict(run.against.values)),
        "to": jsonable(dict(run.winner.values)),
        "budget": budget,
        "fresh": run.view.instances_seen,
        "known": [run_outcomes, *map(follow_up.outcomes_in, earlier)],
    }


def same_ends(run: Source, task: Mapping[str, Any]) -> bool:
    """Whether an ablation goes from and to the same configurations."""
    ends = (run.against, task["from"]), (run.winner, task["to"])
    return all(run.space.key(one.values) == run.space.key(kept) for one, kept in ends)


def known_outcomes(
    run: Source, counts: Sequence[int]
) -> dict[tuple[tuple[object, ...], int], Outcome]:
    """The first outcomes of the run and of ablations, by configuration, without censored ones."""
    sources = [(run.candidates, run.outcomes)]
    for path, _ in zip(follow_up.logs_of(run.path, WORD), counts[1:], strict=False):
        with SQLiteLog.open(path, write=False) as book:
            sources.append((tuple(book.candidates()), book.outcomes()))
    found: dict[tuple[tuple[object, ...], int], Outcome] = {}
    for (candidates, outcomes), count in zip(sources, counts, strict=False):
        keys = {one.id: run.space.key(one.values) for one in candidates}
        for outcome in outcomes[:count]:
            if not outcome.censored:
                found.setdefault((keys[outcome.candidate], outcome.step), outcome)
    return found
