"""The challengers under way: what they may still come to in all."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search import Settings
from tests.search.kit import a_search, noisy


@pytest.mark.parametrize("window", [3, 10, 40])
def test_what_challengers_may_come_to_is_the_sum_over_them(window):
    rng, search = np.random.default_rng(window), a_search(window=window, settings=Settings(every=5))
    checked = 0
    while not search.done:
        search.ask(13 - len(search.pending))
        search.tell(noisy()(search.pending[int(rng.integers(len(search.pending)))]))
        if search.phase != "running":
            continue
        challengers = search._phase._window  # type: ignore[union-attr]
        total = 0
        for flight in challengers._flights:
            total += flight.most
            assert challengers._most_through(flight.number) == total
            checked += flight.dropped
    assert checked
