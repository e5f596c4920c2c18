"""A run explained: from its log, and from an ablation with a budget and a log of its own.

result         what an explanation has
source         what the run's log tells
model          the forest of all configurations
ablation       the path to the winner: begun, continued, or read again
ablation_log   the logs of ablations

What is computed is in `racing.explain`, which knows nothing of logs.
"""

from __future__ import annotations

import os
from pathlib import Path

from racing.explain import Ablation, differing, regions
from racing.explanation.ablation import ablate, made_before
from racing.explanation.model import model_of
from racing.explanation.result import Explanation, Model
from racing.explanation.source import counts_of, read
from racing.loop import RunOptions

__all__ = ["Explanation", "Model", "explain"]


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
    run = read(Path(log), against)
    evaluations, failures = counts_of(run)
    found: Ablation | None = None
    record: Path | None = None
    if run.winner.id == run.against.id:
        run.notes.append(f"the winner is {run.against} itself: there is no change to explain")
    elif budget is None:
        found, record = made_before(run)
    else:
        found, record = ablate(run, budget, options or RunOptions())
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
