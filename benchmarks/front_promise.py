"""How often is a candidate of the front dropped, in races that may last?

    python -m benchmarks.front_promise [--races 10000]

Two metrics and 100 instances, with a test after each from the third on. One candidate is followed;
all others stay, which is the worst case. It is on the front, at the edge of what the rules promise:

- equal: all candidates have the same distribution in both metrics;
- edge: on half of the instances, all others dominate it; on the other half it is better in the
  first metric and worse in the second. So in the first metric it wins half of its comparisons.

`bets` promises that it is dropped with probability .05 at most in the whole race. Beside it: sign
tests on every metric at the level .05, one look at a time, without a correction; and S-Race's sign
test on the instances on which one candidate dominates the other (Zhang, Georgiopoulos and
Anagnostopoulos 2013), also at .05. Printed are shares of races with their standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from racing.rules.bets import SIZES, mixed

ALPHA, INSTANCES, FIRST, BATCH = 0.05, 100, 3, 50

Floats = NDArray[np.float64]


def equal(rng: np.random.Generator, races: int, rivals: int) -> NDArray[np.int8]:
    """(races, instances, rivals, 2) 1 where the rival is better, −1 where it is worse."""
    values = rng.random((races, INSTANCES, rivals + 1, 2))
    return np.sign(values[:, :, :1] - values[:, :, 1:]).astype(np.int8)


def edge(rng: np.random.Generator, races: int, rivals: int) -> NDArray[np.int8]:
    """The same where all rivals are alike."""
    first = np.where(rng.random((races, INSTANCES, 1, 1)) < 0.5, 1, -1).astype(np.int8)
    both = np.concatenate([first, np.ones_like(first)], axis=3)
    return np.repeat(both, rivals, axis=2)


WORLDS: Mapping[str, Callable[[np.random.Generator, int, int], NDArray[np.int8]]] = {
    "equal": equal,
    "edge": edge,
}

_A, _B = np.meshgrid(np.arange(INSTANCES + 1), np.arange(INSTANCES + 1), indexing="ij")
WEALTH = np.exp(mixed(_A[..., None] * np.log1p(SIZES) + _B[..., None] * np.log1p(-SIZES)))
"""By how often a rival was better, and worse."""
P = np.where(_A > 0, bdtrc(_A - 1.0, _A + _B, 0.5), 1.0)
"""The one-sided sign test, by the same."""


def table(numbers: Floats, better: NDArray[np.bool_], worse: NDArray[np.bool_]) -> Floats:
    """The number of a table after each instance (axis 1)."""
    return np.asarray(numbers[better.cumsum(axis=1), worse.cumsum(axis=1)])


def lost(signs: NDArray[np.int8]) -> Iterator[NDArray[np.bool_]]:
    """(races,) whether the candidate is dropped by bets, by sign tests, by S-Race's."""
    better, worse = signs > 0, signs < 0
    least = table(WEALTH, better, worse).min(axis=3)
    yield (least.mean(axis=2)[:, FIRST - 1 :] >= 1 / ALPHA).any(axis=1)
    most = table(P, better, worse).max(axis=3)
    yield (most[:, FIRST - 1 :] <= ALPHA).any(axis=(1, 2))
    dominated = better.any(axis=3) & ~worse.any(axis=3)
    dominates = worse.any(axis=3) & ~better.any(axis=3)
    p = table(P, dominated, dominates)
    yield (p[:, FIRST - 1 :] <= ALPHA).any(axis=(1, 2))


def main() -> None:
    """Race and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--races", type=int, default=10_000)
    races = parser.parse_args().races
    print("| world | candidates | bets | sign tests on every metric | S-Race |")
    print("| --- | --- | --- | --- | --- |")
    for name, draw in WORLDS.items():
        for candidates in (20, 100):
            rng = np.random.default_rng([2024, candidates])
            found = np.concatenate(
                [
                    np.stack(list(lost(draw(rng, BATCH, candidates - 1))))
                    for _ in range(-(-races // BATCH))
                ],
                axis=1,
            )
            shares = found.mean(axis=1)
            errors = np.sqrt(shares * (1 - shares) / found.shape[1])
            cells = (f"{p:.4f} ({e:.4f})" for p, e in zip(shares, errors, strict=True))
            print(f"| {name} | {candidates} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
