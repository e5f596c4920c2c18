"""The gain by family: each family by itself, with intervals that hold together."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.analysis.unseen import holdout
from racing.answer.gain import gain
from racing.core.instances import Instances
from racing.log import SQLiteLog, replay
from racing.race import Race
from racing.report.families import (
    ByFamily,
    FamilyGain,
    family_sentences,
    gains_by_family,
    unseen_by_family,
)
from racing.report.run_document import shown
from racing.rules import RULES
from racing.runner.run import run
from tests.report.kit import changed, told
from tests.runs_kit import write_scenario, write_search

NOISE = np.random.default_rng(3).normal(size=48)


def raced(costs, families=(), names=(), rule="none", **how):
    """A race over a matrix of costs, in the order of its rows."""
    n, m = costs.shape
    stream = Instances(range(n), names=names, order="listed", families=families)
    race = Race([{"j": j} for j in range(m)], stream, rule=RULES[rule](), **how)
    while not race.done:
        for e in race.ask():
            race.tell(e, float(costs[e.instance.problem, e.candidate.id - 1]))
    return race


def two_kinds(gain_k=2.0, gain_p=-1.0):
    """Candidate #2 gains on k, and loses less on p, against the default #1; #3 is best on p."""
    kind = np.array(["k", "p"] * 24)
    gains = np.where(kind == "k", gain_k, gain_p) + 0.2 * NOISE
    third = np.where(kind == "k", -3.0, 0.5)
    return np.column_stack([gains, np.zeros(48), gains - third]), kind.tolist()


def test_each_family_is_compared_by_itself_at_a_level_for_all():
    costs, kind = two_kinds()
    race = raced(costs, kind)
    found = gains_by_family(race)
    assert found.names == ("#2", "#1")
    assert [row.family for row in found.rows] == ["k", "p"]
    for row in found.rows:
        own = costs[np.array(kind) == row.family][:, [1, 0]]
        alone = gain(own, name="#2", over="#1", level=0.975)  # 1 − .05/2
        assert row.gain == alone
        assert (row.gain.instances, row.gain.wins, row.gain.losses) == (
            24,
            int((own[:, 0] < own[:, 1]).sum()),
            int((own[:, 0] > own[:, 1]).sum()),
        )
    assert [row.gain.evidence for row in found.rows] == ["better", "worse"]
    assert {row.gain.of for row in found.rows} == {"choice"}


def test_the_best_of_a_family_is_told():
    costs, kind = two_kinds()
    assert [str(row.best) for row in gains_by_family(raced(costs, kind)).rows] == ["#2", "#3"]


def test_a_candidate_that_left_early_is_not_ahead():
    kind = np.array(["k", "p"] + ["k"] * 12 + ["p"] * 10)
    two = 0.01 * NOISE.reshape(2, 24)  # not told apart
    costs = np.column_stack([np.ones(24), *two, np.where(kind == "k", 9, -9)])
    race = raced(costs, kind.tolist(), rule="sign")
    ran = ~np.isnan(race.results.costs[:, 3])
    assert ran[1]
    assert not ran.all(), "it is dropped after one instance of p, where it was best"
    assert {str(row.best) for row in gains_by_family(race).rows} <= {"#2", "#3"}


def test_intervals_of_all_families_hold_together():
    rng, missed, families = np.random.default_rng(8), 0, ["a", "b", "c", "d"] * 8
    for _ in range(300):
        gains = rng.normal(0.3, 1, 32)
        costs = np.column_stack([gains, np.zeros(32)])
        race = raced(costs, families)
        if str(race.winner) != "#2":
            continue
        rows = gains_by_family(race).rows
        missed += any(not row.gain.low <= 0.3 <= row.gain.high for row in rows)
    assert missed <= 0.05 * 300


def test_too_few_instances_of_a_family_are_said_to_be_few():
    costs = np.column_stack([2 + 0.1 * NOISE[:16], np.zeros(16)])
    rows = gains_by_family(raced(costs, ["a"] * 5 + ["b"] * 6 + ["c"] * 5)).rows
    assert [row.gain.evidence for row in rows] == [
        "few"
    ] * 3  # six are enough at 95 %, not at 98.3 %
    rows = gains_by_family(raced(costs, ["a"] * 8 + ["b"] * 8)).rows
    assert [row.gain.evidence for row in rows] == ["better"] * 2


def test_failures_count_as_worst_in_what_is_shown():
    costs = np.zeros((24, 2))
    costs[12:, 0], costs[:12, 1], costs[:12, 0] = 5.0, 0.0, np.inf
    costs[:12, 1] += 0.1
    rows = gains_by_family(raced(costs, ["a"] * 12 + ["b"] * 12)).rows
    first = rows[0].gain
    assert (first.estimate, first.failures + first.over_failures) == (None, 12)
    assert first.evidence == "better"


def test_failures_with_a_penalty_are_counted_in_each_family():
    costs = np.zeros((24, 2))
    costs[12:, 0], costs[:12, 0], costs[:12, 1] = 5.0, np.inf, 0.1
    kinds = ["a"] * 12 + ["b"] * 12
    rows = gains_by_family(raced(costs, kinds, on_failure={"penalty": 9.0})).rows
    assert [row.gain.failures + row.gain.over_failures for row in rows] == [12, 0]
    assert rows[0].gain.estimate == pytest.approx(8.9)


def test_none_are_told_unasked_where_none_are_of_use():
    costs = np.column_stack([2 + NOISE, np.zeros(48)])
    assert gains_by_family(raced(costs)) is None
    assert gains_by_family(raced(costs, ["a"] * 48)) is None
    assert gains_by_family(raced(costs, [str(k) for k in range(48)])) is None
    assert gains_by_family(raced(costs, [str(k % 24) for k in range(48)])) is not None


def test_there_are_none_where_the_default_wins():
    costs = np.column_stack([np.zeros(48), 2 + NOISE])
    assert gains_by_family(raced(costs, ["a", "b"] * 24)) is None


def test_they_are_told_by_folder_or_by_an_expression_where_they_are_asked_for():
    costs, kind = two_kinds()
    names = [f"data/{family}/{k}" for k, family in enumerate(kind)]
    race = raced(costs, names=names)
    expected = gains_by_family(raced(costs, kind)).rows
    for by in ("family", "folder", r"data/(.)"):
        assert gains_by_family(race, by=by).rows == expected


def test_a_search_tells_the_mean_gain_on_unseen_instances(tmp_path):
    log = tmp_path / "log.sqlite"
    source = {"list": [f"{kind}/{k}" for k in range(30) for kind in "kp"], "family": "folder"}
    run(write_search(tmp_path, budget=700, source=source), log=log)
    with SQLiteLog.open(log, write=False) as book:
        search = replay(book)
    found = gains_by_family(search)
    assert found == racing.by_family(log)
    assert {(row.gain.measure, row.gain.of) for row in found.rows} == {("mean", search.gain.of)}
    assert sum(row.gain.instances for row in found.rows) == search.gain.pairs
    two = search.found, search.baseline
    columns = [search.results.candidates.index(one.id) for one in two]
    for row in found.rows:
        steps = [s for s in search.unseen if search.instance(s).name.startswith(row.family)]
        alone = gain(search.results.costs[steps][:, columns], mean=True, level=0.975, of="unseen")
        told = row.gain
        assert (told.estimate, told.low, told.high) == (alone.estimate, alone.low, alone.high)


def test_a_test_on_held_out_instances_comes_first(tmp_path):
    log = tmp_path / "log.sqlite"
    source = {"list": [f"k/{k}" for k in range(12)] + [f"p/{k}" for k in range(12)]}
    scenario = write_scenario(tmp_path, noise=0.3, source={**source, "family": "folder"})
    run(scenario, log=log)
    found = holdout(log, [f"{kind}/new-{k}" for k in range(9) for kind in "kp"], against="#8")
    assert found.families == ("k", "p") * 9
    rows = unseen_by_family(found).rows
    assert [(row.family, row.gain.instances, row.gain.evidence) for row in rows] == [
        ("k", 9, "better"),
        ("p", 9, "better"),
    ]
    assert all(row.best is None for row in rows)
    assert len(unseen_by_family(found, by=r"new-(\d)").rows) == 9


def test_a_test_of_instances_that_the_scenario_says_no_family_of_has_none(tmp_path):
    log = tmp_path / "log.sqlite"
    source = {"list": [f"k/{k}" for k in range(12)] + [f"p/{k}" for k in range(12)]}
    run(write_scenario(tmp_path, noise=0.3, source={**source, "family": "(.)/"}), log=log)
    assert holdout(log, [f"new-{k}" for k in range(9)], against="#8").families == ()


@pytest.mark.parametrize("search", [True, False])
def test_a_family_that_is_worse_by_one_metric_of_several_need_not_keep_the_default(search):
    def slower_but_right(values, instance, seed):
        right = float(values["x"] > 0.5)
        return {"time": 1 + right + seed % 7 / 100, "right": right}

    kinds = racing.Instances(range(40), families=["k", "p"] * 20)
    space = {"x": {"real": [0, 1], "default": 0.1}}
    given = space if search else [{"x": 0.1}, {"x": 0.9}]
    found = racing.minimize(
        slower_but_right, given, kinds, budget=200, metrics={"time": {}, "right": {}},
        objective={"minimize": "time", "subject_to": ["right >= 0.9"]},
    )  # fmt: skip
    view = found.search if search else found.race
    rows = gains_by_family(view)
    assert {row.gain.metric for row in rows.rows} == {"time"}
    assert "worse" in {row.gain.evidence for row in rows.rows}
    assert all(row.best.values["x"] > 0.5 for row in rows.rows), "the best there is right"
    (said,) = family_sentences(rows)
    assert said.startswith("By family and by time alone, ")
    assert not search or str(view.gain).startswith("By time alone, on ")


def test_a_family_with_more_failures_keeps_the_default_whatever_the_metric():
    costs = np.column_stack([np.r_[np.full(9, np.inf), 1.0], np.ones(10)])
    told = gain(costs, name="#2", over="default", metric="time")
    found = ByFamily(rows=(FamilyGain(family="k", gain=told, best=None),), level=0.95)
    assert "On k keep default: there #2 failed on 9 and default on 0 of 10" in "".join(
        family_sentences(found)
    )


def test_it_prints_its_sentences_or_why_there_are_none(tmp_path):
    costs = np.column_stack([np.zeros(8), np.ones(8)])
    rows = gains_by_family(raced(costs[:, ::-1], ["a"] * 4 + ["b"] * 4))
    assert str(rows) == " ".join(family_sentences(rows))
    assert repr(rows) == f"<ByFamily: {rows}>"
    found = racing.minimize(lambda values, *_: values["x"], [{"x": 2}, {"x": 1}], range(9))
    none = racing.by_family(found)
    assert not none
    assert none.rows == ()
    assert "give `by`" in str(none)
    assert racing.by_family(found, by="(.)")
    best = racing.minimize(lambda values, *_: values["x"], [{"x": 1}, {"x": 2}], range(9))
    assert racing.by_family(best, by="(.)").why == "Nothing is shown to be better than #1."


def test_where_they_are_asked_for_and_there_are_none_that_is_said():
    costs = np.column_stack([np.zeros(8), np.ones(8)])
    for best, said in ((0, True), (1, False)):
        run = changed(told(costs[:, ::-1] if best else costs, rule="none"), by="(.)")
        assert (run.families is None) == said
        assert ("--by: there is no gain by family" in str(shown(run)[0])) == said
