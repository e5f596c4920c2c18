"""The display of a race or search in a notebook: the answer, small pictures, and the ranking.

Pictures are drawn by `racing.report.notebook`, which stands above what is shown: it is looked up
when a notebook asks, so that no race depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from racing.answer.head import has_team
from racing.answer.run import answer
from racing.base.markup import configuration, escaped, paragraph, table
from racing.base.plain import printable
from racing.base.quantities import Direction, score_of
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.core.standing import Standing
from racing.core.view import View, default_of


def in_notebook(view: View, words: str) -> str:
    """HTML of a race or search: the answer, this text, the pictures and the ranking."""
    pictures: str = _drawing().sketches(view)
    ranking = ranking_table(view.ranking(), view.direction)
    return head(view) + paragraph(words) + pictures + ranking


def head(view: View) -> str:
    """HTML of the answer: the headline, the gain in words and drawn, and what changes."""
    winner = view.winner
    if winner is None or not view.candidates:
        return ""
    told = answer(view)
    return (
        f"<p><strong>{escaped(told.headline)}</strong></p>"
        f"{''.join(map(paragraph, told.sentences))}{_drawing().gain_bar(told.gain)}"
        f"{_changes(view, winner)}"
    )


def _drawing() -> ModuleType:
    return import_module("racing.report.notebook")


def _changes(view: View, winner: Candidate) -> str:
    """The parameters that differ, default → winner; of a team the values of its members."""
    search, default = view.as_search, default_of(view)
    team = has_team(search) and search is not None
    several = search.team if team and search is not None else (default, winner)
    if not team and winner == default:
        return ""
    names = dict.fromkeys(key for one in several for key in one.values)
    rows = [[name, *(one.values.get(name, "–") for one in several)] for name in names]
    rows = [row for row in rows if team or row[1] != row[2]]
    heads = ["parameter", *map(name_of, several)]
    title = "The members" if team else "What the winner changes"
    return table(title, heads, rows, total=len(rows)) if rows else ""


def name_of(candidate: Candidate) -> str:
    """A name that fits beside an axis."""
    text = printable(str(candidate)).replace("\n", " ")
    return text if len(text) <= 30 else f"{text[:20]}…{text[-9:]}"


def ranking_table(standings: Sequence[Standing], direction: Direction) -> str:
    """A ranking as an HTML table, mean scores in the direction of the race."""
    rows = (
        [
            place,
            one.candidate,
            configuration(one.candidate.values.items()),
            number(score_of(one.mean_cost, direction)),
            *map(number, one.metrics.values()),
            number(one.mean_rank),
            one.instances,
            one.failures,
        ]
        for place, one in enumerate(standings, start=1)
    )
    score = "mean score" if direction == "maximize" else "mean cost"
    metrics = list(standings[0].metrics) if standings else []
    columns = ["", "candidate", "configuration", score, *metrics, "mean rank", "instances",
               "failures"]  # fmt: skip
    return table("Not dropped, best first", columns, rows, total=len(standings))
