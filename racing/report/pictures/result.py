"""Who won, and by how much: over the default, over the second, by family; the finalists' scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain
from racing.answer.tested import UnseenTest
from racing.base.quantities import Direction, score_of
from racing.base.words import better_on, count, number, refer
from racing.core.view import View, default_of
from racing.report import forms
from racing.report.families import family_sentences
from racing.report.history import Floats, History
from racing.report.parts import members_of
from racing.report.picture import (
    FAILED,
    LOOKS,
    Picture,
    in_unit,
    interval_figure,
    picture,
    some,
    table,
)

_MOST = 2000  # points of pairs


# --- two on each instance ---------------------------------------------------------------------


@picture("against-default", "Winner against default")
def against_default(history: History) -> Picture | str:
    """Each point is an instance; on the diagonal both are equal. Where the winner is better it is
    blue; grey points are no gain. Orange triangles are failures, at an edge or at their penalty.
    These instances also chose the winner, so the picture flatters it.
    """
    return beside_default(history.race, history.unit)


def beside_default(view: View, unit: str = "", **size: Any) -> Picture | str:
    """The winner and the default on each instance that both ran; `size` is as of `two`."""
    if (winner := view.winner) is None or not view.candidates:
        return "There is no winner yet."
    if (default := default_of(view)) == winner:
        return "The winner is the default."
    results, pair = view.results, (winner, default)
    columns = [results.candidates.index(one.id) for one in pair if one.id in results.candidates]
    costs = results.costs[:, columns]
    steps = np.flatnonzero(~np.isnan(costs).any(axis=1))
    if len(columns) < 2 or not len(steps):
        return "The two have not met on an instance yet."
    return two(
        (refer(winner), refer(default)), [view.instance(int(k)).name for k in steps], costs[steps],
        view.direction, unit, failed=results.lost(columns)[steps], **size,
    )  # fmt: skip


@picture("held-out", "Unseen problems")
def held_out(history: History) -> Picture | str:
    """Each point is a problem that the run did not meet, so the picture is fair; on the diagonal
    both are equal. Where the first is better it is blue; grey points are no gain. Orange triangles
    are failures, at an edge or at their penalty. The scores can be drawn as boxes (ends, quartiles,
    median) and as shares too. A team has on each problem the score of its best member.
    """
    of_team = history.tested("team")
    found = of_team if members_of(history.race) else history.tested("winner") or of_team
    if found is None:
        return "There is no test yet."
    names, costs, lost = tested(found)
    drawn = two(
        (names[0], names[1]), found.instances, costs[:, :2], history.race.direction, history.unit,
        called=(f"{found.kind} better", "no gain"), failed=lost[:, :2],
    )  # fmt: skip
    title = f"Unseen problems: {names[0]} against {names[1]}"
    if drawn.figure is None:
        return replace(drawn, title=title)
    scores = score_of(costs, history.race.direction)
    others = distributions(names, scores, in_unit("score", history.unit))
    plots = (replace(drawn.figure.plots[0], name="each problem"), *others)
    return replace(drawn, title=title, figure=forms.Figure(plots=plots, choose="As"))


def tested(found: UnseenTest) -> tuple[list[str], Floats, NDArray[np.bool_]]:
    """Names, costs and failures of a winner or a team, of what it is compared with, of its members.

    Returns
    -------
    names, costs (n, m), failures (n, m)
        A team fails where all its members do.
    """
    k = len(found.result)
    every = dict.fromkeys((*found.result, *found.others))
    names, costs = list(map(refer, every)), found.costs
    lost = np.isinf(costs) if found.failed is None else found.failed
    if found.kind == "winner":
        return names, costs, lost
    others = [list(every).index(one) for one in found.others]
    order = [*others, *(j for j in range(k) if j not in others)]
    best = costs[:, :k].min(axis=1, keepdims=True)
    every_lost = np.column_stack([lost[:, :k].all(axis=1), lost[:, order]])
    return ["The team", *(names[j] for j in order)], np.hstack([best, costs[:, order]]), every_lost


def two(
    names: tuple[str, str], instances: Sequence[str], costs: Floats, direction: Direction,
    unit: str = "", *, most: int = _MOST, height: int = 360,
    colours: tuple[str, str] = ("winner", "dropped"),
    called: tuple[str, str] = ("winner better", "no gain"),
    failed: NDArray[np.bool_] | None = None,
) -> Picture:  # fmt: skip
    """A point for each instance over the scores of two, and the diagonal on which they are equal.

    Failures without a penalty lie at the end of an axis where the worst scores are.

    Parameters
    ----------
    costs : (n, 2)
        Of the first, which is drawn upwards, and of the other.
    failed : (n, 2)
        What failed; by default what has no finite cost.
    """
    if not np.isfinite(costs).any():
        return Picture(sentence="On no instance that both ran did one of them succeed.")
    scores, failed = score_of(costs, direction), np.isinf(costs) if failed is None else failed
    lost, ahead = failed.any(axis=1), costs[:, 0] < costs[:, 1]
    wins, losses = int(ahead.sum()), int((costs[:, 0] > costs[:, 1]).sum())
    gains, fine = np.full(len(costs), np.nan), np.isfinite(costs).all(axis=1)
    gains[fine] = costs[fine, 1] - costs[fine, 0]
    rows = zip(map(refer, instances), *scores.T[::-1].tolist(), gains.tolist(), strict=True)
    found = table(("instance", *names[::-1], in_unit("improvement", unit)), rows)
    kept = range(0, len(costs), -(-len(costs) // most))
    kinds = np.where(lost, "failed", np.where(ahead, *called))[kept]
    looks = {called[k]: {"name": called[k], "colour": colours[k]} for k in (1, 0)}
    looks["failed"] = FAILED
    ends, kind = _ends(scores)
    up, across = np.clip(scores, *ends)[kept].T
    points = forms.Points(x=across, y=up, opacity=0.85, **found.told(kept))
    diagonal = forms.Line(x=ends, y=ends, colour="soft", width=1, dash="dashed")
    y, x = (forms.Axis(in_unit(name, unit), kind=kind, ends=ends) for name in names)
    lost_by = zip(names, failed.sum(axis=0), strict=True)
    many = [f"{name} failed on {k}" for name, k in lost_by if k]
    said = f" {' and '.join(many[::-1])}." if many else ""
    drawn = f" Drawn: {len(kept)}, evenly spaced." if len(kept) < len(costs) else ""
    side = "above" if direction == "maximize" else "below"
    return Picture(
        sentence=(
            f"{names[0]} against {names[1]}: {better_on(wins, len(costs) - wins - losses, losses)}"
            f"; {side} the diagonal, {names[0]} is better."
            f"{said}{drawn}"
        ),
        figure=forms.figure([diagonal, *points.split(kinds.tolist(), looks)], x, y, height=height),
        table=found,
    )


def _ends(scores: Floats) -> tuple[tuple[float, float], Any]:
    """The ends of both axes, and their kind."""
    known = scores[np.isfinite(scores)]
    low, high = float(known.min()), float(known.max())
    if forms.at_least(known.tolist(), 200):
        return (low / 1.15, high * 1.15), "log"
    room = (high - low or abs(high) or 1) * 0.05
    return (low - room, high + room), "linear"


def gain_figure(told: Gain) -> forms.Figure:
    """A gain as a bar from 0, with its interval, if it has one; its colour says what is shown."""
    assert told.estimate is not None
    colour, interval, ends, at = "dropped", [], ends_of(told), [told.estimate]
    if ends is not None:
        colour = "winner" if ends[0] > 0 else "soft" if ends[1] < 0 else "dropped"
        interval = [forms.Intervals(at=[0], low=ends[:1], high=ends[1:], colour="ink")]
    bar = forms.Bars(x0=[0], x1=at, y0=[-0.4], y1=[0.4], colour=colour)
    text = forms.Texts(x=at, y=[0.4], dy=-12, texts=[number(told.estimate, 4)], bold=True,
                 anchor="middle", colour="ink")  # fmt: skip
    up = forms.Axis(kind="hidden", ends=(-0.5, 1.2))
    return forms.figure((bar, *interval, text), "", up, rules=(forms.Rule(x=0),), height=96)


def ends_of(told: Gain) -> tuple[float, float] | None:
    """The interval of a gain; None where it has not two ends, or is of too few instances."""
    return (told.low, told.high) if told.closed and told.by_cost != "few" else None


# --- the second -------------------------------------------------------------------------------


def second_of(history: History) -> int | None:
    """The best of the others: the next survivor, else the closest of those dropped last."""
    for one in history.standing:
        if one.candidate != history.winner:
            return one.candidate.id
    standing, column = history.matrices.standing, history.matrices.column
    latest = [one.candidate.id for one in history.dropped if one.after == history.dropped[-1].after]
    return min(
        latest, key=lambda id: (np.nan_to_num(standing[column[id]], nan=2.0), id), default=None
    )


def last_pair(history: History) -> tuple[int, int, int] | None:
    """The second, and the winner's wins and losses against it where both ran; None without any."""
    winner, second = history.winner, second_of(history)
    if winner is None or second is None or second == winner.id:
        return None
    _, costs = history.matrices.pair(winner.id, second)
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    return (second, wins, losses) if len(costs) else None


# --- by family --------------------------------------------------------------------------------


@picture("families", "By family")
def families(history: History) -> Picture | str:
    """A mark is the gain on the instances of a family, a line its interval. Right of the dashed
    line the winner is better. The intervals hold together, so they are wider than one alone; an
    arrow has no end there.
    """
    found = history.families
    if found is None:
        return ""
    rows = [
        (refer(row.family), one.instances, forms.short(one.estimate),
         *((forms.short(one.low), forms.short(one.high)) if one.closed else (None, None)),
         one.wins, one.ties, one.losses, row.best and refer(row.best))
        for row in found.rows for one in [row.gain]
    ]  # fmt: skip
    of = found.rows[0].gain
    caveat = "The winner was also chosen on these instances, so the gains are overstated."
    if of.fresh:
        caveat = "These instances are unseen: they had no part in the choice."
    return Picture(
        title="By family: " + " against ".join(map(refer, found.names)),
        sentence=" ".join(family_sentences(found)),
        reading=caveat,
        figure=interval_figure(
            [f"{row[0]} ({row[1]})" for row in rows], [row[2:5] for row in rows],
            f"{of.measure} gain",
        ),
        table=table(
            ("family", "instances", "gain", "from", "to", "better", "equal", "worse", "best"), rows
        ),
    )  # fmt: skip


# --- the finalists ---------------------------------------------------------------------------

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
    columns = history.matrices.columns(chosen)
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
    lost = history.matrices.lost[steps][:, history.matrices.columns(ids)]
    if len(np.unique(costs)) <= 2:
        return "All scores are one of two values: the table of ranks by instance says how often."
    ahead, scores = advantages(costs), score_of(costs, history.race.direction)
    wins, names, unit = (ahead > 0).sum(axis=0), list(map(history.called, ids)), history.unit
    best, all_finite = int(np.argmax(wins)), [own[np.isfinite(own)] for own in scores.T]
    points = _strips(history, ids, steps.tolist(), (ahead, scores), lost)
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
                 int(failed.sum()))
                for name, own, fine, failed in zip(names, scores.T, all_finite, lost.T, strict=True)
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
    history: History, ids: list[int], steps: list[int], shown: tuple[Floats, Floats],
    lost: NDArray[np.bool_],
) -> forms.Plot:  # fmt: skip
    """Points of each finalist over both choices: how far it is ahead, and its scores."""
    kept = some(len(steps), _STRIP)
    worst = [min(one[np.isfinite(one)].tolist(), default=0.0) for one in shown]
    at = [np.where(np.isfinite(one), one, end) for one, end in zip(shown, worst, strict=True)]
    failed = zip(ids, lost[kept].T, strict=True)
    fates = ["failed" if gone else history.fate(id) for id, own in failed for gone in own]
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
    own, kept = np.sort(scores), some(len(scores), _STRIP)
    kept = kept[np.isfinite(own[kept])]
    return forms.Line(x=own[kept], y=(kept + 1) / len(own), step="after", colour=colour, name=name)
