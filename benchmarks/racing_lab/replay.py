"""One race over a matrix of costs: what `racing.Race` does, without asking and telling.

A test holds it to the real race, verdict by verdict.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.field import Field
from racing.objective import Objective, standing
from racing.race.verdicts import apply_verdict
from racing.results import Results
from racing.rules import Elimination, Outlook, Rule, Verdict
from racing.seeds import Purpose, stream


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How races are run.

    Attributes
    ----------
    objective
        What "best" means.
    first_test, each_test
        When the rule is asked, in instances.
    evaluations
        Budget of evaluations; None for no limit.
    """

    objective: Objective = "rank"
    first_test: int = 5
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


def replay(costs: NDArray[np.float64], rule: Rule, setting: Setting, *, seed: int) -> Replay:
    """Race the columns of an (N, q) matrix over its rows in their order."""
    rows, q = costs.shape
    ids, alive = tuple(range(1, q + 1)), np.arange(q)
    seen = np.full(costs.shape, np.nan)
    was_alive = np.zeros(costs.shape, dtype=bool)
    field = Field()
    left = math.inf if setting.evaluations is None else setting.evaluations
    spent, n, seconds = 0, 0, 0.0
    verdicts: list[Verdict] = []
    while n < rows and len(alive) > 1 and len(alive) <= left:
        seen[n, alive], was_alive[n, alive] = costs[n, alive], True
        n, spent, left = n + 1, spent + len(alive), left - len(alive)
        if n < setting.first_test or (n - setting.first_test) % setting.each_test:
            continue
        results = Results(seen[:n], was_alive[:n], ids, alive, field)
        outlook = Outlook(objective=setting.objective, instances=rows - n, evaluations=left)
        rng = stream(seed, Purpose.VERDICT, len(verdicts))
        start = time.process_time()
        said = rule(results, outlook, rng)
        seconds += time.process_time() - start
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
