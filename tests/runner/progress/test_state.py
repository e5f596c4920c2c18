"""The live line fits a terminal of 80 columns, whatever the race."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from racing.base.words import count
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Reused
from racing.race import Race
from racing.rules import Keep
from racing.runner.progress import Terminal
from racing.runner.progress.state import RunState, TimeLeft, look, time_left
from racing.search import Search
from racing.space import Real, Space

TIME = r"[smhd] left"


@given(
    parts=st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5),
    elapsed=st.floats(0, 1e7),
    expected=st.one_of(st.just(math.inf), st.floats(0, 1e7)),
    most=st.one_of(st.just(math.inf), st.floats(0, 1e7)),
)
def test_any_line_fits(parts: list[str], elapsed: float, expected: float, most: float) -> None:
    assert len(RunState(tuple(parts), elapsed, TimeLeft(expected, most)).line(width=80)) <= 80


def test_a_line_is_shortened_from_the_left() -> None:
    parts = ("1000/1000 left", "100000/100000 instances", "best #1000 5.03", "9000/10000")
    state = RunState(parts, 360_000.0, TimeLeft(360_000.0, 360_000.0))
    assert state.line(width=80).endswith(" · best #1000 5.03 · 9000/10000 · at most 4d 04h left")
    assert state.line(width=60) == "best #1000 5.03 · 9000/10000 · at most 4d 04h left"
    assert state.line(width=48) == "best #1000 5.03 · 9000/10000 · ≤ 4d 04h left"
    assert state.line(width=40) == "9000/10000 · ≤ 4d 04h left"


def test_an_ordinary_race_is_told_whole() -> None:
    race = Race(
        [{"x": k} for k in range(40)], list("abcdefghij"), rule=Keep(),
        budget=Budget(evaluations=800), first_test=1,
    )  # fmt: skip
    for _ in range(5):
        for experiment in race.ask(40):
            outcome = experiment.outcome(float(experiment.candidate.id))
            race.tell(outcome)
    line = look(race, outcome).line()
    assert "40/40 left · 5/10 instances · best #1 1 · 200/800" in line


def test_the_best_is_told_beside_the_default() -> None:
    known = [Candidate(1, {"x": 2}, name="default"), Candidate(2, {"x": 1})]
    race = Race(known, list("abcdef"), rule=Keep(), first_test=1)
    for experiment in race.ask(4):
        outcome = experiment.outcome(10.0 * experiment.candidate.values["x"])
        race.tell(outcome)
    assert "best #2 10 (default 20) · 4 evaluations" in look(race, outcome).line()


def test_a_mean_beside_a_dropped_default_says_on_how_many_instances_it_is() -> None:
    known = [Candidate(1, {"x": 2}, name="default"), Candidate(2, {"x": 1}), Candidate(3, {"x": 1})]
    race = Race(known, list("abcdefghijkl"), rule="sign")
    while not race.done:
        for experiment in race.ask():
            outcome = experiment.outcome(10.0 * experiment.candidate.values["x"])
            race.tell(outcome)
    (met,) = [one.instances for one in race.verdicts if one.eliminated]
    assert met < race.instances_seen == 12
    assert f"best #2 10 (default 20; both on {met} instances)" in look(race, outcome).line()


def test_a_best_one_is_new_only_on_as_many_instances_as_before(monkeypatch) -> None:
    """It was called new where the elites had met another instance, with a worse mean perhaps."""
    said: list[tuple[str, int]] = []
    terminal = Terminal()
    monkeypatch.setattr(terminal, "say", lambda line: said.append((line, search.instances_seen)))
    space = Space({"x": Real(0, 1, default=0.9)})
    search = Search(space, list("abcdefgh"), budget=300)
    for one in search:
        noise = random.Random(f"{one.candidate.values} {one.instance.seed}").gauss(0, 0.3)
        outcome = one.outcome(abs(one.candidate.values["x"] - 0.3) + noise)
        search.tell(outcome)
        terminal(search, outcome)
    assert {line.startswith("new best ") for line, _ in said} == {True, False}
    for before, (line, met) in zip([0, *(met for _, met in said)], said, strict=False):
        if line.startswith("new"):
            assert met == before
        else:
            assert line.startswith(f"after {count(met, 'instance')} best ")


def test_the_best_of_a_search_is_told_on_the_instances_by_which_it_is_best() -> None:
    search = Search(Space({"x": Real(0, 1, default=0.9)}), range(40), budget=300, seed=2)
    few = []
    for one in search:
        noise = random.Random(f"{one.candidate.values} {one.instance.seed}").gauss(0, 0.6)
        outcome = one.outcome(abs(one.candidate.values["x"] - 0.3) + noise)
        search.tell(outcome)
        both = re.findall(r"both on (\d+) instance", look(search, outcome).line())
        few += [int(many) < search.instances_seen for many in both]
    assert few
    assert all(few)


def test_the_bound_is_told_where_there_is_room_for_it() -> None:
    left = TimeLeft(60.0, 90.0)
    short = RunState(("11/40 left", "best #22"), 30.0, left).line()
    assert short == "30s · 11/40 left · best #22 · 1m 00s left, 1m 30s at most"
    long = RunState(("11/40 left", "20/30 instances", "best #22 5.031"), 30.0, left).line(width=80)
    assert long == "30s · 11/40 left · 20/30 instances · best #22 5.031 · 1m 00s left"


def test_a_bar_shows_the_share_that_is_done() -> None:
    state = RunState(("best #22",), 30.0, TimeLeft(30.0, 90.0))
    assert state.line(bar=True).startswith("━━━━━┄┄┄┄┄ 30s · best #22 · ")
    assert "━" not in RunState(("best #22",), 30.0).line(bar=True), "nobody knows the share"


def test_what_nobody_knows_is_not_told() -> None:
    assert RunState(("2/3 left",), 5.0).line() == "5.0s · 2/3 left"


def test_a_race_is_expected_to_end_before_its_bound_once_its_field_has_shrunk() -> None:
    race = Race(
        [{"x": k} for k in range(40)], list(range(30)), rule="sign", first_test=5,
        budget=Budget(evaluations=2000),
    )  # fmt: skip
    told = {}
    for experiment in race:
        cost = experiment.candidate.id + (experiment.instance.seed * experiment.candidate.id) % 7
        race.tell(experiment.outcome(float(cost), seconds=1.0))
        left = time_left(race, float(race.outcomes))
        assert 0 <= left.expected <= left.most
        told[race.outcomes] = left
    took = race.outcomes
    assert race.expected_evaluations == 0
    assert told[took] == TimeLeft(0.0, 0.0)
    assert all(left.most >= took - at for at, left in told.items()), "nobody enters"
    halfway = told[took // 2]
    assert halfway.expected < halfway.most


def test_a_search_is_expected_to_use_its_budget() -> None:
    search = Search(Space({"x": Real(0, 1)}), range(5), budget=100)
    for told, experiment in enumerate(search, start=1):
        search.tell(experiment.outcome(float(experiment.candidate.values["x"]), seconds=1.0))
        if not search.done:
            assert time_left(search, float(told)) == TimeLeft(100.0 - told, math.inf)


def test_no_time_left_is_told_before_there_is_a_basis_for_it() -> None:
    race = Race([{"x": k} for k in range(10)], range(50), rule=Keep(), budget=500)
    for experiment in race:
        outcome = experiment.outcome(1.0)
        race.tell(outcome)
        seen = race.outcomes
        told = bool(re.search(TIME, look(race, replace(outcome, elapsed=2.0 + 0.01 * seen)).line()))
        assert told == (seen >= 20), seen
        assert re.search(TIME, look(race, replace(outcome, elapsed=61.0)).line())
        if seen == 30:
            break


def test_what_was_paid_refused_and_reused_is_told() -> None:
    race = Race([{"x": 1}, {"x": 2}], range(40), rule=Keep(), budget=Budget(usd=5))
    for experiment in race.ask(2):
        outcome = replace(experiment.outcome(1.0), spent={"usd": 0.25})
        race.tell(outcome)
    assert "$0.5/5 · busy 3×" in look(race, outcome, refused=3).line()
    for experiment in race.ask(2):
        race.tell(replace(experiment.outcome(1.0), reused=Reused(log="old")))
    assert "busy" not in (line := look(race, outcome).line())
    assert "2 reused" in line
