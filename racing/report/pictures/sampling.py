"""Sampling over time: each parameter's values in the order of entry."""

from __future__ import annotations

from typing import Any

from racing.base.words import count
from racing.report.history import History
from racing.report.names import refer
from racing.report.origins import Origin, origins
from racing.report.parameters import effects
from racing.report.pictures.picture import Picture, nothing, plain, scale_data, table

_ID, _TITLE = "sampling", "Sampling over time"
_POINTS = 1000
_PARAMETERS = 40

_READING = (
    "From left to right in the order of entry. At the start the points fill the range; "
    "later they gather where the search expects the best. A parameter whose points stay "
    "spread out matters little, or is not settled yet."
)


def picture(history: History) -> Picture:
    """A point for each configuration: its place in the order of entry, and its value."""
    if not history.searching:
        return nothing(_ID, _TITLE, "A race does not sample: its candidates were given.")
    found, varying = origins(history), effects(history)
    if not varying:
        return nothing(_ID, _TITLE, "No configuration has been compared yet.")
    drawn = [one for one in found if one.origin == "model"]
    step = -(-len(found) // _POINTS)
    parameters = [
        {
            "name": refer(effect.name),
            "kind": effect.kind,
            **scale_data(effect.scale),
            "points": _points(history, found[::step], effect.name),
        }
        for effect in varying[:_PARAMETERS]
    ]
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=(
            f"{count(len(drawn), 'configuration')} of {len(found)} were drawn near an elite."
            + (f" Drawn here: every {step}th." if step > 1 else "")
        ),
        reading=_READING,
        chart="sampling",
        data={"parameters": parameters},
        table=table(
            ("parameter", "number", "candidate", "value", "origin"),
            (
                (
                    effect.name,
                    one.number,
                    refer(history.candidates[one.candidate]),
                    plain(history.candidates[one.candidate].values.get(effect.name)),
                    one.origin,
                )
                for effect in varying[:1]
                for one in found
            ),
        ),
    )


def _points(history: History, found: tuple[Origin, ...], name: str) -> list[Any]:
    values = ((one, history.candidates[one.candidate].values.get(name)) for one in found)
    return [(one.number, plain(value), one.candidate) for one, value in values if value is not None]
