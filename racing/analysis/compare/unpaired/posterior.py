"""How probable is it that runs of one algorithm are better? The Bayesian tests of one problem."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.posterior import bound_of
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.choices import RunChoices
from racing.analysis.compare.verdicts import Posterior
from racing.stats.dp_kruskal import BayesianKruskal, dp_kruskal
from racing.stats.dp_rank_sum import dp_rank_sum
from racing.stats.prior_bounds import prior_bounds


def posterior(costs: list[Floats], choices: RunChoices) -> Posterior | None:
    """Posterior probabilities of all pairs, one pair at a time, with bounds over all priors."""
    if choices.posterior != "rank-sum":
        return None
    rope, s = choices.rope, choices.s
    plain = dp_rank_sum(costs, rng=_rng(choices), rope=rope, s=s)
    bounds = prior_bounds(dp_rank_sum, costs, rng=_rng(choices), rope=rope, s=s)
    better, inside = plain.p_left, plain.p_rope
    if choices.bound != "precise":
        side = 0 if choices.bound == "lower" else 1
        better, inside = bounds.p_left[side], bounds.p_rope[side]
    low, high = bounds.p_left
    return Posterior(
        test="rank-sum", better=better, rope=inside, standard_error=plain.standard_error, low=low,
        high=high,
    )  # fmt: skip


def statements(costs: list[Floats], choices: RunChoices) -> BayesianKruskal | None:
    """The Bayesian Kruskal-Wallis test of all algorithms at once; None if not asked for."""
    if choices.posterior != "kruskal":
        return None
    return dp_kruskal(
        costs, rng=_rng(choices), gamma=choices.alpha, s=choices.s, bound=bound_of(choices)
    )


def _rng(choices: RunChoices) -> np.random.Generator:
    return np.random.default_rng(choices.seed)
