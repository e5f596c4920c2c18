"""How probable is it that one is better? The Bayesian answers by name."""

from __future__ import annotations

import numpy as np

from racing.compare.choices import Choices
from racing.compare.comparison import Comparison, Posterior
from racing.compare.result_table import Floats, ResultTable
from racing.errors import InputError
from racing.stats.correlated_t import correlated_t
from racing.stats.dp_sign import dp_sign, dp_sign_pairs
from racing.stats.dp_signed_rank import dp_signed_rank_pairs, dp_signed_rank_sample
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.poisson_binomial import poisson_binomial_test


def posterior(table: ResultTable, choices: Choices) -> Posterior | None:
    """Posterior probabilities of all pairs, one pair at a time; None if not asked for."""
    if choices.posterior == "sign":
        found = dp_sign_pairs(table.costs, rope=choices.rope, s=choices.s)
        return Posterior(test="sign", better=found.p_left, rope=found.p_rope, standard_error=0.0)
    if choices.posterior == "signed-rank":
        ranked = dp_signed_rank_pairs(
            table.costs, rng=_rng(choices), rope=choices.rope, s=choices.s
        )
        error = float(ranked.standard_error.max())
        return Posterior(
            test="signed-rank", better=ranked.p_left, rope=ranked.p_rope, standard_error=error
        )
    return _over_instances(table, choices) if choices.posterior == "correlated-t" else None


def joint(table: ResultTable, choices: Choices) -> JointComparisons | None:
    """Ordered statements that are all true with probability 1 − α; None if not asked for."""
    if choices.posterior != "joint":
        return None
    family = None
    if choices.control is not None:
        others = np.delete(np.arange(table.m), choices.control)
        family = np.full(table.m - 1, choices.control), others
    return joint_comparisons(
        table.costs, rng=_rng(choices), gamma=choices.alpha, s=choices.s, pairs=family
    )


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


def _rng(choices: Choices) -> np.random.Generator:
    return np.random.default_rng(choices.seed)
