"""A team: the best member by instance, the value by size, and contributions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio import Portfolio
from racing.base.quantities import score_of
from racing.base.words import count, number
from racing.report.forms import Axis, Bars, Figure, Plot, category, short
from racing.report.names import refer
from racing.report.pictures.picture import Picture, interval_figure, nothing, table
from racing.report.pictures.ranks import heat
from racing.report.portfolio_words import team_sentences


def team_pictures(found: Portfolio) -> tuple[Picture, ...]:
    """The three pictures of a team, in the order of a page."""
    return _where(found), _sizes(found), _adds(found)


def _where(found: Portfolio) -> Picture:
    """Members × instances: dark is the best candidate there, pale the worst."""
    names = [refer(one.candidate) for one in found.members]
    instances = [refer(one.name) for one in found.known.instances]
    scores = score_of(found.known.costs[:, list(found.size.team)], found.known.direction)
    places = relative(found.scores)[:, list(found.size.team)]
    many = count(len(scores), "instance")
    best = ", ".join(
        f"{name} on {one.best_on}" for name, one in zip(names, found.members, strict=True)
    )
    return Picture(
        id="where",
        title="The best member by instance",
        sentence=f"The best member is {best} of {many}; ties count twice.",
        reading=(
            "Each cell is a member on an instance: dark where it is as good as the best of all "
            "candidates, pale where it is the worst. A good team has a dark cell in each column, "
            "and no row that is pale where others are dark. Orange marks a failure; what is empty "
            "was not run."
        ),
        figure=heat(names, instances, places.T, scores.T, "score", of="member"),
        table=table(
            ("instance", *names),
            (
                (name, *map(short, row))
                for name, row in zip(instances, scores.tolist(), strict=True)
            ),
        ),
    )


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, m) places between the best score on an instance, 0, and the worst, 1."""
    best, worst = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    span = np.where(worst > best, worst - best, 1.0)
    return np.asarray((scores - best) / span)


def _sizes(found: Portfolio) -> Picture:
    rows: list[tuple[Any, ...]] = [
        (str(one.size), len(found.scores),
         *(short(end) for end in (one.gain.mean, one.gain.low, one.gain.high)))
        for one in found.sizes
    ]  # fmt: skip
    return Picture(
        id="sizes",
        title="How many members",
        sentence=" ".join(team_sentences(found)[-1:]) if len(rows) == 1 else _knee(found),
        reading=(
            "A mark is by how much the best team of a size is better than the single best on "
            "instances that had no part in its choice; a line is its 95 % interval. Where the "
            "marks level off, another member adds little."
        ),
        figure=interval_figure(
            [row[0] for row in rows], [row[2:] for row in rows],
            "gain over the single best, by members",
        ),
        table=table(("members", "instances", "gain", "95 % from", "to"), rows),
    )  # fmt: skip


def _knee(found: Portfolio) -> str:
    size = count(found.size.size, "member")
    if found.asked:
        return f"A team of {size} was asked for."
    return f"No team larger than {size} is shown to be better than the best team of {size}."


def _adds(found: Portfolio) -> Picture:
    if len(found.members) < 2:
        return nothing("adds", "What each member adds", "There is one member.")
    rows = [(refer(one.candidate), one.best_on, short(one.adds)) for one in found.members]
    least = min(found.members, key=lambda one: one.adds or 0.0)
    at = range(len(rows))
    bars = Bars(
        x0=(0.0,) * len(rows), x1=tuple(float(one.adds or 0.0) for one in found.members),
        y0=tuple(k - 0.3 for k in at), y1=tuple(k + 0.3 for k in at), rows=tuple(at),
    )  # fmt: skip
    names = [f"{name} ({best})" for name, best, _ in rows]
    plot = Plot(x=(Axis(name="worse without it"),), y=(category(names, reverse=True),),
                marks=(bars,), height=70 + 28 * len(rows))  # fmt: skip
    return Picture(
        id="adds",
        title="What each member adds",
        sentence=f"{refer(least.candidate)} adds least: {number(least.adds or 0.0, 4)}.",
        reading=(
            "By how much the mean of the best score would be worse without the member, on the "
            "instances of the choice; in brackets, on how many instances it is the best one."
        ),
        figure=Figure(plots=(plot,)),
        table=table(("member", "best on", "adds"), rows),
    )
