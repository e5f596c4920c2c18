"""The probability that the winner beats the second."""

from __future__ import annotations

import numpy as np

from racing.base.words import count, percent
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pair import last_pair
from racing.report.pictures.picture import Picture, nothing, short, table

_POINTS = 121


def picture(history: History) -> Picture:
    """The posterior density of the winner's share of wins over the second."""
    pair = last_pair(history)
    if pair is None:
        why = "There are no two candidates that ran on the same instances."
        return nothing("posterior", "Winner against second", why)
    names = name_of(history, pair.winner), name_of(history, pair.second)
    x = np.linspace(0, 1, _POINTS + 2)[1:-1]
    curves = {
        which: y
        for which in ("lower", "upper")
        if (y := pair.density(x, bound=which)).any()  # else all of it is at 0 or at 1
    }
    if not curves:
        return nothing("posterior", "Winner against second", "The two were equal throughout.")
    said = (
        f"{names[0]} beats {names[1]} on {count(pair.wins, 'instance')}, ties on {pair.ties} and "
        f"loses on {pair.losses}. The chance that it wins more often than it loses is "
        f"{percent(pair.lower, 1)} to {percent(pair.upper, 1)}, depending on the prior."
    )
    if len(curves) == 1:
        end = "wins" if not pair.losses else "losses"
        said += f" There are only {end}, so a prior on that side has no curve: all its mass is at "
        said += f"{int(not pair.losses)}."
    return Picture(
        id="posterior",
        title="Winner against second",
        sentence=said,
        reading=(
            "The two curves are what is believed of the share of instances that the winner wins, "
            "ties left out: with a prior worth one instance on the side of the second (lower), and "
            "on that of the winner (upper). The more of a curve lies right of one half, the surer "
            "the lead. The pair was chosen by these results, so it looks surer than it is."
        ),
        chart="density",
        data={
            "names": names,
            "x": [round(float(v), 4) for v in x],
            **{which: [short(float(v), 4) for v in y] for which, y in curves.items()},
        },
        table=table(
            ("pair", "wins", "ties", "losses", "P lower", "P precise", "P upper"),
            [
                (
                    f"{names[0]} against {names[1]}",
                    pair.wins,
                    pair.ties,
                    pair.losses,
                    short(pair.lower, 4),
                    short(pair.precise, 4),
                    short(pair.upper, 4),
                )
            ],
        ),
    )
