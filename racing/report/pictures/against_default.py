"""The winner against the default, on the instances of the choice and on held-out ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racing.base.quantities import score_of
from racing.base.words import count
from racing.core.view import default_of
from racing.report.history import History
from racing.report.matrices import Floats
from racing.report.names import name_of, refer
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table

_ID, _TITLE = "against-default", "Winner against default"
_HELD_OUT = "held-out"
_MOST = 2000


def picture(history: History) -> Picture:
    """A point for each instance that both ran: the default's score across, the winner's up."""
    winner, race = history.facts.winner, history.race
    if winner is None or not race.candidates:
        return nothing(_ID, _TITLE, "There is no winner yet.")
    default = default_of(race)
    if default == winner:
        return nothing(_ID, _TITLE, f"The winner is {refer(winner)} itself, the default.")
    columns = history.matrices.column
    if winner.id not in columns or default.id not in columns:
        return nothing(_ID, _TITLE, "The two have not met on an instance yet.")
    steps, costs = history.matrices.pair(winner.id, default.id)
    names = name_of(history, default.id), name_of(history, winner.id)
    return _pairs(
        history,
        [history.race.instance(int(step)).name for step in steps],
        costs,
        names,
        id=_ID,
        title=_TITLE,
        caveat="These instances also chose the winner, so the picture flatters it.",
    )


def held_out(history: History) -> Picture:
    """The same on the instances of `racing test`, which the run did not meet."""
    found, title = history.facts.test("winner"), "Unseen problems"
    if found is None:
        return nothing(_HELD_OUT, title, "The winner was not tested on unseen problems.")
    return _pairs(
        history,
        found.instances,
        found.costs,
        (refer(found.gain.over), refer(found.gain.name)),
        id=_HELD_OUT,
        title=f"{title}: {refer(found.gain.name)} against {refer(found.gain.over)}",
        caveat="The run did not meet these problems, so the picture is fair.",
    )


def _pairs(
    history: History,
    instances: Sequence[str],
    costs: Floats,
    names: tuple[str, str],
    *,
    id: str,
    title: str,
    caveat: str,
) -> Picture:
    if not np.isfinite(costs).any():
        return nothing(id, title, "On no instance that both ran did one of them succeed.")
    own, other = costs[:, 0], costs[:, 1]
    wins, losses = int((own < other).sum()), int((own > other).sum())
    direction, unit = history.facts.header.direction, history.facts.unit
    failed = _failures(own, other, names)
    rows = [
        (
            refer(name),
            short(score_of(float(o), direction)),
            short(score_of(float(w), direction)),
            short(_gain(float(w), float(o))),
        )
        for name, w, o in zip(instances, own, other, strict=True)
    ]
    return Picture(
        id=id,
        title=title,
        sentence=(
            f"{names[1]} is better than {names[0]} on {wins} of {count(len(rows), 'instance')}, "
            f"equal on {len(rows) - wins - losses}, worse on {losses}.{failed}"
        ),
        reading=(
            f"Each point is an instance. On the diagonal both are equal; "
            f"{'above' if direction == 'maximize' else 'below'} it the winner is better. "
            f"There it is blue; grey points are no gain. Orange triangles at an edge are failures. "
            f"{caveat}"
        ),
        chart="pairs",
        data={
            "names": names,
            "unit": unit,
            "rows": rows if len(rows) <= _MOST else rows[:: -(-len(rows) // _MOST)],
            "better": "above" if direction == "maximize" else "below",
        },
        table=table(
            ("instance", *names, in_unit("improvement", unit)),
            rows,
        ),
    )


def _failures(own: Floats, other: Floats, names: tuple[str, str]) -> str:
    failed = [int(np.isinf(costs).sum()) for costs in (other, own)]
    said = [f"{name} failed on {many}" for name, many in zip(names, failed, strict=True) if many]
    return f" {' and '.join(said)}." if said else ""


def _gain(winner: float, other: float) -> Any:
    """Other − winner; None where one failed, so that there is no number."""
    return float(np.subtract(other, winner)) if np.isfinite([winner, other]).all() else None
