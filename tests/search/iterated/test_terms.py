"""In which order a race meets instances."""

from __future__ import annotations

import math

from racing.search.iterated.iteration import RaceOrder


def test_the_first_race_goes_from_the_first_instance_on():
    assert RaceOrder().steps(4) == [0, 1, 2, 3]
    assert RaceOrder().safe == 0


def test_an_elitist_race_meets_new_ones_then_past_ones_then_further_ones():
    order = RaceOrder((2, 0, 1), 2, 3)
    assert order.steps(8) == [3, 4, 2, 0, 1, 5, 6, 7]
    assert order.safe == 5


def test_without_new_ones_it_begins_with_the_past():
    assert RaceOrder((1, 0), 0, 2).steps(4) == [1, 0, 2, 3]


def test_a_race_of_its_own_begins_where_the_last_one_ended():
    assert RaceOrder(first=7).steps(3) == [7, 8, 9]


def test_it_ends_with_the_stream():
    assert RaceOrder((2, 0, 1), 1, 3).limit(5) == 5
    assert RaceOrder(first=7).limit(9) == 2
    assert RaceOrder().limit(math.inf) == math.inf
