"""No elimination: every candidate sees every instance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.verdict import Elimination
from racing.rules.rule import ORDERED, Outlook, Places, RuleBase


@dataclass(frozen=True, kw_only=True)
class Keep(RuleBase):
    """Drops no candidate: to evaluate a few on all instances, or as a baseline for rules.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Keep
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Keep())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 200)
    """

    serves: ClassVar[tuple[Kind, ...]] = (*ORDERED, "front")
    merges_equals: ClassVar[bool] = True  # equals stay too

    def next_drop(self, results: Results, outlook: Outlook) -> float:
        """Never."""
        return math.inf

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate no candidate."""
        return ()
