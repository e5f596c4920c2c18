"""Searches beside others on live targets: everybody gets the same, and its small form runs."""

from __future__ import annotations

import csv
import shutil

import numpy as np
import pytest

from benchmarks.search_live import __main__ as command
from benchmarks.search_live import equal_time, irace_r, measure, tables
from benchmarks.search_live.functions import function
from benchmarks.search_live.meter import Meter
from benchmarks.search_live.targets import target
from racing.space import Boolean, Categorical, Integer, Real, Space

needs_irace = pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")


def a_run(**changes: object) -> measure.Run:
    given = {"target": "scipy", "contender": "racing", "budget": 60, "seed": 0, "cost": 1.0}
    given |= {"default": 2.0, "evaluations": 60, "processor": 0.6, "wall": 1.2}
    return measure.Run(**{**given, **changes})


def test_the_functions_are_least_at_their_optimum():
    rng = np.random.default_rng(1)
    for number in range(20):
        one = function(number)
        best = one(one._optimum[:, None])
        assert best[0] == pytest.approx(0, abs=1e-9)
        near = one._optimum[:, None] + rng.normal(size=(one.dimension, 50))
        assert (one(near) > 0).all()


def test_a_meter_counts():
    meter = Meter(target("scipy"), 3)
    values = target("scipy").space.default()
    assert meter(values, 0, 1) == meter(values, 0, 1) == target("scipy").cost(values, 0, 1)
    assert (meter.evaluations, meter.left) == (2, 1)
    assert meter.wall > 0


def test_the_small_form_runs_and_stores_what_it_measured(tmp_path, capsys):
    file = tmp_path / "runs.csv"
    contenders = ["--contenders", "racing", "--budgets", "20"]
    command.main(["run", "--small", *contenders, "--out", str(file)])
    (run,) = measure.load(file)
    assert (run.target, run.contender, run.budget, run.refused) == ("scipy", "racing", 20, "")
    assert run.evaluations <= 20
    assert np.isfinite([run.cost, run.default]).all()
    assert "| scipy | 20 | racing | 1 |" in capsys.readouterr().out


def test_a_table_says_who_refused_and_who_was_shown_to_be_better():
    runs = []
    for seed in range(8):
        runs += [a_run(seed=seed, cost=0.1 * seed), a_run(seed=seed, contender="optuna", cost=1.0)]
        runs += [a_run(seed=seed, contender="irace", cost=float("nan"), refused="too few")]
    text = "\n".join(tables.lines(runs))
    assert "| scipy | 60 | irace 3.5 | 8 | refuses |" in text
    assert "| scipy | 60 | racing | 8 | 0.350 (0.087) | 1.650 (0.087) | – | 10.0 | 20.0 |" in text
    assert "| scipy | 60 | Optuna | 8 | 1.000 (0.000) | 1.000 (0.000) | +0.650 (0.087) |" in text
    assert (
        "- 60 evaluations, beside Optuna: ahead in 8 of 8. "
        "`racing` was shown to be better than `Optuna`." in text
    )
    assert "beside irace" not in text


def test_only_seeds_that_both_ran_with_are_compared():
    runs = [a_run(seed=seed, cost=1.0) for seed in range(3)]
    runs += [a_run(seed=seed, contender="optuna", cost=seed) for seed in (1, 2, 3)]
    text = "\n".join(tables.lines(runs))
    assert "| +0.500 (0.500) |" in text
    assert "ahead in 1 of 2. Too few to be tested." in text


@needs_irace
def test_irace_asks_this_process_and_answers_with_a_configuration():
    space = Space(
        {
            "x": Real(0, 1, default=0.9),
            "n": Integer(1, 9, default=5),
            "kind": Categorical(["a, b", "c"], default="c"),
            "on": Boolean(default=True),
        }
    )
    asked = []

    def cost(values, place, seed):
        asked.append((values, place, seed))
        return abs(values["x"] - 0.3) + (values["kind"] == "c") + values["on"]

    try:
        found = irace_r.search(space, cost, instances=3, budget=200, seed=1)
    except irace_r.Refused as error:
        pytest.skip(str(error))
    assert 100 < len(asked) <= 200
    assert asked[0][0].keys() == space.default().keys()
    assert {place for _, place, _ in asked} == {0, 1, 2}
    assert space.default() in [values for values, _, _ in asked]
    assert space.complete(found.values) == found.values
    assert found.values["kind"] == "a, b"
    assert found.values["on"] is False


@needs_irace
def test_irace_says_why_it_would_not_begin():
    space = Space({"x": Real(0, 1, default=0.5)})
    with pytest.raises(irace_r.Refused, match=r"irace|budget"):
        irace_r.search(space, lambda *_: 0.0, instances=3, budget=5, seed=1)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_a_search_by_the_clock_ends_in_time_and_shares_are_compared(tmp_path):
    sleeping = equal_time.Sleeping("S5", 20, 0.001)
    assert 0 <= equal_time.race(sleeping, 0.5, seed=1) <= 2
    file = tmp_path / "time.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerows([["irace", "after_0.5"], [0.2, 0.1], [0.4, 0.7]])
    assert equal_time.lines(file)[2:] == [
        "| 1, irace 3.5 itself | 0.300 (0.100) | – |",
        "| 0.5 | 0.400 (0.300) | +0.100 (0.200) |",
    ]
