"""Who won, and by how much: over the default, over the second, and by family."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from racing.answer.gain import FEW, Evidence, Gain, difference, gain, kind_of
from racing.base.quantities import Direction, score_of
from racing.base.special import betaln
from racing.base.words import count, number, percent, refer
from racing.report.families import family_sentences
from racing.report.forms import (
    Axis,
    Bars,
    Figure,
    Intervals,
    Line,
    Mark,
    Plot,
    Points,
    Rule,
    Texts,
    at_least,
    column,
    figure,
    short,
)
from racing.report.history import History
from racing.report.matrices import Floats
from racing.report.pictures.picture import (
    DataTable,
    Picture,
    in_unit,
    interval_figure,
    picture,
    table,
)
from racing.stats.sign_posterior import marginal_posteriors

_MOST = 2000  # points of pairs
_CURVE = 121  # points of a density
_LOOKS = 40  # at most so many points of a line; further ones would not be seen
_WALSH = 300  # instances beyond which the median stands for the Hodges-Lehmann estimate


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
    if history.default == winner:
        return f"The winner is {refer(winner)} itself, the default."
    steps, costs = history.matrices.pair(winner.id, history.default.id)
    if not len(steps):
        return "The two have not met on an instance yet."
    names = refer(winner), refer(history.default)
    return two(names, list(map(history.instance, steps)), costs, race.direction, history.unit)


@picture("held-out", "Unseen problems")
def held_out(history: History) -> Picture | str:
    """Each point is a problem that the run did not meet, so the picture is fair; on the diagonal
    both are equal. Where the winner is better it is blue; grey points are no gain. Orange triangles
    at an edge are failures.
    """
    found = history.test("winner")
    if found is None:
        return "The winner was not tested on unseen problems."
    names = refer(found.gain.name), refer(found.gain.over)
    drawn = two(names, found.instances, found.costs, history.race.direction, history.unit)
    return replace(drawn, title=f"Unseen problems: {names[0]} against {names[1]}")


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
    wins, losses = (int((sign * (costs[:, 0] - costs[:, 1]) > 0).sum()) for sign in (-1, 1))
    scores, fine = score_of(costs, direction), np.isfinite(costs).all(axis=1)
    gains = np.where(fine, costs[:, 1] - np.where(fine, costs[:, 0], 0), np.nan)
    rows = zip(map(refer, instances), *scores.T[::-1].tolist(), gains.tolist(), strict=True)
    found = table(("instance", *names[::-1], in_unit("improvement", unit)), rows)
    kept = range(0, len(costs), -(-len(costs) // most))
    drawn = f" Drawn: {len(kept)}, evenly spaced." if len(kept) < len(costs) else ""
    side = "above" if direction == "maximize" else "below"
    looks = (called, colours), names, unit, height
    return Picture(
        sentence=(
            f"{names[0]} is better than {names[1]} on {wins} of {count(len(costs), 'instance')} "
            f"({side} the diagonal), equal on {len(costs) - wins - losses}, worse on {losses}."
            f"{_failures(costs, names)}{drawn}"
        ),
        figure=_pairs(found, costs, scores, kept, looks),
        table=found,
    )


def _failures(costs: Floats, names: tuple[str, str]) -> str:
    failed = zip(names, np.isinf(costs).sum(axis=0).tolist(), strict=True)
    said = [f"{name} failed on {many}" for name, many in failed if many][::-1]
    return f" {' and '.join(said)}." if said else ""


def _pairs(found: DataTable, costs: Floats, scores: Floats, kept: range, looks: Any) -> Figure:
    (called, colours), names, unit, height = looks
    known = scores[np.isfinite(scores)]
    low, high, log = float(known.min()), float(known.max()), at_least(known.tolist(), 200)
    room = (high - low or abs(high) or 1) * 0.05
    ends = (low / 1.15, high * 1.15) if log else (low - room, high + room)
    at, lost = np.clip(scores, *ends), np.isinf(costs).any(axis=1)
    ahead = np.less(costs[:, 0], costs[:, 1]) & ~lost
    marks: list[Mark] = [Line(x=(ends,), y=(ends,), colour="soft", width=1, dash="dashed")]
    groups = ((~ahead & ~lost, colours[1], called[1]), (ahead, colours[0], called[0]),
              (lost, "fail", "failed"))  # fmt: skip
    for of, colour, name in groups:
        if own := [k for k in kept if np.asarray(of)[k]]:
            marks.append(
                Points(
                    x=(column(at[own, 1].tolist()),), y=(column(at[own, 0].tolist()),), name=name,
                    symbol="triangle" if name == "failed" else "circle", colour=colour,
                    opacity=0.85, **found.told(own),
                )
            )  # fmt: skip
    y, x = (Axis(name=in_unit(name, unit), kind="log" if log else "linear", ends=ends)
            for name in names)  # fmt: skip
    return figure(marks, x, y, height=height)


def gain_figure(told: Gain) -> Figure:
    """A gain as a bar from 0, with its interval, if it has one; its colour says what is shown."""
    assert told.estimate is not None
    colour, marks, ends = "dropped", [], ends_of(told)
    if ends is not None:
        colour = "winner" if ends[0] > 0 else "soft" if ends[1] < 0 else "dropped"
        marks = [Intervals(at=((0.0,),), low=((ends[0],),), high=((ends[1],),), colour="ink")]
    at = (told.estimate,)
    bar = Bars(x0=(0.0,), x1=at, y0=(-0.4,), y1=(0.4,), colour=colour)
    text = Texts(x=(at,), y=((0.4,),), dy=-12, texts=(number(told.estimate, 4),), bold=True,
                 anchor="middle", colour="ink")  # fmt: skip
    up = Axis(kind="hidden", ends=(-0.5, 1.2))
    return figure((bar, *marks, text), Axis(), up, rules=(Rule(x=0),), height=96)


def ends_of(told: Gain) -> tuple[float, float] | None:
    """The interval of a gain; None where it has not two ends, or is of too few instances."""
    return (told.low, told.high) if told.closed and told.by_cost != "few" else None


# --- by how much, instance by instance --------------------------------------------------------


class Point(NamedTuple):
    """Other − winner in cost after so many instances on which neither failed, with its interval."""

    instances: int
    estimate: float
    low: float
    high: float


class Lead(NamedTuple):
    """The winner against another candidate.

    Attributes
    ----------
    against
        The id of the other.
    points
        Above 0 the winner is better. Each interval holds for one look, not for all of them.
    evidence
        What all these instances show.
    failed
        On how many shared instances one of the two failed; they are in no point.
    """

    against: int
    points: tuple[Point, ...]
    evidence: Evidence
    failed: int


def lead(history: History, against: int, *, level: float = 0.95) -> Lead | None:
    """The winner's lead over `against` by instance; None if they share no instance."""
    winner = history.winner
    if winner is None or winner.id == against:
        return None
    _, every = history.matrices.pair(winner.id, against)
    costs = every[np.isfinite(every).all(axis=1)]
    if not len(costs):
        return None
    kind, points = kind_of(costs, exact=_WALSH), []
    for k in looks_at(len(costs)):
        found = Point(k, *difference(costs[:k], kind, level=level))
        few = kind == "shares" and k < FEW
        points.append(found._replace(low=-np.inf, high=np.inf) if few else found)
    evidence = gain(costs, level=level).evidence
    return Lead(against, tuple(points), evidence, len(every) - len(costs))


def rivals(history: History) -> dict[str, int]:
    """Candidates that the winner is compared with: `default` and `second`, if they exist."""
    winner, found = history.winner, {}
    if winner is None:
        return {}
    if history.default != winner:
        found["default"] = history.default.id
    second = second_of(history)
    if second is not None and second not in found.values():
        found["second"] = second
    return found


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


def looks_at(n: int) -> list[int]:
    """The instances to show: all n, or some evenly spaced ones with the last."""
    if n <= _LOOKS:
        return list(range(1, n + 1))
    return sorted({round(float(k)) for k in np.linspace(1, n, _LOOKS)})


@picture("difference", "Running difference")
def running_difference(history: History) -> Picture | str:
    """The line is the median improvement of the winner over the other, after so many instances (of
    results that are right or wrong, the difference of the shares that are right); the band is its
    95 % interval. A band above the zero line is a clear lead. Each interval holds for one look by
    itself, not for all of them together.
    """
    if history.winner is None:
        return "There is no winner yet."
    named = {_named(history, which, id): lead(history, id) for which, id in rivals(history).items()}
    found = {other: one for other, one in named.items() if one is not None}
    if not found:
        return "On no instance did the winner and another candidate succeed."
    name = in_unit("improvement", history.unit)
    rows = table(
        ("against", "instances", name, "95 % from", "to"),
        ((history.name(one.against), *map(float, point)) for one in found.values()
         for point in one.points),
    )  # fmt: skip
    plots, first = [], 0
    for other, one in found.items():
        at = range(first, first := first + len(one.points))
        n, middle, low, high = (rows.column(k, at) for k in (1, 2, 3, 4))
        line = Line(x=(n,), y=(middle,), low=(low,), high=(high,), dots=len(at) < 60, width=2.5,
                    **rows.told(at))  # fmt: skip
        plots.append(Plot(x=(Axis(name="instances", whole=True),), y=(Axis(name=name),),
                          marks=(line,), rules=(Rule(y=0),), name=f"over {other}"))  # fmt: skip
    return Picture(
        sentence=" ".join(_lead_sentence(other, one) for other, one in found.items()),
        figure=Figure(plots=tuple(plots), choose="Improvement"),
        table=rows,
    )


def _named(history: History, which: str, id: int) -> str:
    """The name of the other candidate, and its role where the name does not show it."""
    name = history.name(id)
    return name if name == which else f"{name} ({which})"


def _lead_sentence(against: str, one: Lead) -> str:
    last = one.points[-1]
    failed = f" ({count(one.failed, 'instance')} with a failure left out)" if one.failed else ""
    if one.evidence == "few" or not (math.isfinite(last.low) and math.isfinite(last.high)):
        many = count(last.instances, "instance")
        return f"Over {against}: {many}, too few for a 95 % interval{failed}."
    said = f"95 % interval {number(last.low, 4)} to {number(last.high, 4)}"
    if one.evidence == "open":
        return f"Over {against}: not decided, {said}{failed}."
    word = "a clear lead" if one.evidence == "better" else "behind it"
    return f"Over {against}: {number(last.estimate, 4)}, {said}, {word}{failed}."


# --- the second -------------------------------------------------------------------------------


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

    def density(self, x: Floats, *, bound: str = "lower") -> Floats:
        """Density at x in (0, 1) of the share of wins among the instances that are no ties.

        `lower` puts the prior's one instance on the side of the second, `upper` on that of the
        winner; `precise` has none, and is 0 everywhere if there is no win or no loss.
        """
        a, b = self.wins + (bound == "upper"), self.losses + (bound == "lower")
        if not a or not b:
            return np.zeros_like(x)
        return np.asarray(np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b)))


def last_pair(history: History) -> LastPair | None:
    """The last pair; None without a winner, a second, or an instance that both ran."""
    winner, second = history.winner, second_of(history)
    if winner is None or second is None or second == winner.id:
        return None
    _, costs = history.matrices.pair(winner.id, second)
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    ties = len(costs) - wins - losses
    return LastPair(winner.id, second, wins, ties, losses) if len(costs) else None


@picture("posterior", "Winner against second")
def posterior(history: History) -> Picture | str:
    """The two curves are what is believed of the share of instances that the winner wins, ties left
    out: with a prior worth one instance on the side of the second (dashed), and on that of the
    winner. The more of a curve lies right of one half, the surer the lead. The pair was chosen by
    these results, so it looks surer than it is.
    """
    pair = last_pair(history)
    if pair is None:
        return "There are no two candidates that ran on the same instances."
    x = np.linspace(0, 1, _CURVE + 2)[1:-1]
    curves = {which: pair.density(x, bound=which) for which in ("lower", "upper")}
    curves = {which: y for which, y in curves.items() if y.any()}  # else all of it is at 0 or at 1
    if not curves:
        return "The two were equal throughout."
    winner, second = history.name(pair.winner), history.name(pair.second)
    lower, precise, upper = map(pair.chance, ("lower", "precise", "upper"))
    said = (
        f"{winner} beats {second} on {count(pair.wins, 'instance')}, ties on {pair.ties} and "
        f"loses on {pair.losses}. The chance that it wins more often than it loses is "
        f"{percent(lower, 1)} to {percent(upper, 1)}, depending on the prior."
    )
    if len(curves) == 1:
        said += (
            f" There are only {'losses' if pair.losses else 'wins'}, so a prior on that side has "
            f"no curve: all its mass is at {int(not pair.losses)}."
        )
    across = tuple(x.tolist())
    lines = [
        Line(x=(across,), y=(tuple(y.tolist()),), dash="dashed" if which == "lower" else "",
             filled=True, tip=(("share of wins", across),),
             name=f"prior for the {'second' if which == 'lower' else 'winner'}")
        for which, y in curves.items()
    ]  # fmt: skip
    axis = Axis(name=f"share of instances that {winner} wins", ends=(0.0, 1.0))
    row = (f"{winner} against {second}", pair.wins, pair.ties, pair.losses,
           *(short(one, 4) for one in (lower, precise, upper)))  # fmt: skip
    return Picture(
        sentence=said,
        figure=figure(lines, axis, Axis(kind="hidden"), rules=(Rule(x=0.5, label="equal"),)),
        table=table(("pair", "wins", "ties", "losses", "P lower", "P precise", "P upper"), [row]),
    )


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
        (refer(row.family), one.instances, short(one.estimate),
         *((short(one.low), short(one.high)) if one.closed else (None, None)),
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
