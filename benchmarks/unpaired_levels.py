"""How often do the tests of independent samples reject at .05, where nothing differs and where
something does? And how often do the intervals of mean times hold the truth?

    python -m benchmarks.unpaired_levels                     10,000 samples a row: hours on one core
    python -m benchmarks.unpaired_levels --samples 1000 two  the rows of two samples only

Runs are normal, with the sizes and standard deviations of the row. All groups have centre 0 (the
level: A = 1/2 for every pair, whatever the spreads), or the first has a centre below (the power).
In rows with ties the runs are rounded to whole numbers. "Any" of k samples means that a test calls
at least one pair different: its family-wise error, where nothing differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.stats import (
    adjust,
    brunner_munzel,
    conover_iman,
    dp_kruskal,
    dp_rank_sum,
    dunn,
    expected_running_time,
    kruskal,
    mann_whitney,
    par,
    prior_bounds,
    steel,
    steel_dwass,
)

Floats = NDArray[np.float64]
Samples = list[Floats]
Rejects = Callable[[Samples, np.random.Generator], tuple[bool, ...]]

ALPHA = 0.05
LABELS = 999  # random labels of a permutation test
WEIGHTS = 1000  # draws of a posterior
PARTS = ("two", "many", "control", "times")


@dataclass(frozen=True)
class Row:
    """What the samples of a row are like."""

    sizes: tuple[int, ...]
    spreads: tuple[float, ...] = (1.0,)
    shift: float = 0.0
    ties: bool = False

    def draw(self, rng: np.random.Generator) -> Samples:
        k = len(self.sizes)
        spreads = np.resize(self.spreads, k)
        runs = [rng.normal(0.0, sd, n) for n, sd in zip(self.sizes, spreads, strict=True)]
        runs[0] -= self.shift
        return [np.round(x) for x in runs] if self.ties else runs

    def __str__(self) -> str:
        sizes = f"{len(self.sizes)} × {self.sizes[0]}"
        if len(set(self.sizes)) > 1:
            sizes = ", ".join(map(str, self.sizes))
        spreads = ", ".join(f"{sd:g}" for sd in self.spreads) if len(self.spreads) > 1 else "equal"
        return f"| {sizes} | {spreads} | {'yes' if self.ties else 'no'} | {self.shift:g} |"


def _sure(x: Floats, y: Floats, rng: np.random.Generator) -> bool:
    """Two-sided, of a posterior: one side has more than 1 − α/2."""
    found = dp_rank_sum(x, y, rng=rng, draws=WEIGHTS)
    return max(float(found.p_left), float(found.p_right)) > 1 - ALPHA / 2


def _agreed(x: Floats, y: Floats, rng: np.random.Generator) -> bool:
    found = prior_bounds(dp_rank_sum, x, y, rng=rng, draws=WEIGHTS)
    return max(float(found.p_left[0]), float(found.p_right[0])) > 1 - ALPHA / 2


def _any(p: Floats, method: str) -> bool:
    return bool(adjust(p[np.triu_indices(len(p), 1)], method).min() <= ALPHA)


def _beside(p: Floats) -> bool:
    """Whether any differs from the control, the second sample."""
    return bool(adjust(np.delete(p[:, 1], 1), "holm").min() <= ALPHA)


def _protected(runs: Samples) -> bool:
    """Conover and Iman's test as it is meant: after a significant Kruskal-Wallis test."""
    return kruskal(runs).pvalue <= ALPHA and _any(conover_iman(runs).pvalues, "none")


def _mann_whitney(runs: Samples, rng: np.random.Generator) -> tuple[bool, ...]:
    exact, normal = (mann_whitney(*runs, method=m).pvalue for m in ("exact", "normal"))
    return exact <= ALPHA, normal <= ALPHA


def _brunner_munzel(runs: Samples, rng: np.random.Generator) -> tuple[bool, ...]:
    permuted = brunner_munzel(*runs, method="permutation", rng=rng, draws=LABELS)
    return brunner_munzel(*runs).pvalue <= ALPHA, permuted.pvalue <= ALPHA


def _posterior(runs: Samples, rng: np.random.Generator) -> tuple[bool, ...]:
    found = dp_kruskal(runs, rng=rng, draws=WEIGHTS)
    return found.any_difference, found.accepted > 0


TWO: Mapping[tuple[str, ...], Rejects] = {
    ("Mann–Whitney, exact", "Mann–Whitney, normal"): _mann_whitney,
    ("Brunner–Munzel, t", "Brunner–Munzel, permutation"): _brunner_munzel,
    ("dp, no prior",): lambda s, rng: (_sure(*s, rng),),
    ("dp, bounds at s = 1/4",): lambda s, rng: (_agreed(*s, rng),),
}
MANY: Mapping[tuple[str, ...], Rejects] = {
    ("Kruskal–Wallis",): lambda s, _: (kruskal(s).pvalue <= ALPHA,),
    ("dp_kruskal, intervals", "dp_kruskal, statements"): _posterior,
    ("Brunner–Munzel, Holm",): lambda s, _: (_any(brunner_munzel(s).pvalue, "holm"),),
    ("Steel–Dwass",): lambda s, _: (_any(steel_dwass(s).pvalues, "none"),),
    ("Dunn, Holm",): lambda s, _: (_any(dunn(s).pvalues, "holm"),),
    ("Conover–Iman, protected",): lambda s, _: (_protected(s),),
}
CONTROL: Mapping[tuple[str, ...], Rejects] = {
    ("Steel",): lambda s, _: (steel(s, control=1).pvalues.min() <= ALPHA,),
    ("Brunner–Munzel, Holm",): lambda s, _: (_beside(brunner_munzel(s).pvalue),),
    ("Dunn, Holm",): lambda s, _: (_beside(dunn(s).pvalues),),
}
ROWS_TWO = (
    *(Row((n, n)) for n in (5, 10, 20, 30, 50)),
    *(Row((n, n), ties=True) for n in (5, 10, 30)),
    *(Row((n, n), (3.0, 1.0)) for n in (5, 10, 30, 50)),
    Row((5, 15)), Row((10, 30)), Row((20, 50)),
    Row((5, 15), (3.0, 1.0)), Row((10, 30), (3.0, 1.0)), Row((20, 50), (3.0, 1.0)),
    Row((10, 30), (1.0, 3.0)), Row((10, 30), (3.0, 1.0), ties=True),
    Row((5, 5), shift=2.0), Row((10, 10), shift=1.0), Row((30, 30), shift=0.6),
    Row((50, 50), shift=0.5), Row((10, 30), (3.0, 1.0), shift=2.0),
    Row((10, 10), shift=1.0, ties=True),
)  # fmt: skip
ROWS_MANY = (
    *(Row((n,) * 4) for n in (5, 10, 30, 50)),
    *(Row((n,) * 8) for n in (10, 30)),
    Row((10,) * 4, ties=True), Row((10,) * 4, (3.0, 1.0)), Row((30,) * 4, (3.0, 1.0)),
    Row((10, 30, 10, 30)), Row((10, 30, 10, 30), (3.0, 1.0)), Row((20, 50, 20, 50), (3.0, 1.0)),
    Row((5,) * 4, shift=2.5), Row((10,) * 4, shift=1.5), Row((30,) * 4, shift=0.8),
    Row((30,) * 8, shift=0.8), Row((10, 30, 10, 30), (3.0, 1.0), shift=2.5),
)  # fmt: skip


def rates(
    row: Row, tests: Mapping[tuple[str, ...], Rejects], samples: int, seed: int
) -> dict[str, float]:
    """How often each test rejects; all tests see the same samples."""
    rng = np.random.default_rng(seed)
    counts = {names: np.zeros(len(names)) for names in tests}
    for _ in range(samples):
        runs = row.draw(rng)
        for names, rejects in tests.items():
            counts[names] += rejects(runs, rng)
    return {
        name: float(count) / samples
        for names, each in counts.items()
        for name, count in zip(names, each, strict=True)
    }


def table(
    title: str,
    rows: Sequence[Row],
    tests: Mapping[tuple[str, ...], Rejects],
    samples: int,
    seed: int,
) -> None:
    """Print rates as a table of Markdown, row by row."""
    columns = [name for names in tests for name in names]
    print(f"\n{title}\n\n| sizes | spreads | ties | shift | {' | '.join(columns)} |")
    print(f"|{' --- |' * (4 + len(columns))}")
    for row in rows:
        found = rates(row, tests, samples, seed).values()
        cells = " | ".join(f"{rate:.3f}".removeprefix("0") for rate in found)
        print(f"{row} {cells} |", flush=True)


def coverage(samples: int, seed: int) -> None:
    """How often the .95 intervals of PAR10 and ERT hold the truth: exponential times, a cutoff."""
    print("\n| runs | solved by the cutoff | PAR10 | ERT |\n| --- | --- | --- | --- |")
    for n in (10, 30, 100):
        for share in (1.0, 0.9, 0.5):
            rng, cutoff = np.random.default_rng(seed), -np.log1p(-share) if share < 1 else 50.0
            below = 1 - np.exp(-cutoff) * (1 + cutoff)  # E[T; T < cutoff]
            late = np.exp(-cutoff)
            truth = below + 10 * cutoff * late, (below + cutoff * late) / (1 - late)
            held = np.zeros(2)
            for _ in range(samples):
                times = rng.standard_exponential(n)
                found = (
                    par(times, cutoff=cutoff, rng=rng, draws=1000),
                    expected_running_time(times, cutoff=cutoff, rng=rng, draws=1000),
                )
                held += [f.low <= t <= f.high for f, t in zip(found, truth, strict=True)]
            cells = " | ".join(f"{each:.3f}".removeprefix("0") for each in held / samples)
            print(f"| {n} | {share:g} | {cells} |", flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)}; all by default")
    parser.add_argument("--samples", type=int, default=10_000, help="samples a row")
    parser.add_argument("--seed", type=int, default=1)
    given, begun = parser.parse_args(arguments), time.perf_counter()
    parts = given.parts or PARTS
    if given.samples < 1 or not set(parts) <= set(PARTS):
        parser.error(f"expected parts of {', '.join(PARTS)}, and at least one sample")
    if "two" in parts:
        table("Two samples", ROWS_TWO, TWO, given.samples, given.seed)
    if "many" in parts:
        table("k samples: any difference", ROWS_MANY, MANY, given.samples, given.seed)
    if "control" in parts:
        table(
            "k samples: any different from the second",
            ROWS_MANY,
            CONTROL,
            given.samples,
            given.seed,
        )
    if "times" in parts:
        coverage(given.samples, given.seed)
    print(f"\n{given.samples} samples a row, {time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
