"""A run explained: from its log, and from an ablation with a budget and a log of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis import follow_up
from racing.analysis.explain.ablation import Ablation, PathStep
from racing.analysis.explain.model import Model, fitted
from racing.analysis.explain.regions import Region, regions
from racing.analysis.follow_up import RunLog, matrix, read_run
from racing.answer.gain import Gain
from racing.answer.json import fact
from racing.answer.words import problems_needed
from racing.base.errors import InputError, MissingExtra
from racing.base.plain import jsonable
from racing.core.candidate import Candidate, Change, changes
from racing.core.experiment import Outcome
from racing.log import LogOf, SQLiteLog
from racing.log.headers import only_python, space_in, units_in
from racing.log.recorder import retell
from racing.runner.loop import RunOptions
from racing.runner.preflight import changed_target
from racing.space import Space

WORD = "explain"


@dataclass(frozen=True, kw_only=True)
class AblationReport:
    """The path to the winner.

    `independent` says whether it was measured on instances that had no part in the choice of its
    changes; `instances_needed` are as many as would show a whole gain that is not shown.
    """

    log: Path | None
    evaluations: int
    instances: int
    independent: bool
    total: Gain | None
    instances_needed: int | None
    steps: tuple[PathStep, ...]


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The explanation of a run's winner; `--json` prints it, with these names.

    Attributes
    ----------
    run
        Its log.
    winner, against
        The two that are explained.
    ablation
        The path from `against` to the winner; None where none was made.
    importance
        Of the parameters; None where there is no forest.
    regions
        Where runs fail, and where nothing was tried.
    configurations, evaluations, failures
        How many there were in the run.
    repeatable
        Whether a command can evaluate anything: not where only Python code has the target.
    notes
        What is missing and why.
    """

    run: Path
    winner: Candidate
    against: Candidate
    ablation: AblationReport | None
    importance: Model | None
    regions: tuple[Region, ...]
    configurations: int
    evaluations: int
    failures: int
    repeatable: bool
    notes: tuple[str, ...]

    @fact
    def changes(self) -> tuple[Change, ...]:
        """The parameters in which they differ."""
        return changes(self.against, self.winner)


def explain(
    log: LogOf, *, against: str | None = None, budget: int | None = None,
    options: RunOptions | None = None,
) -> Explanation | None:  # fmt: skip
    """Explain a run's winner.

    Parameters
    ----------
    log
        The log of the run, its path, or its result; a run that is not over will do.
    against
        Name or id (`#3`) of the configuration that the path begins with; by default the default, or
        else the run's first.
    budget
        Evaluations for an ablation, beside those of the run. Its log stands beside the run's, with
        `.explain` before the ending; the same call again resumes it. Without a budget nothing
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
    run = read(log, against)
    place = {one.id: column for column, one in enumerate(run.candidates)}
    ran = np.array([place[one.candidate] for one in run.outcomes], dtype=np.intp)
    failed = ran[[one.failed for one in run.outcomes]]
    evaluations, failures = (np.bincount(of, minlength=len(place)) for of in (ran, failed))
    found: Ablation | None = None
    record: Path | None = None
    if run.winner.id == run.against.id:
        run.notes.append(f"the winner is {run.against} itself: there is no change to explain")
    elif budget is None:
        found, record = made_before(run)
    else:
        found, record = ablate(run, budget, options)
        if not found.done:
            return None
    model = _model(run)
    return Explanation(
        run=run.path,
        winner=run.winner,
        against=run.against,
        ablation=None if found is None else _told(run, found, record),
        importance=model,
        regions=regions(run.space, [one.values for one in run.candidates], evaluations, failures),
        configurations=len(run.candidates),
        evaluations=len(run.outcomes),
        failures=int(failures.sum()),
        repeatable=not only_python(run.header),
        notes=tuple(run.notes),
    )


def _told(run: Source, found: Ablation, log: Path | None) -> AblationReport:
    total, units = found.total, units_in(run.scenario.to_dict())
    if total is not None:  # its ends have names of their own in the run
        total = replace(total.in_units(units), name=str(run.winner), over=str(run.against))
    steps = (replace(one, gain=one.gain and one.gain.in_units(units)) for one in found.path)
    return AblationReport(
        log=log, evaluations=found.outcomes, instances=len(found.measured_on),
        independent=found.independent, total=total,
        instances_needed=None if total is None else problems_needed(total), steps=tuple(steps),
    )  # fmt: skip


def _model(run: Source) -> Model | None:
    """The forest and its importances; a note if there is none."""
    rows = 1 + max((one.step for one in run.outcomes), default=0)
    try:
        return fitted(
            run.space, run.candidates,
            matrix(run.outcomes, run.candidates, rows, run.view.failures),
            objective=run.header.objective, near=run.winner, seed=run.header.seed,
        )  # fmt: skip
    except (InputError, MissingExtra) as why:
        run.notes.append(f"no parameter importance: {why}")
        return None


# --- what an explanation reads ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Source(RunLog):
    """A run's log, and what is explained of it.

    Attributes
    ----------
    space
        Of the scenario.
    winner, against
        The two that are explained.
    notes
        What is missing and why; those who work on the explanation add to it.
    """

    space: Space
    winner: Candidate
    against: Candidate
    notes: list[str] = field(default_factory=list)

    @cached_property
    def changed(self) -> list[str]:
        """Files of the target that are not what they were in the run."""
        return changed_target(self.scenario, self.files)


def read(log: LogOf, against: str | None) -> Source:
    """Read a log, and find source and target.

    Raises
    ------
    InputError
        If the run has no winner, no space, or no such candidate.
    """
    run = read_run(log)
    if (space := space_in(run.header)) is None:
        raise InputError(
            f"{run.path}: its scenario has no space, so there are no parameters to explain"
        )
    winner, (other, drawn) = run.best("explained"), run.other(against)
    notes = [f"{other} was drawn at random, as the run had no default"] if drawn else []
    if run.metric:
        notes.append(f"only {run.metric} is looked at here, and the objective asks for more")
    return Source(**vars(run), space=space, winner=winner, against=other, notes=notes)


# --- an ablation, beside the run ---------------------------------------------------------------


def ablate(run: Source, budget: int, options: RunOptions | None) -> tuple[Ablation, Path]:
    """Start or resume an ablation."""
    beside = run.beside
    path = follow_up.log_with(
        beside, WORD, lambda task: task.get("budget") == budget and same_ends(run, task)
    )
    run.check_function()
    task = follow_up.task_of(path) or new_task(run, budget)
    if run.changed:
        run.notes.append(
            f"{' and '.join(run.changed)} changed since the run: its outcomes are not used again"
        )
    ablation = follow_up.carried_out(
        path, run.scenario, task, _ablation(run, task), candidates=(run.against, run.winner),
        begun="this ablation began", remedy=", or begin another one with another --budget",
        options=options,
    )  # fmt: skip
    return ablation, path


def made_before(run: Source) -> tuple[Ablation | None, Path | None]:
    """The last finished ablation between the same two configurations."""
    for path in reversed(follow_up.logs_of(run.path, WORD)):
        task = follow_up.task_of(path)
        if not task or not same_ends(run, task):
            continue
        with SQLiteLog.open(path, write=False) as book:
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
        run.space, run.against.values, run.winner.values, run.scenario.plan.instances,
        budget=task["budget"], seed=run.scenario.seed, known=known_outcomes(run, task["known"]),
        fresh=task["fresh"], objective=run.scenario.score, failures=run.view.failures,
    )  # fmt: skip


def new_task(run: Source, budget: int) -> dict[str, Any]:
    """The inputs of an ablation besides its outcomes, as plain data.

    `known` says how many outcomes it may use: of the run, then of each ablation before it. From
    the step `fresh` on the two were not compared in the run.
    """
    met = {one.step for one in run.outcomes if one.candidate in (run.winner.id, run.against.id)}
    run_outcomes = 0 if run.changed else len(run.outcomes)
    earlier = follow_up.logs_of(run.path, WORD) if run_outcomes else ()
    return {
        "from": jsonable(dict(run.against.values)),
        "to": jsonable(dict(run.winner.values)),
        "budget": budget,
        "fresh": 1 + max(met, default=-1),
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
