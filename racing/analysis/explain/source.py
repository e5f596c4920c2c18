"""The parts of a run's log that an explanation needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from racing.analysis.run_log import RunLog, read_run
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.runner.preflight import changed_target
from racing.space import Space


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


def read(log: Path, against: str | None) -> Source:
    """Read a log, and find source and target.

    Raises
    ------
    InputError
        If the run has no winner, no space, or no such candidate.
    """
    run = read_run(log)
    if run.scenario.space is None:
        raise InputError(f"{log}: its scenario has no space, so there are no parameters to explain")
    winner, (other, drawn) = run.best("explained"), run.other(against)
    notes = [f"{other} was drawn at random, as the run had no default"] if drawn else []
    if run.metric:
        notes.append(f"only {run.metric} is looked at here, and the objective asks for more")
    return Source(**vars(run), space=run.scenario.space, winner=winner, against=other, notes=notes)
