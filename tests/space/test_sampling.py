"""Distributions of samples: kinds, conditions, dependent domains, forbidden clauses; Sobol."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import SamplingError
from racing.space import (
    Boolean,
    Categorical,
    Flag,
    Integer,
    Ordinal,
    Parameter,
    Real,
    Space,
    sampling,
)
from racing.space.encoding import Encoding, Units
from tests.space.spaces import MIXED, SMALL

N = 20_000
LOG2, LOG5 = np.log(2), np.log(5)


def drawn(space: Space, n: int = N, seed: int = 1) -> list[dict[str, Any]]:
    """Draws as samplers make them, duplicates among them, forbidden ones not."""
    units = space.encoding.draw(np.random.default_rng(seed), n)
    return space.decode(units[space.encoding.allowed(units)])  # type: ignore[return-value]


def fits(values: list[Any], shares: dict[Any, float]) -> bool:
    """Whether counts are those of the shares, by the chi-square test."""
    counts = Counter(values)
    assert set(counts) <= set(shares)
    expected = np.array(list(shares.values())) / sum(shares.values()) * len(values)
    return bool(stats.chisquare([counts[v] for v in shares], expected).pvalue > 1e-3)


@pytest.mark.parametrize(
    ("parameter", "shares"),
    [
        (Categorical(["a", "b", 3]), {"a": 1, "b": 1, 3: 1}),
        (Ordinal(["a", "b", "c"]), {"a": 1, "b": 1, "c": 1}),
        (Boolean(), {True: 1, False: 1}),
        (Flag(), {True: 1, False: 1}),
        (Integer(-1, 2), {-1: 1, 0: 1, 1: 1, 2: 1}),
        (Integer(1, 4, log=True), {i: np.log((i + 1) / i) for i in (1, 2, 3, 4)}),
        (Integer(0, 8, step=4), {0: 1, 4: 1, 8: 1}),
        (Integer(2, 6, step=2, log=True), {i: np.log((i + 2) / i) for i in (2, 4, 6)}),
        (Real(0, 1, step=0.5), {0.0: 1, 0.5: 1, 1.0: 1}),
        (Real(0, 1, digits=0), {0.0: 1, 1.0: 1}),
        (Real(1, 4, digits=0, log=True),
         {1.0: np.log(1.5), 2.0: np.log(2.5 / 1.5), 3.0: np.log(3.5 / 2.5), 4.0: np.log(4 / 3.5)}),
    ],
)  # fmt: skip
def test_discrete_kinds(parameter: Parameter, shares: dict[Any, float]) -> None:
    assert fits([values["p"] for values in drawn(Space({"p": parameter}))], shares)


@pytest.mark.parametrize(
    ("parameter", "cdf"),
    [
        (Real(-2, 6), lambda x: (x + 2) / 8),
        (Real(0.01, 100, log=True), lambda x: np.log(x / 0.01) / np.log(1e4)),
        (Real(0.1, 0.9, logit=True), lambda x: (np.log(x / (1 - x)) + np.log(9)) / (2 * np.log(9))),
    ],
)
def test_continuous_kinds(parameter: Parameter, cdf: Any) -> None:
    values = [values["p"] for values in drawn(Space({"p": parameter}))]
    assert stats.kstest(values, cdf).pvalue > 1e-3
    assert len(set(values)) > 0.999 * len(values)
    assert all(float(f"{v:.14g}") == v for v in values)  # they print short


def test_conditions_select_and_do_not_distort() -> None:
    space = Space(
        {
            "a": Categorical(["u", "v"]),
            "x": Real(0, 1, when="a == u"),
            "n": Integer(1, 3, when="x > 0.5"),
        }
    )
    rows = drawn(space)
    assert fits([row["a"] for row in rows], {"u": 1, "v": 1})
    assert all(("x" in row) == (row["a"] == "u") for row in rows)
    assert all(("n" in row) == (row.get("x", 0) > 0.5) for row in rows)
    assert stats.kstest([row["x"] for row in rows if "x" in row], "uniform").pvalue > 1e-3
    assert fits([row["n"] for row in rows if "n" in row], {1: 1, 2: 1, 3: 1})


def test_dependent_domains_are_uniform_given_the_parent() -> None:
    space = Space({"size": Integer(1, 3), "k": Integer(0, "size"), "x": Real("size", "2 * size")})
    rows = drawn(space)
    for size in (1, 2, 3):
        here = [row for row in rows if row["size"] == size]
        assert fits([row["k"] for row in here], dict.fromkeys(range(size + 1), 1))
        assert stats.kstest([row["x"] / size - 1 for row in here], "uniform").pvalue > 1e-3


def test_forbidden_combinations_leave_the_rest_uniform() -> None:
    space = Space({"a": Integer(0, 3), "b": Integer(0, 3)}, forbidden=["a > b", "a == 2"])
    shares = {(a, b): 1.0 for a in range(4) for b in range(4) if a <= b and a != 2}
    assert fits([(row["a"], row["b"]) for row in drawn(space)], shares)


def test_the_probabilities_of_the_list_are_those_of_draws() -> None:
    from racing.space.counting import enumerated

    raw, weights = enumerated(SMALL, 10_000)
    listed = [SMALL.key(values) for values in SMALL.encoding.plain(raw)]
    shares = dict(zip(listed, np.exp(weights), strict=True))
    keys = [SMALL.key(values) for values in drawn(SMALL, 60_000)]
    assert fits(keys, shares)


def test_drawing_without_replacement_from_a_list_is_rejecting_duplicates() -> None:
    """First draws have the probabilities of single ones, on a space small enough to be listed."""
    space = Space({"n": Integer(1, 4, log=True), "f": Flag(when="n > 2")})
    first = [space.sample(np.random.default_rng(seed), 5)[0]["n"] for seed in range(800)]
    assert fits(first, {i: np.log((i + 1) / i) for i in (1, 2, 3, 4)})


@pytest.mark.parametrize("space", [SMALL, MIXED])
@pytest.mark.parametrize("way", ["sample", "initial"])
def test_samples_are_allowed_distinct_and_repeatable(space: Space, way: str) -> None:
    known = space.sample(np.random.default_rng(9), 5)
    draw = getattr(space, way)
    found = draw(np.random.default_rng(4), 30, exclude=known)
    for values in found:
        space.check(values)
        assert list(values) == [name for name in space if name in values]
    assert len({space.key(values) for values in [*known, *found]}) == len(known) + len(found)
    assert draw(np.random.default_rng(4), 30, exclude=known) == found
    assert draw(np.random.default_rng(4), 0) == []


def test_an_initial_design_is_spread_evenly() -> None:
    space = Space({"x": Real(0, 1), "n": Integer(1, 8), "c": Categorical(list("abcd"))})
    found = space.initial(np.random.default_rng(2), 64)
    assert Counter(values["n"] for values in found) == dict.fromkeys(range(1, 9), 8)
    assert Counter(values["c"] for values in found) == dict.fromkeys("abcd", 16)
    assert np.bincount([int(16 * v["x"]) for v in found]).tolist() == [4] * 16  # type: ignore[operator]


def test_hardly_anything_allowed_is_an_error_that_names_the_clause() -> None:
    space = Space({"a": Real(0, 1), "b": Real(0, 1)}, forbidden=["a > 0.00001", "b > 0.5"])
    for draw in (space.sample, space.initial):
        with pytest.raises(SamplingError) as caught:
            draw(np.random.default_rng(1), 50)
        assert "a > 1e-05 refuses most, " in str(caught.value)
        assert "of 50 configurations were found" in str(caught.value)


def test_a_rare_region_is_still_found() -> None:
    space = Space({"a": Real(0, 1), "b": Real(0, 1)}, forbidden=["a > 0.02"])
    found = space.sample(np.random.default_rng(1), 100)
    assert len(found) == 100
    assert max(values["a"] for values in found) <= 0.02  # type: ignore[type-var, operator]


def chain(length: int) -> Space:
    """Each parameter is active with one of the two levels of the one before."""
    rest = {f"p{k}": Categorical(["a", "b"], when=f"p{k - 1} == 'a'") for k in range(1, length)}
    return Space({"p0": Categorical(["a", "b"]), **rest})


@pytest.mark.parametrize("way", ["sample", "initial"])
def test_a_long_chain_has_few_likely_configurations_and_the_others_are_listed(way: str) -> None:
    space = chain(120)
    found = getattr(space, way)(np.random.default_rng(1), 25)
    assert len({len(values) for values in found}) >= 25 - 1
    assert len({str(values) for values in found}) == 25


def test_draws_of_many_columns_are_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    space, drawn = chain(1000), []
    monkeypatch.setattr(sampling, "_SMALL", 100)  # so that it is not listed
    monkeypatch.setattr(sampling, "_CELLS", 200_000)
    monkeypatch.setattr(sampling, "_BARREN_CELLS", 3_000_000)
    make = Encoding.from_points

    def count(self: Encoding, points: Units) -> Units:
        drawn.append(points.size)
        return make(self, points)

    monkeypatch.setattr(Encoding, "from_points", count)
    assert 5 < len(space.initial(np.random.default_rng(1), 40)) < 40
    assert max(drawn) <= 400_000
    assert sum(drawn) <= 10_000_000
