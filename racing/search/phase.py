"""The base of all phases of a search, and the objects that they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.rules.rule import Rule
from racing.search.account import BudgetAccount
from racing.search.block import Block
from racing.search.coding import Design
from racing.search.sampler import LocalSampler, Sampler
from racing.search.settings import Settings
from racing.search.trials import Batch, Trials

_NARROW = 16
"""Up to this window, rungs that grow by a factor of 2 keep all workers busy."""


def rungs(instances: int, growth: int = 2) -> list[int]:
    """The numbers of instances after which a challenger is tested: 1, g, g², …, `instances`."""
    found, end = [], 1
    while end < instances:
        found.append(end)
        end *= growth
    return [*found, instances]


@dataclass(slots=True, kw_only=True)
class SearchContext:
    """The objects and settings that all phases of a search share.

    Attributes
    ----------
    trials
        Candidates, outcomes, and queued experiments.
    account
        The budget and its spending.
    design
        The initial configurations.
    decided
        Receives every verdict.
    sampler
        Draws the challengers.
    window
        The most challengers that run at once.
    rule
        Tests challengers instead of the probability; see `racing.search.challenger`.
    confirm
        Share of the budget that is kept for the confirmation.
    shared
        Whether several searches share the budget, each with a part of its own.
    limit
        The most instances to learn from, by their number or the budget; inf without an end.
    limits_reached
        Why phases ended, in order: the first is why the search ends.
    notes
        Notes for the user on how the search is run.
    met
        Of every candidate decided on: the rows that it had met then, for a sampler that learns.
    """

    trials: Trials
    account: BudgetAccount
    design: Design
    decided: Callable[[Verdict], None]
    settings: Settings
    objective: Objective
    sampler: Sampler = field(default_factory=LocalSampler)
    window: int = 1
    rule: Rule | None = None
    confirm: float = 0.0
    shared: bool = False
    limit: float = math.inf
    limits_reached: list[Stop] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    met: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.find_limit()

    # --- instances --------------------------------------------------------------------------

    def find_limit(self) -> None:
        """Set the limit to that of the instances and of the budget."""
        self.limit = min(self.trials.division.limits[0], self._most)

    @property
    def _most(self) -> float:
        """The limit of the budget; inf for none."""
        most = self.account.budget.instances
        return math.inf if most is None else most

    def unseen(self, met: int) -> float:
        """The number of instances for the confirmation, after so many to learn from."""
        aside = self.trials.division.limits[1]
        return min(aside or self.limit - met, self._most - met)

    @property
    def end_of_instances(self) -> Stop:
        """The reason for the end when no instance is left."""
        return Stop.INSTANCE_BUDGET if self.limit == self._most else Stop.INSTANCES

    def close(self, ids: Sequence[int], rows: Sequence[int]) -> bool:
        """Learn from no such row if these only repeat known costs; whether they do.

        Parameters
        ----------
        rows
            The first row of the second pass over the problems, and those after it so far.
        """
        if not self.trials.repeats(ids, rows):
            return False
        self.trials.division.close(rows[0])
        self.find_limit()
        self.notes.append(
            "the target's costs do not depend on the seed: no known one is measured again"
        )
        return True

    # --- the budget -------------------------------------------------------------------------

    def release(self, met: int) -> bool:
        """Leave to challengers what is kept for instances that are not there; whether there is any.

        The baseline and what was found need these, and the baseline the instances that it has not
        met. Where none are left, the finish needs nothing.
        """
        whole, baseline = self.account.budget.evaluations, self.baseline
        fresh = max(self.unseen(met), 0)
        if self.shared or math.isinf(fresh) or (fresh and not whole):
            return False
        lacking = self.trials.missing([baseline.id], range(met)) if baseline else []
        needed = (2 * fresh + len(lacking)) / whole if whole else 0.0
        if fresh and (needed >= self.confirm or not self.settings.check_seed):
            return False
        less, self.confirm = needed < self.confirm, min(self.confirm, needed)
        self.account.release(1 - (self.confirm + (self.settings.finish if fresh else 0)))
        return less

    @property
    def baseline(self) -> Candidate | None:
        """The configuration that the winner is compared with: see `Design.baseline`."""
        if (place := self.design.baseline) is None:
            return None
        draw = self.design.given[place]
        first = Candidate(place + 1, draw.values, name=draw.name)
        return self.trials.candidates.get(first.id, first)

    # --- challengers ------------------------------------------------------------------------

    @property
    def growth(self) -> int:
        """The factor by which the rungs of a challenger grow.

        Each rung takes as long as its longest run, and decisions are made in order. In a wide
        window, all wait for a challenger that passes many rungs, so there are fewer of them.
        """
        return self.settings.growth or (2 if self.window <= _NARROW else 4)

    def prepaid(self, instances: int, planned: int) -> int:
        """The number of evaluations reserved for a challenger when it starts.

        If it meets more instances than the setting, this is the last rung within the setting: the
        challenger is held before the next rung, so more would be reserved in vain.

        Parameters
        ----------
        instances, planned
            The numbers that the elites have met, and will have met at its decision.
        """
        most = self.settings.prepaid
        if instances > most:
            most = max(end for end in rungs(most + 1, self.growth) if end <= most)
        return min(planned, most)


class Phase:
    """One phase of a search: it wants outcomes, and closes what they complete, until it is over.

    Parameters
    ----------
    elites, instances
        Those of the phase before.

    Attributes
    ----------
    name
        Its name in reports: `initial`, `running`, …
    elites
        Ids of the best so far, the best first; empty before the first results.
    instances
        The number of instances from the first up to the last that all elites have met.
    over
        Whether it has ended.
    why
        The limit that ended it, if one did.
    """

    name: ClassVar[str]

    def __init__(
        self, context: SearchContext, elites: Sequence[int] = (), instances: int = 0
    ) -> None:
        self._context, self._decided = context, context.decided
        self._trials, self._account = context.trials, context.account
        self._settings = context.settings
        self.elites, self.instances = elites, instances
        self._rows: Sequence[int] | None = None
        self.over = False
        self.why: Stop | None = None
        self._pairs: list[tuple[int, int]] = []
        self._batch = Batch()

    @property
    def steps(self) -> Sequence[int]:
        """The rows of the instances that all elites have met; see `Division`."""
        return range(self.instances) if self._rows is None else self._rows

    def update(self, candidate: int = 0) -> None:
        """Note a new outcome of this candidate in `Trials`, and advance as far as possible."""
        while not self.over and self._batch.complete:
            self._close()

    def _close(self) -> None:
        """Take note of a complete batch: end, or want more."""
        self.over = True

    def _block(self, ids: Sequence[int], rows: Sequence[int]) -> Block:
        return self._trials.block(ids, rows, self._context.objective)

    def _want(self, pairs: Iterable[tuple[int, int]], bound: float | None = None) -> None:
        """Queue (candidate, row) pairs, and wait for their outcomes."""
        self._pairs = list(pairs)
        self._batch = self._trials.want_pairs(self._pairs, bound=bound)

    @property
    def _outcomes(self) -> list[Outcome]:
        """The outcomes of the pairs that were wanted."""
        return [self._trials.recorded[pair] for pair in self._pairs]

    def _charged(self, instances: int) -> bool:
        """Charge the pairs that were wanted; the phase is over if they break a limit."""
        self.why = self._account.charge(self._outcomes, instances)
        self.over = self.over or self.why is not None
        return self.why is None
