"""The finalists compared as a finished table: mean ranks, and their scores side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare import Comparison, as_table, compare
from racing.base.quantities import score_of
from racing.base.words import count
from racing.report.forms import Axis, Figure, Line, Mark, Points, category, column, figure, spread
from racing.report.history import FATES, History
from racing.report.matrices import Floats
from racing.report.pictures.picture import Picture, in_unit, picture, table
from racing.report.pictures.ranks import mean_ranks

MOST = 8
"""Finalists that are compared; more make a diagram that cannot be read."""

_FEWEST = 5  # shared instances, below which no conclusion is possible
_TOO_FEW = "Fewer than two finalists share five instances."
_STRIP = 300  # points of a strip


def finalists(history: History) -> Comparison | None:
    """The comparison of the last candidates; None if there are too few of them or of instances.

    The finalists are the survivors, the best first, and then those that left last, as long as all
    share at least five instances, and at least half of what the winner has seen. They were chosen
    by these very results, so levels do not hold for them as for a table that was not looked at.
    """
    found = shared_costs(history)
    if found is None:
        return None
    ids, steps, costs = found
    names = _distinct([str(history.candidates[id]) for id in ids])
    instances = [str(step) for step in steps]
    return compare(as_table(costs, names=names, instances=instances), bayes="none")


def shared_costs(history: History) -> tuple[list[int], NDArray[np.intp], Floats] | None:
    """Ids of the m finalists, the n steps that all of them met, and their costs there, (n, m).

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


def _distinct(names: list[str]) -> list[str]:
    """Distinct names: a repeated one gets its place."""
    places = [names[: k + 1].count(name) for k, name in enumerate(names)]
    return [f"{name} ({at})" if at > 1 else name for name, at in zip(names, places, strict=True)]


@picture("finalists", "Finalists")
def finalists_diagram(history: History) -> Picture | str:
    found = finalists(history)
    if found is None:
        return _TOO_FEW
    warning = (
        "The finalists were chosen by these results, so differences look clearer than they are."
    )
    return mean_ranks(found, title="Finalists", warning=warning)


@picture("strips", "Scores of the finalists")
def strips(history: History) -> Picture | str:
    """Each row is a finalist, each point an instance, the bar the median. To the right of 0 the
    candidate is better there than the middle one of the finalists. Points far to the left are
    instances on which it is weak: a winner by a few instances has a wide strip. The scores
    themselves can be chosen above; they spread over instances as well. Orange triangles are
    failures. These instances chose the finalists.
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
        figure=_strips(history, ids, steps.tolist(), (ahead, scores)),
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
) -> Figure:
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
    return figure(marks, axes, category(names, reverse=True), height=80 + 42 * len(ids),
                  across="Shown")  # fmt: skip


def _four(values: Floats) -> tuple[float, ...]:
    """To four digits: that is as far as anyone sees."""
    return tuple(float(f"{v:.4g}") for v in values.tolist())


def _ends(values: Floats) -> tuple[Any, Any]:
    finite = values[np.isfinite(values)]
    return (*_four(np.array([finite.min(), finite.max()])),) if len(finite) else (None, None)  # type: ignore[return-value]
