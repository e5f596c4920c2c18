"""The phases of a search for a front: as those of a search, with a front of elites."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.block import Block
from racing.search.challenger import Challenger
from racing.search.finish import Finish
from racing.search.front.confirmation import FrontConfirmation
from racing.search.front.elites import select, trade_offs
from racing.search.front.screening import gaps_to, probability
from racing.search.initial import Initial
from racing.search.kinds import Kinds
from racing.search.main_phase import MainPhase
from racing.search.screening import Duel
from racing.search.state import State

Floats = NDArray[np.float64]


class FrontInitial(Initial):
    """The initial phase: keeps the half that is on the front or nearest to it."""

    def _begin_next(self) -> None:
        """Start nothing early: no configuration is certain to be in the next stage."""

    def _keep_better_half(self) -> None:
        last, m = self._stage == len(self._ends), self._settings.elites
        keep = m if last else self._kept
        block = self._block(self.instances)
        self._in, block, verdict = select(self._in, block, most=keep, least=keep)
        self._context.decided(verdict)
        self.elites, _, _ = select(self._in, block, most=m, least=m)


class FrontChallenger(Challenger):
    """A challenger that is dropped if some elite likely dominates it."""

    def _screen(self, costs: Floats) -> Verdict | None:
        state, seen, constants = self.state, self.seen, self._constants
        settings, n = constants.settings, len(seen)
        own = self._trials.block([self.id], seen, constants.objective)
        found = trade_offs(state.block.at(seen).beside(own))
        gaps = gaps_to(found, trade_offs(state.block).noise, settings.prior)
        rival, gap = int(gaps.argmax()), float(gaps.max())
        recent = state.standings.get(n, ())
        middle = median(recent) if len(recent) >= settings.least else math.inf
        duel = Duel(n, gap, probability(gap), middle)
        self.tested.append(duel)
        whole, against = n == state.instances, state.elites[rival]
        tested = not whole or state.instances < constants.limit
        one = _screened(self.id, against, duel, settings.drop, tested=tested, placed=not whole)
        if one is None:
            return None
        return Verdict(
            instances=n, leader=state.elites[0], eliminated=(one,), about=(self.id,),
            steps=tuple(seen),
        )  # fmt: skip


def _screened(
    id: int, against: int, duel: Duel, drop: float, *, tested: bool, placed: bool
) -> Elimination | None:
    """Drop it if it is likely dominated, or in the worse half of the latest challengers."""
    if tested and duel.probability <= drop:
        return Elimination(
            candidate=id, against=against, reason=Reason.DOMINATED,
            measure="probability undominated", value=duel.probability, threshold=drop,
        )  # fmt: skip
    if placed and duel.behind > duel.median:
        return Elimination(
            candidate=id, against=against, reason=Reason.SCHEDULE,
            measure="gap", value=duel.behind, threshold=duel.median,
        )  # fmt: skip
    return None


class FrontMainPhase(MainPhase):
    """Challengers race a front of elites, of which none is better than another."""

    challenger = FrontChallenger

    def _join(self, id: int, elites: list[int]) -> tuple[list[int], Block]:
        ids = [*elites, id]
        return self._without_inferior(ids, self._block(ids, self.steps))

    def _without_inferior(self, ids: list[int], block: Block) -> tuple[list[int], Block]:
        m = self._settings.elites
        ids, block, verdict = select(ids, block, most=m, least=m // 2)
        if verdict.eliminated:
            self._decided(verdict)
        return ids, block

    def _state_of(
        self,
        ids: list[int],
        block: Block,
        decisions: int,
        standings: Mapping[int, tuple[float, ...]],
    ) -> State:
        return replace(super()._state_of(ids, block, decisions, standings), ranked=False)


class FrontFinish(Finish):
    """All elites meet new instances; those that are dominated leave."""

    def _without_inferior(self) -> list[int]:
        ids, _, verdict = select(self.elites, self._block(), most=len(self.elites))
        if verdict.eliminated:
            self._decided(verdict)
        return ids


FRONT = Kinds(
    initial=FrontInitial,
    main=FrontMainPhase,
    finish=FrontFinish,
    confirmation=FrontConfirmation,
)
"""The phases of a search for a front."""
