"""Runs side by side: gains, winners instance by instance, best so far, and what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racing.base.quantities import score_of
from racing.base.words import count
from racing.core.view import default_of
from racing.report.history import History
from racing.report.incumbent import incumbents
from racing.report.names import name_of, refer
from racing.report.parameters import Effect, effects
from racing.report.pictures.picture import (
    Picture,
    in_unit,
    nothing,
    plain,
    scale_data,
    short,
    table,
)
from racing.report.scales import Scale, scale_of
from racing.report.several import Duel, Run
from racing.report.summary import bar as bar_of

_POINTS = 600
_PARAMETERS = 40


def pictures_of(runs: Sequence[Run], found: Sequence[Duel]) -> tuple[Picture, ...]:
    """The pictures of several runs, in the order of a page."""
    winners = (
        _winners(one, k, (runs.index(one.first), runs.index(one.second)))
        for k, one in enumerate(found)
    )
    return gains(runs), *winners, best_so_far(runs), agreement(runs), tried(runs)


def gains(runs: Sequence[Run]) -> Picture:
    """The gain of each run's winner over its default, on one scale."""
    unit = _unit(runs)
    bars = [
        (run, bar) for run in runs if (bar := bar_of(run.history.facts.answer.gain)) is not None
    ]
    if not bars:
        return nothing("gains", "Gains over the default", "No run has a gain over a default.")
    rows = [
        (run.label, short(bar.estimate), short(bar.low), short(bar.high), _where(bar.fresh))
        for run, bar in bars
    ]
    left_out = len(runs) - len(bars)
    return Picture(
        id="gains",
        title="Gains over the default",
        sentence=f"{count(len(bars), 'run')} with a gain that can be drawn."
        + (f" {left_out} without." if left_out else ""),
        reading=(
            "The point is the gain of a run's winner over that run's default, the line its 95 % "
            "interval. Right of 0 the winner is better. A gain on the instances of the "
            "choice is overstated: its point is hollow. Gains on different instances do not "
            "compare."
        ),
        chart="gains",
        data={
            "rows": rows,
            "runs": [runs.index(run) for run, _ in bars],
            "held": [bar.fresh for _, bar in bars],
            "unit": unit,
        },
        table=table(("run", in_unit("gain", unit), "95 % from", "to", "measured on"), rows),
    )


def _where(held_out: bool) -> str:
    return "instances with no part in the choice" if held_out else "instances of the choice"


def _winners(duel: Duel, number: int, places: tuple[int, int]) -> Picture:
    """A point for each instance that the winners of two runs have met; `places` of the runs."""
    direction, unit = duel.first.history.facts.header.direction, duel.first.history.facts.unit
    names = duel.second.called, duel.first.called
    scores = score_of(duel.costs, direction)
    rows = [
        (refer(name), short(float(other)), short(float(own)), short(_gain(*costs)))
        for name, (own, other), costs in zip(duel.instances, scores, duel.costs, strict=True)
    ]
    won = duel.gain
    return Picture(
        id=f"winners-{number}",
        title=f"{names[1]} against {names[0]}",
        sentence=(
            f"{names[1]} is better on {won.wins} of {count(len(rows), 'instance')}, equal on "
            f"{won.ties}, worse on {won.losses}."
        ),
        reading=(
            "Each point is an instance that both winners have met; on the diagonal they are equal. "
            "The colour is that of the run whose winner is better. "
            + (
                "No winner was chosen on these."
                if duel.held_out
                else "The winners were also chosen on these."
            )
        ),
        chart="pairs",
        data={
            "names": names,
            "rows": rows,
            "runs": places,
            "unit": unit,
            "better": "above" if direction == "maximize" else "below",
        },
        table=table(("instance", *names, in_unit("difference", unit)), rows),
    )


def _gain(own: float, other: float) -> float | None:
    difference = float(other) - float(own)
    return difference if abs(difference) < float("inf") else None


def best_so_far(runs: Sequence[Run]) -> Picture:
    """A step line for each run: the gain of its best candidate so far over its default."""
    unit, lines, rows = _unit(runs), [], []
    for k, run in enumerate(runs):
        history = run.history
        steps = [one for one in incumbents(history) if one.gain is not None]
        last = history.marks[-1]
        if steps:
            lines.append(
                {
                    "run": k,
                    "label": run.label,
                    "steps": [(s.evaluations, short(s.elapsed, 4), short(s.gain)) for s in steps],
                    "end": (last.evaluations, short(last.elapsed, 4)),
                }
            )
        rows += [
            (run.label, s.evaluations, short(s.elapsed, 4), name_of(history, s.candidate),
             short(s.gain), s.instances)
            for s in steps
        ]  # fmt: skip
    if not lines:
        return nothing("best-so-far", "Best so far", "No candidate has been ahead yet.")
    return Picture(
        id="best-so-far",
        title="Best so far",
        sentence="The improvement over each run's default, over what was spent.",
        reading=(
            "Each line is a run; a step is a candidate that took the lead, at its mean improvement "
            "over the default by all that the run knows in the end. It was chosen on them, so the "
            "height is too optimistic, and runs on other instances have other heights."
        ),
        chart="incumbents",
        data={"lines": lines, "unit": unit},
        table=table(
            ("run", "evaluations", "seconds", "candidate", in_unit("improvement", unit),
             "instances"),
            rows,
        ),
    )  # fmt: skip


def agreement(runs: Sequence[Run]) -> Picture:
    """The association of each parameter with the standing, by run."""
    found = [{one.name: one.association for one in effects(run.history)} for run in runs]
    names = list(dict.fromkeys(name for one in found for name in one))
    if not names:
        return nothing("agreement", "What matters", "No parameter differs.")
    names.sort(key=lambda name: -max(one.get(name, 0.0) for one in found))
    rows = [(refer(name), *(short(one.get(name), 3) for one in found)) for name in names]
    return Picture(
        id="agreement",
        title="What matters in each run",
        sentence="The share of the differences in mean place that goes with a parameter by itself.",
        reading=(
            "A bar for each run. Bars of equal length say that the runs agree on a parameter. A "
            "parameter without a bar is the same in all configurations of that run."
        ),
        chart="agreement",
        data={"rows": rows[:10], "labels": [run.label for run in runs]},
        table=table(("parameter", *(run.label for run in runs)), rows),
    )


def tried(runs: Sequence[Run]) -> Picture:
    """The configurations of all runs at their values of two parameters, on one scale."""
    found = [{one.name: one for one in effects(run.history)} for run in runs]
    names = list(dict.fromkeys(name for one in found for name in one))[:_PARAMETERS]
    if len(names) < 2:
        return nothing("tried", "What was tried", "Fewer than two parameters differ.")
    return Picture(
        id="tried",
        title="What was tried",
        sentence=(
            f"{' and '.join(f'{len(run.history.candidates)} by {run.label}' for run in runs)}."
        ),
        reading=(
            "Each point is a configuration, in the colour of its run; the large ones are the "
            "winners. Where the clouds lie apart, the runs searched elsewhere; winners that lie "
            "together are agreement."
        ),
        chart="tried",
        data={
            "labels": [run.label for run in runs],
            "winners": [None if run.winner is None else run.winner.id for run in runs],
            "parameters": [
                {
                    "name": refer(name),
                    **scale_data(_common(runs, found, name)),
                    "points": [_points(run.history, one.get(name)) for run, one in zip(
                        runs, found, strict=True)],
                }
                for name in names
            ],
        },
        table=table(
            ("run", "candidate", "fate", *map(refer, names)),
            (
                (run.label, refer(one), run.history.fate(id), *(one.values.get(n) for n in names))
                for run in runs
                for id, one in run.history.candidates.items()
            ),
        ),
    )  # fmt: skip


def _points(history: History, effect: Effect | None) -> list[Any]:
    """(candidate, value) of those that have the parameter; evenly spaced ones of many."""
    if effect is None:
        return []
    every = list(zip(effect.ids, map(plain, effect.values), strict=True))
    winner = history.facts.winner
    step = -(-len(every) // _POINTS)
    kept = every[::step]
    return kept + [
        one for one in every if winner is not None and one[0] == winner.id and one not in kept
    ]


def _common(runs: Sequence[Run], found: Sequence[dict[str, Effect]], name: str) -> Scale:
    """One scale that holds the values of all runs."""
    values = [value for one in found if name in one for value in one[name].values]
    spaces = [run.history.space for run in runs]
    parameters = [space[name] for space in spaces if space is not None and name in space]
    same = parameters and all(one == parameters[0] for one in parameters)
    return scale_of(values, parameters[0] if same else None)


def _unit(runs: Sequence[Run]) -> str:
    """The common unit of all runs; empty if they differ."""
    units = {run.history.facts.unit for run in runs}
    return units.pop() if len(units) == 1 else ""


def default_name(run: Run) -> str:
    """The candidate that a run's winner is compared with."""
    return refer(default_of(run.history.race)) if run.history.race.candidates else "–"
