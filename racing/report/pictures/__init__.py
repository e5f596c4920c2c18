"""Facts → pictures: each has a title, a sentence, how to read it, a figure, and a table.

result           who won, and by how much: the default, unseen problems, the second, families; the
                 last ones: their scores as points, boxes and distributions
course           how the run went: survivors, departures, who was ahead
spending         what it spent: the budget, the workers, the failures
ranks, diagram   every candidate on every instance; mean ranks as a diagram; pairs of algorithms
space            parameters: effects, a map, where the search looked, importance
configurations   configurations side by side, and their family tree
front            candidates and algorithms by several metrics
runs             unpaired runs: every run, and shares as step functions
several, team    runs side by side; a team of candidates
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from racing.answer.head import all_failed, is_front
from racing.core.goal import Goal
from racing.report.history import History
from racing.report.picture import DataTable, Item, Picture
from racing.report.pictures import (
    configurations,
    course,
    front,
    ranks,
    result,
    space,
    spending,
    team,
)

__all__ = ["DataTable", "Item", "Picture", "pictures"]

_EVERY: tuple[Callable[[History], Picture], ...] = (
    team.of_search,
    front.held_out,
    front.front,
    front.so_far,
    result.held_out,
    result.families,
    course.best_so_far,
    result.against_default,
    course.survivors,
    ranks.by_instance,
    configurations.configurations,
    space.importances,
    space.effects_of_parameters,
    space.map_of_two,
    result.strips,
    course.dropped,
    spending.budget,
    spending.workers,
    space.sampling,
    configurations.family,
    spending.failures,
)
_OF_ONE_COST = (
    "held-out", "families", "best-so-far", "against-default", "ranks",
    "configurations", "importance", "effects", "map", "strips",
)  # fmt: skip
_OF_A_SEARCH = (space.sampling, configurations.family)


def pictures(history: History) -> tuple[Picture, ...]:
    """Every picture of a run, in the order of a page; only the failures if every run failed."""
    if all_failed(history.race):
        return (spending.failures(history),)
    parents = any(one.parent is not None for one in history.candidates.values())
    of_a_search = history.searching or parents
    drawn = (draw(history) for draw in _EVERY if of_a_search or draw not in _OF_A_SEARCH)
    goal = history.race.results.goal
    metric = goal.of_one if isinstance(goal, Goal) else ""
    left_out = _OF_ONE_COST if is_front(history.race) else ()  # they see one metric alone
    return tuple(_by(metric, one) for one in drawn if not (one.absent or one.id in left_out))


def _by(metric: str, one: Picture) -> Picture:
    """The same with a note that it is about one metric or formula of several."""
    if not (metric and one.figure and one.id in _OF_ONE_COST):
        return one
    return replace(one, sentence=f"By {metric} alone. {one.sentence}")
