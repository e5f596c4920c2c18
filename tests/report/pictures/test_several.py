"""Several runs: their winners on the instances that both have met, and their page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from racing.answer.gain import gain
from racing.answer.tested import UnseenTest
from racing.base.errors import InputError
from racing.base.plain import json_text
from racing.report.page.data import several_data
from racing.report.pictures.several import duels, headline, runs_of, sentences
from tests.report.kit import on_unseen, told, told_metrics
from tests.report.states import STATES

# --- several runs: their winners on the instances that both have met, and what a page says of it

NAMES = tuple(f"new-{k}" for k in range(12))


def a_run(
    seed: int, *, held_out: np.ndarray | None = None, names=NAMES, best: float = 1.0, **how: Any
):
    """A race over x; the winner is #2, and its values tell the seed."""
    rng = np.random.default_rng(seed)
    costs = rng.normal([4.0, best, 5.0], 0.1, size=(9, 3))
    values = [{"x": 0}, {"x": seed}, {"x": -seed}]
    found = told(costs, rule="none", values=values, **how)
    if held_out is None:
        return found
    pair = np.column_stack([held_out, held_out + 2.0])
    winner, other = found.winner, found.race.candidates[0]
    tested = UnseenTest(
        kind="winner",
        result=(winner,),
        others=(other,),
        instances=tuple(names),
        costs=pair,
        gains=(gain(pair, name=winner, over=other, of="unseen"),),
    )
    return replace(found, tests=(tested,))


def told_of(*histories, labels=("a", "b", "c")):
    runs = runs_of(histories, labels[: len(histories)])
    found = duels(runs)
    return headline(runs, found), sentences(runs, found), found


def test_held_out_instances_decide_between_winners():
    base = np.random.default_rng(1).normal(3, 0.3, size=12)
    first, said, (duel,) = told_of(a_run(1, held_out=base), a_run(2, held_out=base + 1))
    assert first == "#2 (a) is better on unseen problems."
    assert said[0].startswith("On 12 unseen problems, ")
    assert duel.held_out
    assert duel.costs == pytest.approx(np.column_stack([base, base + 1]))


def test_instances_are_paired_by_their_names():
    base = np.arange(12.0)
    order = np.random.default_rng(3).permutation(12)
    mixed = a_run(2, held_out=base[order], names=[NAMES[k] for k in order])
    _, _, (duel,) = told_of(a_run(1, held_out=base), mixed)
    assert duel.costs[:, 0] == pytest.approx(duel.costs[:, 1])


def test_winners_that_do_not_differ_are_undecided():
    rng = np.random.default_rng(1)
    base = rng.normal(3, 0.3, size=12)
    first, _, _ = told_of(a_run(1, held_out=base), a_run(2, held_out=base + rng.normal(size=12)))
    assert first.startswith("Undecided")


def test_instances_that_chose_the_winners_decide_nothing():
    first, said, (duel,) = told_of(a_run(1), a_run(2, best=2.0))
    assert first == "2 runs, 2 winners: which is better is not known."
    assert not duel.held_out
    assert "These instances also chose the winners." in said[0]
    assert said[-1].startswith("A test of each run, with the same instances, ")
    by_command = {"target": {"command": "solve {x}"}}
    _, said, _ = told_of(*(a_run(k, best=k, scenario=by_command) for k in (1, 2)))
    assert said[-1].startswith("`racing test` on each run, with the same instances, ")


def test_winners_chosen_by_means_are_compared_by_means():
    base, skewed = np.zeros(12), np.r_[np.full(11, -0.1), 12.0]
    for objectives, measure in ((("mean", "mean"), "mean"), (("mean", "rank"), "median")):
        first, other = (
            a_run(k + 1, held_out=costs, objective=objective)
            for k, (costs, objective) in enumerate(zip((base, skewed), objectives, strict=True))
        )
        _, _, (duel,) = told_of(first, other)
        assert duel.gain.measure == measure
        assert (duel.gain.estimate > 0) == (measure == "mean")


def test_one_metric_of_several_does_not_decide_between_winners():
    limit = {"minimize": "time", "subject_to": ["success >= 0.5"]}
    runs = []
    for kind, time in (("a", 1.0), ("b", 2.0)):
        run = told_metrics(limit, **{kind: (time, 9), "slow": (9.0, 9)})
        pair = np.column_stack([time + np.arange(12) / 50, np.full(12, 9.0)])
        tested = on_unseen(run.winner, run.race.candidates[1], pair, metric="time")
        runs.append(replace(run, tests=(tested,)))
    first, said, (duel,) = told_of(*runs)
    assert duel.held_out
    assert first == "2 runs, 2 winners: which is better is not known."
    assert said[0].startswith("By time alone, on 12 unseen problems, ")


def test_equal_winners_are_agreement():
    first, said, found = told_of(a_run(1), a_run(1))
    assert first == "Both runs found the same configuration."
    assert found == ()
    assert said == ()


def test_what_two_of_three_runs_found_is_said_and_drawn_once():
    first, said, found = told_of(a_run(1), a_run(2), a_run(2))
    assert first == "3 runs, 2 winners: which is better is not known."
    assert said[0] == "b and c found the same configuration."
    assert len(found) == 1
    base = np.random.default_rng(1).normal(3, 0.3, size=12)
    first, _, (duel,) = told_of(a_run(1), a_run(2), a_run(1))
    assert not duel.held_out
    first, _, (duel,) = told_of(a_run(1), a_run(2, held_out=base + 1), a_run(1, held_out=base))
    assert (first, duel.held_out) == ("#2 (a) is better on unseen problems.", True)


def test_one_of_three_must_beat_both_others():
    base = np.random.default_rng(1).normal(3, 0.3, size=12)
    first, _, found = told_of(
        *(a_run(1 + k, held_out=base + gap) for k, gap in enumerate((2, 0, 1)))
    )
    assert first == "#2 (b) is better on unseen problems."
    assert len(found) == 3
    first, _, _ = told_of(*(a_run(1 + k, held_out=base + gap) for k, gap in enumerate((2, 0, 0))))
    assert first.startswith("Undecided")


def test_a_run_without_a_winner():
    assert told_of(a_run(1), STATES["not begun"]())[0] == "Not every run has a winner yet."


def test_labels_are_distinct_and_directions_agree():
    runs = runs_of([a_run(1), a_run(2)], ["log", "log"])
    assert [run.label for run in runs] == ["log 1", "log 2"]
    with pytest.raises(InputError, match="do not compare"):
        runs_of([a_run(1), STATES["maximized"]()], ["a", "b"])
    with pytest.raises(InputError, match="too many"):
        runs_of([a_run(1)] * 7, list("abcdefg"))


# --- the page of several runs: its data, in every state, as JSON and as one file --------------


@pytest.mark.parametrize("state", [name for name in STATES if name not in ("maximized", "order")])
def test_every_state_stands_beside_another_run(state):
    data = several_data([STATES[state](), a_run(1)], [Path("a.sqlite"), Path("b.sqlite")])
    json.loads(json_text(data))
    assert data["summary"]["headline"]
    for table in data["summary"]["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    for one in data["pictures"]:
        assert not one["figure"] or one["table"]["rows"]


def test_the_winners_stand_beside_the_default():
    data = several_data([a_run(1), a_run(2)], [Path("a.sqlite"), Path("b.sqlite")])
    table = data["summary"]["tables"][1]
    assert table["columns"][1:] == ["#1 (a)", "#2 (a)", "#2 (b)"]
    assert table["rows"] == [["x", "0", "1", "2"]]
