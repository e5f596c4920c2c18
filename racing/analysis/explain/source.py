"""The parts of a run's log that an explanation needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from racing.base.errors import InputError, did_you_mean
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.goal import Goal
from racing.core.view import best_of, default_of, drawn_at_random
from racing.log import SQLiteLog, replay
from racing.runner.preflight import changed_target
from racing.scenario import Scenario
from racing.space import Space


@dataclass(frozen=True, kw_only=True)
class Source:
    """The contents of a log for an explanation.

    Attributes
    ----------
    winner, against
        The two that are explained.
    seen
        How many instances the run has complete: later ones are unseen.
    changed
        Files of the target that are not what they were in the run.
    notes
        What is missing and why; those who work on the explanation add to it.
    """

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


def read(log: Path, against: str | None) -> Source:
    """Read a log, and find source and target.

    Raises
    ------
    InputError
        If the run has no winner, no space, or no such candidate.
    """
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        scenario = Scenario.from_dict(book.header.scenario)
        outcomes, files = book.outcomes(), book.target_files()
    if scenario.space is None:
        raise InputError(f"{log}: its scenario has no space, so there are no parameters to explain")
    winner = best_of(race)
    if winner is None:
        raise InputError(f"{log}: the run has no winner to be explained")
    names = {f"#{one.id}": one for one in race.candidates}
    names |= {str(one): one for one in race.candidates}
    other = default_of(race) if against is None else names.get(against)
    if other is None:
        known = did_you_mean(against or "", names)
        raise InputError(f"{log}: no candidate is called {against!r}{known}")
    notes = []
    if against is None and drawn_at_random(race, other):
        notes.append(f"{other} was drawn at random, as the run had no default")
    goal = race.results.goal
    if isinstance(goal, Goal) and goal.of_one:
        notes.append(f"only {goal.of_one} is looked at here, and the objective asks for more")
    return Source(
        path=log,
        scenario=scenario,
        space=scenario.space,
        winner=winner,
        against=other,
        candidates=tuple(race.candidates),
        outcomes=outcomes,
        seen=race.instances_seen,
        changed=changed_target(scenario, files),
        notes=notes,
    )


def counts_of(run: Source) -> tuple[np.ndarray, np.ndarray]:
    """(k,) evaluations and failures of each candidate."""
    place = {one.id: i for i, one in enumerate(run.candidates)}
    evaluations, failures = (np.zeros(len(place), dtype=int) for _ in range(2))
    for outcome in run.outcomes:
        evaluations[place[outcome.candidate]] += 1
        failures[place[outcome.candidate]] += outcome.failed
    return evaluations, failures
