"""A run as the data of a page: plain values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.base.words import moment, number
from racing.log.goals import asked
from racing.report.forms import Shared, short
from racing.report.history import History, read_history
from racing.report.names import refer, shown
from racing.report.pictures import Picture, pictures
from racing.report.pictures.result import gain_figure
from racing.report.status import next_step, state
from racing.report.summary import Bar, summary


def page_data(history: History, log: Path) -> dict[str, Any]:
    """The data of a run's page."""
    facts, header, found = history.facts, history.facts.header, summary(history)
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
        "summary": {**asdict(found), "gain": None if found.gain is None else gain_of(found.gain)},
        **drawn(pictures(history)),
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


def gain_of(bar: Bar) -> dict[str, Any]:
    """The gain in the head of a page: drawn, and in words."""
    interval = "no interval: too few instances"
    if bar.low is not None and bar.high is not None:
        interval = f"95 % interval {number(bar.low, 4)} to {number(bar.high, 4)}"
    figure = Shared().plain(gain_figure(bar.estimate, bar.low, bar.high))
    return {"figure": figure, "label": f"{bar.label}; {interval}"}


def drawn(pictures: Iterable[Picture]) -> dict[str, Any]:
    """Pictures as JSON has them, and the columns that their figures share."""
    shared = Shared()
    found = [plain_picture(one, shared) for one in pictures]
    return {"pictures": found, "columns": shared.columns}


def plain_picture(picture: Picture, shared: Shared) -> dict[str, Any]:
    """A picture as JSON has it."""
    return {
        **{name: getattr(picture, name) for name in ("id", "title", "sentence", "reading")},
        "figure": None if picture.figure is None else shared.plain(picture.figure),
        "items": [asdict(one) for one in picture.items],
        "table": None if picture.table is None else asdict(picture.table),
    }
