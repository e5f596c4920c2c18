"""What step-up and step-down procedures share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats.corrections import as_pvalues, in_order, running_minimum

VALUES = st.lists(st.sampled_from([0.0, 0.01, 0.2, 0.2, 0.5, 1.0]) | st.floats(0, 1), max_size=7)


@given(VALUES)
def test_a_procedure_gets_sorted_p_values_with_the_number_of_hypotheses_left(p):
    def procedure(values, left):
        assert (np.diff(values) >= 0).all()
        assert left.tolist() == list(range(len(p), 0, -1))
        return values

    assert in_order(p, procedure).tolist() == p


@given(VALUES)
def test_no_adjusted_p_value_is_above_1_or_below_its_own(p):
    assert in_order(p, lambda values, left: values * 7).tolist() == [min(7 * one, 1) for one in p]
    assert in_order(p, lambda values, left: values / 2).tolist() == p


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=7))
def test_the_running_minimum_is_over_the_values_from_there_on(x):
    assert running_minimum(np.array(x)).tolist() == [min(x[j:]) for j in range(len(x))]


@pytest.mark.parametrize("p", [[0.5, 1.5], [-0.1], [[0.1, 0.2]], [float("nan")]])
def test_only_vectors_of_probabilities_are_p_values(p):
    with pytest.raises(InputError, match="p:"):
        as_pvalues(p)
