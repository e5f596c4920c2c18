"""The live line fits a terminal of 80 columns, whatever the race."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from racing.budget import Budget
from racing.progress.state import RunState, look
from racing.race import Race
from racing.rules import Keep

NUMBERS = st.integers(0, 10**9)


@given(
    parts=st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5),
    elapsed=st.floats(0, 1e7),
    left=st.one_of(st.just(math.inf), st.floats(0, 1e7)),
)
def test_any_line_fits(parts: list[str], elapsed: float, left: float) -> None:
    assert len(RunState(tuple(parts), elapsed, left).line()) <= 80


def test_the_most_important_is_kept() -> None:
    parts = ("1000/1000 left", "100000/100000 instances", "100000000/100000000 runs", "best #1000")
    line = RunState(parts, 360_000.0, 360_000.0).line()
    assert line.startswith("1000/1000 left · 100000/100000 instances · ")
    assert line.endswith(" · 100h 00m · at most 100h 00m to go")
    assert len(line) <= 80


def test_an_ordinary_race_is_told_whole() -> None:
    race = Race(
        [{"x": k} for k in range(40)], list("abcdefghij"), rule=Keep(),
        budget=Budget(evaluations=800), first_test=1,
    )  # fmt: skip
    for _ in range(5):
        for experiment in race.ask():
            outcome = experiment.outcome(float(experiment.candidate.id))
            race.tell(outcome)
    line = look(race, outcome).line()
    assert line.startswith("40/40 left · 5/10 instances · 200/800 runs · best #1 · ")
