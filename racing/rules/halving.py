"""Successive halving: equal shares of the budget for ever fewer candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.quantities import Checked, Level
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.schedule import check_end, drawn_out, keep_best, whole
from racing.rules.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class SuccessiveHalving(Checked):
    """Sequential halving (Karnin et al., 2013), known in tuning as successive halving.

    The budget is cut into as many equal parts as it takes to come down to one candidate by halves.
    A part is spent on all who are left, on as many instances as it pays for, and then the better
    half stays. All instances seen so far count, not only those of the last part.

    The budget is that of evaluations. Where the instances would end first, all parts are drawn out
    in their proportions until they spend it within the instances; a part that is cut short by these
    lets nobody go. Without a budget of evaluations the same proportions are fitted to the
    instances; a race with neither is refused. It promises no error rate, and spends all that it is
    given. Halves are not dropped before the race's `first_test`, so small budgets need a small one.

    Attributes
    ----------
    keep
        Share of the candidates that stays each time.
    """

    keep: Level = 0.5

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Drop whom the schedule no longer has room for; `rng` is not used."""
        self.check(outlook)
        evaluations, instances = whole(results, outlook)
        sizes = self._sizes(len(results.candidates))
        parts = sizes[:-1] or sizes
        lengths = 1 / np.array(parts)

        def ends(budget: float) -> NDArray[np.float64]:
            # Karnin et al. (2013), algorithm 1: every part takes the same share of the evaluations
            return np.maximum(np.floor(budget / len(parts) * np.cumsum(lengths) + 1e-9), 1)

        if math.isinf(evaluations):
            budget = instances / float(lengths.mean())
        else:
            budget = drawn_out(evaluations, instances, parts, ends)
        passed = int((len(results.costs) >= ends(budget)).sum())
        return keep_best(results, outlook, sizes[min(passed, len(sizes) - 1)])

    def check(self, outlook: Outlook) -> None:
        """Refuse a race that ends by the clock alone."""
        check_end(outlook, "successive-halving")

    def _sizes(self, candidates: int) -> list[int]:
        """How many there are in each part, and one in the end."""
        sizes = [candidates]
        while sizes[-1] > 1:
            sizes.append(min(math.ceil(self.keep * sizes[-1]), sizes[-1] - 1))
        return sizes
