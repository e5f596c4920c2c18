"""Runs side by side: how their winners compare, gains, best so far, and what was tried."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from racing.answer.gain import Basis, Gain, by_mean, gain
from racing.answer.words import sentence
from racing.base.errors import InputError
from racing.base.words import listed, refer
from racing.core.candidate import Candidate
from racing.core.goal import Goal
from racing.log.headers import only_python
from racing.report import forms
from racing.report.forms import Axis, Bars, Mark, Points, short
from racing.report.history import History
from racing.report.parameters import Effect, Scale, effects, scale_of
from racing.report.picture import Picture, in_unit, interval_figure, picture, table
from racing.report.pictures.course import incumbents, over_time, stepped
from racing.report.pictures.result import ends_of, two

_POINTS, _PARAMETERS, _BARS = 600, 20, 10
_COLOURS = ("c1", "c2", "c3", "c4", "c5", "c6")


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
    instances
        Names of problems.
    costs : (n, 2)
        Of the two winners; the mean where a problem was met more than once.
    gain
        How they compare: by means, if both runs choose by means.
    """

    first: Run
    second: Run
    instances: tuple[str, ...]
    costs: np.ndarray
    gain: Gain

    @property
    def held_out(self) -> bool:
        """Whether neither run chose its winner on these instances."""
        return self.gain.fresh


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
    found: dict[frozenset[Any], list[Run]] = {}
    for run in runs:
        if run.winner is not None:
            found.setdefault(frozenset(run.winner.values.items()), []).append(run)
    return tuple(map(tuple, found.values()))


def duels(runs: Sequence[Run]) -> tuple[Duel, ...]:
    """All pairs of different winners that have met the same instances, each pair once."""
    found = (_duel(first, second) for first, second in combinations(alike(runs), 2))
    return tuple(one for one in found if one is not None)


def _duel(first: Sequence[Run], second: Sequence[Run]) -> Duel | None:
    """The first two runs of two winners that share instances, held-out ones before others."""
    for held_out in (True, False):
        for one, next_one in product(first, second):
            own, other = (_met(run, held_out=held_out) for run in (one, next_one))
            shared = tuple(name for name in own if name in other)
            if shared:
                costs = np.array([(own[name], other[name]) for name in shared])
                told = _gain(one, next_one, costs, "unseen" if held_out else "choice")
                return Duel(first=one, second=next_one, instances=shared, costs=costs, gain=told)
    return None


def _gain(one: Run, other: Run, costs: np.ndarray, of: Basis) -> Gain:
    """The gain by means, if both runs choose by means."""
    races, goal = (one.history.race, other.history.race), one.history.race.results.goal
    return gain(
        costs, mean=all(by_mean(costs, race.objective) for race in races), of=of,
        name=one.called, over=other.called, unit=one.history.unit,
        metric=goal.of_one if isinstance(goal, Goal) else "",
    )  # fmt: skip


def _met(run: Run, *, held_out: bool) -> Mapping[str, float]:
    """Problem → the winner's mean cost there: held out, or those of the run itself."""
    history, found = run.history, run.history.tested("winner")
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
    """The result in a short sentence; only held-out instances decide, and no metric of several."""
    winners = alike(runs)
    if sum(map(len, winners)) < len(runs):
        return "Not every run has a winner yet."
    if len(winners) == 1:
        return (
            f"{'Both' if len(runs) == 2 else f'All {len(runs)}'} runs found the same configuration."
        )
    fair = [one for one in found if one.held_out and not one.gain.metric]
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
        by_hand = any(only_python(run.history.header) for run in runs)
        test = "A test of" if by_hand else "`racing test` on"
        said.append(f"{test} each run, with the same instances, measures which winner is better.")
    return tuple(said)


def pictures_of(runs: Sequence[Run], found: Sequence[Duel]) -> tuple[Picture, ...]:
    """The pictures of several runs, in the order of a page."""
    winners = (replace(_winners(runs, one), id=f"winners-{k}") for k, one in enumerate(found))
    return gains(runs), *winners, best_so_far(runs), agreement(runs), tried(runs)


def _unit(runs: Sequence[Run]) -> str:
    """The common unit of all runs; empty if they differ."""
    units = {run.history.unit for run in runs}
    return units.pop() if len(units) == 1 else ""


@picture("gains", "Gains over the default")
def gains(runs: Sequence[Run]) -> Picture | str:
    """The point is the gain of a run's winner over that run's default, the line its 95 % interval.
    Right of 0 the winner is better. A gain on the instances of the choice is overstated: its point
    is hollow. Gains on different instances do not compare.
    """
    told = [(_COLOURS[k], run.label, run.history.answer.gain) for k, run in enumerate(runs)]
    known = [(colour, name, one) for colour, name, one in told if one.estimate is not None]
    if not known:
        return "No run has a gain over a default."
    rows: list[tuple[Any, ...]] = [
        (name, short(one.estimate), *map(short, ends_of(one) or (None, None)),
         "instances with no part in the choice" if one.fresh else "instances of the choice")
        for _, name, one in known
    ]  # fmt: skip
    unit, looks = _unit(runs), [(of, "circle" if one.fresh else "hollow") for of, _, one in known]
    label = in_unit("gain over the default", unit)
    return Picture(
        sentence=f"{len(known)} of {len(runs)} runs have one, with its 95 % interval.",
        figure=interval_figure([row[0] for row in rows], [row[1:4] for row in rows], label, looks),
        table=table(("run", in_unit("gain", unit), "95 % from", "to", "measured on"), rows),
    )


@picture("winners", "Winners")
def _winners(runs: Sequence[Run], duel: Duel) -> Picture:
    """Each point is an instance that both winners have met; on the diagonal they are equal. The
    colour is that of the run whose winner is better.
    """
    names, history = (duel.first.called, duel.second.called), duel.first.history
    found = two(
        names, duel.instances, duel.costs, history.race.direction, history.unit,
        colours=(_COLOURS[runs.index(duel.first)], _COLOURS[runs.index(duel.second)]),
        called=(f"{names[0]} better", f"{names[1]} better, or equal"),
    )  # fmt: skip
    caveat = "No winner was chosen" if duel.held_out else "The winners were also chosen"
    return replace(found, title=" against ".join(names), reading=f"{caveat} on these.")


@picture("best-so-far", "Best so far")
def best_so_far(runs: Sequence[Run]) -> Picture | str:
    """Each line is a run; a step is a candidate that took the lead, at its mean improvement over
    the default by all that the run knows in the end. It was chosen on them, so the height is too
    optimistic, and runs on other instances have other heights.
    """
    unit = _unit(runs)
    found = table(
        ("run", "evaluations", "seconds", "candidate", in_unit("improvement", unit), "instances"),
        (
            (run.label, s.evaluations, short(s.elapsed, 4), run.history.called(s.candidate), s.gain,
             s.instances)
            for run in runs for s in incumbents(run.history) if s.gain is not None
        ),
    )  # fmt: skip
    if not found.rows:
        return "No candidate has been ahead yet."
    lines = [
        stepped(found, (1, 2, 4), run.history, colour=_COLOURS[k], name=run.label,
                among=[at for at, row in enumerate(found.rows) if row[0] == run.label])
        for k, run in enumerate(runs)
    ]  # fmt: skip
    return Picture(
        sentence="The improvement over each run's default, over what was spent.",
        figure=over_time(lines, in_unit("mean improvement", unit)),
        table=found,
    )


def _parameters(runs: Sequence[Run]) -> tuple[list[dict[str, Effect]], list[str]]:
    """The parameters of each run that vary, and the names of all."""
    found = [{one.name: one for one in effects(run.history)} for run in runs]
    return found, list(dict.fromkeys(name for one in found for name in one))


@picture("agreement", "What matters in each run")
def agreement(runs: Sequence[Run]) -> Picture | str:
    """A bar for each run. Bars of equal length say that the runs agree on a parameter. A parameter
    without a bar is the same in all configurations of that run.
    """
    varying, names = _parameters(runs)
    if not names:
        return "No parameter differs."
    found = [{name: one.association for name, one in of.items()} for of in varying]
    names.sort(key=lambda name: -max(one.get(name, 0.0) for one in found))
    rows = [(refer(name), *(short(one.get(name), 3) for one in found)) for name in names]
    thick, marks, few = 0.8 / len(runs), [], rows[:_BARS]
    for k, run in enumerate(runs):
        at = [n for n, row in enumerate(few) if row[k + 1] is not None]
        top = [n - 0.4 + k * thick for n in at]
        marks.append(
            Bars(x0=[0] * len(at), x1=[100 * float(few[n][k + 1] or 0) for n in at], y0=top,
                 y1=[y + thick for y in top], colour=_COLOURS[k], name=run.label, rows=at)
        )  # fmt: skip
    x = Axis("share of the differences in place, %", ends=(0.0, 100.0))
    y, height = forms.category([row[0] for row in few], reverse=True), 10 + 14 * len(runs)
    return Picture(
        sentence="The share of the differences in mean place that goes with a parameter by itself.",
        figure=forms.figure(marks, x, y, height=height * len(few) + 70),
        table=table(("parameter", *(run.label for run in runs)), rows),
    )


@picture("tried", "What was tried")
def tried(runs: Sequence[Run]) -> Picture | str:
    """Each point is a configuration, in the colour of its run; the large ones are the winners.
    Where the clouds lie apart, the runs searched elsewhere; winners that lie together are
    agreement.
    """
    found, names = _parameters(runs)
    names = names[:_PARAMETERS]
    if len(names) < 2:
        return "Fewer than two parameters differ."
    scales = {name: _common(runs, found, name) for name in names}
    axes = [scale.axis(refer(name)) for name, scale in scales.items()]
    marks = [mark for k, run in enumerate(runs) for mark in _points(run, found[k], scales, k)]
    many = " and ".join(f"{len(run.history.candidates)} by {run.label}" for run in runs)
    return Picture(
        sentence=f"{many}.",
        figure=forms.figure(marks, axes, (*axes[1:], axes[0]), height=400),
        table=table(
            ("run", "candidate", "fate", *map(refer, names)),
            (
                (run.label, refer(one), run.history.fate(id), *(one.values.get(n) for n in names))
                for run in runs for id, one in run.history.candidates.items()
            ),
        ),
    )  # fmt: skip


def _points(run: Run, found: dict[str, Effect], scales: dict[str, Scale], k: int) -> Iterator[Mark]:
    """The configurations of a run, evenly spaced ones of many; then its winner."""
    every = sorted({id for one in found.values() for id in one.of})
    winner = -1 if run.winner is None else run.winner.id
    few = every[:: -(-len(every) // _POINTS)] if every else []
    groups = (("", [id for id in few if id != winner], 3.0, 0.55),
              (", the winner", [id for id in every if id == winner], 7.0, 1.0))  # fmt: skip
    for more, ids, size, opacity in groups:
        x = [scale.places(ids, found[name].of if name in found else {})
             for name, scale in scales.items()]  # fmt: skip
        if ids:
            tip = {"candidate": map(run.history.called, ids)}
            yield Points(x=x, y=(*x[1:], x[0]), colour=_COLOURS[k], size=size, opacity=opacity,
                         name=f"{run.label}{more}", tip=tip)  # fmt: skip


def _common(runs: Sequence[Run], found: Sequence[dict[str, Effect]], name: str) -> Scale:
    """One scale that holds the values of all runs."""
    values = [value for one in found if name in one for value in one[name].values]
    spaces = [run.history.space for run in runs]
    parameters = [space[name] for space in spaces if space is not None and name in space]
    same = parameters and all(one == parameters[0] for one in parameters)
    return scale_of(values, parameters[0] if same else None)
