"""Fronts against brute force, and what must not change them."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from racing.core.fronts import (
    LIKELY,
    UNLIKELY,
    chance_words,
    dominated,
    front,
    gaps,
    hypervolume,
    losses,
    pooled_noise,
    probabilities,
)

Floats = NDArray[np.float64]


def drawn(seed: int, k: int = 12, several: int = 2) -> Floats:
    """Means on a coarse grid, so that there are ties."""
    rng = np.random.default_rng((seed, k, several))
    return rng.integers(0, 6, size=(k, several)).astype(float)


def beats(a: Floats, b: Floats, ropes: Floats) -> bool:
    """By the definition: better in one metric, worse in none."""
    pairs = list(zip(a, b, ropes, strict=True))
    return any(y - x > rope for x, y, rope in pairs) and not any(
        x - y > rope for x, y, rope in pairs
    )


@pytest.mark.parametrize("several", [2, 3])
@pytest.mark.parametrize("rope", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_dominated_are_those_of_the_definition(seed: int, rope: float, several: int) -> None:
    means, ropes = drawn(seed, several=several), np.full(several, rope)
    expected = [any(beats(j, c, ropes) for j in means) for c in means]
    assert dominated(means, ropes).tolist() == expected
    assert (gaps(means, np.zeros(several), ropes)[0] > 0).tolist() == expected
    both = np.stack([means, drawn(seed + 100, several=several)])
    assert dominated(both, ropes)[0].tolist() == expected


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rope", [0.0, 1.0])
def test_a_gap_is_the_most_over_rivals_of_the_least_over_metrics(seed: int, rope: float) -> None:
    means, noise = drawn(seed, several=3), np.array([1.0, 2.0, 0.5])
    ropes = np.full(3, rope)
    found, who = gaps(means, noise, ropes)
    for c in range(len(means)):
        by = []
        for j in range(len(means)):
            d = [(x - y) / s for x, y, s in zip(means[c], means[j], noise, strict=True)
                 if rope == 0 or abs(x - y) > rope]  # fmt: skip
            by.append(-np.inf if j == c else min(d, default=0.0))
        assert found[c] == max(by) == by[who[c]]


def test_the_gap_of_one_metric_is_the_distance_to_the_best() -> None:
    means = np.array([[3.0], [1.0], [7.0]])
    assert gaps(means, np.array([2.0]), np.zeros(1))[0].tolist() == [1.0, -1.0, 3.0]


def test_an_exact_metric_decides_alone_only_where_the_others_are_equal() -> None:
    noise, ropes = np.array([0.0, 1.0]), np.zeros(2)
    found = gaps(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 1.0], [3.0, 2.0]]), noise, ropes)[0]
    assert found.tolist() == [-1e9, 2.0, -1.0, 1.0]
    assert gaps(np.array([[1.0, 2.0], [2.0, 2.0]]), np.zeros(2), ropes)[0].tolist() == [-1e9, 1e9]
    assert gaps(np.array([[1.0, 2.0]]), noise, ropes)[0].tolist() == [-1e9]


def test_means_that_noise_has_made_equal_may_still_differ() -> None:
    """Both have solved three of three, and the second is slower: it may be the more reliable."""
    means = np.array([[0.0, 1.0], [0.0, 3.0]])
    for noise, rope, expected in ((0.3, 0.0, 0.0), (0.0, 0.0, 2.0), (0.3, 0.1, 2.0)):
        assert gaps(means, np.array([noise, 1.0]), np.array([rope, 0.0]))[0][1] == expected


def test_equals_do_not_dominate_each_other() -> None:
    same = np.array([[1.0, 2.0], [1.0, 2.0], [1.0 + 1e-15, 2.0]])
    assert not dominated(same, np.zeros(2)).any()
    assert gaps(same, np.ones(2), np.zeros(2))[0].tolist() == [0.0, 0.0, 0.0]


def test_a_circle_of_ropes_leaves_the_front_without_them() -> None:
    circle = np.array([[0.0, 0.9, 1.8], [1.8, 0.0, 0.9], [0.9, 1.8, 0.0]])
    ropes = np.ones(3)
    assert dominated(circle, ropes).all()
    assert front(circle, ropes).all()
    behind = np.vstack([circle, [2.0, 2.0, 2.0]])
    assert front(behind, ropes).tolist() == [True, True, True, False]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_and_the_units_of_metrics_change_nothing(seed: int) -> None:
    means, noise = drawn(seed, several=3), np.array([1.0, 2.0, 0.5])
    ropes = np.array([0.0, 1.5, 0.5])
    values = means + np.random.default_rng(seed).normal(size=(7, *means.shape))
    expected = (
        front(means, ropes), gaps(means, noise, ropes)[0], losses(means, front(means, ropes)),
        probabilities(values, ropes, np.random.default_rng(1)),
    )  # fmt: skip
    for order in permutations(range(3)):
        for scale, shift in product((1.0, 0.001, 1000.0), (0.0, 50.0)):
            turn = [scale, 1.0, 2.0]
            own, rope = (means * turn + shift)[:, order], (ropes * turn)[[*order]]
            on = front(own, rope)
            found = (
                on, gaps(own, (noise * turn)[[*order]], rope)[0], losses(own, on),
                probabilities((values * turn + shift)[:, :, order], rope, np.random.default_rng(1)),
            )  # fmt: skip
            for one, other in zip(expected, found, strict=True):
                assert np.allclose(other, one, atol=1e-8)


def test_the_knee_gives_up_the_least() -> None:
    means = np.array([[0.0, 10.0], [2.0, 3.0], [4.0, 2.0], [8.0, 0.0], [9.0, 9.0]])
    found = losses(means, front(means, np.zeros(2)))
    assert found.tolist() == [[1, 1], [0.3, 0.55], [0.5, 0.7], [1, 1], [np.inf, np.inf]]
    flat = losses(np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([True, True]))
    assert flat.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("several", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_a_volume_is_a_count_of_cells(seed: int, several: int) -> None:
    points = drawn(seed, k=6, several=several)
    cells = sum(
        any(all(p <= x for p, x in zip(point, cell, strict=True)) for point in points)
        for cell in product(range(5), repeat=several)
    )
    assert hypervolume(points, np.full(several, 5.0)) == cells
    assert hypervolume(points[::-1] * 0.5, np.full(several, 2.5)) == pytest.approx(
        cells / 2**several
    )


def test_a_point_behind_the_reference_has_no_volume() -> None:
    assert hypervolume(np.array([[5.0, 1.0], [1.0, 7.0]]), np.array([5.0, 6.0])) == 0
    assert hypervolume(np.empty((0, 2)), np.ones(2)) == 0


def test_the_probability_is_that_of_the_normal_distribution() -> None:
    """Of two candidates that differ in one of two metrics; the other is worse for certain."""
    from scipy.stats import norm

    rng, n = np.random.default_rng(4), 30
    noise = rng.normal(size=n)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    values = np.zeros((n, 2, 2))
    values[:, 1, 0] = 0.2 + noise
    values[:, 1, 1] = 1.0
    found = probabilities(values, np.zeros(2), np.random.default_rng(5))
    expected = norm.cdf(-0.2 / np.sqrt((1 + 5 / n) / n))
    assert found[0] == 1.0
    assert found[1] == pytest.approx(expected, abs=0.04)
    certain = probabilities(np.tile(drawn(3), (4, 1, 1)), np.zeros(2), rng)
    assert certain.tolist() == front(drawn(3), np.zeros(2)).astype(float).tolist()


def test_a_probability_is_told_in_words_and_not_as_a_number() -> None:
    told = [chance_words(chance) for chance in (1.0, LIKELY, 0.74, UNLIKELY, 0.09, 0.0, None)]
    assert told == ["likely", "likely", "open", "open", "unlikely", "unlikely", "–"]


def test_noise_is_what_instances_and_candidates_do_not_explain() -> None:
    rng = np.random.default_rng(6)
    effects = rng.normal(size=(400, 1, 2)) * 9 + rng.normal(size=(1, 8, 2)) * 9
    values = effects + rng.normal(size=(400, 8, 2)) * [1.0, 0.0]
    found = pooled_noise(values)
    assert found[0] == pytest.approx(1.0, rel=0.03)
    assert found[1] == 0
    values[rng.random((400, 8)) < 0.1] = np.nan
    assert pooled_noise(values)[0] == pytest.approx(1.0, rel=0.03)
    assert pooled_noise(values[:1, :, :]).shape == (2,)
