"""The clasp example: its formulas, its cost, and that every value of its space is accepted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import yaml

import racing
from examples.clasp.instances import formula, generate, write
from examples.clasp.run import clasp, cost, parse
from racing.space import Categorical

ROOT = Path(__file__).parents[2]
COMMAND = yaml.safe_load((ROOT / "configs" / "clasp.yaml").read_text())["target"]["command"]


@pytest.fixture(scope="module")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("clasp")
    write(folder, count=5)
    return sorted(folder.glob("train/*.cnf"))


@pytest.fixture(scope="module")
def scenario(short: Callable[..., racing.Scenario], formulas: list[Path]) -> racing.Scenario:
    target = {"command": f"{COMMAND} --limit=1000", "timeout": "60s"}
    return short("clasp", instances={"list": [str(path) for path in formulas]}, target=target)


def switched(values: dict[str, object]) -> list[str]:
    return [f"--{name}={value}" for name, value in values.items()]


def conflicts(path: Path, options: Sequence[str] = (), seed: int = 1) -> float:
    own, rest = parse([str(path), f"--seed={seed}", *options])
    return cost(clasp(own.formula, own.seed, own.limit, rest), own)


def test_formulas_depend_on_their_seeds_alone() -> None:
    assert generate("train", 3) == generate("train", 3)
    assert not set(generate("train", 3).values()) & set(generate("test", 3).values())


def test_a_formula_asks_for_a_clique_of_seven() -> None:
    made = formula(0, 1)
    vertices, rest = divmod(made.number_of_variables(), 7)
    assert 24 <= vertices <= 30
    assert rest == 0


def test_the_cost_is_repeatable_and_that_of_a_decided_formula(formulas: list[Path]) -> None:
    assert conflicts(formulas[0]) == conflicts(formulas[0])
    assert 0 < conflicts(formulas[0]) < 60_000


def test_an_undecided_formula_costs_ten_times_the_limit(formulas: list[Path]) -> None:
    assert conflicts(formulas[0], ["--limit=10"]) == 100


def test_processor_time_can_be_counted(formulas: list[Path]) -> None:
    assert 0 <= conflicts(formulas[0], ["--measure=cpu"]) <= 10
    assert conflicts(formulas[0], ["--measure=cpu", "--limit=10"]) == 10


def test_the_defaults_are_those_of_clasp(scenario: racing.Scenario, formulas: list[Path]) -> None:
    defaults = switched(dict(scenario.plan.candidates[0].values))
    for path in formulas[:3]:
        assert conflicts(path, defaults) == conflicts(path)


def test_clasp_takes_every_value(scenario: racing.Scenario, formulas: list[Path]) -> None:
    assert scenario.space is not None
    choices = {
        name: one.values if isinstance(one, Categorical) else (one.low, one.high)
        for name, one in scenario.space.items()
    }
    for turn in range(max(map(len, choices.values()))):
        values = {name: among[turn % len(among)] for name, among in choices.items()}
        assert conflicts(formulas[0], ["--limit=50", *switched(values)]) > 0


def test_berkmin_needs_fewer_conflicts_here(formulas: list[Path]) -> None:
    berkmin = [conflicts(path, ["--heuristic=Berkmin"]) for path in formulas]
    assert np.mean(berkmin) < np.mean([conflicts(path) for path in formulas])


@pytest.mark.parametrize(
    ("content", "options", "complaint"),
    [
        (None, [], "not be opened|No such file|read"),
        ("not a formula\n", [], "parse|error|expected"),
        ("p cnf 1 1\n1 0\n", ["--restarts=never"], "restarts"),
        ("p cnf 1 1\n1 0\n", ["--no-such-option=1"], "no-such-option"),
        ("p cnf 1 1\n1 0\n", ["--heuristic=$(touch /tmp/x)"], "heuristic"),
    ],
)
def test_what_clasp_refuses_fails_with_its_reason(
    tmp_path: Path, content: str | None, options: list[str], complaint: str
) -> None:
    path = tmp_path / "x.cnf"
    if content is not None:
        path.write_text(content)
    script = [sys.executable, str(ROOT / "examples/clasp/run.py"), str(path), *options]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert any(word in done.stderr for word in complaint.split("|")), done.stderr


def test_the_scenario_races(
    scenario: racing.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    race = racing.run(scenario, log=tmp_path / "short.sqlite")
    assert race.winner is not None
    assert race.instances_seen == 3
    assert not np.isinf(race.results.costs).any()


def test_success_and_memory_may_be_constraints(
    short: Callable[..., racing.Scenario],
    formulas: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    page = (ROOT / "examples/clasp/README.md").read_text()
    lines = yaml.safe_load(page.split("```yaml\n")[1].split("```")[0])
    lines["target"]["command"] += " --limit=2000"
    instances = {"list": [str(path) for path in formulas]}
    scenario = short("clasp", instances=instances, budget=12, **lines)
    race = racing.run(scenario, log=tmp_path / "limits.sqlite")
    for one in race.ranking():
        assert set(one.metrics) == {"conflicts", "success", "memory"}
        assert 0 < one.metrics["conflicts"] <= 2000
        assert 0 <= one.metrics["success"] <= 1
        assert 1e6 < one.metrics["memory"] < 2e8
        assert one.limits["success >= 0.9"] == (
            one.metrics["success"],
            one.metrics["success"] >= 0.9,
        )
    met = [all(ok for _, ok in one.limits.values()) for one in race.ranking()]
    assert met == sorted(met, reverse=True), "those that meet all constraints come first"
