"""irace's files on the command line: searched continuously, or by iterated racing."""

from __future__ import annotations

import sys

import pytest
import yaml

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
