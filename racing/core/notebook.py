"""The display of a race or search in a notebook: the answer, small pictures, and the ranking.

Pictures are drawn by `racing.report.notebook`, which stands above what is shown: it is looked up
when a notebook asks, so that no race depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from racing.base.markup import configuration, figure, paragraph, table
from racing.base.quantities import Direction, score_of
from racing.core.notebook_head import head
from racing.core.standing import Standing
from racing.core.view import View


def in_notebook(view: View, words: str) -> str:
    """HTML of a race or search: the answer, this text, the pictures and the ranking."""
    pictures: str = import_module("racing.report.notebook").sketches(view)
    ranking = ranking_table(view.ranking(), view.direction)
    return head(view) + paragraph(words) + pictures + ranking


def ranking_table(standings: Sequence[Standing], direction: Direction) -> str:
    """A ranking as an HTML table, mean scores in the direction of the race."""
    rows = (
        [
            place,
            one.candidate,
            configuration(one.candidate.values.items()),
            figure(score_of(one.mean_cost, direction)),
            *map(figure, one.metrics.values()),
            figure(one.mean_rank),
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
