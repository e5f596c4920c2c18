"""Runs side by side: gains, winners instance by instance, best so far, and what was tried."""

from __future__ import annotations

from collections.abc import Sequence

from racing.base.words import count
from racing.core.view import default_of
from racing.report.forms import Axis, Bars, Columns, Figure, Plot, Points, category, short
from racing.report.incumbent import incumbents
from racing.report.names import name_of, refer
from racing.report.parameters import Effect, effects
from racing.report.pictures.picture import Picture, in_unit, interval_figure, nothing, table
from racing.report.pictures.result import over_time, pair_rows, pairs_figure, stepped
from racing.report.pictures.space import places, value_axis
from racing.report.scales import Scale, scale_of
from racing.report.several import Duel, Run
from racing.report.summary import bar as bar_of

_POINTS, _PARAMETERS = 600, 20


def pictures_of(runs: Sequence[Run], found: Sequence[Duel]) -> tuple[Picture, ...]:
    """The pictures of several runs, in the order of a page."""
    winners = (
        _winners(one, k, (runs.index(one.first), runs.index(one.second)))
        for k, one in enumerate(found)
    )
    return gains(runs), *winners, best_so_far(runs), agreement(runs), tried(runs)


def _colour(k: int) -> str:
    return f"c{k % 6 + 1}"


def gains(runs: Sequence[Run]) -> Picture:
    """The gain of each run's winner over its default, on one scale."""
    bars = {
        run.label: bar for run in runs if (bar := bar_of(run.history.facts.answer.gain)) is not None
    }
    if not bars:
        return nothing("gains", "Gains over the default", "No run has a gain over a default.")
    unit, labels = _unit(runs), [run.label for run in runs]
    rows = [
        (label, short(bar.estimate), short(bar.low), short(bar.high),
         "instances with no part in the choice" if bar.fresh else "instances of the choice")
        for label, bar in bars.items()
    ]  # fmt: skip
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
        figure=interval_figure(
            list(bars), [row[1:4] for row in rows], in_unit("gain over the default", unit),
            colours=[_colour(labels.index(label)) for label in bars],
            hollow=[k for k, bar in enumerate(bars.values()) if not bar.fresh],
        ),
        table=table(("run", in_unit("gain", unit), "95 % from", "to", "measured on"), rows),
    )  # fmt: skip


def _winners(duel: Duel, number: int, at: tuple[int, int]) -> Picture:
    """A point for each instance that the winners of two runs have met; `at`: places of the runs."""
    facts = duel.first.history.facts
    names, won = (duel.second.called, duel.first.called), duel.gain
    rows = pair_rows(duel.instances, duel.costs[:, ::-1], facts.header.direction)
    columns = ("instance", *names, in_unit("difference", facts.unit))
    caveat = "The winners were also chosen on these."
    if duel.held_out:
        caveat = "No winner was chosen on these."
    return Picture(
        id=f"winners-{number}",
        title=f"{names[1]} against {names[0]}",
        sentence=(
            f"{names[1]} is better on {won.wins} of {count(len(rows), 'instance')}, equal on "
            f"{won.ties}, worse on {won.losses}."
        ),
        reading=(
            "Each point is an instance that both winners have met; on the diagonal they are equal. "
            f"The colour is that of the run whose winner is better. {caveat}"
        ),
        figure=pairs_figure(
            columns, rows, names, facts.unit, facts.header.direction,
            colours=(_colour(at[0]), _colour(at[1])),
            called=(f"{names[1]} better", f"{names[0]} better, or equal"),
        ),
        table=table(columns, rows),
    )  # fmt: skip


def best_so_far(runs: Sequence[Run]) -> Picture:
    """A step line for each run: the gain of its best candidate so far over its default."""
    unit = _unit(runs)
    columns = ("run", "evaluations", "seconds", "candidate", in_unit("improvement", unit),
               "instances")  # fmt: skip
    rows = [
        (run.label, s.evaluations, short(s.elapsed, 4), name_of(run.history, s.candidate),
         short(s.gain), s.instances)
        for run in runs for s in incumbents(run.history) if s.gain is not None
    ]  # fmt: skip
    if not rows:
        return nothing("best-so-far", "Best so far", "No candidate has been ahead yet.")
    lines = []
    for k, run in enumerate(runs):
        last = run.history.marks[-1]
        lines.append(
            stepped(columns, rows, 4, (last.evaluations, short(last.elapsed, 4)), first=1,
                    among=[at for at, row in enumerate(rows) if row[0] == run.label],
                    colour=_colour(k), name=run.label)
        )  # fmt: skip
    return Picture(
        id="best-so-far",
        title="Best so far",
        sentence="The improvement over each run's default, over what was spent.",
        reading=(
            "Each line is a run; a step is a candidate that took the lead, at its mean improvement "
            "over the default by all that the run knows in the end. It was chosen on them, so the "
            "height is too optimistic, and runs on other instances have other heights."
        ),
        figure=over_time(lines, in_unit("mean improvement", unit)),
        table=table(columns, rows),
    )


def agreement(runs: Sequence[Run]) -> Picture:
    """The association of each parameter with the standing, by run."""
    found = [{one.name: one.association for one in effects(run.history)} for run in runs]
    names = list(dict.fromkeys(name for one in found for name in one))
    if not names:
        return nothing("agreement", "What matters", "No parameter differs.")
    names.sort(key=lambda name: -max(one.get(name, 0.0) for one in found))
    rows = [(refer(name), *(short(one.get(name), 3) for one in found)) for name in names]
    thick, marks = 0.8 / len(runs), []
    for k, run in enumerate(runs):
        at = [n for n, row in enumerate(rows[:10]) if row[k + 1] is not None]
        top = [n - 0.4 + k * thick for n in at]
        marks.append(
            Bars(x0=(0.0,) * len(at), x1=tuple(100 * float(rows[n][k + 1] or 0) for n in at),
                 y0=tuple(top), y1=tuple(y + thick for y in top), colour=_colour(k),
                 name=run.label, rows=tuple(at))
        )  # fmt: skip
    plot = Plot(
        x=(Axis(name="share of the differences in place, %", ends=(0.0, 100.0)),),
        y=(category([row[0] for row in rows[:10]], reverse=True),), marks=tuple(marks),
        height=(10 + 14 * len(runs)) * len(rows[:10]) + 70,
    )  # fmt: skip
    return Picture(
        id="agreement",
        title="What matters in each run",
        sentence="The share of the differences in mean place that goes with a parameter by itself.",
        reading=(
            "A bar for each run. Bars of equal length say that the runs agree on a parameter. A "
            "parameter without a bar is the same in all configurations of that run."
        ),
        figure=Figure(plots=(plot,)),
        table=table(("parameter", *(run.label for run in runs)), rows),
    )


def tried(runs: Sequence[Run]) -> Picture:
    """The configurations of all runs at their values of two parameters, on one scale."""
    found = [{one.name: one for one in effects(run.history)} for run in runs]
    names = list(dict.fromkeys(name for one in found for name in one))[:_PARAMETERS]
    if len(names) < 2:
        return nothing("tried", "What was tried", "Fewer than two parameters differ.")
    scales = {name: _common(runs, found, name) for name in names}
    axes = tuple(value_axis(name, scale) for name, scale in scales.items())
    marks = [
        mark
        for k, (run, one) in enumerate(zip(runs, found, strict=True))
        for mark in _points(run, one, scales, _colour(k))
    ]
    plot = Plot(x=axes, y=(*axes[1:], axes[0]), marks=tuple(marks), height=400)
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
        figure=Figure(plots=(plot,)),
        table=table(
            ("run", "candidate", "fate", *map(refer, names)),
            (
                (run.label, refer(one), run.history.fate(id), *(one.values.get(n) for n in names))
                for run in runs
                for id, one in run.history.candidates.items()
            ),
        ),
    )


def _points(
    run: Run, found: dict[str, Effect], scales: dict[str, Scale], colour: str
) -> list[Points]:
    """The configurations of a run, evenly spaced ones of many; then its winner."""
    every = sorted({id for one in found.values() for id in one.ids})
    winner = None if run.winner is None else run.winner.id
    ids = [id for id in every[:: -(-len(every) // _POINTS)] if id != winner] if every else []
    groups = (("", ids, 3.0), (", the winner", [winner] if winner in every else [], 7.0))
    marks = []
    for more, own, size in groups:
        if not own:
            continue
        x: Columns = tuple(
            places(scale, [*own], dict(zip(found[name].ids, found[name].values, strict=True))
                   if name in found else {})
            for name, scale in scales.items()
        )  # fmt: skip
        names = tuple(name_of(run.history, id) for id in own if id is not None)
        marks.append(
            Points(x=x, y=(*x[1:], x[0]), colour=colour, size=size, name=f"{run.label}{more}",
                   opacity=1.0 if more else 0.55, tip=(("candidate", names),))
        )  # fmt: skip
    return marks


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
