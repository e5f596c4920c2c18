"""A run explained: from its log, and from an ablation with a budget and a log of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from racing import __version__
from racing.candidate import Candidate
from racing.errors import InputError, MissingExtra, TargetError, did_you_mean
from racing.experiment import Outcome
from racing.explain import (
    Ablation,
    Forest,
    Importance,
    Pair,
    Region,
    decompose,
    differing,
    fit,
    levels,
    regions,
)
from racing.log import Header, SQLiteLog, replay
from racing.log.recorder import retell
from racing.loop import RunOptions, drive
from racing.plain import jsonable
from racing.preflight import changed_target, check_files, check_target, watch_target
from racing.runs import pool_of
from racing.scenario import Scenario
from racing.sketches import default_of
from racing.space import Space, Value
from racing.stop import Stop


@dataclass(frozen=True, kw_only=True)
class Model:
    """What a random forest says of the parameters.

    Attributes
    ----------
    forest
        With its quality; see `Forest.poor`.
    parameters
        The most important first.
    pairs
        Interactions of the most important parameters, the strongest first.
    left_out
        How many configurations are not in it, since none of their runs worked: the shares are of
        those that work, and `regions` says where the others are.
    """

    forest: Forest
    parameters: tuple[Importance, ...]
    pairs: tuple[Pair, ...]
    left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why a run's winner is what it is.

    Attributes
    ----------
    log
        Of the run.
    winner, against
        The two that are explained.
    differences
        Parameter → its value in `against` and in the winner, where these differ; None = inactive.
    model
        Parameter importance; None where there is none.
    regions
        Where runs fail, and where nothing was tried.
    configurations, evaluations, failures
        How many there were in the run.
    ablation
        The path from `against` to the winner; None where none was made.
    ablation_log
        Its log.
    notes
        What is missing and why.
    """

    log: Path
    winner: Candidate
    against: Candidate
    differences: Mapping[str, tuple[Value | None, Value | None]]
    model: Model | None
    regions: tuple[Region, ...]
    configurations: int
    evaluations: int
    failures: int
    ablation: Ablation | None = None
    ablation_log: Path | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Run:
    """What a log tells."""

    path: Path
    scenario: Scenario
    space: Space
    winner: Candidate
    against: Candidate
    candidates: tuple[Candidate, ...]
    outcomes: list[Outcome]
    seen: int
    changed: list[str]
    notes: list[str] = field(default_factory=list)


def explain(
    log: str | os.PathLike[str],
    *,
    against: str | None = None,
    budget: int | None = None,
    options: RunOptions | None = None,
) -> Explanation | None:
    """Explain a run's winner.

    Parameters
    ----------
    log
        The log of the run; a run that is not over will do.
    against
        Name or id (`#3`) of the configuration that the path begins with; by default the default, or
        else the run's first.
    budget
        Evaluations for an ablation, beside those of the run. Its log stands beside the run's, with
        `.explain` before the ending; the same call again goes on with it. Without a budget nothing
        is evaluated, and an ablation that was made before is shown.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The explanation, or None if the ablation was interrupted.

    Raises
    ------
    InputError
        If the run has no winner, no space, or no such candidate, or the budget is too small.
    TargetError
        If an evaluation of the ablation failed, and the scenario says to stop then.
    """
    run = _read(Path(log), against)
    evaluations, failures = _counts(run)
    found: Ablation | None = None
    record: Path | None = None
    if run.winner.id == run.against.id:
        run.notes.append(f"the winner is {run.against} itself: there is no change to explain")
    elif budget is None:
        found, record = _made_before(run)
    else:
        found, record = _ablated(run, budget, options or RunOptions())
        if not found.done:
            return None
    model = _model(run)
    return Explanation(
        log=run.path,
        winner=run.winner,
        against=run.against,
        differences=differing(run.space, run.against.values, run.winner.values),
        model=model,
        regions=regions(run.space, [one.values for one in run.candidates], evaluations, failures),
        configurations=len(run.candidates),
        evaluations=len(run.outcomes),
        failures=int(failures.sum()),
        ablation=found,
        ablation_log=record,
        notes=tuple(run.notes),
    )


def _read(log: Path, against: str | None) -> _Run:
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        scenario = Scenario.from_dict(book.header.scenario)
        outcomes, files = book.outcomes(), book.target_files()
    if scenario.space is None:
        raise InputError(f"{log}: its scenario has no space, so there are no parameters to explain")
    if race.winner is None:
        raise InputError(f"{log}: the run has no winner to be explained")
    names = {f"#{one.id}": one for one in race.candidates}
    names |= {str(one): one for one in race.candidates}
    other = default_of(race) if against is None else names.get(against)
    if other is None:
        known = did_you_mean(against or "", names)
        raise InputError(f"{log}: no candidate is called {against!r}{known}")
    return _Run(
        path=log,
        scenario=scenario,
        space=scenario.space,
        winner=race.winner,
        against=other,
        candidates=tuple(race.candidates),
        outcomes=outcomes,
        seen=race.instances_seen,
        changed=changed_target(scenario, files),
    )


def _counts(run: _Run) -> tuple[np.ndarray, np.ndarray]:
    """(k,) evaluations and failures of each candidate."""
    place = {one.id: i for i, one in enumerate(run.candidates)}
    evaluations, failures = (np.zeros(len(place), dtype=int) for _ in range(2))
    for outcome in run.outcomes:
        evaluations[place[outcome.candidate]] += 1
        failures[place[outcome.candidate]] += outcome.failed
    return evaluations, failures


# --- the model ----------------------------------------------------------------------------------


def _model(run: _Run) -> Model | None:
    """The forest and what it says; a note where there is none."""
    place = {one.id: i for i, one in enumerate(run.candidates)}
    costs = np.full((1 + max((o.step for o in run.outcomes), default=0), len(place)), np.nan)
    for outcome in run.outcomes:
        costs[outcome.step, place[outcome.candidate]] = outcome.cost
    useless = np.isinf(costs).any(axis=0) & ~np.isfinite(costs).any(axis=0)
    if useless.any() and not useless.all():
        costs[:, useless] = np.nan
    found = levels(costs, run.scenario.objective)
    ran = found.counts > 0
    points = run.space.encode([one.values for one in run.candidates])
    try:
        forest = fit(points[ran], found.values[ran], found.counts[ran], seed=run.scenario.seed)
    except (InputError, MissingExtra) as why:
        run.notes.append(f"no parameter importance: {why}")
        return None
    if np.isnan(forest.r2):
        run.notes.append("no parameter importance: all configurations cost the same")
        return None
    parts = decompose(forest.trees, run.space, near=run.winner.values, seed=run.scenario.seed)
    return Model(
        forest=forest,
        parameters=parts.parameters,
        pairs=parts.pairs,
        left_out=int(useless.sum()) if not useless.all() else 0,
    )


# --- the ablation -------------------------------------------------------------------------------


def _ablated(run: _Run, budget: int, options: RunOptions) -> tuple[Ablation, Path]:
    """Begin an ablation, or go on with it."""
    scenario = run.scenario
    path = _record(run, budget)
    task = _task(run, budget)
    check_files(scenario)
    check_target(scenario, (run.against, run.winner))
    if run.changed:
        run.notes.append(
            f"{' and '.join(run.changed)} changed since the run: its outcomes are not used again"
        )
    with _opened(path, run, task) as book, pool_of(scenario, options) as pool:
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


def _opened(path: Path, run: _Run, task: dict[str, Any]) -> SQLiteLog:
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


def _made_before(run: _Run) -> tuple[Ablation | None, Path | None]:
    """The last ablation between these two that is over."""
    for path in reversed(_records(run.path)):
        with SQLiteLog.open(path, write=False) as book:
            task = book.header.scenario.get("ablation")
            if not isinstance(task, Mapping) or not _same_ends(run, task):
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


def _ablation(run: _Run, task: Any) -> Ablation:
    """The ablation before its first evaluation, with what was known when it began."""
    return Ablation(
        run.space,
        run.against.values,
        run.winner.values,
        run.scenario.plan.instances,
        budget=task["budget"],
        seed=run.scenario.seed,
        known=_known(run, task["known"]),
        fresh=task["fresh"],
        objective=run.scenario.objective,
    )


def _task(run: _Run, budget: int) -> dict[str, Any]:
    """What an ablation is a function of, besides its outcomes, as plain data.

    `known` says how many outcomes it may use: of the run, then of each ablation before it.
    """
    run_outcomes = 0 if run.changed else len(run.outcomes)
    return {
        "from": jsonable(dict(run.against.values)),
        "to": jsonable(dict(run.winner.values)),
        "budget": budget,
        "fresh": run.seen,
        "known": [run_outcomes, *map(_size, _records(run.path) if run_outcomes else ())],
    }


def _same_ends(run: _Run, task: Mapping[str, Any]) -> bool:
    ends = (run.against, task["from"]), (run.winner, task["to"])
    return all(run.space.key(one.values) == run.space.key(kept) for one, kept in ends)


def _records(log: Path) -> list[Path]:
    """The logs of ablations of a run, in the order in which they were begun."""
    found: list[Path] = []
    while (path := _numbered(log, len(found) + 1)).exists():
        found.append(path)
    return found


def _numbered(log: Path, number: int) -> Path:
    return log.with_name(f"{log.stem}.explain{number if number > 1 else ''}{log.suffix}")


def _record(run: _Run, budget: int) -> Path:
    """The log of this ablation, whether there is one or not."""
    records = _records(run.path)
    for path in records:
        with SQLiteLog.open(path, write=False) as book:
            task = book.header.scenario.get("ablation")
        if isinstance(task, Mapping) and task["budget"] == budget and _same_ends(run, task):
            return path
    return _numbered(run.path, len(records) + 1)


def _size(path: Path) -> int:
    with SQLiteLog.open(path, write=False) as book:
        return len(book.outcomes())


def _known(run: _Run, counts: list[int]) -> dict[tuple[tuple[object, ...], int], Outcome]:
    """The first outcomes of the run and of ablations, by configuration; none that is censored."""
    sources = [(run.candidates, run.outcomes)]
    for path, _ in zip(_records(run.path), counts[1:], strict=False):
        with SQLiteLog.open(path, write=False) as book:
            sources.append((tuple(book.candidates()), book.outcomes()))
    found: dict[tuple[tuple[object, ...], int], Outcome] = {}
    for (candidates, outcomes), count in zip(sources, counts, strict=False):
        keys = {one.id: run.space.key(one.values) for one in candidates}
        for outcome in outcomes[:count]:
            if not outcome.censored:
                found.setdefault((keys[outcome.candidate], outcome.step), outcome)
    return found
