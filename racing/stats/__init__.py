"""Statistics on plain arrays: costs in, frozen results out; numpy and scipy.special only.

Layers, each knowing only what stands above it:

    _checks                                    what a table of costs is, and clear refusals
    ranks, corrections, _range                 ranks; p-value adjustments; distributions of ranges
    friedman, friedman_exact, quade, anova     is there any difference?
    mean_ranks, conover, pool                  which ones differ, judged by ranks
    ...                                        two samples, Bayesian tests, replicability

A table of costs has shape (n instances, m algorithms); lower is better and rank 1 is best.
+inf is a failure (worst, tied with every other failure); NaN is refused.
"""
