"""A run's log as analyses read it, and evaluations after the run, each with a log beside it.

Such a log, of an ablation or of the filling of a team, holds its task in the scenario of its
header, so that the same command resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from racing.analysis.batches import BatchDecider
from racing.base.errors import InputError, ScenarioError, TargetError, did_you_mean
from racing.base.version import __version__
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.failures import Failures
from racing.core.goal import Goal
from racing.core.stop import Stop
from racing.core.view import View, best_of, default_of, drawn_at_random
from racing.evaluate.function import is_given
from racing.log import (
    Header,
    Log,
    LogOf,
    SQLiteLog,
    TargetFile,
    log_in,
    path_in,
    reading,
    replay,
)
from racing.runner.build import pool_of
from racing.runner.loop import RunOptions, drive
from racing.runner.preflight import changed_target, check_files, check_target, watch_target
from racing.scenario import Scenario

D = TypeVar("D", bound=BatchDecider)


def names(log: Path, word: str) -> Iterator[Path]:
    """The paths of logs beside that of a run, without an end; `word` names the command."""
    return (log.with_name(f"{log.stem}.{word}{n if n > 1 else ''}{log.suffix}") for n in count(1))


def logs_of(log: Path, word: str) -> list[Path]:
    """The logs beside that of a run, in the order in which they were begun."""
    return list(takewhile(Path.exists, names(log, word)))


def log_with(log: Path, word: str, fits: Callable[[dict[str, Any]], bool]) -> Path:
    """The log whose task fits; else the path of the next one, which is not there yet."""
    return next(one for one in names(log, word) if not one.exists() or fits(task_of(one)))


def task_of(path: Path) -> dict[str, Any]:
    """The task that a log holds, which is the one part of its scenario; empty if there is none."""
    if not path.exists():
        return {}
    with SQLiteLog.open(path, write=False) as book:
        scenario: Mapping[str, Any] = book.header.scenario
    return next((dict(scenario[name]) for name in ("ablation", "filling") if name in scenario), {})


def outcomes_in(path: Path) -> int:
    """How many outcomes a log has."""
    with SQLiteLog.open(path, write=False) as book:
        return len(book.outcomes())


def carried_out(
    path: Path, scenario: Scenario, task: Mapping[str, Any], decider: D, *,
    candidates: Sequence[Candidate], begun: str, remedy: str = "", files: Sequence[TargetFile] = (),
    budget: Budget | None = None, options: RunOptions | None = None,
) -> D:  # fmt: skip
    """Drive a new decider to its end or an interruption, or go on with its log.

    Parameters
    ----------
    path
        Its log; a new one is of this task.
    candidates
        Some of those that run, which the target has to take.
    begun, remedy
        What a change of the target's files is refused with: since when, and what to do.
    files
        Of the target, as they have to be, beside those of the log.
    budget
        Another one than that of the task, of a log that is over.

    Raises
    ------
    InputError
        If the target or a file of an instance is not there, or has changed.
    TargetError
        If an evaluation failed, and the scenario says to stop then.
    """
    check_files(scenario)
    check_target(scenario, candidates)
    stop, options = scenario.on_failure.policy == "stop", options or RunOptions()
    header = Header(
        name=f"{scenario.name}: {decider.word}", seed=scenario.seed, direction=scenario.direction,
        objective=scenario.score, scenario={decider.word: dict(task)}, racing=__version__,
    )  # fmt: skip
    there = path.exists()
    with SQLiteLog.open(path, write=True) if there else SQLiteLog.create(path, header) as book:
        if changed := changed_target(scenario, [*files, *book.target_files()]):
            raise InputError(
                f"{' and '.join(changed)} changed since {begun}: costs of different targets cannot "
                f"be compared; put it back{remedy}"
            )
        watch_target(scenario, book)
        if budget is not None:
            book.extend(budget)
        with pool_of(scenario, options) as pool:
            drive(decider, pool, book, stop_on_failure=stop, options=options)
    if decider.stopped is Stop.TARGET_FAILED:
        raise TargetError(f"{path}: {decider.stopped.meaning}")
    return decider


# --- what analyses read of a run's log -------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RunLog:
    """The contents of the log of a run.

    Attributes
    ----------
    log
        Its path; or itself, if it is in memory.
    header
        What was run, as plain data.
    view
        The race or search at the last write.
    outcomes
        All of them, also those that do not count.
    met
        The names of the instances that it has met.
    files
        Of the target, as the log noted them.
    """

    log: Path | Log
    header: Header
    view: View
    outcomes: list[Outcome]
    met: frozenset[str]
    files: tuple[TargetFile, ...]

    @property
    def path(self) -> Path:
        """Where it is, for messages; its name, if it is in memory."""
        return Path(self.log.name) if isinstance(self.log, Log) else self.log

    @property
    def beside(self) -> Path:
        """The path beside which evaluations after the run are recorded.

        Raises
        ------
        InputError
            If the log is in memory.
        """
        return path_in(self.log)

    @cached_property
    def scenario(self) -> Scenario:
        """What was run, so that it can be run again.

        Raises
        ------
        InputError
            If it cannot be read back.
        """
        try:
            return Scenario.from_dict(self.header.scenario)
        except ScenarioError as error:
            raise InputError(
                f"{self.path}: its scenario cannot be read back, so nothing can be evaluated; what "
                f"only Python code can give has to be in files: {error.errors[0]}"
            ) from error

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

    def check_function(self) -> None:
        """Check that the function by the name in the log is the one that the run evaluated.

        Raises
        ------
        InputError
            If it is another one, though its file is the same: Python code wrapped it.
        """
        changed = changed_target(self.scenario, self.files)
        if changed and all(map(is_given, changed)):
            raise InputError(
                f"{self.path}: the function of the run is not the one that its log names, "
                f"{getattr(self.scenario.target, 'python', '')}: Python code wrapped it, or gave "
                "it objects as values; evaluate in Python, by racing.minimize"
            )

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


def read_run(log: LogOf) -> RunLog:
    """Read the log of a run.

    Raises
    ------
    InputError
        If it is no log.
    LogError
        If it cannot be read, or is not that of a run.
    """
    with reading(log) as book:
        return RunLog(
            log=log_in(log), header=book.header, view=replay(book),
            outcomes=book.outcomes(), met=frozenset(one.name for one in book.instances()),
            files=tuple(book.target_files()),
        )  # fmt: skip


def matrix(
    outcomes: Iterable[Outcome], candidates: Sequence[Candidate], rows: int, failures: Failures
) -> NDArray[np.float64]:
    """(rows, k) the costs of outcomes by step and candidate; NaN = not run."""
    costs = np.full((rows, len(candidates)), np.nan)
    column = {one.id: place for place, one in enumerate(candidates)}
    for one in outcomes:
        costs[one.step, column[one.candidate]] = failures.heard(one).cost
    return costs
