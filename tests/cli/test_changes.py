"""`--budget` and `--set` change keys of a scenario."""

from __future__ import annotations

from racing.cli.init import write


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
