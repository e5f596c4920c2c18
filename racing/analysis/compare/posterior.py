"""The Bayesian tests by name: how probable is it that one algorithm is better?"""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.choices import Asked, Choices
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Posterior
from racing.base.errors import InputError
from racing.stats.correlated_t import correlated_t
from racing.stats.dp_sign import DpSign, dp_sign
from racing.stats.dp_signed_rank import DpSignedRank, dp_signed_rank, dp_signed_rank_sample
from racing.stats.hierarchical import hierarchical_t
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.poisson_binomial import poisson_binomial_test
from racing.stats.prior_bounds import prior_bounds
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
    i, j = np.triu_indices(table.m, 1)
    sides = table.costs.T[i], table.costs.T[j]
    rope, s, error, bounds = choices.rope, choices.s, 0.0, None
    wanted = choices.bound != "precise" or table.n <= _FEW
    found: DpSign | DpSignedRank
    if choices.posterior == "sign":
        found = dp_sign(*sides, rope=rope, s=s)
        bounds = prior_bounds(dp_sign, *sides, rope=rope, s=s) if wanted else None
    else:
        found = dp_signed_rank(*sides, rng=_rng(choices), rope=rope, s=s)
        error = float(found.standard_error.max(initial=0.0))
        if wanted:
            bounds = prior_bounds(dp_signed_rank, *sides, rng=_rng(choices), rope=rope, s=s)
    better, inside = (found.p_left, found.p_right), found.p_rope
    low, high = None, None
    if bounds is not None:
        ends = list(zip(bounds.p_left, bounds.p_right, strict=True))
        if table.n <= _FEW:
            low, high = (_square(*end, table.m, rope) for end in ends)
        if choices.bound != "precise":
            side = 0 if choices.bound == "lower" else 1
            better, inside = ends[side], bounds.p_rope[side]
    return Posterior(
        test=choices.posterior,
        better=_square(*better, table.m, rope),
        rope=_square(inside, inside, table.m, rope, itself=1.0),
        standard_error=error,
        low=low,
        high=high,
    )


def _square(above: Floats, below: Floats, m: int, rope: float, itself: float = 0.0) -> Floats:
    """(m, m) from the values of all pairs i < j, and of the pairs j, i.

    With a rope, an algorithm is equivalent to itself; without one, 1/2 falls to either side.
    """
    matrix = np.full((m, m), itself if rope > 0 else (1.0 - itself) / 2)
    i, j = np.triu_indices(m, 1)
    matrix[i, j], matrix[j, i] = above, below
    return matrix


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
