"""Statistics on plain arrays: costs in, frozen results out; numpy and scipy.special only.

Layers, each knowing only what stands above it:

    _checks                                    what a table of costs is, and clear refusals
    ranks, corrections, _range                 ranks; p-value adjustments; distributions of ranges
    friedman, friedman_exact, quade, anova     is there any difference?
    mean_ranks, conover, pool                  which ones differ, judged by ranks
    ...                                        two samples, Bayesian tests, replicability

A table of costs has shape (n instances, m algorithms); lower is better and rank 1 is best.
+inf is a failure (worst, tied with every other failure); NaN is refused.

Public names are loaded when they are first used, so that this package costs nothing until then.
Some functions are called like the file they stand in; here the name always means the function,
`racing.stats.wilcoxon(x, y)`.
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
    "cohens_d": "cohens_d",
    "conover": "ConoverTest conover",
    "contrast_estimation": "ContrastEstimation contrast_estimation",
    "corrections": "adjust benjamini_hochberg bonferroni hochberg holm hommel sidak",
    "correlated_t": "CorrelatedT CorrelatedTTest NormalGamma correlated_t correlated_t_test",
    "dp_friedman":
        "BayesianFriedman Gate bayesian_friedman credible_region gate minimum_instances "
        "posterior_mean_ranks",
    "dp_sign": "DpSign dp_sign dp_sign_bounds dp_sign_counts dp_sign_pairs dp_sign_pairs_bounds",
    "dp_signed_rank":
        "DpSignedRank dp_signed_rank dp_signed_rank_bounds dp_signed_rank_pairs "
        "dp_signed_rank_pairs_bounds dp_signed_rank_sample",
    "durbin": "DurbinTest durbin",
    "effects":
        "EffectPairs MedianDifference Superiority effect_pairs median_difference "
        "vargha_delaney",
    "finner": "finner",
    "friedman": "FriedmanTest friedman iman_davenport",
    "friedman_exact": "friedman_exact friedman_permutation",
    "hierarchical": "HierarchicalPrior HierarchicalT hierarchical_t",
    "indistinguishable": "indistinguishable",
    "joint": "JointComparisons joint_comparisons joint_errors",
    "li": "li",
    "mean_ranks":
        "MeanRanksTest bonferroni_dunn_cd bonferroni_dunn_q mean_ranks_test nemenyi "
        "nemenyi_cd nemenyi_q standard_error",
    "plackett_luce": "PlackettLuce plackett_luce",
    "poisson_binomial":
        "PoissonBinomialTest poisson_binomial_cdf poisson_binomial_pmf poisson_binomial_sf "
        "poisson_binomial_test",
    "pool": "PoolDependence pool_counts pool_dependence",
    "power_study": "PowerStudy one_by_one power_study",
    "quade": "QuadeTest quade",
    "ranks": "as_ranks mean_ranks rank_rows",
    "replicability":
        "draw_instances replicability_of_decisions replicability_of_pvalues "
        "selection_probabilities",
    "rom": "rom rom_critical_values",
    "shaffer": "shaffer true_counts",
    "sign": "SignTest SignTestPairs sign_counts sign_p sign_test sign_test_pairs",
    "sign_posterior": "marginal_posteriors",
    "ttest": "PairedT PairedTPairs paired_t paired_t_p paired_t_pairs",
    "wilcoxon": "SignedRanks SignedRanksPairs wilcoxon wilcoxon_p wilcoxon_pairs",
}
# fmt: on
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

# fmt: off
__all__ = [
    "AlignedRanksTest", "AnovaComparisons", "AnovaTest", "BayesianFriedman", "ConoverTest",
    "ContrastEstimation", "CorrelatedT", "CorrelatedTTest", "DpSign", "DpSignedRank",
    "DurbinTest", "EffectPairs", "FriedmanTest", "Gate", "HierarchicalPrior", "HierarchicalT",
    "JointComparisons", "MeanRanksTest", "MedianDifference", "NormalGamma", "PairedT",
    "PairedTPairs", "PlackettLuce", "PoissonBinomialTest", "PoolDependence", "PowerStudy",
    "QuadeTest", "SignTest", "SignTestPairs", "SignedRanks", "SignedRanksPairs", "Superiority",
    "adjust", "akinshin_gamma", "aligned_ranks", "anova", "as_ranks", "bayesian_friedman",
    "benjamini_hochberg", "bergmann_hommel", "bonferroni", "bonferroni_dunn_cd",
    "bonferroni_dunn_q", "cohens_d", "conover", "contrast_estimation", "correlated_t",
    "correlated_t_test", "credible_region", "dp_sign", "dp_sign_bounds", "dp_sign_counts",
    "dp_sign_pairs", "dp_sign_pairs_bounds", "dp_signed_rank", "dp_signed_rank_bounds",
    "dp_signed_rank_pairs", "dp_signed_rank_pairs_bounds", "dp_signed_rank_sample",
    "draw_instances", "dunnett", "durbin", "effect_pairs", "exhaustive_set_count", "finner",
    "friedman", "friedman_exact", "friedman_permutation", "gate", "hierarchical_t", "hochberg",
    "holm", "hommel", "iman_davenport", "indistinguishable", "joint_comparisons", "joint_errors",
    "li", "marginal_posteriors", "mean_ranks", "mean_ranks_test", "median_difference",
    "minimum_instances", "nemenyi", "nemenyi_cd", "nemenyi_q", "one_by_one", "paired_t",
    "paired_t_p", "paired_t_pairs", "plackett_luce", "poisson_binomial_cdf",
    "poisson_binomial_pmf", "poisson_binomial_sf", "poisson_binomial_test", "pool_counts",
    "pool_dependence", "posterior_mean_ranks", "power_study", "quade", "rank_rows",
    "replicability_of_decisions", "replicability_of_pvalues", "rom", "rom_critical_values",
    "selection_probabilities", "shaffer", "sidak", "sign_counts", "sign_p", "sign_test",
    "sign_test_pairs", "standard_error", "true_counts", "tukey", "vargha_delaney", "wilcoxon",
    "wilcoxon_p", "wilcoxon_pairs",
]

if TYPE_CHECKING:
    # isort: off
    from racing.stats.akinshin_gamma import akinshin_gamma
    from racing.stats.aligned_ranks import AlignedRanksTest, aligned_ranks
    from racing.stats.anova import AnovaComparisons, AnovaTest, anova, dunnett, tukey
    from racing.stats.bergmann_hommel import bergmann_hommel, exhaustive_set_count
    from racing.stats.cohens_d import cohens_d
    from racing.stats.conover import ConoverTest, conover
    from racing.stats.contrast_estimation import ContrastEstimation, contrast_estimation
    from racing.stats.corrections import (
        adjust, benjamini_hochberg, bonferroni, hochberg, holm, hommel, sidak,
    )
    from racing.stats.correlated_t import (
        CorrelatedT, CorrelatedTTest, NormalGamma, correlated_t, correlated_t_test,
    )
    from racing.stats.dp_friedman import (
        BayesianFriedman, Gate, bayesian_friedman, credible_region, gate, minimum_instances,
        posterior_mean_ranks,
    )
    from racing.stats.dp_sign import (
        DpSign, dp_sign, dp_sign_bounds, dp_sign_counts, dp_sign_pairs,
        dp_sign_pairs_bounds,
    )
    from racing.stats.dp_signed_rank import (
        DpSignedRank, dp_signed_rank, dp_signed_rank_bounds, dp_signed_rank_pairs,
        dp_signed_rank_pairs_bounds, dp_signed_rank_sample,
    )
    from racing.stats.durbin import DurbinTest, durbin
    from racing.stats.effects import (
        EffectPairs, MedianDifference, Superiority, effect_pairs, median_difference,
        vargha_delaney,
    )
    from racing.stats.finner import finner
    from racing.stats.friedman import FriedmanTest, friedman, iman_davenport
    from racing.stats.friedman_exact import friedman_exact, friedman_permutation
    from racing.stats.hierarchical import HierarchicalPrior, HierarchicalT, hierarchical_t
    from racing.stats.indistinguishable import indistinguishable
    from racing.stats.joint import JointComparisons, joint_comparisons, joint_errors
    from racing.stats.li import li
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
    from racing.stats.quade import QuadeTest, quade
    from racing.stats.ranks import as_ranks, mean_ranks, rank_rows
    from racing.stats.replicability import (
        draw_instances, replicability_of_decisions, replicability_of_pvalues,
        selection_probabilities,
    )
    from racing.stats.rom import rom, rom_critical_values
    from racing.stats.shaffer import shaffer, true_counts
    from racing.stats.sign import (
        SignTest, SignTestPairs, sign_counts, sign_p, sign_test, sign_test_pairs,
    )
    from racing.stats.sign_posterior import marginal_posteriors
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
    """Importing a submodule sets it as an attribute of its package, over a function of its name."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = __getattr__(name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
