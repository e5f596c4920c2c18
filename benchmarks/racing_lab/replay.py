"""One race over a matrix of costs: what `racing.Race` does, without asking and telling.

A test holds it to the real race, verdict by verdict.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective, standing
from racing.race.judging import spare
from racing.results import Results
from racing.rules import Elimination, Outlook, Rule
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


@dataclass
class Replay:
    """What a race came to; candidates are columns of the matrix."""

    winner: int
    evaluations: int
    instances: int
    rule_seconds: float
    tests: int
    dropped: list[tuple[int, Elimination]] = field(default_factory=list)


def replay(costs: NDArray[np.float64], rule: Rule, setting: Setting, *, seed: int) -> Replay:
    """Race the columns of an (N, q) matrix over its rows in their order."""
    rows, q = costs.shape
    ids = tuple(range(1, q + 1))
    alive = np.arange(q)
    seen = np.full(costs.shape, np.nan)
    was_alive = np.zeros(costs.shape, dtype=bool)
    out = Replay(winner=0, evaluations=0, instances=0, rule_seconds=0.0, tests=0)
    budget = math.inf if setting.evaluations is None else setting.evaluations
    while out.instances < rows and len(alive) > 1 and out.evaluations + len(alive) <= budget:
        n = out.instances
        seen[n, alive] = costs[n, alive]
        was_alive[n, alive] = True
        out.instances += 1
        out.evaluations += len(alive)
        over = out.instances - setting.first_test
        if over < 0 or over % setting.each_test:
            continue
        results = Results(seen[: n + 1], was_alive[: n + 1], ids, alive)
        outlook = Outlook(
            objective=setting.objective,
            instances=rows - out.instances,
            evaluations=budget - out.evaluations,
        )
        gone = _judge(rule, results, outlook, stream(seed, Purpose.VERDICT, out.tests), out)
        alive = np.array([column for column in alive if column + 1 not in gone])
    block = Results(seen[: out.instances], was_alive[: out.instances], ids, alive).block
    out.winner = int(alive[standing(block, setting.objective)[0]]) if len(block) else int(alive[0])
    return out


def _judge(
    rule: Rule, results: Results, outlook: Outlook, rng: np.random.Generator, out: Replay
) -> set[int]:
    """Ask the rule, keep time and what it said; the ids that leave."""
    start = time.perf_counter()
    verdict = rule(results, outlook, rng)
    out.rule_seconds += time.perf_counter() - start
    out.tests += 1
    verdict = spare(
        verdict, results, objective=outlook.objective, protected=frozenset(), at_least=1
    )
    out.dropped += [(out.instances, e) for e in verdict.eliminated]
    return {e.candidate for e in verdict.eliminated}
