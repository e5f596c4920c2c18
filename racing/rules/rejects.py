"""Successive rejects: the last one leaves, at intervals that grow as the field shrinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.schedule import keep_best, whole
from racing.rules.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class SuccessiveRejects:
    """Successive rejects (Audibert et al., 2010).

    With m candidates and a budget of B evaluations, the k-th of m − 1 candidates to go leaves after

        ⌈(B − m) / (L · (m + 1 − k))⌉,   L = ½ + 1/2 + 1/3 + … + 1/m

    instances: whoever then stands last. Where the instances end first, or there is no budget of
    evaluations, B is what lets the last one leave at the last instance; a race with neither is
    refused. It promises no error rate, and spends all that it is given.
    """

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Drop whom the schedule no longer has room for; `rng` is not used."""
        evaluations, instances = whole(results, outlook, "successive-rejects")
        m = len(results.candidates)
        share = 0.5 + (1 / np.arange(2, m + 1)).sum()  # Audibert et al. (2010), figure 1
        budget = min(evaluations, m + 2 * share * instances)
        due = np.ceil((budget - m) / (share * np.arange(m, 1, -1)) - 1e-9)
        gone = int((len(results.costs) >= np.maximum(due, 1)).sum())
        return keep_best(results, outlook, m - gone)
