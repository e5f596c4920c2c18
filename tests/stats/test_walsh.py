"""Weighted pairs of atoms: against double sums over all pairs, and against plain draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.stats.dp_signed_rank import (
    _MASSES,
    Atoms,
    DpSignedRank,
    RankMethod,
    _weights,
    _with_prior,
    closed_form,
    conditional,
    dp_signed_rank,
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


@pytest.mark.parametrize("z", [[1.0, 1.0, -1.0, 0.0], [2.0, 0.5], [0.0, 0.0], [-1.0, -1.0, 1.0]])
def test_the_closed_form_is_what_draws_give(z):
    z = np.array(z)
    atoms = Atoms.of(z, np.ones(z.size), 0.0)
    e = np.random.default_rng(1).standard_exponential((z.size, 40_000))
    left, right = thetas(z, e / e.sum(axis=0), 0.0)
    drawn = (left > right).mean() + (left == right).mean() / 2
    assert closed_form(atoms) == pytest.approx(drawn, abs=0.01)
    assert closed_form(Atoms.of(np.array([2.0, -1.0]), np.ones(2), 0.0)) is None


# --- posteriors of signed-rank comparisons by draws, against plain simulation and closed forms ---


GAINS = np.array([[0.9, -0.4, 0.3, 1.2, -0.1], [0.05, -0.02, 0.6, 0.01, 0.4]])


def posterior(gains: np.ndarray, seed: int = 1, **how: object) -> DpSignedRank:
    given = {"rope": 0.1, "method": "monte carlo", "draws": 4000, "digits": None, **how}
    rng = np.random.default_rng(seed)
    return dp_signed_rank(0 * gains, gains, rng=rng, **given)  # type: ignore[arg-type]


def simulated(gains: np.ndarray, rope: float, s: float, draws: int) -> tuple[float, float]:
    """p_left and p_right by the definition: which of three masses of Walsh sums is largest.

    Benavoli et al. (2014): weights are Dirichlet(s, 1, …, 1), the prior's atom is at 0.
    """
    rng = np.random.default_rng(8)
    z = np.append(0.0, gains)
    sums = z[:, None] + z[None, :]
    won = np.zeros(3)
    for weights in rng.dirichlet([s, *np.ones(len(gains))], size=draws):
        mass = np.outer(weights, weights)
        sides = [
            mass[sums > 2 * rope].sum(),
            mass[np.abs(sums) <= 2 * rope].sum(),
            mass[sums < -2 * rope].sum(),
        ]
        won[int(np.argmax(sides))] += 1
    return won[0] / draws, won[2] / draws


@pytest.mark.parametrize("row", [0, 1])
def test_draws_agree_with_the_definition(row: int) -> None:
    found = posterior(GAINS[row])
    plain = simulated(GAINS[row], rope=0.1, s=0.5, draws=4000)
    noise = 5 * float(np.hypot(found.standard_error, 0.5 / 4000**0.5))
    assert (found.p_left, found.p_right) == pytest.approx(plain, abs=noise)
    assert not found.exact
    assert 0 < found.standard_error < 0.01, "less than that of counting, .5/√4000"


def test_each_comparison_is_as_it_is_alone_but_for_shared_draws() -> None:
    both, one = posterior(GAINS), posterior(GAINS[:1])
    for name in ("p_left", "p_right", "standard_error", "exact"):
        assert getattr(both, name)[0] == getattr(one, name)[0]


def test_opposite_gains_swap_the_sides() -> None:
    found, other = posterior(GAINS), posterior(-GAINS)
    within = 6 * found.standard_error.max()
    assert np.allclose(found.p_left, other.p_right, atol=within)
    assert np.allclose(found.p_right, other.p_left, atol=within)


def test_the_error_is_that_of_many_repetitions() -> None:
    found = [posterior(GAINS[0], seed, draws=300) for seed in range(60)]
    spread = np.std([float(one.p_left) for one in found], ddof=1)
    said = float(np.mean([one.standard_error for one in found]))
    assert 0.4 * said < spread < 1.3 * said  # the largest of three errors


def test_where_all_gains_are_on_one_side_it_is_exact() -> None:
    found = posterior(np.full(4, 2.0), rope=0.0)
    assert found.exact
    assert found.standard_error == 0
    assert found.p_left + found.p_right == pytest.approx(1.0)
    assert max(found.p_left, found.p_right) > 0.9


@pytest.mark.parametrize(
    ("method", "n", "draws"),
    [("auto", 10, 5), ("auto", 6000, 0), ("normal", 10, 0), ("monte carlo", 6000, 5)],
)
def test_when_it_draws(method: RankMethod, n: int, draws: int) -> None:
    gains = np.random.default_rng(1).normal(size=n)
    assert posterior(gains, method=method, draws=5).draws == draws


@pytest.mark.parametrize("prior", ["left", "rope", "right", "symmetric"])
def test_weights_have_the_mass_of_the_prior(prior: str) -> None:
    masses = 3.0 * _MASSES[prior]
    drawn = np.concatenate(list(_weights(7, masses, 20_000, np.random.default_rng(3))), axis=1)
    assert drawn.shape == (9, 20_000)
    means = drawn.mean(axis=1)
    assert means[:7] == pytest.approx(np.ones(7), abs=0.05)
    assert means[7:].sum() == pytest.approx(3.0, abs=0.1)
    assert _with_prior(np.zeros(7), masses, prior, 0.1).weights.sum() == pytest.approx(10.0)
