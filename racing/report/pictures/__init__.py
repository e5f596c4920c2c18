"""Facts → pictures: each has a title, a sentence, how to read it, a figure, and a table.

result           who won, and by how much: the winner, the default, families, the finalists
course           how the run went: survivors, departures, spending, workers, failures
ranks, diagram   every candidate on every instance; mean ranks as a diagram; pairs of algorithms
space            configurations and their parameters
front            candidates and algorithms by several metrics
runs             unpaired runs: every run, and shares as step functions
several, team    runs beside each other; a team of candidates
picture          what all of them are made of
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from racing.core.goal import Goal
from racing.report.history import History
from racing.report.pictures import course, front, ranks, result, space
from racing.report.pictures.picture import DataTable, Item, Picture

__all__ = ["DataTable", "Item", "Picture", "pictures"]

_EVERY: tuple[Callable[[History], Picture | None], ...] = (
    front.held_out,
    front.picture,
    front.so_far,
    result.held_out,
    result.families,
    result.best_so_far,
    result.against_default,
    course.survivors,
    result.difference,
    result.posterior,
    ranks.by_instance,
    space.configurations,
    space.importance,
    space.effects_of_parameters,
    space.map_of_two,
    result.strips,
    ranks.finalists_diagram,
    course.dropped,
    course.budget,
    course.workers,
    space.sampling,
    space.family,
    course.failures,
)
_OF_ONE_COST = (
    "held-out", "families", "best-so-far", "against-default", "difference", "posterior", "ranks",
    "configurations", "importance", "effects", "map", "strips", "finalists",
)  # fmt: skip
_OF_A_SEARCH = (space.sampling, space.family)


def pictures(history: History) -> tuple[Picture, ...]:
    """Every picture of a run, in the order of a page; only the failures if every run failed."""
    if history.facts.all_failed:
        return (course.failures(history),)
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
    return replace(one, sentence=f"By {metric} alone. {one.sentence}") if one.figure else one
