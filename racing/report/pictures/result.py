"""Who won, and by how much: over the default, over the second, by family, and over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from racing.base.quantities import Direction, score_of
from racing.base.words import count, number, percent
from racing.core.view import default_of
from racing.report.families import family_sentences
from racing.report.finalists import shared_costs
from racing.report.forms import (
    Axis,
    Bars,
    Figure,
    Intervals,
    Line,
    Plot,
    Points,
    Rule,
    Texts,
    at_least,
    category,
    column,
    short,
    spread,
)
from racing.report.history import History
from racing.report.incumbent import incumbents
from racing.report.lead import Lead, lead, rivals
from racing.report.matrices import Floats
from racing.report.names import name_of, refer
from racing.report.pair import last_pair
from racing.report.pictures.picture import (
    FATES,
    Picture,
    in_unit,
    interval_figure,
    nothing,
    table,
    told,
)

_MOST = 2000  # points of pairs
_STRIP = 300  # points of a strip
_CURVE = 121  # points of a density


def best_so_far(history: History) -> Picture:
    """A step for each new best candidate: by how much it is better than the default."""
    found = incumbents(history)
    if not found:
        return nothing("best-so-far", "Best so far", "No candidate has been ahead yet.")
    facts, last = history.facts, history.marks[-1]
    default = refer(default_of(history.race))
    rows = [
        (
            one.evaluations, short(one.elapsed, 4), name_of(history, one.candidate),
            short(score_of(one.cost, facts.header.direction)), short(one.gain), one.instances,
        )
        for one in found
    ]  # fmt: skip
    said = f"{count(len(found), 'candidate')} led{' in turn' if len(found) > 1 else ''}"
    final = found[-1]
    name = name_of(history, final.candidate)
    if final.gain is not None and name != default:
        said += (
            f"; {name}, the last one, differs from {default} by {number(final.gain, 4)} on "
            f"average over {count(final.instances, 'instance')}"
        )
    columns = ("evaluations", "seconds", "candidate", in_unit("mean score", facts.unit),
               in_unit("improvement", facts.unit), "instances")  # fmt: skip
    end = last.evaluations, short(last.elapsed, 4)
    up = in_unit(f"mean improvement over {default}", facts.unit)
    return Picture(
        id="best-so-far",
        title="Best so far",
        sentence=f"{said}.",
        reading=(
            f"Each step is a candidate that took the lead. Its height is the mean improvement over "
            f"{default} on the instances that both ran without a failure, by all that the run "
            "knows now: above 0 it is better. The table has its mean score there too. "
            "It was chosen on them, so the height is too optimistic. A line that stays flat says "
            "that more budget brought nothing."
        ),
        figure=over_time([stepped(columns, rows, 4, end)], up),
        table=table(columns, rows),
    )


def stepped(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], height: int, end: Sequence[Any],
    *, first: int = 0, among: Sequence[int] | None = None, **how: Any,
) -> Line | None:  # fmt: skip
    """A line that steps at rows of a table, and goes on to its end; None without a height.

    Parameters
    ----------
    height, first
        The columns of the heights, and of the evaluations; seconds come after these.
    among
        The rows of this line; None: all.
    """
    at = range(len(rows)) if among is None else among
    known = [k for k in at if isinstance(rows[k][height], float)]
    if not known:
        return None
    x = tuple((*(float(rows[k][first + c]) for k in known), end[c]) for c in (0, 1))
    known.append(known[-1])
    y = tuple(rows[k][height] for k in known)
    return Line(
        x=x, y=(y,), step="after", width=2.5, dots=len(known) < 40,
        **told(columns, rows, known), **how,
    )  # fmt: skip


def over_time(lines: Sequence[Line | None], up: str) -> Figure | None:
    """Step lines over evaluations, or over time."""
    drawn = tuple(one for one in lines if one is not None)
    x = (Axis(name="evaluations", whole=True), Axis(name="time", seconds=True))
    plot = Plot(x=x, y=(Axis(name=up),), marks=drawn, rules=(Rule(y=0),), across="Over")
    return Figure(plots=(plot,)) if drawn else None


def gain_figure(estimate: float, low: float | None, high: float | None) -> Figure:
    """A gain as a bar from 0, with its interval, if it has one; its colour says what is shown."""
    colour, marks = "dropped", []
    if low is not None and high is not None:
        colour = "winner" if low > 0 else "soft" if high < 0 else "dropped"
        marks = [Intervals(at=((0.0,),), low=((low,),), high=((high,),), colour="ink")]
    bar = Bars(x0=(0.0,), x1=(estimate,), y0=(-0.4,), y1=(0.4,), colour=colour)
    text = Texts(x=((estimate,),), y=((0.4,),), dy=-12, texts=(number(estimate, 4),), bold=True,
                 anchor="middle", colour="ink")  # fmt: skip
    plot = Plot(x=(Axis(),), y=(Axis(kind="hidden", ends=(-0.5, 1.2)),), marks=(bar, *marks, text),
                rules=(Rule(x=0),), height=96)  # fmt: skip
    return Figure(plots=(plot,))


def against_default(history: History) -> Picture:
    """A point for each instance that both ran: the default's score across, the winner's up."""
    id, title = "against-default", "Winner against default"
    winner, race = history.facts.winner, history.race
    if winner is None or not race.candidates:
        return nothing(id, title, "There is no winner yet.")
    default = default_of(race)
    if default == winner:
        return nothing(id, title, f"The winner is {refer(winner)} itself, the default.")
    columns = history.matrices.column
    if winner.id not in columns or default.id not in columns:
        return nothing(id, title, "The two have not met on an instance yet.")
    steps, costs = history.matrices.pair(winner.id, default.id)
    return _of_two(
        history,
        [history.race.instance(int(step)).name for step in steps],
        costs,
        (name_of(history, default.id), name_of(history, winner.id)),
        nothing(id, title, "These instances also chose the winner, so the picture flatters it."),
    )


def held_out(history: History) -> Picture:
    """The same on the instances of `racing test`, which the run did not meet."""
    found, title = history.facts.test("winner"), "Unseen problems"
    if found is None:
        return nothing("held-out", title, "The winner was not tested on unseen problems.")
    names = refer(found.gain.over), refer(found.gain.name)
    return _of_two(
        history,
        found.instances,
        found.costs,
        names,
        nothing(
            "held-out",
            f"{title}: {names[1]} against {names[0]}",
            "The run did not meet these problems, so the picture is fair.",
        ),
    )


def _of_two(
    history: History,
    instances: Sequence[str],
    costs: Floats,
    names: tuple[str, str],
    about: Picture,
) -> Picture:
    """The picture of two, (default, winner), with the id, the title and the caveat of another."""
    if not np.isfinite(costs).any():
        why = "On no instance that both ran did one of them succeed."
        return nothing(about.id, about.title, why)
    direction, unit = history.facts.header.direction, history.facts.unit
    wins, losses = (int((sign * (costs[:, 1] - costs[:, 0]) > 0).sum()) for sign in (1, -1))
    rows = pair_rows(instances, costs[:, ::-1], direction)
    columns = ("instance", *names, in_unit("improvement", unit))
    side = "above" if direction == "maximize" else "below"
    return Picture(
        id=about.id,
        title=about.title,
        sentence=(
            f"{names[1]} is better than {names[0]} on {wins} of {count(len(rows), 'instance')}, "
            f"equal on {len(rows) - wins - losses}, worse on {losses}."
            f"{_failures(costs[:, ::-1], names)}"
        ),
        reading=(
            f"Each point is an instance. On the diagonal both are equal; {side} it the winner is "
            "better. There it is blue; grey points are no gain. Orange triangles at an edge are "
            f"failures. {about.sentence}"
        ),
        figure=pairs_figure(columns, rows, names, unit, direction),
        table=table(columns, rows),
    )


def pair_rows(
    instances: Sequence[str], costs: Floats, direction: Direction
) -> list[tuple[float | str | None, ...]]:
    """Instance, both scores, and by how much the second is better; None where one failed."""
    scores = score_of(costs, direction)
    gains: Floats = np.where(np.isfinite(costs).all(axis=1), np.subtract(*costs.T), np.nan)
    return [
        (refer(name), short(float(one)), short(float(two)), short(float(gain)))
        for name, (one, two), gain in zip(instances, scores, gains, strict=True)
    ]


def _failures(costs: Floats, names: tuple[str, str]) -> str:
    failed = np.isinf(costs).sum(axis=0).tolist()
    said = [f"{name} failed on {many}" for name, many in zip(names, failed, strict=True) if many]
    return f" {' and '.join(said)}." if said else ""


def pairs_figure(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], names: Sequence[str], unit: str,
    direction: Direction, *, colours: tuple[str, str] = ("winner", "dropped"),
    called: tuple[str, str] = ("winner better", "no gain"),
) -> Figure:  # fmt: skip
    """A point for each instance over the scores of two, and the diagonal on which they are equal.

    Failures lie at the end of an axis where the worst scores are.
    """
    kept = range(0, len(rows), -(-len(rows) // _MOST))
    both = np.array([[_numeric(rows[k][c]) for c in (1, 2)] for k in kept])
    known = both[np.isfinite(both)]
    log = at_least(known.tolist(), 200)
    low, high = float(known.min()), float(known.max())
    room = (high - low or abs(high) or 1) * 0.05
    ends = (low / 1.15, high * 1.15) if log else (low - room, high + room)
    at = np.clip(both, *ends)
    sign = 1 if direction == "maximize" else -1
    ahead = sign * (both[:, 1] - both[:, 0]) > 0
    lost = ~np.isfinite(both).all(axis=1)
    groups = ((~ahead & ~lost, colours[1], called[1]), (ahead & ~lost, colours[0], called[0]),
              (lost, "fail", "failed"))  # fmt: skip
    points = tuple(
        Points(
            x=(column(at[own, 0].tolist()),), y=(column(at[own, 1].tolist()),), colour=colour,
            name=name, symbol="triangle" if name == "failed" else "circle", opacity=0.85,
            **told(columns, rows, [kept[int(k)] for k in np.flatnonzero(own)]),
        )
        for own, colour, name in groups
        if own.any()
    )  # fmt: skip
    diagonal = Line(x=(ends,), y=(ends,), colour="soft", width=1, dash="dashed")
    axes = (
        Axis(name=in_unit(name, unit), kind="log" if log else "linear", ends=ends) for name in names
    )
    x, y = ((axis,) for axis in axes)
    return Figure(plots=(Plot(x=x, y=y, marks=(diagonal, *points), height=360),))


def _numeric(cell: float | str | None) -> float:
    return math.nan if cell is None else float(cell)


def difference(history: History) -> Picture:
    """The running difference winner − default and winner − second."""
    id, title = "difference", "Running difference"
    if history.facts.winner is None:
        return nothing(id, title, "There is no winner yet.")
    found = {
        which: one
        for which, rival in rivals(history).items()
        if (one := lead(history, rival)) is not None
    }
    if not found:
        return nothing(id, title, "On no instance did the winner and another candidate succeed.")
    name = in_unit("improvement", history.facts.unit)
    columns = ("against", "instances", name, "95 % from", "to")
    rows = [
        (name_of(history, one.against), p.instances, *map(short, (p.estimate, p.low, p.high)))
        for one in found.values()
        for p in one.points
    ]
    sizes = np.cumsum([0, *(len(one.points) for one in found.values())])
    plots = tuple(
        _band(columns, rows, range(int(sizes[k]), int(sizes[k + 1])), _other(history, which, one))
        for k, (which, one) in enumerate(found.items())
    )
    return Picture(
        id=id,
        title=title,
        sentence=" ".join(_sentence(history, which, one) for which, one in found.items()),
        reading=(
            "The line is the median improvement of the winner over the other, after so many "
            "instances (of results that are right or wrong, the difference of the shares that are "
            "right); the band is its 95 % interval. A band above the zero line is a clear lead. "
            "Each interval holds for one look by itself, not for all of them together."
        ),
        figure=Figure(plots=plots, choose="Improvement"),
        table=table(columns, rows),
    )


def _band(columns: Sequence[str], rows: Sequence[Any], at: range, other: str) -> Plot:
    n, middle, low, high = (column(rows[k][c] for k in at) for c in (1, 2, 3, 4))
    line = Line(x=(n,), y=(middle,), low=(low,), high=(high,), dots=len(at) < 60, width=2.5,
                **told(columns, rows, at))  # fmt: skip
    return Plot(x=(Axis(name="instances", whole=True),), y=(Axis(name=columns[2]),), marks=(line,),
                rules=(Rule(y=0),), name=f"over {other}")  # fmt: skip


def _sentence(history: History, which: str, one: Lead) -> str:
    last = one.points[-1]
    against = _other(history, which, one)
    failed = f" ({count(one.failed, 'instance')} with a failure left out)" if one.failed else ""
    if one.evidence == "few" or not (math.isfinite(last.low) and math.isfinite(last.high)):
        many = count(last.instances, "instance")
        return f"Over {against}: {many}, too few for a 95 % interval{failed}."
    said = f"95 % interval {number(last.low, 4)} to {number(last.high, 4)}"
    if one.evidence == "open":
        return f"Over {against}: not decided, {said}{failed}."
    word = "a clear lead" if one.evidence == "better" else "behind it"
    return f"Over {against}: {number(last.estimate, 4)}, {said}, {word}{failed}."


def _other(history: History, which: str, one: Lead) -> str:
    """The name of the other candidate, and its role where the name does not show it."""
    name = name_of(history, one.against)
    return name if name == which else f"{name} ({which})"


def posterior(history: History) -> Picture:
    """The posterior density of the winner's share of wins over the second."""
    id, title, pair = "posterior", "Winner against second", last_pair(history)
    if pair is None:
        return nothing(id, title, "There are no two candidates that ran on the same instances.")
    names = name_of(history, pair.winner), name_of(history, pair.second)
    x = np.linspace(0, 1, _CURVE + 2)[1:-1]
    curves = {
        which: y
        for which in ("lower", "upper")
        if (y := pair.density(x, bound=which)).any()  # else all of it is at 0 or at 1
    }
    if not curves:
        return nothing(id, title, "The two were equal throughout.")
    said = (
        f"{names[0]} beats {names[1]} on {count(pair.wins, 'instance')}, ties on {pair.ties} and "
        f"loses on {pair.losses}. The chance that it wins more often than it loses is "
        f"{percent(pair.lower, 1)} to {percent(pair.upper, 1)}, depending on the prior."
    )
    if len(curves) == 1:
        end = "wins" if not pair.losses else "losses"
        said += f" There are only {end}, so a prior on that side has no curve: all its mass is at "
        said += f"{int(not pair.losses)}."
    across = tuple(x.tolist())
    lines = tuple(
        Line(x=(across,), y=(tuple(y.tolist()),), dash="dashed" if which == "lower" else "",
             filled=True, tip=(("share of wins", across),),
             name=f"prior for the {'second' if which == 'lower' else 'winner'}")
        for which, y in curves.items()
    )  # fmt: skip
    plot = Plot(
        x=(Axis(name=f"share of instances that {names[0]} wins", ends=(0.0, 1.0)),),
        y=(Axis(kind="hidden"),), marks=lines, rules=(Rule(x=0.5, label="equal"),),
    )  # fmt: skip
    numbers = (short(one, 4) for one in (pair.lower, pair.precise, pair.upper))
    return Picture(
        id=id,
        title=title,
        sentence=said,
        reading=(
            "The two curves are what is believed of the share of instances that the winner wins, "
            "ties left out: with a prior worth one instance on the side of the second (dashed), "
            "and on that of the winner. The more of a curve lies right of one half, the surer "
            "the lead. The pair was chosen by these results, so it looks surer than it is."
        ),
        figure=Figure(plots=(plot,)),
        table=table(
            ("pair", "wins", "ties", "losses", "P lower", "P precise", "P upper"),
            [(f"{names[0]} against {names[1]}", pair.wins, pair.ties, pair.losses, *numbers)],
        ),
    )


def families(history: History) -> Picture | None:
    """The winner's gain over the default in each family of instances; None without families."""
    found = history.facts.families
    if found is None:
        return None
    of = found.rows[0].gain
    columns = ("family", "instances", "gain", "from", "to", "better", "equal", "worse", "best")
    rows = [
        (refer(row.family), one.instances, short(one.estimate),
         *((short(one.low), short(one.high)) if one.closed else (None, None)),
         one.wins, one.ties, one.losses, row.best and refer(row.best))
        for row in found.rows for one in [row.gain]
    ]  # fmt: skip
    caveat = "The winner was also chosen on these instances, so the gains are overstated."
    if of.fresh:
        caveat = "These instances are unseen: they had no part in the choice."
    return Picture(
        id="families",
        title="By family: " + " against ".join(map(refer, found.names)),
        sentence=" ".join(family_sentences(found)),
        reading=(
            f"A mark is the {of.measure} gain on the instances of a family, a line its "
            "interval. Right of the dashed line the winner is better. The intervals hold together, "
            f"so they are wider than one alone; an arrow has no end there. {caveat}"
        ),
        figure=interval_figure(
            [f"{row[0]} ({row[1]})" for row in rows], [row[2:5] for row in rows], "gain"
        ),
        table=table(columns, rows),
    )


def strips(history: History) -> Picture:
    """A strip for each finalist: its advantage over their median, instance by instance."""
    id, title, found = "strips", "Scores of the finalists", shared_costs(history)
    if found is None:
        return nothing(id, title, "Fewer than two finalists share five instances.")
    ids, steps, costs = found
    if len(np.unique(costs)) <= 2:
        why = "All scores are one of two values: the table of ranks by instance says how often."
        return nothing(id, title, why)
    ahead, scores = advantages(costs), score_of(costs, history.facts.header.direction)
    names, unit = [name_of(history, id) for id in ids], history.facts.unit
    columns = (
        "candidate",
        "instances",
        in_unit("median score", unit),
        "least",
        "largest",
        "failed",
    )
    best = int(np.argmax((ahead > 0).sum(axis=0)))
    return Picture(
        id=id,
        title=title,
        sentence=(
            f"{count(len(ids), 'finalist')} on {count(len(ahead), 'instance')} that all of them "
            f"met. {names[best]} is better than the middle one on "
            f"{int((ahead[:, best] > 0).sum())} of {len(ahead)}."
        ),
        reading=(
            "Each row is a finalist, each point an instance, the bar the median. To the right of 0 "
            "the candidate is better there than the middle one of the finalists. Points far to the "
            "left are instances on which it is weak: a winner by a few instances has a wide strip. "
            "The scores themselves can be chosen above; they spread over instances as well. Orange "
            "triangles are failures. These instances chose the finalists."
        ),
        figure=_strips(history, ids, steps.tolist(), (ahead, scores)),
        table=table(
            columns,
            (
                (name, len(steps), short(float(np.median(own)), 4), *_ends(own),
                 int(np.isinf(own).sum()))
                for name, own in zip(names, scores.T, strict=True)
            ),
        ),
    )  # fmt: skip


def advantages(costs: Floats) -> Floats:
    """(n, m) by how much each cost is below the middle one on its instance; −inf is a failure."""
    middle = np.median(costs, axis=1, keepdims=True)  # +inf where most of them failed
    with np.errstate(invalid="ignore"):
        ahead: Floats = np.where(np.isinf(middle) & np.isinf(costs), 0.0, middle - costs)
    ahead[np.isinf(costs)] = -np.inf
    return ahead


def _strips(history: History, ids: list[int], steps: list[int], shown: Sequence[Floats]) -> Figure:
    unit, names = history.facts.unit, [name_of(history, id) for id in ids]
    kept = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _STRIP)).astype(int)).tolist()
    instances = tuple(refer(history.race.instance(steps[k]).name) for k in kept)
    worst = [min(one[np.isfinite(one)].tolist(), default=0.0) for one in shown]
    marks: list[Points] = []
    for y, id in sorted(enumerate(ids), key=lambda pair: FATES.index(history.fate(pair[1]))):
        failed = np.isinf(shown[1][kept, y])
        for lost in (False, True):
            own = [kept[k] for k in np.flatnonzero(failed == lost)]
            if not own:
                continue
            x = tuple(
                tuple(float(short(float(v), 4) or 0.0) if np.isfinite(v) else end
                      for v in values[own, y])
                for values, end in zip(shown, worst, strict=True)
            )  # fmt: skip
            marks.append(
                Points(
                    x=x, y=(tuple(y + spread(k + 1) for k in own),), opacity=0.7, size=3.2,
                    colour="fail" if lost else history.fate(id),
                    symbol="triangle" if lost else "circle",
                    name="failed" if lost else history.fate(id),
                    tip=(("instance", tuple(instances[kept.index(k)] for k in own)),),
                )
            )  # fmt: skip
    medians = tuple(column(np.median(one, axis=0).tolist()) for one in shown)
    middle = Points(x=medians, y=(tuple(map(float, range(len(ids)))),), colour="ink", symbol="tick",
                    size=13, name="median")  # fmt: skip
    axes = (Axis(name=in_unit("better than the middle finalist by", unit)),
         Axis(name=in_unit("score", unit)))  # fmt: skip
    zero = Line(x=((0.0, 0.0), (None, None)), y=((-0.5, len(ids) - 0.5),), colour="soft", width=1,
                dash="dashed")  # fmt: skip
    plot = Plot(x=axes, y=(category(names, reverse=True),), marks=(zero, *marks, middle),
                height=80 + 42 * len(ids), across="Shown")  # fmt: skip
    return Figure(plots=(plot,))


def _ends(values: Floats) -> tuple[Any, Any]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None, None
    return short(float(finite.min()), 4), short(float(finite.max()), 4)
