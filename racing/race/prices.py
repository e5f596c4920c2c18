"""Predicts whether the next rows fit into budgets of money and of tokens."""

from __future__ import annotations

import math
from collections.abc import Iterable

from racing.base.errors import TargetError
from racing.core.budget import PAID, Budget, Spent
from racing.core.experiment import Outcome
from racing.core.stop import Stop

SILENT, FREE = 10, 100
"""Evaluations after which a run ends if they have not told what its budget limits, and after which
one without another end does if all of them were free."""


def silent(unit: str, evaluations: int) -> TargetError:
    """The error of a limit of payments that the target never tells, so it is never reached."""
    first = "evaluation does" if evaluations == 1 else f"{evaluations} evaluations do"
    return TargetError(
        f"budget.{unit} is limited, but the target's first {first} not tell what was paid, so the "
        f'run would not end by it: let the target answer {{"cost": …, "spent": {{"{unit}": …}}}}, '
        f"with 0 for what is free, or limit evaluations or time in place of {unit}"
    )


def unpaid(unit: str) -> TargetError:
    """The error of a run that ends by payments alone, where nothing is paid for."""
    return TargetError(
        f"budget.{unit} is the only limit, but the target's first {FREE} evaluations tell that "
        f"they cost 0 {unit}, so the run would not end: limit evaluations or time too, and run it "
        "again; it can take outcomes from the log of this one (`reuse`)"
    )


class Prices:
    """The charges of the evaluations on closed rows, by candidate.

    A long prompt costs more than a short one, so a row is priced by the survivors' own means.
    """

    def __init__(self) -> None:
        self._paid = {unit: dict[int, float]() for unit in PAID}
        self._runs: dict[int, int] = {}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Note the charges of these outcomes."""
        for outcome in outcomes:
            one = outcome.candidate
            self._runs[one] = self._runs.get(one, 0) + 1
            for unit, paid in self._paid.items():
                paid[one] = paid.get(one, 0.0) + outcome.price.get(unit, 0.0)

    def expected(self, candidates: Iterable[int], unit: str) -> float:
        """The expected charge of one evaluation of each.

        A candidate without evaluations gets the mean of all evaluations.
        """
        paid, runs = self._paid[unit], self._runs
        mean = math.fsum(paid.values()) / max(sum(runs.values()), 1)
        return math.fsum(paid[one] / runs[one] if one in runs else mean for one in candidates)

    def refusal(self, candidates: Iterable[int], spent: Spent, budget: Budget) -> Stop | None:
        """The limit that evaluations of these would break; None if they fit."""
        left, candidates = budget.left(spent), list(candidates)
        for unit in budget.paid:
            rest = getattr(left, unit)
            if rest == 0 or self.expected(candidates, unit) > rest:
                return Stop(unit)
        return None

    def evaluations_left(self, survivors: Iterable[int], budget: Budget, spent: Spent) -> float:
        """The number of evaluations of the survivors that fit; inf without a limit."""
        survivors, left, found = list(survivors), budget.left(spent), math.inf
        for unit in budget.paid:
            each = self.expected(survivors, unit) / max(len(survivors), 1)
            if each > 0:
                found = min(found, getattr(left, unit) / each)
        return found
