"""How many races, what each may spend as in irace 4.4, and what the options allow."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.search.iterated.planning import affordable, least, planned, rounds, share, size
from racing.search.iterated.settings import IteratedSettings

IRACE = IteratedSettings()


@pytest.mark.parametrize(
    ("parameters", "number"), [(1, 2), (2, 3), (5, 4), (15, 5), (36, 7), (64, 8)]
)
def test_races_and_elites_grow_with_the_logarithm_of_the_parameters(parameters, number):
    assert rounds(parameters) == number


def test_a_race_gets_its_part_of_what_is_left():
    assert [share(1000, 1, 5), share(801, 2, 5), share(500, 5, 5)] == [200, 200, 500]
    assert share(300, 7, 5) == 300  # beyond the last one planned, all that is left


def test_the_first_race_of_an_elitist_run():
    # floor(200 / (5 + 1 · 1))
    assert size(200, 1, mu=5, each_test=1, elites=0, old=0, new=0) == 33


def test_a_later_race_counts_what_the_elites_need_not_run_again():
    # floor((200 + 5 · 8) / max(5 + 1 · 3, 8 + 1)) = floor(240 / 9)
    assert size(200, 3, mu=5, each_test=1, elites=5, old=8, new=1) == 26
    # the old instances are rounded up to full tests: floor(240 / 10)
    assert size(200, 1, mu=5, each_test=2, elites=5, old=8, new=1) == 24


def test_from_the_fifth_race_on_races_are_planned_alike():
    sizes = [size(700, j, mu=5, each_test=1, elites=0, old=0, new=0) for j in range(1, 9)]
    assert sizes == [116, 100, 87, 77, 70, 70, 70, 70]


def test_no_race_has_more_than_1024():
    assert size(10**6, 1, mu=5, each_test=1, elites=0, old=0, new=0) == 1024


@pytest.mark.parametrize(
    ("survivors", "iterations", "evaluations"),
    [(5, 5, 300), (7, 7, 728), (4, 4, 180), (4, 1, 30)],
)
def test_the_smallest_budget(survivors, iterations, evaluations):
    # irace 4.4 refuses fewer than about 300 with 15 parameters, and 700 with 40
    assert least(IRACE, survivors, iterations) == evaluations


def test_the_smallest_budget_without_elitism():
    assert least(IteratedSettings(elitist=False), 5, 5) == 6 * 5 * (5 + 5)


def test_a_small_budget_gives_fewer_races():
    assert affordable(IRACE, 5, 5, 300) == 5
    assert affordable(IRACE, 5, 5, 299) == 4
    assert affordable(IRACE, 5, 5, 36) == 1
    assert affordable(IRACE, 5, 5, 35) == 0


def plan(settings=IRACE, **given):
    return planned(settings, **{"number": 2, "iterations": 5, "survivors": 5, **given})


def test_a_race_that_is_too_small_is_planned_without_new_instances():
    # floor((60 + 5 · 10) / 11) = 10 and so no retry; with 12 old ones floor(120 / 13) = 9
    first = plan(remaining=240, elites=5, old=10, new=1)
    assert (first.evaluations, first.configurations, first.new) == (60, 10, 1)
    # floor((30 + 5 · 20) / 21) = 6: enough for more than five; with 5 · 20 / 21 it is 5
    scarce = plan(remaining=104, elites=5, old=20, new=1)
    assert scarce is not None
    assert (scarce.evaluations, scarce.configurations, scarce.new) == (26, 6, 1)
    none_new = plan(remaining=88, elites=5, old=20, new=1)
    assert none_new is not None
    assert (none_new.evaluations, none_new.configurations, none_new.new) == (22, 6, 0)


def test_without_room_for_newcomers_there_is_no_race():
    assert plan(remaining=40, elites=5, old=20, new=1) is None
    assert plan(remaining=20) is None


def test_options_limit_a_race():
    few = IteratedSettings(configurations=9)
    assert plan(few, remaining=4000, elites=5, old=5, new=1).configurations == 9
    fixed = IteratedSettings(per_iteration=77)
    assert plan(fixed, remaining=4000, elites=5, old=5, new=1).evaluations == 77
    assert plan(fixed, remaining=60, elites=5, old=5, new=1).evaluations == 60


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
