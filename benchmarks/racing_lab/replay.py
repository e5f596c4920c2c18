"""One race over a matrix of costs: what `racing.Race` does, without asking and telling.

A test holds it to the real race, verdict by verdict.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.field import Field
from racing.objective import Objective, standing
from racing.race.verdicts import apply_verdict
from racing.results import Results
from racing.rules import Elimination, Outlook, Rule, Verdict
from racing.rules.equals import equals, judged
from racing.rules.rule import first_look
from racing.seeds import Purpose, stream

Idle = Callable[[int, int, Outlook], bool]
"""(instances, survivors, outlook) → whether a rule is known to drop nobody then."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How races are run.

    Attributes
    ----------
    objective
        What "best" means.
    first_test, each_test
        When the rule is asked, in instances; `first_test` None for when the rule wants it.
    evaluations
        Budget of evaluations; None for no limit.
    """

    objective: Objective = "rank"
    first_test: int | None = 5
    each_test: int = 1
    evaluations: int | None = None


@dataclass(frozen=True)
class Replay:
    """What a race came to; the winner is a column of the matrix, ids are columns from 1.

    Attributes
    ----------
    rule_seconds
        Processor time spent in the rule: wall time would also count what else the machine does.
    """

    winner: int
    evaluations: int
    instances: int
    verdicts: tuple[Verdict, ...]
    rule_seconds: float

    @property
    def dropped(self) -> list[tuple[int, Elimination]]:
        """Who left, and after how many instances."""
        return [(v.instances, e) for v in self.verdicts for e in v.eliminated]

    @property
    def tests(self) -> int:
        """How often the rule was asked."""
        return len(self.verdicts)


def replay(
    costs: NDArray[np.float64],
    rule: Rule,
    setting: Setting,
    *,
    seed: int,
    timed: bool = True,
    idle: Idle | None = None,
) -> Replay:
    """Race the columns of an (N, q) matrix over its rows in their order.

    Without `timed` the rule's seconds are left out: asking for the time can take longer than that.
    Where `idle` says that the rule drops nobody, it is not asked, unless there are equals.
    """
    clock = time.process_time if timed else float
    rows, q = costs.shape
    ids, alive = tuple(range(1, q + 1)), np.arange(q)
    seen = np.full(costs.shape, np.nan)
    was_alive = np.zeros(costs.shape, dtype=bool)
    field = Field()
    left = math.inf if setting.evaluations is None else setting.evaluations
    spent, n, seconds = 0, 0, 0.0
    first = setting.first_test or first_look(
        rule, Outlook(objective=setting.objective, instances=rows, evaluations=left)
    )
    verdicts: list[Verdict] = []
    while n < rows and len(alive) > 1 and len(alive) <= left:
        seen[n, alive], was_alive[n, alive] = costs[n, alive], True
        n, spent, left = n + 1, spent + len(alive), left - len(alive)
        if n < first or (n - first) % setting.each_test:
            continue
        results = Results(seen[:n], was_alive[:n], ids, alive, field)
        outlook = Outlook(objective=setting.objective, instances=rows - n, evaluations=left)
        if idle and idle(n, len(alive), outlook) and not equals(results):
            continue
        rng = stream(seed, Purpose.VERDICT, len(verdicts))
        start = clock()
        said = judged(rule, results, outlook, rng)
        seconds += clock() - start
        if said.eliminated:
            said = apply_verdict(
                said, results, objective=setting.objective, protected=frozenset(), at_least=1
            )
        verdicts.append(said)
        gone = {e.candidate for e in said.eliminated}
        alive = np.array([column for column in alive if column + 1 not in gone])
    results = Results(seen[:n], was_alive[:n], ids, alive, field)
    winner = int(alive[standing(results, setting.objective)[0]])
    return Replay(winner, spent, n, tuple(verdicts), seconds)
