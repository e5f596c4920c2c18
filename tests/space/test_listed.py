"""A categorical parameter: its values as they stand, its errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.space import Categorical


def test_every_value_is_equally_likely() -> None:
    drawn = Categorical(["as", "mmas", 3]).sample(np.random.default_rng(4), 9000)
    assert stats.chisquare([drawn.count(value) for value in ("as", "mmas", 3)]).pvalue > 1e-3


def test_values_keep_their_order_and_their_types() -> None:
    mixed = Categorical(["b", True, 1, 0.5, "true"], default=True)
    assert mixed.values == ("b", True, 1, 0.5, "true")
    assert [type(mixed.admit(value)) for value in (True, 1, 1.0, "true")] == [bool, int, int, str]
    assert {type(value) for value in mixed.sample(np.random.default_rng(5), 99)} == {
        str, bool, int, float,
    }  # fmt: skip
    assert mixed.size == 5
    assert mixed.allowed == "one of b, true, 1, 0.5, true"
    assert Categorical(range(20)).allowed.endswith("6, 7, … (20 values)")


def test_a_single_value_is_a_fixed_parameter() -> None:
    assert Categorical(["x"]).sample(np.random.default_rng(6), 2) == ["x", "x"]


@pytest.mark.parametrize("value", ["c", None, 0, False, [1], math.nan])
def test_what_is_not_in_it(value: object) -> None:
    assert Categorical(["a", 1, True]).admit(value) is None


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([], {}, "there must be one value or more; got none"),
        ("abc", {}, 'values must be a list; got "abc"'),
        (["a", "b", "a"], {}, 'the values must differ; got "a" twice'),
        ([1, 1.0], {}, "the values must differ; got 1.0 twice"),
        ([math.nan], {}, "a value must be text, a finite number, true or false; got nan"),
        ([None], {}, "a value must be text, a finite number, true or false; got None"),
        (["a"], {"default": "b"}, 'the default must be one of a; got "b"'),
    ],
)
def test_faults(values: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Categorical(values, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
