"""The Bayesian tests of paired tables: how probable is it that one algorithm is better?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Choices, Posterior
from racing.base.errors import InputError
from racing.stats.correlated_t import correlated_t
from racing.stats.dp_sign import dp_sign
from racing.stats.dp_signed_rank import dp_signed_rank, dp_signed_rank_sample
from racing.stats.hierarchical import hierarchical_t
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.poisson_binomial import poisson_binomial_test
from racing.stats.prior_bounds import prior_bounds
from racing.stats.sign_posterior import Bound

Ends: TypeAlias = tuple[Floats, Floats]
_FEW = 30  # instances up to which a prior of their weight can change what is concluded
BOUNDS: dict[str, Bound] = {"precise": "precise", "lower": "lower", "upper": "upper"}


def bounded(
    test: str, choices: Choices, plain: Ends, bounds: Sequence[Ends], error: float, *, show: bool
) -> Posterior:
    """A posterior, or one of its bounds over all priors, which are shown beside it.

    Parameters
    ----------
    plain : (better, inside the rope), (m, m) each
    bounds : the lowest and the highest of these; () where they are not needed
    """
    better, inside = plain
    if choices.bound != "precise":
        better, inside = bounds[0 if choices.bound == "lower" else 1]
    low, high = (one for one, _ in bounds) if show else (None, None)
    return Posterior(
        test=test, better=better, rope=inside, standard_error=error, low=low, high=high
    )


def of_the_process(name: str, test: Callable[..., Any], *, drawn: bool) -> Callable[..., Posterior]:
    """A test with a Dirichlet process prior, of all pairs; with bounds over such priors."""

    def run(table: ResultTable, choices: Choices) -> Posterior:
        pairs = np.triu_indices(table.m, 1)
        sides = [table.costs.T[side] for side in pairs]
        how: dict[str, Any] = {"rope": choices.rope, "s": choices.s}
        found = test(*sides, **how, **({"rng": choices.rng} if drawn else {}))
        few, ends = table.n <= _FEW, []
        if few or choices.bound != "precise":
            bounds = prior_bounds(test, *sides, **how, rng=choices.rng if drawn else None)
            ends = [_squares(table.m, choices.rope, *end) for end in
                    zip(bounds.p_left, bounds.p_right, bounds.p_rope, strict=True)]  # fmt: skip
        plain = _squares(table.m, choices.rope, found.p_left, found.p_right, found.p_rope)
        error = float(found.standard_error.max(initial=0.0)) if drawn else 0.0
        return bounded(name, choices, plain, ends, error, show=few)

    return run


def _squares(m: int, rope: float, left: Floats, right: Floats, inside: Floats) -> Ends:
    """(m, m) that one is better, and that they are equal, from the values of all pairs i < j.

    With a rope, an algorithm is equivalent to itself; without one, 1/2 falls to either side.
    """
    better = np.full((m, m), 0.0 if rope > 0 else 0.5)
    equal = np.full((m, m), 1.0 if rope > 0 else 0.0)
    i, j = np.triu_indices(m, 1)
    better[i, j], better[j, i] = left, right
    equal[i, j] = equal[j, i] = inside
    return better, equal


def hierarchical(table: ResultTable, choices: Choices) -> Posterior:
    """Corani et al. (2017), for every pair; against a control for the pairs with it only."""
    costs, rng = table.repeated_costs, choices.rng
    better, rope, error = *_matrices(table.m), 0.0
    control = None if choices.control is None else table.column(choices.control)
    for i, j in zip(*np.triu_indices(table.m, 1), strict=True):
        if control not in (None, i, j):
            better[i, j] = better[j, i] = rope[i, j] = rope[j, i] = np.nan
            continue
        found = hierarchical_t(
            costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope, rng=rng
        )
        better[i, j], better[j, i] = found.p_left, found.p_right
        rope[i, j] = rope[j, i] = found.p_rope
        error = max(error, found.standard_error)
    return Posterior(test="hierarchical", better=better, rope=rope, standard_error=error)


def over_instances(table: ResultTable, choices: Choices) -> Posterior:
    """Corani and Benavoli (2015), section 3.1: a correlated t-test per instance, then the chance
    that one wins on more instances than the other."""
    costs = table.repeated_costs
    better, rope = _matrices(table.m)
    for i, j in zip(*np.triu_indices(table.m, 1), strict=True):
        each = correlated_t(costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope)
        right = each.p_right if choices.rope > 0 else None
        found = poisson_binomial_test(each.p_left, right)
        better[i, j], better[j, i] = found.p_win, found.p_loss
        rope[i, j] = rope[j, i] = found.p_tie
    return Posterior(test="correlated-t", better=better, rope=rope, standard_error=0.0)


def _matrices(m: int) -> tuple[Floats, Floats]:
    """Nothing is better than itself, and it is equal to itself."""
    return np.zeros((m, m)), np.ones((m, m))


def joint(table: ResultTable, choices: Choices) -> JointComparisons:
    """Ordered statements that are all true with probability 1 − α."""
    family = None
    if choices.control is not None:
        control = table.column(choices.control)
        family = np.full(table.m - 1, control), np.delete(np.arange(table.m), control)
    return joint_comparisons(
        table.costs, rng=choices.rng, gamma=choices.alpha, s=choices.s, pairs=family,
        bound=BOUNDS[choices.bound],
    )  # fmt: skip


sign_posterior = of_the_process("sign", dp_sign, drawn=False)
signed_rank_posterior = of_the_process("signed-rank", dp_signed_rank, drawn=True)


def sample(
    table: ResultTable, choices: Choices, first: str, second: str, *, draws: int = 5000
) -> Floats:
    """(draws, 3) draws of (θ_left, θ_rope, θ_right) for two algorithms, for a simplex plot.

    From the Bayesian sign test if the comparison used it, else from the signed-rank test.

    Raises
    ------
    InputError
        If there is no rope: without one the draws lie on an edge of the triangle; or if the table
        holds ranks only.
    """
    if choices.rope == 0.0:
        raise InputError(
            "rope: a simplex plot shows a region of practical equivalence; give its half-width in "
            "units of score (--rope)"
        )
    if choices.ranked:
        raise InputError("ranked: a rope is in units of score, which ranks do not hold")
    x, y = (table.costs[:, table.column(name)] for name in (first, second))
    how: dict[str, Any] = {"rope": choices.rope, "s": choices.s}
    if choices.posterior == "sign":
        return dp_sign(x, y, **how).sample(draws, choices.rng)
    return dp_signed_rank_sample(x, y, rng=choices.rng, draws=draws, **how)
