"""What is known between two races."""

from __future__ import annotations

from racing.search.iterated.generation import Generation


def test_a_race_adds_its_elites_in_front_each_once():
    one = Generation(iterations=2).after((4, 2))
    two = one.after((7, 4))
    assert (two.races, two.elites, two.finalists) == (2, (7, 4), (7, 4, 2))
    assert two.iterations == 2
    assert two.after((7,)).iterations == 3
