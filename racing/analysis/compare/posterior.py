"""The Bayesian tests by name: how probable is it that one algorithm is better?"""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.choices import Asked, Choices
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Posterior
from racing.base.errors import InputError
from racing.stats.correlated_t import correlated_t
from racing.stats.dp_sign import dp_sign, dp_sign_pairs, dp_sign_pairs_bounds
from racing.stats.dp_signed_rank import (
    dp_signed_rank_pairs,
    dp_signed_rank_pairs_bounds,
    dp_signed_rank_sample,
)
from racing.stats.hierarchical import hierarchical_t
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.poisson_binomial import poisson_binomial_test
from racing.stats.sign_posterior import Bound

_FEW = 30  # instances up to which a prior of their weight can change what is concluded


def posterior(table: ResultTable, choices: Choices) -> Posterior | None:
    """Posterior probabilities of all pairs, one pair at a time; None if not asked for."""
    test = choices.posterior
    if test in ("sign", "signed-rank"):
        return _of_the_process(table, choices)
    if test == "hierarchical":
        return _hierarchical(table, choices)
    return _over_instances(table, choices) if test == "correlated-t" else None


def _of_the_process(table: ResultTable, choices: Choices) -> Posterior:
    """The tests with a Dirichlet process prior, with bounds over all such priors where needed."""
    costs, rope, s = table.costs, choices.rope, choices.s
    error, bounds = 0.0, None
    wanted = choices.bound != "precise" or table.n <= _FEW
    if choices.posterior == "sign":
        signs = dp_sign_pairs(costs, rope=rope, s=s)
        better, inside = signs.p_left, signs.p_rope
        bounds = dp_sign_pairs_bounds(costs, rope=rope, s=s) if wanted else None
    else:
        ranked = dp_signed_rank_pairs(costs, rng=_rng(choices), rope=rope, s=s)
        better, inside, error = ranked.p_left, ranked.p_rope, float(ranked.standard_error.max())
        if wanted:
            bounds = dp_signed_rank_pairs_bounds(costs, rng=_rng(choices), rope=rope, s=s)
    if choices.bound != "precise" and bounds is not None:
        side = 0 if choices.bound == "lower" else 1
        better, inside = bounds.p_left[side], bounds.p_rope[side]
    low, high = bounds.p_left if bounds is not None and table.n <= _FEW else (None, None)
    return Posterior(
        test=choices.posterior, better=better, rope=inside, standard_error=error, low=low, high=high
    )


def _hierarchical(table: ResultTable, choices: Choices) -> Posterior:
    """Corani et al. (2017), for every pair; against a control for the pairs with it only."""
    costs, m = table.repeated_costs, table.m
    better, rope, error = np.zeros((m, m)), np.ones((m, m)), 0.0
    rng = _rng(choices)
    for i in range(m):
        for j in range(i + 1, m):
            if choices.control not in (None, i, j):
                better[i, j] = better[j, i] = rope[i, j] = rope[j, i] = np.nan
                continue
            found = hierarchical_t(
                costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope, rng=rng
            )
            better[i, j], better[j, i] = found.p_left, found.p_right
            rope[i, j] = rope[j, i] = found.p_rope
            error = max(error, found.standard_error)
    return Posterior(test="hierarchical", better=better, rope=rope, standard_error=error)


def joint(table: ResultTable, choices: Choices) -> JointComparisons | None:
    """Ordered statements that are all true with probability 1 − α; None if not asked for."""
    if choices.posterior != "joint":
        return None
    family = None
    if choices.control is not None:
        others = np.delete(np.arange(table.m), choices.control)
        family = np.full(table.m - 1, choices.control), others
    return joint_comparisons(
        table.costs, rng=_rng(choices), gamma=choices.alpha, s=choices.s, pairs=family,
        bound=bound_of(choices),
    )  # fmt: skip


def sample(comparison: Comparison, first: str, second: str, *, draws: int = 5000) -> Floats:
    """(draws, 3) draws of (θ_left, θ_rope, θ_right) for two algorithms, for a simplex plot.

    From the Bayesian sign test if the comparison used it, else from the signed-rank test.

    Raises
    ------
    InputError
        If there is no rope: without one the draws lie on an edge of the triangle; or if the table
        holds ranks only.
    """
    table, choices = comparison.table, comparison.choices
    if choices.rope == 0.0:
        raise InputError(
            "rope: a simplex plot shows a region of practical equivalence; give its half-width in "
            "units of score (--rope)"
        )
    if choices.ranked:
        raise InputError("ranked: a rope is in units of score, which ranks do not hold")
    x, y = (table.costs[:, table.column(name)] for name in (first, second))
    if choices.posterior == "sign":
        return dp_sign(x, y, rope=choices.rope, s=choices.s).sample(draws, _rng(choices))
    return dp_signed_rank_sample(
        x, y, rng=_rng(choices), draws=draws, rope=choices.rope, s=choices.s
    )


def _over_instances(table: ResultTable, choices: Choices) -> Posterior:
    """Corani and Benavoli (2015), section 3.1: a correlated t-test per instance, then the chance
    that one wins on more instances than the other."""
    costs, m = table.repeated_costs, table.m
    better, rope = np.zeros((m, m)), np.ones((m, m))
    for i in range(m):
        for j in range(i + 1, m):
            each = correlated_t(costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope)
            right = each.p_right if choices.rope > 0 else None
            found = poisson_binomial_test(each.p_left, right)
            better[i, j], better[j, i] = found.p_win, found.p_loss
            rope[i, j] = rope[j, i] = found.p_tie
    return Posterior(test="correlated-t", better=better, rope=rope, standard_error=0.0)


def bound_of(choices: Asked) -> Bound:
    """The requested bound, in the type of the statistics."""
    found: dict[str, Bound] = {"precise": "precise", "lower": "lower", "upper": "upper"}
    return found[choices.bound]


def _rng(choices: Choices) -> np.random.Generator:
    return np.random.default_rng(choices.seed)
