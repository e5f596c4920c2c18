"""The base of all phases of a search, and the objects that they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from racing.core.candidate import Candidate
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.search.account import BudgetAccount
from racing.search.constants import SearchConstants
from racing.search.design import Design
from racing.search.trials import Trials


class Phase(Protocol):
    """One phase of a search.

    Attributes
    ----------
    name
        Its name in reports: `initial`, `running`, …
    over
        Whether it has ended.
    why
        The limit that ended it, if one did.
    """

    name: str
    over: bool
    why: Stop | None

    @property
    def elites(self) -> Sequence[int]:
        """Ids of the best so far, the best first; empty before the first results."""

    @property
    def instances(self) -> int:
        """The number of instances from the first up to the last that all elites have met."""

    @property
    def steps(self) -> Sequence[int]:
        """The rows of the instances that all elites have met; see `Division`."""

    def update(self, candidate: int) -> None:
        """Note a new outcome of this candidate in `Trials`, and advance as far as possible."""


@dataclass(slots=True)
class SearchContext:
    """The objects that all phases of a search share.

    Attributes
    ----------
    trials
        Candidates, outcomes, and queued experiments.
    account
        The budget and its spending.
    constants
        The constants; only an extension replaces them.
    design
        The initial configurations.
    decided
        Receives every verdict.
    confirm
        Share of the budget that is kept for the confirmation.
    shared
        Whether several searches share the budget, each with a part of its own.
    limits_reached
        Why phases ended, in order: the first is why the search ends.
    notes
        Notes for the user on how the search is run.
    met
        Of every candidate decided on: the rows that it had met then, for a sampler that learns.
    """

    trials: Trials
    account: BudgetAccount
    constants: SearchConstants
    design: Design
    decided: Callable[[Verdict], None]
    confirm: float = 0.0
    shared: bool = False
    limits_reached: list[Stop] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    met: dict[int, tuple[int, ...]] = field(default_factory=dict)

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
        self.constants = self.constants.ending(self.trials.division, self.account.budget)
        self.notes.append(
            "the target's costs do not depend on the seed: no known one is measured again"
        )
        return True

    def release(self, met: int) -> bool:
        """Leave to challengers what is kept for instances that are not there; whether there is any.

        The baseline and what was found need these, and the baseline the instances that it has not
        met. Where none are left, the finish needs nothing.
        """
        whole, baseline = self.account.budget.evaluations, self.baseline
        fresh = max(self.constants.unseen(met), 0)
        if self.shared or math.isinf(fresh) or (fresh and not whole):
            return False
        lacking = self.trials.missing([baseline.id], range(met)) if baseline else []
        needed = (2 * fresh + len(lacking)) / whole if whole else 0.0
        if fresh and (needed >= self.confirm or not self.constants.settings.check_seed):
            return False
        less, self.confirm = needed < self.confirm, min(self.confirm, needed)
        self.account.release(1 - (self.confirm + (self.constants.settings.finish if fresh else 0)))
        return less

    @property
    def baseline(self) -> Candidate | None:
        """The configuration that the winner is compared with: see `Design.baseline`."""
        place = self.design.baseline
        return None if place is None else self.trials.candidates.get(place + 1)
