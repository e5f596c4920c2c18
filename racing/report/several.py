"""Runs side by side: their winners on the instances that both have met, in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from racing.answer.gain import Gain, gain
from racing.answer.words import sentence
from racing.base.errors import InputError
from racing.base.words import listed, refer
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


def alike(runs: Sequence[Run]) -> tuple[tuple[Run, ...], ...]:
    """The runs with a winner, those together that found the same configuration."""
    found: list[list[Run]] = []
    for run in (one for one in runs if one.winner is not None):
        own = next((group for group in found if same_winner(group[0], run)), None)
        found.append([run]) if own is None else own.append(run)
    return tuple(map(tuple, found))


def duels(runs: Sequence[Run]) -> tuple[Duel, ...]:
    """All pairs of different winners that have met the same instances, each pair once."""
    found = (_duel(first, second) for first, second in combinations(alike(runs), 2))
    return tuple(one for one in found if one is not None)


def _duel(first: Sequence[Run], second: Sequence[Run]) -> Duel | None:
    """The first two runs of two winners that share instances, held-out ones before others."""
    for held_out in (True, False):
        for one, two in product(first, second):
            own, other = (_met(run, held_out=held_out) for run in (one, two))
            shared = tuple(name for name in own if name in other)
            if shared:
                costs = np.array([(own[name], other[name]) for name in shared])
                told = gain(costs, name=one.called, over=two.called, unit=one.history.unit,
                            of="unseen" if held_out else "choice")  # fmt: skip
                return Duel(first=one, second=two, held_out=held_out, instances=shared,
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
    winners = alike(runs)
    if sum(map(len, winners)) < len(runs):
        return "Not every run has a winner yet."
    if len(winners) == 1:
        return (
            f"{'Both' if len(runs) == 2 else f'All {len(runs)}'} runs found the same configuration."
        )
    fair = [one for one in found if one.held_out]
    if not fair:
        return f"{len(runs)} runs, {len(winners)} winners: which is better is not known."
    best = [group for group in winners if _beats_all(group, fair, len(winners))]
    if best:
        return f"{best[0][0].called} is better on unseen problems."
    return "Undecided: no winner is shown to be better than the others."


def _beats_all(group: Sequence[Run], fair: Sequence[Duel], many: int) -> bool:
    won = sum(
        (one.first in group and one.gain.evidence == "better")
        or (one.second in group and one.gain.evidence == "worse")
        for one in fair
    )
    return won == many - 1


def sentences(runs: Sequence[Run], found: Sequence[Duel]) -> tuple[str, ...]:
    """Which runs agree, if not all do, how the winners compare, and what would separate them."""
    winners = alike(runs)
    said = [f"{listed([run.label for run in group])} found the same configuration."
            for group in winners if 1 < len(group) < len(runs)]  # fmt: skip
    caveat = " These instances also chose the winners."
    said += [f"{sentence(one.gain)}{'' if one.held_out else caveat}" for one in found]
    if len(winners) > 1 and not any(one.held_out for one in found):
        said.append(
            "`racing test` on each run, with the same instances, measures which winner is better."
        )
    return tuple(said)
