"""Each parameter against the standing, and the regions where runs fail."""

from __future__ import annotations

from typing import Any

from racing.base.words import count, percent
from racing.report.history import History
from racing.report.names import refer
from racing.report.parameters import Effect, effects, regions
from racing.report.pictures.picture import Picture, nothing, plain, scale_data, shown, table

_POINTS = 800
_PARAMETERS = 40


def picture(history: History) -> Picture:
    """A point for each candidate: the parameter's value across, its mean place up."""
    found = effects(history)
    if not found:
        return nothing("effects", "Effects of parameters", "There is nothing to compare yet.")
    first = found[0]
    worst = regions(history)
    said = _sentence(first, len(found))
    if worst:
        said += (
            f" Runs fail most where {shown(worst[0].name)} {shown(worst[0].where)}: "
            f"{percent(worst[0].share)}, against {percent(worst[0].overall)} overall."
        )
    return Picture(
        id="effects",
        title="Effects of parameters",
        sentence=said,
        reading=(
            "Each point is a candidate; the best are on top (0: none on the same instances was "
            "better; 1: all were; instances that many ran on count more). Orange "
            "points failed at least once. A slope, or a category that lies higher, is an effect. "
            "The percentage beside a name says how much of the standing goes with this parameter "
            "by itself: effects that depend on other parameters do not show. Candidates that were "
            "dropped early have a place from few instances."
        ),
        chart="effects",
        data={"parameters": [_data(history, one) for one in found[:_PARAMETERS]]},
        table=table(
            (
                "parameter",
                "share of the differences in place",
                "fails where",
                "share failed",
                "runs there",
            ),
            [
                *((one.name, percent(one.association), None, None, None) for one in found),
                *(
                    (one.name, None, one.where, percent(one.share), one.evaluations)
                    for one in worst
                ),
            ],
        ),
    )


def _sentence(first: Effect, of: int) -> str:
    """Whether the parameter with the strongest association matters, corrected for their number."""
    if first.association < 0.05:
        return "No parameter by itself accounts for the differences in place (0 is best, 1 worst)."
    name, share = shown(first.name), percent(first.association)
    if of * first.chance > 0.05:
        return (
            f"No parameter is shown to matter by itself: {name} accounts for {share} of the "
            "differences in mean place (0 is best, 1 worst), which may be chance among "
            f"{count(len(first.ids), 'candidate')}."
        )
    most = "matters most" if of > 1 else "matters"
    return (
        f"{name} {most}: by itself it accounts for {share} of the differences in mean place "
        "(0 is best, 1 worst)."
    )


def _data(history: History, effect: Effect) -> dict[str, Any]:
    step = -(-len(effect.ids) // _POINTS)
    failures = {one.candidate.id: one.failures for one in history.facts.expenses}
    return {
        "name": refer(effect.name),
        "kind": effect.kind,
        **scale_data(effect.scale),
        "association": round(effect.association, 3),
        "points": [
            (id, plain(value), round(float(place), 3), int(failures[id] > 0))
            for id, value, place in list(
                zip(effect.ids, effect.values, effect.standing, strict=True)
            )[::step]
        ],
    }
