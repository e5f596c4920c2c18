"""Calls that a type checker accepts, or refuses where it is told so; `make types` looks."""

from __future__ import annotations

from collections.abc import Mapping

import racing
from racing.analysis.compare import RunComparison


def cost(values: Mapping[str, object], instance: object, seed: int) -> float:
    """A cost or a score."""
    return abs(float(str(values["x"])) - seed % 7 / 100)


def compared(paired: bool) -> float:
    """Of a flag that is not known before, either kind of comparison comes back."""
    found = racing.compare([[1.0, 2.0], [1.5, 2.5]], paired=paired)
    racing.compare([[1.0, 2.0], [1.5, 2.5]], paired="no")  # type: ignore[call-overload]
    return 0.0 if isinstance(found, RunComparison) else float(found.mean_ranks[0])


def calls() -> list[racing.Result]:
    """What users write."""
    candidates = [{"x": x / 10} for x in range(11)]
    racing.minimize(cost, candidates, range(9), bujet=50)  # type: ignore[call-arg]
    racing.maximize(cost, candidates, range(9), bujet=50)  # type: ignore[call-arg]
    return [
        racing.minimize(cost, candidates, range(9), budget=50, rule="auto", jobs=2),
        racing.maximize(cost, candidates, range(9), budget=50, rule="auto", jobs=2),
    ]
