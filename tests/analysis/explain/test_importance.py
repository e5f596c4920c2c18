"""The decomposition of variance against brute force on small grids, and on known functions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from racing.analysis.explain.importance import Importance, Pair, decompose
from racing.space import Boolean, Categorical, Ordinal, Real, Space

GRID = Space(
    {"a": Categorical(["p", "q", "r"]), "b": Ordinal([1, 2, 5, 9]), "c": Boolean()},
)
CONDITIONAL = Space(
    {
        "algorithm": Categorical(["ils", "tabu", "sa"]),
        "kick": Ordinal([1, 2, 3], when="algorithm == ils"),
        "strong": Boolean(when="algorithm == ils and kick > 1"),
        "heat": Ordinal([1, 2], when="algorithm == sa"),
    }
)


def table(space: Space, seed: int):
    """A tree: any function of the configuration, NaN = inactive."""
    weights = np.random.default_rng(seed).normal(size=1000)

    def tree(rows):
        codes = np.where(np.isnan(rows), 7, np.round(rows * 12)).astype(int)
        places = codes @ (5 ** np.arange(rows.shape[1]))
        return weights[places % 1000]

    return tree


def by_brute_force(space: Space, trees) -> dict[str, tuple[float, float]]:
    """Parameter → main and total share, by loops over all values of all parameters."""
    encoding, rng = space.encoding, np.random.default_rng(0)
    columns = [
        range(n) if kind == "category" else [(i + 0.5) / n for i in range(n)]
        for kind, n in zip(encoding.kinds, encoding.levels, strict=True)
    ]
    found = {}
    for j, name in enumerate(encoding.names):
        mains, totals = [], []
        for tree in trees:

            def cost(point, tree=tree):
                return float(tree(encoding.activate(np.array([point], dtype=float), rng))[0])

            whole = np.var([cost(point) for point in product(*columns)])
            others = list(product(*(c for i, c in enumerate(columns) if i != j)))
            rows = [[cost((*o[:j], x, *o[j:])) for x in columns[j]] for o in others]
            mains.append(np.var(np.mean(rows, axis=0)) / whole)
            totals.append(np.mean(np.var(rows, axis=1)) / whole)
        found[name] = float(np.mean(mains)), float(np.mean(totals))
    return found


def shares(
    found: tuple[tuple[Importance, ...], tuple[Pair, ...]],
) -> dict[str, tuple[float, float]]:
    return {one.name: (one.main, one.total) for one in found[0]}


@pytest.mark.parametrize("space", [GRID, CONDITIONAL], ids=["flat", "conditional"])
def test_on_a_grid_it_is_exact(space):
    trees = [table(space, seed) for seed in range(3)]
    found = shares(decompose(trees, space))
    for name, (main, total) in by_brute_force(space, trees).items():
        assert found[name] == pytest.approx((main, total), abs=1e-12)


def test_a_sum_has_no_interactions_and_its_shares_add_up():
    def tree(rows):
        return 3.0 * (rows[:, 0] == 1) + rows[:, 1] + 0.0 * rows[:, 2]

    found = decompose([tree], GRID)
    assert sum(one.main for one in found[0]) == pytest.approx(1.0)
    for one in found[0]:
        assert one.main == pytest.approx(one.total)
    assert all(pair.share == pytest.approx(0.0, abs=1e-12) for pair in found[1])
    a = 9 * 2 / 9
    b = np.var([1 / 8, 3 / 8, 5 / 8, 7 / 8])
    assert shares(found)["a"][0] == pytest.approx(a / (a + b))
    assert found[0][0].name == "a"


def test_a_product_of_signs_is_all_interaction():
    space = Space({"a": Boolean(), "b": Boolean(), "c": Boolean()})
    found = decompose([lambda rows: (2 * rows[:, 0] - 1) * (2 * rows[:, 2] - 1)], space)
    for one in found[0]:
        assert one.main == pytest.approx(0.0)
        assert one.total == pytest.approx(0.0 if one.name == "b" else 1.0)
    assert found[1][0].names == ("a", "c")
    assert found[1][0].share == pytest.approx(1.0)


def test_an_inactive_parameter_has_no_effect_and_counts_as_often_as_it_is_active():
    space = Space({"mode": Categorical(["on", "off", "idle"]), "x": Boolean(when="mode == on")})
    found = shares(decompose([lambda rows: np.nan_to_num(rows[:, 1])], space))
    # f is 1 with probability 1/6; E[f | mode] is 1/2, 0, 0; E[f | x] is 0, 1/3
    assert found["mode"][0] == pytest.approx((1 / 18) / (5 / 36))
    assert found["x"][0] == pytest.approx((1 / 36) / (5 / 36))


def test_real_parameters_by_a_sobol_sequence_come_near_the_truth():
    # Ishigami, with a = 7, b = 0.1: shares .3139, .4424, 0; totals .5576, .4424, .2437
    space = Space({name: Real(-np.pi, np.pi) for name in "xyz"})

    def ishigami(rows):
        x, y, z = (2 * np.pi * rows - np.pi).T
        return np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)

    found = decompose([ishigami], space)
    expected = {"x": (0.3139, 0.5576), "y": (0.4424, 0.4424), "z": (0.0, 0.2437)}
    for name, (main, total) in shares(found).items():
        assert abs(main - expected[name][0]) < 0.04
        assert abs(total - expected[name][1]) < 0.04
    best = found[1][0]
    assert set(best.names) == {"x", "z"}
    assert abs(best.share - 0.2437) < 0.06


def test_importance_near_a_configuration_is_along_each_parameter_through_it():
    space = Space({"a": Boolean(), "b": Boolean()})
    trees = [lambda rows: rows[:, 0] * (1 + 4 * rows[:, 1])]
    near = decompose(trees, space, near={"a": False, "b": True})
    assert {one.name: one.local for one in near[0]} == {"a": 1.0, "b": 0.0}
    near = decompose(trees, space, near={"a": True, "b": False})
    local = {one.name: one.local for one in near[0]}
    assert local == pytest.approx({"a": 1 / 17, "b": 16 / 17})
    assert all(one.local is None for one in decompose(trees, space)[0])


def test_trees_that_are_constant_say_nothing():
    found = decompose([lambda rows: np.ones(len(rows))], GRID)
    assert all((one.main, one.total) == (0.0, 0.0) for one in found[0])
