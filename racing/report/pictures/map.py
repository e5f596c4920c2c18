"""A map of two parameters: where the good configurations lie, and where nothing was tried."""

from __future__ import annotations

from typing import Any

from racing.report.history import History
from racing.report.names import refer
from racing.report.parameters import Effect, effects
from racing.report.pictures.picture import Picture, nothing, plain, scale_data, table

_ID, _TITLE = "map", "Map of two parameters"
_POINTS = 800
_PARAMETERS = 40

_READING = (
    "Each point is a configuration, at its values of two parameters; which two can be chosen. "
    "Dark is a good mean place, pale a bad one; the ring is the winner, the diamond the default. "
    "A dark corner says that the two matter together. The axes have the whole domain, so white "
    "space was not tried. Categories are spread a little."
)


def picture(history: History) -> Picture:
    """A point for each configuration, over the two parameters that go most with the standing."""
    found = effects(history)
    if len(found) < 2:
        return nothing(_ID, _TITLE, "Fewer than two parameters differ.")
    first, second = found[:2]
    rows = _rows(history, first, second)
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=(
            f"{refer(first.name)} and {refer(second.name)} go most with the mean place; the map "
            f"shows {len(rows)} configurations that have both."
        ),
        reading=_READING,
        chart="map",
        data={
            "parameters": [
                {
                    "name": refer(one.name),
                    "kind": one.kind,
                    **scale_data(one.scale),
                    "points": _points(one),
                }
                for one in found[:_PARAMETERS]
            ]
        },
        table=table(
            ("candidate", refer(first.name), refer(second.name), "mean place", "fate"), rows
        ),
    )


def _points(effect: Effect) -> list[Any]:
    """Those of `effects`: candidate, value, mean place."""
    step = -(-len(effect.ids) // _POINTS)
    every = list(zip(effect.ids, effect.values, effect.standing, strict=True))
    return [(id, plain(value), round(float(place), 3)) for id, value, place in every[::step]]


def _rows(history: History, first: Effect, second: Effect) -> list[tuple[Any, ...]]:
    across = dict(zip(second.ids, second.values, strict=True))
    return [
        (
            refer(history.candidates[id]),
            value,
            across[id],
            round(float(place), 3),
            history.fate(id),
        )
        for id, value, place in zip(first.ids, first.values, first.standing, strict=True)
        if id in across
    ]
