"""Several runs as the data of one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from racing.answer.words import cell, where
from racing.base.words import duration, listed, moment, value_text
from racing.report.history import History, read_history
from racing.report.names import refer, shown
from racing.report.page.data import drawn
from racing.report.pictures.several import default_name, pictures_of
from racing.report.several import Run, duels, headline, runs_of, sentences


def several_data(histories: Sequence[History], logs: Sequence[Path]) -> dict[str, Any]:
    """The data of a page of two or more runs.

    Raises
    ------
    InputError
        If they cannot stand side by side.
    """
    runs = runs_of(histories, [shown(log.stem, 24) for log in logs])
    found = duels(runs)
    return {
        "run": {
            "name": listed([run.label for run in runs]),
            "state": f"{len(runs)} runs",
            "advice": "",
            "made": _made(runs),
        },
        "summary": {
            "headline": headline(runs, found),
            "sentences": [shown(text, 600) for text in sentences(runs, found)],
            "figures": {},
            "tables": [_overview(runs), *filter(None, [_winners(runs)])],
        },
        **drawn(pictures_of(runs, found)),
    }


def read_several_data(logs: Sequence[Path]) -> dict[str, Any]:
    """The same from the log files as they are now."""
    return several_data([read_history(log) for log in logs], logs)


def _overview(runs: Sequence[Run]) -> dict[str, Any]:
    """A column for each run: its result and its spending."""
    facts = [run.history.facts for run in runs]
    gains = [one.answer.gain for one in facts]
    rows = {
        "result": [one.answer.headline for one in facts],
        "gain over the default": list(map(cell, gains)),
        "measured on": ["–" if one.estimate is None else where(one) for one in gains],
        "candidates": [str(len(run.history.candidates)) for run in runs],
        "instances": [str(one.instances) for one in facts],
        "evaluations": [str(one.counted) for one in facts],
        "failed": [str(one.failed) for one in facts],
        "time": [duration(one.elapsed) for one in facts],
        "seed": [str(one.header.seed) for one in facts],
    }
    return {
        "title": "The runs",
        "columns": ["", *(run.label for run in runs)],
        "rows": [[name, *cells] for name, cells in rows.items()],
    }


def _winners(runs: Sequence[Run]) -> dict[str, Any] | None:
    """The parameters in which the winners differ, or differ from the first run's default."""
    history = runs[0].history
    if any(run.winner is None for run in runs) or not history.race.candidates:
        return None
    from racing.core.view import default_of

    configurations = [default_of(history.race).values]
    configurations += [run.winner.values for run in runs if run.winner is not None]
    names = dict.fromkeys(name for one in configurations for name in one)
    rows = [
        [shown(name), *(value_text(one.get(name)) for one in configurations)]
        for name in names
        if len({repr(one.get(name)) for one in configurations}) > 1
    ]
    columns = ["parameter", f"{default_name(runs[0])} ({runs[0].label})"]
    return {
        "title": "The winners",
        "columns": [*columns, *(run.called for run in runs)],
        "rows": rows,
    }


def _made(runs: Sequence[Run]) -> str:
    header = runs[0].history.facts.header
    begun = listed([refer(moment(run.history.facts.header.created)) for run in runs])
    return f"{header.direction} {header.objective}; begun {begun}."
