"""Runs side by side: their winners on the instances that both have met, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from racing.answer.gain import Gain, gain
from racing.answer.words import sentence
from racing.base.errors import InputError
from racing.base.words import refer
from racing.core.candidate import Candidate
from racing.report.history import History

MOST = 6
"""The most runs with a colour of their own."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A run among others.

    Attributes
    ----------
    label
        What it is called beside the others; no two have the same.
    history
        All that is known of it.
    """

    label: str
    history: History

    @property
    def winner(self) -> Candidate | None:
        """Its winner, or the candidate that is ahead."""
        return self.history.winner

    @property
    def called(self) -> str:
        """Its winner's name beside those of others."""
        return f"{refer(self.winner)} ({self.label})"


@dataclass(frozen=True, kw_only=True, eq=False)
class Duel:
    """The winners of two runs on the same instances.

    Attributes
    ----------
    first, second
        The runs.
    held_out
        Whether neither run chose its winner on these instances.
    instances
        Names of problems.
    costs : (n, 2)
        Of the two winners; the mean where a problem was met more than once.
    gain
        How they compare.
    """

    first: Run
    second: Run
    held_out: bool
    instances: tuple[str, ...]
    costs: np.ndarray
    gain: Gain


def runs_of(histories: Sequence[History], labels: Sequence[str]) -> tuple[Run, ...]:
    """Runs that can be compared; equal labels get a number.

    Raises
    ------
    InputError
        If there are too many, or one is minimized and another maximized.
    """
    if len(histories) > MOST:
        raise InputError(f"{len(histories)} runs are too many for a page; it shows up to {MOST}")
    if len({one.header.direction for one in histories}) > 1:
        raise InputError("one run minimizes and another maximizes: their scores do not compare")
    distinct = (
        label if labels.count(label) == 1 else f"{label} {1 + labels[:k].count(label)}"
        for k, label in enumerate(labels)
    )
    pairs = zip(distinct, histories, strict=True)
    return tuple(Run(label=label, history=history) for label, history in pairs)


def duels(runs: Sequence[Run]) -> tuple[Duel, ...]:
    """All pairs of runs whose winners differ and have met the same instances."""
    found = (_duel(first, second) for first, second in combinations(runs, 2))
    return tuple(one for one in found if one is not None)


def _duel(first: Run, second: Run) -> Duel | None:
    if first.winner is None or second.winner is None or same_winner(first, second):
        return None
    for held_out in (True, False):
        own, other = (_met(run, held_out=held_out) for run in (first, second))
        shared = tuple(name for name in own if name in other)
        if shared:
            costs = np.array([(own[name], other[name]) for name in shared])
            told = gain(costs, name=first.called, over=second.called,
                        of="unseen" if held_out else "choice", unit=first.history.unit)  # fmt: skip
            return Duel(first=first, second=second, held_out=held_out, instances=shared,
                        costs=costs, gain=told)  # fmt: skip
    return None


def same_winner(first: Run, second: Run) -> bool:
    """Whether two runs found the same configuration."""
    winners = [run.winner for run in (first, second) if run.winner is not None]
    return len(winners) == 2 and dict(winners[0].values) == dict(winners[1].values)


def _met(run: Run, *, held_out: bool) -> Mapping[str, float]:
    """Problem → the winner's mean cost there: held out, or those of the run itself."""
    history, found = run.history, run.history.test("winner")
    seen: dict[str, list[float]] = {}
    if held_out:
        rows = zip(found.instances, found.costs[:, 0], strict=True) if found is not None else ()
        for name, cost in rows:
            seen.setdefault(name, []).append(float(cost))
    elif run.winner is not None:
        steps, costs = history.matrices.pair(run.winner.id, run.winner.id)
        for step, cost in zip(steps.tolist(), costs[:, 0].tolist(), strict=True):
            seen.setdefault(history.race.instance(step).name, []).append(cost)
    return {name: math.fsum(costs) / len(costs) for name, costs in seen.items()}


def headline(runs: Sequence[Run], found: Sequence[Duel]) -> str:
    """The result in a short sentence; only held-out instances decide between winners."""
    if any(run.winner is None for run in runs):
        return "Not every run has a winner yet."
    if all(same_winner(runs[0], run) for run in runs[1:]):
        return f"All {len(runs)} runs found the same configuration."
    fair = [one for one in found if one.held_out]
    if not fair:
        winners = len({repr(sorted(run.winner.values.items())) for run in runs if run.winner})
        return f"{len(runs)} runs, {winners} winners: which is better is not known."
    won = [one.first if one.gain.evidence == "better" else one.second for one in fair
           if one.gain.evidence in ("better", "worse")]  # fmt: skip
    best = [run for run in runs if won.count(run) == len(runs) - 1]
    if best:
        return f"{best[0].called} is better on unseen problems."
    return "Undecided: no winner is shown to be better than the others."


def sentences(runs: Sequence[Run], found: Sequence[Duel]) -> tuple[str, ...]:
    """The comparison of the winners, and what would separate them."""
    caveat = " These instances also chose the winners."
    said = [f"{sentence(one.gain)}{'' if one.held_out else caveat}" for one in found]
    agreed = [(a.label, b.label) for a, b in combinations(runs, 2) if same_winner(a, b)]
    said += [f"{a} and {b} found the same configuration." for a, b in agreed]
    if len(runs) > 1 and not any(one.held_out for one in found) and len(agreed) < len(runs) - 1:
        said.append(
            "`racing test` on each run, with the same instances, measures which winner is better."
        )
    return tuple(said)
