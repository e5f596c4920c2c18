"""Scenarios of irace become YAML that runs, with a note on each option."""

from __future__ import annotations

import sys

import pytest
import yaml

from racing.scenario import read


@pytest.fixture
def irace(tmp_path):
    """A scenario of irace with its files."""
    (tmp_path / "parameters.txt").write_text('x "--x " r (0, 1)\n')
    (tmp_path / "instances.txt").write_text("one\ntwo\n")
    runner = tmp_path / "target-runner"
    runner.write_text("#!/bin/sh\necho 1\n")
    runner.chmod(0o755)
    path = tmp_path / "scenario.txt"
    path.write_text(
        'trainInstancesFile = "instances.txt"\nseed = 2\nmaxExperiments = 300\nparallel = 1\n'
    )
    return path


def test_stdout_has_a_scenario_and_stderr_the_notes(racing, irace):
    said = racing("convert", irace)
    assert said.code == 0
    found = yaml.safe_load(said.out)
    assert found["seed"] == 2
    assert found["space"]["x"]["real"] == [0, 1]
    assert any("maxExperiments" in line for line in said.err.splitlines())
    assert "maxExperiments" not in said.out


def test_the_written_file_is_read_back(racing, irace, tmp_path):
    said = racing("convert", irace, "--to", tmp_path / "race.yaml")
    assert (said.code, said.out) == (0, "")
    scenario = read(tmp_path / "race.yaml")
    assert scenario.seed == 2
    assert scenario.budget.evaluations == 300


def test_a_file_that_exists_is_left_alone(racing, irace, tmp_path):
    there = tmp_path / "race.yaml"
    there.write_text("mine")
    said = racing("convert", irace, "--to", there)
    assert said.code == 2
    assert f"{there} exists; choose another file, or remove it" in said.err
    assert there.read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(racing, irace, tmp_path):
    said = racing("convert", irace, "--to", tmp_path / "none" / "race.yaml")
    assert said.code == 2
    assert "race.yaml cannot be written" in said.err


def test_json_has_the_text_and_the_fate_of_each_option(racing, irace):
    data = racing("convert", irace, "--json").data
    assert yaml.safe_load(data["yaml"])["seed"] == 2
    options = {one["option"]: one for one in data["options"]}
    assert {"seed", "maxExperiments", "trainInstancesFile"} <= set(options)
    assert all(one["fate"] for one in options.values())
    assert options["seed"]["place"]["file"].endswith("scenario.txt")


def test_iterated_racing_can_be_asked_for(racing, irace):
    plain, iterated = (
        yaml.safe_load(racing("convert", irace, *how).out) for how in ((), ("--search", "irace"))
    )
    assert plain["search"] != iterated["search"]
    assert plain["space"] == iterated["space"]


def test_a_scenario_in_yaml_is_refused_in_one_line(racing, tmp_path):
    (tmp_path / "race.yaml").write_text("rule: auto\n")
    said = racing("convert", tmp_path / "race.yaml")
    assert said.code == 2
    assert said.err.endswith(
        "is in YAML, and not of irace; `racing check` says whether it can run\n"
    )


def test_a_scenario_that_cannot_be_read_has_its_line(racing, irace):
    irace.write_text("seed = 2\nno option\n")
    said = racing("convert", irace)
    assert said.code == 2
    assert "scenario.txt:2" in said.err


# --- irace's files on the command line: searched continuously, or by iterated racing ---


RUNNER = """#!{python}
import sys
_, candidate, instance_id, seed, instance, *parameters = sys.argv
x = float(parameters[parameters.index("--x") + 1])
print(x + int(seed) % 97 / 97 / 4)
"""


@pytest.fixture
def scenario(tmp_path):
    """A scenario of irace with one parameter, whose least value is the best."""
    (tmp_path / "parameters.txt").write_text('x "--x " r (0, 1)\n')
    (tmp_path / "instances.txt").write_text("one\ntwo\nthree\n")
    runner = tmp_path / "target-runner"
    runner.write_text(RUNNER.format(python=sys.executable))
    runner.chmod(0o755)
    path = tmp_path / "scenario.txt"
    path.write_text(
        'trainInstancesFile = "instances.txt"\nseed = 2\n'
        "maxExperiments = 70\nnbConfigurations = 8\n"
    )
    return path


def test_it_is_searched_continuously_unless_told_otherwise(racing, scenario, tmp_path):
    said = racing("run", scenario, "--log", tmp_path / "a.sqlite", "--quiet")
    assert said.code == 0
    assert "window 10" in said.out
    assert "nbConfigurations: no meaning: concerns irace's iterations" in said.err


def test_iterated_racing_gives_the_same_as_its_translation_into_yaml(racing, scenario, tmp_path):
    log = tmp_path / "a.sqlite"
    said = racing("run", scenario, "--search", "irace", "--log", log, "--quiet", "--json")
    assert said.code == 0
    assert "nbConfigurations: honoured: search.configurations" in said.err
    assert said.data["search"]["iterations"] >= 2
    assert said.data["winner"]["values"]["x"] < 0.3
    translated = racing("convert", scenario, "--search", "irace").out
    assert yaml.safe_load(translated)["search"] == {"scheme": "irace", "configurations": 8}
    (tmp_path / "race.yaml").write_text(translated)
    again = racing("run", tmp_path / "race.yaml", "--log", tmp_path / "b.sqlite", "--json").data
    assert again["winner"] == said.data["winner"]
    assert again["search"] == said.data["search"]


def test_a_scenario_in_yaml_can_be_searched_otherwise(racing, scenario, tmp_path):
    (tmp_path / "race.yaml").write_text(racing("convert", scenario).out)
    checked = racing("check", tmp_path / "race.yaml", "--search", "irace", "--no-run", "--json")
    assert checked.data["scheme"] == "irace"
    planned = racing("plan", scenario, "--search", "irace", "--json").data
    assert "iteration" in planned["parts"]
    assert racing("run", scenario, "--search", "smac").code == 2


def test_without_a_default_it_is_said_beforehand_and_nothing_is_concluded(
    racing, scenario, tmp_path
):
    log = tmp_path / "a.sqlite"
    for command in (("check",), ("plan",), ("run", "--log", log, "--quiet")):
        said = racing(command[0], scenario, *command[1:])
        assert said.code == 0
        assert "there is no default (none for x)" in said.out + said.err, command
        assert "testType: translated: is not set: objective is `mean`" in said.err or (
            command == ("plan",)
        )
    tested = racing("test", log, "four", "five", "six", "--quiet")
    assert "was drawn at random, as the run had no default, so this says nothing" in tested.out
    assert "better than #1 on unseen" not in tested.out
    named = racing("test", log, "four", "five", "six", "--quiet", "--against", "#1", "--json").data
    assert named["tested"]["drawn"] is False
    explained = racing("explain", log, "--json").data
    assert (
        f"{explained['against']['name']} was drawn at random, as the run had no default"
        in (explained["notes"])
    )


def test_the_default_of_a_configurations_file_is_what_the_winner_is_held_to(
    racing, scenario, tmp_path
):
    (tmp_path / "known.txt").write_text("x\n0.9\n")
    scenario.write_text(scenario.read_text() + 'configurationsFile = "known.txt"\n')
    log = tmp_path / "a.sqlite"
    said = racing("run", scenario, "--log", log, "--quiet")
    assert "there is no default" not in said.err
    assert "better than default by" in said.out
    tested = racing("test", log, "four", "five", "six", "--quiet")
    assert "\ndefault: mean " in tested.out
    assert "drawn at random" not in tested.out
