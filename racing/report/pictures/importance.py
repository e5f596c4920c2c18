"""The importance of parameters, with its uncertainty."""

from __future__ import annotations

from typing import Any

from racing.analysis.explain.model import Model
from racing.base.errors import InputError, MissingExtra
from racing.base.words import percent
from racing.report.history import History
from racing.report.importance import importance
from racing.report.names import refer
from racing.report.pictures.picture import Picture, nothing, short, table

_ID, _TITLE = "importance", "Importance of parameters"
_BARS = 15

_READING = (
    "A random forest is fitted to all configurations. A bar is the share of the variance of its "
    "predictions over the whole space that the parameter explains alone; the line is one standard "
    "deviation over the trees of the forest to either side. The pale part adds what it explains "
    "together with others. Near the winner: the share of what changes if only this parameter is "
    "moved away from it. A parameter that is the same in all configurations shows nothing here."
)


def picture(history: History) -> Picture:
    """A bar for each parameter: its share of the variance, with the spread over the trees."""
    try:
        found = importance(history)
    except (InputError, MissingExtra) as why:
        return nothing(_ID, _TITLE, f"No importance: {str(why).removesuffix('.')}.")
    quality = percent(max(found.forest.r2 or 0.0, 0.0))
    if found.forest.poor:
        return nothing(
            _ID,
            _TITLE,
            f"The model explains {quality} of the differences between configurations that it was "
            "not fitted to: too little to say which parameters matter.",
        )
    rows = [_row(one) for one in found.parameters]
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=_sentence(found, quality),
        reading=_READING,
        chart="importance",
        data={"rows": rows[:_BARS]},
        table=table(
            ("parameter", "alone", "± over trees", "with interactions", "near the winner"), rows
        ),
    )


def _row(one: Any) -> tuple[Any, ...]:
    numbers = (one.main, one.spread, one.total, one.local)
    return refer(one.name), *(short(number, 3) for number in numbers)


def _sentence(found: Model, quality: str) -> str:
    first = found.parameters[0]
    said = (
        f"{refer(first.name)} matters most: it explains {percent(first.main)} of the variance "
        f"alone. The model explains {quality} of the differences between configurations that it "
        "was not fitted to."
    )
    if found.left_out:
        said += f" {found.left_out} that always failed are left out."
    if found.scale != "cost":
        said += f" It is fitted to {'ranks' if found.scale == 'rank' else 'logarithms of costs'}."
    return said
