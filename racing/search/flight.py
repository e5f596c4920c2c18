"""A challenger under way: the rungs that it climbs, and where it stood on each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.rules.verdict import Verdict
from racing.search.challenger import Duel, rungs, stand
from racing.search.coding import Draw
from racing.search.rules import Rules
from racing.search.scores import differences
from racing.search.screening import allowance, judge
from racing.search.state import State
from racing.search.tasks import Batch
from racing.seeds import Purpose, stream


@dataclass(slots=True)
class Flight:
    """One challenger on its way.

    Attributes
    ----------
    number
        c: its decision is the c-th.
    id
        Of the candidate that it is.
    state
        What it was drawn from and is judged by.
    steps
        The elites' T instances in an order of its own, then those that the elites are going to have
        met when its decision comes.
    prepaid
        So many instances it may meet in any case.
    growth
        By which factor its rungs grow.
    paid, held
        Whether it may go beyond these, and whether it waits for that.
    rung
        Under way; −1 before the first, `len(ends)` on the instances beyond the T.
    """

    number: int
    id: int
    draw: Draw
    state: State
    steps: list[int]
    prepaid: int
    growth: int
    paid: bool = False
    held: bool = False
    ends: list[int] = field(init=False)
    rung: int = -1
    batch: Batch = field(default_factory=Batch)
    stood: list[Duel] = field(default_factory=list)
    verdict: Verdict | None = None

    def __post_init__(self) -> None:
        self.ends = rungs(self.state.instances, self.growth)

    @property
    def dropped(self) -> bool:
        """Whether a verdict has dropped it."""
        return self.verdict is not None

    @property
    def beyond(self) -> bool:
        """Whether it got through, and is on instances beyond the T."""
        return self.rung >= len(self.ends)

    @property
    def complete(self) -> bool:
        """Whether all outcomes of its rung are there."""
        return self.batch.complete

    @property
    def resolved(self) -> bool:
        """Whether nothing more is to be learnt before its decision."""
        return self.dropped or (self.beyond and self.complete)

    @property
    def through(self) -> bool:
        """Whether its next rung, or the instances beyond, would take it past what is prepaid."""
        after = self.rung + 1
        end = self.ends[after] if after < len(self.ends) else len(self.steps)
        return end > self.prepaid

    @property
    def whole(self) -> int:
        """How many evaluations it may come to in all."""
        return len(self.steps)

    @property
    def most(self) -> int:
        """How many evaluations it may still come to in all, by what is known."""
        return len(self.seen) if self.resolved else self.whole

    def cut(self) -> None:
        """Forget what it did beyond what is prepaid."""
        self.stood = [stood for stood in self.stood if stood.n <= self.prepaid]
        self.rung = len(self.stood) - 1

    @property
    def seen(self) -> list[int]:
        """The steps up to the end of the rung under way."""
        return self.steps if self.beyond else self.steps[: self.ends[self.rung]]

    @property
    def due(self) -> list[int]:
        """The steps of the rung under way."""
        return self.seen[self.ends[self.rung - 1] if self.rung else 0 :]

    def judge(
        self, costs: NDArray[np.float64], rules: Rules, seed: int, *, capped: bool = False
    ) -> None:
        """Note where it stands at the end of its rung, and the verdict if it is dropped.

        Parameters
        ----------
        costs : (n,)
            Its own on the steps seen.
        capped
            Whether one of these runs was stopped at its bound.
        """
        state, settings, seen = self.state, rules.settings, self.seen
        d = differences(costs, state.costs[seen], rules.objective)
        recent = state.standings.get(len(d), ())
        standing = stand(d, state.noise, recent, prior=settings.prior, least=settings.least)
        self.stood.append(standing)
        rng = None
        if rules.rule is not None:
            rng = stream(seed, Purpose.VERDICT, self.number, len(d))
        self.verdict = judge(self.id, standing, costs, seen, state, rules, rng, capped=capped)

    def bound(self, costs: NDArray[np.float64], rules: Rules) -> float | None:
        """What a run of the rung under way may cost, after these costs; None if that is open.

        It is open without capping, and where the elites' own costs set no bound: they are all 0, or
        one of them is infinite.
        """
        if rules.settings.capping is None or self.beyond:
            return None
        most = allowance(self.state, self.seen, rules.settings.capping)
        left = most - float(costs.sum())
        return left if 0 < left < math.inf else None
