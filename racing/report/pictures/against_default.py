"""The winner against the default, instance by instance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.compare.words import count
from racing.report.history import History
from racing.report.matrices import Floats
from racing.report.pictures.names import name_of, refer
from racing.report.pictures.picture import Picture, nothing, scored, short, table
from racing.sketches import default_of

_ID, _TITLE = "against-default", "Winner against default"
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
    if not len(steps):
        return nothing(_ID, _TITLE, "The two have not met on an instance yet.")
    direction = history.facts.header.direction
    own, other = costs[:, 0], costs[:, 1]
    wins, losses = int((own < other).sum()), int((own > other).sum())
    rows = _rows(history, steps, costs)
    names = name_of(history, default.id), name_of(history, winner.id)
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=(
            f"{names[1]} is better than {names[0]} on {wins} of {count(len(steps), 'instance')}, "
            f"equal on {len(steps) - wins - losses}, worse on {losses}."
        ),
        reading=(
            f"Each point is an instance. On the diagonal both are equal; "
            f"{'above' if direction == 'maximize' else 'below'} it the winner is better. "
            "These instances also chose the winner, so the picture flatters it."
        ),
        chart="pairs",
        data={
            "names": names,
            "rows": rows if len(rows) <= _MOST else rows[:: -(-len(rows) // _MOST)],
            "better": "above" if direction == "maximize" else "below",
        },
        table=table(("instance", *names, "improvement"), rows),
    )


def _rows(history: History, steps: NDArray[np.intp], costs: Floats) -> list[tuple[Any, ...]]:
    direction = history.facts.header.direction
    return [
        (
            refer(history.race.instance(int(step)).name),
            short(scored(float(o), direction)),
            short(scored(float(w), direction)),
            short(_gain(float(w), float(o))),
        )
        for step, w, o in zip(steps, *costs.T, strict=True)
    ]


def _gain(winner: float, other: float) -> float:
    """Other − winner; two failures are equal."""
    return 0.0 if winner == other else float(np.subtract(other, winner))
