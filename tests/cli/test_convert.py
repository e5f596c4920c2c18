"""Scenarios of irace become YAML that runs, with a note on each option."""

from __future__ import annotations

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


def test_a_scenario_that_cannot_be_read_has_its_line(racing, irace):
    irace.write_text("seed = 2\nno option\n")
    said = racing("convert", irace)
    assert said.code == 2
    assert "scenario.txt:2" in said.err
