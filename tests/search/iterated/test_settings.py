"""What the options allow."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.search.iterated.settings import IteratedSettings


def test_the_defaults_are_those_of_irace():
    told = IteratedSettings()
    assert (told.mu, told.first_test, told.each_test) == (5, 5, 1)
    assert (told.elitist, told.new_instances, told.elitist_limit) == (True, 1, 2)
    assert (told.soft_restart, told.restart_threshold) == (True, 1e-4)
    assert told.post_selection


def test_a_race_is_planned_for_the_first_test_at_least():
    assert IteratedSettings(mu=3, first_test=8).planned_instances == 8
    assert IteratedSettings(mu=9).planned_instances == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first_test": 5, "each_test": 2}, "must be a multiple of each_test, 2"),
        ({"mu": 0}, "mu must be a whole number, 1 or more"),
        ({"elitist": "yes"}, "elitist must be true or false"),
        ({"elitist": False, "bound": 3.0}, "needs elitist"),
        ({"bound": 0.0}, "bound must be a number above 0"),
        ({"capping": "mode"}, "capping must be"),
        ({"confirm": 0.7}, "confirm must be a number from 0 to 0.5"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        IteratedSettings(**options)
