"""The numbers of a search are checked; rungs, and what is prepaid."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.search import Settings
from racing.search.phase import rungs
from tests.search.kit import a_context


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"elites": 0}, "elites must be a whole number, 1 or more; got 0"),
        ({"every": 1.5}, "every must be a whole number, 1 or more; got 1.5"),
        ({"recent": True}, "recent must be a whole number, 1 or more; got true"),
        ({"first_instances": 0}, "first_instances must be a whole number, 1 or more; got 0"),
        ({"growth": 1}, "growth must be a whole number, 2 or more; got 1"),
        ({"initial": 0.5}, "initial must be a number above 0 and below 0.5; got 0.5"),
        ({"drop": 0.0}, "drop must be a number above 0 and below 0.5; got 0.0"),
        ({"confirm": -0.1}, "confirm must be a share from 0 to 0.5; got -0.1"),
        ({"prior": -1.0}, "prior must be a number, 0 or more; got -1.0"),
        ({"finish": 0.4, "confirm": 0.2}, "half of the budget"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        Settings(**change)


@pytest.mark.parametrize(
    ("instances", "expected"),
    [
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (4, [1, 2, 4]),
        (5, [1, 2, 4, 5]),
        (27, [1, 2, 4, 8, 16, 27]),
        (32, [1, 2, 4, 8, 16, 32]),
    ],
)
def test_rungs_double_and_end_at_all_instances(instances, expected):
    assert rungs(instances) == expected


def test_rungs_may_grow_faster():
    assert rungs(1, 4) == [1]
    assert rungs(16, 4) == [1, 4, 16]
    assert rungs(27, 4) == [1, 4, 16, 27]
    assert rungs(27, 3) == [1, 3, 9, 27]


@pytest.mark.parametrize(
    ("window", "prepaid", "instances", "expected"),
    [(10, 8, 9, 8), (10, 7, 9, 4), (17, 8, 9, 4), (17, 16, 17, 16), (40, 3, 4, 1), (1, 1, 9, 1)],
)
def test_what_is_prepaid_ends_at_a_rung(window, prepaid, instances, expected):
    settings = Settings(prepaid=prepaid)
    given = a_context(settings=settings, window=window)
    assert given.prepaid(instances, 30) == expected
    assert given.prepaid(prepaid, prepaid + 1) == prepaid  # it covers all that there is
    assert given.prepaid(2, 2) == min(2, prepaid)
