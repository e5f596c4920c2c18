"""The Bayesian tests of pairs: how probable is it that one algorithm is better?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Choices, Posterior
from racing.base.errors import InputError
from racing.stats.dp_signed_rank import dp_signed_rank_sample
from racing.stats.hierarchical import hierarchical_t
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.poisson_binomial import poisson_binomial_test
from racing.stats.sign_posterior import Bound, dp_sign, prior_bounds
from racing.stats.t_tests import correlated_t

_FEW = 30  # instances up to which a prior of their weight can change what is concluded
BOUNDS: dict[str, Bound] = {"precise": "precise", "lower": "lower", "upper": "upper"}


def of_the_process(
    name: str, test: Callable[..., Any], *, drawn: bool = True
) -> Callable[[ResultTable, Choices], Posterior]:
    """A test with a Dirichlet process prior, of all pairs; with bounds over all such priors.

    The bounds are shown beside it where they matter: of few instances, and of runs.
    """

    def run(table: ResultTable, choices: Choices) -> Posterior:
        pairs = [table.costs.T[side] for side in np.triu_indices(table.m, 1)]
        samples = pairs if table.paired else [table.run_costs(0)]
        how: dict[str, Any] = {"rope": choices.rope, "s": choices.s}
        found = test(*samples, **how, **({"rng": choices.rng} if drawn else {}))
        better, inside = _squares(table.m, choices.rope, found.p_left, found.p_right, found.p_rope)
        show, low, high = not table.paired or table.n <= _FEW, None, None
        if show or choices.bound != "precise":
            ends = prior_bounds(test, *samples, **how, rng=choices.rng if drawn else None)
            each = zip(ends.p_left, ends.p_right, ends.p_rope, strict=True)
            lowest, highest = (_squares(table.m, choices.rope, *end) for end in each)
            low, high = (lowest[0], highest[0]) if show else (None, None)
            better, inside = {"lower": lowest, "upper": highest}.get(
                choices.bound, (better, inside)
            )
        error = float(np.max(found.standard_error)) if drawn else 0.0
        return Posterior(
            test=name, better=better, rope=inside, standard_error=error, low=low, high=high
        )

    return run


def _squares(
    m: int, rope: float, left: Floats, right: Floats, inside: Floats
) -> tuple[Floats, Floats]:
    """(m, m) that one is better, and that they are equal, from these or the values of pairs i < j.

    With a rope, an algorithm is equivalent to itself; without one, 1/2 falls to either side.
    """
    if np.ndim(left) == 2:
        return left, inside
    better = np.full((m, m), 0.0 if rope > 0 else 0.5)
    equal = np.full((m, m), 1.0 if rope > 0 else 0.0)
    i, j = np.triu_indices(m, 1)
    better[i, j], better[j, i] = left, right
    equal[i, j] = equal[j, i] = inside
    return better, equal


def hierarchical(table: ResultTable, choices: Choices) -> Posterior:
    """Corani et al. (2017), for every pair; against a control for the pairs with it only."""
    costs, rng = table.repeated_costs, choices.rng
    control = None if choices.control is None else table.column(choices.control)

    def compared(i: int, j: int) -> tuple[float, ...]:
        if control not in (None, i, j):
            return np.nan, np.nan, np.nan, 0.0
        found = hierarchical_t(
            costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope, rng=rng
        )
        return found.p_left, found.p_right, found.p_rope, found.standard_error

    return _of_each("hierarchical", table.m, compared)


def over_instances(table: ResultTable, choices: Choices) -> Posterior:
    """Corani and Benavoli (2015), section 3.1: a correlated t-test per instance, then the chance
    that one wins on more instances than the other."""
    costs = table.repeated_costs

    def compared(i: int, j: int) -> tuple[float, ...]:
        each = correlated_t(costs[:, i], costs[:, j], rho=choices.rho, rope=choices.rope)
        found = poisson_binomial_test(each.p_left, each.p_right if choices.rope > 0 else None)
        return float(found.p_win), float(found.p_loss), float(found.p_tie), 0.0

    return _of_each("correlated-t", table.m, compared)


def _of_each(test: str, m: int, compared: Callable[[int, int], tuple[float, ...]]) -> Posterior:
    """A posterior pair by pair: better, worse, equal, and its error."""
    pairs = zip(*np.triu_indices(m, 1), strict=True)
    left, right, inside, error = np.array([compared(int(i), int(j)) for i, j in pairs]).T
    better, equal = _squares(m, np.inf, left, right, inside)
    return Posterior(test=test, better=better, rope=equal, standard_error=float(error.max()))


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
