"""One race over a matrix of costs: what `racing.Race` does, without asking and telling.

A test holds it to the real race, verdict by verdict.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.field import Field
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.race.judging import Schedule, apply_verdict
from racing.rules import Elimination, Outlook, Rule, Verdict
from racing.rules.equals import equals, judged
from racing.rules.rule import each_look, first_look

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
        When the rule is asked, as in `racing.Race`; None for when the rule wants it.
    evaluations
        Budget of evaluations; None for no limit.
    """

    objective: Objective = "rank"
    first_test: int | None = 5
    each_test: int | str | None = 1
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
    apart: float = math.inf,
) -> Replay:
    """Race the columns of an (N, q) matrix over its rows in their order.

    Without `timed` the rule's seconds are left out: asking for the time can take longer than that.
    Where `idle` says that the rule drops nobody, it is not asked, unless there are equals; from
    `apart` instances on there are none (`all_differ_from`).
    """
    clock = time.process_time if timed else float
    rows, q = costs.shape
    ids, alive = tuple(range(1, q + 1)), np.arange(q)
    seen = np.full(costs.shape, np.nan)
    was_alive = np.zeros(costs.shape, dtype=bool)
    field = Field()
    left = math.inf if setting.evaluations is None else setting.evaluations
    spent, n, seconds = 0, 0, 0.0
    ahead = Outlook(objective=setting.objective, instances=rows, evaluations=left)
    first = setting.first_test or first_look(rule, ahead)
    schedule = Schedule(first, setting.each_test or each_look(rule, ahead))
    verdicts: list[Verdict] = []
    while n < rows and len(alive) > 1 and len(alive) <= left:
        seen[n, alive], was_alive[n, alive] = costs[n, alive], True
        n, spent, left = n + 1, spent + len(alive), left - len(alive)
        if not schedule.due(n):
            continue
        results = Results(seen[:n], was_alive[:n], ids, alive, field)
        outlook = Outlook(
            objective=setting.objective, instances=rows - n, evaluations=left,
            since=schedule.since(n),
        )  # fmt: skip
        if idle and idle(n, len(alive), outlook) and (n >= apart or not equals(results)):
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


def all_differ_from(costs: NDArray[np.float64]) -> int:
    """After how many instances no two columns are the same; one more than all if some stay so."""
    columns = np.ascontiguousarray(costs.T) + 0.0  # −0 is 0

    def differ(n: int) -> bool:
        return len({column[:n].tobytes() for column in columns}) == len(columns)

    return bisect_left(range(len(costs) + 1), True, key=differ)
