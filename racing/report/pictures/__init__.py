"""Facts → pictures, one per file: each has a title, a sentence, how to read it, and a table.

`picture.py` has what all of them are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from racing.core.goal import Goal
from racing.report.history import History
from racing.report.pictures import (
    against_default,
    best_so_far,
    budget,
    configurations,
    diagram,
    differences,
    dropped,
    effects,
    failures,
    families,
    family,
    front,
    importance,
    map,
    posterior,
    ranks,
    sampling,
    strips,
    survivors,
    workers,
)
from racing.report.pictures.picture import DataTable, Picture

__all__ = ["DataTable", "Picture", "pictures"]

_EVERY: tuple[Callable[[History], Picture | None], ...] = (
    front.held_out,
    front.picture,
    front.so_far,
    against_default.held_out,
    families.picture,
    best_so_far.picture,
    against_default.picture,
    survivors.picture,
    differences.picture,
    posterior.picture,
    ranks.picture,
    configurations.picture,
    importance.picture,
    effects.picture,
    map.picture,
    strips.picture,
    diagram.picture,
    dropped.picture,
    budget.picture,
    workers.picture,
    sampling.picture,
    family.picture,
    failures.picture,
)
_OF_ONE_COST = (
    "held-out", "families", "best-so-far", "against-default", "difference", "posterior", "ranks",
    "configurations", "importance", "effects", "map", "strips", "finalists",
)  # fmt: skip
_OF_A_SEARCH = (sampling.picture, family.picture)


def pictures(history: History) -> tuple[Picture, ...]:
    """Every picture of a run, in the order of a page; only the failures if every run failed."""
    if history.facts.all_failed:
        return (failures.picture(history),)
    parents = any(one.parent is not None for one in history.candidates.values())
    drawn = (
        draw(history) for draw in _EVERY if history.searching or parents or draw not in _OF_A_SEARCH
    )
    found = (one for one in drawn if one is not None)
    goal = history.race.results.goal
    if not isinstance(goal, Goal) or not goal.of_one:
        return tuple(found)
    return tuple(_by(goal.of_one, one) if one.id in _OF_ONE_COST else one for one in found)


def _by(metric: str, one: Picture) -> Picture:
    """The same with a note that it is about one metric or formula of several."""
    return replace(one, sentence=f"By {metric} alone. {one.sentence}") if one.chart else one
