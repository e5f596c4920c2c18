"""The winner of a run against another candidate, on instances that the race has not seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError
from racing.log import SQLiteLog
from racing.loop import Conduct
from racing.rules.none import Keep
from racing.runs import resume, run
from racing.scenario import CandidateSource, Entry, InstanceSource, Scenario
from racing.stats.effects import MedianDifference, Superiority, median_difference, vargha_delaney
from racing.stats.wilcoxon import SignedRanks, wilcoxon


@dataclass(frozen=True, kw_only=True)
class Holdout:
    """How two candidates compare on held-back instances.

    Attributes
    ----------
    winner, against
        The two.
    instances
        Names of the instances, in the order of the costs.
    costs : (n, 2) array
        Of the winner and of the other; lower is better.
    difference
        Median (Hodges-Lehmann) of other − winner with its interval: above 0 the winner is better.
    superiority
        The chance that the winner is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided.
    """

    winner: Candidate
    against: Candidate
    instances: tuple[str, ...]
    costs: np.ndarray
    difference: MedianDifference
    superiority: Superiority
    test: SignedRanks


def holdout(
    log: str | os.PathLike[str],
    instances: InstanceSource | Sequence[str],
    *,
    against: str | None = None,
    record: str | os.PathLike[str] | None = None,
    how: Conduct | None = None,
) -> Holdout | None:
    """Evaluate a run's winner and another candidate on instances held back from the race.

    Parameters
    ----------
    log
        The log of the run.
    instances
        Where they come from; names alone are seen from the current folder.
    against
        Name or id (`#3`) of the other candidate; by default the run's first, which is the default
        configuration where the scenario has one.
    record
        Log of these evaluations; one that exists is gone on with, so nothing is evaluated twice.
        Default: beside `log`, with `.test` before its ending.
    how
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The comparison, or None if it was interrupted; calling again goes on.

    Raises
    ------
    InputError
        If the run has no winner, or no such candidate, or the winner is that candidate.
    """
    scenario, winner, other = _pair(Path(log), against)
    record = Path(record) if record else Path(log).with_suffix(".test.sqlite")
    trial = _scenario(scenario, winner, other, instances)
    if record.exists():
        _check_same(record, trial)
        race = resume(record, how=how)
    else:
        race = run(trial, log=record, how=how)
    if not race.done:
        return None
    costs = race.results.costs
    return Holdout(
        winner=winner,
        against=other,
        instances=tuple(race.instance(step).name for step in range(len(costs))),
        costs=costs,
        difference=median_difference(costs[:, 0], costs[:, 1]),
        superiority=vargha_delaney(costs[:, 0], costs[:, 1], paired=True),
        test=wilcoxon(costs[:, 0], costs[:, 1]),
    )


def _pair(log: Path, against: str | None) -> tuple[Scenario, Candidate, Candidate]:
    """The scenario of a run, its winner, and the candidate to hold it to."""
    from racing.report import gather

    with SQLiteLog.open(log, write=False) as book:
        facts, candidates = gather(book), book.candidates()
        scenario = Scenario.from_dict(book.header.scenario)
    if facts.winner is None:
        raise InputError(f"{log}: the run has no winner to be tested")
    names = {str(candidate): candidate for candidate in candidates}
    names |= {f"#{candidate.id}": candidate for candidate in candidates}
    other = candidates[0] if against is None else names.get(against)
    if other is None:
        raise InputError(f"{log}: no candidate is called {against!r}; names and #ids are allowed")
    if other == facts.winner:
        raise InputError(
            f"{log}: the winner is candidate {other} itself; name another one to hold it to"
        )
    return scenario, facts.winner, other


def _scenario(
    scenario: Scenario,
    winner: Candidate,
    other: Candidate,
    instances: InstanceSource | Sequence[str],
) -> Scenario:
    """The scenario of the trial: two candidates, everybody stays, every instance once."""
    if not isinstance(instances, InstanceSource):
        paths = tuple(os.path.abspath(p) if os.path.exists(p) else p for p in instances)
        instances = InstanceSource(list=paths, order="listed")
    return replace(
        scenario,
        name=f"{scenario.name} on held-back instances",
        candidates=CandidateSource(
            list=(Entry(winner.values, "winner"), Entry(other.values, "against"))
        ),
        instances=instances,
        budget=Budget(),
        race=replace(scenario.race, min_survivors=1),
        rule=Keep(),
    )


def _check_same(record: Path, trial: Scenario) -> None:
    """Refuse a record of other candidates or instances."""
    with SQLiteLog.open(record, write=False) as book:
        kept = book.header.scenario
    wanted = trial.resolved().to_dict()
    for part in ("candidates", "instances"):
        if kept[part] != wanted[part]:
            raise InputError(f"{record} holds a test of other {part}; name another record")
