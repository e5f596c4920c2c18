"""A team: the best member by instance, the value by size, and contributions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio import Portfolio
from racing.base.quantities import score_of
from racing.base.words import count, number, refer
from racing.report.forms import Axis, Bars, category, figure, short
from racing.report.pictures.picture import Picture, interval_figure, picture, table
from racing.report.pictures.ranks import heat
from racing.report.portfolio_words import team_sentences


def team_pictures(found: Portfolio) -> tuple[Picture, ...]:
    """The three pictures of a team, in the order of a page."""
    return where(found), sizes(found), adds(found)


@picture("where", "The best member by instance")
def where(found: Portfolio) -> Picture:
    """Each cell is a member on an instance: dark where it is as good as the best of all candidates,
    pale where it is the worst. A good team has a dark cell in each column, and no row that is pale
    where others are dark. Orange marks a failure; what is empty was not run.
    """
    names = [refer(one.candidate) for one in found.members]
    instances = [refer(one.name) for one in found.known.instances]
    scores = score_of(found.known.costs[:, list(found.size.team)], found.known.direction)
    places = relative(found.scores)[:, list(found.size.team)]
    best = ", ".join(
        f"{name} on {one.best_on}" for name, one in zip(names, found.members, strict=True)
    )
    many = count(len(scores), "instance")
    return Picture(
        sentence=f"The best member is {best} of {many}; ties count twice.",
        figure=heat(names, instances, places.T, scores.T, "score", of="member"),
        table=table(
            ("instance", *names),
            ((name, *row) for name, row in zip(instances, scores.tolist(), strict=True)),
        ),
    )


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, m) places between the best score on an instance, 0, and the worst, 1."""
    best, worst = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    span = np.where(worst > best, worst - best, 1.0)
    return np.asarray((scores - best) / span)


@picture("sizes", "How many members")
def sizes(found: Portfolio) -> Picture:
    """A mark is by how much the best team of a size is better than the single best on instances
    that had no part in its choice; a line is its 95 % interval. Where the marks level off, another
    member adds little.
    """
    rows: list[tuple[Any, ...]] = [
        (
            str(one.size),
            len(found.scores),
            *map(short, (one.gain.mean, one.gain.low, one.gain.high)),
        )
        for one in found.sizes
    ]
    size = count(found.size.size, "member")
    said = f"No team larger than {size} is shown to be better than the best team of {size}."
    if len(rows) == 1:
        said = team_sentences(found)[-1]
    elif found.asked:
        said = f"A team of {size} was asked for."
    label = "gain over the single best, by members"
    return Picture(
        sentence=said,
        figure=interval_figure([row[0] for row in rows], [row[2:] for row in rows], label),
        table=table(("members", "instances", "gain", "95 % from", "to"), rows),
    )  # fmt: skip


@picture("adds", "What each member adds")
def adds(found: Portfolio) -> Picture | str:
    """By how much the mean of the best score would be worse without the member, on the instances
    of the choice; in brackets, on how many instances it is the best one.
    """
    if len(found.members) < 2:
        return "There is one member."
    rows = [(refer(one.candidate), one.best_on, float(one.adds or 0.0)) for one in found.members]
    name, _, least = min(rows, key=lambda row: row[2])
    at = range(len(rows))
    bars = Bars(
        x0=(0.0,) * len(rows), x1=tuple(row[2] for row in rows), y0=tuple(k - 0.3 for k in at),
        y1=tuple(k + 0.3 for k in at), rows=tuple(at),
    )  # fmt: skip
    names = category([f"{row[0]} ({row[1]})" for row in rows], reverse=True)
    return Picture(
        sentence=f"{name} adds least: {number(least, 4)}.",
        figure=figure([bars], Axis(name="worse without it"), names, height=70 + 28 * len(rows)),
        table=table(("member", "best on", "adds"), rows),
    )
