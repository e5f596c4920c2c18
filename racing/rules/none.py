"""No elimination: everybody sees every instance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.objective import standing
from racing.records import Checked
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Keep(Checked):
    """Drop nobody: to evaluate a few candidates on all instances, or as the yardstick of a race."""

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Only name the leader; `rng` is not used."""
        block = results.block
        leader = int(standing(results, outlook.objective)[0])
        return Verdict(instances=len(block), leader=results.id(leader))
