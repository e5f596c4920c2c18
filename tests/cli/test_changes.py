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
    cases = {"seed": "expected KEY=VALUE", "seed=[1": "--set seed", "budgte=3": "budgte"}
    for change, message in cases.items():
        said = racing("check", config, "--no-run", "--set", change)
        assert said.code == 2
        assert message in said.err
