from .anova import AnovaTest as AnovaTest, anova as anova, dunnett as dunnett, tukey as tukey
from .brunner_munzel import BrunnerMunzel as BrunnerMunzel, brunner_munzel as brunner_munzel
from .mean_ranks import Comparisons as Comparisons
from .corrections import (
    adjust as adjust,
    benjamini_hochberg as benjamini_hochberg,
    bonferroni as bonferroni,
    finner as finner,
    hochberg as hochberg,
    holm as holm,
    hommel as hommel,
    li as li,
    rom as rom,
    rom_critical_values as rom_critical_values,
    sidak as sidak,
)
from .t_tests import (
    CorrelatedT as CorrelatedT,
    CorrelatedTTest as CorrelatedTTest,
    NormalGamma as NormalGamma,
    correlated_t as correlated_t,
    correlated_t_test as correlated_t_test,
)
from .dominance import JointDominance as JointDominance, joint_dominance as joint_dominance
from .dp_friedman import (
    BayesianFriedman as BayesianFriedman,
    Gate as Gate,
    bayesian_friedman as bayesian_friedman,
    gate as gate,
    minimum_instances as minimum_instances,
    posterior_mean_ranks as posterior_mean_ranks,
)
from .dp_rank_sum import (
    BayesianKruskal as BayesianKruskal,
    DpRankSum as DpRankSum,
    dp_kruskal as dp_kruskal,
    dp_rank_sum as dp_rank_sum,
)
from .sign_posterior import DpSign as DpSign, dp_sign as dp_sign, dp_sign_counts as dp_sign_counts
from .dp_signed_rank import (
    DpSignedRank as DpSignedRank,
    dp_signed_rank as dp_signed_rank,
    dp_signed_rank_sample as dp_signed_rank_sample,
)
from .rank_sums import conover_iman as conover_iman, dunn as dunn
from .effects import (
    ContrastEstimation as ContrastEstimation,
    MedianDifference as MedianDifference,
    Superiority as Superiority,
    contrast_estimation as contrast_estimation,
    median_difference as median_difference,
    vargha_delaney as vargha_delaney,
)
from .friedman import (
    DurbinTest as DurbinTest,
    FriedmanTest as FriedmanTest,
    durbin as durbin,
    friedman as friedman,
)
from .hierarchical import (
    HierarchicalPrior as HierarchicalPrior,
    HierarchicalT as HierarchicalT,
    hierarchical_t as hierarchical_t,
)
from .joint import (
    JointComparisons as JointComparisons,
    joint_comparisons as joint_comparisons,
    joint_errors as joint_errors,
)
from .rank_sums import KruskalTest as KruskalTest, kruskal as kruskal
from .rank_sums import MannWhitney as MannWhitney, mann_whitney as mann_whitney
from .mean_ranks import (
    bonferroni_dunn_cd as bonferroni_dunn_cd,
    bonferroni_dunn_q as bonferroni_dunn_q,
    conover as conover,
    mean_ranks_test as mean_ranks_test,
    nemenyi as nemenyi,
    nemenyi_cd as nemenyi_cd,
    nemenyi_q as nemenyi_q,
    standard_error as standard_error,
)
from .corrections import (
    bergmann_hommel as bergmann_hommel,
    exhaustive_set_count as exhaustive_set_count,
    shaffer as shaffer,
    true_counts as true_counts,
)
from .plackett_luce import PlackettLuce as PlackettLuce, plackett_luce as plackett_luce
from .t_tests import (
    PoissonBinomialTest as PoissonBinomialTest,
    poisson_binomial_cdf as poisson_binomial_cdf,
    poisson_binomial_pmf as poisson_binomial_pmf,
    poisson_binomial_sf as poisson_binomial_sf,
    poisson_binomial_test as poisson_binomial_test,
)
from .pool import (
    PoolDependence as PoolDependence,
    pool_counts as pool_counts,
    pool_dependence as pool_dependence,
)
from .sign_posterior import RopeBounds as RopeBounds, prior_bounds as prior_bounds
from .running_times import (
    EmpiricalDistribution as EmpiricalDistribution,
    PerformanceProfile as PerformanceProfile,
    empirical_distribution as empirical_distribution,
    performance_profile as performance_profile,
)
from .brunner_munzel import (
    RelativeEffects as RelativeEffects,
    mean_effects as mean_effects,
    pseudo_ranks as pseudo_ranks,
    relative_effects as relative_effects,
)
from .ranks import as_ranks as as_ranks, mean_ranks as mean_ranks, rank_rows as rank_rows
from .running_times import (
    ExpectedTime as ExpectedTime,
    ParScore as ParScore,
    ShareSolved as ShareSolved,
    expected_running_time as expected_running_time,
    par as par,
    share_solved as share_solved,
)
from .sign import ShareDifference as ShareDifference, share_difference as share_difference
from .sign import (
    SignTest as SignTest,
    sign_counts as sign_counts,
    sign_p as sign_p,
    sign_test as sign_test,
)
from .sign_posterior import (
    indistinguishable as indistinguishable,
    marginal_posteriors as marginal_posteriors,
)
from .effects import akinshin_gamma as akinshin_gamma, cohens_d as cohens_d
from .rank_sums import SteelTest as SteelTest, steel as steel, steel_dwass as steel_dwass
from .t_tests import PairedT as PairedT, paired_t as paired_t
from .mean_ranks import (
    AlignedRanksTest as AlignedRanksTest,
    QuadeTest as QuadeTest,
    aligned_ranks as aligned_ranks,
    quade as quade,
)
from .wilcoxon import SignedRanks as SignedRanks, wilcoxon as wilcoxon
