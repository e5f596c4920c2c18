"""A run as the data of a page: plain values that JSON can hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from racing.report.history import History
from racing.report.pictures import Picture, pictures
from racing.report.pictures.names import refer
from racing.report.pictures.picture import shown
from racing.report.story import story

_INSTANCES = 3000  # names of instances that a page keeps


def page_data(history: History, *, state: str = "", advice: str = "") -> dict[str, Any]:
    """What a page shows of a run.

    Parameters
    ----------
    state, advice
        Whether the run is at work, and what to do next, in words; see `racing show`.
    """
    told, header = story(history), history.facts.header
    steps = range(min(len(history.matrices.costs), _INSTANCES))
    return {
        "run": {
            "name": refer(header.name),
            "state": shown(state, 400),
            "advice": shown(advice, 600),
            "made": (
                f"Seed {header.seed}, {header.direction} {header.objective}, begun "
                f"{shown(header.created)}, racing {shown(header.racing) or '–'}."
            ),
        },
        "story": asdict(told),
        "people": _people(history),
        "instances": [refer(history.race.instance(step).name) for step in steps],
        "pictures": _without_repeats([plain_picture(one) for one in pictures(history)]),
    }


def _without_repeats(pictures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Points of effects and sampling that the table of configurations has, taken from there."""
    table = next((one["table"] for one in pictures if one["id"] == "configurations"), None)
    if table is None or table["note"]:  # nothing in it, or not everybody
        return pictures
    for one in pictures:
        if one["id"] in ("effects", "sampling") and one["chart"]:
            parameters = one["data"]["parameters"]
            if one["id"] == "sampling":
                one["table"] = {"columns": [], "rows": [], "note": "", "same": "configurations"}
            one["data"] = {
                "parameters": [{k: v for k, v in p.items() if k != "points"} for p in parameters]
            }
    return pictures


def plain_picture(picture: Picture) -> dict[str, Any]:
    """A picture as JSON has it."""
    table = picture.table
    return {
        "id": picture.id,
        "title": picture.title,
        "sentence": picture.sentence,
        "reading": picture.reading,
        "chart": picture.chart,
        "data": dict(picture.data),
        "table": None
        if table is None
        else {"columns": list(table.columns), "rows": list(table.rows), "note": table.note},
    }


def _people(history: History) -> dict[str, Any]:
    """Names that are more than a number, and what became of everybody; most were dropped."""
    fates: dict[str, list[int]] = {}
    for id in history.candidates:
        if (fate := history.fate(id)) != "dropped":
            fates.setdefault(fate, []).append(id)
    return {"names": _names(history.candidates.items()), "fates": fates}


def _names(candidates: Iterable[tuple[int, Any]]) -> dict[str, str]:
    return {str(id): refer(one) for id, one in candidates if one.name}
