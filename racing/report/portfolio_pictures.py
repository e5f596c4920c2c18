"""Pictures of a team: best member by instance, value by size, contributions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio import Portfolio
from racing.base.quantities import score_of
from racing.base.words import count, number
from racing.report.names import refer
from racing.report.pictures.picture import Picture, nothing, short, table
from racing.report.portfolio_words import team_sentences


def team_pictures(found: Portfolio) -> tuple[Picture, ...]:
    """The three pictures of a team, in the order of a page."""
    return _where(found), _sizes(found), _adds(found)


def _where(found: Portfolio) -> Picture:
    """Members × instances: dark is the best candidate there, pale the worst."""
    names = [refer(one.candidate) for one in found.members]
    columns, costs = list(found.size.team), found.known.costs
    places, direction = relative(found.scores), found.known.direction
    rows = []
    for column in columns:
        ran = np.flatnonzero(~np.isnan(costs[:, column]))
        scores = [score_of(float(cost), direction) for cost in costs[ran, column]]
        rows.append(
            {
                "at": None if len(ran) == len(costs) else ran.tolist(),
                "places": [round(100 * float(place)) for place in places[ran, column]],
                "scores": [short(score, 4) for score in scores],
            }
        )
    best = ", ".join(
        f"{name} on {one.best_on}" for name, one in zip(names, found.members, strict=True)
    )
    return Picture(
        id="where",
        title="The best member by instance",
        sentence=f"The best member is {best} of {count(len(costs), 'instance')}; ties count twice.",
        reading=(
            "Each cell is a member on an instance: dark where it is as good as the best of all "
            "candidates, pale where it is the worst. A good team has a dark cell in each column, "
            "and no row that is pale where others are dark. Orange marks a failure; what is empty "
            "was not run."
        ),
        chart="heat",
        data={"names": names, "instances": [refer(one.name) for one in found.known.instances],
              "rows": rows},
        table=table(
            ("instance", *names),
            (
                (refer(one.name), *(short(score_of(float(cost), direction)) for cost in row))
                for one, row in zip(found.known.instances, costs[:, columns], strict=True)
            ),
        ),
    )  # fmt: skip


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, m) places between the best score on an instance, 0, and the worst, 1."""
    best, worst = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    span = np.where(worst > best, worst - best, 1.0)
    return np.asarray((scores - best) / span)


def _sizes(found: Portfolio) -> Picture:
    rows = [
        (str(one.size), len(found.scores), short(one.gain.mean), short(one.gain.low),
         short(one.gain.high))
        for one in found.sizes
    ]  # fmt: skip
    return Picture(
        id="sizes",
        title="How many members",
        sentence=" ".join(team_sentences(found)[-1:]) if len(rows) == 1 else _knee(found),
        reading=(
            "A mark is by how much the best team of a size is better than the single best on "
            "instances that had no part in its choice; a bar is its 95 % interval. Where the marks "
            "level off, another member adds little."
        ),
        chart="intervals",
        data={"label": "gain over the single best, by members", "rows": rows},
        table=table(("members", "instances", "gain", "95 % from", "to"), rows),
    )


def _knee(found: Portfolio) -> str:
    size = count(found.size.size, "member")
    if found.asked:
        return f"A team of {size} was asked for."
    return f"No team larger than {size} is shown to be better than the best team of {size}."


def _adds(found: Portfolio) -> Picture:
    if len(found.members) < 2:
        return nothing("adds", "What each member adds", "There is one member.")
    rows = [
        (refer(one.candidate), one.best_on, short(one.adds), 0.0, short(one.adds))
        for one in found.members
    ]
    least = min(found.members, key=lambda one: one.adds or 0.0)
    return Picture(
        id="adds",
        title="What each member adds",
        sentence=f"{refer(least.candidate)} adds least: {number(least.adds or 0.0, 4)}.",
        reading=(
            "By how much the mean of the best score would be worse without the member, on the "
            "instances of the choice; in brackets, on how many instances it is the best one."
        ),
        chart="intervals",
        data={"label": "worse without it", "rows": rows},
        table=table(("member", "best on", "adds"), (row[:3] for row in rows)),
    )
