"""Calibration and power of the Poisson-binomial and the signed-rank test, as in Corani and Benavoli
(2015), section 4: two classifiers whose difference of accuracy is known, on q data sets.

    python benchmarks/calibration.py --repetitions 200

Each data set has a fair binary class and a binary feature that agrees with the class with
probability θ = ½ + δ. By cross-validation the classifier that knows the feature is compared with
the majority class; its true advantage is δ. Figure 2a has one δ for all data sets, figure 2b draws
δ per data set from a Cauchy distribution with median and scale δ̄, cut off at ±½.

What the text leaves open, and the choice made here:

- folds are drawn at random, not stratified; the sizes of folds differ by at most one;
- the network's parameters are relative frequencies, so it predicts the class that was the more
  frequent one, in training, among instances with the feature's value; draws are decided by a coin;
- the one-run result is the first of the ten runs, on the same data;
- for a drawn δ below 0 the feature is turned round and the two classifiers swap places, so that
  the true difference is δ (a network with θ < ½ would learn to predict as well as 1 − θ);
- the null hypothesis is printed as "zeroR is less or equally accurate than BN", which is the
  alternative; it is read the other way round;
- the signed-rank test is exact for up to 50 non-zero differences, zeros split.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.stats.t_tests import correlated_t, poisson_binomial_test
from racing.stats.wilcoxon import wilcoxon

Floats = NDArray[np.float64]
Draw = Callable[[float, int, np.random.Generator], Floats]

SIZES = (25, 50, 100, 250, 500, 1000)
FOLDS = 10
RUNS = (1, 10)
ALPHA = 0.05
FIXED = tuple(round(0.01 * i, 2) for i in range(11))
CAUCHY = tuple(round(0.01 * i, 2) for i in range(6))
_CELLS = 1 << 21  # labels shuffled at once


@dataclass(frozen=True)
class Rate:
    """How often a test rejected, and the standard error of that frequency."""

    rejected: int
    repetitions: int

    @property
    def value(self) -> float:
        return self.rejected / self.repetitions

    @property
    def error(self) -> float:
        """Of a rate shrunk to the middle, so that 0 and 1 have an error too (Agresti, Coull)."""
        shrunk = (self.rejected + 2) / (self.repetitions + 4)
        return float(np.sqrt(shrunk * (1 - shrunk) / (self.repetitions + 4)))

    def __str__(self) -> str:
        return f"{self.value:5.3f} ± {self.error:5.3f}"


def fixed(delta: float, count: int, rng: np.random.Generator) -> Floats:
    """The same true difference on every data set."""
    return np.full(count, delta)


def cauchy(delta: float, count: int, rng: np.random.Generator) -> Floats:
    """True differences from a Cauchy distribution, cut off at ±½."""
    return np.clip(delta * (1.0 + rng.standard_cauchy(count)), -0.5, 0.5)


def rejection_rates(
    draw: Draw, delta: float, *, repetitions: int, q: int, rng: np.random.Generator
) -> dict[tuple[str, int], Rate]:
    """{(test, runs): rate} of "the network is better" at ALPHA, over `repetitions` experiments."""
    deltas = draw(delta, repetitions * q, rng)
    accuracy = _by_size(deltas, rng).reshape(repetitions, q, max(RUNS), FOLDS)
    rates = {}
    for runs in RUNS:
        gain = accuracy[:, :, :runs].reshape(repetitions, q, runs * FOLDS)
        posterior = correlated_t(-gain, 0.0 * gain, rho=1.0 / FOLDS)  # costs: lower is better
        poisson = poisson_binomial_test(posterior.p_left).p_win > 1.0 - ALPHA
        means = gain.mean(axis=2)
        ranks = [wilcoxon(-row, 0.0 * row, alternative="better").pvalue < ALPHA for row in means]
        rates["poisson", runs] = Rate(int(poisson.sum()), repetitions)
        rates["signed-rank", runs] = Rate(int(np.sum(ranks)), repetitions)
    return rates


def _by_size(deltas: Floats, rng: np.random.Generator) -> Floats:
    """Cross-validated differences, (data sets, runs, folds); data sets of one size together."""
    sizes = rng.choice(SIZES, deltas.size)
    out = np.empty((deltas.size, max(RUNS), FOLDS))
    for size in SIZES:
        chosen = np.flatnonzero(sizes == size)
        step = max(1, _CELLS // (size * max(RUNS)))
        for start in range(0, chosen.size, step):
            part = chosen[start : start + step]
            out[part] = accuracy_differences(deltas[part], size, max(RUNS), rng)
    return out


def accuracy_differences(deltas: Floats, size: int, runs: int, rng: np.random.Generator) -> Floats:
    """Accuracy of the network less that of the majority class on every fold of every run.

    One data set of `size` instances for each true difference: (D, runs, folds).
    """
    cells = _shuffled(_instances(np.abs(deltas), size, rng), runs, rng)
    edges = np.linspace(0, size, FOLDS + 1).astype(int)
    # counts of (class, feature) = (0,0), (0,1), (1,0), (1,1) in each fold, (4, D, runs, folds)
    test = np.stack([np.add.reduceat(cells == k, edges[:-1], axis=2, dtype=int) for k in range(4)])
    train = test.sum(axis=3, keepdims=True) - test
    # of the class alone, and of the class where the feature is 0 and where it is 1
    majority = _right(
        train[0] + train[1], train[2] + train[3], test[:2].sum(0), test[2:].sum(0), rng
    )
    network = sum(_right(train[f], train[2 + f], test[f], test[2 + f], rng) for f in (0, 1))
    difference = (network - majority) / np.diff(edges)
    return np.asarray(difference * np.where(deltas < 0, -1.0, 1.0)[:, None, None])


def _instances(deltas: Floats, size: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """(D, size) codes 2·class + feature."""
    label = rng.integers(0, 2, (deltas.size, size), dtype=np.int8)
    agrees = rng.random((deltas.size, size)) < 0.5 + deltas[:, None]
    return np.asarray(2 * label + np.where(agrees, label, 1 - label), dtype=np.int8)


def _shuffled(cells: NDArray[np.int8], runs: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """(D, runs, size): a fresh order of each data set for each run."""
    repeated = np.repeat(cells[:, None], runs, axis=1)
    return rng.permuted(repeated, axis=2, out=repeated)


def _right(
    train_0: Floats, train_1: Floats, test_0: Floats, test_1: Floats, rng: np.random.Generator
) -> Floats:
    """How many test instances are right if the class more frequent in training is predicted."""
    coin = rng.integers(0, 2, train_0.shape) == 0
    one = (train_1 > train_0) | ((train_1 == train_0) & coin)
    return np.where(one, test_1, test_0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repetitions", type=int, default=100, help="experiments per point")
    parser.add_argument("--data-sets", type=int, default=50, help="q, data sets per experiment")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.repetitions < 1 or options.data_sets < 1:
        parser.error("--repetitions and --data-sets must be at least 1")
    rng, begun = np.random.default_rng(options.seed), time.perf_counter()
    for title, draw, deltas in (
        ("Figure 2a: one difference for all data sets", fixed, FIXED),
        ("Figure 2b: differences from a Cauchy distribution", cauchy, CAUCHY),
    ):
        print(f"\n{title} (q = {options.data_sets}, {options.repetitions} experiments per line)")
        print(f"{'':5}  {'one run of ten folds':^32}  {'ten runs of ten folds':^32}")
        print("delta" + "  Poisson-binomial  signed ranks  " * 2)
        for delta in deltas:
            rates = rejection_rates(
                draw, delta, repetitions=options.repetitions, q=options.data_sets, rng=rng
            )
            row = "   ".join(str(rates[t, r]) for r in RUNS for t in ("poisson", "signed-rank"))
            print(f"{delta:5.2f}  {row}", flush=True)
    print(f"\n{time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
