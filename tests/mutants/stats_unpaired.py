"""Errors in the statistics of independent samples and of times."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "stats/test_kruskal.py": {
        "Kruskal and Wallis without ties in the variance":
            "«tie_sum(ranks) if tie_correction else → » 0.0",
        "Kruskal and Wallis with a degree of freedom too many":
            "float(chdtrc(groups.k «- 1 → », h))",
        "the exact H leaves out what equals it":
            "between_groups(totals / 2, ordered) «>= observed * (1 - _CLOSE) → > observed * (1 "
            "+ _CLOSE)»",
        "a group takes one run too many": "last = dealt - counts.sum(axis=1) «< → <=» sizes[-1]",
    },
    "stats/test_kruskal.py, stats/test_friedman.py": {
        "random labels do not count those observed": "hits = «1 → 0» for size",
    },
    "stats/test_steel.py": {
        "Steel's comparisons are taken as independent":
            "« → 0.0 * »np.sqrt(sizes / (sizes + of_control + 1.0))",
        "Steel's test is one-sided":
            "ndtr((common - d[:, None]) / own) «+ ndtr((-common - d[:, None]) / own) → »",
        "Steel and Dwass without √2": "w = «math.sqrt(2) → 1.0» * over(",
    },
    "stats/test_groups.py": {
        "placements count ties as wins": "beats[j] = sample.size - «(below + upto) / 2 → below»",
        "ties of two samples are counted in one only": "self.equal «+ self.equal[labels, runs] → »",
    },
    "stats/test_mann_whitney.py": {
        "Mann and Whitney without ties in the variance":
            "« → 0 * »placed.tie_sums() / (total * (total - 1))",
        "Mann and Whitney's exact tails are not doubled":
            '"two-sided": «2 * → » min(better, worse)',
        "the continuity correction goes the wrong way":
            "np.maximum(np.abs(away) «- → +» half, 0.0)",
    },
    "stats/test_brunner_munzel.py": {
        "pseudo-ranks weigh samples by their runs":
            "shares = 1.0 - placed.beats «/ groups.sizes[:, None] → * groups.k / groups.total»",
        "relative effects forget how others vary":
            "variance, below = «parts.sum(axis=1) → np.diag(parts)»",
        "Brunner and Munzel with n for n − 1": "placed.scatter() / (n.T**2 * «(n - 1) → n» * n)",
        "Welch's degrees of freedom with n for n − 1": "part**2 / «(n - 1) → n»",
        "samples that do not overlap have p = 0":
            "«np.where(np.isinf(t), _apart(groups.sizes, t, alternative), p) → p»",
        "relabelled runs do not count half of their equals":
            "over_first = n - «(counts[:, below] + counts[:, upto]) / 2 → counts[:, upto]»",
    },
    "stats/test_dunn.py": {
        "Dunn's error without the second sample":
            "np.add.outer(1 / groups.sizes, «1 → 0» / groups.sizes)",
        "Conover and Iman with N − 1 for N − k": "groups.total - «groups.k → 1»",
    },
    "stats/test_rank_sum_moments.py": {
        "the variance of A without its cells": "(total**2 + rows + columns «+ cells → »)",
    },
    "stats/test_dp_rank_sum.py": {
        "a tie is a whole win in the posterior":
            "ahead = «(ahead + running[upto]) / 2 → running[upto]»",
        "the prior of a pair in the other order stands still": "else block.a( «1 - → » at)",
        "the prior stands on the wrong side":
            '"left": «1.0, "rope": 0.5, "right": 0.0 → 0.0, "rope": 0.5, "right": 1.0»',
    },
    "stats/test_dp_kruskal.py": {
        "statements are counted one by one":
            "«np.logical_or.accumulate(false[order], axis=0) → false[order]»",
        "intervals that hold one pair at a time":
            "scaled.«max(axis=0, initial=0.0) → mean(axis=0)»",
        "the lower bound is the upper one": '"lower": («0.0, 1.0 → 1.0, 0.0»)',
    },
    "stats/test_running_times.py": {
        "a problem that nobody solves is solved by all":
            "out=np.«full_like(costs, np.inf) → ones_like(costs)»",
        "a band half as wide": "math.log(2 / miss) / («2 → 8» * n)",
        "a run at the cutoff is solved": "done = took «< → <=» limit if solved is None",
        "stopped runs stay at risk for ever":
            "np.searchsorted(«ordered → np.sort(runs.effort[runs.solved])», values, "
            'side="left").astype',
        "the share solved is told beyond what was seen": "«np.where(known, found, np.nan) → found»",
        "restarts cost nothing":
            "effort = int(runs.solved.sum()), float(runs.effort « → [runs.solved] ».sum())",
        "a stopped run counts its cutoff only":
            "counted = «np.where(runs.solved, 1.0, factor) → 1.0» * runs.effort",
    },
})
