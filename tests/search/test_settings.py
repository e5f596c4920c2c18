"""The numbers of a search are checked."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.search import Settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"elites": 0}, "elites is 0"),
        ({"every": 1.5}, "every is 1.5"),
        ({"recent": True}, "recent is True"),
        ({"first_instances": 0}, "first_instances is 0"),
        ({"growth": 1}, "growth is 1; it must be a whole number, 2 or more"),
        ({"initial": 0.5}, "initial is 0.5"),
        ({"drop": 0.0}, "drop is 0.0"),
        ({"confirm": -0.1}, "confirm is -0.1"),
        ({"prior": -1.0}, "prior is -1.0"),
        ({"finish": 0.4, "confirm": 0.2}, "half of the budget"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        Settings(**change)
