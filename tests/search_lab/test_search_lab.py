"""The laboratory of searches: the same landscapes as when its figures were measured."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.search_lab import __main__ as command
from benchmarks.search_lab import figures, large, lost, measure, sampled, slot, tables
from benchmarks.search_lab.families import FAMILIES, SYNTHETIC
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.spaces import configuration, row, space_of

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")

every_family = pytest.mark.parametrize("name", FAMILIES)


@every_family
@pytest.mark.parametrize("number", [0, 7])
def test_the_default_costs_what_it_did_when_the_figures_were_measured(name, number):
    land = Landscape(name, number)
    assert land.truth(land.default) == pytest.approx(figures.scale(name, number).default, rel=1e-8)


@every_family
def test_a_cost_is_a_function_of_configuration_instance_and_seed(name):
    land = Landscape(name, 3)
    x = land.random(20, np.random.default_rng(1))
    once = land.costs(x, np.arange(1, 21), np.arange(20))
    again = [float(land.costs(x[[i]], i + 1, i)[0]) for i in reversed(range(20))]
    np.testing.assert_array_equal(once, again[::-1])
    assert np.isfinite(once).all()


@pytest.mark.parametrize("name", SYNTHETIC)
def test_the_truth_is_the_mean_of_costs(name):
    land = Landscape(name, 1)
    x = land.default
    instances = np.arange(100_000, 100_400)
    measured = [land.costs(np.tile(x, (400, 1)), instances, seed).mean() for seed in range(20)]
    assert np.mean(measured) == pytest.approx(land.truth(x, tests=400), rel=0.1)


@every_family
def test_rows_and_configurations_are_the_same_thing(name):
    land = Landscape(name, 0)
    space = space_of(land.family)
    for x in land.random(30, np.random.default_rng(2)):
        values = configuration(land.family, x)
        assert space.complete(values) == values
        np.testing.assert_allclose(row(land.family, values), x)


def test_regret_is_measured_between_the_best_and_the_default():
    scale = figures.Scale(best=2.0, default=4.0)
    assert (scale.regret(2.0), scale.regret(4.0), scale.regret(3.0)) == (0.0, 1.0, 0.5)
    assert scale.regret(400.0) == figures.WORST


def test_irace_s_stored_figures_are_there():
    known = figures.irace()
    assert len(known) == 710
    mean = np.mean([known["S15", n, 1000] for n in range(10)])
    assert 0.3 < mean < 0.45


def a_run(family: str, landscape: int, regret: float) -> measure.Run:
    return measure.Run(family, landscape, 0, 200, regret, 200, 60, 9, *6 * [math.nan])


def test_means_are_over_families_and_differences_are_paired():
    runs = [a_run("S5", 0, 0.2), a_run("S5", 1, 0.4), a_run("QAP", 0, 0.9), a_run("QAP", 1, 0.9)]
    cells = tables.by_landscape(runs, 200)
    mean, error = tables.mean_and_error(cells)
    assert mean == pytest.approx(0.6)
    assert error == pytest.approx(math.sqrt(0.02 / 2) / 2)
    other = {"S5": {0: 0.1, 1: 0.3}, "QAP": {1: 1.0}}
    gaps = tables.difference(cells, other)
    assert gaps["S5"] == pytest.approx({0: 0.1, 1: 0.1})
    assert gaps["QAP"] == pytest.approx({1: -0.1})


def test_the_command_runs_small_and_reads_what_it_wrote(tmp_path, capsys):
    file = tmp_path / "runs.csv"
    assert command.main(["run", "--small", "--families", "S5", "--out", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "evaluations  regret" in printed
    assert len(measure.load(file)) == 4
    assert command.main(["table", str(file)]) == 0
    assert capsys.readouterr().out == printed


def test_what_is_lost_on_the_way_is_told():
    """The winner was tried; of all that were tried the best is no worse than the elites."""
    header, line = lost.rows(["S5"], [0], [0], [60])
    found = dict(zip(header.split()[2:], map(float, line.split()[2:]), strict=True))
    assert found["tried"] <= found["first"]
    assert found["tried"] <= found["elites"] <= found["winner"]
    assert found["noise"] > 0
    assert found["candidates"] > 10


def test_races_of_random_configurations_are_paired_with_stored_runs(tmp_path, capsys):
    """Landscape 1 is not stored, so it is left out."""
    file = tmp_path / "runs.csv"
    list(measure.save([replace(a_run("QAP", 0, 0.5), budget=60)], file))
    words = ["--families", "QAP", "SAT", "--landscapes", "0-1", "--seeds", "1", "--budgets", "60"]
    assert command.main(["sampled", str(file), *words]) == 0
    *_, line = capsys.readouterr().out.splitlines()
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    regret = sampled.regret("QAP", 0, budget=60, seed=0)
    assert cells[:4] == ["60", "QAP", "1", "0.500"]
    assert cells[4] == f"{regret:.3f}"
    assert 0 <= regret <= figures.WORST


def test_large_searches_are_run_once(monkeypatch, tmp_path):
    monkeypatch.setattr(large, "EVALUATIONS", 200)
    monkeypatch.setattr(large, "CELLS", [large.USUAL, (40, 0.03, 4)])
    file = tmp_path / "large.csv"
    first = list(large.rows(file, ["S5"], range(2), range(1)))
    assert len(first) == 4
    assert first[2].startswith("| 30 | 4 | 10 | 0.")
    assert first[3].startswith("| 6 | 4 | 40 | 0.")
    monkeypatch.setattr(large, "run", None)
    assert list(large.rows(file, ["S5"], range(2), range(1))) == first


def test_more_instances_change_no_cost():
    few, many = Landscape("S15", 1), Landscape("S15", 1, instances=2000)
    assert (few.instances.stop, many.instances.stop) == (51, 2001)
    x = few.random(5, np.random.default_rng(1))
    np.testing.assert_array_equal(few.costs(x, 7, 3), many.costs(x, 7, 3))


def test_time_by_quarter_is_that_of_its_evaluations():
    steps = [(10, 0.01), (10, 0.01), (10, 0.03), (10, 0.05)]
    assert large._by_quarter(steps) == pytest.approx([1, 1, 3, 5])


@pytest.mark.parametrize(
    ("levels", "order"),
    [
        ([1, 1, 1, 2], [0, 3, 1, 2]),  # the last of two places is its
        ([1, 1, 2, 2], [0, 2, 1, 3]),
        ([1, 2, 1, 1], [0, 1, 2, 3]),
        ([1, 1, 1, 1], [0, 1, 2, 3]),
    ],
)
def test_the_slot_has_the_best_of_another_level(levels, order):
    assert slot._with_slot(range(4), levels, 2) == order


@pytest.mark.parametrize("variant", ["slot", "even"])
def test_the_slot_is_kept_to_the_end(variant):
    on = slot.target("QAP", 3)
    search = slot.VARIANTS[variant](on.space, range(1, 51), budget=150, seed=3, known=[on.default])
    while not search.done:
        for one in search.ask():
            search.tell(one, on.cost(one.candidate.values, int(one.instance.problem), 1))
        phase = search._phase
        if phase.name == "running":
            levels = {search._context.trials.points[id][0] for id in phase.elites}
            assert len(levels) > 1
