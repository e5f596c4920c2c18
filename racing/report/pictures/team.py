"""A team: the best member by instance, and the value by size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.choice import Portfolio, worth
from racing.analysis.portfolio.team import Member, certain_scores, team_members
from racing.base.quantities import Direction, score_of
from racing.base.words import count, refer
from racing.report.forms import short
from racing.report.history import Floats, History
from racing.report.parts import members_of
from racing.report.picture import Picture, interval_figure, picture, table
from racing.report.pictures.ranks import heat


def team_pictures(found: Portfolio) -> tuple[Picture, ...]:
    """The two pictures of a team, in the order of a page."""
    known = found.known
    return where(
        found.members, found.size.team, known.costs, found.scores,
        [one.name for one in known.instances], known.direction,
    ), sizes(found)  # fmt: skip


def of_search(history: History) -> Picture:
    """The members of a search for a team, on the instances that all of them met."""
    search = history.race.as_search
    if search is None or not (team := members_of(history.race)):
        return Picture(sentence="")
    columns = history.matrices.columns(one.id for one in team)
    steps = np.flatnonzero(history.matrices.ran[:, columns].all(axis=1))
    costs = history.matrices.costs[steps]
    scores = certain_scores(costs, "mean")
    members = team_members(team, scores[:, columns], ~np.isnan(costs[:, columns]))
    names = list(map(history.instance, steps.tolist()))
    lost = history.matrices.lost[steps][:, columns]
    return where(members, columns, costs, scores, names, search.direction, lost)


@picture("where", "The best member by instance")
def where(
    members: Sequence[Member], columns: Sequence[int], costs: Floats, scores: Floats,
    instances: Sequence[str], direction: Direction, lost: NDArray[np.bool_] | None = None,
) -> Picture | str:  # fmt: skip
    """Each cell is a member on an instance: dark where it is as good as the best of all candidates,
    pale where it is the worst. A good team has a dark cell in each column, and no row that is pale
    where others are dark. Orange marks a failure; what is empty was not run.
    """
    if not len(costs):
        return "No instance was met by all members yet."
    names, instances = [refer(one.candidate) for one in members], [*map(refer, instances)]
    own = score_of(costs[:, list(columns)], direction)
    places = relative(scores)[:, list(columns)]
    best = ", ".join(f"{name} on {one.best_on}" for name, one in zip(names, members, strict=True))
    return Picture(
        sentence=f"The best member is {best} of {count(len(own), 'instance')}; ties count twice.",
        figure=heat(
            names,
            instances,
            places.T,
            own.T,
            "score",
            of="member",
            lost=None if lost is None else lost.T,
        ),
        table=table(
            ("instance", *names),
            ((name, *row) for name, row in zip(instances, own.tolist(), strict=True)),
        ),
    )


def relative(scores: Floats) -> Floats:
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
    rows: list[Any] = [
        (str(one.size), found.instances, *map(short, (gain.estimate, gain.low, gain.high)))
        for one in found.sizes for gain in [worth(one.gain, found)]
    ]  # fmt: skip
    size = count(found.size.size, "member")
    said = f"No team larger than {size} is shown to be better than the best team of {size}."
    if len(rows) == 1:
        said = found.answer[-1]
    elif found.asked:
        said = f"A team of {size} was asked for."
    places = " in places of 100" if found.known.objective == "rank" else ""
    label = f"gain over the single best{places}, by members"
    return Picture(
        sentence=said,
        figure=interval_figure([row[0] for row in rows], [row[2:] for row in rows], label),
        table=table(("members", "instances", "gain", "95 % from", "to"), rows),
    )  # fmt: skip
