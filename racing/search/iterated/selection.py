"""The last race: the elites of all races, with what is left of the budget.

irace 4.4 has it as `postselection`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from racing.search.decision import displaced
from racing.search.iterated.iteration import Iteration, Terms
from racing.search.phase import Desk
from racing.search.scores import block_scores

_MOST = 16
"""Configurations that are considered."""


def finalists(
    elites: Sequence[int],
    others: Sequence[int],
    missing: Sequence[int],
    *,
    room: int,
    each_test: int,
) -> list[int]:
    """As many as the budget allows to meet all past instances, and those up to another test.

    The elites miss nothing and go first; then come those that miss the fewest instances, later ones
    before earlier ones. No set that fits is larger.

    Parameters
    ----------
    elites
        Ids of the latest elites, the best first.
    others
        Of earlier ones, the latest first.
    missing
        How many past instances each of the others lacks.
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
    """The race of the finalists: it ends with one survivor, or with the budget.

    Parameters
    ----------
    ids
        The finalists, the latest elites among them.
    elites
        All of the latest elites; those who are no finalists leave.
    known
        The steps that they have met.
    """

    def __init__(
        self,
        desk: Desk,
        terms: Terms,
        ids: Sequence[int],
        elites: Sequence[int],
        known: Sequence[int],
    ) -> None:
        kept = [id for id in elites if id in ids]
        if len(kept) < len(elites):
            scores = block_scores(desk.book.costs(elites, known), desk.rules.objective)
            desk.decided(displaced(elites, scores, len(kept)))
        super().__init__(desk, replace(terms, survivors=1, idle=0), ids, kept, known)
