"""Tests of independent samples beside their peers: 20 algorithms with 100 runs each.

    python -m benchmarks.peers_unpaired

The tasks are part of `benchmarks.peers`. What has no peer is timed only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers_task import Peer, Task, installed, run
from racing import stats as ours

K, N = 20, 100
UPPER = np.triu_indices(K, 1)


def tasks(have: dict[str, Any], rng: np.random.Generator) -> list[Task]:
    """All tasks, with the peers that are installed."""
    samples = [np.round(rng.normal(i / 40, 1, N), 2) for i in range(K)]
    return [
        *_scipy(have.get("scipy"), samples),
        *_posthocs(have.get("scikit-posthocs"), samples),
        *_alone(samples),
    ]


def _pairs(test: Callable[..., Any], samples: list[Any]) -> Callable[[], Any]:
    """A peer's test of two, in a loop."""
    return lambda: [test(samples[i], samples[j]) for i, j in zip(*UPPER, strict=True)]


def _scipy(scipy: Any, samples: list[Any]) -> list[Task]:
    def peers(call: Callable[[], Any]) -> list[Peer]:
        return [Peer("scipy", call)] if scipy else []

    few = [np.unique(x + 1e-3 * i)[:20] for i, x in enumerate(samples[:2])]
    times, cutoff = np.abs(samples[0]), np.abs(samples[1]) + 0.1
    effort, done = np.minimum(times, cutoff), times < cutoff

    def kaplan_meier() -> Any:
        data = scipy.CensoredData(uncensored=effort[done], right=effort[~done])
        return scipy.ecdf(data).cdf.evaluate(np.unique(effort[done]))

    return [
        Task(
            "Kruskal-Wallis, 20 × 100",
            lambda: ours.kruskal(samples).pvalue,
            peers(lambda: scipy.kruskal(*samples).pvalue),
            20,
        ),
        Task(
            "Mann-Whitney, all pairs, normal",
            lambda: ours.mann_whitney(samples).pvalue[UPPER],
            peers(_pairs(lambda x, y: scipy.mannwhitneyu(x, y, method="asymptotic")[1], samples)),
        ),
        Task(
            "Mann-Whitney, exact, 20 and 20",
            lambda: ours.mann_whitney(*few, method="exact").pvalue,
            peers(lambda: scipy.mannwhitneyu(*few, method="exact").pvalue),
            promised=False,
        ),
        Task(
            "Brunner-Munzel, all pairs",
            lambda: ours.brunner_munzel(samples).pvalue[UPPER],
            [
                *peers(_pairs(lambda x, y: scipy.brunnermunzel(x, y).pvalue, samples)),
                *_statsmodels(samples),
            ],
        ),
        Task(
            "share solved, 100 runs, 100 cutoffs",
            lambda: ours.share_solved(times, cutoff=cutoff).shares,
            peers(kaplan_meier),
            promised=False,
        ),
    ]


def _statsmodels(samples: list[Any]) -> list[Peer]:
    """Brunner and Munzel's test as statsmodels has it."""
    try:
        from statsmodels.stats.nonparametric import rank_compare_2indep
    except ImportError:
        return []
    return [Peer("statsmodels", _pairs(lambda x, y: rank_compare_2indep(x, y).pvalue, samples))]


def _autorank(samples: list[Any]) -> list[Peer]:
    """Cliff's delta, 2A − 1, of autorank; its tests and those of baycomp and aeon are paired."""
    try:
        from autorank._util import _cliffs_delta
    except ImportError:
        return []
    return [Peer("autorank", _pairs(lambda x, y: 0.5 - _cliffs_delta(x, y) / 2, samples))]


def _posthocs(posthocs: Any, samples: list[Any]) -> list[Task]:
    def peers(name: str, tolerance: float = 1e-9) -> list[Peer]:
        if posthocs is None:
            return []
        test = getattr(posthocs, name)
        return [Peer("scikit-posthocs", lambda: test(samples).to_numpy(), tolerance)]

    return [
        Task("Dunn, all pairs", lambda: ours.dunn(samples).pvalues, peers("posthoc_dunn"), 3),
        Task(
            "Conover-Iman, all pairs",
            lambda: ours.conover_iman(samples).pvalues,
            peers("posthoc_conover"),
            3,
        ),
        Task(
            "Steel-Dwass, all pairs",
            lambda: ours.steel_dwass(samples).pvalues,
            peers("posthoc_dscf", 1e-6),
            3,
        ),
    ]


def _compared(samples: list[Any]) -> Any:
    """What `racing compare --unpaired` computes by default."""
    from racing.analysis.compare import compare

    return compare(dict(enumerate(samples)), paired=False).only.family.adjusted


def _alone(samples: list[Any]) -> list[Task]:
    def rng() -> np.random.Generator:
        return np.random.default_rng(1)

    return [
        Task("pseudo-ranks' effects", lambda: ours.relative_effects(samples).effects, ()),
        Task("A of all pairs", lambda: ours.vargha_delaney(samples, paired=False).a[UPPER],
             _autorank(samples)),
        Task("Steel, against the first", lambda: ours.steel(samples, control=0).pvalues, ()),
        Task("compare_runs, all of it", lambda: _compared(samples), (), 3),
        Task("dp_rank_sum, bounds, all pairs",
             lambda: ours.prior_bounds(ours.dp_rank_sum, samples, rng=rng()).p_left[0], ()),
        Task("dp_kruskal, 2000 draws", lambda: ours.dp_kruskal(samples, rng=rng()).joint, (), 3),
        Task("exact Kruskal-Wallis, 3 × 7",
             lambda: ours.kruskal([x[:7] for x in samples[:3]], method="exact").pvalue, (), 3),
    ]  # fmt: skip


def main() -> int:
    fine = [run(task) for task in tasks(installed(), np.random.default_rng(0))]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
