"""A random search whose race picks the survivors.

python -m examples.embed.random_search
"""

from __future__ import annotations

import numpy as np

import racing
from examples.embed.holt import error, true_error


def sampled(n: int, seed: int) -> list[dict[str, float]]:
    """`n` random configurations."""
    rng = np.random.default_rng(seed)
    return [
        {"level": float(rng.uniform(0.01, 1)), "trend": float(10 ** rng.uniform(-3, 0))}
        for _ in range(n)
    ]


def search(*, configurations: int = 60, series: int = 60, seed: int = 1) -> racing.Result:
    """Race random configurations over the series; most are dropped after a few of them."""
    tried = sampled(configurations, seed)
    return racing.minimize(error, tried, range(series), objective="mean", seed=seed)


def main() -> None:
    """Search, and say what it came to."""
    found = search()
    evaluations = len(found.candidates) * 60
    print(f"best: {found.best}, mean error {found.score:.3f}")
    print(f"{found.spent.evaluations} evaluations, where all would have been {evaluations}")
    print(f"on series that it has not seen: {true_error(found.best or {}):.3f}")


if __name__ == "__main__":
    main()
