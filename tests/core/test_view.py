"""Reports read races and searches alike, without asking for their class."""

from __future__ import annotations

import pytest

from racing import Race, Search
from racing.core.candidate import Candidate
from racing.core.view import default_of
from racing.search import IteratedRacing
from racing.space import Real, Space

SPACE = Space({"x": Real(0, 1)})


@pytest.mark.parametrize(("names", "place"), [(["", "default", "b"], 1), (["a", "b"], 0)])
def test_a_race_compares_with_the_default_or_else_with_its_first_candidate(names, place):
    race = Race([Candidate(k + 1, {"x": k}, name) for k, name in enumerate(names)], range(5))
    assert default_of(race) == race.baseline == race.candidates[place]
    assert race.as_search is None


@pytest.mark.parametrize(("kind", "iterations"), [(Search, None), (IteratedRacing, 0)])
def test_a_search_is_one_and_says_whether_it_counts_iterations(kind, iterations):
    search = kind(SPACE, range(5), budget=100, known=[{"x": 0.5}])
    search.ask(1)
    assert search.as_search is search
    assert search.iterations == iterations
    assert default_of(search) == search.baseline is not None
