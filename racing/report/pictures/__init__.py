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

from collections.abc import Callable, Iterator
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

_EVERY: dict[str, Callable[[History], Picture]] = {
    "where": team.of_search,
    "front-held-out": front.held_out,
    "front": front.front,
    "front-so-far": front.so_far,
    "held-out": result.held_out,
    "families": result.families,
    "best-so-far": course.best_so_far,
    "against-default": result.against_default,
    "survivors": course.survivors,
    "ranks": ranks.by_instance,
    "configurations": configurations.configurations,
    "importance": space.importances,
    "effects": space.effects_of_parameters,
    "map": space.map_of_two,
    "strips": result.strips,
    "dropped": course.dropped,
    "budget": spending.budget,
    "workers": spending.workers,
    "sampling": space.sampling,
    "family": configurations.family,
    "failures": spending.failures,
}
_OF_ONE_COST = (
    "held-out", "families", "best-so-far", "against-default", "ranks",
    "configurations", "importance", "effects", "map", "strips",
)  # fmt: skip
_OF_A_SEARCH = ("sampling", "family")


def pictures(history: History) -> tuple[Picture, ...]:
    """Every picture of a run, in the order of a page; only the failures if every run failed."""
    return tuple(each(history))


def each(history: History, name: str | None = None) -> Iterator[Picture]:
    """As `pictures`, each made when it is asked for; or only the one with a name."""
    parents = any(one.parent is not None for one in history.candidates.values())
    goal = history.race.results.goal
    metric = goal.of_one if isinstance(goal, Goal) else ""
    left_out = {
        *(() if history.searching or parents else _OF_A_SEARCH),
        *(_OF_ONE_COST if is_front(history.race) else ()),  # they see one metric alone
        *(_EVERY.keys() - {"failures"} if all_failed(history.race) else ()),
    }
    for id, draw in _EVERY.items():
        if name in (None, id) and id not in left_out and not (one := draw(history)).absent:
            yield _by(metric, one)


def _by(metric: str, one: Picture) -> Picture:
    """The same with a note that it is about one metric or formula of several."""
    if not (metric and one.figure and one.id in _OF_ONE_COST):
        return one
    return replace(one, sentence=f"By {metric} alone. {one.sentence}")
