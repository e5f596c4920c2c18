"""A run as the data of a page: plain values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.base.words import moment
from racing.core.view import default_of
from racing.log.goals import asked
from racing.report.history import History, read_history
from racing.report.names import refer, shown
from racing.report.pictures import Picture, pictures
from racing.report.pictures.picture import short
from racing.report.status import next_step, state
from racing.report.summary import summary

_INSTANCES = 3000  # names of instances that a page keeps


def page_data(history: History, log: Path) -> dict[str, Any]:
    """The data of a run's page."""
    facts, header = history.facts, history.facts.header
    steps = range(min(len(history.matrices.costs), _INSTANCES))
    return {
        "run": {
            "name": refer(header.name),
            "state": shown(state(facts, log), 400),
            "advice": shown(next_step(facts, log), 600),
            "progress": _progress(history),
            "made": (
                f"Seed {header.seed}, {shown(asked(header), 200)}, begun "
                f"{shown(moment(header.created))}, racing {shown(header.racing) or '–'}."
            ),
        },
        "summary": asdict(summary(history)),
        "people": _people(history),
        "instances": [refer(history.race.instance(step).name) for step in steps],
        "pictures": _without_repeats([plain_picture(one) for one in pictures(history)]),
    }


def _progress(history: History) -> dict[str, Any] | None:
    """The progress of a run and its remaining seconds; None where unknown."""
    facts = history.facts
    done = facts.counted + facts.use.under_way
    if facts.stopped is not None or done == 0 or not 0 < facts.expected < math.inf:
        return None
    return {
        "share": round(done / (done + facts.expected), 3),
        "seconds": short(facts.elapsed * facts.expected / done, 3),
    }


def read_page_data(log: Path) -> dict[str, Any]:
    """The same from the log file as it is now."""
    return page_data(read_history(log), log)


def _without_repeats(pictures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take the points of configurations from their table where it has them."""
    table = next((one["table"] for one in pictures if one["id"] == "configurations"), None)
    if table is None or table["note"]:  # nothing in it, or not all
        return pictures
    for one in pictures:
        if one["id"] in ("effects", "sampling", "map") and one["chart"]:
            parameters = one["data"]["parameters"]
            if one["id"] != "effects":
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
    """Names that are more than a number, and fates other than being dropped, which most share."""
    fates: dict[str, list[int]] = {}
    for id in history.candidates:
        if (fate := history.fate(id)) != "dropped":
            fates.setdefault(fate, []).append(id)
    default = default_of(history.race).id if history.race.candidates else None
    return {"names": _names(history.candidates.items()), "fates": fates, "default": default}


def _names(candidates: Iterable[tuple[int, Any]]) -> dict[str, str]:
    return {str(id): refer(one) for id, one in candidates if one.name}
