"""However calls come, no time of w seconds sees more than 1 + rate · w of them begin."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from racing.evaluate.engines.asyncio import Rate


@given(
    gaps=st.lists(st.sampled_from([0.0, 0.0, 0.003, 0.5, 3.0]), max_size=40),
    rate=st.sampled_from([0.5, 4.0, 50.0]),
)
def test_calls_are_spaced_and_none_waits_for_nothing(gaps: list[float], rate: float) -> None:
    turns, now, begun = Rate(rate), 0.0, [-math.inf]
    for gap in gaps:
        now += gap
        begun.append(now + turns.reserve(now))
        assert math.isclose(begun[-1], max(now, begun[-2] + 1 / rate))


def test_without_a_rate_none_waits() -> None:
    turns = Rate(None)
    assert [turns.reserve(1.0) for _ in range(3)] == [0, 0, 0]
