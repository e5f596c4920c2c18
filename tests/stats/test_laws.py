"""Laws of all functions: many pairs are single tests; what is no cost or no option is refused."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from inspect import signature
from itertools import product
from typing import Any, Literal, get_origin, get_type_hints

import numpy as np
import pytest

from racing import stats
from racing.base.errors import InputError
from tests.stats.columns import of_every_pair


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


SIDES = ("two-sided", "better", "worse")
OF_RANKS = {  # they take failures
    **{f"sign test, {side}": (stats.sign_test, {"alternative": side}) for side in SIDES},
    **{
        f"wilcoxon, {side}, {method}, {rule}": (
            stats.wilcoxon, {"alternative": side, "method": method, "zero_rule": rule}
        )
        for side, method, rule in product(SIDES, ("auto", "normal"), ("split", "pratt", "wilcox"))
    },
    "A": (stats.vargha_delaney, {"paired": True}),
    **{f"location, {name}": (stats.median_difference, {"estimator": name})
       for name in ("hodges-lehmann", "median")},
    "dp_sign": (stats.dp_sign, {"rope": 1.0}),
    "dp_sign, bounds": (partial(stats.prior_bounds, stats.dp_sign), {"rope": 1.0}),
    "dp_signed_rank": (stats.dp_signed_rank, {"rope": 0.5, "rng": rng}),
    "dp_signed_rank, bounds": (
        partial(stats.prior_bounds, stats.dp_signed_rank), {"rope": 0.5, "rng": rng}
    ),
}  # fmt: skip
OF_MEANS = {
    **{f"t, {side}, {kind}": (stats.paired_t, {"alternative": side, "difference": kind})
       for side, kind in product(SIDES, ("absolute", "relative"))},
    "correlated t": (stats.correlated_t, {"rho": 0.1, "rope": 0.5}),
    "correlated t test": (stats.correlated_t_test, {"rho": 0.1}),
}  # fmt: skip
OF_SAMPLES = {
    **{f"U, {side}": (stats.mann_whitney, {"alternative": side}) for side in SIDES},
    **{f"t of ranks, {side}": (stats.brunner_munzel, {"alternative": side, "level": 0.9})
       for side in SIDES},
    "A": (stats.vargha_delaney, {"paired": False, "level": 0.9}),
    "dp_rank_sum": (stats.dp_rank_sum, {"rope": 0.05, "method": "beta", "rng": rng}),
    "dp_rank_sum, bounds": (
        partial(stats.prior_bounds, stats.dp_rank_sum), {"method": "beta", "rng": rng}
    ),
}  # fmt: skip


def told(case: tuple[Any, dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """A test and its options, each time with a new generator of the same stream."""
    test, options = case
    return test, {name: one() if one is rng else one for name, one in options.items()}


def check_same(many: Any, one: Any, at: tuple[int, ...], size: int) -> None:
    """Each array of the results of all pairs has the number of the single test at its place."""
    for field in fields(many):
        both = (np.asarray(getattr(each, field.name)) for each in (many, one))
        of_all, own = both
        if of_all.dtype.kind in "biuf" and of_all.shape[-2:] == (size, size):
            np.testing.assert_allclose(of_all[..., *at], own, atol=1e-12, err_msg=field.name)


def table() -> np.ndarray:
    """56 instances of 5 algorithms, two nearly and two wholly alike, with ties and failures."""
    X = np.random.default_rng(6).integers(1, 7, (56, 5)).astype(float)
    X[:, 3] = X[:, 2] + (np.arange(56) == 7)
    X[:, 4] = X[:, 1]
    X[5, 0] = X[5, 1] = X[9, 4] = np.inf
    return X


@pytest.mark.parametrize("case", [*OF_RANKS.values(), *OF_MEANS.values()],
                         ids=[*OF_RANKS, *OF_MEANS])  # fmt: skip
def test_many_pairs_are_single_tests(case):
    X = table()
    if case in OF_MEANS.values():
        X[np.isinf(X)] = 9.0
    test, options = told(case)
    many = of_every_pair(test, X, **options)
    for i, j in product(range(5), repeat=2):
        if i != j:
            test, options = told(case)
            check_same(many, test(X[:, i], X[:, j], **options), (i, j), 5)


@pytest.mark.parametrize("case", OF_SAMPLES.values(), ids=OF_SAMPLES)
def test_many_samples_are_tests_of_two(case):
    draw = np.random.default_rng(2)
    samples = [np.round(draw.normal(i / 3, 1 + i, n), 1) for i, n in enumerate((6, 9, 30, 40))]
    samples.append(np.full(4, 99.0))
    test, options = told(case)
    many = test(samples, **options)
    for i, j in product(range(5), repeat=2):
        if i != j:
            test, options = told(case)
            check_same(many, test(samples[i], samples[j], **options), (i, j), 5)


@pytest.mark.parametrize(
    ("y", "says"),
    [
        ([1.0, np.nan], "y: NaN at position 1"),
        ([-np.inf, 1.0], "y: position 0 is infinitely good"),
        (["a", "b"], "y must be real numbers"),
        ([], "y must be .* one or more"),
    ],
)
@pytest.mark.parametrize("case", [*OF_RANKS.values(), *OF_MEANS.values(), *OF_SAMPLES.values()],
                         ids=[*OF_RANKS, *OF_MEANS, *OF_SAMPLES])  # fmt: skip
def test_what_is_no_cost_is_refused(case, y, says):
    test, options = told(case)
    with pytest.raises(InputError, match=says):
        test([1.0, 2.0], y, **options)
    if case not in OF_SAMPLES.values():
        with pytest.raises(InputError, match="must be of equal length"):
            test([1.0, 2.0], [3.0], **options)


BEYOND: dict[Any, tuple[Any, ...]] = {
    **dict.fromkeys(("alpha", "gamma", "level", "confidence", "quantile"), (0, 1, 95)),
    **dict.fromkeys(("rope", "s", "pseudo"), (-0.1, np.inf)),
    **dict.fromkeys(("draws", "max_draws", "h", "k", "m", "n"), (0,)),
    "epsilon": (0, 0.5), "rho": (-0.1, 1.0), "tolerance": (-0.1, 1.0), "factor": (0.5, np.inf),
    "chains": (1,), "warmup": (-1,), "digits": (0, 16), "size": (1,), "rng": (),
    ("joint_comparisons", "gamma"): (0.5,), ("dp_rank_sum", "rope"): (0.5,),
    ("dp_signed_rank", "draws"): (1,), ("dp_signed_rank_sample", "draws"): (1,),
    ("par", "draws"): (99,), ("expected_running_time", "draws"): (99,),
    ("dp_kruskal", "draws"): (99,), ("nemenyi_q", "m"): (1,), ("bonferroni_dunn_q", "m"): (1,),
    ("minimum_instances", "m"): (1,),
}  # fmt: skip
"""Values that an option of this name must refuse, in all functions or in one."""
NO_NUMBER = (np.nan, "0.1", True)
BY_ANOTHER = {
    "sign_test", "prior_bounds", "nemenyi_cd", "bonferroni_dunn_cd",
    ("correlated_t", "rho"), ("correlated_t_test", "rho"), ("adjust", "method"),
}  # fmt: skip
"""Functions or options that are checked later, by what they call."""


def options() -> list[tuple[str, str, tuple[Any, ...]]]:
    """(function, option, values that it must refuse) of all public functions."""
    found = []
    for name in sorted(stats.__all__):
        function = getattr(stats, name)
        if not callable(function) or isinstance(function, type) or name in BY_ANOTHER:
            continue
        hints = get_type_hints(function)
        for option in signature(function).parameters:
            wrong = BEYOND.get(option, ()) + BEYOND.get((name, option), ())
            if option == "rng":
                found.append((name, option, (1, "seed")))
            elif get_origin(hints[option]) is Literal:
                found.append((name, option, ("another", 1)))
            elif wrong and (name, option) not in BY_ANOTHER:
                found.append((name, option, wrong + NO_NUMBER))
    return found


@pytest.mark.parametrize(("name", "option", "wrong"), options(),
                         ids=[f"{name}, {option}" for name, option, _ in options()])  # fmt: skip
def test_options_that_make_no_sense_are_refused_by_name(name, option, wrong):
    function = getattr(stats, name)
    parameters = signature(function).parameters.values()
    first = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    for value in wrong:
        given = dict.fromkeys(first, 2) | {option: value}  # data are looked at later
        data = [given.pop(one) for one in first]
        with pytest.raises(InputError, match=rf"^{option} must be .*got "):
            function(*data, **given)


def test_every_option_with_a_range_has_values_that_it_must_refuse():
    tried = {(name, option) for name, option, _ in options()}
    for name in set(stats.__all__) - BY_ANOTHER:
        function = getattr(stats, name)
        if callable(function) and not isinstance(function, type):
            hints = get_type_hints(function, include_extras=True)
            for option in signature(function).parameters:
                if "Quantity(" in str(hints[option]):
                    assert (name, option) in tried
