"""Statistics on plain arrays: costs in, frozen results out; numpy and scipy.special only.

What several tests share; each imports only from those above it:

    _checks, ranks, intervals, _samples        options and costs, and clear errors; ranks; of
                                               shares and means; paired and independent samples
    corrections, _bergmann_hommel              adjusted p-values
    _range, _prefix                            tails of ranges; sorted statements that all hold

A table of costs, paired by instance:

    friedman, anova                            is there any difference?
    mean_ranks, pool                           which ones differ, judged by ranks?
    sign, wilcoxon, t_tests                    two of them, or many pairs of two
    sign_posterior, dp_signed_rank,            the same, Bayesian
    hierarchical
    joint, dominance, plackett_luce,           all at once
    dp_friedman
    additive                                   is the best of many truly better than another one?
    effects, sign                              how large is it?
    teams                                      which ones complement each other?

Independent (unpaired) samples:

    rank_sums, brunner_munzel                  is there any difference, and which ones differ?
    dp_rank_sum, effects                       the same, Bayesian; how large is it?
    running_times                              over time, with runs that were stopped

There is one family of procedures per file; what only files here use is in files that
begin with `_`. A function of two samples serves one pair, and many at once: its results have the
shape of the pairs (`racing.stats._samples`), or are (k, k) matrices of k independent samples.

A table of costs has shape (n instances, m algorithms); lower is better and rank 1 is best.
+inf is a failure (worst, tied with every other failure); NaN is refused.

Public names are loaded when they are first used, so importing this package is fast. Some functions
have the name of their file; here the name always means the function: `racing.stats.wilcoxon(x, y)`.
"""

import sys
from types import ModuleType

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _Package(ModuleType):
    """Keeps a function in place when the import of its submodule would overwrite it."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in __all__ and isinstance(value, ModuleType):
            value = __getattr__(name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
