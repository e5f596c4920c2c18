"""Every command: what it prints where, and how it ends."""

from __future__ import annotations

import csv
import re

import pytest
import yaml

from racing import __version__
from racing.log import SQLiteLog
from racing.loop import RunOptions
from racing.runs import run as run_race
from tests.runs_kit import calls, write_scenario
from tests.runs_kit import racing as program


@pytest.fixture
def scenario(tmp_path):
    return write_scenario(tmp_path, noise=0.3)


@pytest.fixture
def log(tmp_path, scenario):
    path = tmp_path / "log.sqlite"
    run_race(scenario, log=path)
    return path


# --- run ------------------------------------------------------------------------------------------


def test_run_prints_the_result_on_stdout_and_talks_on_stderr(racing, scenario, tmp_path):
    said = racing("run", scenario)
    log = tmp_path / "runs" / "race.sqlite"
    assert said.code == 0
    assert said.out.startswith("The race is over: ")
    assert "Winner: #1 (mean " in said.out
    assert "  x: 0.0\n" in said.out
    assert f"More: racing show {log}" in said.out
    assert "dropped" in said.err
    assert "dropped" not in said.out
    assert log.exists()


def test_run_as_json_prints_one_object_and_nothing_else(racing, scenario, tmp_path):
    said = racing("run", scenario, "--json", "--log", tmp_path / "log.sqlite", "--quiet")
    assert said.err == ""
    assert said.data["winner"] == {"id": 1, "name": "#1", "values": {"x": 0.0}}
    assert said.data["finished"] is True
    assert said.data["failures"] == 0
    assert said.data["evaluations"] == len(calls(tmp_path))


def test_options_of_run_win_over_the_scenario(racing, tmp_path):
    scenario = write_scenario(tmp_path, execution={"jobs": 1})
    racing("run", scenario, "--seed", 9, "--jobs", 2, "--log", tmp_path / "a.sqlite")
    with SQLiteLog.open(tmp_path / "a.sqlite", write=False) as book:
        assert book.header.seed == 9
        assert book.header.scenario["seed"] == 9


def test_a_second_run_is_pointed_to_resume(racing, scenario, log):
    said = racing("run", scenario, "--log", log)
    assert said.code == 4
    assert said.out == ""
    assert said.err == (
        f"racing run: {log} exists already: continue that run with `racing resume {log}`, "
        "name another log, or replace it, and lose that run, with `racing run --force`\n"
    )


def test_force_replaces_a_log_and_nothing_else(racing, scenario, log, tmp_path):
    with SQLiteLog.open(log, write=False) as book:
        before = book.header.created
    assert racing("run", scenario, "--log", log, "--force").code == 0
    with SQLiteLog.open(log, write=True) as book:
        assert book.header.created > before
        said = racing("run", scenario, "--log", log, "--force")
        assert said.code == 4
        assert "is being written by process" in said.err
    mine = tmp_path / "mine.txt"
    mine.write_text("not a log")
    assert racing("run", scenario, "--log", mine, "--force").code == 4
    assert mine.read_text() == "not a log"
    new = tmp_path / "new.sqlite"
    assert racing("run", scenario, "--log", new, "--force").code == 0
    assert new.exists()


def test_everything_failing_ends_at_once_and_says_so(racing, tmp_path):
    scenario = write_scenario(tmp_path, target={"command": "false {parameters}"})
    said = racing("run", scenario, "--log", tmp_path / "log.sqlite")
    assert said.code == 1
    assert "The race is over: every evaluation failed." in said.out
    assert "8 × crashed: exit status 1" in said.out
    assert "There is no winner." in said.out
    assert said.err.count("warning: ") == 1, "each kind of failure is warned about once"
    assert "exit status 1" in said.err


def test_a_target_may_go_to_another_folder(racing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "goes.py").write_text(
        "import os\ndef solve(values, *_):\n    os.chdir('/')\n    return values['x']\n"
    )
    scenario = write_scenario(tmp_path, target={"python": "goes.py:solve"})
    said = racing("run", scenario, "--log", "log.sqlite", "--json")
    assert said.code == 0
    assert said.data["winner"]["id"] == 1


def test_a_failed_evaluation_with_the_policy_to_stop(racing, tmp_path):
    target = tmp_path / "sometimes.py"
    target.write_text("def solve(values, instance, seed):\n    return 1 / (instance != 'i3')\n")
    scenario = write_scenario(
        tmp_path, target={"python": "sometimes.py:solve"}, on_failure={"policy": "stop"}
    )
    log = tmp_path / "log.sqlite"
    said = racing("run", scenario, "--log", log)
    assert said.code == 3
    assert "crashed: ZeroDivisionError" in said.out
    assert "stopped: an evaluation failed, and the scenario says to stop then; mend it, then " in (
        said.err
    )
    shown = racing("show", log)
    assert shown.code == 0
    assert "tries again" in shown.out
    assert "1 × crashed: ZeroDivisionError" in shown.out
    with SQLiteLog.open(log, write=False) as book:
        before = len(book.outcomes())
    assert racing("resume", log).code == 3, "it is still broken"
    with SQLiteLog.open(log, write=False) as book:
        assert len(book.outcomes()) == before
        assert len(book.failed_attempts()) == 2
    target.write_text("def solve(values, instance, seed):\n    return values['x']\n")
    said = racing("resume", log)
    assert said.code == 2
    assert f"sometimes.py changed since the last evaluation: the {before} costs" in said.err
    again = program("resume", log, "--accept-changed-target")  # this process knows the old one
    out, err = again.communicate()
    assert again.returncode == 0, err
    assert f"sometimes.py was changed after {before} evaluations." in out
    shown = racing("show", log, "--json")
    assert shown.data["target_changes"] == [{"path": "sometimes.py", "after_evaluations": before}]


def test_a_target_that_cannot_start_is_exit_3_and_leaves_no_log(racing, tmp_path):
    scenario = write_scenario(tmp_path, target={"command": "./nowhere {parameters}"})
    said = racing("run", scenario)
    assert said.code == 3
    assert "'./nowhere' does not exist" in said.err
    assert not list(tmp_path.glob("**/*.sqlite*"))


def test_a_bad_scenario_is_exit_2_with_every_fault(racing, tmp_path):
    scenario = write_scenario(tmp_path, rule="singn", seed=-1)
    said = racing("run", scenario)
    assert said.code == 2
    assert said.out == ""
    assert "did you mean 'sign'?" in said.err
    assert "seed" in said.err


# --- resume ---------------------------------------------------------------------------------------


def test_resume_goes_on_and_ends_like_run(racing, scenario, tmp_path):
    whole = racing("run", scenario, "--log", tmp_path / "whole.sqlite", "--json").data
    log = tmp_path / "log.sqlite"
    so_far = len(calls(tmp_path))
    run_race(
        scenario,
        log=log,
        options=RunOptions(interrupted=lambda: len(calls(tmp_path)) > so_far + 20),
    )
    said = racing("resume", log, "--json", "--jobs", 1)
    assert said.code == 0
    for key in ("winner", "stopped", "survivors", "instances", "evaluations"):
        assert said.data[key] == whole[key]


def test_resume_of_what_is_over_says_so(racing, log, tmp_path):
    before = calls(tmp_path)
    said = racing("resume", log)
    assert said.code == 0
    assert said.out.startswith("The race is over: ")
    assert calls(tmp_path) == before


def test_resume_of_nothing(racing, tmp_path):
    said = racing("resume", tmp_path / "none.sqlite")
    assert said.code == 4
    assert "there is no log at" in said.err


# --- check ----------------------------------------------------------------------------------------


def test_check_runs_the_target_once_and_records_nothing(racing, scenario, tmp_path):
    said = racing("check", scenario)
    assert said.code == 0
    assert "8 candidates, 25 instances, rule sign" in said.out
    assert "The target answers: " in said.out
    assert len(calls(tmp_path)) == 1
    assert not list(tmp_path.glob("**/*.sqlite"))


def test_check_prints_the_command_as_the_program_gets_it(racing, tmp_path):
    target = {"command": ["sh", "-c", "echo 3", "two words", "{parameters}", "{instance}"]}
    scenario = write_scenario(tmp_path, target=target)
    said = racing("check", scenario)
    (instance,) = re.findall(r"^The first command: sh -c 'echo 3' 'two words' --x=0.0 (i\d+)$",
                             said.out, re.MULTILINE)  # fmt: skip
    data = racing("check", scenario, "--json").data
    assert data["arguments"] == ["sh", "-c", "echo 3", "two words", "--x=0.0", instance]


def test_check_says_what_the_race_will_cost_and_when_the_first_test_comes(racing, tmp_path):
    scenario = write_scenario(tmp_path, pause=0.2, execution={"jobs": 2})
    said = racing("check", scenario, "--json").data
    each = said["trial"]["seconds"]
    assert said["forecast"] == {
        "evaluations": 8 * 25,
        "first_test": 5,
        "until_test": 40,
        "speculative": 20,
        "seconds": pytest.approx(200 * each / 2),
        "seconds_until_test": pytest.approx(40 * each / 2),
    }
    assert said["warnings"] == []
    out = racing("check", scenario, "--no-run").out
    assert "The whole race: at most 200 evaluations, if nobody is dropped.\n" in out
    assert "The first test: after 5 instances (40 evaluations).\n" in out


@pytest.mark.parametrize(
    ("parts", "evaluations"),
    [
        ({"budget": 100}, 100),
        ({"budget": {"instances": 7}}, 56),
        ({"budget": {"wall_time": "1h"}}, 200),
        ({"budget": "1h", "source": {"list": ["a"], "repeat": True}}, None),
    ],
)
def test_the_forecast_heeds_the_budget(racing, tmp_path, parts, evaluations):
    said = racing("check", write_scenario(tmp_path, **parts), "--no-run", "--json").data
    assert said["forecast"]["evaluations"] == evaluations
    assert said["warnings"] == []


def test_check_warns_of_a_budget_that_can_never_drop_anybody(racing, tmp_path):
    said = racing("check", write_scenario(tmp_path, budget=39), "--no-run")
    assert said.code == 0
    assert (
        "warning: nobody can ever be dropped: the budget covers 4 instances for 8 candidates, "
        "and the first test comes after 5; give 40 evaluations or more" in said.out
    )
    assert "warning" not in racing("check", write_scenario(tmp_path, budget=40), "--no-run").out
    slow = write_scenario(tmp_path, pause=0.1, budget={"wall_time": 1})
    assert "the time is up before the first test" in racing("check", slow).out


def test_check_warns_of_instances_that_look_like_files_and_are_none(racing, tmp_path):
    (tmp_path / "there.cnf").touch()
    names = ["day-1", "v1.5", "there.cnf", "data/gone", "gone.cnf"]
    said = racing("check", write_scenario(tmp_path, source={"list": names}), "--no-run")
    assert "warning: the instance data/gone and 1 more looks like a file, but there is" in said.out
    said = racing("check", write_scenario(tmp_path, source={"list": [*names[:3], "x", "y"]}),
                  "--no-run")  # fmt: skip
    assert "warning" not in said.out


def test_check_without_a_run(racing, scenario, tmp_path):
    said = racing("check", scenario, "--no-run", "--json")
    assert said.code == 0
    assert said.data["candidates"] == 8
    assert "trial" not in said.data
    assert calls(tmp_path) == []


def test_check_tells_what_the_target_does_wrong(racing, tmp_path):
    said = racing("check", write_scenario(tmp_path, target={"command": "echo no {parameters}"}))
    assert said.code == 3
    assert "The target failed for candidate #1 on i" in said.out
    assert "unreadable" in said.out


# --- show -----------------------------------------------------------------------------------------


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
    assert {row["id"] for row in data["standing"]} | {row["id"] for row in data["dropped"]} == set(
        range(1, 9)
    )
    assert len(data["expenses"]) == 8
    assert sum(row["evaluations"] for row in data["expenses"]) == data["evaluations"]
    dropped = next(row for row in data["dropped"] if row["id"] == 8)
    assert dropped["measure"] == "p-value"
    assert dropped["value"] < dropped["threshold"]
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
    gain = data["gain"]
    assert gain["over"] == {"id": 1, "name": "#1"}
    assert gain["wins"] == gain["instances"] >= 5
    assert 0.5 < gain["improvement"] < 1.1
    assert data["left"]["evaluations"] == 70 - data["evaluations"] > 0
    assert data["left"]["target_time"] is None
    assert f"unspent: {70 - data['evaluations']} of 70 evaluations" in said.out
    assert f"The winner, #2, beats #1 by {gain['improvement']:.4g}" in said.out
    assert f"Next: `racing test {log} INSTANCE...`" in said.out
    assert data["next"].startswith("`racing test")


def test_show_keeps_long_tables_short_unless_asked(racing, tmp_path):
    log = tmp_path / "log.sqlite"
    run_race(write_scenario(tmp_path, candidates=200, instances=12, noise=0.3), log=log)
    said = racing("show", log)
    assert len(said.out.splitlines()) < 70
    assert "--all shows every row" in said.out
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
    assert f"stopped (interrupted); `racing resume {log}` goes on" in said.out
    assert f"\n{evaluations} evaluations in " in said.out
    if evaluations < 8:
        assert "No instance is complete yet" in said.out
    data = racing("show", log, "--json").data
    assert data["finished"] is False
    assert (data["winner"] is None) == (evaluations < 8)
    assert len(data["survivors"]) == 8


def test_a_row_is_one_line_where_nobody_looks(racing, tmp_path):
    names = [f"a_parameter_with_a_long_name_{k}" for k in range(12)]
    path = write_scenario(tmp_path, target={"command": "echo 1 {parameters}"})
    scenario = yaml.safe_load(path.read_text())
    scenario["space"] = {name: {"real": [0, 2]} for name in names}
    scenario["candidates"] = {"sample": 3}
    path.write_text(yaml.safe_dump(scenario))
    racing("run", path, "--log", tmp_path / "log.sqlite")
    out = racing("show", tmp_path / "log.sqlite").out
    assert all(line == line.rstrip() for line in out.splitlines())
    row = next(line for line in out.splitlines() if line.startswith("  #1"))
    assert all(name in row for name in names)


# --- test -----------------------------------------------------------------------------------------

HELD_OUT = [f"held-out-{k}" for k in range(12)]


def test_test_says_how_sure_the_difference_is(racing, log):
    said = racing("test", log, *HELD_OUT, "--against", "#8")
    assert said.code == 0
    assert "On 12 instances that the race has not seen, #1 has a mean of " in said.out
    assert "95% interval" in said.out
    assert "better on 12, equal on 0, worse on 0" in said.out
    assert "#1 is better on held-out instances." in said.out


def test_test_as_json(racing, log):
    data = racing("test", log, *HELD_OUT, "--against", "#8", "--json").data
    assert data["instances"] == len(data["costs"]) == 12
    assert data["improvement_low"] < data["improvement"] < data["improvement_high"]
    assert data["wins"] + data["ties"] + data["losses"] == 12
    assert 0 < data["wilcoxon_p"] < 0.01


def test_a_default_that_wins_is_an_answer(racing, log, tmp_path):
    before = len(calls(tmp_path))
    said = racing("test", log, *HELD_OUT)
    assert said.code == 0
    assert "The winner is #1 itself, the default or the first candidate: nothing better" in said.out
    data = racing("test", log, *HELD_OUT, "--json").data
    assert data["winner"] == data["against"]
    assert data["instances"] == 0
    assert len(calls(tmp_path)) == before
    said = racing("test", log, *HELD_OUT, "--against", "#1")
    assert said.code == 2, "whoever names it is told to name another"


def test_too_few_instances_for_an_interval_are_said_to_be(racing, log):
    said = racing("test", log, "held-out", "--against", "#8")
    assert "too few instances for a 95% interval" in said.out
    assert "do not tell the two apart" in said.out


def test_scores_are_shown_in_the_users_direction(racing, tmp_path):
    scenario, log = write_scenario(tmp_path, noise=0.3, direction="maximize"), tmp_path / "l.sqlite"
    said = racing("run", scenario, "--log", log)
    assert "Winner: #8 (mean 1.0" in said.out or "Winner: #8 (mean 0.9" in said.out
    data = racing("test", log, *HELD_OUT, "--against", "#1", "--json").data
    assert data["mean_winner"] > data["mean_against"] > 0
    assert data["improvement"] > 0


def test_instances_of_the_race_are_refused(racing, log):
    with SQLiteLog.open(log, write=False) as book:
        met = book.instances()[0].name
    said = racing("test", log, met, "--against", "#8")
    assert said.code == 2
    assert f"the race has met {met}" in said.err


# --- export, schema, init -------------------------------------------------------------------------


def test_export_writes_tables(racing, log, tmp_path):
    said = racing("export", log)
    assert said.code == 0
    files = said.out.splitlines()
    assert str(tmp_path / "log" / "outcomes.csv") in files
    with (tmp_path / "log" / "outcomes.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(calls(tmp_path))
    assert racing("export", log, "--to", tmp_path / "b", "--json").data["files"]


def test_schema_prints_json(racing):
    assert "$schema" in racing("schema").data


def test_init_writes_a_race_that_ends_with_a_winner(racing, tmp_path):
    said = racing("init", tmp_path / "new")
    assert said.code == 0
    assert said.out.splitlines() == [str(tmp_path / "new" / n) for n in ("race.yaml", "target.py")]
    assert f"racing run {tmp_path / 'new' / 'race.yaml'}" in said.err
    done = racing("run", tmp_path / "new" / "race.yaml", "--jobs", 1, "--json")
    assert done.code == 0
    assert done.data["winner"]["name"] != "default"
    log = tmp_path / "new" / "runs" / "race.sqlite"
    better = racing("test", log, *(f"day-{k}" for k in range(31, 39)), "--jobs", 1)
    assert "is better on held-out instances." in better.out


def test_init_leaves_the_rule_to_racing(racing, tmp_path):
    racing("init", tmp_path)
    assert yaml.safe_load((tmp_path / "race.yaml").read_text())["rule"] == "auto"


def test_init_overwrites_nothing(racing, tmp_path):
    (tmp_path / "target.py").write_text("mine")
    said = racing("init", tmp_path)
    assert said.code == 2
    assert "target.py: there already" in said.err
    assert (tmp_path / "target.py").read_text() == "mine"
    assert not (tmp_path / "race.yaml").exists()


def test_init_into_a_folder_that_cannot_be_made(racing, tmp_path):
    (tmp_path / "file").write_text("")
    said = racing("init", tmp_path / "file")
    assert said.code == 2
    assert "cannot be written" in said.err


def test_init_defaults_to_the_current_folder(racing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert racing("init", "--json").data == {"files": ["race.yaml", "target.py"]}


# --- the program itself ---------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["run"], ["run", "x", "--nonsense"]])
def test_a_wrong_command_line_is_exit_2(racing, arguments):
    said = racing(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert "usage: racing" in said.err


def test_version(racing):
    said = racing("--version")
    assert (said.code, said.out) == (0, f"racing {__version__}\n")
