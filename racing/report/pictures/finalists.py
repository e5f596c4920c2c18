"""The finalists: their scores side by side, as points, as boxes, and as distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import score_of
from racing.base.words import count
from racing.report.forms import (
    Axis,
    Bars,
    Figure,
    Intervals,
    Line,
    Mark,
    Plot,
    Points,
    category,
    column,
    spread,
)
from racing.report.history import FATES, History
from racing.report.matrices import Floats
from racing.report.pictures.picture import Picture, in_unit, picture, table

MOST = 8
"""Finalists that are drawn."""

_FEWEST = 5  # shared instances, below which no conclusion is possible
_TOO_FEW = "Fewer than two finalists share five instances."
_STRIP = 300  # points of a strip


def shared_costs(history: History) -> tuple[list[int], NDArray[np.intp], Floats] | None:
    """Ids of the m finalists, the n steps that all of them met, and their costs there, (n, m).

    The finalists are the survivors, the best first, and then those that left last, as long as all
    share at least five instances, and at least half of what the winner has seen.

    None where there are fewer than two finalists, or fewer than five such instances.
    """
    ids, matrices = _chosen(history), history.matrices
    columns = [matrices.column[id] for id in ids]
    rows = matrices.ran[:, columns].all(axis=1)
    if len(ids) < 2 or rows.sum() < _FEWEST:
        return None
    return ids, np.flatnonzero(rows), matrices.costs[rows][:, columns]


def _chosen(history: History) -> list[int]:
    ran, column = history.matrices.ran, history.matrices.column
    ranked = (one.candidate.id for one in history.standing)
    last = (one.candidate.id for one in reversed(history.dropped))
    chosen: list[int] = []
    shared, least = np.ones(len(ran), dtype=bool), 0.0
    for id in dict.fromkeys((*ranked, *last)):
        if id not in column:
            continue
        both = shared & ran[:, column[id]]
        if not chosen:
            least = max(_FEWEST, int(both.sum()) / 2)
        if both.sum() >= least and len(chosen) < MOST:
            chosen.append(id)
            shared = both
    return chosen


@picture("strips", "Scores of the finalists")
def strips(history: History) -> Picture | str:
    """Each row is a finalist, each point an instance, the bar the median. To the right of 0 the
    candidate is better there than the middle one of the finalists. Points far to the left are
    instances on which it is weak: a winner by a few instances has a wide strip. The scores
    themselves can be chosen above; they spread over instances as well, and are drawn as boxes
    (ends, quartiles, median) and as shares too. Orange triangles are failures. These instances
    chose the finalists.
    """
    found = shared_costs(history)
    if found is None:
        return _TOO_FEW
    ids, steps, costs = found
    if len(np.unique(costs)) <= 2:
        return "All scores are one of two values: the table of ranks by instance says how often."
    ahead, scores = advantages(costs), score_of(costs, history.race.direction)
    wins, names, unit = (ahead > 0).sum(axis=0), list(map(history.name, ids)), history.unit
    best = int(np.argmax(wins))
    return Picture(
        sentence=(
            f"{count(len(ids), 'finalist')} on {count(len(ahead), 'instance')} that all of them "
            f"met. {names[best]} is better than the middle one on {wins[best]} of {len(ahead)}."
        ),
        figure=Figure(
            plots=(
                _strips(history, ids, steps.tolist(), (ahead, scores)),
                *distributions(names, scores, in_unit("score", unit)),
            ),
            choose="As",
        ),
        table=table(
            ("candidate", "instances", in_unit("median score", unit), "least", "largest", "failed"),
            (
                (name, len(steps), float(f"{np.median(own):.4g}"), *_ends(own),
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


def _strips(
    history: History, ids: list[int], steps: list[int], shown: tuple[Floats, Floats]
) -> Plot:
    """Points of each finalist over both choices: how far it is ahead, and its scores."""
    unit, names = history.unit, list(map(history.name, ids))
    kept = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _STRIP)).astype(int))
    worst = [min(one[np.isfinite(one)].tolist(), default=0.0) for one in shown]
    at = [np.where(np.isfinite(one), one, end) for one, end in zip(shown, worst, strict=True)]
    instances = np.array([history.instance(step) for step in steps])
    zero = Line(x=((0.0, 0.0), (None, None)), y=((-0.5, len(ids) - 0.5),), colour="soft", width=1,
                dash="dashed")  # fmt: skip
    marks: list[Mark] = [zero]
    for y, id in sorted(enumerate(ids), key=lambda pair: FATES.index(history.fate(pair[1]))):
        failed, fate = np.isinf(shown[1][:, y]), history.fate(id)
        for lost, colour, symbol in ((False, fate, "circle"), (True, "fail", "triangle")):
            own = kept[failed[kept] == lost]
            if len(own):
                marks.append(
                    Points(
                        x=tuple(_four(one[own, y]) for one in at),
                        y=(tuple(y + spread(int(k) + 1) for k in own),), opacity=0.7, size=3.2,
                        colour=colour, symbol=symbol,  # type: ignore[arg-type]
                        name="failed" if lost else fate,
                        tip=(("instance", tuple(instances[own].tolist())),),
                    )
                )  # fmt: skip
    medians = tuple(column(np.median(one, axis=0).tolist()) for one in shown)
    marks.append(Points(x=medians, y=(tuple(map(float, range(len(ids)))),), colour="ink",
                        symbol="tick", size=13, name="median"))  # fmt: skip
    axes = (Axis(name=in_unit("better than the middle finalist by", unit)),
            Axis(name=in_unit("score", unit)))  # fmt: skip
    return Plot(x=axes, y=(category(names, reverse=True),), marks=tuple(marks), name="points",
                height=80 + 42 * len(ids), across="Shown")  # fmt: skip


def distributions(names: Sequence[str], scores: Floats, label: str) -> tuple[Plot, Plot]:
    """The scores of each as a box, and the share of them up to a value.

    Parameters
    ----------
    scores : (n, m)
        A column for each name; those that are not finite are failures: they are in no box, and the
        line of shares ends below or begins above them.
    """
    found = [own[np.isfinite(own)] for own in scores.T]
    some = [k for k, own in enumerate(found) if len(own)]
    low, first, middle, third, high = (
        column(np.quantile(found[k], share) for k in some) for share in (0, 0.25, 0.5, 0.75, 1)
    )
    at = column(some)
    boxes = (
        Intervals(at=(at,), low=(low,), high=(high,), colour="soft"),
        Bars(x0=first, x1=third, y0=column(k - 0.3 for k in some), y1=column(k + 0.3 for k in some),
             colour="grey1"),
        Points(x=(middle,), y=(at,), symbol="tick", size=13, colour="ink", name="median"),
    )  # fmt: skip
    shares = tuple(_shares(names[k], scores[:, k], f"c{k % 6 + 1}") for k in some)
    across = (Axis(name=label),)
    return (
        Plot(x=across, y=(category(names, reverse=True),), marks=boxes, name="boxes",
             height=80 + 42 * len(names)),
        Plot(x=across, y=(Axis(name="share of instances", ends=(0.0, 1.0)),), marks=shares,
             name="distributions"),
    )  # fmt: skip


def _shares(name: str, scores: Floats, colour: str) -> Line:
    """The empirical distribution; where many instances would lie on each other, some of them."""
    ranks = np.arange(1, len(scores) + 1) / len(scores)
    own = np.sort(scores)
    kept = np.unique(np.linspace(0, len(own) - 1, min(len(own), _STRIP)).astype(int))
    kept = kept[np.isfinite(own[kept])]
    return Line(x=(_four(own[kept]),), y=(_four(ranks[kept]),), step="after", colour=colour,
                name=name)  # fmt: skip


def _four(values: Floats) -> tuple[float, ...]:
    """To four digits: that is as far as anyone sees."""
    return tuple(float(f"{v:.4g}") for v in values.tolist())


def _ends(values: Floats) -> tuple[Any, Any]:
    finite = values[np.isfinite(values)]
    return (*_four(np.array([finite.min(), finite.max()])),) if len(finite) else (None, None)  # type: ignore[return-value]
