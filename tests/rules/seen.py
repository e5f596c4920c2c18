"""What a rule is called with, from a plain matrix of costs."""

from __future__ import annotations

import numpy as np

from racing.core.results import Results
from racing.rules import Outlook, Rule, Verdict


def seen(costs, survivors=None, alive=None) -> Results:
    """Results of an (n, m) matrix: candidate j is column j − 1; by default everybody is alive."""
    costs = np.asarray(costs, dtype=float)
    alive = ~np.isnan(costs) if alive is None else np.asarray(alive)
    columns = np.arange(costs.shape[1]) if survivors is None else np.asarray(survivors)
    return Results(costs, alive, tuple(range(1, costs.shape[1] + 1)), columns)


def judge(rule: Rule, costs, objective="rank", **outlook) -> Verdict:
    """What a rule says of a matrix that everybody has seen."""
    results = costs if isinstance(costs, Results) else seen(costs)
    return rule(results, Outlook(objective=objective, **outlook), np.random.default_rng(0))


def out(rule: Rule, costs, objective="rank", **outlook) -> set[int]:
    """Whom it drops."""
    return {e.candidate for e in judge(rule, costs, objective, **outlook).eliminated}


def noisy(m: int, n: int, *, seed: int, gap: float = 0.5) -> np.ndarray:
    """(n, m) costs of candidates who are `gap` apart, the first the best, under unit noise."""
    rng = np.random.default_rng(seed)
    return gap * np.arange(m) + rng.normal(size=(n, 1)) + rng.normal(size=(n, m))
