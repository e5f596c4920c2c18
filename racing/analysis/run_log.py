"""What the analyses of a finished run read of its log: once, for explanations, teams and tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, did_you_mean
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.goal import Goal
from racing.core.view import View, best_of, default_of, drawn_at_random
from racing.log import SQLiteLog, TargetFile, replay
from racing.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class RunLog:
    """The contents of the log of a run.

    Attributes
    ----------
    path, scenario
        Where it is, and what was run.
    view
        The race or search at the last write.
    outcomes
        All of them, also those that do not count.
    met
        The names of the instances that it has met.
    files
        Of the target, as the log noted them.
    """

    path: Path
    scenario: Scenario
    view: View
    outcomes: list[Outcome]
    met: frozenset[str]
    files: tuple[TargetFile, ...]

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All that entered."""
        return self.view.candidates

    @property
    def metric(self) -> str:
        """What the costs are of, where the objective needs more than that; else empty."""
        goal = self.view.results.goal
        return goal.of_one if isinstance(goal, Goal) else ""

    def best(self, purpose: str) -> Candidate:
        """The winner, or the best found beside a default that is kept.

        Raises
        ------
        InputError
            If there is none: the run has no winner to be tested, where that is the purpose.
        """
        found = best_of(self.view)
        if found is None:
            raise InputError(f"{self.path}: the run has no winner to be {purpose}")
        return found

    def other(self, name: str | None) -> tuple[Candidate, bool]:
        """The candidate with this name or id (`#3`), by default the default, else the first one.

        Returns
        -------
        The candidate; and whether it stands for a default, but was drawn at random.

        Raises
        ------
        InputError
            If none is called so.
        """
        if name is None:
            default = default_of(self.view)
            return default, drawn_at_random(self.view, default)
        names = {f"#{one.id}": one for one in self.candidates}
        names |= {str(one): one for one in self.candidates}
        if name not in names:
            known = did_you_mean(name, names)
            raise InputError(f"{self.path}: no candidate is called {name!r}{known}")
        return names[name], False


def read_run(path: Path) -> RunLog:
    """Read the log of a run.

    Raises
    ------
    LogError
        If it cannot be read, or is not that of a run.
    """
    with SQLiteLog.open(path, write=False) as book:
        return RunLog(
            path=path,
            scenario=Scenario.from_dict(book.header.scenario),
            view=replay(book),
            outcomes=book.outcomes(),
            met=frozenset(one.name for one in book.instances()),
            files=tuple(book.target_files()),
        )


def matrix(
    outcomes: Iterable[Outcome], candidates: Sequence[Candidate], rows: int
) -> NDArray[np.float64]:
    """(rows, k) the costs of outcomes by step and candidate; NaN = not run."""
    costs = np.full((rows, len(candidates)), np.nan)
    column = {one.id: place for place, one in enumerate(candidates)}
    for one in outcomes:
        costs[one.step, column[one.candidate]] = one.cost
    return costs
