"""Several runs as the data of one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from racing.answer.document import TextTable, literal, table
from racing.answer.words import cell, where
from racing.base.words import duration, listed, moment, refer, shown, value_text
from racing.report.history import History, read_history
from racing.report.page.data import page
from racing.report.pictures.several import pictures_of
from racing.report.several import Run, duels, headline, runs_of, sentences


def read_several_data(logs: Sequence[Path]) -> dict[str, Any]:
    """The data of a page of several runs, from the log files as they are now."""
    return several_data([read_history(log) for log in logs], logs)


def several_data(histories: Sequence[History], logs: Sequence[Path]) -> dict[str, Any]:
    """The data of a page of two or more runs.

    Raises
    ------
    InputError
        If they cannot stand side by side.
    """
    runs = runs_of(histories, [shown(log.stem, 24) for log in logs])
    found, header = duels(runs), histories[0].header
    begun = listed([refer(moment(run.history.header.created)) for run in runs])
    return page(
        name=listed([run.label for run in runs]),
        state=f"{len(runs)} runs",
        made=f"{header.direction} {header.objective}; begun {begun}.",
        headline=headline(runs, found),
        sentences=sentences(runs, found),
        figures={},
        tables=[_overview(runs), *_winners(runs)],
        pictures=pictures_of(runs, found),
    )


def _overview(runs: Sequence[Run]) -> TextTable:
    """A column for each run: its result and its spending."""
    every = [run.history for run in runs]
    gains = [one.answer.gain for one in every]
    rows: dict[str, list[object]] = {
        "result": [one.answer.headline for one in every],
        "gain over the default": [cell(one) for one in gains],
        "measured on": [None if one.estimate is None else where(one) for one in gains],
        "candidates": [len(one.candidates) for one in every],
        "instances": [one.race.instances_seen for one in every],
        "evaluations": [one.counted for one in every],
        "failed": [one.failed for one in every],
        "time": [duration(one.elapsed) for one in every],
        "seed": [one.header.seed for one in every],
    }
    heads = ("", *(literal(run.label) for run in runs))
    return table("runs", "The runs", heads, ((name, *cells) for name, cells in rows.items()))


def _winners(runs: Sequence[Run]) -> list[TextTable]:
    """The parameters in which the winners differ, or differ from the first run's default."""
    history, winners = runs[0].history, [run.winner for run in runs if run.winner is not None]
    if len(winners) < len(runs):
        return []
    configurations = [history.default.values, *(one.values for one in winners)]
    rows = (
        map(literal, (name, *(value_text(one.get(name)) for one in configurations)))
        for name in dict.fromkeys(name for one in configurations for name in one)
        if len({repr(one.get(name)) for one in configurations}) > 1
    )
    default = f"{refer(history.default)} ({runs[0].label})"
    columns = ("parameter", *map(literal, (default, *(run.called for run in runs))))
    return [table("winners", "The winners", columns, rows)]
