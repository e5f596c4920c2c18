"""How long does a joint comparison take, and where does the time go?

    python benchmarks/joint_comparisons.py [--repeats 9] [--max-draws 4000]

For each shape and noise: the best and the median wall time of a whole call, the share of its parts,
the draws spent, the statements accepted and the range in which their exact number lies. Tables are
normal, with the candidates' means uniform on [0, 1] and the noise as standard deviation. The last
lines average over a race of 1000 candidates that drops nobody, one decision after each instance.

Most of the time is in matrix products. On idle cores the threads of the BLAS halve it; where other
processes want the cores too, waiting threads cost far more: set OPENBLAS_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time

import numpy as np

from racing.stats.joint import JointComparisons, joint_comparisons

SHAPES = ((50, 1000), (300, 200), (5, 200))  # instances, candidates
NOISES = (0.1, 1.0, 5.0)
PARTS = {  # part: functions that make it up, timed with all that they call
    "count wins": ("sign_counts",),
    "sort": ("stated",),
    "signs": ("_family",),
    "draw": ("draw_weights", "condition"),
    "search": ("first_false",),
}


def table(n: int, m: int, noise: float) -> np.ndarray:
    rng = np.random.default_rng([n, m])
    return rng.random(m) + noise * rng.normal(size=(n, m))


def decide(X: np.ndarray, max_draws: int) -> JointComparisons:
    return joint_comparisons(X, rng=np.random.default_rng(1), max_draws=max_draws)


def seconds(X: np.ndarray, max_draws: int) -> float:
    start = time.perf_counter()
    decide(X, max_draws)
    return time.perf_counter() - start


def shares(X: np.ndarray, max_draws: int) -> dict[str, float]:
    """The share of each part in the time of a call, under the profiler."""
    profile = cProfile.Profile()
    profile.runcall(decide, X, max_draws)
    stats = pstats.Stats(profile)
    cumulative: dict[str, float] = {}
    for (_, _, name), (_, _, _, total, _) in stats.stats.items():  # type: ignore[attr-defined]
        cumulative[name] = cumulative.get(name, 0.0) + total
    spent = {
        part: sum(cumulative.get(name, 0.0) for name in names) for part, names in PARTS.items()
    }
    spent["sort"] -= spent["count wins"]
    return {part: value / stats.total_tt for part, value in spent.items()}  # type: ignore[attr-defined]


def report(n: int, m: int, noise: float, repeats: int, max_draws: int) -> None:
    X = table(n, m, noise)
    r = decide(X, max_draws)
    times = sorted(seconds(X, max_draws) for _ in range(repeats))
    parts = "  ".join(f"{part} {share:4.0%}" for part, share in shares(X, max_draws).items())
    low, high = r.accepted_range
    print(
        f"{n:4d} x {m:<5d} noise {noise:<4g} best {times[0] * 1e3:7.1f} ms  "
        f"median {times[len(times) // 2] * 1e3:7.1f} ms  {parts}  draws {r.draws:5d}  "
        f"accepted {r.accepted} ({low}-{high})"
    )


def race(m: int, instances: int, noise: float, max_draws: int) -> None:
    X = table(instances, m, noise)
    times = [seconds(X[:n], max_draws) for n in range(1, instances + 1)]
    print(
        f"race of {m} candidates, {instances} instances, noise {noise:g}: "
        f"{np.mean(times):.3f} s per decision, at most {max(times):.3f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--max-draws", type=int, default=4000)
    options = parser.parse_args()
    for n, m in SHAPES:
        for noise in NOISES:
            report(n, m, noise, options.repeats, options.max_draws)
    for noise in NOISES:
        race(1000, 50, noise, options.max_draws)


if __name__ == "__main__":
    main()
