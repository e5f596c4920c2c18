"""The numbers of a search are checked."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.search import Settings


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
