"""Searches beside others on live targets: everybody gets the same, and its small form runs."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.search_live import __main__ as command
from benchmarks.search_live import equal_time, glance, irace_r, measure, tables
from benchmarks.search_live.contenders import CONTENDERS
from benchmarks.search_live.errors import crossed
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
    assert "racing | 8 | – | 0.350 | 1.650 (0.087) | – | 0 (–) | – | 10.0 | 20.0 |" in text
    assert (
        "Optuna, WilcoxonPruner | 8 | – | 1.000 | 1.000 (0.000) | – | 0 (–) | +0.650 (0.087) |"
        in text
    )
    assert (
        "- 60 evaluations, racing, beside Optuna, WilcoxonPruner: ahead in 8 of 8. "
        "`racing` was shown to be better than `Optuna, WilcoxonPruner`." in text
    )
    assert "beside irace" not in text


def test_only_seeds_that_both_ran_with_are_compared():
    runs = [a_run(seed=seed, cost=1.0) for seed in range(3)]
    runs += [a_run(seed=seed, contender="optuna", cost=seed) for seed in (1, 2, 3)]
    text = "\n".join(tables.lines(runs))
    assert "| +0.500 (0.500) |" in text
    assert "ahead in 1 of 2. Too few to be tested." in text


def test_errors_are_over_seeds_and_instances_where_outcomes_were_kept():
    costs = np.random.default_rng(1).normal(size=(3, 40))
    given = {"winner": "{}", "budget": 60}
    default = a_run(contender="default", outcomes=told(costs[0] + 1), **given)
    runs = [a_run(seed=seed, outcomes=told(costs[seed + 1]), **given) for seed in (0, 1)]
    runs = [default, *runs]
    found = tables.gains(runs[1:], default)
    assert found == pytest.approx(costs[0] + 1 - costs[1:], abs=1e-4)
    text = "\n".join(tables.lines(runs))
    assert f"| 2 | 40 | 1.000 | {found.mean():.3f} ({crossed(found):.3f}) | 2 | 0 (0) |" in text
    assert "default" not in text.partition("\n")[2]


def told(costs):
    return " ".join(f"{cost:.6g}" for cost in costs)


def test_winners_that_are_worse_than_the_default_are_counted_and_of_how_many_it_is_shown():
    noise = np.random.default_rng(1).normal(size=100)
    default = a_run(contender="default", outcomes=told(np.zeros(100)), winner="{}")
    noise -= noise.mean()
    costs = [0.5 + noise, 0.1 + noise, np.zeros(100), noise - 0.5]  # the error of a mean is .1
    found = ['{"x": 1}', '{"x": 2}', "{}", '{"x": 3}']
    runs = [
        a_run(seed=seed, outcomes=told(one), winner=winner)
        for seed, (one, winner) in enumerate(zip(costs, found, strict=True))
    ]
    assert "| 1 | 2 (1) |" in "\n".join(tables.lines([default, *runs]))


def test_a_run_without_outcomes_is_compared_on_the_instances_that_it_met():
    costs = np.arange(120.0)  # the first 30 have the mean 14.5
    runs = [a_run(outcomes=told(costs)), a_run(contender="irace", cost=15.0)]
    assert "| +0.500 |" in "\n".join(tables.lines(runs))


def test_a_row_at_a_glance_is_of_instances_that_all_have_met():
    costs = np.concatenate([np.full(30, 1.0), np.full(90, 5.0)])
    runs = [a_run(target="highs", budget=300, seed=n, outcomes=told(costs)) for n in (0, 1)]
    runs += [a_run(target="highs", contender="default", outcomes=told(np.full(120, 2.0)))]
    (whole,) = [row for row in glance.lines(runs) if row.startswith("| HiGHS")]
    assert "300 evaluations | −2.000 (" in whole
    old = a_run(target="highs", budget=300, contender="irace", cost=0.5)
    (shared,) = [row for row in glance.lines([*runs, old]) if row.startswith("| HiGHS")]
    assert "300 evaluations† | 1.000 (0.000) | 1.500 |" in shared


def test_the_table_at_a_glance_shows_what_is_bad_too():
    runs = [a_run(target=one, budget=size, seed=n) for one, size in glance.ROWS for n in (0, 1)]
    runs += [a_run(target="hgs", budget=500, contender="optuna", cost=3.0, seed=n) for n in (0, 1)]
    runs += [a_run(target="scipy", budget=500, contender="irace", refused="too few")]
    before = {"target": "hgs", "budget": glance.LONG, "contender": "racing-before"}
    runs += [a_run(**before, cost=cost, seed=seed) for seed, cost in enumerate((0.5, 2.0))]
    runs += [a_run(**{**before, "contender": "irace"}, seed=seed) for seed in (0, 1)]
    table = glance.lines(runs)
    text = "\n".join(table)
    assert "% of the length, 500† | 1.000 (0.000) | – | – | −1.000 (0.000) |" in text
    assert "error, 500† | 1.000 (0.000) | refuses | – | – |" in text
    assert (
        "| winners that are worse than the default | 0 of 12 | 0 of 0 | 0 of 0 | 2 of 2 |" in text
    )
    assert "before it set problems aside, is better |  | 1 of 2 |" in text
    page = f"before\n\n{table[0]}\n| old |\n{table[-1]} old |\n| kept |\n\nafter\n"
    assert glance.put(page, table) == f"before\n\n{text}\n| kept |\n\nafter\n"


@pytest.mark.parametrize("contender", ["optuna", "optuna-tpe"])
@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
def test_optuna_keeps_to_the_budget_and_begins_with_the_default(contender):
    meter, asked = Meter(target("scipy"), 32), []
    cost = target("scipy").cost

    def counted(values, instance, seed):
        asked.append(dict(values))
        return cost(values, instance, seed)

    meter.target = replace(meter.target, cost=counted)
    values, _ = CONTENDERS[contender](meter, 1)
    assert 30 <= meter.evaluations <= 32
    assert asked[0] == target("scipy").space.default()
    assert values in asked


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
