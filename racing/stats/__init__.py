"""Statistics on plain arrays: costs in, frozen results out; numpy and scipy.special only.

What several tests share; each imports only from those above it:

    _checks, _paired, _groups, ranks           costs and options, and clear errors; paired samples,
                                               independent samples, ranks
    intervals, comparisons, corrections        of shares and means; differences of means;
                                               adjusted p-values
    pair_corrections, prior_bounds             those of all pairs; priors of Bayesian tests

A table of costs, paired by instance:

    friedman, weighted_ranks, anova            is there any difference?
    mean_ranks, pool                           which ones differ, judged by ranks?
    sign, wilcoxon, ttest, correlated_t        two of them, or many pairs of two
    dp_sign, dp_signed_rank, hierarchical      the same, Bayesian
    joint, dominance, plackett_luce            all at once
    effects, standardized, shares              how large is it?

Independent (unpaired) samples:

    kruskal, dp_kruskal                        is there any difference?
    brunner_munzel, mann_whitney, dunn, steel  which ones differ?
    dp_rank_sum, pseudo_ranks, effects         the same, Bayesian; how large is it?
    running_times, profiles                    over time, with runs that were stopped

There is one test or family of tests per file; what only files here use is in files that begin
with `_`. A function of two samples serves one pair, and many at once: its results have the shape
of the pairs (`racing.stats._paired`), or are (k, k) matrices of k independent samples.

A table of costs has shape (n instances, m algorithms); lower is better and rank 1 is best.
+inf is a failure (worst, tied with every other failure); NaN is refused.

Public names are loaded when they are first used, so importing this package is fast. Some functions
have the name of their file; here the name always means the function: `racing.stats.wilcoxon(x, y)`.
"""

# ruff: noqa: F403
from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

_NAMES = {
    "anova": "AnovaTest anova dunnett tukey",
    "brunner_munzel": "BrunnerMunzel brunner_munzel",
    "comparisons": "Comparisons",
    "correlated_t": "CorrelatedT CorrelatedTTest NormalGamma correlated_t correlated_t_test",
    "corrections": "adjust benjamini_hochberg bonferroni finner hochberg holm hommel li rom "
    "rom_critical_values sidak",
    "dominance": "JointDominance joint_dominance",
    "dp_friedman": "BayesianFriedman Gate bayesian_friedman gate minimum_instances "
    "posterior_mean_ranks",
    "dp_kruskal": "BayesianKruskal dp_kruskal",
    "dp_rank_sum": "DpRankSum dp_rank_sum",
    "dp_sign": "DpSign dp_sign dp_sign_counts",
    "dp_signed_rank": "DpSignedRank dp_signed_rank dp_signed_rank_sample",
    "dunn": "conover_iman dunn",
    "effects": "ContrastEstimation MedianDifference Superiority contrast_estimation "
    "median_difference vargha_delaney",
    "friedman": "DurbinTest FriedmanTest durbin friedman",
    "hierarchical": "HierarchicalPrior HierarchicalT hierarchical_t",
    "joint": "JointComparisons joint_comparisons joint_errors",
    "kruskal": "KruskalTest kruskal",
    "mann_whitney": "MannWhitney mann_whitney",
    "mean_ranks": "bonferroni_dunn_cd bonferroni_dunn_q conover mean_ranks_test nemenyi nemenyi_cd "
    "nemenyi_q standard_error",
    "pair_corrections": "bergmann_hommel exhaustive_set_count shaffer true_counts",
    "plackett_luce": "PlackettLuce plackett_luce",
    "poisson_binomial": "PoissonBinomialTest poisson_binomial_cdf poisson_binomial_pmf "
    "poisson_binomial_sf poisson_binomial_test",
    "pool": "PoolDependence pool_counts pool_dependence",
    "power_study": "PowerStudy draw_instances one_by_one power_study replicability_of_decisions "
    "replicability_of_pvalues selection_probabilities",
    "prior_bounds": "RopeBounds prior_bounds",
    "profiles": "EmpiricalDistribution PerformanceProfile empirical_distribution "
    "performance_profile",
    "pseudo_ranks": "RelativeEffects mean_effects pseudo_ranks relative_effects",
    "ranks": "as_ranks mean_ranks rank_rows",
    "running_times": "ExpectedTime ParScore ShareSolved expected_running_time par share_solved",
    "shares": "ShareDifference share_difference",
    "sign": "SignTest sign_counts sign_p sign_test",
    "sign_posterior": "indistinguishable marginal_posteriors",
    "standardized": "akinshin_gamma cohens_d",
    "steel": "SteelTest steel steel_dwass",
    "ttest": "PairedT paired_t",
    "weighted_ranks": "AlignedRanksTest QuadeTest aligned_ranks quade",
    "wilcoxon": "SignedRanks wilcoxon",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from racing.stats.anova import *
    from racing.stats.brunner_munzel import *
    from racing.stats.comparisons import *
    from racing.stats.corrections import *
    from racing.stats.correlated_t import *
    from racing.stats.dominance import *
    from racing.stats.dp_friedman import *
    from racing.stats.dp_kruskal import *
    from racing.stats.dp_rank_sum import *
    from racing.stats.dp_sign import *
    from racing.stats.dp_signed_rank import *
    from racing.stats.dunn import *
    from racing.stats.effects import *
    from racing.stats.friedman import *
    from racing.stats.hierarchical import *
    from racing.stats.joint import *
    from racing.stats.kruskal import *
    from racing.stats.mann_whitney import *
    from racing.stats.mean_ranks import *
    from racing.stats.pair_corrections import *
    from racing.stats.plackett_luce import *
    from racing.stats.poisson_binomial import *
    from racing.stats.pool import *
    from racing.stats.power_study import *
    from racing.stats.prior_bounds import *
    from racing.stats.profiles import *
    from racing.stats.pseudo_ranks import *
    from racing.stats.ranks import *
    from racing.stats.running_times import *
    from racing.stats.shares import *
    from racing.stats.sign import *
    from racing.stats.sign_posterior import *
    from racing.stats.standardized import *
    from racing.stats.steel import *
    from racing.stats.ttest import *
    from racing.stats.weighted_ranks import *
    from racing.stats.wilcoxon import *


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(f"racing.stats.{_HOME[name]}"), name)
    raise AttributeError(f"module 'racing.stats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


class _Package(ModuleType):
    """Keeps a function in place when the import of its submodule would overwrite it."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = __getattr__(name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
