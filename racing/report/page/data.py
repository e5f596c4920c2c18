"""The data of a page as plain values: of a run, and of any pictures with a head."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.answer.document import TextTable, bare
from racing.answer.gain import Gain
from racing.answer.head import alike, all_failed, is_front
from racing.answer.words import label
from racing.base.words import amount, count, duration, moment, number, percent, refer, shown
from racing.core.budget import PAID
from racing.report.forms import Shared, short
from racing.report.history import History, read_history
from racing.report.pictures import Picture, pictures
from racing.report.pictures.result import ends_of, gain_figure, last_pair
from racing.report.run import RunReport, run_report
from racing.report.run_document import took, uncounted
from racing.report.run_tables import changes_table, enough, front_gains, front_tables, team_table
from racing.report.use_forms import use_forms, use_title

_FEW_PAIRS = 6
"""Wins and losses from which the chance against the closest other is told."""


def page(
    *, name: str, state: str, made: str, headline: str, sentences: Iterable[str],
    figures: Mapping[str, str], pictures: Iterable[Picture], advice: str = "",
    progress: Mapping[str, Any] | None = None, tables: Iterable[TextTable] = (), **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """The data of any page.

    Parameters
    ----------
    name, state, advice, progress, made
        What it is about, how far it is, what to do next, and how it came to be.
    headline, sentences
        The answer.
    figures
        Label → a few numbers that people look for first.
    tables
        What stands beside the answer.
    more
        What only a run has: its gain, and its configuration to be used.
    """
    run = {"name": refer(name), "state": shown(state, 400), "advice": shown(advice, 600),
           "progress": progress, "made": made}  # fmt: skip
    summary = {"headline": headline, "sentences": [shown(text, 600) for text in sentences],
               "figures": dict(figures), "tables": [*map(head_table, tables)], **more}  # fmt: skip
    return {"run": run, "summary": summary, **drawn(pictures)}


def head_table(part: TextTable) -> dict[str, Any]:
    """A table beside the answer, as JSON has it; names of columns of numbers begin with `>`."""
    return {
        "key": part.key,
        "title": shown(bare(part.title)),
        "columns": [shown(bare(column)) for column in part.columns],
        "rows": [[shown(bare(cell), 400) for cell in row] for row in part.rows],
        "notes": [shown(bare(note), 400) for note in part.notes],
    }


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
        "table": None if picture.table is None else asdict(picture.table.for_page()),
    }


def read_page_data(log: Path) -> dict[str, Any]:
    """The data of a run's page, from the log file as it is now."""
    return page_data(read_history(log), log)


def page_data(history: History, log: Path) -> dict[str, Any]:
    """The data of a run's page."""
    told = run_report(history, log)
    return page(
        name=told.name,
        state=told.state,
        advice=told.next,
        progress=_progress(history),
        made=(
            f"Seed {told.seed}, {shown(told.asked, 200)}, begun {shown(moment(told.created))}, "
            f"racing {shown(history.header.racing) or '–'}."
        ),
        headline=told.answer.headline,
        sentences=(
            *told.answer.sentences,
            *_enough(told),
            *_closest(history),
            *_what_it_took(history, told),
        ),
        figures=_figures(history, told),
        tables=_tables(told),
        pictures=pictures(history),
        gain=gain_of(told.answer.gain),
        use=[asdict(one) for one in use_forms(history)],
        use_title=use_title(history),
    )


def _tables(told: RunReport) -> Iterator[TextTable]:
    """The members of a front or a team with their values; else what the winner changes."""
    if told.front is not None and told.front.members:
        yield from front_tables(told, told.front, told.front.show)
        yield from front_gains(() if told.search is None else told.search.front_gains)
    elif told.search and told.search.team and told.search.team.members:
        yield team_table(told.search.team.members, told.search.team.instances)
    else:
        yield from changes_table(told.changes, told.default, told.winner)


def _enough(told: RunReport) -> Iterator[str]:
    """Which members of a team are enough."""
    if told.search and told.search.team:
        yield from enough(told.search.team.members)


def gain_of(told: Gain) -> dict[str, Any] | None:
    """A gain with its interval: drawn, and in words; None where there is nothing to draw."""
    if told.estimate is None:
        return None
    said, ends = "no interval: too few instances", ends_of(told)
    if ends is not None:
        said = f"95 % interval {number(ends[0], 4)} to {number(ends[1], 4)}"
    return {"figure": Shared().plain(gain_figure(told)), "label": f"{label(told)}; {said}"}


def _progress(history: History) -> dict[str, Any] | None:
    """The progress of a run and its remaining seconds; None where unknown."""
    done, expected = history.counted + history.use.under_way, history.race.expected_evaluations
    if history.stopped is not None or done == 0 or not 0 < expected < math.inf:
        return None
    return {
        "share": round(done / (done + expected), 3),
        "seconds": short(history.elapsed * expected / done, 3),
    }


def _closest(history: History) -> Iterator[str]:
    """The certainty of the winner against the closest other, where both are known well enough."""
    race, pair = history.race, last_pair(history)
    told = history.test("winner") is not None or is_front(race) or alike(race)
    if pair is None or race.stopped is None or told or history.header.objective != "rank":
        return  # by means, wins and losses do not decide
    if pair.wins + pair.losses >= _FEW_PAIRS:
        chance = " to ".join(percent(pair.chance(bound)) for bound in ("lower", "upper"))
        yield (
            f"Against {history.name(pair.second)}, the closest other, it wins more often than "
            f"it loses with a probability of {chance}."
        )


def _what_it_took(history: History, told: RunReport) -> Iterator[str]:
    if all_failed(history.race):
        return
    many = count(len(history.candidates), "candidate")
    if not told.evaluations:
        yield f"{many} wait for their first evaluation."
        return
    has = "took" if told.finished else "has taken"
    yield f"The run {has} {took(told)}; {len(history.out)} of {many} were dropped."
    yield from uncounted(told)


def _figures(history: History, told: RunReport) -> dict[str, str]:
    budget = history.race.budget
    found = {
        told.leads: "–" if told.winner is None else refer(told.winner),
        "Left": f"{len(told.survivors)} of {len(history.candidates)}",
        "Instances": str(told.instances),
        "Evaluations": f"{told.evaluations}{_of(budget.evaluations)}",
        "Failed": str(told.failures),
        "Time": duration(told.wall_seconds),
    }
    for unit, title in zip(PAID, ("Paid", "Tokens"), strict=True):
        limit, paid = getattr(budget, unit), amount(unit, told.paid.get(unit, 0.0))
        if unit in told.paid or limit is not None:
            of = "" if limit is None else _of(amount(unit, limit))
            found[title] = f"{paid}{of}".replace(" tokens", "")
    return found


def _of(limit: object) -> str:
    return f" of {limit}" if limit else ""
