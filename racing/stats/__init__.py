"""Statistics on plain arrays: costs in, frozen results out; numpy and scipy.special only.

Layers; each imports only from those above it:

    _checks                                    what a table of costs is, and clear errors
    ranks, corrections, _range                 ranks; p-value adjustments; distributions of ranges
    friedman, friedman_exact, quade, anova     is there any difference?
    mean_ranks, conover, pool                  which ones differ, judged by ranks
    ...                                        two samples, Bayesian tests, replicability

Independent (unpaired) samples:

    _groups, _placements                       k vectors of costs; who beats how many of whom
    kruskal, dp_kruskal                        is there any difference?
    brunner_munzel, mann_whitney, dunn, ...    which ones differ
    pseudo_ranks, superiority                  how large is it?
    profiles, share_solved, expected_time      over time, with runs that were stopped

There is one test or procedure per file; what several of them share is in files that begin with `_`.

A table of costs has shape (n instances, m algorithms); lower is better and rank 1 is best.
+inf is a failure (worst, tied with every other failure); NaN is refused.

Public names are loaded when they are first used, so importing this package is fast. Some functions
have the name of their file; here the name always means the function: `racing.stats.wilcoxon(x, y)`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

# fmt: off
_NAMES = {
    "akinshin_gamma": "akinshin_gamma",
    "aligned_ranks": "AlignedRanksTest aligned_ranks",
    "anova": "AnovaComparisons AnovaTest anova dunnett tukey",
    "bergmann_hommel": "bergmann_hommel exhaustive_set_count",
    "brunner_munzel": "BrunnerMunzel BrunnerMunzelPairs brunner_munzel brunner_munzel_pairs",
    "cohens_d": "cohens_d",
    "conover": "ConoverTest conover",
    "conover_iman": "ConoverImanTest conover_iman",
    "contrast_estimation": "ContrastEstimation contrast_estimation",
    "corrections":
        "adjust benjamini_hochberg bonferroni finner hochberg holm hommel li sidak",
    "correlated_t": "CorrelatedT CorrelatedTTest NormalGamma correlated_t correlated_t_test",
    "dominance": "JointDominance joint_dominance",
    "dp_friedman":
        "BayesianFriedman Gate bayesian_friedman credible_region gate minimum_instances "
        "posterior_mean_ranks",
    "dp_kruskal": "BayesianKruskal dp_kruskal",
    "dp_rank_sum":
        "DpRankSum dp_rank_sum dp_rank_sum_bounds dp_rank_sum_pairs dp_rank_sum_pairs_bounds",
    "dp_sign": "DpSign dp_sign dp_sign_bounds dp_sign_counts dp_sign_pairs dp_sign_pairs_bounds",
    "dp_signed_rank":
        "DpSignedRank dp_signed_rank dp_signed_rank_bounds dp_signed_rank_pairs "
        "dp_signed_rank_pairs_bounds dp_signed_rank_sample",
    "dunn": "DunnTest dunn",
    "durbin": "DurbinTest durbin",
    "effects":
        "EffectPairs MedianDifference Superiority effect_pairs median_difference vargha_delaney",
    "empirical": "EmpiricalDistribution empirical_distribution",
    "expected_time": "ExpectedTime ParScore expected_running_time par",
    "friedman": "FriedmanTest friedman iman_davenport",
    "friedman_exact": "friedman_exact friedman_permutation",
    "hierarchical": "HierarchicalPrior HierarchicalT hierarchical_t",
    "indistinguishable": "indistinguishable",
    "joint": "JointComparisons joint_comparisons joint_errors",
    "kruskal": "KruskalTest kruskal",
    "mann_whitney": "MannWhitney MannWhitneyPairs mann_whitney mann_whitney_pairs",
    "mean_effects": "mean_effects",
    "mean_ranks":
        "MeanRanksTest bonferroni_dunn_cd bonferroni_dunn_q mean_ranks_test nemenyi nemenyi_cd "
        "nemenyi_q standard_error",
    "plackett_luce": "PlackettLuce plackett_luce",
    "poisson_binomial":
        "PoissonBinomialTest poisson_binomial_cdf poisson_binomial_pmf poisson_binomial_sf "
        "poisson_binomial_test",
    "pool": "PoolDependence pool_counts pool_dependence",
    "power_study": "PowerStudy one_by_one power_study",
    "profiles": "PerformanceProfile performance_profile",
    "pseudo_ranks": "RelativeEffects pseudo_ranks relative_effects",
    "quade": "QuadeTest quade",
    "ranks": "as_ranks mean_ranks rank_rows",
    "replicability":
        "draw_instances replicability_of_decisions replicability_of_pvalues "
        "selection_probabilities",
    "rom": "rom rom_critical_values",
    "shaffer": "shaffer true_counts",
    "share_solved": "ShareSolved share_solved",
    "shares": "ShareDifference share_difference",
    "sign": "SignTest SignTestPairs sign_counts sign_p sign_test sign_test_pairs",
    "sign_posterior": "marginal_posteriors",
    "steel": "SteelTest steel",
    "steel_dwass": "SteelDwassTest steel_dwass",
    "superiority": "SuperiorityPairs superiority_pairs",
    "ttest": "PairedT PairedTPairs paired_t paired_t_p paired_t_pairs",
    "wilcoxon": "SignedRanks SignedRanksPairs wilcoxon wilcoxon_p wilcoxon_pairs",
}
# fmt: on
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

# fmt: off
__all__ = [
    "AlignedRanksTest", "AnovaComparisons", "AnovaTest", "BayesianFriedman", "BayesianKruskal",
    "BrunnerMunzel", "BrunnerMunzelPairs", "ConoverImanTest", "ConoverTest",
    "ContrastEstimation", "CorrelatedT", "CorrelatedTTest", "DpRankSum", "DpSign",
    "DpSignedRank", "DunnTest", "DurbinTest", "EffectPairs", "EmpiricalDistribution",
    "ExpectedTime", "FriedmanTest", "Gate", "HierarchicalPrior", "HierarchicalT",
    "JointComparisons", "JointDominance", "KruskalTest", "MannWhitney", "MannWhitneyPairs",
    "MeanRanksTest", "MedianDifference", "NormalGamma", "PairedT", "PairedTPairs", "ParScore",
    "PerformanceProfile", "PlackettLuce", "PoissonBinomialTest", "PoolDependence",
    "PowerStudy", "QuadeTest", "RelativeEffects", "ShareDifference", "ShareSolved", "SignTest",
    "SignTestPairs", "SignedRanks", "SignedRanksPairs", "SteelDwassTest", "SteelTest",
    "Superiority", "SuperiorityPairs", "adjust", "akinshin_gamma", "aligned_ranks", "anova",
    "as_ranks", "bayesian_friedman", "benjamini_hochberg", "bergmann_hommel", "bonferroni",
    "bonferroni_dunn_cd", "bonferroni_dunn_q", "brunner_munzel", "brunner_munzel_pairs",
    "cohens_d", "conover", "conover_iman", "contrast_estimation", "correlated_t",
    "correlated_t_test", "credible_region", "dp_kruskal", "dp_rank_sum", "dp_rank_sum_bounds",
    "dp_rank_sum_pairs", "dp_rank_sum_pairs_bounds", "dp_sign", "dp_sign_bounds",
    "dp_sign_counts", "dp_sign_pairs", "dp_sign_pairs_bounds", "dp_signed_rank",
    "dp_signed_rank_bounds", "dp_signed_rank_pairs", "dp_signed_rank_pairs_bounds",
    "dp_signed_rank_sample", "draw_instances", "dunn", "dunnett", "durbin", "effect_pairs",
    "empirical_distribution", "exhaustive_set_count", "expected_running_time", "finner",
    "friedman", "friedman_exact", "friedman_permutation", "gate", "hierarchical_t", "hochberg",
    "holm", "hommel", "iman_davenport", "indistinguishable", "joint_comparisons",
    "joint_dominance", "joint_errors", "kruskal", "li", "mann_whitney", "mann_whitney_pairs",
    "marginal_posteriors", "mean_effects", "mean_ranks", "mean_ranks_test",
    "median_difference", "minimum_instances", "nemenyi", "nemenyi_cd", "nemenyi_q",
    "one_by_one", "paired_t", "paired_t_p", "paired_t_pairs", "par", "performance_profile",
    "plackett_luce", "poisson_binomial_cdf", "poisson_binomial_pmf", "poisson_binomial_sf",
    "poisson_binomial_test", "pool_counts", "pool_dependence", "posterior_mean_ranks",
    "power_study", "pseudo_ranks", "quade", "rank_rows", "relative_effects",
    "replicability_of_decisions", "replicability_of_pvalues", "rom", "rom_critical_values",
    "selection_probabilities", "shaffer", "share_difference", "share_solved", "sidak",
    "sign_counts", "sign_p", "sign_test", "sign_test_pairs", "standard_error", "steel",
    "steel_dwass", "superiority_pairs", "true_counts", "tukey", "vargha_delaney", "wilcoxon",
    "wilcoxon_p", "wilcoxon_pairs",
]

if TYPE_CHECKING:
    # isort: off
    from racing.stats.akinshin_gamma import akinshin_gamma
    from racing.stats.aligned_ranks import AlignedRanksTest, aligned_ranks
    from racing.stats.anova import AnovaComparisons, AnovaTest, anova, dunnett, tukey
    from racing.stats.bergmann_hommel import bergmann_hommel, exhaustive_set_count
    from racing.stats.brunner_munzel import (
        BrunnerMunzel, BrunnerMunzelPairs, brunner_munzel, brunner_munzel_pairs,
    )
    from racing.stats.cohens_d import cohens_d
    from racing.stats.conover import ConoverTest, conover
    from racing.stats.conover_iman import ConoverImanTest, conover_iman
    from racing.stats.contrast_estimation import ContrastEstimation, contrast_estimation
    from racing.stats.corrections import (
        adjust, benjamini_hochberg, bonferroni, hochberg, holm, hommel, sidak,
    )
    from racing.stats.correlated_t import (
        CorrelatedT, CorrelatedTTest, NormalGamma, correlated_t, correlated_t_test,
    )
    from racing.stats.dominance import JointDominance, joint_dominance
    from racing.stats.dp_friedman import (
        BayesianFriedman, Gate, bayesian_friedman, credible_region, gate, minimum_instances,
        posterior_mean_ranks,
    )
    from racing.stats.dp_kruskal import BayesianKruskal, dp_kruskal
    from racing.stats.dp_rank_sum import (
        DpRankSum, dp_rank_sum, dp_rank_sum_bounds, dp_rank_sum_pairs,
        dp_rank_sum_pairs_bounds,
    )
    from racing.stats.dp_sign import (
        DpSign, dp_sign, dp_sign_bounds, dp_sign_counts, dp_sign_pairs,
        dp_sign_pairs_bounds,
    )
    from racing.stats.dp_signed_rank import (
        DpSignedRank, dp_signed_rank, dp_signed_rank_bounds, dp_signed_rank_pairs,
        dp_signed_rank_pairs_bounds, dp_signed_rank_sample,
    )
    from racing.stats.dunn import DunnTest, dunn
    from racing.stats.durbin import DurbinTest, durbin
    from racing.stats.effects import (
        EffectPairs, MedianDifference, Superiority, effect_pairs, median_difference,
        vargha_delaney,
    )
    from racing.stats.empirical import EmpiricalDistribution, empirical_distribution
    from racing.stats.expected_time import ExpectedTime, ParScore, expected_running_time, par
    from racing.stats.friedman import FriedmanTest, friedman, iman_davenport
    from racing.stats.friedman_exact import friedman_exact, friedman_permutation
    from racing.stats.hierarchical import HierarchicalPrior, HierarchicalT, hierarchical_t
    from racing.stats.indistinguishable import indistinguishable
    from racing.stats.joint import JointComparisons, joint_comparisons, joint_errors
    from racing.stats.kruskal import KruskalTest, kruskal
    from racing.stats.mann_whitney import (
        MannWhitney, MannWhitneyPairs, mann_whitney, mann_whitney_pairs,
    )
    from racing.stats.mean_effects import mean_effects
    from racing.stats.mean_ranks import (
        MeanRanksTest, bonferroni_dunn_cd, bonferroni_dunn_q, mean_ranks_test, nemenyi,
        nemenyi_cd, nemenyi_q, standard_error,
    )
    from racing.stats.plackett_luce import PlackettLuce, plackett_luce
    from racing.stats.poisson_binomial import (
        PoissonBinomialTest, poisson_binomial_cdf, poisson_binomial_pmf,
        poisson_binomial_sf, poisson_binomial_test,
    )
    from racing.stats.pool import PoolDependence, pool_counts, pool_dependence
    from racing.stats.power_study import PowerStudy, one_by_one, power_study
    from racing.stats.profiles import PerformanceProfile, performance_profile
    from racing.stats.pseudo_ranks import RelativeEffects, pseudo_ranks, relative_effects
    from racing.stats.quade import QuadeTest, quade
    from racing.stats.ranks import as_ranks, mean_ranks, rank_rows
    from racing.stats.replicability import (
        draw_instances, replicability_of_decisions, replicability_of_pvalues,
        selection_probabilities,
    )
    from racing.stats.rom import rom, rom_critical_values
    from racing.stats.shaffer import shaffer, true_counts
    from racing.stats.share_solved import ShareSolved, share_solved
    from racing.stats.shares import ShareDifference, share_difference
    from racing.stats.sign import (
        SignTest, SignTestPairs, sign_counts, sign_p, sign_test, sign_test_pairs,
    )
    from racing.stats.sign_posterior import marginal_posteriors
    from racing.stats.steel import SteelTest, steel
    from racing.stats.steel_dwass import SteelDwassTest, steel_dwass
    from racing.stats.superiority import SuperiorityPairs, superiority_pairs
    from racing.stats.ttest import PairedT, PairedTPairs, paired_t, paired_t_p, paired_t_pairs
    from racing.stats.wilcoxon import (
        SignedRanks, SignedRanksPairs, wilcoxon, wilcoxon_p, wilcoxon_pairs,
    )
# fmt: on


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
