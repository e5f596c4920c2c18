"""Weighted pairs of atoms: against double sums over all pairs, and against plain draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.stats.dp_signed_rank import (
    Atoms,
    RankMethod,
    _atoms,
    _Options,
    _weights,
    conditional,
    expected_quadratics,
    quadratics,
)

Z = st.lists(
    st.sampled_from([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, np.inf]), min_size=1, max_size=6
)


def thetas(z, shares, rope):
    """θ_left and θ_right of each draw by their definition: shares (N, D) of all atoms."""
    with np.errstate(invalid="ignore"):
        sums = z[:, None] + z[None, :]
    both = [
        np.einsum("id,jd,ij->d", shares, shares, side)
        for side in (sums > 2 * rope, sums < -2 * rope)
    ]
    return both[0], both[1]


@settings(max_examples=60)
@given(Z, st.sampled_from([0.0, 0.25, 1.0]), st.integers(0, 999))
def test_both_sides_are_quadratic_in_the_weight_of_the_atoms_that_are_not_negative(z, rope, seed):
    z = np.array(z)
    atoms = Atoms.of(z, np.ones(z.size), rope)
    e = np.random.default_rng(seed).standard_exponential((z.size, 5))
    a, b, c, d = quadratics(atoms, e)
    v = e[z >= 0].sum(axis=0) / e.sum(axis=0)
    left, right = thetas(z, e / e.sum(axis=0), rope)
    assert v * v * a + 2 * v * (1 - v) * b == pytest.approx(left, abs=1e-12)
    assert (1 - v) ** 2 * c + 2 * v * (1 - v) * d == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("rope", [0.0, 0.4])
def test_means_and_probabilities_are_those_of_plain_draws(rope):
    rng = np.random.default_rng(3)
    z, weights = rng.normal(0.3, 1.0, 7), np.array([1.0, 1.0, 2.0, 1.0, 0.5, 1.0, 1.0])
    atoms = Atoms.of(z, weights, rope)
    e = rng.standard_gamma(weights[:, None], (7, 40_000))
    parts = quadratics(atoms, e)
    assert parts.mean(axis=1) == pytest.approx(expected_quadratics(atoms), abs=0.01)
    left, right = thetas(z, e / e.sum(axis=0), rope)
    within = 1 - left - right
    p_left, p_right = (one.mean() for one in conditional(atoms, parts))
    if rope:
        assert p_left == pytest.approx(((left > right) & (left > within)).mean(), abs=0.01)
        assert p_right == pytest.approx(((right > left) & (right > within)).mean(), abs=0.01)
    else:
        assert p_left == pytest.approx((left > right).mean(), abs=0.01)
        assert p_left + p_right == pytest.approx(1.0)


# --- posteriors of signed-rank comparisons by draws, against plain simulation and closed forms ---


def options(**how: object) -> _Options:
    given = {"rope": 0.1, "s": 0.5, "prior": "rope", "method": "monte carlo", "draws": 4000, **how}
    return _Options(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "n", "draws"),
    [("auto", 10, 4000), ("auto", 6000, 0), ("normal", 10, 0), ("monte carlo", 6000, 4000)],
)
def test_when_it_draws(method: RankMethod, n: int, draws: int) -> None:
    assert options(method=method).draws_for(n) == draws


@pytest.mark.parametrize("prior", ["left", "rope", "right", "symmetric"])
def test_weights_have_the_mass_of_the_prior(prior: str) -> None:
    chosen = options(prior=prior, s=3.0, draws=20_000)
    drawn = np.concatenate(list(_weights(7, chosen, np.random.default_rng(3))), axis=1)
    assert drawn.shape == (9, 20_000)
    means = drawn.mean(axis=1)
    assert means[:7] == pytest.approx(np.ones(7), abs=0.05)
    assert means[7:].sum() == pytest.approx(3.0, abs=0.1)
    assert _atoms(np.zeros(7), chosen).weights.sum() == pytest.approx(10.0)
