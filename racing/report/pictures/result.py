"""Who won, and by how much: over the default, over the second, and by family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from racing.answer.gain import Gain
from racing.answer.tested import UnseenTest
from racing.base.quantities import Direction, score_of
from racing.base.words import better_on, number, refer
from racing.report import forms
from racing.report.families import family_sentences
from racing.report.history import Floats, History
from racing.report.parts import members_of
from racing.report.picture import FAILED, Picture, in_unit, interval_figure, picture, table
from racing.report.pictures.finalists import distributions
from racing.stats.sign_posterior import marginal_posteriors

_MOST = 2000  # points of pairs


# --- two on each instance ---------------------------------------------------------------------


@picture("against-default", "Winner against default")
def against_default(history: History) -> Picture | str:
    """Each point is an instance; on the diagonal both are equal. Where the winner is better it is
    blue; grey points are no gain. Orange triangles at an edge are failures. These instances also
    chose the winner, so the picture flatters it.
    """
    winner, race = history.winner, history.race
    if winner is None or not race.candidates:
        return "There is no winner yet."
    if history.baseline == winner:
        return "The winner is the default."
    steps, costs = history.matrices.pair(winner.id, history.baseline.id)
    if not len(steps):
        return "The two have not met on an instance yet."
    names = refer(winner), refer(history.baseline)
    return two(names, list(map(history.instance, steps)), costs, race.direction, history.unit)


@picture("held-out", "Unseen problems")
def held_out(history: History) -> Picture | str:
    """Each point is a problem that the run did not meet, so the picture is fair; on the diagonal
    both are equal. Where the first is better it is blue; grey points are no gain. Orange triangles
    at an edge are failures. The scores can be drawn as boxes (ends, quartiles, median) and as
    shares too. A team has on each problem the score of its best member.
    """
    found = history.tested("team" if members_of(history.race) else "winner")
    if found is None:
        return "`racing test` has not run."
    names, costs = tested(found)
    drawn = two((names[0], names[1]), found.instances, costs[:, :2], history.race.direction,
                history.unit, called=(f"{found.kind} better", "no gain"))  # fmt: skip
    title = f"Unseen problems: {names[0]} against {names[1]}"
    if drawn.figure is None:
        return replace(drawn, title=title)
    scores = score_of(costs, history.race.direction)
    others = distributions(names, scores, in_unit("score", history.unit))
    plots = (replace(drawn.figure.plots[0], name="each problem"), *others)
    return replace(drawn, title=title, figure=forms.Figure(plots=plots, choose="As"))


def tested(found: UnseenTest) -> tuple[list[str], Floats]:
    """Names and costs (n, m) of a winner or a team, of what it is compared with, of its members."""
    k = len(found.result)
    every = dict.fromkeys((*found.result, *found.others))
    names, costs = list(map(refer, every)), found.costs
    if found.kind == "winner":
        return names, costs
    others = [list(every).index(one) for one in found.others]
    order = [*others, *(j for j in range(k) if j not in others)]
    best = costs[:, :k].min(axis=1, keepdims=True)
    return ["The team", *(names[j] for j in order)], np.hstack([best, costs[:, order]])


def two(
    names: tuple[str, str], instances: Sequence[str], costs: Floats, direction: Direction,
    unit: str = "", *, most: int = _MOST, height: int = 360,
    colours: tuple[str, str] = ("winner", "dropped"),
    called: tuple[str, str] = ("winner better", "no gain"),
) -> Picture:  # fmt: skip
    """A point for each instance over the scores of two, and the diagonal on which they are equal.

    Failures lie at the end of an axis where the worst scores are.

    Parameters
    ----------
    costs : (n, 2)
        Of the first, which is drawn upwards, and of the other.
    """
    if not np.isfinite(costs).any():
        return Picture(sentence="On no instance that both ran did one of them succeed.")
    scores, failed = score_of(costs, direction), np.isinf(costs)
    lost, ahead = failed.any(axis=1), costs[:, 0] < costs[:, 1]
    wins, losses = int(ahead.sum()), int((costs[:, 0] > costs[:, 1]).sum())
    gains = np.full(len(costs), np.nan)
    gains[~lost] = costs[~lost, 1] - costs[~lost, 0]
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


class LastPair(NamedTuple):
    """The winner against the second: wins, ties and losses on the instances that both ran."""

    winner: int
    second: int
    wins: int
    ties: int
    losses: int

    def chance(self, bound: str) -> float:
        """Posterior probability that the winner wins more often than it loses.

        `precise`: under a prior that favours neither; `lower` and `upper`: the least and the most
        that any prior worth one instance makes of it (`racing.stats.sign_posterior`).
        """
        return float(marginal_posteriors(self.wins, self.losses, bound=bound))  # type: ignore[arg-type]


def last_pair(history: History) -> LastPair | None:
    """The last pair; None without a winner, a second, or an instance that both ran."""
    winner, second = history.winner, second_of(history)
    if winner is None or second is None or second == winner.id:
        return None
    _, costs = history.matrices.pair(winner.id, second)
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    ties = len(costs) - wins - losses
    return LastPair(winner.id, second, wins, ties, losses) if len(costs) else None


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
