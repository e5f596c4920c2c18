"""The last race: the elites of all races, with the rest of the budget.

It is `postselection` of irace 4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from racing.search.elites import displaced
from racing.search.iterated.iteration import Iteration
from racing.search.iterated.terms import Terms
from racing.search.phase import SearchContext

_MOST = 16
"""The most configurations that are considered."""


def finalists(
    elites: Sequence[int],
    others: Sequence[int],
    missing: Sequence[int],
    *,
    room: int,
    each_test: int,
) -> list[int]:
    """The elites that the budget covers on all past instances and those up to another test.

    The latest elites miss nothing and come first; then those that miss the fewest instances, later
    ones before earlier ones. This is the largest set that fits.

    Parameters
    ----------
    elites
        Ids of the latest elites, the best first.
    others
        Of earlier ones, the latest first.
    missing
        The number of past instances that each of the others lacks.
    room
        Evaluations that are left.
    """
    found = list(elites[: room // each_test])
    room -= len(found) * each_test
    for lacks, _, id in sorted(zip(missing, range(len(others)), others, strict=True)):
        if lacks + each_test > room or len(found) >= _MOST:
            break
        found.append(id)
        room -= lacks + each_test
    return found


class Selection(Iteration):
    """The race of the finalists, which ends with one survivor or with the budget.

    Parameters
    ----------
    ids
        The finalists, the latest elites among them.
    elites
        All of the latest elites; those that are not finalists are dropped.
    known
        The steps that they have met.
    """

    name = "selection"

    def __init__(
        self,
        context: SearchContext,
        terms: Terms,
        ids: Sequence[int],
        elites: Sequence[int],
        known: Sequence[int],
    ) -> None:
        kept = [id for id in elites if id in ids]
        if len(kept) < len(elites):
            block = context.trials.block(elites, known, context.constants.objective)
            context.decided(displaced(elites, block, len(kept)))
        super().__init__(context, replace(terms, survivors=1, idle=0), ids, kept, known)
