"""The command `racing show`."""

from __future__ import annotations

import pytest
import yaml

from racing.report.page import read_page_data
from racing.runner.loop import RunOptions
from racing.runner.progress.state import look
from racing.runner.run import run as run_race
from tests.runs_kit import calls, write_scenario, write_search


def test_show_tells_who_was_dropped_when_and_why(racing, log):
    said = racing("show", log)
    assert said.code == 0
    assert said.err == ""
    assert "\nover: " in said.out
    assert "Standing after" in said.out
    row = next(line for line in said.out.splitlines() if line.startswith("  #8"))
    assert row.split() == ["#8", "5", "inferior", "#1", "p-value", "0.0312", "<", "0.05"]
    assert "What the budget went into" in said.out


def test_show_as_json_is_complete(racing, log):
    data = racing("show", log, "--json").data
    rows = [*data["standing"], *data["dropped"]]
    assert {row["candidate"]["id"] for row in rows} == set(range(1, 9))
    assert len(data["expenses"]) == 8
    assert sum(row["evaluations"] for row in data["expenses"]) == data["evaluations"]
    dropped = next(row for row in data["dropped"] if row["candidate"]["id"] == 8)
    assert dropped["elimination"]["measure"] == "p-value"
    assert dropped["elimination"]["value"] < dropped["elimination"]["threshold"]
    assert dropped["gate"]["test"] == "friedman"
    assert dropped["gate"]["statistic"] > dropped["gate"]["threshold"]


def test_show_tells_the_gain_what_is_unspent_and_what_to_do_next(racing, tmp_path):
    log = tmp_path / "log.sqlite"
    path = write_scenario(tmp_path, noise=0.2, budget={"evaluations": 70})
    scenario = yaml.safe_load(path.read_text())
    scenario["candidates"] = {"list": [{"x": 0.9}, {"x": 0.1}, {"x": 0.5}]}
    path.write_text(yaml.safe_dump(scenario))
    run_race(path, log=log)
    said, data = racing("show", log), racing("show", log, "--json").data
    gain = data["answer"]["gain"]
    assert (gain["name"], gain["over"]) == ("#2", "#1")
    assert gain["wins"] == gain["instances"] >= 5
    assert 0.5 < gain["estimate"] < 1.1
    assert data["left"]["evaluations"] == 70 - data["evaluations"] > 0
    assert "target_time" not in data["left"]
    assert f"unspent: {70 - data['evaluations']} of 70 evaluations" in said.out
    assert data["answer"]["headline"] in said.out
    assert all(text in said.out for text in data["answer"]["sentences"])
    assert f"the median gain is {gain['estimate']:.4g}" in said.out
    assert f"Next: `racing test {log} INSTANCE...`" in said.out
    assert data["next"].startswith("`racing test")


def test_show_keeps_long_tables_short_unless_asked(racing, tmp_path):
    log = tmp_path / "log.sqlite"
    run_race(write_scenario(tmp_path, candidates=200, instances=12, noise=0.3), log=log)
    said = racing("show", log)
    assert len(said.out.splitlines()) < 70
    assert "racing show --all has every row" in said.out
    everything = racing("show", log, "--all").out
    assert "--all" not in everything
    names = {line.split()[0] for line in everything.splitlines() if line.startswith("  #")}
    assert names == {f"#{k}" for k in range(1, 201)}
    data = racing("show", log, "--json").data
    assert len(data["standing"]) + len(data["dropped"]) == 200


@pytest.mark.parametrize("evaluations", [0, 3, 30])
def test_show_of_a_run_that_is_not_over(racing, tmp_path, evaluations):
    scenario, log = write_scenario(tmp_path, noise=3.0), tmp_path / "log.sqlite"
    stop = RunOptions(interrupted=lambda: len(calls(tmp_path)) >= evaluations)
    run_race(scenario, log=log, options=stop)
    said = racing("show", log)
    assert said.code == 0
    assert "stopped (interrupted)\n" in said.out
    assert f"Next: `racing resume {log}` continues it\n" in said.out
    decided = evaluations // 8 * 8  # of eight candidates on complete instances
    assert f"\n{decided} evaluations in " in said.out
    if rest := evaluations - decided:
        assert f"{rest} on instances under way" in said.out
    if evaluations < 8:
        assert "No instance is complete yet" in said.out
    data = racing("show", log, "--json").data
    assert data["finished"] is False
    assert (data["winner"] is None) == (evaluations < 8)
    assert len(data["survivors"]) == 8


def test_a_row_is_one_line_that_fits_and_all_of_it_with_all(racing, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    names = [f"a_parameter_with_a_long_name_{k}" for k in range(12)]
    path = write_scenario(tmp_path, target={"command": "echo 1 {parameters}"})
    scenario = yaml.safe_load(path.read_text())
    scenario["space"] = {name: {"real": [0, 2]} for name in names}
    scenario["candidates"] = {"sample": 3}
    path.write_text(yaml.safe_dump(scenario))
    racing("run", path, "--log", tmp_path / "log.sqlite")
    out = racing("show", tmp_path / "log.sqlite").out
    (row,) = [line for line in out.splitlines() if line.startswith("  #1")]
    assert len(row) <= 90
    out = racing("show", tmp_path / "log.sqlite", "--all").out
    assert all(line == line.rstrip() for line in out.splitlines())
    row = next(line for line in out.splitlines() if line.startswith("  #1"))
    assert all(name in row for name in names)


@pytest.mark.parametrize("write", [write_scenario, write_search])
def test_every_place_has_the_same_count_of_evaluations(racing, tmp_path, write):
    """Of a run that was interrupted amid an instance: the page, `show`, `watch` and JSON."""
    log = tmp_path / "log.sqlite"
    states: list[str] = []

    def seen(race, outcome):
        states.append(" · ".join(look(race, outcome).parts))

    options = RunOptions(watch=seen, interrupted=lambda: len(states) >= 43)
    run_race(write(tmp_path, noise=0.5, budget=120), log=log, options=options)
    page = read_page_data(log)["summary"]
    data = racing("show", log, "--json").data
    counted = data["evaluations"]
    assert counted < 43 or write is write_search, "a race counts complete instances"
    assert page["figures"]["Evaluations"] == f"{counted} of 120"
    assert f"{counted} evaluations" in racing("show", log).out
    assert f"{counted} evaluations" in racing("watch", log, "--once").out
    assert racing("watch", log, "--once", "--json").data["evaluations"] == counted
    assert data["spent"]["decided"] == counted
    assert f"{counted}/120" in states[-1] or f"{counted} of 120" in states[-1]


def test_a_standing_by_estimated_means_prints_what_it_is_ordered_by(racing, tmp_path):
    (tmp_path / "target.py").write_text(
        "def solve(values, instance, seed):\n"
        "    k = int(instance[1:])\n"
        "    return 28.0 if k == 3 and values['x'] == 1 else values['x'] + k % 5 / 10\n"
    )
    (tmp_path / "race.yaml").write_text(
        "target: {python: target.py:solve}\nobjective: mean\nrule: none\n"
        "candidates: {list: [{x: 1}, {x: 2}, {x: 3}, {x: 4}, {x: 5}]}\n"
        f"instances: {[f'i{k}' for k in range(16)]}\nexecution: {{engine: in-process}}\n"
    )
    log = tmp_path / "log.sqlite"
    racing("run", tmp_path / "race.yaml", "--log", log, "--quiet")
    rows = racing("show", log, "--json").data["standing"]
    assert [one["mean"] for one in rows] != sorted(one["mean"] for one in rows)
    shown = [
        one["mean"] if one["estimated_mean"] is None else one["estimated_mean"] for one in rows
    ]
    assert shown == sorted(shown)
    said = racing("show", log).out
    assert "estimated mean" in said
    assert "in the order of the estimated mean: where a few instances" in said
