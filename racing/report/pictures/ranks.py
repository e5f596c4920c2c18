"""Ranks: every candidate on every instance, mean ranks as a diagram, and all pairs as matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare import Comparison
from racing.analysis.compare.methods import CORRECTIONS, option
from racing.analysis.compare.words import findings, p_value, probability
from racing.base.errors import InputError
from racing.base.quantities import score_of
from racing.base.words import count, number, refer, shown
from racing.report import forms
from racing.report.forms import Axis, Key, Line, Matrix, Order, Points, Texts, category, short
from racing.report.history import Floats, History, Matrices
from racing.report.picture import Picture, in_unit, picture, table
from racing.report.pictures.diagram import diagram

CELLS = 30_000
"""Cells of the heat map; beyond it the candidates that left first are not drawn."""

COLUMNS, ROWS = 400, 60
"""Instances of the heat map, beyond which evenly spaced ones are drawn; and candidates."""

_SHADES = 20
_WRITTEN = 15  # algorithms up to which cells hold numbers
_DRAWS = 3000  # points of a triangle


@picture("ranks", "Ranks by instance")
def by_instance(history: History) -> Picture | str:
    """A dark cell is a good place on that instance, a pale one a bad place, among all candidates:
    those that had left count as worse. Rows end where a candidate left. A column in which the
    colours turn is an instance that favours others; a row that is dark throughout is a robust
    candidate. Orange marks a failure.
    """
    found = history.matrices
    rows = np.flatnonzero(found.ran.any(axis=1))
    if not len(rows):
        return "No instance is complete yet."
    few = min(len(rows), COLUMNS)
    steps = rows[np.linspace(0, len(rows) - 1, few).astype(int)]
    order = [id for id in history.order if id in found.column]
    kept = order[: min(max(CELLS // few, 20), ROWS)]
    cells = np.ix_(steps, [found.column[id] for id in kept])
    said = f"{count(len(order), 'candidate')} on {count(len(rows), 'instance')}."
    if len(kept) < len(order):
        said += f" Drawn: the best {len(kept)}; {len(order) - len(kept)} were dropped before."
    if few < len(rows):
        said += f" Drawn: {few} instances, evenly spaced."
    fine, ran = np.isfinite(found.costs), found.ran.sum(axis=0)
    sums, counts = np.where(fine, found.costs, 0.0).sum(axis=0), fine.sum(axis=0)
    means = np.divide(sums, counts, where=counts > 0, out=np.full(len(sums), np.nan))
    best, scores = (found.ranks == 1).sum(axis=0), score_of(means, history.race.direction)
    return Picture(
        sentence=said,
        figure=heat(
            list(map(history.called, kept)), list(map(history.instance, steps)),
            found.among_all[cells].T, score_of(found.costs[cells].T, history.race.direction),
            in_unit("score", history.unit), entry=kept, lost=found.lost[cells].T,
        ),
        table=table(
            ("candidate", "fate", "instances", "mean place (0 best, 1 worst)", "best on",
             in_unit("mean score", history.unit)),
            (
                (history.called(id), history.fate(id), int(ran[k]), short(found.places[id], 3),
                 int(best[k]), float(scores[k]))
                for id in order for k in (found.column[id],)
            ),
        ),
    )  # fmt: skip


def heat(
    names: Sequence[str], instances: Sequence[str], places: Floats, values: Floats, value: str, *,
    of: str = "candidate", entry: Sequence[int] = (), instance: str = "instance",
    lost: NDArray[np.bool_] | None = None,
) -> forms.Figure:  # fmt: skip
    """Cells from the best place, 0, to the worst, 1.

    Parameters
    ----------
    places, values : (names, instances)
        NaN is not run.
    entry
        Ids by which the rows can be ordered too.
    lost : (names, instances)
        What failed; by default what is infinite.
    """
    wide, finite = range(len(instances)), np.isfinite(values)
    lost = np.isinf(values) if lost is None else lost
    cells = np.where(lost, _SHADES + 1, np.round(_SHADES * np.nan_to_num(places))).astype(object)
    cells[np.isnan(values)] = None
    scale = tuple(
        Key(label={0: "best", _SHADES: "worst"}.get(k, f"{100 * k // _SHADES} % from the best"),
            parts=(("heat0", 1 - k / _SHADES), ("heat1", k / _SHADES)))
        for k in range(_SHADES + 1)
    )  # fmt: skip
    failed = (Key(label="failed", parts=(("fail", 1.0),)),) * bool(lost.any())
    means = np.where(finite, values, 0.0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1)
    columns = {"as met": wide, "by mean score": np.argsort(means, kind="stable").tolist(),
               "by name": sorted(wide, key=lambda k: instances[k])}  # fmt: skip
    rows = {"by standing": range(len(names)),
            "by entry": sorted(range(len(entry)), key=lambda k: entry[k])}  # fmt: skip
    matrix = Matrix(
        cells=tuple(tuple(k if k is None else int(k) for k in row) for row in cells),
        keys=(*scale, *failed),
        values=tuple(tuple(short(v, 4) for v in row) for row in values.tolist()), value=value,
        apart=len(failed), tip={of: (), instance: ()},
    )  # fmt: skip
    folders = {name.rpartition("/")[0] for name in instances}
    shared = f"{min(folders)}/" if len(folders) == 1 and folders != {""} else ""
    x = category([name.removeprefix(shared) for name in instances], name=f"{instance}s")
    height = max(max(8, min(22, 620 // len(names))) * len(names), 40) + 90
    y = _ordered(category(names, reverse=True), rows)
    return forms.figure([matrix], _ordered(x, columns), y, wide=True, height=height)


def _ordered(axis: Axis, choices: Mapping[str, Sequence[int]]) -> Axis:
    """An axis of more than two levels with the orders that can be chosen, if there are several."""
    known = [Order(name=how, levels=tuple(at)) for how, at in choices.items() if at]
    several = len(known) > 1 and len(axis.levels) > 2
    return replace(axis, orders=tuple(known)) if several else axis


@picture("finalists", "Mean ranks")
def mean_ranks(found: Comparison) -> Picture:
    """The axis has mean ranks; the best is to the right. A bar joins those that were not shown to
    differ.
    """
    drawn, family = diagram(found), found.family
    return Picture(
        sentence=" ".join(shown(text, 600) for text in findings(found)),
        reading=drawn.note,
        figure=drawn,
        table=table(
            ("first", "second", "mean rank", "mean rank of second", "adjusted p"),
            (
                (found.names[i], found.names[j], *(short(float(found.mean_ranks[k]), 4)
                                                   for k in (i, j)), p_value(float(p)))
                for i, j, p in zip(family.first, family.second, family.adjusted, strict=True)
            ),
        ),
    )  # fmt: skip


def p_values(c: Comparison) -> Picture:
    """Adjusted p-values, best mean rank first; coloured where a difference was shown."""
    levels = (*(level for level in (0.001, 0.01) if level < c.choices.alpha), c.choices.alpha)
    ahead, f = np.zeros((len(c.names),) * 2, dtype=int), c.family
    ahead[f.first, f.second], ahead[f.second, f.first] = f.favours, -f.favours
    strengths = (1.0, 0.65, 0.35)[3 - len(levels) :]
    keys = [Key(label=f"row {word}, p ≤ {number(level)}", parts=((role, strength),))
            for word, role in (("better", "c1"), ("worse", "fail"))
            for level, strength in zip(levels, strengths, strict=True)]  # fmt: skip
    keys.append(Key(label="not shown to differ", parts=(("faint", 1.0),)))

    def key(i: int, j: int) -> int:
        within = [k for k, level in enumerate(levels) if c.adjusted[i, j] <= level]
        side = 0 if ahead[i, j] >= 0 else len(levels)
        return side + within[0] if within else len(keys) - 1

    name = c.choices.correction
    test = "Nemenyi's test" if name == "nemenyi" else c.test.noun.removeprefix("the ")
    adjusted = "" if name in ("none", "nemenyi") else f", adjusted by {CORRECTIONS[name].noun}"
    caption = f"p-values: {test}{adjusted}."
    return _pairs("p-values", c, c.adjusted, key, keys, p_value, "adjusted p", caption)


def posteriors(c: Comparison) -> Picture:
    """Posterior probabilities that the row is (practically) better, best mean rank first.

    Raises
    ------
    InputError
        If the comparison has no posterior probabilities of all pairs.
    """
    if c.posterior is None:
        raise InputError(
            "heatmap: no posterior probabilities of all pairs; ask for them: "
            f"{option('--bayes signed-rank')}, or sign"
        )
    better, equal, often = c.posterior.better, c.posterior.rope, c.posterior.test == "correlated-t"
    roped = c.choices.rope > 0 or often
    shares = (1.0, 0.95, 0.75, 0.5, 0.25, 0.05, 0.0)
    told = {f"{q:g}": (q, 1 - q, 0.0) for q in shares}
    if roped:
        told = {"row better": (1, 0, 0), "as often" if often else "practically equal": (0, 0, 1),
                "column better": (0, 1, 0), "undecided": (0, 0, 0)}  # fmt: skip
    keys = [Key(label=label, parts=blend(*mix)) for label, mix in told.items()]
    own: dict[Key, int] = {}

    def key(i: int, j: int) -> int:
        q = float(better[i, j])
        worse, same = (float(better[j, i]), float(equal[i, j])) if roped else (1 - q, 0.0)
        mixed = Key(label="", parts=blend(*(round(p, 2) for p in (q, worse, same))))
        if mixed not in own:
            own[mixed] = len(keys)
            keys.append(mixed)
        return own[mixed]

    near = f" by more than {number(c.choices.rope)}" if c.choices.rope > 0 else ""
    caption = f"Posterior probability that the row is better than the column{near}."
    caption += " Colours mix the probabilities of all three." if roped else ""
    return _pairs("posteriors", c, better, key, keys, probability, "P(row better)", caption)


def blend(
    better: float, worse: float | None = None, equal: float = 0.0
) -> tuple[tuple[str, float], ...]:
    """Blue where better is likelier than worse, orange where worse is, green where equal.

    `worse` is 1 − better if it is left out, so that 1/2 is the colour of the paper.
    """
    ahead = better - (1 - better if worse is None else worse)
    share = round(min(abs(ahead), 1 - equal), 3)
    return ("c1" if ahead >= 0 else "fail", share), ("survivor", round(equal, 3))


def _pairs(
    id: str, c: Comparison, numbers: Floats, key: Callable[[int, int], int], keys: list[Key],
    words: Callable[[float], str], value: str, caption: str,
) -> Picture:  # fmt: skip
    """A matrix of all pairs; the cell in row i, column j compares i with j."""
    m, names = len(c.names), [refer(c.names[i]) for i in c.order]
    known, written = ~np.isnan(numbers) & ~np.eye(m, dtype=bool), m <= _WRITTEN
    cells = tuple(tuple(key(i, j) if known[i, j] else None for j in c.order) for i in c.order)
    values = tuple(tuple(None if np.isnan(numbers[i, j]) else words(float(numbers[i, j]))
                         for j in c.order) for i in c.order)  # fmt: skip
    matrix = Matrix(cells=cells, keys=tuple(keys), values=values, value=value, written=written,
                    tip={"row": (), "column": ()})  # fmt: skip
    side = max(34 if written else 9, min(46, 700 // m)) * m
    room = 7 * max(map(len, names))
    drawn = forms.figure(
        [matrix], category(names), category(names, reverse=True), wide=True, note=caption,
        height=min(int(0.75 * side) + room + 40, 2200), least=side + room,
    )  # fmt: skip
    return Picture(id=id, title="All pairs", sentence=caption, figure=drawn)


def triangle(draws: Floats, first: str, second: str, *, rope: float) -> Picture:
    """The posterior of two algorithms over: first better, practically equal, second better.

    Each draw of (θ_left, θ_rope, θ_right) is a point, near the corner of the largest. The lines
    part the triangle by which of the three is largest; the share of draws in each part is its
    posterior probability (Corani and Benavoli, 2015, show such figures).

    Parameters
    ----------
    draws : (D, 3)
        Draws of (θ_left, θ_rope, θ_right).
    """
    corners = np.array([[0.0, 0.0], [0.5, 3**0.5 / 2], [1.0, 0.0]])
    shares = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    x, y = (draws[:: -(-len(draws) // _DRAWS)] @ corners).round(4).T
    first, second = refer(first, 30), refer(second, 30)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    inside = [v for one in middles for v in (corners.mean(axis=0), one, (np.nan, np.nan))]
    looks: Any = ((corners[[0, 1, 2, 0]], "ink", 1.4, ""), (inside, "soft", 1.0, "dashed"))
    sides = [Line(x=[p[0] for p in line], y=[p[1] for p in line], colour=colour, width=width,
                  dash=dash) for line, colour, width, dash in looks]  # fmt: skip
    names = f"{first} better", "practically equal", f"{second} better"
    words = [
        Texts(x=[at], y=[up], texts=[text], anchor="middle", dy=dy, bold=bold, colour="ink")
        for (at, up), name, share, top in zip(corners, names, shares, (18, -32, 18), strict=True)
        for text, dy, bold in ((name, top, False), (probability(float(share)), top + 16, True))
    ]
    note = f"Posterior; practically equal: a difference of at most {number(rope)}."
    points = Points(x=x, y=y, size=1.6, opacity=0.25, colour="c1")
    x_axis, y_axis = (Axis(kind="hidden", ends=(0.0, end)) for end in (1.0, 0.88))
    drawn = forms.figure((points, *sides, *words), x_axis, y_axis, height=400, note=note)
    return Picture(id="triangle", title=f"{first} and {second}", sentence=note, figure=drawn)


@picture("ranks", "Ranks by instance")
def comparison_ranks(found: Comparison) -> Picture:
    """A dark cell is the best result on that instance, a pale one the worst. A row that is dark
    throughout is good everywhere. Orange marks a failure.
    """
    costs, direction = found.table.costs, found.table.direction
    order = list(found.order)[: min(max(CELLS // max(len(costs), 1), 20), ROWS)]
    every = Matrices(ids=tuple(range(found.table.m)), costs=costs)
    means = np.ravel(found.table.means)
    return Picture(
        sentence=f"{count(found.table.m, 'algorithm')} on {count(found.table.n, 'instance')}.",
        figure=heat(
            [refer(found.names[i]) for i in order], list(map(refer, found.table.instances)),
            every.relative[:, order].T, score_of(costs[:, order].T, direction), "score",
            of="algorithm",
        ),
        table=table(
            ("algorithm", "mean rank", "mean score"),
            ((refer(found.names[i]), short(float(found.mean_ranks[i]), 4), float(means[i]))
             for i in found.order),
        ),
    )  # fmt: skip
