"""The Bayesian tests beside baycomp: do they agree, and how much faster are they?

    pip install baycomp
    python benchmarks/peers_bayes.py

baycomp wants scores (higher is better), so it is given the negated costs. Where it draws, the two
may differ by the error of the draws; that error is printed beside the difference.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from racing.stats.dp_signed_rank import dp_signed_rank
from racing.stats.sign_posterior import dp_sign
from racing.stats.t_tests import correlated_t, poisson_binomial_pmf

DRAWS = 50_000  # baycomp's default
PEER_DRAWS = 2_000  # what one can wait for at n = 300; the time is scaled up to DRAWS


def timed(call: Callable[[], Any], repeat: int = 1) -> tuple[Any, float]:
    """The result, and the shortest of several times, in seconds."""
    best = np.inf
    for _ in range(repeat):
        begun = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begun)
    return result, best


def line(name: str, ours: Any, peer: Any, error: float, seconds: tuple[float, float]) -> bool:
    """One row of the table; whether the difference is within four errors."""
    difference = float(np.max(np.abs(np.asarray(ours, float) - np.asarray(peer, float))))
    agrees = difference <= 4 * error + 1e-12
    verdict = "agrees" if agrees else "DIFFERS"
    print(
        f"{name:42} {verdict:8} {difference:8.1e} {error:8.1e} "
        f"{1e3 * seconds[0]:9.2f} ms {1e3 * seconds[1]:10.2f} ms {seconds[1] / seconds[0]:8.0f} ×"
    )
    return agrees


def correlated(peer: Any, rng: np.random.Generator) -> bool:
    x = rng.random(100)
    y = x + rng.normal(0.01, 0.1, 100)
    ours, fast = timed(lambda: correlated_t(x, y, rho=0.1, rope=0.02), 5)
    theirs, slow = timed(lambda: peer.CorrelatedTTest.probs(-x, -y, rope=0.02, runs=10), 5)
    return line(
        "correlated t, 10 × 10 folds", (ours.p_left, ours.p_rope, ours.p_right), theirs, 1e-12,
        (fast, slow),
    )  # fmt: skip


def sign(peer: Any, rng: np.random.Generator) -> bool:
    """baycomp adds 0.0001 to each count "for numerical stability"."""
    x = rng.random(30)
    y = x + rng.normal(0.05, 0.2, 30)
    ours, fast = timed(lambda: dp_sign(x, y, rope=0.05), 5)
    theirs, slow = timed(
        lambda: peer.SignTest.probs(-x, -y, 0.05, nsamples=DRAWS, random_state=1), 3
    )
    return line(
        "sign, n = 30, rope", (ours.p_left, ours.p_rope, ours.p_right), theirs,
        0.5 / np.sqrt(DRAWS), (fast, slow),
    )  # fmt: skip


def signed_rank(peer: Any, rng: np.random.Generator, n: int, rope: float) -> bool:
    """baycomp gives half of the sums on the edge of the rope to either side; here it is closed."""
    x = rng.random(n)
    y = x + rng.normal(0.3 / np.sqrt(n), 0.3, n)
    ours, fast = timed(lambda: dp_signed_rank(x, y, rng=np.random.default_rng(1), rope=rope), 3)
    draws = DRAWS if n <= 30 else PEER_DRAWS
    theirs, slow = timed(
        lambda: peer.SignedRankTest.probs(-x, -y, rope, nsamples=draws, random_state=1)
    )
    sides = (ours.p_left, ours.p_rope, ours.p_right) if rope > 0 else (ours.p_left, ours.p_right)
    error = float(np.hypot(0.5 / np.sqrt(draws), ours.standard_error))
    return line(
        f"signed ranks, n = {n}, rope {rope}", sides, theirs, error, (fast, slow * DRAWS / draws)
    )


def main() -> int:
    try:
        import baycomp
    except ImportError:
        print("baycomp is not installed: pip install baycomp")
        return 1
    rng = np.random.default_rng(0)
    print(f"{'':42} {'':8} {'differ':>8} {'error':>8} {'racing':>12} {'baycomp':>13} {'ratio':>10}")
    agree = [correlated(baycomp, rng), sign(baycomp, rng)]
    agree += [signed_rank(baycomp, rng, n, rope) for n in (30, 300) for rope in (0.0, 0.05)]
    print(f"(baycomp: {DRAWS} draws; at n = 300 timed with {PEER_DRAWS} and scaled up)\n")

    i, j = np.triu_indices(20, 1)
    columns = rng.random((30, 20)).T
    for rope in (0.0, 0.1):
        again = np.random.default_rng(1)
        found = partial(dp_signed_rank, columns[i], columns[j], rng=again, rope=rope)
        _, seconds = timed(found)
        print(f"signed ranks, all pairs of 20, n = 30, rope {rope}: {seconds:.2f} s")
    p = rng.random(1000)
    _, seconds = timed(lambda: poisson_binomial_pmf(p), 5)
    print(f"Poisson-binomial, q = 1000: {1e3 * seconds:.2f} ms")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
