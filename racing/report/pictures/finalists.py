"""The finalists: their scores side by side, as points, as boxes, and as distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import score_of
from racing.base.words import count
from racing.report import forms
from racing.report.history import Floats, History
from racing.report.picture import FAILED, LOOKS, Picture, in_unit, picture, table

MOST = 8
"""Finalists that are drawn."""

_FEWEST = 5  # shared instances, below which no conclusion is possible
_STRIP = 300  # points of a strip


def shared_costs(history: History) -> tuple[list[int], NDArray[np.intp], Floats] | None:
    """Ids of the m finalists, the n steps that all of them met, and their costs there, (n, m).

    The finalists are the survivors, the best first, and then those that left last, as long as all
    share at least five instances, and at least half of what the winner has seen.

    None where there are fewer than two finalists, or fewer than five such instances.
    """
    ran, column = history.matrices.ran, history.matrices.column
    ranked = (one.candidate.id for one in history.standing)
    last = (one.candidate.id for one in reversed(history.dropped))
    chosen: list[int] = []
    shared, least = np.ones(len(ran), dtype=bool), 0.0
    for id in (one for one in dict.fromkeys((*ranked, *last)) if one in column):
        both = shared & ran[:, column[id]]
        if not chosen:
            least = max(_FEWEST, int(both.sum()) / 2)
        if both.sum() >= least and len(chosen) < MOST:
            chosen.append(id)
            shared = both
    if len(chosen) < 2 or shared.sum() < _FEWEST:
        return None
    columns = [column[id] for id in chosen]
    return chosen, np.flatnonzero(shared), history.matrices.costs[shared][:, columns]


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
        return "Fewer than two finalists share five instances."
    ids, steps, costs = found
    if len(np.unique(costs)) <= 2:
        return "All scores are one of two values: the table of ranks by instance says how often."
    ahead, scores = advantages(costs), score_of(costs, history.race.direction)
    wins, names, unit = (ahead > 0).sum(axis=0), list(map(history.called, ids)), history.unit
    best, all_finite = int(np.argmax(wins)), [own[np.isfinite(own)] for own in scores.T]
    points = _strips(history, ids, steps.tolist(), (ahead, scores))
    return Picture(
        sentence=(
            f"{count(len(ids), 'finalist')} on {count(len(ahead), 'instance')} that all of them "
            f"met. {names[best]} is better than the middle one on {wins[best]} of {len(ahead)}."
        ),
        figure=forms.Figure(
            plots=(points, *distributions(names, scores, in_unit("score", unit))), choose="As"
        ),
        table=table(
            ("candidate", "instances", in_unit("median score", unit), "least", "largest", "failed"),
            (
                (name, len(steps), forms.short(float(np.median(own)), 4),
                 *(forms.short(end(fine, default=None), 4) for end in (min, max)),
                 len(own) - len(fine))
                for name, own, fine in zip(names, scores.T, all_finite, strict=True)
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
) -> forms.Plot:
    """Points of each finalist over both choices: how far it is ahead, and its scores."""
    kept = _some(len(steps))
    worst = [min(one[np.isfinite(one)].tolist(), default=0.0) for one in shown]
    at = [np.where(np.isfinite(one), one, end) for one, end in zip(shown, worst, strict=True)]
    failed = zip(ids, np.isinf(shown[1])[kept].T, strict=True)
    fates = ["failed" if lost else history.fate(id) for id, own in failed for lost in own]
    points = forms.Points(
        x=[one[kept].T.ravel() for one in at], opacity=0.7, size=3.2,
        y=[row + forms.spread(int(k) + 1) for row in range(len(ids)) for k in kept],
        tip={"instance": [history.instance(steps[k]) for k in kept] * len(ids)},
    )  # fmt: skip
    zero = forms.Line(x=((0.0, 0.0), (None, None)), y=(-0.5, len(ids) - 0.5), colour="soft",
                      width=1, dash="dashed")  # fmt: skip
    medians = forms.Points(x=[np.median(one, axis=0) for one in shown], y=range(len(ids)),
                           colour="ink", symbol="tick", size=13, name="median")  # fmt: skip
    across = [forms.Axis(in_unit(name, history.unit))
              for name in ("better than the middle finalist by", "score")]  # fmt: skip
    return forms.plot(
        [zero, *points.split(fates, LOOKS | {"failed": FAILED}), medians], across,
        forms.category(map(history.called, ids), reverse=True), name="points",
        height=80 + 42 * len(ids), across="Shown",
    )  # fmt: skip


def distributions(
    names: Sequence[str], scores: Floats, label: str
) -> tuple[forms.Plot, forms.Plot]:
    """The scores of each as a box, and the share of them up to a value.

    Parameters
    ----------
    scores : (n, m)
        A column for each name; those that are not finite are failures: they are in no box, and the
        line of shares ends below or begins above them.
    """
    found = {k: fine for k, own in enumerate(scores.T) if len(fine := own[np.isfinite(own)])}
    low, first, middle, third, high = (
        [np.quantile(own, share) for own in found.values()] for share in (0, 0.25, 0.5, 0.75, 1)
    )
    boxes = (
        forms.Intervals(at=[*found], low=low, high=high, colour="soft"),
        forms.Bars(x0=first, x1=third, y0=[k - 0.3 for k in found], y1=[k + 0.3 for k in found],
                   colour="grey1"),
        forms.Points(x=middle, y=[*found], symbol="tick", size=13, colour="ink", name="median"),
    )  # fmt: skip
    shares = [_shares(names[k], scores[:, k], f"c{k % 6 + 1}") for k in found]
    up, whole = forms.category(names, reverse=True), forms.Axis("share of instances", ends=(0, 1))
    return (
        forms.plot(boxes, label, up, name="boxes", height=80 + 42 * len(names)),
        forms.plot(shares, label, whole, name="distributions"),
    )


def _shares(name: str, scores: Floats, colour: str) -> forms.Line:
    """The empirical distribution; where many instances would lie on each other, some of them."""
    own, kept = np.sort(scores), _some(len(scores))
    kept = kept[np.isfinite(own[kept])]
    return forms.Line(x=own[kept], y=(kept + 1) / len(own), step="after", colour=colour, name=name)


def _some(n: int) -> NDArray[np.intp]:
    """The places of so many points that a strip can show."""
    return np.unique(np.linspace(0, n - 1, min(n, _STRIP)).astype(int))
