"""A run explained: from its log, and from an ablation with a budget and a log of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from racing.analysis.explain.ablation import Ablation
from racing.analysis.explain.ablation_run import ablate, made_before
from racing.analysis.explain.changes import differing
from racing.analysis.explain.model import Model, model_of
from racing.analysis.explain.regions import Region, regions
from racing.analysis.explain.source import read
from racing.core.candidate import Candidate
from racing.runner.loop import RunOptions
from racing.space import Value

__all__ = ["Explanation", "Model", "explain"]


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The explanation of a run's winner.

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
    run = read(Path(log), against)
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
    model = model_of(run)
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
