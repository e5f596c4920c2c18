"""The Bayesian tests of pairs: how probable is it that one algorithm is better?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.methods import option, refusal
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.verdicts import Posterior, Study
from racing.base.errors import InputError
from racing.stats.dp_signed_rank import dp_signed_rank_sample
from racing.stats.hierarchical import hierarchical_t
from racing.stats.joint import JointComparisons, joint_comparisons
from racing.stats.sign_posterior import Bound, dp_sign, prior_bounds
from racing.stats.t_tests import correlated_t, poisson_binomial_test

_FEW = 30  # instances up to which a prior of their weight can change what is concluded
BOUNDS: dict[str, Bound] = {"precise": "precise", "lower": "lower", "upper": "upper"}


def of_the_process(
    name: str, test: Callable[..., Any], *, drawn: bool = True
) -> Callable[[Study], Posterior]:
    """A test with a Dirichlet process prior, of all pairs; with bounds over all such priors.

    The bounds are shown beside it where they matter: of few instances, and of runs.
    """

    def run(c: Study) -> Posterior:
        m, rope, bound = c.table.m, c.choices.rope, c.choices.bound
        paired = c.table.paired
        samples = [c.costs.T[side] for side in np.triu_indices(m, 1)] if paired else [c.runs]
        how: dict[str, Any] = {"rope": rope, "s": c.choices.s}
        found = test(*samples, **how, **({"rng": c.choices.rng} if drawn else {}))
        better, inside = _squares(m, rope, found.p_left, found.p_right, found.p_rope)
        error = float(np.max(found.standard_error)) if drawn else 0.0
        show, low, high = not paired or c.table.n <= _FEW, None, None
        if show or bound != "precise":
            ends = prior_bounds(test, *samples, **how, rng=c.choices.rng if drawn else None)
            each = zip(ends.p_left, ends.p_right, ends.p_rope, strict=True)
            lowest, highest = (_squares(m, rope, *end) for end in each)
            error = max(error, ends.standard_error)
            low, high = (lowest[0], highest[0]) if show else (None, None)
            better, inside = {"lower": lowest, "upper": highest}.get(bound, (better, inside))
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


def hierarchical(c: Study) -> Posterior:
    """Corani et al. (2017), for every pair; against a control for the pairs with it only."""
    costs, rng, how, m = c.table.repeated_costs, c.choices.rng, c.choices, c.table.m
    found = np.full((4, m * (m - 1) // 2), np.nan)
    found[3] = 0.0
    for at, (i, j) in enumerate(zip(*np.triu_indices(m, 1), strict=True)):
        if c.control in (None, i, j):
            one = hierarchical_t(costs[:, i], costs[:, j], rho=how.rho, rope=how.rope, rng=rng)
            found[:, at] = one.p_left, one.p_right, one.p_rope, one.standard_error
    better, equal = _squares(m, np.inf, *found[:3])
    return Posterior(
        test="hierarchical", better=better, rope=equal, standard_error=float(found[3].max())
    )


def over_instances(c: Study) -> Posterior:
    """Corani and Benavoli (2015), section 3.1: a correlated t-test per instance, then the chance
    that one wins on more instances than the other."""
    costs, rope, (i, j) = c.table.repeated_costs, c.choices.rope, np.triu_indices(c.table.m, 1)
    each = correlated_t(costs[:, i], costs[:, j], rho=c.choices.rho, rope=rope)
    found = poisson_binomial_test(each.p_left.T, each.p_right.T if rope > 0 else None)
    better, equal = _squares(c.table.m, np.inf, found.p_win, found.p_loss, found.p_tie)
    return Posterior(test="correlated-t", better=better, rope=equal, standard_error=0.0)


def joint(c: Study) -> JointComparisons:
    """Ordered statements that are all true with probability 1 − α."""
    how = c.choices
    return joint_comparisons(
        c.costs, rng=how.rng, gamma=how.alpha, s=how.s, bound=BOUNDS[how.bound],
        pairs=None if c.control is None else c.pairs[::-1],
    )  # fmt: skip


def sample(c: Study, first: str, second: str, *, draws: int = 5000) -> Floats:
    """(draws, 3) draws of (θ_left, θ_rope, θ_right) for two algorithms, for a simplex plot.

    From the Bayesian sign test if the comparison used it, else from the signed-rank test.

    Raises
    ------
    InputError
        If there is no rope: without one the draws lie on an edge of the triangle; or if the table
        holds ranks only.
    """
    how: dict[str, Any] = {"rope": c.choices.rope, "s": c.choices.s}
    if c.choices.rope == 0.0:
        raise InputError(refusal("no-rope"))
    if c.choices.ranked:
        raise InputError(
            f"{option('--ranks', 'ranked')}: a rope is in units of score, which ranks do not hold"
        )
    x, y = (c.costs[:, c.table.column(name)] for name in (first, second))
    if c.choices.posterior == "sign":
        return dp_sign(x, y, **how).sample(draws, c.choices.rng)
    return dp_signed_rank_sample(x, y, rng=c.choices.rng, draws=draws, **how)
