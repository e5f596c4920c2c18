"""The command `racing run`."""

from __future__ import annotations

import errno

import pytest

from racing.log import SQLiteLog
from tests.runs_kit import calls, write_scenario, write_search
from tests.runs_kit import racing as program


def test_run_prints_the_result_on_stdout_and_talks_on_stderr(racing, scenario, tmp_path):
    said = racing("run", scenario)
    log = tmp_path / "runs" / "race.sqlite"
    assert said.code == 0
    assert said.out.startswith("The race is over: ")
    assert "Winner: #1 (mean " in said.out
    assert "  x: 0.0\n" in said.out
    assert f"More: `racing show {log}`" in said.out
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
        "name another log, or replace it (and lose that run) with `racing run --force`\n"
    )


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_name_that_no_log_can_have_is_refused_in_few_words(racing, scenario, tmp_path, force):
    said = racing("run", scenario, "--log", tmp_path / ("n" * 100_000), *force)
    assert said.code == 4
    assert "the name of a log has at most 240 bytes" in said.err
    assert len(said.err) < 400


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
    assert "Every evaluation failed: " in said.out
    assert said.err.count("warning: ") == 1, "each kind of failure is warned about once"
    assert "exit status 1" in said.err


def test_the_last_line_on_stderr_is_told_and_nothing_is_best_before_a_success(racing, tmp_path):
    script = "echo loading >&2; echo error: no library >&2; exit 2"
    target = {"command": ["sh", "-c", script, "sh", "{parameters}"]}
    path = write_search(tmp_path, target=target, budget=40)
    said = racing("run", path, "--log", tmp_path / "log.sqlite")
    assert said.code == 1
    assert "crashed: exit status 2: error: no library\n" in said.err
    assert "× crashed: exit status 2: error: no library\n" in said.out
    assert "new best" not in said.err
    shown = racing("show", tmp_path / "log.sqlite").out
    assert "Every evaluation failed: crashed: exit status 2: error: no library." in shown
    assert "× crashed: exit status 2: error: no library\n" in shown


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
    assert "stopped: an evaluation failed, and the scenario says to stop then; fix it, then " in (
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
    assert shown.data["target_changes"] == [{"path": "sometimes.py", "after": before}]


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


TEAM = """\
target: {python: target.py:solve}
space: {x: {real: [0, 1], default: 0.5}}
search: {portfolio: 2, confirm: 0.2}
instances: {list: [a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6], repeat: true}
budget: 900
execution: {engine: in-process}
"""


def team(folder, wanted):
    """A scenario that searches for a team of two, where instances want this value."""
    (folder / "target.py").write_text(
        "def solve(values, instance, seed):\n"
        f"    return abs(values['x'] - {wanted}) + seed % 7 / 200\n"
    )
    (folder / "team.yaml").write_text(TEAM)
    return folder / "team.yaml"


def test_a_search_for_a_team_tells_its_members_and_what_they_gain(racing, tmp_path):
    scenario = team(tmp_path, "(0.1 if instance.startswith('a') else 0.9)")
    said = racing("run", scenario, "--log", tmp_path / "log.sqlite")
    lines = said.out.splitlines()
    members = lines[lines.index("Team of 2:") + 1 :][:2]
    assert sorted(round(float(line.partition("=")[2]), 1) for line in members) == [0.1, 0.9]
    assert "The team has 2 of 2 members; on each instance, the best of them counts." in lines
    assert any("the team is better than one run of #" in line for line in lines)
    (default,) = (line for line in lines if "better than one run of default" in line)
    assert "the team is better than one run of default by" in default
    assert "One configuration may do." not in said.out
    new = [f"{kind}{i}" for kind in "ab" for i in range(7, 11)]
    racing("test", tmp_path / "log.sqlite", *new, "--against", "default")
    answer = racing("show", tmp_path / "log.sqlite").out.splitlines()
    assert answer[2].startswith("The team: #")  # though the test was of the single best
    assert any(line.startswith("On 8 unseen problems") for line in answer)
    (advice,) = (line for line in answer if line.startswith("Next: "))
    assert "racing resume" not in advice  # a search for a team cannot be extended
    racing("test", tmp_path / "log.sqlite", *new)
    answer = racing("show", tmp_path / "log.sqlite").out.splitlines()
    assert any(line.startswith("On 8 unseen problems, the team") for line in answer)
    assert any(line.startswith("Next: use the team") for line in answer)
    shown = racing("show", tmp_path / "log.sqlite", "--json").data["search"]["team"]
    assert [one["candidate"]["name"] for one in shown["members"]] == [
        line.split(":")[0].strip() for line in members
    ]


def test_a_team_where_one_configuration_does_is_said_to_be_unneeded(racing, tmp_path):
    said = racing("run", team(tmp_path, "0.3"), "--log", tmp_path / "log.sqlite")
    assert "the team is not shown to be better than one run of #" in said.out
    assert "One configuration may do." in said.out


def test_where_all_want_the_same_one_search_has_the_budget_of_a_team(racing, tmp_path):
    said = racing("run", team(tmp_path, "0.3"), "--log", tmp_path / "a.sqlite", "--budget", 1200)
    assert "one configuration is enough: a single search had the whole budget" in said.out
    assert "problems" in said.out
    assert "Team of" not in said.out


@pytest.mark.parametrize(
    "error", [OSError(errno.EMFILE, "too many"), RuntimeError("can't start new thread")]
)
def test_what_the_system_lacks_is_said_with_its_code(racing, scenario, monkeypatch, error):
    def lacking(*arguments, **options):
        raise error

    monkeypatch.setattr("racing.runner.run.check_target", lacking)
    said = racing("run", scenario)
    assert said.code == 3
    assert "or use fewer jobs" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("error", [MemoryError(), MemoryError("SciPy cannot be loaded: free some")])
def test_a_lack_of_memory_is_said_with_its_code(racing, scenario, monkeypatch, error):
    def lacking(*arguments, **options):
        raise error

    monkeypatch.setattr("racing.cli.run.facts_after", lacking)
    said = racing("run", scenario)
    assert said.code == 3
    assert "free some" in said.err
    assert "Traceback" not in said.err


def test_a_budget_of_a_few_instances_names_no_winner(racing, scenario, tmp_path):
    log = tmp_path / "log.sqlite"
    said = racing("run", scenario, "--log", log, "--budget", 17, "--quiet")
    assert said.code == 1
    assert "Winner" not in said.out
    assert "Ahead after 2 instances, too few to choose by: #" in said.out
    assert (
        f"the budget was too small to choose; `racing resume {log} --budget +N` goes on" in said.err
    )
    enough = racing("resume", log, "--budget", "+24", "--quiet")
    assert enough.code == 0
    assert "too few to choose" not in enough.out
    early = racing(
        "run", scenario, "--log", log, "--force", "--budget", 16, "--set", "race.first_test=2"
    )
    assert early.code == 0, "the scenario says that two instances are enough"
