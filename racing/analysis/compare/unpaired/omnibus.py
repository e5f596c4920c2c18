"""Is there any difference? Kruskal and Wallis' test of the runs on one problem."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.choices import RunChoices
from racing.analysis.compare.verdicts import Omnibus
from racing.stats.kruskal import KruskalMethod, kruskal

_METHODS: dict[str, KruskalMethod] = {
    "kruskal": "auto",
    "kruskal-exact": "exact",
    "kruskal-permutation": "permutation",
}
_MADE = {"exact": "kruskal-exact", "permutation": "kruskal-permutation", "chi2": "kruskal"}


def omnibus(costs: list[Floats], choices: RunChoices) -> Omnibus | None:
    """The chosen test, or None; `test` of the record names the origin of its p-value."""
    if choices.omnibus == "none":
        return None
    rng = np.random.default_rng(choices.seed)
    found = kruskal(costs, method=_METHODS[choices.omnibus], rng=rng)
    exact = found.method != "chi2"
    return Omnibus(
        test=_MADE[found.method],
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=(found.df,),
        effect=found.effect,
        ties="none" if not found.tied else "exact" if exact else "corrected",
        p_error=found.p_error,
    )
