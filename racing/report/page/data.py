"""The data of a page as plain values: of a run, of several, of a team, of pictures with a head."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from racing.analysis.portfolio.choice import Portfolio
from racing.analysis.portfolio.team import enough
from racing.analysis.use import UseForm, forms_of
from racing.answer.document import TextTable, bare, literal, table
from racing.answer.gain import Gain
from racing.answer.head import alike, all_failed, is_front
from racing.answer.words import cell, label, where
from racing.base.words import (
    amount,
    count,
    duration,
    listed,
    moment,
    percent,
    refer,
    shown,
    value_text,
)
from racing.core.budget import PAID
from racing.core.candidate import Candidate
from racing.report.facts import Facts, next_step
from racing.report.forms import Shared, short
from racing.report.history import History, read_history
from racing.report.parts import TeamFacts, members_of
from racing.report.pictures import Picture, pictures
from racing.report.pictures.result import ends_of, gain_figure, last_pair
from racing.report.pictures.several import Run, duels, headline, pictures_of, runs_of, sentences
from racing.report.pictures.team import team_pictures
from racing.report.run_document import uncounted
from racing.report.run_tables import changes_table, front_gains, front_tables, team_table
from racing.stats.sign_posterior import marginal_posteriors

_FEW_PAIRS = 6
"""Wins and losses from which the chance against the closest other is told."""


def page(
    *, name: str, state: str, made: str, headline: str, sentences: Iterable[str],
    pictures: Iterable[Picture], figures: Mapping[str, str] | None = None, advice: str = "",
    progress: Mapping[str, Any] | None = None, tables: Iterable[TextTable] = (), **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """The data of any page.

    Parameters
    ----------
    name, state, advice, progress, made
        What it is about, how far it is, what to do next, and how it came to be.
    headline, sentences
        The answer. What they say is not said again below a picture.
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
               "figures": dict(figures or {}), "tables": [*map(head_table, tables)],
               **more}  # fmt: skip
    said = (headline, *summary["sentences"])
    return {"run": run, "summary": summary, **drawn(_unsaid(one, said) for one in pictures)}


def _unsaid(picture: Picture, said: Iterable[str]) -> Picture:
    """A drawn picture without what the head of its page says."""
    left = picture.sentence
    for one in said if picture.figure is not None else ():
        left = left.replace(one, "").strip()
    return replace(picture, sentence=left)


def head_table(part: TextTable) -> dict[str, Any]:
    """A table beside the answer, as JSON has it; names of columns of numbers begin with `>`."""
    return {
        "key": part.key,
        "title": shown(bare(part.title)),
        "columns": [shown(bare(column)) for column in part.columns],
        "rows": [[shown(bare(one), 400) for one in row] for row in part.rows],
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
    told, team = history.answer, history.search.team if history.search else None
    which = [] if team is None else enough(team.members)
    made = (
        f"Seed {history.seed}, {shown(history.asked, 200)}, "
        f"begun {shown(moment(history.created))}, racing {shown(history.header.racing) or '–'}."
    )
    said = (*told.sentences, *which, *_closest(history), *_waiting(history))
    return page(
        name=history.name, state=history.state, advice=next_step(history, log), made=made,
        progress=_progress(history), headline=told.headline, sentences=said,
        figures=_figures(history), tables=_tables(history, team), pictures=pictures(history),
        gain=gain_of(told.gain), use=[asdict(one) for one in use_forms(history)],
        use_title=use_title(history),
    )  # fmt: skip


def _tables(told: History, team: TeamFacts | None) -> Iterator[TextTable]:
    """The members of a front or a team with their values; else what the winner changes."""
    if told.front is not None and told.front.members:
        yield from front_tables(told, told.front, told.front.show)
        yield from front_gains(() if told.search is None else told.search.front_gains)
    elif team is not None and team.members:
        yield team_table(team.members, team.instances)
    else:
        yield from changes_table(told.against, told.best)


def gain_of(told: Gain) -> dict[str, Any] | None:
    """A gain with its interval, drawn, and what it is; None where there is nothing to draw."""
    if told.estimate is None:
        return None
    few = "" if ends_of(told) else "; no interval: too few instances"
    return {"figure": Shared().plain(gain_figure(told)), "label": f"{label(told)}{few}"}


def _progress(history: History) -> dict[str, Any] | None:
    """The progress of a run and its remaining seconds; None where unknown."""
    done = history.evaluations + history.spent.under_way
    expected = history.race.expected_evaluations
    if history.stopped is not None or done == 0 or not 0 < expected < math.inf:
        return None
    return {
        "share": round(done / (done + expected), 3),
        "seconds": short(history.wall_seconds * expected / done, 3),
    }


def _closest(history: History) -> Iterator[str]:
    """The certainty of the winner against the closest other, where both are known well enough."""
    race, pair = history.race, last_pair(history)
    told = history.tested("winner") is not None or is_front(race) or alike(race)
    if pair is None or race.stopped is None or told or history.objective != "rank":
        return  # by means, wins and losses do not decide
    second, *counts = pair
    if sum(counts) >= _FEW_PAIRS:  # by the most and the least of any prior worth one instance
        ends = (marginal_posteriors(*counts, bound="lower"),
                marginal_posteriors(*counts, bound="upper"))  # fmt: skip
        chance = " to ".join(percent(float(end)) for end in ends)
        yield (
            f"Against {history.called(second)}, the closest other, it wins more often than "
            f"it loses with a probability of {chance}."
        )


def _waiting(history: History) -> Iterator[str]:
    """What has not been evaluated, or does not count yet."""
    if not history.evaluations:
        yield f"No evaluation of the {count(len(history.candidates), 'candidate')} has ended."
    elif not all_failed(history.race):
        yield from uncounted(history)


def _figures(told: History) -> dict[str, str]:
    budget = told.race.budget
    most = f" of {budget.evaluations}" if budget.evaluations else ""
    found = {
        told.leads: "–" if told.winner is None else refer(told.winner),
        "Candidates left": f"{len(told.survivors)} of {len(told.candidates)}",
        "Complete instances": str(told.instances),
        "Evaluations": f"{told.evaluations}{most}",
        "Failed": str(told.failures),
        "Time": duration(told.wall_seconds),
    }
    for unit, title in zip(PAID, ("Paid", "Tokens"), strict=True):
        limit, paid = getattr(budget, unit), amount(unit, told.paid.get(unit, 0.0))
        if unit in told.paid or limit is not None:
            of = "" if limit is None else f" of {amount(unit, limit)}"
            found[title] = f"{paid}{of}".replace(" tokens", "")
    return found


# --- several runs ------------------------------------------------------------------------------


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
    begun = listed([*dict.fromkeys(refer(moment(run.history.header.created)) for run in runs)])
    return page(
        name=listed([run.label for run in runs]), state=f"{len(runs)} runs",
        made=f"{header.direction} {header.objective}; begun {begun}.",
        headline=headline(runs, found), sentences=sentences(runs, found),
        tables=[_overview(runs), *_winners(runs)], pictures=pictures_of(runs, found),
    )  # fmt: skip


def _overview(runs: Sequence[Run]) -> TextTable:
    """A column for each run: its result and its spending."""
    every = [run.history for run in runs]
    gains = [one.answer.gain for one in every]
    rows: dict[str, list[object]] = {
        "result": [one.answer.headline for one in every],
        "gain over the default": [cell(one) for one in gains],
        "measured on": [None if one.estimate is None else where(one) for one in gains],
        "candidates": [len(one.candidates) for one in every],
        "instances": [one.instances for one in every],
        "evaluations": [one.evaluations for one in every],
        "failed": [one.failures for one in every],
        "time": [duration(one.wall_seconds) for one in every],
        "seed": [one.seed for one in every],
    }
    heads = ("", *(literal(run.label) for run in runs))
    return table("runs", "The runs", heads, ((name, *cells) for name, cells in rows.items()))


def _winners(runs: Sequence[Run]) -> list[TextTable]:
    """The parameters in which the winners differ, or differ from the first run's default."""
    history, winners = runs[0].history, [run.winner for run in runs if run.winner is not None]
    if len(winners) < len(runs):
        return []
    configurations = [history.baseline.values, *(one.values for one in winners)]
    rows = (
        map(literal, (name, *(value_text(one.get(name)) for one in configurations)))
        for name in dict.fromkeys(name for one in configurations for name in one)
        if len({repr(one.get(name)) for one in configurations}) > 1
    )
    default = f"{refer(history.baseline)} ({runs[0].label})"
    columns = ("parameter", *map(literal, (default, *(run.called for run in runs))))
    return [table("winners", "The winners", columns, rows)]


# --- a team ------------------------------------------------------------------------------------


def team_page(found: Portfolio, *, name: str) -> dict[str, Any]:
    """The data of a team's page: the answer, the members, what to copy, and two pictures."""
    members, known = len(found.members), found.known
    use = forms_of(known.first.header.scenario, [one.candidate for one in found.members])
    return page(
        name=name,
        state=f"{found.candidates} candidates on {found.instances} instances",
        made=f"{known.direction} {known.objective}",
        headline=f"A team of {members}." if members > 1 else "One candidate.",
        sentences=found.answer,
        tables=[team_table(found.members, found.instances)],
        pictures=team_pictures(found),
        use=[asdict(one) for one in use],
        use_title="The configurations of the team",
    )


# --- the configuration to be used ------------------------------------------------------------


def use_forms(facts: Facts) -> tuple[UseForm, ...]:
    """The forms of the winner's configuration, or of a team's or front's by name; none without one.

    The command line is there for targets that are programs, one for each member: with `INSTANCE`
    and `SEED` where the instance and the seed belong.
    """
    if facts.best is None:
        return ()
    return forms_of(facts.header.scenario, _members(facts) or (facts.best,))


def _members(facts: Facts) -> tuple[Candidate, ...]:
    """The members of a team, or of a front of several; () of one configuration."""
    team = members_of(facts.race)
    if team or facts.front is None:
        return team
    front = facts.front.members
    return tuple(one.candidate for one in front if len(front) > 1)


def use_title(facts: Facts) -> str:
    """The title of `use_forms`; empty without a winner."""
    if facts.best is None:
        return ""
    if _members(facts):
        return f"The configurations of the {'team' if members_of(facts.race) else 'front'}"
    return f"The configuration of {refer(facts.best)}"
