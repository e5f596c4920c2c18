"""The command `racing check`."""

from __future__ import annotations

import re

import pytest
import yaml

from racing.cli.init import write
from tests.runs_kit import calls, write_scenario


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


def test_check_without_a_run(racing, scenario, tmp_path):
    said = racing("check", scenario, "--no-run", "--json")
    assert said.code == 0
    assert said.data["candidates"] == 8
    assert said.data["trial"] is None
    assert calls(tmp_path) == []


def test_check_tells_what_the_target_does_wrong(racing, tmp_path):
    said = racing("check", write_scenario(tmp_path, target={"command": "echo no {parameters}"}))
    assert said.code == 3
    assert "The target failed for candidate #1 on i" in said.out
    assert "unreadable" in said.out


def test_check_says_what_it_has_ignored_and_what_an_infinite_answer_means(racing, tmp_path):
    """Two numbers are a cost and a time for irace; here, the last one is the cost."""
    scenario = {
        "space": {"x": {"real": [0, 1]}},
        "candidates": {"sample": 2},
        "instances": {"list": ["a"]},
        "budget": 2,
    }
    path = tmp_path / "race.yaml"
    for printed, says in (
        ("3.5 17.2", "warning: the last line has several numbers: 17.2 is the cost"),
        ("Inf", "unreadable: inf is worse than any cost, and so counts as a failure"),
    ):
        command = {"command": ["echo", "{x}\n", printed]}
        path.write_text(yaml.safe_dump({"target": command, **scenario}))
        assert says in racing("check", path).out


def test_check_names_the_file_in_the_command_that_it_advises(racing, tmp_path):
    data = yaml.safe_load(write_scenario(tmp_path).read_text())
    del data["candidates"], data["rule"]
    data |= {"search": True, "space": {"x": {"real": [0, 1]}}, "budget": 300}
    (scenario := tmp_path / "my race.yaml").write_text(yaml.safe_dump(data))
    said = racing("check", "--no-run", scenario)
    assert f"with its budget: racing plan '{scenario}'" in said.out
    assert racing("plan", scenario).code == 0


# --- `--budget` and `--set` change keys of a scenario ---


def test_budget_and_set_reach_the_run(racing, tmp_path):
    config, _ = write(tmp_path)
    log = tmp_path / "run.sqlite"
    said = racing(
        "run", config, "--log", log, "--quiet", "--budget", "60", "--set", "candidates.sample=5",
        "--set", "rule=none", "--set", "execution={jobs: 1, engine: in-process}", "--json",
    )  # fmt: skip
    assert said.code == 0
    assert said.data["spent"]["decided"] == 60
    shown = racing("show", log, "--json").data
    assert len(shown["standing"]) == 6
    assert not shown["dropped"]


def test_a_budget_of_time_and_pairs_are_taken(racing, tmp_path):
    config, _ = write(tmp_path)
    for budget in ("30m", "evaluations=500,target_time=2h"):
        assert racing("check", config, "--no-run", "--budget", budget).code == 0


def test_a_bad_change_is_refused(racing, tmp_path):
    config, _ = write(tmp_path)
    cases = {"seed": "must be KEY=VALUE", "seed=[1": "--set seed", "budgte=3": "budgte"}
    for change, message in cases.items():
        said = racing("check", config, "--no-run", "--set", change)
        assert said.code == 2
        assert message in said.err


def test_what_an_option_says_is_not_blamed_on_the_file(racing, scenario):
    said = racing("check", scenario, "--no-run", "--set", "rule=singn", "--set", "sead=1")
    assert said.code == 2
    assert f"{scenario}, changed by an option: rule: unknown rule" in said.err
    assert f"{scenario}, changed by an option: sead: " in said.err
    budget = racing("run", scenario, "--budget", "0")
    assert f"{scenario}, changed by an option: budget.evaluations must be" in budget.err


def test_a_run_given_as_a_scenario_is_recognized(racing, log):
    for command in ("run", "check", "plan"):
        said = racing(command, log)
        assert said.code == 2
        assert f"this is the log of a run, not a scenario; `racing resume {log}`" in said.err


# --- what `racing check` says of the cost of a race, and its warnings ---


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
        "price": {},
    }
    assert said["warnings"] == []
    out = racing("check", scenario, "--no-run").out
    assert "The whole race: at most 200 evaluations, if no candidate is dropped.\n" in out
    assert "The first test: after 5 instances (40 evaluations).\n" in out
    assert "Speculation: 20 more at most" in out


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
        "warning: no candidate can ever be dropped: the budget covers 4 instances for "
        "8 candidates, and the first test comes after 5; give 40 evaluations or more" in said.out
    )
    assert "warning" not in racing("check", write_scenario(tmp_path, budget=40), "--no-run").out
    slow = write_scenario(tmp_path, pause=0.1, budget={"wall_time": 1})
    assert "the time is up before the first test" in racing("check", slow).out


def test_check_warns_of_instances_that_look_like_files_and_are_none(racing, tmp_path):
    (tmp_path / "there.cnf").touch()
    names = ["day-1", "v1.5", "there.cnf", "data/gone", "gone.cnf"]
    said = racing("check", write_scenario(tmp_path, source={"list": names}), "--no-run")
    assert "warning: data/gone and 1 more look like a file, but there is none in" in said.out
    said = racing("check", write_scenario(tmp_path, source={"list": [*names[:3], "x", "y"]}),
                  "--no-run")  # fmt: skip
    assert "warning" not in said.out


@pytest.mark.parametrize("stated", [None, "rank", "mean"])
def test_answers_without_a_stated_objective_are_pointed_out(racing, tmp_path, stated):
    parts = {} if stated is None else {"objective": stated}
    target = {"python": "answers.py:solve"}
    scenario = write_scenario(tmp_path, target=target, budget=80, **parts)
    (tmp_path / "answers.py").write_text(
        "def solve(values, instance, seed):\n    return (seed + int(8 * values['x'])) % 3 == 0\n"
    )
    said = racing("check", scenario)
    assert ("write objective: mean" in said.out) is (stated is None)
    said = racing("run", scenario, "--quiet", "--seed", 7)
    assert said.code == 0
    assert ("the scenario states no objective" in said.err) is (stated is None)
